"""The parts of the search for constants of a link: places, sizes, samples, cells and half-lines, one at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache

import mpmath
import pytest
import sympy as sp
from glbcheck.core import concordance
from glbcheck.core.concordance import (
    _far_ratio,
    _first_success,
    _in_size,
    _ratio_at,
    _ratio_candidates,
    _ratio_or_reason,
    _ratio_view,
    _sampled,
    _sharp_jet,
    _slope_at,
    _slope_candidates,
)
from glbcheck.core.enclosure import Ball, NotEnclosed, ball, hull, lower, precision, upper
from glbcheck.core.enclosure.extrema import Unresolved
from glbcheck.core.enclosure.tails import Tail
from glbcheck.core.family import Family, from_log_partition, z
from glbcheck.core.suprema import Candidate

F = Fraction
BITS = 160
SLACK = F(1, 10**25)
POISSON_AND_SQUARE = from_log_partition("both", sp.exp(z) + z**2)
LOGISTIC = from_log_partition("logistic", sp.log(1 + sp.exp(z)))
COSH = from_log_partition("cosh", sp.cosh(z))


@pytest.fixture(autouse=True)
def many_bits() -> Iterator[None]:
    with precision(BITS):
        yield


@cache
def compiled(expr: sp.Expr) -> Callable[[mpmath.mpf], mpmath.mpf]:
    function: Callable[[mpmath.mpf], mpmath.mpf] = sp.lambdify(z, expr, "mpmath", cse=True)
    return function


def exact(expr: sp.Expr, at: Fraction) -> Fraction:
    with mpmath.workdps(60):
        return F(mpmath.nstr(compiled(expr)(mpmath.mpf(at.numerator) / at.denominator), 50))


def holds(found: Ball, value: Fraction) -> bool:
    return lower(found) - SLACK <= value <= upper(found) + SLACK


# --- places -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("S", "tried"), [
    (None, [4, 8, 16]), (F(3), [4]), (F(4), [4]), (F(5), [4, 8]), (F(8), [4, 8]), (F(99), [4, 8, 16]),
])  # fmt: skip
@pytest.mark.parametrize("problem", [NotEnclosed, Unresolved])
def test_places_are_tried_until_one_works_and_the_last_says_why_not(
    S: Fraction | None, tried: list[int], problem: type[Exception]
) -> None:
    asked: list[int] = []

    def attempt(near: int, works: int) -> Iterator[Candidate]:
        asked.append(near)
        if near < works:
            raise problem(f"not at {near}")
        yield Candidate(ball(near), ball(near), "here")

    with pytest.raises(problem, match=f"not at {tried[-1]}"):
        _first_success(lambda near: attempt(near, 99), S, (4, 8, 16))
    assert asked == tried
    (found,) = _first_success(lambda near: attempt(near, 5), F(99), (4, 8, 16))
    assert found.low == 8


@pytest.mark.parametrize(("family", "S"), [(LOGISTIC, F(99)), (LOGISTIC, None), (COSH, None)])
def test_sums_of_exponentials_and_the_whole_line_are_tried_from_places_further_out(
    family: Family, S: Fraction | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[int]] = []

    def told(attempt: object, S: Fraction | None, places: Sequence[int]) -> list[Candidate]:
        asked.append(places)
        return [Candidate(ball(1), ball(1), "here")]

    monkeypatch.setattr(concordance, "_first_success", told)
    _ratio_or_reason.__wrapped__(family, S)
    assert asked == [(*concordance.NEAR, 32, 64)]


# --- sizes, samples and cells -----------------------------------------------------------------------------------


def test_the_size_of_a_value_has_the_slope_of_its_size() -> None:
    up, down, either = (_in_size(ball(v), ball(3)) for v in (2, -2, 0))
    assert (up, down) == ((2, 3), (2, -3))
    assert either[0] == 0
    assert all(either[1].contains(s) for s in (3, -3))
    across = _in_size(hull(-1, 2), ball(3))
    assert all(across[0].contains(size) for size in (0, 1, 2))
    assert all(across[1].contains(s) for s in (3, -3))


def test_a_sample_is_the_best_of_the_points_inside() -> None:
    asked: list[Fraction] = []

    def bump(center: Fraction) -> Callable[[Fraction, Fraction], tuple[Ball, Ball]]:
        def view(a: Fraction, b: Fraction) -> tuple[Ball, Ball]:
            asked.append(a)
            assert a == b
            if abs(a) < F(1, 50):
                return ball(1) / 0, ball(0)
            return ball(9 - 5 * (a - center) ** 2), ball(1)

        return view

    for center in (F(13, 10), F(-13, 10), F(3), F(-3), F(2), F(-2)):
        found = _sampled(bump(center), F(2))
        truth = 9 - 5 * max(F(0), abs(center) - 2) ** 2
        assert truth - F(1, 5000) <= lower(found) <= truth
    assert (min(asked), max(asked)) == (F(-2), F(2))
    wide = _sampled(lambda a, b: (hull(1, 3), ball(0)), F(1))
    assert upper(wide) <= 1
    unknown = _sampled(lambda a, b: (ball(1) / 0, ball(0)), F(1))
    assert upper(unknown) <= 0


@pytest.mark.parametrize("family", [POISSON_AND_SQUARE, LOGISTIC, COSH], ids=lambda family: str(family.name))
def test_over_a_cell_the_ratio_and_its_slope_are_enclosed(family: Family) -> None:
    ratio = sp.diff(family.log_partition, z, 3) / sp.diff(family.log_partition, z, 2)
    slope_of = sp.diff(ratio, z)
    view = _ratio_view(family)
    for a, b in ((F(-2), F(-63, 32)), (F(1), F(33, 32)), (F(3), F(3)), (F(-1, 8), F(1, 8))):
        size, slope = view(a, b)
        points = [a, (a + b) / 2, b]
        seen, rises = [exact(ratio, point) for point in points], [exact(slope_of, point) for point in points]
        sides = {1 if value > 0 else -1 for value in seen}
        assert all(holds(size, abs(value)) for value in seen)
        assert not slope.is_finite() or all(holds(slope, side * rise) for side in sides for rise in rises)
        spread = max(map(abs, seen)) - min(map(abs, seen))
        assert len(sides) > 1 or upper(size) - lower(size) <= 3 * spread + SLACK
        assert a != b or upper(slope) - lower(slope) <= SLACK


def test_the_coefficients_at_a_point_are_sharp_however_much_cancels() -> None:
    """Of log(1 + e^z) at 200 nothing but e^-200 is left of the second one."""
    for at, length in itertools.product((F(200), F(-1, 3)), (3, 4)):
        jet = _sharp_jet(LOGISTIC, at, length)
        for k in range(2, length):
            truth = exact(sp.diff(1 / (1 + sp.exp(-z)), z, k - 1), at) / (k * (k - 1))
            assert abs(lower(jet[k]) / truth - 1) < F(1, 10**29)
            assert abs(upper(jet[k]) / truth - 1) < F(1, 10**29)
    straight = _sharp_jet(from_log_partition("square", z**2), F(7), 4)
    assert (straight[2], straight[3]) == (1, 0)
    one_of_them = _sharp_jet(from_log_partition("with a square", z**2 + sp.log(sp.cosh(z))), F(200), 4)
    truth = exact(-sp.tanh(z) / sp.cosh(z) ** 2, F(200)) / 3
    assert abs(lower(one_of_them[3]) / truth - 1) < F(1, 10**29)


def test_a_slope_and_a_ratio_are_sharp_where_what_is_not_asked_for_vanishes() -> None:
    """At 1/3 the slope of the slope of cosh(z - 1/3) is a ball around 0, as is that of the ratio with a sinh."""
    third = sp.Rational(1, 3)
    slope = _slope_at(from_log_partition("even", sp.cosh(z - third)), F(1, 3))
    ratio = _ratio_at(from_log_partition("odd", z**2 + sp.sinh(z - third)), F(1, 3))
    for found, value in ((slope, F(1)), (ratio, F(1, 2))):
        assert holds(found, value)
        assert upper(found) - lower(found) < SLACK


def test_the_ratio_of_a_sum_of_exponentials_is_sharp_where_the_terms_of_m_cancel() -> None:
    for side in (1, -1):
        size, slope = _ratio_view(LOGISTIC)(F(200 * side), F(200 * side))
        assert holds(size, exact(sp.tanh(z / 2), F(200)))
        assert upper(size) - lower(size) < SLACK
        assert upper(slope) - lower(slope) < SLACK


def test_what_cancels_beyond_all_digits_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concordance, "MAX_BITS", 300)
    with pytest.raises(NotEnclosed, match="m of logistic at 300 cancels beyond 300 bits"):
        _sharp_jet(LOGISTIC, F(300), 4)


def test_digits_are_added_in_few_steps_up_to_the_last_that_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    @contextmanager
    def counted(bits: int) -> Iterator[None]:
        asked.append(bits)
        assert len(asked) <= 6
        with precision(bits):
            yield

    monkeypatch.setattr(concordance, "precision", counted)
    monkeypatch.setattr(concordance, "MAX_BITS", 4 * concordance.BITS)
    jet = _sharp_jet(LOGISTIC, F(400), 4)  # 577 bits cancel
    assert abs(lower(jet[2]) / (exact(sp.exp(-z), F(400)) / 2) - 1) < F(1, 10**29)
    with pytest.raises(NotEnclosed, match=f"cancels beyond {4 * concordance.BITS} bits"):
        _sharp_jet(LOGISTIC, F(900), 4)


# --- half-lines -------------------------------------------------------------------------------------------------


def far(
    tail: Tail, S: Fraction | None, floor: object, monkeypatch: pytest.MonkeyPatch, side: int = 1
) -> list[Candidate]:
    """The candidates of m = cosh z, whose half-line is said to be this one."""
    asked: list[tuple[object, ...]] = []

    def told(*question: object) -> Tail:
        asked.append(question)
        return tail

    with monkeypatch.context() as patched:
        patched.setattr(concordance, "ratio_tail", told)
        found = list(_far_ratio(COSH, side, S, ball(floor), 4))
    assert asked == [(COSH.log_partition, z, side, 4)]
    return found


def test_a_half_line_below_the_floor_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Tail(hull(-1, F(1, 2)), ball(0))
    assert far(low, None, 2, monkeypatch) == []
    assert far(low, F(9), 2, monkeypatch) == []
    (level,) = far(Tail(ball(1), ball(1), 1, -1), None, 1, monkeypatch)
    assert level.low == 1
    for floor in (1, F(3, 4)):
        with pytest.raises(NotEnclosed, match=r"of cosh beyond \|z\| = 4 is not separated"):
            far(low, None, floor, monkeypatch)


def test_a_ratio_that_climbs_to_its_limit_is_largest_at_the_far_end(monkeypatch: pytest.MonkeyPatch) -> None:
    for side, words in ((1, "z -> oo"), (-1, "z -> -oo")):
        for sign in (1, -1):
            climbs = Tail(hull(2, 3) * sign, ball(3 * sign), sign, -sign)
            (limit,) = far(climbs, None, 1, monkeypatch, side)
            assert (limit.low, limit.high, limit.exact, limit.attained) == (3, 3, 3, f"only as {words}")
            (end,) = far(climbs, F(6), 1, monkeypatch, side)
            value = exact(sp.tanh(z), F(6))
            assert holds(end.low, value)
            assert upper(end.low) - lower(end.low) < F(1, 10**25)
            assert (end.high, end.attained) == (end.low, "at z = S" if side > 0 else "at z = -S")
            assert end.exact is not None
            assert abs(F(str(end.exact.evalf(40))) - value) < SLACK
        for sign, trend in ((1, 1), (-1, -1), (0, 1), (1, 0), (0, 0)):
            with pytest.raises(NotEnclosed, match=r"\|mu''/mu'\| of cosh beyond \|z\| = 4 is not separated"):
                far(Tail(hull(2, 3), ball(3), sign, trend), None, 1, monkeypatch, side)


def test_an_unbounded_half_line_has_no_constant_on_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    for side, words in ((1, "z -> oo"), (-1, "z -> -oo")):
        endless = Tail(ball(1) / 0 * hull(-1, 1), None, 1)
        (found,) = far(endless, None, 5, monkeypatch, side)
        assert (found.exact, found.attained) == (sp.oo, f"unbounded as {words}")
        assert not found.low.is_finite()
        assert not found.high.is_finite()
        with pytest.raises(NotEnclosed, match=f"mu''/mu' of cosh is unbounded as {words}"):
            far(endless, F(9), 5, monkeypatch, side)


def test_a_sum_of_exponentials_below_the_floor_needs_no_half_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ratio of log(1 + e^z) has a size below 1."""

    def unasked(*question: object) -> Tail:
        raise NotEnclosed("asked")

    monkeypatch.setattr(concordance, "ratio_tail", unasked)
    for side in (1, -1):
        assert list(_far_ratio(LOGISTIC, side, None, ball(F(11, 10)), 4)) == []
        with pytest.raises(NotEnclosed, match="asked"):
            list(_far_ratio(LOGISTIC, side, None, ball(F(9, 10)), 4))


# --- candidates -------------------------------------------------------------------------------------------------


def slopes(family: Family, S: Fraction, sign: int, near: int = 4) -> dict[str, tuple[Ball, sp.Expr | None]]:
    return {c.attained: (c.low, c.exact) for c in _slope_candidates(family, S, sign, near)}


def test_a_slope_beyond_the_search_is_largest_at_an_end_of_the_interval() -> None:
    """Of cosh both ends, of e^z + z² one of them, and -cosh is largest at 0."""
    both = slopes(COSH, F(6), 1)
    assert set(both) == {"at z = S", "at z = -S"}
    assert all(holds(low, exact(sp.cosh(z), F(6))) and form == sp.cosh(6) for low, form in both.values())
    inside = slopes(COSH, F(6), -1)
    assert inside["at z = 0"][1] == 1
    assert holds(inside["at z = -S"][0], -exact(sp.cosh(z), F(6)))
    assert set(slopes(COSH, F(4), 1)) == {"at z = S", "at z = -S"}
    assert set(slopes(COSH, F(1, 2), -1)) == {"at z = 0"}
    one = slopes(POISSON_AND_SQUARE, F(6), 1)
    assert holds(one["at z = S"][0], 2 + exact(sp.exp(z), F(6)))
    assert holds(one["at z = -S"][0], 2 + exact(sp.exp(z), F(-6)))


def test_a_slope_that_is_largest_between_the_points_that_are_looked_at_first_is_found() -> None:
    """The slope of log(1 + e^z/7) is 1/4 at log 7, and that of cosh(z - 1/3) is 1 at 1/3."""
    shifted = from_log_partition("shifted", sp.log(1 + sp.exp(z) / 7)), from_log_partition("cosh", sp.cosh(z - F(1, 3)))
    for family, sign, value in zip(shifted, (1, -1), (F(1, 4), F(-1)), strict=True):
        (found,) = _slope_candidates(family, F(3), sign, 4)
        assert lower(found.low) <= value <= upper(found.high)
        assert upper(found.high) - lower(found.low) <= F(1, 10**9)


def test_a_slope_whose_slope_has_no_settled_sign_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for unsettled in (1, -1):
        with monkeypatch.context() as patched:
            patched.setattr(concordance, "ratio_tail", lambda m, z, side, near, bad=unsettled: Tail(
                ball(1), ball(1), 0 if side == bad else side))  # fmt: skip
            with pytest.raises(NotEnclosed, match="mu'' of cosh has no settled sign beyond 4"):
                slopes(COSH, F(6), 1)


def test_the_ratio_of_an_interval_is_looked_for_inside_and_beyond() -> None:
    inside = list(_ratio_candidates(COSH, F(3), 4))
    beyond = list(_ratio_candidates(COSH, F(6), 4))
    line = list(_ratio_candidates(COSH, None, 4))
    assert sorted(c.attained for c in inside) == sorted(c.attained for c in beyond) == ["at z = -S", "at z = S"]
    assert all(holds(c.low, exact(sp.tanh(z), F(3))) for c in inside)
    assert all(holds(c.low, exact(sp.tanh(z), F(6))) for c in beyond)
    assert {c.attained: c.exact for c in line} == {"only as z -> oo": 1, "only as z -> -oo": 1}
