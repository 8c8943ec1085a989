"""What other modules share of lemma:mixture; its claims are in `confidence.mixture_martingale`."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, combine


def power_below_tangent(factor: sp.Rational) -> Evidence:
    """x^w <= 1 + factor w (x - 1): phi, the difference of logarithms, is concave in w, zero at 0 and 1."""
    x, w = sp.symbols("x w", positive=True)
    phi = sp.log(1 + factor * w * (x - 1)) - w * sp.log(x)
    ends = [f"log(1 + ({factor})*{w}*(x - 1)) - {w}*log(x)" for w in (0, 1)]
    return combine(
        symbolic.identity(sp.Derivative(phi, w, 2), -((factor * (x - 1) / (1 + factor * w * (x - 1))) ** 2)),
        *(symbolic.identity(end, "0", variables=["x"], hypotheses=["x > 0"]) for end in ends),
    )
