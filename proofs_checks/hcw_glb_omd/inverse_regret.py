"""What other modules share of lemma:inverse-regret; its claims are in `confidence.inverse_regret`."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, combine

SETTING = (
    "|x_s| <= 1",
    "theta_1, theta_* in Theta",
    "0 <= mu' <= L_mu and |mu''| <= R_s mu' on [-S, S]",
    "eta = 1 + R_s S",
)
a, b, v = sp.symbols("a b v")


def second_order_remainder() -> Evidence:
    """mu(b) - mu(a) - mu'(a)(b - a) is (b - a)^2 times a (1-v)-weighted integral of mu''; the mass is 1/2."""
    bend = symbolic.smooth("mu", 2)(a + v * (b - a))
    remainder = symbolic.taylor_remainder("mu", 1, (1 - v) * bend * (b - a) ** 2, v, a + v * (b - a), a, b, (0, 1))
    return combine(remainder, symbolic.integral(1 - v, v - v**2 / 2, v, 0, 1, sp.Rational(1, 2)))
