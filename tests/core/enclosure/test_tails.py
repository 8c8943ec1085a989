"""What is said of a whole half-line, against values of 60 digits far out on it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, lower, precision, upper
from glbcheck.core.enclosure.asymptotics import bessel_to_ratio, ratio_tail
from glbcheck.core.enclosure.tails import Tail, bessel_ratio_tail, big, rational_tail, small

F = Fraction
z = sp.Symbol("z", real=True)


def exact(value: mpmath.mpf) -> Fraction:
    return F(mpmath.nstr(value, 50))


# --- rational functions of b and e^-b --------------------------------------------------------------------

RATIONAL: list[tuple[sp.Expr, sp.Expr | None]] = [
    ((2 * big + 1) / (big + 3), sp.Integer(2)), ((big - 5) / (1 - 2 * big**2), sp.S.Zero),
    ((3 + small * big**2) / (1 - small), sp.Integer(3)), ((1 - small) / (1 + small), sp.S.One),
    (-(1 + big * small) / (2 + small**2), -sp.Rational(1, 2)), (small * (1 + 1 / big), sp.S.Zero),
    (-small / big, sp.S.Zero), (big * small, sp.S.Zero), (big**2 / (1 + big), None), ((1 - big) / (1 + small), None),
    (1 / small, None), (-1 / (big * small), None), (sp.pi * big / (sp.E + big), sp.pi),
    (-big / (3 * big - small), -sp.Rational(1, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("expr", "limit"), RATIONAL, ids=str)
@pytest.mark.parametrize("start", [4, 8])
def test_a_rational_function_stays_in_its_ball_and_has_its_limit(
    expr: sp.Expr, limit: sp.Expr | None, start: int
) -> None:
    with precision(160):
        tail = rational_tail(expr, start)
        at_infinity = None if limit is None else ball(limit)
        if tail.limit is not None:
            low, high = lower(tail.values), upper(tail.values)
    function = sp.lambdify((big, small), expr, "mpmath")
    with mpmath.workdps(60):
        points = [mpmath.mpf(start) + k for k in (0, F(1, 3), 1, 3, 10, 40)]
        seen = [exact(function(b, mpmath.exp(-b))) for b in points]
    assert tail.sign in (0, 1 if seen[-1] > 0 else -1)
    assert tail.sign != 0 or expr.has(-5)
    if at_infinity is None:
        assert tail.limit is None
        assert not tail.values.is_finite()
        return
    assert tail.limit is not None
    assert tail.limit.overlaps(at_infinity)
    assert tail.limit.rad() < ball(2) ** -140
    slack = F(1, 10**40)
    ends = [*seen, lower(at_infinity)]
    assert low <= min(ends) + slack
    assert max(ends) <= high + slack
    # Several small terms, each between 0 and its value at the start.
    assert high - low <= 4 * (max(ends) - min(ends)) + slack


def test_zero_and_what_is_divided_by_it() -> None:
    nothing = rational_tail(sp.S.Zero, 4)
    assert (nothing.values, nothing.limit, nothing.sign, nothing.trend) == (0, 0, 0, 0)
    with pytest.raises(ValueError, match=r"b\^20 exp\(-1 b\) does not decrease on \[4, oo\)"):
        rational_tail(1 + big**20 * small, 4)
    assert rational_tail(1 + big**20 * small, 20).limit == 1
    with pytest.raises(ValueError, match="does not decrease"):
        rational_tail(1 + big**9 * small**2, 4)
    assert rational_tail(1 + big**8 * small**2, 4).sign == 1


# --- the Bessel ratio ------------------------------------------------------------------------------------


def test_the_expansion_of_the_bessel_ratio_is_the_known_one() -> None:
    with precision(160):
        found = bessel_ratio_tail(30, 6)
    known = [F(1), F(-1, 2), F(-1, 8), F(-1, 8), F(-25, 128), F(-13, 32), F(-1073, 1024)]
    assert len(found) == 7
    assert all(c.is_exact() and lower(c) == exactly for c, exactly in zip(found[:6], known[:6], strict=True))
    # The last one is a ball around its term, one more than its size on each side.
    reach = 1 + abs(known[6])
    assert abs(lower(found[6]) - (known[6] - reach)) < F(1, 10**6)
    assert abs(upper(found[6]) - (known[6] + reach)) < F(1, 10**6)


# From where on the barriers hold: below, one of them does not push back, or lies on the wrong side at the start.
EARLIEST = {2: 2, 3: 2, 4: 3, 5: 4, 6: 5, 8: 9, 10: 12}


@pytest.mark.parametrize("terms", EARLIEST)
def test_barriers_hold_from_some_point_on_and_no_sooner(terms: int) -> None:
    for start in range(1, EARLIEST[terms]):
        with pytest.raises(ValueError, match=f"the barriers do not hold from z = {start} on; start later"):
            bessel_ratio_tail(start, terms)
    found = bessel_ratio_tail(EARLIEST[terms], terms)
    assert len(found) == terms + 1
    with mpmath.workdps(40):
        for k in range(8):
            at = mpmath.mpf(EARLIEST[terms]) * (1 + mpmath.mpf(k) / 4)
            ratio = exact(mpmath.besseli(1, at) / mpmath.besseli(0, at))
            rest = (ratio - sum(lower(c) * exact(at) ** -j for j, c in enumerate(found[:-1]))) * exact(at) ** terms
            assert lower(found[-1]) <= rest <= upper(found[-1])


@pytest.mark.parametrize("order", range(-3, 5))
def test_bessel_functions_are_written_through_one_ratio(order: int) -> None:
    ratio = sp.Symbol("A")
    written = bessel_to_ratio(sp.besseli(order, z) / sp.besseli(0, z), z, ratio)
    with mpmath.workdps(40):
        x = mpmath.mpf(7) / 3
        value = sp.lambdify((z, ratio), written, "mpmath")(x, mpmath.besseli(1, x) / mpmath.besseli(0, x))
        assert mpmath.almosteq(value, mpmath.besseli(order, x) / mpmath.besseli(0, x), 1e-30)


@pytest.mark.parametrize("stranger", [sp.besseli(1, 2 * z), sp.besseli(sp.Rational(1, 2), z)])
def test_other_bessel_functions_are_refused(stranger: sp.Expr) -> None:
    with pytest.raises(NotEnclosed, match="is not of integer order"):
        bessel_to_ratio(stranger, z, sp.Symbol("A"))


# --- m'''/m'' --------------------------------------------------------------------------------------------

# m, side, limit of the ratio, and is |ratio| seen to climb to it.
TAILS: list[tuple[sp.Expr, int, object, bool]] = [
    (sp.log(1 + sp.exp(z)), 1, -1, True),
    (sp.log(1 + sp.exp(z)), -1, 1, True),
    (sp.log(1 + 5 * sp.exp(z)), 1, -1, True),
    (sp.log(1 + sp.exp(z) + sp.exp(3 * z)), 1, -2, False),
    (sp.log(1 + sp.exp(z) + sp.exp(3 * z)), -1, 1, True),
    (sp.log(sp.cosh(z)), 1, -2, True), (sp.log(sp.cosh(z)), -1, 2, True),
    (sp.cosh(z), 1, 1, True), (sp.cosh(z), -1, -1, True),
    (sp.exp(z) + z**2, 1, 1, True), (sp.exp(2 * z) + sp.exp(z), 1, 2, True),
    (sp.exp(z) + z**2, -1, 0, False),
    (sp.log(sp.sinh(z) / z), 1, 0, False), (sp.log(sp.sinh(z) / z), -1, 0, False),
    (sp.log(sp.besseli(0, z)), 1, 0, False), (sp.log(sp.besseli(0, z)), -1, 0, False),
    (z**2 / 2 + sp.log(sp.besseli(0, z)), 1, 0, False), (sp.besseli(0, z), -1, -1, False),
    (sp.exp(3 * z) * sp.besseli(0, z), 1, 4, False),
    (sp.exp(z) + sp.log(1 - sp.exp(-sp.exp(z))), 1, 1, False),
    (sp.exp(z) + sp.log(1 - sp.exp(-sp.exp(z))), -1, 1, False),
    (sp.log(1 + sp.exp(z / 2)), 1, sp.Rational(-1, 2), True),
    (sp.log(1 + sp.exp(z / 2)), -1, sp.Rational(1, 2), True),
    (sp.log(1 + sp.exp(2 * z) + sp.exp(4 * z)), 1, -2, False),
    (sp.log((1 + sp.exp(z) + sp.exp(3 * z)) / (1 + sp.exp(z))), 1, -1, True),
    (sp.log((1 + sp.exp(z) + sp.exp(3 * z)) / (1 + sp.exp(z))), -1, 3, True),
    (sp.exp(2 * z) + sp.exp(z) + z * sp.exp(z), 1, 2, True),
    (z**4 + z**2, 1, 0, False), (z**4 + z**2, -1, 0, False),
    (z**2 / 2 - (z + 2) * sp.exp(-z), -1, -1, False),
    (sp.exp(z**2 / 2), 1, None, False), (sp.exp(sp.exp(z / 2)), 1, None, False),
]  # fmt: skip


def values_beyond(m: sp.Expr, side: int, start: int) -> list[Fraction]:
    second, third = (sp.lambdify(z, sp.diff(m, z, k), "mpmath") for k in (2, 3))
    with mpmath.workdps(400):
        points = [side * (mpmath.mpf(start) + x) for x in (0, F(1, 7), 1, 2, 5, 11, 30)]
        return [exact(third(x) / second(x)) for x in points]


@pytest.mark.parametrize("start", [8, 16])
@pytest.mark.parametrize(("m", "side", "limit", "climbs"), TAILS, ids=[f"{m} to {side}" for m, side, *_ in TAILS])
def test_the_ratio_of_a_half_line_is_enclosed_with_its_limit_and_its_trend(
    m: sp.Expr, side: int, limit: object, climbs: bool, start: int
) -> None:
    with precision(256):
        tail = ratio_tail(m, z, side, start)
        agrees(tail, values_beyond(m, side, start), limit)
    assert (tail.sign * tail.trend < 0) == climbs


def agrees(tail: Tail, seen: list[Fraction], limit: object) -> None:
    assert tail.sign == (1 if seen[0] > 0 else -1)
    if limit is None:
        assert (tail.limit, tail.trend) == (None, 0)
        return
    assert tail.limit is not None
    assert tail.limit.contains(ball(sp.sympify(limit)))
    assert tail.limit.rad() < ball(2) ** -200
    low, high, end = lower(tail.values), upper(tail.values), lower(tail.limit)
    slack = F(1, 10**45)
    least, most = min(*seen, end), max(*seen, end)
    assert low <= least + slack
    assert most <= high + slack
    assert high - low <= 60 * (most - least) + slack
    if tail.trend:  # never wrong
        assert all((value - end) * tail.trend > -slack for value in seen)
        assert all((a - b) * tail.trend > -slack for a, b in pairwise(seen))


def test_a_half_line_of_which_nothing_is_known_is_named() -> None:
    for side, words in ((1, "oo"), (-1, "-oo")):
        with pytest.raises(NotEnclosed, match=f"beyond 16 as z -> {words} for m = "):
            ratio_tail(sp.log(2 + sp.sin(z)), z, side, 16)
