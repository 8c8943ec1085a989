"""L_mu, R_s, kappa: certified brackets against closed forms and independent 50-digit optimisation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from glbcheck.core import catalog, concordance
from glbcheck.core.closed_forms import has_pole, magnitude
from glbcheck.core.concordance import Constant, L_mu, R_s, R_s_global, bend, kappa
from glbcheck.core.enclosure import NotEnclosed, precision
from glbcheck.core.enclosure.asymptotics import ratio_tail
from glbcheck.core.enclosure.extrema import Unresolved
from glbcheck.core.enclosure.tails import bessel_ratio_tail
from glbcheck.core.errors import BadInput
from glbcheck.core.expression import parse
from glbcheck.core.family import Family, from_log_partition, z

USABLE = [f for f in catalog.every() if f.domain.contains(0) and 0 in f.domain.interior]
HALF_LINE = [f for f in catalog.every() if f not in USABLE]
EVERYWHERE = [*USABLE, *(f.tilted(3) for f in HALF_LINE)]


def radii(family: Family) -> list[Fraction]:
    if family.domain.sup == 3:
        return [Fraction(1, 2), Fraction(2)]
    if family.domain.sup == sp.oo:
        return [Fraction(1, 10), Fraction(3), Fraction(40)]
    return [Fraction(1, 2), Fraction(3, 2)]


def on_grid(family: Family, S: Fraction) -> tuple[float, float, float]:
    """sup mu', 1/inf mu' and sup |mu''|/mu' on a fine grid: a little too small, never too large."""
    points = np.unique(np.concatenate([np.linspace(-float(S), float(S), 4001), np.linspace(-6, 6, 4001)]))
    points = points[np.abs(points) <= float(S)]
    slope, bend = family.dmu(points), family.ddmu(points)
    return float(slope.max()), float(1 / slope.min()), float(np.max(np.abs(bend) / slope))


@pytest.mark.parametrize("family", EVERYWHERE, ids=lambda f: f.name)
def test_brackets_are_narrow_and_contain_what_a_grid_sees(family: Family) -> None:
    for S in radii(family):
        for constant, seen in zip((L_mu, kappa, R_s), on_grid(family, S), strict=True):
            c = constant(family, S)
            assert c.upper - c.lower <= 1e-9 * c.lower
            assert seen <= c.upper * (1 + 1e-12)
            assert c.lower <= seen * (1 + 1e-5) + 1e-300
            if c.exact is not None and S < 10:  # exp(exp(40)) is more than the formula reader takes
                assert c.lower <= sp.N(parse(c.exact, []), 50) <= c.upper


# Closed forms derived by hand, as functions of S.
BY_HAND = {
    ("bernoulli", R_s): lambda S: mpmath.tanh(S / 2), ("bernoulli", kappa): lambda S: 2 + 2 * mpmath.cosh(S),
    ("bernoulli", L_mu): lambda S: mpmath.mpf(1) / 4, ("poisson", L_mu): mpmath.exp, ("poisson", kappa): mpmath.exp,
    ("rademacher", R_s): lambda S: 2 * mpmath.tanh(S), ("rademacher", kappa): lambda S: mpmath.cosh(S) ** 2,
    ("skellam", R_s): mpmath.tanh, ("skellam", L_mu): mpmath.cosh,
    ("uniform", kappa): lambda S: 1 / (1 / S**2 - 1 / mpmath.sinh(S) ** 2),
    ("von_mises", L_mu): lambda S: mpmath.mpf(1) / 2,
}  # fmt: skip


@pytest.mark.parametrize(("name", "constant"), BY_HAND)
@pytest.mark.parametrize("S", ["1/100", "1", "7/2", "30", "200"])
def test_closed_forms_derived_by_hand_are_bracketed(name: str, constant: object, S: str) -> None:
    c: Constant = constant(catalog.get(name), S)  # type: ignore[operator]
    with mpmath.workdps(60):
        value = BY_HAND[name, constant](mpmath.mpf(Fraction(S).numerator) / Fraction(S).denominator)  # type: ignore[index]
        assert c.lower <= value <= c.upper
    assert c.upper - c.lower <= 1e-9 * c.lower


def interior_maximum(family: Family, near: float) -> mpmath.mpf:
    """The local maximum of |mu''/mu'| by 50-digit Newton on its derivative."""
    ratio = family.ddmu_expr / family.dmu_expr
    f, slope = sp.lambdify(z, ratio, "mpmath"), sp.lambdify(z, sp.diff(ratio, z), "mpmath")
    with mpmath.workdps(50):
        return abs(f(mpmath.findroot(slope, near)))


GLOBAL = {
    "gaussian": (0, "everywhere"), "bernoulli": (1, "only as |z| -> oo"), "binomial": (1, "only as |z| -> oo"),
    "binomial_proportion": (1, "only as |z| -> oo"), "poisson": (1, "everywhere"),
    "scaled_poisson": (1, "everywhere"), "negative_binomial": (math.inf, "unbounded as z -> 0"),
    "geometric": (math.inf, "unbounded as z -> 0"), "exponential": (math.inf, "unbounded as z -> 0"),
    "gamma": (math.inf, "unbounded as z -> 0"), "inverse_gaussian": (math.inf, "unbounded as z -> 0"),
    "von_mises": (2.02, "near |z| = 2.01862"), "uniform": (2.49, "near |z| = 2.49377"),
    "continuous_bernoulli": (4.99, "near |z| = 4.98753"), "rademacher": (2, "only as |z| -> oo"),
    "skellam": (1, "only as |z| -> oo"), "zero_truncated_poisson": (0.67, "near z = 0.67113"),
    "truncated_poisson": (2.61, "near z = 2.60727"), "hyperbolic_secant": (math.inf, "unbounded as z -> pi/2"),
}  # fmt: skip


@pytest.mark.parametrize("name", catalog.NAMES)
def test_global_self_concordance_and_where_it_is_attained(name: str) -> None:
    family = catalog.get(name)
    c = R_s_global(family)
    value, words = GLOBAL[name]
    assert c.attained == words
    truth = interior_maximum(family, value) if words.startswith("near") else value
    assert c.lower <= truth <= c.upper
    assert math.isinf(c.upper) or c.upper - c.lower <= 1e-9 * c.lower


@pytest.mark.parametrize("lie", [sp.oo, sp.Integer(7), sp.nan], ids=str)
def test_a_limit_that_sympy_gets_wrong_changes_no_constant(lie: sp.Expr, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sp, "limit", lambda *asked, **how: lie)
    monkeypatch.setattr(sp.Expr, "limit", lambda *asked, **how: lie)
    concordance._ratio_or_reason.cache_clear()
    for name, (value, words) in GLOBAL.items():
        if words.startswith("unbounded"):
            assert R_s_global(catalog.get(name)) == Constant("oo", value, value, words)
    bounded = replace(catalog.get("gaussian"), name="quartic", log_partition=z**2 + z**4, domain=sp.Interval(-1, 1))
    with pytest.raises(NotEnclosed):
        R_s_global(bounded)


# Families that nobody put into the catalogue: m, S, and the largest |mu''|/mu' on [-S, S] and on the line.
STRANGERS = [
    (sp.exp(z) + z**2, 30, 1.0, "only as z -> oo"),
    (sp.log(1 + sp.exp(z) + sp.exp(2 * z)), 30, None, "near |z| = 2.34622"),
    (z**2 / 2 + sp.log(sp.cosh(z)), 30, None, "near |z| = 0.79664"),
    (z**2 / 2 + sp.log(sp.besseli(0, z)), 30, None, "near |z| = 1.14295"),
]


@pytest.mark.parametrize(("m", "S", "limit", "words"), STRANGERS, ids=lambda x: str(x).replace(" ", ""))
def test_families_outside_the_catalogue_need_no_special_case(
    m: sp.Expr, S: int, limit: float | None, words: str
) -> None:
    gaussian = catalog.get("gaussian")
    family = Family("stranger", m, gaussian.support, gaussian.log_base, gaussian.sampler)
    whole = R_s_global(family)
    assert whole.attained == words
    seen = on_grid(family, Fraction(S))[2]
    truth = limit if limit is not None else interior_maximum(family, float(words.split("= ")[1]))
    assert whole.lower <= truth <= whole.upper
    assert R_s(family, S).lower <= seen * (1 + 1e-5)
    assert seen <= R_s(family, S).upper * (1 + 1e-12)


def test_a_constant_that_balls_do_not_know_is_no_closed_form() -> None:
    gaussian = catalog.get("gaussian")
    domain = sp.Interval.open(-1, sp.oo)
    family = Family("log-gamma", sp.loggamma(1 + z), gaussian.support, gaussian.log_base, gaussian.sampler, domain)
    c = R_s(family, "1/2")
    truth = -sp.N(sp.polygamma(2, sp.Rational(1, 2)) / sp.polygamma(1, sp.Rational(1, 2)), 40)
    assert c.lower <= truth <= c.upper


def test_a_half_line_family_becomes_usable_by_tilting() -> None:
    family = catalog.get("exponential")
    with pytest.raises(BadInput, match=r"S = 1 .* lives on \(-oo, 0\)"):
        R_s(family, 1)
    c = R_s(family.tilted(2), 1)
    assert c.as_dict() == {"exact": "2", "lower": c.lower, "upper": c.upper}
    assert c.attained == "at z = S"
    assert c.lower <= 2 <= c.upper


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), "wide", None, True])
def test_a_bad_radius_is_refused(bad: object) -> None:
    for constant in (L_mu, kappa, R_s):
        with pytest.raises(BadInput, match=r"^S = "):
            constant(catalog.get("bernoulli"), bad)


@pytest.mark.parametrize("name", ["von_mises", "uniform", "zero_truncated_poisson", "truncated_poisson", "skellam"])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_enclosure_of_a_half_line_contains_far_values(name: str, side: int) -> None:
    family = catalog.get(name)
    with precision(256):
        tail = ratio_tail(family.log_partition, z, side, 16)
    for at in (16.0, 25.0, 100.0, 700.0):
        ratio = float(family.ddmu(side * at) / family.dmu(side * at))
        low, high = float(tail.values.lower()), float(tail.values.upper())
        assert low - 1e-12 <= ratio <= high + 1e-12
        assert tail.sign in (0, np.sign(ratio))


@pytest.mark.parametrize("start", [8, 16, 64])
def test_bessel_ratio_expansion_contains_the_ratio_beyond_its_start(start: int) -> None:
    with precision(200):
        coefficients = bessel_ratio_tail(start, 5)
    with mpmath.workdps(40):
        for at in (start, start + 0.5, 2 * start, 50 * start):
            ratio = mpmath.besseli(1, at) / mpmath.besseli(0, at)
            ends = [[e.mid().str(40, radius=False) for e in (c.lower(), c.upper())] for c in coefficients]
            low, high = (
                sum(mpmath.mpf(str(end)) * mpmath.mpf(at) ** -k for k, end in enumerate(side))
                for side in zip(*ends, strict=True)
            )
            assert low - mpmath.mpf(10) ** -30 <= ratio <= high + mpmath.mpf(10) ** -30


def test_barriers_that_start_too_early_are_refused() -> None:
    with pytest.raises(ValueError, match="start later"):
        bessel_ratio_tail(1, 8)


# --- sums of exponentials with scales far apart -------------------------------------------------------------

FAR_APART = [
    "log(1+exp(z)+exp(3*z)+exp(2*z)/10**6)",
    "log(1+exp(z)+exp(3*z)+exp(2*z)/10**12)",
    "log(1+exp(z)/10**9+exp(2*z))",
]
# Rare steps beside large ones: earlier versions had a rule of their own for them.
WITHOUT_R_S = ["log(1+exp(10*z)+exp(z)/1000)", "2*log(exp(-z)+exp(z/2)/10**8+exp(5*z))+z"]


@pytest.mark.parametrize("text", [*FAR_APART, *WITHOUT_R_S])
def test_a_sum_of_exponentials_with_scales_far_apart_has_no_global_constant(text: str) -> None:
    with pytest.raises((NotEnclosed, Unresolved)):
        R_s_global(from_log_partition("sum", parse(text, {"z": z}), sp.S.Reals))


@pytest.mark.parametrize("text", WITHOUT_R_S)
def test_rare_steps_beside_large_ones_leave_the_constant_unresolved(text: str) -> None:
    with pytest.raises(Unresolved):
        R_s(from_log_partition("sum", parse(text, {"z": z}), sp.S.Reals), 3)


@pytest.mark.parametrize("text", FAR_APART)
def test_the_constant_of_a_sum_of_exponentials_is_what_many_digits_see(text: str) -> None:
    m = parse(text, {"z": z})
    found = R_s(from_log_partition("sum", m, sp.S.Reals), 3)
    derivatives = sp.lambdify(z, [sp.diff(m, z, k) for k in (2, 3)], "mpmath", cse=True)
    with mpmath.workdps(100):
        points = [mpmath.mpf(k) / 200 for k in range(-600, 601)]
        seen = max(abs(third / second) for second, third in map(derivatives, points))
    assert seen <= found.upper
    assert found.lower <= seen * (1 + 1e-3)
    assert found.upper - found.lower <= 1e-9 * found.upper


# --- one radius, against maxima that 110 digits find --------------------------------------------------------

Function = Callable[[mpmath.mpf], mpmath.mpf]
BESIDE = mpmath.mpf(10) ** -12  # where a formula that is not defined at 0 is


def largest(f: Function, S: Fraction) -> mpmath.mpf:
    """The largest value on [-S, S]: the best of some points, and what is found beside it."""
    radius = mpmath.mpf(S.numerator) / S.denominator
    points = max(60, 15 * int(S))
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
    with mpmath.workdps(110):
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


@pytest.mark.parametrize("S", [Fraction(1, 3), Fraction(11)], ids=str)
@pytest.mark.parametrize(
    "m", [sp.log(1 + sp.exp(z) / 7 + 3 * sp.exp(2 * z)), sp.exp(z) + z**2, 2 * sp.log(1 + sp.exp(z / 2)) - z], ids=str
)
def test_the_constants_of_an_interval_are_those_that_many_digits_find(m: sp.Expr, S: Fraction) -> None:
    family = from_log_partition("family", m)
    second, third = (sp.lambdify(z, e, "mpmath", cse=True) for e in (family.dmu_expr, family.ddmu_expr))
    agrees(family, S, second, third)


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
    with mpmath.workdps(110):
        assert brackets(found, mpmath.sqrt(mpmath.mpf(6) / k))
    assert math.isclose(float(found.attained.removeprefix("near |z| = ")), math.sqrt(k / 6), rel_tol=1e-4)


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


# --- short exact values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("expr", "point", "value"), [
    (sp.tanh(z), Fraction(-2), sp.tanh(2)), (-sp.exp(z), Fraction(-2), sp.exp(-2)),
    (z**3, Fraction(-1, 2), sp.Rational(1, 8)), ((sp.cosh(z) - 1) / z**2, Fraction(0), sp.Rational(1, 2)),
    ((sp.exp(z) - 1 - z) / z**3, Fraction(0), None), (sp.zeta(z + 3), Fraction(0), None),
    (1 / z, Fraction(0), None), (sp.log(2 + z) / z, Fraction(0), None),
    (sp.Add(*(sp.exp(z / k) for k in range(3, 30))), Fraction(1, 7), None),
])  # fmt: skip
def test_the_size_of_a_formula_at_a_point_is_exact_or_not_said(
    expr: sp.Expr, point: Fraction, value: sp.Expr | None
) -> None:
    assert magnitude(expr, point) == value


def test_no_pole_at_zero_is_seen_where_there_is_none() -> None:
    others = (z, sp.exp(z), sp.sin(z) / z, sp.log(z), sp.zeta(z), 1 / (z - sp.Rational(1, 8)))
    assert all(has_pole(f) for f in (1 / z, 1 / z**2 + sp.exp(z), 1 / sp.sin(z), -5 / z**3))
    assert not any(has_pole(f) for f in others)


def test_the_global_constant_of_a_long_truncated_poisson_law() -> None:
    """Against cumulants from its masses; no rational function of e^z of degree 36 is brought to lowest terms."""
    found = R_s_global(catalog.get("truncated_poisson", n=12))
    k = np.arange(13)
    weights = np.array([1 / math.factorial(int(j)) for j in k])
    p = weights * np.exp(np.linspace(0, 6, 20_001)[:, None] * k)
    p /= p.sum(axis=1, keepdims=True)
    centred = k - (p @ k)[:, None]
    ratio = np.abs((p * centred**3).sum(axis=1)) / (p * centred**2).sum(axis=1)
    assert found.lower <= ratio.max() * (1 + 1e-9)
    assert found.upper == pytest.approx(ratio.max(), rel=1e-6)
