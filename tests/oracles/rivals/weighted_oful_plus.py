"""WeightedOFUL+, readable; `core.rivals.linear` has the source and the constants."""

from __future__ import annotations

import math

from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import need_linear_link
from glbcheck.core.rivals.linear import constants, radius
from glbcheck.core.theory.tuning import checked_dispersions
from numpy.typing import ArrayLike

from tests.oracles.rivals.horizon import checked_round, promised
from tests.oracles.rivals.regression import LinearRival, WeightedRidge

NAME = "weighted-oful-plus"


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
