"""What other modules share about a mean whose slope changes slowly; the lemmas are in `technical.lemmas`."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, combine

u, v, R, x = sp.symbols("u v R x", positive=True)


def slope_times_exponential(rate: sp.Expr) -> Evidence:
    """d/dx (mu' e^{rate x}) = (mu'' + rate mu') e^{rate x}: of one sign when |mu''| <= |rate| mu'."""
    slope, bend = symbolic.smooth("mu", 1)(x), symbolic.smooth("mu", 2)(x)
    return symbolic.identity(sp.Derivative(slope * sp.exp(rate * x), x), (bend + rate * slope) * sp.exp(rate * x))


def weighted_integral_from_below(constant: sp.Rational) -> Evidence:
    """mu' e^{+-Rx} are monotone; the integral of (1-v) e^{-uv} is (e^-u - 1 + u)/u^2 >= 1/(constant + u)."""
    closed = symbolic.integral(
        (1 - v) * sp.exp(-u * v), -((1 - v) / u - 1 / u**2) * sp.exp(-u * v), v, 0, 1, (sp.exp(-u) - 1 + u) / u**2
    )
    slopes = combine(slope_times_exponential(R), slope_times_exponential(-R))
    return combine(slopes, closed, ladder.inequality(f"(exp(-u) - 1 + u)*({constant} + u) >= u**2", "u"))
