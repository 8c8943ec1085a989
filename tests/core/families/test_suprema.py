"""Candidates for a supremum and what comes of them, and short exact values of formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp
from glbcheck.core.closed_forms import has_pole, is_constant, magnitude, parity, short
from glbcheck.core.enclosure import Ball, ball, hull, precision
from glbcheck.core.enclosure.extrema import Maximum
from glbcheck.core.exponential_sums import Sum, exponential_sum
from glbcheck.core.family import z
from glbcheck.core.suprema import Candidate, integer, largest, located

F = Fraction


def at(low: object, high: object, words: str = "somewhere", exact: sp.Expr | None = None) -> Candidate:
    return Candidate(ball(low), ball(high), words, exact)


def test_the_largest_candidate_wins_and_its_bracket_is_that_of_all_that_may_be_largest() -> None:
    found = largest([at(1, 2, "a"), at(3, 4, "b"), at(F(7, 2), F(15, 4), "c")])
    assert (found.exact, found.lower, found.upper, found.attained) == (None, 3.5, 4.0, "b and c")
    found = largest([at(5, 6, "a"), at(1, 2, "b")])
    assert (found.lower, found.upper, found.attained) == (5.0, 6.0, "a")
    found = largest([at(1, 3, "a"), at(3, 4, "b")])  # the first may be as large as the second
    assert (found.lower, found.upper, found.attained) == (3.0, 4.0, "a and b")


def test_a_bracket_is_rounded_outward() -> None:
    with precision(200):
        third = ball(F(1, 3))
        found = largest([Candidate(third, third, "here", sp.Rational(1, 3))])
    assert found.exact == "1/3"
    assert found.lower < F(1, 3) < found.upper == math.nextafter(found.lower, 1)
    wide = largest([Candidate(hull(1, 2), hull(1, 2), "here")])
    assert wide.lower <= 1
    assert wide.upper >= 2
    assert wide.upper - wide.lower < 1.001


@pytest.mark.parametrize("wrong", [F(3, 2), F(5, 2)])
def test_a_form_outside_its_bracket_is_an_error(wrong: Fraction) -> None:
    with pytest.raises(ArithmeticError, match=r"the closed form .* lies outside"):
        largest([at(F(19, 10), F(21, 10), "here", sp.Rational(wrong.numerator, wrong.denominator))])
    assert largest([at(F(19, 10), F(21, 10), "here", sp.Integer(2))]).exact == "2"
    assert largest([at(2, 3, "here", sp.Integer(2))]).exact == "2"
    assert largest([at(1, 2, "here", sp.Integer(2))]).exact == "2"


def test_what_is_unbounded_is_larger_than_anything() -> None:
    found = largest([at(5, 6), at(1, 1, "unbounded as z -> oo", sp.oo)])
    assert (found.exact, found.lower, found.upper, found.attained) == ("oo", math.inf, math.inf, "unbounded as z -> oo")


@pytest.mark.parametrize(("value", "whole"), [
    (ball(3), 3), (ball(-2), -2), (ball(F(1, 2)), None), (hull(F(5, 2), F(7, 2)), None), (hull(0, 9), None),
])  # fmt: skip
def test_a_whole_number_is_one_only_if_it_is_exact(value: Ball, whole: int | None) -> None:
    assert integer(value) == whole


# --- where a maximum is ----------------------------------------------------------------------------------


def found_at(*places: tuple[Fraction, Fraction], ends: tuple[Fraction, ...] = ()) -> Maximum:
    return Maximum(ball(1), ball(2), places, ends)


def test_only_an_even_and_strictly_concave_function_has_its_maximum_at_zero() -> None:
    around, even = found_at((F(-1, 8), F(1, 8))), 2 - z**2
    (zero,) = located(around, even, lambda a, b: True)
    assert (zero.attained, zero.exact, zero.low, zero.high) == ("at z = 0", 2, 1, 2)
    asked: list[tuple[Fraction, Fraction]] = []

    def not_concave(a: Fraction, b: Fraction) -> bool:
        asked.append((a, b))
        return False

    others = [
        *located(around, even, not_concave),
        *located(around, 2 - z**2 + z**3, lambda a, b: True), *located(around, z**3, lambda a, b: True),
    ]  # fmt: skip
    assert asked == [(F(-1, 8), F(1, 8))]
    assert [(c.attained, c.exact) for c in others] == [("near z = 0.00000", None)] * 3
    (beside,) = located(found_at((F(1, 16), F(1, 8))), even, lambda a, b: True)
    assert (beside.attained, beside.exact) == ("near z = 0.09375", None)
    (before,) = located(found_at((F(-1, 8), F(-1, 16))), even, lambda a, b: True)
    assert before.attained == "near z = -0.09375"
    for edge in ((F(0), F(1, 8)), (F(-1, 8), F(0))):
        (touching,) = located(found_at(edge), even, lambda a, b: True)
        assert touching.attained == "at z = 0"


# --- short exact values ----------------------------------------------------------------------------------


def test_parity_constancy_and_short_forms() -> None:
    even, odd, neither = sp.cosh(z) + z**2, sp.sinh(z) * z**2, sp.exp(z)
    assert [parity(e) for e in (even, odd, neither, z - z)] == [1, -1, 0, 1]
    same = sp.cosh(z) ** 2 - sp.sinh(z) ** 2
    assert [is_constant(e) for e in (same, sp.Integer(3), z, sp.exp(z), 1 / z, sp.floor(z))] == [True, True] + [
        False
    ] * 4
    assert short(same) == 1
    assert not is_constant((z + sp.Rational(1, 3)) * (z - sp.Rational(1, 5)) * (z - sp.Rational(1, 2)))
    assert parity(sp.zeta(z + 3)) == 0
    assert short(sp.besseli(0, z) / sp.besseli(0, z) ** 2 * (z + z**2) / z).has(z + z**2)


@pytest.mark.parametrize(("expr", "point", "value"), [
    (sp.tanh(z), F(-2), sp.tanh(2)), (-sp.exp(z), F(-2), sp.exp(-2)), (sp.exp(z), F(-2), sp.exp(-2)),
    (z**3, F(-1, 2), sp.Rational(1, 8)), (sp.sinh(z) / z, F(0), sp.S.One),
    ((sp.cosh(z) - 1) / z**2, F(0), sp.Rational(1, 2)),
    ((sp.exp(z) - 1 - z) / z**3, F(0), None), (sp.zeta(z + 3), F(0), None), (sp.gamma(z + 1), F(2), sp.Integer(2)),
    (sp.Add(*(sp.exp(z / k) for k in range(3, 30))), F(1, 7), None),
])  # fmt: skip
def test_the_size_of_a_formula_at_a_point(expr: sp.Expr, point: Fraction, value: sp.Expr | None) -> None:
    assert magnitude(expr, point) == value


@pytest.mark.parametrize(("f", "pole"), [
    (1 / z, True), (1 / z**2 + sp.exp(z), True), (1 / sp.sin(z), True), (-5 / z**3, True), (z, False),
    (sp.exp(z), False), (sp.sin(z) / z, False), (sp.log(z), False),
    (1 / z**4, False), (1 / (z - sp.Rational(1, 8)), False),
])  # fmt: skip
def test_a_pole_at_zero_is_seen(f: sp.Expr, pole: bool) -> None:
    assert has_pole(f) == pole


# --- sums of exponentials --------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [
    -sp.log(1 + sp.exp(z)), sp.log(1 + sp.exp(sp.sqrt(2) * z)), sp.log(sp.exp(z)), sp.log(1 - sp.exp(z)), z**2,
    sp.S.Zero, sp.log(1 + z * sp.exp(z)), sp.log(1 + sp.exp(z**2)), z**2 + sp.log(1 + sp.exp(z)),
    sp.log(sp.Add(*(sp.exp(k * z) for k in range(13)))), sp.log(1 + sp.exp(z)) * z, sp.log(1 + sp.zeta(3) * sp.exp(z)),
])  # fmt: skip
def test_what_is_no_sum_of_two_to_twelve_positive_exponentials_is_none(m: sp.Expr) -> None:
    assert exponential_sum(m) is None


@pytest.mark.parametrize("side", [1, -1])
def test_beyond_a_point_the_ratio_of_a_sum_lies_between_its_means(side: int) -> None:
    """Of 1 + e^z: V = e^z, so the ratio is 1 - 2 e^z/(1 + e^z)."""
    terms = Sum(((sp.S.One, sp.S.Zero), (sp.S.One, sp.S.One)))
    assert terms.pairs == [(1, 1)]
    assert sp.simplify(sp.diff(terms.log_slope, z) - (1 - 2 / (1 + sp.exp(-z)))) == 0
    with precision(120):
        found = terms.ratio_beyond(side, 2)
        ends = [ball(1 - 2 / (1 + sp.exp(-2 * side))), ball(-side)]
        assert all(found.contains(end.mid()) for end in ends)
        assert found.rad() < abs(ends[0] - ends[1]) * F(1001, 2000).numerator / 2000
