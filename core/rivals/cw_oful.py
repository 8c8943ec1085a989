"""CW-OFUL: He, Zhou, Zhang and Gu 2022, "Nearly optimal algorithms for linear contextual bandits with adversarial
corruptions".

Linear link, R-sub-Gaussian noise with R² = g_max, corruption of size C in all.  At C = 0 it is OFUL.  "As published"
below is what the theorem is known to say; its displays were not at hand to be compared, and the radius is derived.
"""

from __future__ import annotations

import math

from glbcheck.core.family import Family
from glbcheck.core.rivals import oful
from glbcheck.core.rivals.horizon import promised
from glbcheck.core.rivals.hypotheses import need_linear_link
from glbcheck.core.rivals.regression import LinearRival, WeightedRidge
from glbcheck.core.tuning import checked_dispersions
from numpy.typing import ArrayLike

NAME = "cw-oful"


def threshold(g_max: float, d: int, C: float) -> float:
    """α = R √d / C, as published (Theorem 4.2); without corruption every weight is 1."""
    return math.sqrt(g_max * d) / C if C > 0 else math.inf


def widening(g_max: float, d: int, C: float) -> float:
    """α C, as published (Theorem 4.2): w_s ‖x_s‖ <= α, so what C adds to Σ w_s c_s x_s is at most α C long."""
    return threshold(g_max, d, C) * C if C > 0 else 0.0


def radius(g_max: float, delta: float, lam: float, S: float, logdet: float, d: int, C: float) -> float:
    """That of OFUL, and α C on top.

    Derived here: log det in place of the published d log((1 + t/λ)/δ), which inherits the error of OFUL's Theorem 2 for
    d = 1; weights at most 1 keep the noise √w ε R-sub-Gaussian and Σ w x xᵀ below Σ x xᵀ.
    """
    return oful.radius(g_max, delta, lam, S, logdet) + widening(g_max, d, C)


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
        self._ridge = WeightedRidge(d, self.S, oful.ridge(self.g_max, self.S))
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
        r.radius = self.radius_scale * radius(self.g_max, self.delta, r.lam, self.S, growth, self.d, self.C)
