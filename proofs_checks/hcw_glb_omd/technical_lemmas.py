"""What other modules share about a mean whose slope changes slowly; the lemmas are in `technical.lemmas`."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence

x = sp.Symbol("x", positive=True)


def slope_times_exponential(rate: sp.Expr) -> Evidence:
    """d/dx (mu' e^{rate x}) = (mu'' + rate mu') e^{rate x}: of one sign when |mu''| <= |rate| mu'."""
    slope, bend = symbolic.smooth("mu", 1)(x), symbolic.smooth("mu", 2)(x)
    return symbolic.identity(sp.Derivative(slope * sp.exp(rate * x), x), (bend + rate * slope) * sp.exp(rate * x))
