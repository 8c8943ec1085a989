"""WeightedOFUL+: Zhou and Gu 2022, "Computationally efficient horizon-free reinforcement learning for linear mixture
MDPs", Section 4.

Linear link, noise of known variance σ_t² = g_t and of size at most R.  No canonical family has both (`hypotheses`):
for normal rewards R is what all T noises stay below but for probability δ/2, and the rest of δ is the theorem's.
"As published" below is what the theorem is known to say; its displays were not at hand to be compared.  That the set
holds does not rest on them: the radius is above the one derived in `bernstein`.  It is hundreds of times the error, so
the set says nothing for many thousand rounds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from glbcheck.core.family import Family
from glbcheck.core.rivals.horizon import checked_round, promised
from glbcheck.core.rivals.hypotheses import need_linear_link, noise_bound
from glbcheck.core.rivals.regression import LinearRival, WeightedRidge
from glbcheck.core.tuning import checked_dispersions
from numpy.typing import ArrayLike

NAME = "weighted-oful-plus"
ROOT, LINEAR, UNION = 12.0, 30.0, 32.0  # as published (Theorem 4.1)


class Constants(NamedTuple):
    """What the rounds need; numbers only, for compiled code."""

    d: int
    alpha: float  # the least σ̄
    gamma: float  # σ̄ is at least γ √‖x‖
    lam: float
    S: float
    R: float
    delta: float


def constants(family: Family, d: int, S: float, delta: float, g_max: float, horizon: float) -> Constants:
    """γ = √R / d^{1/4} and λ = d/S², as published (after Theorem 4.1); α and R derived here.

    α = R/√T: the published order 1/√T, made independent of the unit that rewards are measured in.
    """
    R, left = noise_bound(family, g_max, horizon, delta)
    return Constants(d, R / math.sqrt(horizon), math.sqrt(R) / d**0.25, d / S**2, S, R, left)


def level(c: Constants, k: float) -> float:
    """log(32 (log(γ²/α) + 1) k²/δ), as published (Theorem 4.1); γ² is taken as α where it is below (derived here)."""
    return math.log(UNION * (math.log(max(c.gamma**2 / c.alpha, 1.0)) + 1) * k * k / c.delta)


def radius(c: Constants, k: float) -> float:
    """12 √(d log(1 + k/(α² d λ)) ℓ) + 30 ℓ R/γ² + √λ S in round k, as published (Theorem 4.1), with ‖x‖ <= 1.

    |ε|/σ̄ times the length of x/σ̄ is at most R/γ², which is the M of `bernstein`, and x/σ̄ is at most 1/α long.
    """
    mass = k / (c.alpha**2 * c.d * c.lam)
    ell = level(c, k)
    return ROOT * math.sqrt(c.d * math.log1p(mass) * ell) + LINEAR * ell * c.R / c.gamma**2 + math.sqrt(c.lam) * c.S


class WeightedOFULPlus(LinearRival):
    """Algorithm 1, for `horizon` rounds with dispersions in the given range."""

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, *, horizon: float,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_scale: float = 1.0,
    ) -> None:  # fmt: skip
        need_linear_link(NAME, family)
        self.family, self.radius_scale, self.horizon = family, radius_scale, horizon
        self.dispersions = checked_dispersions(dispersions)
        self.constants = constants(family, d, float(S), delta, self.dispersions[1], horizon)
        self._ridge = WeightedRidge(d, float(S), self.constants.lam)
        self._widen()

    def deviation(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """σ̄ = max(σ, α, γ √‖x‖), as published (eq. 4.1)."""
        c = self.constants
        return max(math.sqrt(dispersion), c.alpha, c.gamma * math.sqrt(self._ridge.length(x)))

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """σ²/σ̄²: how much less the observation counts than its variance alone would have it."""
        return dispersion / self.deviation(x, dispersion) ** 2

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        checked_round(self._ridge.rounds + 1, self.horizon)
        promised(self.family, dispersion, self.dispersions)
        self._ridge.add(x, reward, 1 / self.deviation(x, dispersion) ** 2)
        self._widen()

    def _widen(self) -> None:
        self._ridge.radius = self.radius_scale * radius(self.constants, self._ridge.rounds + 1)
