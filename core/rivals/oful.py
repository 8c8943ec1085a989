"""OFUL: Abbasi-Yadkori, Pál and Szepesvári 2011, "Improved algorithms for linear stochastic bandits".

Linear link, R-sub-Gaussian noise.  Normal noise of dispersion g is √g-sub-Gaussian, so R² = g_max.
"""

from __future__ import annotations

import math

from glbcheck.core.family import Family
from glbcheck.core.rivals.horizon import promised
from glbcheck.core.rivals.hypotheses import need_linear_link
from glbcheck.core.rivals.regression import LinearRival, WeightedRidge
from glbcheck.core.tuning import checked_dispersions
from numpy.typing import ArrayLike

NAME = "oful"


def ridge(g_max: float, S: float) -> float:
    """λ = R²/S².  Derived here: Theorem 2 holds for every λ > 0; this one makes √λ S = R, one unit of noise."""
    return g_max / S**2


def radius(g_max: float, delta: float, lam: float, S: float, logdet: float) -> float:
    """R √(log(det V/det λI) + 2 log(1/δ)) + √λ S, as published (Theorem 2, first part).

    Its second part, R √(d log((1 + t/λ)/δ)), is too small for d = 1: claim `explicit_ellipsoid` of the paper `oful`.
    """
    return math.sqrt(g_max * (logdet + 2 * math.log(1 / delta))) + math.sqrt(lam) * S


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
        r.radius = self.radius_scale * radius(self.g_max, self.delta, r.lam, self.S, r.logdet)
