"""Cells of tables: polynomials as accurate as doubles are, relative to the function, also next to its zeros."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.letters import z
from glbcheck.core.taylor import DEGREE, DERIVATIVES, Expansion

from tests.core.families.test_numeric import exact

LOG_LOG_2 = math.log(math.log(2.0))  # where m of the zero-truncated Poisson law vanishes


def value(cells: tuple[Floats, Floats, Floats], order: int, at: float) -> float:
    """The polynomial of the cell that the point lies in, by Horner's rule, in doubles."""
    breaks, centers, coefficients = cells
    k = min(max(int(np.searchsorted(breaks, at, side="right")) - 1, 0), len(breaks) - 2)
    step, total = (at - centers[order, k, 0]) - centers[order, k, 1], 0.0
    for c in coefficients[order, k][::-1]:
        total = total * step + c
    return total


@pytest.mark.parametrize(("name", "low", "high", "near"), [
    ("bernoulli", -0.125, 0.125, (0.0, 1e-9)), ("bernoulli", -8.0, 5.0, (1e-9, -0.3)),
    ("uniform", -0.03125, 0.03125, (1e-9, -1e-4)), ("hyperbolic_secant", 1.0, 1.5, (1.4,)),
    ("zero_truncated_poisson", -1.5, 0.5, (LOG_LOG_2, LOG_LOG_2 + 1e-13, LOG_LOG_2 - 1e-6)),
    ("exponential", -1.0, -(2.0**-12), (-(2.0**-11), -0.99)),
    ("exponential", -2.0, -1.0, (-1.0 - 1e-9,)),
    ("poisson", -2.0, 3.0, (0.0,)), ("bernoulli", -700.0, -699.0, (-699.5,)),
    ("gaussian", -2.0, 2.0, (0.0,)),
])  # fmt: skip
def test_cells_have_the_accuracy_of_doubles(name: str, low: float, high: float, near: tuple[float, ...]) -> None:
    expr = catalog.get(name).log_partition
    cells = Expansion(expr).cells(low, high)
    breaks, centers, coefficients = cells
    n = len(breaks) - 1
    assert (breaks[0], breaks[-1]) == (low, high)
    assert (np.diff(breaks) > 0).all()
    assert (centers.shape, coefficients.shape) == ((DERIVATIVES, n, 2), (DERIVATIVES, n, DEGREE + 1))
    ends = breaks[:: max(n // 3, 1)]
    points = [*near, *(ends[:-1] + 1e-7), *np.nextafter(ends[1:], -np.inf), low, high]
    for order in range(DERIVATIVES):
        derivative = sp.diff(expr, z, order)
        for at in points:
            if derivative == 0 or (at == 0 and sp.simplify(derivative.subs(z, 0)) == 0):
                assert value(cells, order, at) == 0.0
                continue
            truth = exact(derivative, at)
            assert abs(value(cells, order, at) - truth) <= 2e-15 * abs(truth)


def test_a_zero_is_known_to_twice_the_precision_of_doubles() -> None:
    breaks, centers, coefficients = Expansion(catalog.get("zero_truncated_poisson").log_partition).cells(-0.5, -0.25)
    k = int(np.searchsorted(breaks, LOG_LOG_2)) - 1
    zero = sum(map(Fraction, centers[0, k].tolist()))
    truth = sp.log(sp.log(2)).evalf(60)
    assert abs(sp.Rational(zero.numerator, zero.denominator).evalf(60) - truth) < 1e-31
    assert coefficients[0, k, 0] == 0.0


def cancelling(rate: int) -> sp.Expr:
    """z², by a formula whose terms are as large as e^(2 rate z)."""
    return z**2 * (sp.cosh(rate * z) ** 2 - sp.sinh(rate * z) ** 2)


def test_what_cancels_beyond_any_precision_is_refused_and_not_taken_for_zero() -> None:
    with pytest.raises(BadInput, match="can be evaluated"):
        Expansion(cancelling(6000)).cells(1.0, np.nextafter(1.0, 2.0))


def test_where_m_is_not_finite_there_is_no_cell() -> None:
    with pytest.raises(BadInput, match="three derivatives can be evaluated"):
        Expansion(-sp.log(-z)).cells(1.0, np.nextafter(1.0, 2.0))
