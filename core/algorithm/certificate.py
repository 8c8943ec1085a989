"""What a learner can say about its regret so far: a set from likelihood ratios, kept beside any choice of arms.

`docs/certificate.md` says which calls leave the certificate valid, and which end it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import certificate as kernels
from glbcheck.core.engine import likelihood_state as ls
from glbcheck.core.engine.costs import rows_of_room
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.theory.parameters import Parameters

THEOREM = "T4, T6"
RESTARTED = "T4 to T6"
WINDOWS = 6  # with restarts
_ENDED = {
    ls.ROUNDING: "rounding errors may be as large as the set itself: the dispersions are too small for so many rounds"
}


@dataclass(frozen=True)
class Certificate:
    """The regret of `rounds` pulls is at most `regret_at_most`, with probability `confidence` over all runs.

    It holds if rewards follow the model, ‖θ*‖ <= S and the corruption so far is at most `C`.  `alarm` is the round in
    which that was found false for this C, and then nothing is said about regret.  `allowance` is what rounding may have
    added to the level of the set, and is part of it.
    """

    regret_at_most: float | None
    largest_possible: float
    rounds: int
    confidence: float
    C: float
    alarm: int | None
    theorem: str
    allowance: float
    reason: str | None = None

    def __str__(self) -> str:
        if self.regret_at_most is None:
            return f"No certificate for these {self.rounds:,} pulls: {self.reason}."
        return (
            f"Unless this is one of the at most {1 - self.confidence:.3g} of runs in which the method fails: if rewards"
            f" follow the model, ‖θ*‖ <= S and the corruption so far is at most {self.C:g}, the regret in mean reward"
            f" of these {self.rounds:,} pulls against the best arm of each round is at most {self.regret_at_most:,.6g}."
            f" The largest possible regret is {self.largest_possible:,.6g}. The level of the confidence set includes"
            f" {self.allowance:.1g} for rounding."
        )


class RegretCertifier:
    """The set and the sums of a certificate, for pulls that a learner reports."""

    def __init__(
        self, family: Family, d: int, S: float, delta: float, C: float, *, restarts: bool = False, share: float = 0.0
    ) -> None:
        self.family, self.delta, self.C = family, delta, C
        self._given = (family, d, S, delta, C)
        self._windows, self._share = (WINDOWS if restarts else 1), share
        self.state = ls.initial(*self._given, windows=self._windows, share=share)
        self.room = np.zeros((rows_of_room(d, self._windows), 0))
        self._lattice = ls.lattice_of(family)
        self.reason: str | None = None  # why there is none
        self._pulled: Floats | None = None  # the latest pull, if its reward has not come
        self._dispersion: float | None = None  # which it was told

    @classmethod
    def beside(cls, p: Parameters) -> RegretCertifier:
        """For a learner with these parameters."""
        return cls(p.family, p.d, p.S, p.delta, p.C)

    # --- one round ------------------------------------------------------------------------------------

    def choose(self, arms: Floats, dispersion: float | None = None) -> int:
        """The optimistic arm, charged."""
        self._prepare(arms)
        chosen = int(kernels.consider(self.state, self.room, arms, -1.0, -1.0)[0])
        self._pulled, self._dispersion = arms[chosen].copy(), dispersion
        return chosen

    def charged(self, arms: Floats, select: Callable[[Floats], int], dispersion: float | None) -> int:
        """The arm that another learner selects, charged."""
        told = None if dispersion is None else self.family.check_dispersion(dispersion)
        points = np.array(arms, order="C")
        chosen = select(points)
        self.charge(points, chosen, told)
        return chosen

    def charge(self, arms: Floats, chosen: int, dispersion: float | None = None) -> None:
        """Another learner pulls this arm."""
        self._prepare(arms)
        kernels.consider(self.state, self.room, arms, float(chosen), -1.0)
        self._pulled, self._dispersion = arms[chosen].copy(), dispersion

    def learn(self, x: Floats, reward: float, dispersion: float) -> None:
        """The reward of the latest pull has come."""
        self.reason = self.reason or self._objection(x, dispersion)
        self._pulled = None
        self.learn_row(x, reward, dispersion)

    def learn_row(self, x: Floats, reward: float, dispersion: float) -> None:
        """A reward of an earlier pull, in the order of the pulls, or a row that somebody else has pulled before."""
        if self.C == 0:
            self.reason = self.reason or self._contradiction(reward, dispersion)
        kernels.learn(self.state, x, reward, dispersion)

    def _contradiction(self, reward: float, g: float) -> str | None:
        """A reward that is none of the family, without corruption; two points stand for all rewards between them."""
        low, high, fixed, per_g = self._lattice
        step = fixed + per_g * g
        if step == 0 or (low + step == high and g >= 1):
            return None
        places = (reward - (low if np.isfinite(low) else 0.0)) / step
        if abs(places - round(places)) <= 1e-6 * max(1.0, abs(places)):
            return None
        return (
            f"without corruption a reward {reward:g} of dispersion {g:g} does not come from the {self.family.name} law"
        )

    def _objection(self, x: Floats, dispersion: float) -> str | None:
        if self._pulled is None:
            return "a reward was learnt from without a pull that was charged (`update` without `select`)"
        if not np.array_equal(self._pulled, x):
            return "a reward was learnt from of another arm than the one that was selected"
        if self._dispersion is not None and self._dispersion != dispersion:
            return f"the dispersion was told as {self._dispersion:g} before the reward, and as {dispersion:g} with it"
        return None

    def end(self, reason: str) -> None:
        """No certificate from now on."""
        self.reason = self.reason or reason

    def _prepare(self, arms: Floats) -> None:
        """Room for so many arms; the first arms may turn out to be those of all pulls."""
        K = len(arms)
        if self.room.shape[1] < K:
            self.room = np.zeros((self.room.shape[0], K))
        if self.state[ls.PULLS] == 0 and self.state[ls.PLACES] != K:
            older = self.state
            self.state = ls.initial(*self._given, windows=self._windows, share=self._share, places=K)
            self.state[: int(older[ls.AT_PULLS])] = older[: int(older[ls.AT_PULLS])]
            self.state[ls.PLACES], self.state[ls.FIXED] = K, 1.0

    def adopt(self, state: Floats) -> bool:
        """Go on from the state of a certifier with the same parameters; does it fit?"""
        told, places = list(range(ls.AT_PULLS + 1)), int(state[ls.PLACES]) if state.size > ls.PLACES else -1
        if places < 0 or state.size != ls.size_of(self.state, places) or (state[told] != self.state[told]).any():
            return False
        self.state = state
        self.room = np.zeros((self.room.shape[0], places))
        return True

    # --- what is known --------------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        """How many pulls were charged."""
        return int(self.state[ls.PULLS])

    @property
    def theta(self) -> Floats:
        """The centre of the set."""
        d = int(self.state[ls.DIMENSION])
        return ls.vector(ls.window(self.state, 0), ls.CENTRE, d).copy()

    def interval(self, x: Floats, C: float | None = None) -> tuple[float, float]:
        """An interval for <x, θ*>."""
        low, high = kernels.bounds(self.state, x, self.C if C is None else C)
        return float(low), float(high)

    def certificate(self, C: float | None = None) -> Certificate:
        """What is known if the corruption so far is at most C; by default the largest that was told."""
        c = self.C if C is None else float(C)
        if not 0 <= c <= self.C:
            raise BadInput("C", C, f"a corruption from 0 to {self.C:g}, which the learner was told")
        s = self.state
        rounds, span = int(s[ls.PULLS]), float(s[ls.SPAN])
        table = ls.levels(s)
        row = next(row for row in table if row[ls.LEVEL] >= c)
        alarm = int(row[ls.REJECTED]) or None
        reason = self.reason or _ENDED.get(float(s[ls.ENDED]))
        if reason is None and alarm:
            reason = f"the set for corruption up to {row[ls.LEVEL]:g} is empty since round {alarm}: "
            reason += "rewards, S or C are not what the learner was told"
        largest = rounds * span * (1 + 2.0**-40)
        most = None if reason else min(largest, float(kernels.regret_at_most(s, self.room, c)))
        return Certificate(
            regret_at_most=most, largest_possible=largest, rounds=rounds, confidence=1 - self.delta, C=c, alarm=alarm,
            theorem=THEOREM if self._windows == 1 else RESTARTED, allowance=float(ls.window(s, 0)[ls.ALLOWANCE]),
            reason=reason,
        )  # fmt: skip


__all__ = ["Certificate", "RegretCertifier"]
