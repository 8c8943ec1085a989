"""A test that runs along: do the rewards contradict the family, Θ or the budget C?

The evidence is an e-process, the mixture of alternatives (`betting`) over the best θ of Θ, less what a budget can have
moved; by Ville's inequality it ever reaches 1/δ with probability at most δ (claim `monitor_keeps_its_rate`).  Not seen
are variances below g μ'; and an alarm says that one of the three is wrong, not which.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from glbcheck.core.algorithm.checks import checked_reward, checked_vector
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.algorithm.reference import into_ball, project
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.learner import betting
from glbcheck.core.learner.fields import Fields
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

PATIENCE = 1.02  # rounds grow by this factor between two searches for the maximum
ROUNDED = 1e-9  # relative; what rounding may do to the sum of distances to the support
NEWTON_STEPS, HALVINGS, ENOUGH = 30, 40, 1e-3  # of the search, which ends when value and lower bound are this close


@dataclass(frozen=True)
class Alarm:
    """When it was raised, and why."""

    round: int
    reason: str


def checked_rate(argument: str, rate: object) -> float:
    """A probability of false alarms."""
    if not (isinstance(rate, int | float | np.floating) and 0 < rate < 1):
        raise BadInput(argument, rate, "a false-alarm rate strictly between 0 and 1")
    return float(rate)


class Monitor:
    """Rewards in; `alarm` is None as long as nothing contradicts the model.

    False alarms have probability at most `delta`, over all rounds.  All rewards are kept: memory and saved files grow
    by d + 2 numbers a round, and a round costs O(d²) but for a search now and then.
    """

    def __init__(self, parameters: Parameters, delta: float = 0.01) -> None:
        p = self.parameters = parameters
        self.delta = checked_rate("delta", delta)
        self.within = betting.reach(p.family, p.S, p.L_mu, corrupted=p.C > 0)
        self.threshold = math.log(1 / self.delta)
        self.alarm: Alarm | None = None
        top, n = self.within.top, p.d + 1
        self._rows, self._own = np.empty((64, p.d + 2)), {**betting.alternatives(p.d), "theta": np.zeros(p.d)}
        low, high, self._step = p.family.kept("support in numbers", lambda: _in_numbers(p.family))
        means = p.family.mu(np.array([-top, top])).tolist()
        self._sums = np.array([top, *means, p.S, p.C > 0, self.within.influence * p.C, low, high, 0.0, 0.0, 0.0, 0.0])
        link, table = betting.linked(p.family, top)
        v, G, logs, theta = self._own.values()
        self._fixed = self._sums, v, G.reshape(-1, n), logs, theta, np.empty((n, n + 1)), table, link
        self._due = 1  # the round of the next search
        self._take: Any = None

    @property
    def rounds(self) -> int:
        return int(self._sums[betting.ROUNDS])

    @property
    def impossible(self) -> float:
        """How far rewards lay outside the support, in all."""
        return float(self._sums[betting.IMPOSSIBLE])

    @property
    def cost(self) -> float:
        """b C, for rewards whose g is at least 1; others are tempered."""
        return float(self._sums[betting.COST])

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence against the model, after a search over Θ; an alarm is at log 1/δ."""
        p, theta, rows = self.parameters, self._own["theta"], self._rows[: self.rounds]
        theta[:], self._sums[betting.RUNNING], lower = least_loss(p.family, rows, theta.copy(), p.S)
        return self.evidence_for(lower)

    def evidence_for(self, loss: float) -> float:
        """The same if this were the loss of the best θ."""
        return float(betting.log_evidence(self._sums, self._own["logs"], loss))

    def observe(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> Alarm | None:
        """Take in one reward that was learnt from; the alarm, if there is one by now."""
        p = self.parameters
        point, value = checked_vector("x", x, p.d, UNIT), checked_reward(reward)
        return self.take(point, value, p.family.check_dispersion(dispersion))

    def take(self, x: Floats, reward: float, g: float) -> Alarm | None:
        """The same for arguments that have been checked."""
        if self.rounds == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        if self._take is None:
            self._take = partial(getattr(betting.take, "ready", lambda: betting.take)(), *self._fixed)
        step = self._step
        unit = step[0] + step[1] * g if step else _step_at(self.parameters.family, g)
        impossible, evidence = self._take(self._rows, x, reward, g, unit)
        if self.alarm is None:
            self.alarm = self._decided(impossible, evidence)
        return self.alarm

    def _decided(self, impossible: float, evidence: float) -> Alarm | None:
        p = self.parameters
        if impossible > p.C * (1 + ROUNDED):
            words = f"rewards lie outside the support by {impossible:.4g} in all, more than C = {p.C:g}"
            return Alarm(self.rounds, f"{words}: {p.family.name} does not allow it")
        # The loss at any point is at least the least one: below the threshold there is nothing to search for.
        if evidence < self.threshold or self.rounds < self._due:
            return None
        self._due = math.ceil(PATIENCE * self.rounds) + 1
        found = self.evidence
        if found < self.threshold:
            return None
        words = f"no θ with ‖θ‖ <= {p.S:g} and corruption up to C = {p.C:g} explains the rewards as {p.family.name}"
        return Alarm(self.rounds, f"{words}: log evidence {found:.4g} against {self.threshold:.4g}")

    # --- saved and restored -----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        own = {name: part.tolist() for name, part in self._own.items()}
        return {
            "delta": self.delta, "rounds": self.rounds, "rows": self._rows[: self.rounds].tolist(),
            "size": float(self._sums[betting.SIZE]), "running": float(self._sums[betting.RUNNING]),
            "due": self._due, "impossible": self.impossible, "logs": own["logs"], "theta": own["theta"],
            "rivals": {"v": own["v"], "G": own["G"]},
            "alarm": None if self.alarm is None else [self.alarm.round, self.alarm.reason],
        }  # fmt: skip

    @classmethod
    def as_it_was(cls, p: Parameters, fields: Fields) -> Monitor:
        """The monitor of a file; the seal answers for its sums."""
        made, rivals = cls(p, checked_rate(f"{fields.name}.delta", fields.saved.get("delta"))), fields.part("rivals")
        rounds, made._due, alarm = fields.whole("rounds"), fields.whole("due"), fields.saved.get("alarm")
        made._rows = np.concatenate([fields.array("rows", (rounds, p.d + 2)), np.empty((64, p.d + 2))])
        sums = [fields.real(name) for name in ("size", "running", "impossible")]
        made._sums[betting.ROUNDS : betting.IMPOSSIBLE + 1] = rounds, *sums
        for name, own in made._own.items():
            own[...] = (rivals if name in ("v", "G") else fields).array(name, own.shape)
        made.alarm = None if alarm is None else Alarm(*alarm)
        return made


def _in_numbers(family: Family) -> tuple[float, float, tuple[float, float] | None]:
    """The ends of the support, and its step at g = 0 and for each unit of g; None where g enters in another way."""
    from glbcheck.core.letters import g as letter

    support = family.support
    step = 0 * letter if support.step is None else support.step
    line = None if step.diff(letter).free_symbols else (float(step.subs(letter, 0)), float(step.diff(letter)))
    return float(support.lower), float(support.upper), line


def _step_at(family: Family, dispersion: float) -> float:
    from glbcheck.core.letters import g

    return float(family.support.step.subs(g, dispersion))  # type: ignore[union-attr]


def least_loss(family: Family, rows: Floats, start: Floats, S: float) -> tuple[Floats, float, float]:
    """About the θ of least loss over Θ, the loss there, and what no θ of Θ is below, for rows (x, reward, w/g).

    Newton's method with each step's quadratic minimised over the ball.  The loss f, a sum of w/g (m(z) - reward z), is
    convex, so that f(θ) >= f(θ̂) + ⟨∇f(θ̂), θ - θ̂⟩ >= f(θ̂) - ⟨∇f(θ̂), θ̂⟩ - S ‖∇f(θ̂)‖ on all of Θ.
    """
    x, rewards, factors = rows[:, :-2], rows[:, -2], rows[:, -1]

    def loss(theta: Floats) -> float:
        z = np.clip(x @ theta, -S, S)
        return float(np.sum(factors * (family.m(z) - rewards * z)))

    theta, value, lower = start, loss(start), -math.inf
    for _ in range(NEWTON_STEPS):
        z = np.clip(x @ theta, -S, S)
        gradient = x.T @ (factors * (family.mu(z) - rewards))
        lower = max(lower, value - float(gradient @ theta) - S * norm(gradient))
        if value - lower <= ENOUGH:
            break
        M = x.T @ ((factors * family.dmu(z))[:, None] * x)
        floor = 1e-9 * max(float(np.trace(M)), 1e-300)
        M = M + floor * np.eye(theta.size)
        c = M @ theta - gradient
        free: Floats = np.asarray(np.linalg.solve(M, c), dtype=float)
        target = free if norm(free) <= S else project(M, c, floor, S).theta
        tries = (into_ball(theta + 0.5**k * (target - theta), S) for k in range(HALVINGS))  # as far as the loss falls
        found = next(((there, tried) for there in tries if (tried := loss(there)) < value), None)
        if found is None:
            break
        theta, value = found
    return theta, value, lower
