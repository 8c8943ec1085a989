"""What the claims of appendix C that are no texts yet share."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import algebra
from glbcheck.verify.writing import Evidence

NEAR = sp.Rational(1, 10**6)


def cauchy_schwarz() -> Evidence:
    """(sum p_i q_i)^2 <= sum p_i^2 sum q_i^2, one more pair at a time."""
    return algebra.induction(
        "P**2 <= A*B",
        ["P", "A", "B"],
        initial=["P == p*q", "A == p**2", "B == q**2"],
        transition=["P_next == P + p*q", "A_next == A + p**2", "B_next == B + q**2"],
        always=["A >= 0", "B >= 0"],
        auxiliary=["p", "q"],
    )
