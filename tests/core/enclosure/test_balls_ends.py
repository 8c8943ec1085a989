"""The border of the ball layer: what becomes a ball, and its ends as fractions and doubles, rounded outward."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import flint
import pytest
import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, float_above, float_below, fraction, lower, precision, upper
from glbcheck.core.enclosure.balls import LONGEST, algebraic
from glbcheck.core.kernel.terms import Rejected

F = Fraction
x = sp.Symbol("x")
MOST, LEAST = sys.float_info.max, 5e-324


@pytest.mark.parametrize("value", [
    3, F(1, 3), sp.Integer(-2), sp.Rational(2, 7), flint.fmpq(1, 3), flint.fmpz(5), flint.arb(2), sp.pi * 0 + 1,
])  # fmt: skip
def test_an_exact_number_becomes_the_smallest_ball_around_it(value: object) -> None:
    with precision(100):
        found = ball(value)
        truth = F(str(value)) if not isinstance(value, flint.arb) else F(2)
        assert lower(found) <= truth <= upper(found)
        assert upper(found) - lower(found) < F(1, 2**95)


@pytest.mark.parametrize("value", [True, False, 0.5, 1j, sp.Float("0.5"), "1", None, x, sp.I])
def test_what_is_no_exact_number_is_refused(value: object) -> None:
    with pytest.raises(NotEnclosed):
        ball(value)


# --- algebraic numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [30, 53, 200])
@pytest.mark.parametrize("polynomial", [x**5 - x - 1, x**3 - 3 * x + 1, x**7 - 10 * x + 3])
def test_a_root_lies_in_its_ball_and_the_ball_is_thin(polynomial: sp.Expr, bits: int) -> None:
    for i in range(sp.Poly(polynomial).count_roots()):
        with precision(bits):
            found = ball(sp.CRootOf(polynomial, i))
            ends = [number(polynomial, lower(found)), number(polynomial, upper(found))]
            assert ends[0] * ends[1] < 0
            assert upper(found) - lower(found) < F(40, 2**bits)


def number(polynomial: sp.Expr, at: Fraction) -> Fraction:
    value = polynomial.subs(x, sp.Rational(at.numerator, at.denominator))
    return F(int(value.p), int(value.q))


def test_a_formula_of_roots_is_enclosed() -> None:
    """The roots of x³ - 3x + 1 sum to 0 and multiply to -1."""
    roots = [sp.CRootOf(x**3 - 3 * x + 1, i) for i in range(3)]
    with precision(120):
        total, product = ball(sp.Add(*roots, evaluate=False)), ball(sp.Mul(*roots, evaluate=False))
    assert total.contains(0)
    assert product.contains(-1)
    assert max(total.rad(), product.rad()) < ball(2) ** -100


def test_roots_that_are_not_real_or_too_close_are_refused() -> None:
    with pytest.raises(NotEnclosed, match="is not a real number"):
        algebraic(sp.CRootOf(x**5 - x - 1, 1))
    close = sp.CRootOf(x**5 - 2 * (10**8 * x - 1) ** 2, 0)  # two roots within 1e-27 of each other
    with precision(53), pytest.raises(NotEnclosed, match="is not isolated"):
        algebraic(close)
    with precision(200):
        assert algebraic(close).overlaps(ball(F(1, 10**8))) or algebraic(close).rad() < ball(2) ** -190


# --- ends ------------------------------------------------------------------------------------------------

EDGES = [
    F(2) ** e * s for s in (1, -1)
    for e in (-2 * LONGEST, *(k - LONGEST for k in (-5, -1, 0, 1, 2)), -1075, -1074, 1023, 1024, 2000)
]  # fmt: skip
EDGES += [s * (2**60 - 1) * F(2) ** (e - 60) for s in (1, -1) for e in (-LONGEST - 1, -LONGEST, 1 - LONGEST, 1024)]


@pytest.mark.parametrize("i", range(len(EDGES)))
def test_ends_are_outside_at_every_edge_of_the_range(i: int) -> None:
    value = EDGES[i]
    at = ball(value.numerator) / ball(value.denominator)
    with precision(100):
        at = ball(value.numerator) / ball(value.denominator)
        assert fraction(at) == value
        low, high, below, above = lower(at), upper(at), float_below(at), float_above(at)
    assert low <= value <= high
    assert high - low <= F(1, 2**LONGEST)
    assert below <= value <= above
    assert above == math.inf or below == -math.inf or above <= math.nextafter(below, math.inf)


def test_beyond_the_doubles_only_infinity_is_outside() -> None:
    huge = ball(2) ** 2000
    assert (float_below(huge), float_above(huge)) == (MOST, math.inf)
    assert (float_below(-huge), float_above(-huge)) == (-math.inf, -MOST)
    last = ball(2) ** 1024
    assert (float_below(last), float_above(last)) == (MOST, math.inf)
    assert (float_below(-last), float_above(-last)) == (-math.inf, -MOST)
    assert float_above(ball(F(MOST))) == MOST == float_below(ball(F(MOST)))
    with pytest.raises(Rejected, match="too large to be written out"):
        upper(ball(2) ** (200 * LONGEST))
    assert upper(ball(2) ** (3 * LONGEST)) == 2 ** (3 * LONGEST)


def test_of_what_is_not_known_the_ends_are_infinite() -> None:
    for unknown in (flint.arb.nan(), ball(1) / 0, flint.arb.neg_inf().union(flint.arb.pos_inf())):
        assert float_below(unknown) == -math.inf
        assert float_above(unknown) == math.inf
    assert float_above(flint.arb.pos_inf()) == math.inf == float_below(flint.arb.pos_inf())
