"""The border of exact arithmetic, and formulas in three kinds of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import pytest
import sympy as sp
from glbcheck.core import scalar
from glbcheck.core.enclosure import ball, hull, lower, upper
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import LONGEST, check_relation, natural, number, rational, simplest_between, stated
from hypothesis import given, settings
from hypothesis import strategies as st

F = Fraction


@pytest.mark.parametrize(("value", "exact"), [
    (3, F(3)), (F(2, 7), F(2, 7)), (sp.Rational(-2, 7), F(-2, 7)), (sp.Integer(4), F(4)), (flint.fmpq(2, 6), F(1, 3)),
    (flint.fmpz(-5), F(-5)),
])  # fmt: skip
def test_an_exact_number_is_taken_for_what_it_is(value: object, exact: Fraction) -> None:
    found = rational("p", value)
    assert found == exact
    assert type(found) is Fraction


@pytest.mark.parametrize("value", [True, 0.5, "1/2", None, sp.Float("0.5"), sp.pi, flint.arb(1)])
def test_what_is_not_exact_is_refused_by_name(value: object) -> None:
    with pytest.raises(BadInput, match=r"^p = .*an exact number \(int, Fraction, SymPy Rational, fmpq\), not a "):
        rational("p", value)


@pytest.mark.parametrize(("value", "exact"), [
    ("5/2", F(5, 2)), (0.1, F(0.1)), (7, F(7)), (F(1, 3), F(1, 3)), ("-2.5e3", F(-2500)), ("1E-3", F(1, 1000)),
    (sp.Rational(1, 3), F(1, 3)), (" 4 ", F(4)), (f"1e{LONGEST}", F(10) ** LONGEST), ("4" + " " * (LONGEST - 1), F(4)),
])  # fmt: skip
def test_a_number_is_taken_as_it_is_stated(value: object, exact: Fraction) -> None:
    assert stated("S", value) == exact


@pytest.mark.parametrize("value", [
    True, float("nan"), float("inf"), "x", "1/0", None, "", "4" + " " * LONGEST, "1" * LONGEST,
    f"1e{LONGEST + 1}", f"1e-{LONGEST + 1}",
    f"1E{LONGEST + 1}", [1],
])  # fmt: skip
def test_what_states_no_number_is_refused_and_shown_shortened(value: object) -> None:
    with pytest.raises(BadInput, match="a number, please") as caught:
        stated("S", value, "a number, please")
    assert caught.value.argument == "S"
    assert len(str(caught.value)) < 150


def test_whole_numbers() -> None:
    assert natural("n", 0) == 0
    assert natural("n", 3, 3) == 3
    for bad, least in ((-1, 0), (2, 3), (True, 0), (2.0, 0), ("2", 0)):
        with pytest.raises(BadInput, match=f"a whole number of at least {least}"):
            natural("n", bad, least)


def test_a_number_for_sympy_is_the_same_number() -> None:
    assert number(F(-3, 7)) == sp.Rational(-3, 7)
    assert number(5) == 5


def test_relations() -> None:
    for relation in ("<", "<=", "==", "!=", ">=", ">"):
        check_relation(relation)
    with pytest.raises(BadInput, match="one of <, <=, ==, !=, >=, >"):
        check_relation("=")


def by_denominators(low: Fraction, high: Fraction) -> Fraction:
    """The first denominator that has a fraction between, and of its fractions the one next to 0."""
    for q in range(1, 10_000):
        first = -(-low.numerator * q // low.denominator)
        found = [F(p, q) for p in range(first, high.numerator * q // high.denominator + 1)]
        if found:
            return min(found, key=abs)
    raise AssertionError


@settings(max_examples=150, deadline=None)
@given(st.fractions(-4, 4, max_denominator=80), st.fractions(-4, 4, max_denominator=80))
def test_the_simplest_number_between_two_is_what_a_search_finds(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    found = simplest_between(low, high)
    assert low <= found <= high
    assert found.denominator == by_denominators(low, high).denominator
    assert abs(found) == abs(by_denominators(low, high))


@pytest.mark.parametrize(("low", "high", "found"), [
    (F(314, 100), F(315, 100), F(22, 7)), (F(-1, 3), F(1, 5), F(0)), (F(0), F(3), F(0)), (F(-3), F(0), F(0)),
    (F(5, 2), F(7, 2), F(3)), (F(2), F(2), F(2)), (F(1, 3), F(1, 3), F(1, 3)), (F(-22, 7), F(-157, 50), F(-22, 7)),
    (F(3, 2), F(10), F(2)), (F(-10), F(-3, 2), F(-2)), (F(1, 1000), F(1, 999), F(1, 999)),
])  # fmt: skip
def test_simplest_numbers_that_are_known(low: Fraction, high: Fraction, found: Fraction) -> None:
    assert simplest_between(low, high) == found


def test_there_is_no_number_between_ends_that_are_swapped() -> None:
    with pytest.raises(BadInput, match="at most upper = 1"):
        simplest_between(F(2), F(1))


# --- one formula, three kinds of numbers -----------------------------------------------------------------

ONE: list[tuple[Callable[[Any], Any], Callable[[float], float], sp.Expr]] = [
    (scalar.exp, math.exp, sp.exp(sp.Rational(1, 3))), (scalar.log, math.log, sp.log(sp.Rational(1, 3))),
    (scalar.log1p, math.log1p, sp.log(sp.Rational(4, 3))), (scalar.sqrt, math.sqrt, sp.sqrt(sp.Rational(1, 3))),
]  # fmt: skip


@pytest.mark.parametrize(("function", "of_floats", "exact"), ONE)
def test_a_function_is_computed_in_the_arithmetic_of_its_argument(
    function: Callable[[Any], Any], of_floats: Callable[[float], float], exact: sp.Expr
) -> None:
    assert function(1 / 3) == of_floats(1 / 3)
    assert function(1) == of_floats(1)
    assert type(function(1)) is float
    assert function(sp.Rational(1, 3)) == exact
    found = function(ball(F(1, 3)))
    assert found.overlaps(ball(exact))
    assert found.rad() < ball(2) ** -40


def test_log1p_does_not_round_the_sum_first() -> None:
    assert scalar.log1p(1e-20) == 1e-20
    assert scalar.log1p(ball(F(1, 10**20))) > 0


def test_the_largest_and_the_smallest_of_numbers() -> None:
    x = sp.Symbol("x", real=True)
    assert (scalar.largest(1, 2.5, 2), scalar.smallest(1, 2.5), scalar.largest(3)) == (2.5, 1, 3)
    assert scalar.largest(x, 2, sp.Integer(1)) == sp.Max(x, 2)
    assert scalar.largest(2, x) == sp.Max(x, 2)
    assert scalar.smallest(x, 2) == scalar.smallest(2, x) == sp.Min(x, 2)


def test_the_largest_of_balls_holds_the_maximum_of_all_their_points() -> None:
    a, b = hull(0, 3), hull(1, 2)
    top, least = scalar.largest(a, b), scalar.smallest(a, b)
    for found, low, high in ((top, 1, 3), (least, 0, 2)):
        assert lower(found) <= low <= high <= upper(found)
        assert upper(found) - lower(found) < high - low + F(1, 10**6)
    assert (scalar.largest(ball(1), 2), scalar.largest(1, ball(2), ball(0)), scalar.largest(ball(3), 2)) == (2, 2, 3)
    assert (scalar.smallest(ball(1), 2), scalar.smallest(1, ball(2)), scalar.smallest(3, ball(2))) == (1, 1, 2)
