"""Corruption: r̃_t = r_t + c_t, chosen after everything else in the round is known, within an audited budget.

A strategy proposes c_t; the budget pays for it, never more than C in total.  The last three strategies are
the paper's: they make the best arm look exactly like the others for as long as the budget lasts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from glbcheck.core import constants
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """What the adversary looks at before it corrupts: the round, the truth, and the learner's weight."""

    t: int
    T: int
    x: Floats
    is_best: bool  # is x an optimal arm of this round?
    natural: float  # ⟨x, θ_*⟩
    reward: float
    dispersion: float
    weight: float
    family: Family
    rng: np.random.Generator


@dataclass(frozen=True)
class Strategy:
    """A proposal c_t for every round; `divisible` if a part of it will do when the budget runs out."""

    name: str
    propose: Callable[[Seen], float]
    divisible: bool = True


class Budget:
    """What is left of C, kept exactly: the sum of all |c_t| paid never exceeds C, not even by rounding."""

    def __init__(self, total: float) -> None:
        if not 0 <= total < math.inf:
            raise BadInput("C", total, "a finite budget C >= 0")
        self.total = float(total)
        self._left = Fraction(self.total)

    def pay(self, c: float, divisible: bool) -> float:
        """The corruption that is paid for: c, or what is left of it, or nothing."""
        if not math.isfinite(c):
            raise BadInput("c", c, "a finite corruption")
        if abs(Fraction(c)) > self._left:
            c = math.copysign(self.remaining, c) if divisible else 0.0
        self._left -= abs(Fraction(c))
        return c

    @property
    def remaining(self) -> float:
        """The largest corruption that can still be paid."""
        nearest = float(self._left)
        return nearest if Fraction(nearest) <= self._left else math.nextafter(nearest, 0.0)

    @property
    def spent(self) -> float:
        return float(Fraction(self.total) - self._left)


class Adversary:
    """A strategy with a budget."""

    def __init__(self, strategy: Strategy, C: float) -> None:
        self.strategy, self.budget = strategy, Budget(C)

    def corrupt(self, seen: Seen) -> float:
        """c_t of this round."""
        if self.budget.remaining == 0:
            return 0.0
        return self.budget.pay(float(self.strategy.propose(seen)), self.strategy.divisible)


# --- strategies -----------------------------------------------------------------------------------------


def none() -> Strategy:
    return Strategy("none", lambda seen: 0.0)


def front_loaded(size: float = 1.0) -> Strategy:
    """Mislead from the first round on, by `size` each time."""
    return Strategy("front-loaded", lambda seen: _misleading(seen, size))


def spread(C: float) -> Strategy:
    """The same small corruption in every round."""
    return Strategy("spread", lambda seen: _misleading(seen, C / seen.T))


def late(C: float, size: float = 1.0) -> Strategy:
    """Nothing, until just enough rounds are left to spend C."""
    return Strategy("late", lambda seen: _misleading(seen, size) if seen.T - seen.t < C / size else 0.0)


def low_weight(size: float = 1.0, below: float = 1.0) -> Strategy:
    """Corrupt only what the learner itself distrusts: rounds of weight under `below`."""
    return Strategy("low-weight", lambda seen: _misleading(seen, size) if seen.weight < below else 0.0)


def mirror() -> Strategy:
    """Make the rewards look as if the parameter were -θ_*."""

    def propose(seen: Seen) -> float:
        mirrored, true = seen.family.mu(np.array([-seen.natural, seen.natural]))
        return float(mirrored - true)

    return Strategy("mirror", propose)


def _misleading(seen: Seen, size: float) -> float:
    """The best arm looks worse, the others look better."""
    return -size if seen.is_best else size


# --- the adversaries of the lower bound --------------------------------------------------------------------


def noiseless(family: Family, S: float, phi: float) -> Strategy:
    """app:lower-bound-corruption: take Δ off every pull of the best arm."""
    Delta = lower_bound_gap(family, S, phi)
    return Strategy("noiseless", lambda seen: -Delta if seen.is_best else 0.0, divisible=False)


def logistic_flip(family: Family, S: float, phi: float) -> Strategy:
    """app:logistic: turn a one of the best arm into a zero with probability q = Δ / μ(S)."""
    q = _flip_probability(family, S, phi)

    def propose(seen: Seen) -> float:
        flips = seen.is_best and seen.reward == 1 and seen.rng.random() < q
        return -1.0 if flips else 0.0

    return Strategy("logistic-flip", propose, divisible=False)


def poisson_thin(family: Family, S: float, phi: float) -> Strategy:
    """app:poisson: drop every count of the best arm with probability q = Δ / μ(S)."""
    q = _flip_probability(family, S, phi)

    def propose(seen: Seen) -> float:
        return -float(seen.rng.binomial(int(seen.reward), q)) if seen.is_best else 0.0

    return Strategy("poisson-thin", propose, divisible=False)


def lower_bound_gap(family: Family, S: float, phi: float) -> float:
    """app:lower-bound-corruption: Δ for the link of this family."""
    return float(constants.gap(lambda z: float(family.mu(z)), S, math.cos(phi)))


def _flip_probability(family: Family, S: float, phi: float) -> float:
    return float(constants.flip_probability(lower_bound_gap(family, S, phi), float(family.mu(S))))
