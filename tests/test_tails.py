"""What is said of a whole half-line, against values of 60 digits far out on it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import flint
import mpmath
import pytest
import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, asymptotics, ball, hull, lower, precision, upper
from glbcheck.core.enclosure.asymptotics import (
    _analytic_at_zero,
    _analytic_part,
    _analytic_tail,
    _bessel_expansion,
    _bessel_tail,
    _exponentials_to_small,
    _first_powers,
    _rational_tail,
    _rescaled_tail,
    bessel_to_ratio,
    ratio_tail,
    x,
)
from glbcheck.core.enclosure.tails import (
    Tail,
    _compare_at,
    _monomial,
    bessel_ratio_tail,
    big,
    rational_tail,
    sign_of,
    small,
)

F = Fraction
Way = Callable[[sp.Expr, sp.Symbol, int, int], Tail | None]
z = sp.Symbol("z", real=True)


def exact(value: mpmath.mpf) -> Fraction:
    return F(mpmath.nstr(value, 50))


def test_the_sign_of_a_ball_is_settled_or_zero() -> None:
    assert [sign_of(b) for b in (ball(2), ball(-2), ball(0), hull(-1, 1), hull(0, 1), hull(-1, 0))] == [
        1,
        -1,
        0,
        0,
        0,
        0,
    ]


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


@pytest.mark.parametrize("shift", [(1, 0), (0, -1), (-1, -1), (5, 1), (9, 2)])
def test_a_monomial_that_does_not_decrease_is_refused(shift: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="does not decrease"):
        _monomial(shift, 4)


@pytest.mark.parametrize("shift", [(0, 0), (-2, 0), (0, 1), (4, 1), (8, 2), (-3, 3)])
def test_a_monomial_that_decreases_lies_between_zero_and_its_first_value(shift: tuple[int, int]) -> None:
    i, j = shift
    with precision(160), mpmath.workdps(60):
        found = _monomial(shift, 4)
        first = exact(mpmath.mpf(4) ** i * mpmath.exp(-4 * j))
        slack = F(1, 10**8) * (1 + first)  # a radius has 30 bits
        assert -slack <= lower(found) <= 0
        assert first - F(1, 10**40) <= upper(found) <= first + slack


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


def test_on_which_side_of_the_ratio_a_barrier_begins() -> None:
    """I1(2)/I0(2) = 0.6977..., so 7/10, and 7/5 divided by 2, lie above it and 2/3 below."""
    assert _compare_at([F(7, 10)], 2, 1)
    assert not _compare_at([F(7, 10)], 2, -1)
    assert _compare_at([F(2, 3)], 2, -1)
    assert not _compare_at([F(2, 3)], 2, 1)
    assert _compare_at([F(0), F(7, 5)], 2, 1)
    assert not _compare_at([F(0), F(2, 3)], 2, 1)


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

ANALYTIC, BESSEL, RATIONAL_, RESCALED = _analytic_tail, _bessel_tail, _rational_tail, _rescaled_tail
# m, side, limit of the ratio, is |ratio| seen to climb to it, and by which ways.
TAILS: list[tuple[sp.Expr, int, object, bool, tuple[Way, ...]]] = [
    (sp.log(1 + sp.exp(z)), 1, -1, True, (ANALYTIC, RATIONAL_)),
    (sp.log(1 + sp.exp(z)), -1, 1, True, (ANALYTIC, RATIONAL_)),
    (sp.log(1 + 5 * sp.exp(z)), 1, -1, True, (ANALYTIC, RATIONAL_)),
    (sp.log(1 + sp.exp(z) + sp.exp(3 * z)), 1, -2, False, (ANALYTIC, RATIONAL_)),
    (sp.log(1 + sp.exp(z) + sp.exp(3 * z)), -1, 1, True, (ANALYTIC, RATIONAL_)),
    (sp.log(sp.cosh(z)), 1, -2, True, (ANALYTIC, RATIONAL_)), (sp.log(sp.cosh(z)), -1, 2, True, (ANALYTIC, RATIONAL_)),
    (sp.cosh(z), 1, 1, True, (ANALYTIC, RATIONAL_)), (sp.cosh(z), -1, -1, True, (ANALYTIC, RATIONAL_)),
    (sp.exp(z) + z**2, 1, 1, True, (RATIONAL_,)), (sp.exp(2 * z) + sp.exp(z), 1, 2, True, (ANALYTIC, RATIONAL_)),
    (sp.exp(z) + z**2, -1, 0, False, (RATIONAL_,)),
    (sp.log(sp.sinh(z) / z), 1, 0, False, (RATIONAL_,)), (sp.log(sp.sinh(z) / z), -1, 0, False, (RATIONAL_,)),
    (sp.log(sp.besseli(0, z)), 1, 0, False, (BESSEL,)), (sp.log(sp.besseli(0, z)), -1, 0, False, (BESSEL,)),
    (z**2 / 2 + sp.log(sp.besseli(0, z)), 1, 0, False, (BESSEL,)), (sp.besseli(0, z), -1, -1, False, (BESSEL,)),
    (sp.exp(3 * z) * sp.besseli(0, z), 1, 4, False, (BESSEL,)),
    (sp.exp(z) + sp.log(1 - sp.exp(-sp.exp(z))), 1, 1, False, (RATIONAL_,)),
    (sp.exp(z) + sp.log(1 - sp.exp(-sp.exp(z))), -1, 1, False, (ANALYTIC,)),
    (sp.log(1 + sp.exp(z / 2)), 1, sp.Rational(-1, 2), True, (RESCALED,)),
    (sp.log(1 + sp.exp(z / 2)), -1, sp.Rational(1, 2), True, (RESCALED,)),
    (sp.log(1 + sp.exp(2 * z) + sp.exp(4 * z)), 1, -2, False, (ANALYTIC, RATIONAL_, RESCALED)),
    (sp.log((1 + sp.exp(z) + sp.exp(3 * z)) / (1 + sp.exp(z))), 1, -1, True, (ANALYTIC, RATIONAL_)),
    (sp.log((1 + sp.exp(z) + sp.exp(3 * z)) / (1 + sp.exp(z))), -1, 3, True, (ANALYTIC, RATIONAL_)),
    (sp.exp(2 * z) + sp.exp(z) + z * sp.exp(z), 1, 2, True, (RATIONAL_,)),
    (z**4 + z**2, 1, 0, False, (RATIONAL_,)), (z**4 + z**2, -1, 0, False, (RATIONAL_,)),
    (z**2 / 2 - (z + 2) * sp.exp(-z), -1, -1, False, (RATIONAL_,)),
    (sp.exp(z**2 / 2), 1, None, False, (RATIONAL_,)), (sp.exp(sp.exp(z / 2)), 1, None, False, (RESCALED,)),
]  # fmt: skip


def values_beyond(m: sp.Expr, side: int, start: int) -> list[Fraction]:
    second, third = (sp.lambdify(z, sp.diff(m, z, k), "mpmath") for k in (2, 3))
    with mpmath.workdps(400):
        points = [side * (mpmath.mpf(start) + x) for x in (0, F(1, 7), 1, 2, 5, 11, 30)]
        return [exact(third(x) / second(x)) for x in points]


@pytest.mark.parametrize("start", [8, 16])
@pytest.mark.parametrize(
    ("m", "side", "limit", "climbs", "ways"), TAILS, ids=[f"{m} to {side}" for m, side, *_ in TAILS]
)
def test_the_ratio_of_a_half_line_is_enclosed_with_its_limit_and_its_trend(
    m: sp.Expr, side: int, limit: object, climbs: bool, ways: tuple[Way, ...], start: int
) -> None:
    seen = values_beyond(m, side, start)
    for way in (*ways, ratio_tail):
        with precision(256):
            tail = way(m, z, side, start)
            assert tail is not None
            agrees(tail, seen, limit)
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


def test_the_first_powers_are_found_exactly_or_not_at_all() -> None:
    """(1 + sqrt 2)² - 3 - 2 sqrt 2 is 0, which no ball sees; of log 2 + log 3 - log 6 not even the formula tells."""
    root = sp.sqrt(2)
    hidden, unseen = (1 + root) ** 2 - 3 - 2 * root, sp.log(2) + sp.log(3) - sp.log(6)
    with precision(256):
        for expr, pole, powers in (
            (x + x**2, 0, (1, 2)), (5 + x + 3 * x**4, 0, (1, 4)), (1 + x + x**3, 1, (0, 3)), (1 / (1 - x), 2, (0, 1)),
            (hidden * x + x**2 - x**3, 0, (2, 3)), (hidden + x + hidden * x**2 + x**5, 2, (1, 5)),
            (unseen * x + 2 + x**2 + x**3, 1, (0, 2)), (x * sp.exp(hidden * x) - x**4, 0, (1, 4)),
            ((sp.exp(x**2) - 1) / x**2, 0, (2, 4)), (x + x**11, 0, (1, 11)),
        ):  # fmt: skip
            assert _first_powers(expr, pole) == powers
        for expr, pole in ((unseen * x + x**2 + x**3, 0), (sp.S.One + x, 0), (x + unseen * x**2 + x**3, 0)):
            with pytest.raises(NotEnclosed, match="cannot find the first two powers of x in "):
                _first_powers(expr, pole)


def test_what_is_freed_of_logarithms_differs_by_a_multiple_of_log_x() -> None:
    """x d/dx of the difference is a number."""
    for expr, order in (
        (sp.log((1 + x) / (1 + 2 * x)), 0), (x * sp.log((sp.exp(x) - 1) / x), 0), (x * sp.log(1 + x), 0),
        (sp.log((x**2 + x**3) / (2 + x)), 0), (sp.log(3 * x + x**2) / 2 + 1 / x, 1), (sp.log(x**7 + x**8), 0),
        (sp.cosh(2 * sp.log(x)) - 3 * sp.log(x), 2), (5 * sp.log(x) - sp.log(1 + 1 / x + 1 / x**3), 0),
    ):  # fmt: skip
        with precision(128):
            found = _analytic_part(expr)
        assert found is not None
        assert found[1] == order
        slope = sp.lambdify(x, x * sp.diff(expr - found[0] / x**order, x), "mpmath")
        with mpmath.workdps(40):
            assert mpmath.almosteq(slope(mpmath.mpf(1) / 3), slope(mpmath.mpf(2)), 1e-30, 1e-30)
    with precision(128):
        for expr in (x * sp.log(x + x**2), sp.log(x) ** 2, sp.log(x**9 + x**10), 1 / x**3):
            assert _analytic_part(expr) is None


def test_a_power_of_x_times_its_logarithm_is_not_left_out() -> None:
    with precision(256):
        assert _analytic_tail(sp.exp(2 * z) + sp.exp(z) + z * sp.exp(z), z, 1, 8) is None
        assert _analytic_tail(sp.exp(2 * z) + sp.exp(z) + sp.log(z), z, 1, 8) is None


def test_only_powers_of_exp_b_are_written_with_the_small_letter() -> None:
    found = _exponentials_to_small(sp.exp(1 - 2 * big) + big * sp.exp(big))
    assert sp.expand(found - sp.E * small**2 - big / small) == 0
    for stranger in (sp.exp(big / 2), sp.exp(big**2), sp.exp(big + big**2)):
        with pytest.raises(NotEnclosed, match=r"is not a power of exp\(-b\)"):
            _exponentials_to_small(stranger)
    with pytest.raises(NotEnclosed, match=r"is not a function of b and exp\(-b\)"):
        _exponentials_to_small(z * sp.exp(big))


def test_the_way_through_the_bessel_ratio_is_for_nothing_else() -> None:
    """Not without a Bessel function, not with another letter, and not where the ratio has no limit."""
    bent = sp.log(sp.besseli(0, z))
    for m in (z**4 + z**2, bent + sp.Symbol("c") * z**2, sp.exp(z**2 / 2) * sp.besseli(0, z)):
        assert _bessel_tail(m, z, 1, 16) is None


def test_the_expansion_of_the_bessel_ratio_is_the_longest_whose_barriers_hold() -> None:
    with pytest.raises(NotEnclosed, match="no barriers for I1/I0 from z = 2 on"):
        _bessel_expansion(2)
    assert [len(_bessel_expansion(start)) - 1 for start in (3, 4, 5, 8, 9, 40)] == [4, 5, 6, 6, 8, 8]


def test_a_bessel_function_of_a_number_is_a_number() -> None:
    with precision(128):
        tail = ratio_tail(sp.besseli(0, 2) * z**2, z, 1, 16)
    assert (tail.values, tail.limit, tail.sign) == (0, 0, 0)


def test_a_half_line_that_would_begin_before_1_in_its_own_unit_is_left_alone() -> None:
    with precision(128):
        assert _rescaled_tail(sp.log(1 + sp.exp(z / 8)), z, 1, 8) is not None
        assert _rescaled_tail(sp.log(1 + sp.exp(z) + sp.exp(2 * z / 3)), z, 1, 3) is not None
        for m in (sp.log(1 + sp.exp(z / 9)), sp.exp(z**2), z**4):
            assert _rescaled_tail(m, z, 1, 8) is None


def test_what_has_no_derivative_somewhere_is_not_analytic() -> None:
    smooth, rough = (1 + x, sp.exp(x) / (2 - x)), (1 / x, sp.log(x), sp.sqrt(x), x * sp.sqrt(x))
    assert [_analytic_at_zero(f) for f in (*smooth, *rough)] == [True] * 2 + [False] * 4


def test_a_quotient_of_which_one_coefficient_is_not_known_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = _analytic_tail(sp.log(1 + sp.exp(z)), z, 1, 8)
    assert known is not None
    monkeypatch.setattr(asymptotics, "divide", lambda a, b: flint.arb_series([1, flint.arb.nan()], 2))
    assert _analytic_tail(sp.log(1 + sp.exp(z)), z, 1, 8) is None


def test_of_a_function_of_exp_z_only_the_right_half_line_is_said_and_all_of_it() -> None:
    """In b = e^z the half-line begins at e^3, and the ratio is within 1e-6 of its limit there."""
    m = sp.exp(z) + sp.log(1 - sp.exp(-sp.exp(z)))
    with precision(256):
        assert _rational_tail(m, z, -1, 3) is None
        tail = _rational_tail(m, z, 1, 3)
        assert tail is not None
        seen = values_beyond(m, 1, 3)
        assert lower(tail.values) <= min(seen) < max(seen) <= upper(tail.values)


def test_where_one_way_finds_nothing_the_next_is_asked() -> None:
    m = sp.log(1 + sp.exp(z) + sp.exp(3 * z))
    with precision(256):
        assert _analytic_tail(m, z, 1, 1) is None
        tail = ratio_tail(m, z, 1, 1)
        assert (tail.sign, tail.trend) == (-1, 0)
        seen = values_beyond(m, 1, 1)
        assert lower(tail.values) <= min(seen) <= max(seen) <= upper(tail.values)


def test_a_half_line_of_which_nothing_is_known_is_named() -> None:
    for side, words in ((1, "oo"), (-1, "-oo")):
        with pytest.raises(NotEnclosed, match=f"beyond 16 as z -> {words} for m = "):
            ratio_tail(sp.log(2 + sp.sin(z)), z, side, 16)


def test_a_tail_says_nothing_of_its_sign_unless_it_is_told() -> None:
    tail = Tail(ball(1), flint.arb(1))
    assert (tail.sign, tail.trend) == (0, 0)


def test_what_has_only_its_first_derivatives_at_0_is_not_analytic_there() -> None:
    assert asymptotics._analytic_at_zero(sp.exp(asymptotics.x))
    assert not asymptotics._analytic_at_zero(asymptotics.x ** sp.Rational(3, 2))
