"""OFUL, readable; `core.rivals.linear` has the source and the constants."""

from __future__ import annotations

import math

from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import need_linear_link
from glbcheck.core.rivals.linear import ridge
from glbcheck.core.theory.tuning import checked_dispersions
from numpy.typing import ArrayLike

from tests.oracles.rivals.horizon import promised
from tests.oracles.rivals.regression import LinearRival, WeightedRidge

NAME = "oful"


class OFUL(LinearRival):
    """The algorithm of Figure 1; it is not told C and has no weights."""

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, *,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_scale: float = 1.0,
    ) -> None:  # fmt: skip
        need_linear_link(NAME, family)
        self.family, self.S, self.delta, self.radius_scale = family, float(S), delta, radius_scale
        self.dispersions = checked_dispersions(dispersions)
        self.g_max = self.dispersions[1]
        self._ridge = WeightedRidge(d, self.S, ridge(self.g_max, self.S))
        self._widen()

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        return 1.0

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        promised(self.family, dispersion, self.dispersions)
        self._ridge.add(x, reward, 1.0)
        self._widen()

    def _widen(self) -> None:
        r = self._ridge
        noise = math.sqrt(self.g_max) * math.sqrt(r.logdet + 2 * math.log(1 / self.delta))  # Theorem 2, first part
        r.radius = self.radius_scale * (noise + math.sqrt(r.lam) * self.S)
