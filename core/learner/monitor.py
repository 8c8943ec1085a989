"""A test that runs along: do the rewards contradict the family, Θ or the budget C?

Let p_θ be the model's density at ⟨x, θ⟩ and q that of a rival, chosen before the reward r is seen.  The mean of q/p at
the true θ* is at most 1, and by Jensen so is that of its power w, for 0 < w <= 1 known before r.  So the product of the
(q/p_θ*)^w is a non-negative supermartingale from 1, and so is a mixture of such products over rivals: by Ville's
inequality it ever reaches 1/δ with probability at most δ.  With r + c in place of r the logarithm of a factor moves by
at most b |c|, where b bounds (w/g) |z_q - ⟨x, θ*⟩|, and that of the product by at most b C.  Nobody knows θ*, but the
product at θ* is at least the least one over Θ.  Hence if family, Θ and C are right,

    log (mixture over rivals of Π q^w)  -  max over Θ of log Π p_θ^w  -  b C  >=  log 1/δ

ever holds with probability at most δ, in all rounds together, and this raises the alarm.  The logarithm of Π p_θ^w is
concave in θ; its maximum is replaced by an upper bound from duality, and a bound on the rounding is taken off.  A
reward outside the support was moved by its distance to it at least: when these sum to more than C the alarm is certain.
Rewards are taken in the order of updates (`tickets` says when that is sound).  The claim is `monitor_keeps_its_rate`.

An alarm says that one of the three is wrong, not which.  Seen are: means that are not μ(⟨x, θ⟩), parameters beyond S
or that drift, variances above g μ', corruption well beyond the budget.  Not seen are variances below g μ'.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from glbcheck.core.algorithm.checks import checked_reward, checked_vector
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import is_installed
from glbcheck.core.family import Family
from glbcheck.core.learner.likeliest import Least, Rows, least
from glbcheck.core.learner.rivals import Rivals, reach
from glbcheck.core.learner.states import ROUNDED
from glbcheck.core.parameters import Parameters
from glbcheck.core.support import Support
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

ROUNDING = 1e-11  # of each number that is summed
PATIENCE = 1.02  # rounds grow by this factor between two searches for the maximum
LATTICE = 1e-9  # a reward this close to a point of the support, relatively, is that point


Bet: TypeAlias = Callable[[Floats, Floats, float, float], tuple[float, float]]  # rows, x, reward, g


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


def _in_numbers(support: Support) -> tuple[float, float, tuple[float, float] | None]:
    """The ends of the support, and its step at g = 0 and for each unit of g; None where g enters in another way."""
    from glbcheck.core.letters import g

    step = 0 * g if support.step is None else support.step
    line = None if step.diff(g).free_symbols else (float(step.subs(g, 0)), float(step.diff(g)))
    return float(support.lower), float(support.upper), line


def distance_to(family: Family) -> Callable[[float, float], float]:
    """How far a reward is from the support, at its dispersion; 0 for what rounding explains."""
    low, high, line = support_in_numbers(family)
    origin = low if math.isfinite(low) else 0.0

    def unit_at(dispersion: float) -> float:
        if line is not None:
            return float(line[0] + line[1] * dispersion)
        from glbcheck.core.letters import g

        return float(family.support.step.subs(g, dispersion))  # type: ignore[union-attr]

    def distance(reward: float, dispersion: float) -> float:
        nearest, unit = reward, unit_at(dispersion)
        if unit != 0.0:
            nearest = origin + unit * round((reward - origin) / unit)
        off = abs(reward - min(max(nearest, low), high))
        return off if off > LATTICE * max(1.0, abs(reward)) else 0.0

    return distance


def support_in_numbers(family: Family) -> tuple[float, float, tuple[float, float] | None]:
    """What `_in_numbers` finds, once for all processes."""
    low, high, line = family.kept("support in numbers", lambda: _in_numbers(family.support))
    return low, high, line


class Monitor:
    """Rewards in; `alarm` is None as long as nothing contradicts the model.

    False alarms have probability at most `delta`, over all rounds.  All rewards are kept: memory and saved files grow
    by d + 2 numbers a round, and a round costs O(d²) but for a search now and then.
    """

    def __init__(self, parameters: Parameters, delta: float = 0.01) -> None:
        self.parameters, self.delta = parameters, checked_rate("delta", delta)
        p = parameters
        within = reach(p.family, p.S, p.L_mu, corrupted=p.C > 0)
        self.rivals = Rivals(p.family, p.d, within)
        self.cost = within.influence * p.C  # b C, for rewards whose g is at least 1; others are tempered
        self.influence = within.influence
        self.threshold = math.log(1 / self.delta)
        self.alarm: Alarm | None = None
        self._rows = np.empty((64, p.d + 2))
        self._logs = np.zeros(self.rivals.count)
        self._theta = np.zeros(p.d)  # the likeliest of the latest search
        self._sums = np.zeros(4)  # rounds, size, running, impossible
        self._due = 1
        self.outside = distance_to(p.family)
        self._numbers: Floats | None = None
        self._bet: Bet | None = None
        self._in_kernel = True
        if is_installed("numba"):
            self._stand_on_compiled()

    def _stand_on_compiled(self) -> None:
        """All that a round changes, as views of the array of the compiled bet."""
        from glbcheck.core.learner import betting

        p = self.parameters
        numbers = betting.initial(p.family, p.d, self.rivals.within.top, p.S)
        self.rivals.v, self.rivals.G, self._logs, self._theta = betting.parts(numbers, p.d)
        self._sums = numbers[betting.ROUNDS : betting.IMPOSSIBLE + 1]
        low, high, line = support_in_numbers(p.family)
        numbers[betting.TEMPERED], numbers[betting.COST], numbers[betting.ROUNDING] = p.C > 0, self.cost, ROUNDING
        numbers[betting.LOWER], numbers[betting.UPPER] = low, high
        numbers[betting.ORIGIN] = low if math.isfinite(low) else 0.0
        numbers[[betting.UNIT, betting.UNIT_PER_G]] = line or (math.nan, 0.0)
        self._numbers, self._in_kernel = numbers, line is not None

    def _ready(self) -> Bet:
        """The compiled bet, compiled by now."""
        from glbcheck.core.learner.betting import take

        self._bet = partial(take.ready(), self._numbers)
        return self._bet

    @property
    def rounds(self) -> int:
        return int(self._sums[0])

    @property
    def impossible(self) -> float:
        """How far rewards lay outside the support, in all."""
        return float(self._sums[3])

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence against the model, after a search over Θ; an alarm is at log 1/δ."""
        return self._evidence(self._search().lower)

    def observe(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> Alarm | None:
        """Take in one reward that was learnt from; the alarm, if there is one by now."""
        p = self.parameters
        point, value = checked_vector("x", x, p.d, UNIT), checked_reward(reward)
        return self.take(point, value, p.family.check_dispersion(dispersion))

    def take(self, x: Floats, reward: float, g: float) -> Alarm | None:
        """The same for arguments that have been checked."""
        if self.rounds == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        if self._numbers is None:
            impossible, evidence = self._take(x, reward, g)
        else:
            impossible, evidence = (self._bet or self._ready())(self._rows, x, reward, g)
            if not self._in_kernel:
                impossible = self._sums[3] = self.impossible + self.outside(reward, g)
        if self.alarm is None:
            self.alarm = self._decided(impossible, evidence)
        return self.alarm

    def _take(self, x: Floats, reward: float, g: float) -> tuple[float, float]:
        """What `core.learner.betting.take` does, in NumPy."""
        p, family = self.parameters, self.parameters.family
        # With a budget no reward may count for more than `influence` a unit; by Jensen a power below 1 is allowed.
        w = 1.0 if p.C == 0 else min(1.0, g)
        logs, size = self.rivals.take(x, reward, g)
        self._logs += w * logs
        self._rows[self.rounds] = [*x, reward, w / g]
        z = float(np.clip(x @ self._theta, -p.S, p.S))
        here = w / g * (float(family.m(z)) - reward * z)
        more = w * size + abs(here) + w / g * p.S * abs(reward)
        self._sums += [1.0, more, here, self.outside(reward, g)]
        return float(self._sums[3]), self._evidence(float(self._sums[2]))

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

    def _evidence(self, loss: float) -> float:
        top = float(self._logs.max())
        mixture = top + math.log(float(np.exp(self._logs - top).mean()))
        # A sum of n numbers is off by at most n 2^-53 times their sizes.
        return mixture + loss - self.cost - (ROUNDING + self.rounds * 2.0**-52) * float(self._sums[1])

    def _search(self) -> Least:
        p = self.parameters
        found = least(p.family, self._seen(), self._theta.copy(), p.S)
        self._theta[:], self._sums[2] = found.theta, found.value
        return found

    def _seen(self) -> Rows:
        rows, d = self._rows[: self.rounds], self.parameters.d
        return Rows(rows[:, :d], rows[:, d], rows[:, d + 1])

    # --- saved and restored -----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        return {
            "delta": self.delta, "rounds": self.rounds, "rows": self._rows[: self.rounds].tolist(),
            "logs": self._logs.tolist(), "size": float(self._sums[1]), "running": float(self._sums[2]),
            "due": self._due,
            "impossible": self.impossible, "theta": self._theta.tolist(), "rivals": self.rivals.as_dict(),
            "alarm": None if self.alarm is None else [self.alarm.round, self.alarm.reason],
        }  # fmt: skip

    def become(self, saved: Mapping[str, Any]) -> None:
        """Go on from what was saved; the file's reader has checked shapes and numbers."""
        self._sums[:] = saved["rounds"], saved["size"], saved["running"], saved["impossible"]
        if saved["rounds"]:
            self._rows = np.array(saved["rows"], dtype=float)
        self._logs[:], self._theta[:], self._due = saved["logs"], saved["theta"], saved["due"]
        self.rivals.become(saved["rivals"])
        self.alarm = None if saved["alarm"] is None else Alarm(*saved["alarm"])
