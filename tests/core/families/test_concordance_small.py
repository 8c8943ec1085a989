"""The constants of a link at one radius each, against maxima that 40 digits find."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import mpmath
import pytest
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.concordance import Constant, L_mu, R_s, R_s_global, bend, kappa
from glbcheck.core.family import Family, from_log_partition, z

Function = Callable[[mpmath.mpf], mpmath.mpf]
DIGITS = 110  # the slope of the mean is 1e-47 at times
POINTS = 60
BESIDE = mpmath.mpf(10) ** -12  # where a formula that is not defined at 0 is


def largest(f: Function, S: Fraction) -> mpmath.mpf:
    """The largest value on [-S, S]: the best of some points, and what is found beside it."""
    radius = mpmath.mpf(S.numerator) / S.denominator
    points = max(POINTS, 15 * int(S))
    step = radius / points
    best = max((step * k + BESIDE for k in range(-points, points)), key=f)
    low, high = max(best - step, -radius), min(best + step, radius)
    for _ in range(60):
        a, b = low + (high - low) * mpmath.mpf("0.37"), high - (high - low) * mpmath.mpf("0.37")
        low, high = (a, high) if f(a) < f(b) else (low, b)
    return max(f(low or BESIDE), f(high or BESIDE), f(best))


def brackets(found: Constant, truth: mpmath.mpf) -> bool:
    slack = truth * mpmath.mpf(10) ** -20
    return bool(found.lower <= truth + slack and truth - slack <= found.upper)


def agrees(family: Family, S: Fraction, second: Function, third: Function) -> None:
    with mpmath.workdps(DIGITS):
        truths: list[tuple[Callable[[Family, object], Constant], Function]] = [
            (L_mu, second), (kappa, lambda x: 1 / second(x)), (R_s, lambda x: abs(third(x)) / second(x)),
        ]  # fmt: skip
        for constant, f in truths:
            found = constant(family, S)
            assert brackets(found, largest(f, S))
            assert found.upper - found.lower <= 1e-9 * found.lower
        bent = bend(family, S)
        assert brackets(bent, largest(lambda x: abs(third(x)), S))
        assert bent.upper <= L_mu(family, S).upper * R_s(family, S).upper * (1 + 1e-9)
        assert S > 16 or bent.upper - bent.lower <= 1e-9 * bent.lower


CASES = [
    ("log(1 + exp z)", sp.log(1 + sp.exp(z))), ("an uneven sum", sp.log(1 + sp.exp(z) / 7 + 3 * sp.exp(2 * z))),
    ("far apart", sp.log(1 + sp.exp(5 * z) / 10**4 + sp.exp(z))), ("cosh", sp.cosh(z)),
    ("exp and a square", sp.exp(z) + z**2), ("uniform", sp.log(sp.sinh(z) / z)),
    ("half as fast", 2 * sp.log(1 + sp.exp(z / 2)) - z),
]  # fmt: skip
RADII = [Fraction(1, 3), Fraction(11), Fraction(30)]


@pytest.mark.parametrize("S", RADII, ids=str)
@pytest.mark.parametrize(("name", "m"), CASES, ids=[name for name, _ in CASES])
def test_the_constants_of_an_interval_are_those_that_many_digits_find(name: str, m: sp.Expr, S: Fraction) -> None:
    family = from_log_partition(name, m)
    second, third = (sp.lambdify(z, e, "mpmath", cse=True) for e in (family.dmu_expr, family.ddmu_expr))
    agrees(family, S, second, third)


@pytest.mark.parametrize("S", [Fraction(3), Fraction(18)], ids=str)
def test_the_constants_of_the_von_mises_link_are_those_of_its_differential_equation(S: Fraction) -> None:
    """The mean A solves A' = 1 - A/z - A²."""

    def slopes(x: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
        mean = mpmath.besseli(1, x) / mpmath.besseli(0, x)
        slope = 1 - mean / x - mean**2
        return slope, mean / x**2 - slope / x - 2 * mean * slope

    known = cache(slopes)
    agrees(catalog.get("von_mises"), S, lambda x: known(x)[0], lambda x: known(x)[1])


S = Fraction(5, 4)


@pytest.mark.parametrize(("m", "constants"), [
    ((3 * sp.S(10) ** 60 + 1) / (4 * sp.S(10) ** 60) * z**2, (L_mu, kappa)),
    (sp.exp((3 * sp.S(10) ** 60 + 1) / (2 * sp.S(10) ** 60) * z), (R_s, lambda family, S: R_s_global(family))),
], ids=["slope", "ratio"])  # fmt: skip
def test_what_is_constant_but_too_long_to_write_is_still_bracketed(
    m: sp.Expr, constants: tuple[Callable[[Family, object], Constant], ...]
) -> None:
    value = 3 * mpmath.mpf(1) / 2
    for constant in constants:
        found = constant(from_log_partition("long", m), 1)
        assert (found.exact, found.attained) == (None, "everywhere")
        truth = 1 / value if constant is kappa else value
        assert found.lower <= truth <= found.upper <= math.nextafter(math.nextafter(found.lower, math.inf), math.inf)


TINY = sp.Rational(1, 10**5)
NEAR_POLE, FAR_POLE = sp.Rational(1, 500), sp.Rational(1, 400)


@pytest.mark.parametrize(("m", "constant", "end"), [
    (5 * z**2 + TINY * z**4 / 12 - z**6 / 30, L_mu, sp.S(2)),
    (5 * z**2 + z**3 / 6 + TINY * z**5 / 60 - z**7 / 210, bend, sp.S(2)),
    # The slope is ((b + z)/(b - z))² (a - z)/(a + z): the ratio 4b/(b² - z²) - 2a/(a² - z²) is even.
    (-(z**2) / 2 + sp.log(FAR_POLE - z) / 360000 + sp.Rational(49, 8100) * (FAR_POLE - z) * sp.log(FAR_POLE - z)
     + (NEAR_POLE + z) * sp.log(NEAR_POLE + z) / 20250, R_s, NEAR_POLE),
], ids=["slope", "bend", "ratio"])  # fmt: skip
def test_two_maxima_close_to_0_are_not_taken_for_one_at_0(
    m: sp.Expr, constant: Callable[[Family, object], Constant], end: sp.Rational
) -> None:
    """10 + z²/10^5 - z⁴ and the like are even and largest on both sides of 0."""
    found = constant(from_log_partition("even", m, sp.Interval.open(-end, end)), end / 2)
    assert (found.exact, found.attained[:4]) == (None, "near")


@pytest.mark.parametrize("k", [1000, 5000])
def test_the_whole_line_may_need_a_half_line_that_begins_far_out(k: int) -> None:
    """The ratio of z² + z⁴/k is largest at sqrt(k/6)."""
    found = R_s_global(from_log_partition("quartic", z**2 + z**4 / k))
    with mpmath.workdps(DIGITS):
        assert brackets(found, mpmath.sqrt(mpmath.mpf(6) / k))
    assert math.isclose(float(found.attained.removeprefix("near |z| = ")), math.sqrt(k / 6), rel_tol=1e-4)


def test_no_bend_is_said_to_be_none_and_a_far_one_is_only_bounded() -> None:
    flat = bend(catalog.get("gaussian"), 3)
    assert (flat.exact, flat.lower, flat.upper, flat.attained) == (None, 0.0, 0.0, "not located")
    far = bend(catalog.get("poisson"), 17)
    assert (far.lower, far.attained) == (0.0, "not located")
    assert math.exp(17) <= far.upper <= math.exp(17) * (1 + 1e-12)
    near = bend(catalog.get("poisson"), 16)
    assert near.attained != "not located"
    assert near.lower <= mpmath.exp(16) <= near.upper


@pytest.mark.parametrize(("m", "value", "words"), [
    (sp.exp(z) + z**2, 1, "only as z -> oo"), (sp.exp(-z) + z**2, 1, "only as z -> -oo"),
    (sp.log(1 + sp.exp(z)), 1, "only as |z| -> oo"), (sp.exp(z**2 / 2), math.inf, "unbounded as z -> oo"),
    (sp.exp(3 * z) + sp.exp(z), 3, "only as z -> oo"), (z**2, 0, "everywhere"),
])  # fmt: skip
def test_the_constant_of_the_whole_line_may_be_a_limit(m: sp.Expr, value: float, words: str) -> None:
    found = R_s_global(from_log_partition("line", m))
    assert (found.lower, found.upper, found.attained) == (value, value, words)


@pytest.mark.parametrize(("m", "domain", "words"), [
    (-sp.log(1 - z), sp.Interval.open(-sp.oo, 1), "unbounded as z -> 1"),
    (-sp.log(2 + z), sp.Interval.open(-2, sp.oo), "unbounded as z -> -2"),
    (1 / (1 - z), sp.Interval.open(-sp.oo, 1), "unbounded as z -> 1"),
])  # fmt: skip
def test_at_a_pole_the_ratio_is_unbounded(m: sp.Expr, domain: sp.Interval, words: str) -> None:
    found = R_s_global(from_log_partition("pole", m, domain))
    assert (found.exact, found.lower, found.upper, found.attained) == ("oo", math.inf, math.inf, words)
