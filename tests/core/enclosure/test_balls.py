"""The ball layer against exact arithmetic: rational Taylor sums with rational bounds on what is left out."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import acb, arb
from glbcheck.core.enclosure import (
    NotEnclosed,
    ball,
    ball_function,
    complex_function,
    float_above,
    float_below,
    hull,
    integral,
    jet_function,
    lower,
    precision,
    upper,
)
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.terms import FUNCTIONS
from glbcheck.core.translation import CLASSES
from hypothesis import example, given, settings
from hypothesis import strategies as st

F = Fraction
z, y = sp.symbols("z y", real=True)
Z = sp.Symbol("z")  # another symbol of the same name
Bracket = tuple[Fraction, Fraction]
TERMS = 40
small = st.fractions(-2, 2, max_denominator=60)
positive = st.fractions(F(1, 4), 4, max_denominator=60)
bits = st.sampled_from([30, 53, 64, 128])


# --- brackets by exact sums ----------------------------------------------------------------------------


def power_sum(terms: list[Fraction], rest: Fraction) -> Bracket:
    total = sum(terms, F(0))
    return total - rest, total + rest


def exp(x: Fraction) -> Bracket:
    """Sum to x^n/n!; beyond, the terms fall at least by half."""
    terms = [x**k / math.factorial(k) for k in range(TERMS)]
    return power_sum(terms, 2 * abs(x) ** TERMS / math.factorial(TERMS))


def sin(x: Fraction) -> Bracket:
    terms = [(-1) ** k * x ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(TERMS)]
    return power_sum(terms, abs(x) ** (2 * TERMS + 1) / math.factorial(2 * TERMS + 1))


def artanh_sum(u: Fraction, sign: int) -> Bracket:
    """u + sign u³/3 + u⁵/5 + ..., for |u| < 1, bounded by a geometric series."""
    terms = [sign**k * u ** (2 * k + 1) / (2 * k + 1) for k in range(TERMS)]
    return power_sum(terms, abs(u) ** (2 * TERMS + 1) / (1 - u**2))


def log(x: Fraction) -> Bracket:
    """log x = 2 artanh((x - 1)/(x + 1))."""
    low, high = artanh_sum((x - 1) / (x + 1), 1)
    return 2 * low, 2 * high


def atan(x: Fraction) -> Bracket:
    """Twice the arctangent of x/(1 + sqrt(1 + x²)), which is below 1 in absolute value."""
    root = sqrt(1 + x**2)
    ends = [artanh_sum(x / (1 + r), -1) for r in root]
    return 2 * min(low for low, _ in ends), 2 * max(high for _, high in ends)


def sqrt(x: Fraction) -> Bracket:
    """Whole square roots of a scaled number, rounded down and up."""
    scale = 10**40
    root = math.isqrt(x.numerator * scale**2 // x.denominator)
    return F(root, scale), F(root + 1, scale)


def tanh(x: Fraction) -> Bracket:
    low, high = exp(2 * x)
    return 1 - 2 / (low + 1), 1 - 2 / (high + 1)


def bessel(order: int) -> Callable[[Fraction], Bracket]:
    def value(x: Fraction) -> Bracket:
        half = x / 2
        terms = [half ** (2 * k + order) / (math.factorial(k) * math.factorial(k + order)) for k in range(TERMS)]
        return power_sum(terms, 2 * abs(half) ** (2 * TERMS + order) / math.factorial(TERMS))

    return value


EXACT: dict[str, tuple[sp.Expr, Callable[[Fraction], Bracket], bool]] = {
    "exp": (sp.exp(z), exp, False), "sin": (sp.sin(z), sin, False), "log": (sp.log(z), log, True),
    "sqrt": (sp.sqrt(z), sqrt, True), "atan": (sp.atan(z), atan, False), "tanh": (sp.tanh(z), tanh, False),
    "I0": (sp.besseli(0, z), bessel(0), False), "I1": (sp.besseli(1, z), bessel(1), False),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_ball_meets_the_exact_bracket_at_a_point_and_at_every_point_of_a_wide_ball(
    name: str, data: st.DataObject
) -> None:
    expr, bracket, only_positive = EXACT[name]
    numbers = positive if only_positive else small
    a, b, t = data.draw(numbers), data.draw(numbers), data.draw(st.fractions(0, 1, max_denominator=20))
    x = a + t * (b - a)
    low, high = bracket(x)
    assert high - low < F(1, 10**9)
    with precision(data.draw(bits)):
        f = ball_function(expr, [z])
        at_point, over = f(x), f(hull(a, b))
    # The true value lies in bracket and ball, so they overlap; and the ball is as sharp as its precision.
    for found in (at_point, over):
        assert lower(found) <= high
        assert low <= upper(found)
    assert upper(at_point) - lower(at_point) < F(1, 10**6)


TIGHT = [f(z) for f in (sp.tanh, sp.sinh, sp.asinh, sp.erf, sp.atan, sp.exp, sp.cosh, sp.Abs)]
TIGHT += [z**3, z**5, z**2, sp.sech(z), sp.coth(z + 3)]


@pytest.mark.parametrize("expr", TIGHT, ids=str)
@settings(max_examples=25, deadline=None)
@given(small, small)
def test_monotone_and_even_functions_are_tight_on_wide_balls(expr: sp.Expr, a: Fraction, b: Fraction) -> None:
    f = ball_function(expr, [z])
    values = [f(x) for x in (a, b, *([0] if a * b < 0 else []))]
    over = f(hull(a, b))
    low, high = min(lower(v) for v in values), max(upper(v) for v in values)
    slack = F(1, 10**6) * (1 + abs(high) + abs(low))
    assert low - slack <= lower(over)
    assert upper(over) <= high + slack


ORACLES: dict[str, Callable[[mpmath.mpf], object]] = {
    **{name: getattr(mpmath, name) for name in ("loggamma", "gamma", "erf", "erfc", "coth", "sech", "csch")},
    **{name: getattr(mpmath, name) for name in ("sec", "csc", "cot", "acosh", "atanh", "asin", "acos")},
}


@pytest.mark.parametrize("name", ORACLES)
@settings(max_examples=10, deadline=None)
@given(st.fractions(F(1, 4), F(3, 4), max_denominator=60))
def test_functions_agree_with_mpmath(name: str, x: Fraction) -> None:
    x += name == "acosh"
    with precision(128), mpmath.workdps(40):
        found = ball_function(getattr(sp, name)(z), [z])(x)
        expected = Fraction(mpmath.nstr(ORACLES[name](mpmath.mpf(x.numerator) / x.denominator), 38))
        assert found.rad() < arb(10) ** -30
        assert abs(lower(found) - expected) < F(1, 10**28)


@settings(max_examples=30, deadline=None)
@given(positive, positive, st.fractions(0, 1, max_denominator=9), st.integers(0, 3))
def test_polygamma_agrees_with_mpmath_and_is_enclosed_over_a_ball(
    a: Fraction, b: Fraction, t: Fraction, n: int
) -> None:
    x, f = a + t * (b - a), ball_function(sp.polygamma(n, z), [z])
    with precision(128), mpmath.workdps(40):
        expected = Fraction(mpmath.nstr(mpmath.polygamma(n, mpmath.mpf(x.numerator) / x.denominator), 38))
        assert abs(lower(f(x)) - expected) < F(1, 10**20)
        assert f(hull(a, b)).contains(f(x).mid())


OUTSIDE = [f(z) for f in (sp.log, sp.coth, sp.csch, sp.acosh, sp.loggamma, sp.digamma, sp.gamma)]
OUTSIDE += [sp.sqrt(z - 1), 1 / z, z**-2, z ** sp.Rational(-1, 3), sp.atanh(z + 1), sp.asin(2 * z)]
OUTSIDE += [sp.polygamma(1, z), sp.tan(2 * z), sp.Max(sp.log(z), 0), sp.cot(z), sp.sec(2 * z)]


@pytest.mark.parametrize("expr", OUTSIDE, ids=str)
def test_a_ball_that_leaves_the_domain_gives_nothing_finite(expr: sp.Expr) -> None:
    assert not ball_function(expr, [z])(hull(-1, 1)).is_finite()
    # Nor does a bounded function of it: undefined is not the same as unbounded.
    assert not ball_function(sp.atan(expr), [z])(hull(-1, 1)).is_finite()


NOTHING = [
    *(CLASSES[name](z) for name, (least, _) in FUNCTIONS.items() if least == 1 and name != "sqrt"),
    *(z ** sp.Rational(p, q) for p in (-3, -2, -1, 1, 2, 3, 4) for q in (1, 2, 3)),
    *(sp.besseli(n, z) for n in range(3)), *(sp.polygamma(n, z) for n in range(3)),
    *(f(z) for f in (sp.coth, sp.sech, sp.csch, sp.sec, sp.csc, sp.cot, sp.erfc)), sp.Max(z, 1), sp.Min(z, 1), 2**z,
    z + 1, sp.Mul(0, z, evaluate=False),
]  # fmt: skip


@pytest.mark.parametrize("expr", NOTHING, ids=str)
def test_what_is_undefined_stays_undefined_in_whatever_is_built_from_it(expr: sp.Expr) -> None:
    f = ball_function(expr, [z])
    for undefined in (arb.nan(), arb.nan().lower(), arb(-1).log(), hull(-1, 1).log()):
        assert not f(undefined).is_finite()


@settings(max_examples=40, deadline=None)
@given(small, small, small, small)
def test_polynomials_agree_with_exact_arithmetic_in_two_variables(
    a: Fraction, b: Fraction, c: Fraction, d: Fraction
) -> None:
    expr = (z - y) ** 3 * y + z**2 * y**4 - z / 3
    f = ball_function(expr, [z, y])
    for x, w in ((a, c), (b, d), ((a + b) / 2, (c + 2 * d) / 3)):
        exact = (x - w) ** 3 * w + x**2 * w**4 - x / 3
        assert f(x, w).contains(ball(exact).mid()) or f(x, w).overlaps(ball(exact))
        assert f(hull(a, b), hull(c, d)).overlaps(ball(exact))


def test_constants_follow_the_precision_of_the_moment() -> None:
    f = ball_function(z + sp.Rational(1, 3) + sp.pi, [z])
    with precision(53):
        coarse = f(0)
    with precision(300):
        fine = f(0)
    assert coarse.contains(fine)
    assert fine.rad() < arb(2) ** -280


def test_floats_and_strangers_are_refused() -> None:
    with pytest.raises(NotEnclosed):
        ball(0.5)
    for expr, names in ((z + sp.Float("0.5"), [z]), (z + y, [z]), (sp.zeta(z), [z]), (z + Z, [z, Z])):
        with pytest.raises(NotEnclosed):
            ball_function(expr, names)
    with pytest.raises(ValueError, match="1 values expected, 2 given"):
        ball_function(z, [z])(1, 2)


@settings(max_examples=100, deadline=None)
@example(F(1), 1023, 30)
@example(F(2**60 - 1, 2**60), 1024, 128)
@example(F(-1), -1023, 53)
@example(F(1, 3), -1074, 53)
@given(st.fractions(), st.integers(-1090, 1060), bits)
def test_printed_doubles_lie_outside_the_ball(x: Fraction, exponent: int, b: int) -> None:
    exact = x * F(2) ** exponent
    with precision(b):
        found = ball(exact)
        below, above = float_below(found), float_above(found)
    assert below <= exact <= above


def test_ends_too_close_to_zero_to_be_written_out_are_moved_outward() -> None:
    tiny = (-(ball(2) ** 61)).exp()
    assert lower(tiny) == 0 < upper(tiny) < F(1, 2**99_999)
    assert lower(-tiny) < 0 == upper(-tiny)


# --- jets ------------------------------------------------------------------------------------------------


def rational_series(expr: sp.Expr, length: int) -> list[Fraction]:
    """The Taylor coefficients at 0 as SymPy's exact series gives them."""
    polynomial = sp.series(expr, z, 0, length).removeO()
    return [F(int(c.p), int(c.q)) for c in (polynomial.coeff(z, k) for k in range(length))]


JETS = [f(z) for f in (sp.exp, sp.sin, sp.tanh, sp.atan, sp.sech)]
JETS += [sp.log(1 + z), 1 / (1 - z), sp.sqrt(1 + z), (1 + z) ** sp.Rational(-2, 3), sp.besseli(0, z)]
REMOVABLE = [sp.sinh(z) / z, (sp.exp(z) - 1) / z, (1 - sp.cos(z)) / z**2, z / sp.sin(z), sp.log(1 + z) / z]
REMOVABLE += [z * sp.coth(z), sp.besseli(1, z) / z]


@pytest.mark.parametrize("expr", [*JETS, *REMOVABLE], ids=str)
def test_jets_contain_the_exact_power_series_also_across_removable_singularities(expr: sp.Expr) -> None:
    jet = jet_function(expr, z)
    exact = rational_series(expr, 6)
    for around in (ball(0), hull(F(-1, 50), F(1, 30))):
        for found, c in zip(jet(around, 6), exact, strict=True):
            assert found.is_finite()
            assert lower(found) <= c <= upper(found)


@pytest.mark.parametrize("expr", REMOVABLE, ids=str)
def test_a_jet_across_a_removable_singularity_contains_the_values_beside_it(expr: sp.Expr) -> None:
    over = jet_function(expr, z)(hull(F(-1, 4), F(1, 4)), 2)
    f, slope = ball_function(expr, [z]), ball_function(sp.diff(expr, z), [z])
    for k in (-4, -1, 1, 3, 4):
        x = F(k, 16)
        assert over[0].contains(f(x).mid())
        assert over[1].contains(slope(x).mid())


def test_a_jet_across_a_zero_of_the_denominator_at_a_third_is_resolved() -> None:
    w = z - sp.Rational(1, 3)
    over = jet_function((sp.exp(w) - 1) / w, z)(hull(F(1, 4), F(1, 2)), 3)
    assert all(c.contains(arb(exact)) for c, exact in zip(over, (1, arb(1) / 2, arb(1) / 6), strict=True))


def test_what_is_undefined_has_no_finite_jet() -> None:
    for expr in (sp.log(z), 1 / z, sp.sqrt(z), z ** sp.Rational(1, 3), sp.asin(2 * z), sp.gamma(z), sp.coth(z)):
        assert not any(c.is_finite() for c in jet_function(sp.atan(expr), z)(hull(-1, 1), 3))
    for expr in (sp.Abs(z), sp.Max(z, 0), sp.asinh(z), sp.polygamma(1, z)):
        with pytest.raises(NotEnclosed):
            jet_function(expr, z)


# --- integrals -------------------------------------------------------------------------------------------

INTEGRALS: list[tuple[sp.Expr, int, int, sp.Expr | None]] = [
    (sp.exp(z), 0, 1, sp.E - 1), (1 / (1 + z**2), -1, 1, sp.pi / 2), (sp.sqrt(z), 1, 9, sp.Rational(52, 3)),
    (z ** sp.Rational(1, 3), 1, 8, sp.Rational(45, 4)), (z**z, 1, 2, None),
    (sp.loggamma(z), 1, 2, sp.log(2 * sp.pi) / 2 - 1), (sp.log(sp.cosh(z)), -2, 3, None),
    (sp.besseli(1, z), 0, 2, sp.besseli(0, 2) - 1), (sp.Max(z, 0), -1, 2, sp.Integer(2)),
    (sp.Abs(sp.sin(z)), 0, 6, 3 + sp.cos(6)),
]  # fmt: skip


@pytest.mark.parametrize(("f", "low", "high", "value"), INTEGRALS, ids=str)
def test_an_integral_is_enclosed(f: sp.Expr, low: int, high: int, value: sp.Expr | None) -> None:
    found = integral(f, z, low, high)
    assert found is not None
    assert found.rad() < arb(10) ** -9
    with mpmath.workdps(50):
        numeric = mpmath.quad(sp.lambdify(z, f, "mpmath"), mpmath.linspace(low, high, 9))
        true = numeric if value is None else mpmath.mpf(sp.N(value, 50))
    assert abs(lower(found) - Fraction(mpmath.nstr(true, 30))) < F(1, 10**9)


def test_functions_with_a_cut_or_kink_are_not_finite_where_they_are_not_holomorphic() -> None:
    across = acb(arb(-1).union(arb(1)), arb(-1).union(arb(1)))
    left = acb(arb(-2), arb(-1).union(arb(1)))
    cut = (sp.sqrt(z), sp.log(z), z ** sp.Rational(1, 3), sp.loggamma(z))
    for f in (*cut, sp.Abs(z), z**z, sp.Max(z, 0), sp.Min(z, 0)):
        assert not complex_function(f, z)(across, True).is_finite()
    for f in cut:
        assert not complex_function(f, z)(left, True).is_finite()


def test_an_empty_interval_has_the_integral_zero() -> None:
    assert integral(sp.exp(z), z, 1, 1) == 0


def test_loggamma_has_a_cut_between_its_poles_too() -> None:
    f = complex_function(sp.loggamma(z), z)
    between = acb(arb(-5) / 2, arb(-1).union(arb(1)))
    assert not f(between, True).is_finite()
    assert f(acb(arb(1) / 4, arb(-1).union(arb(1)) / 9), True).is_finite()
    assert f(acb(arb(-5) / 2, arb(1)), False).is_finite()


def test_what_cannot_be_integrated_is_refused_or_not_enclosed() -> None:
    assert all(integral(f, z, F(-1, 2), 1) is None for f in (1 / z, sp.tan(4 * z)))
    for f in (sp.atan(z), sp.floor(z), z * y, z * sp.Float("0.1")):
        with pytest.raises(NotEnclosed):
            integral(f, z, 0, 1)
    for f, low in ((z, 2), (sp.log(-z), F(1, 2))):
        with pytest.raises(BadInput):
            integral(f, z, low, 1)
