"""What the claims on the elliptical potential that are no texts yet share."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, combine


def determinant_step() -> Evidence:
    """Growing det(I + y y^T) = 1 + |y|^2 by one coordinate s, from its Schur complement.

    With n = |y|^2, A = I + y y^T and y^T A^-1 y = n/(1 + n), the new determinant is
    (1 + n)(1 + s^2 - s^2 n/(1 + n)), and the new quadratic form is again (n + s^2)/(1 + n + s^2).
    """
    n, s = sp.symbols("n s", positive=True)
    schur = 1 + s**2 - s**2 * n / (1 + n)
    determinant = symbolic.identity((1 + n) * schur, 1 + n + s**2)
    # y'^T A'^-1 y' by block inversion: the old form plus the squared residual over the Schur complement.
    form = n / (1 + n) + (s - s * n / (1 + n)) ** 2 / schur
    return combine(determinant, symbolic.identity(form, (n + s**2) / (1 + n + s**2)))


def logarithm_below_its_tangent() -> Evidence:
    """log x <= x - 1, on both sides of 1."""
    return combine(
        ladder.inequality("log(1 + u) <= u", "u"),
        ladder.inequality("log(1 - u) <= -u", "u", 0, 1, closed=(True, False)),
    )
