"""CW-OFUL, readable; `core.rivals.linear` has the source and the constants."""

from __future__ import annotations

import math

from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import need_linear_link
from glbcheck.core.rivals.linear import ridge, threshold
from glbcheck.core.theory.tuning import checked_dispersions
from numpy.typing import ArrayLike

from tests.oracles.rivals.horizon import promised
from tests.oracles.rivals.regression import LinearRival, WeightedRidge

NAME = "cw-oful"


class CWOFUL(LinearRival):
    """Algorithm 1, told C; `radius_form="sum"` bounds log det by d log(1 + t/(dλ))."""

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, C: float = 0.0, *,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_form: str = "sum", radius_scale: float = 1.0,
    ) -> None:  # fmt: skip
        need_linear_link(NAME, family)
        self.family, self.d, self.S, self.delta, self.C = family, d, float(S), delta, C
        self.radius_form, self.radius_scale = radius_form, radius_scale
        self.dispersions = checked_dispersions(dispersions)
        self.g_max = self.dispersions[1]
        self.alpha = threshold(self.g_max, d, C)
        self._ridge = WeightedRidge(d, self.S, ridge(self.g_max, self.S))
        self._widen()

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """w = min(1, α / ‖x‖), as published (Algorithm 1)."""
        length = self._ridge.length(x)
        return 1.0 if length <= self.alpha else self.alpha / length

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        promised(self.family, dispersion, self.dispersions)
        self._ridge.add(x, reward, self.weight(x, dispersion))
        self._widen()

    def _widen(self) -> None:
        r = self._ridge
        by_trace = self.d * math.log1p(r.rounds / (self.d * r.lam))
        growth = r.logdet if self.radius_form == "determinant" else by_trace
        noise = math.sqrt(self.g_max) * math.sqrt(growth + 2 * math.log(1 / self.delta))
        pushed = self.alpha * self.C if self.C else 0.0
        r.radius = self.radius_scale * (noise + math.sqrt(r.lam) * self.S + pushed)
