"""Every catalogue family is a normalised GLM whose mean and variance are the derivatives of m."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.integrate
import scipy.special as special
import scipy.stats as stats
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.catalog import spelled
from glbcheck.core.density import log_base_function
from glbcheck.core.divergences import bregman_expr, chi2_expr, kl_expr
from glbcheck.core.enclosure import ball_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, from_log_partition, g, r, z
from glbcheck.core.support import Support
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.oracles.densities import LOG_DENSITY

integrate: Any = scipy.integrate.quad

# Dispersions tried for each rule, and natural parameters tried inside each domain.
DISPERSIONS = {"g = 1": [1.0], "g > 0": [0.25, 1.0, 3.0], "g = 1/n": [1.0, 0.5, 0.125]}
CASES = [(name, disp) for name in catalog.NAMES for disp in DISPERSIONS[catalog.get(name).dispersions.words]]


def naturals(family: Family) -> list[float]:
    inside = {sp.oo: [-1.3, 0.4, 1.1], sp.S.Zero: [-2.5, -0.9, -0.2]}
    return inside.get(family.domain.sup, [-1.1, 0.3, 1.2])


def lattice(family: Family, at: float, disp: float) -> NDArray[np.float64]:
    """The points of a discrete support that carry all but a negligible part of the mass."""
    low, high = (e.subs(g, disp) for e in (family.support.lower, family.support.upper))
    assert family.support.step is not None
    step = float(family.support.step.subs(g, disp))
    mean, spread = float(family.mu(at)), float(np.sqrt(disp * family.dmu(at)))
    origin = float(low) if low.is_finite else 0.0
    first = 0 if low.is_finite else int((mean - 60 * spread - 60 * step) / step)
    last = round((float(high) - origin) / step) if high.is_finite else int((mean + 60 * spread) / step) + 60
    return np.asarray(origin + step * np.arange(first, last + 1), dtype=float)


def moments(family: Family, at: float, disp: float, upto: float = np.inf) -> list[float]:
    """Mass, mean and second moment of rewards at most `upto`, by direct summation or quadrature."""

    def weighted(x: Any, power: int) -> Any:
        return np.exp(family.log_density(x, at, disp)) * np.asarray(x) ** power

    if family.support.step is not None:
        points = lattice(family, at, disp)
        points = points[points <= upto]
        return [float(np.sum(weighted(points, k))) for k in range(3)]
    low, high = float(family.support.lower), min(float(family.support.upper), upto)
    mean, spread = float(family.mu(at)), float(np.sqrt(disp * family.dmu(at)))
    cuts = sorted(c for c in mean + spread * np.array([-40, -8, -2, 0, 2, 8, 40, 200]) if low < c < high)
    ends = [max(low, mean - 200 * spread), *cuts, min(high, mean + 600 * spread)]
    return [
        float(sum(integrate(weighted, a, b, args=(k,), limit=400, epsrel=1e-10)[0] for a, b in pairwise(ends)))
        for k in range(3)
    ]


@pytest.mark.parametrize(("name", "disp"), CASES)
def test_density_is_normalised_with_the_derived_mean_and_variance(name: str, disp: float) -> None:
    family = catalog.get(name)
    for at in naturals(family):
        mass, first, second = moments(family, at, disp)
        mean, variance = float(family.mu(at)), disp * float(family.dmu(at))
        assert mass == pytest.approx(1, rel=1e-8)
        assert first == pytest.approx(mean, rel=1e-7, abs=1e-8)
        assert second - first**2 == pytest.approx(variance, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "disp"),
    # SciPy has the hyperbolic secant at g = 1 only; its normalisation is tested above for every g.
    [case for case in CASES if case[0] != "hyperbolic_secant" or case[1] == 1],
)
def test_log_density_agrees_with_scipy(name: str, disp: float) -> None:
    family = catalog.get(name)
    rng = np.random.default_rng(7)
    for at in naturals(family):
        rewards = family.sample(rng, at, disp, size=50)
        ours = family.log_density(rewards, at, disp)
        np.testing.assert_allclose(ours, LOG_DENSITY[name](rewards, at, disp), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "disp"), CASES)
def test_sampler_follows_the_density(name: str, disp: float) -> None:
    """A chi-square test over cells of equal estimated mass, against masses from the density itself."""
    family = catalog.get(name)
    rng = np.random.default_rng(11)
    at = naturals(family)[1]
    draws = family.sample(rng, at, disp, size=4000)
    edges = np.quantile(family.sample(rng, at, disp, size=4000), [0.2, 0.4, 0.6, 0.8])
    edges = np.unique(edges) + 1e-9
    observed = np.bincount(np.searchsorted(edges, draws), minlength=len(edges) + 1)
    below = [moments(family, at, disp, upto=edge)[0] for edge in edges]
    expected = np.diff([0.0, *below, 1.0])
    likely = expected > 1e-3
    scaled = expected[likely] / expected[likely].sum() * observed[likely].sum()
    assert stats.chisquare(observed[likely], scaled).pvalue > 1e-4


@pytest.mark.parametrize("name", catalog.NAMES)
def test_density_is_zero_outside_the_support(name: str) -> None:
    family = catalog.get(name)
    at = naturals(family)[1]
    outside = [float(e) + s for e, s in ((family.support.lower, -0.5), (family.support.upper, 0.5)) if e.is_finite]
    if family.support.step is not None:
        outside.append(0.317)
    assert all(np.isneginf(family.log_density(x, at)) for x in outside)


@given(st.integers(-40, 40), st.floats(-3, 3))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_skellam_log_density_never_underflows(k: int, at: float) -> None:
    family = catalog.get("skellam")
    value = float(family.log_density(10.0 * k, at))
    with mpmath.workdps(40):
        exact = 10 * k * mpmath.mpf(at) - mpmath.cosh(at) + mpmath.log(mpmath.besseli(abs(10 * k), 1))
    assert value == pytest.approx(float(exact), rel=1e-11)


@pytest.mark.parametrize("name", ["exponential", "negative_binomial", "inverse_gaussian", "geometric", "gamma"])
def test_a_tilted_half_line_family_is_usable_around_zero(name: str) -> None:
    family = catalog.get(name)
    tilted = family.tilted(2)
    assert tilted.domain.sup == 2
    points = np.linspace(-1.5, 1.5, 7)
    np.testing.assert_allclose(tilted.mu(points), family.mu(points - 2), rtol=1e-13)
    rewards = family.sample(np.random.default_rng(3), -1.5, size=5)
    np.testing.assert_allclose(tilted.log_density(rewards, 0.5), family.log_density(rewards, -1.5), rtol=1e-12)
    assert tilted.check_radius("3/2") == Fraction(3, 2)
    with pytest.raises(BadInput, match="tilted"):
        family.check_radius(1)


@pytest.mark.parametrize(("call", "argument"), [
    (lambda: catalog.get("cauchy"), "name"), (lambda: catalog.get("binomial", n=0), "n"),
    (lambda: catalog.get("binomial", n=1) and catalog.get("binomial", n=True), "n"),
    (lambda: catalog.get("bernoulli", n=3), "n"),
    (lambda: catalog.get("bernoulli").check_radius(0), "S"),
    (lambda: catalog.get("bernoulli").check_radius(-1.0), "S"),
    (lambda: catalog.get("bernoulli").check_radius(float("nan")), "S"),
    (lambda: catalog.get("bernoulli").check_radius(float("inf")), "S"),
    (lambda: catalog.get("bernoulli").check_radius("wide"), "S"),
    (lambda: catalog.get("bernoulli").check_radius(None), "S"),
    (lambda: catalog.get("hyperbolic_secant").check_radius(2), "S"),
    (lambda: catalog.get("bernoulli").log_density(1, 0.0, 2.0), "dispersion"),
    (lambda: catalog.get("gaussian").log_density(1, 0.0, float("nan")), "dispersion"),
    (lambda: catalog.get("gaussian").log_density(1, 0.0, -1.0), "dispersion"),
    (lambda: catalog.get("binomial_proportion").check_dispersion(0.3), "dispersion"),
    (lambda: catalog.get("exponential").mu(0.5), "z"), (lambda: catalog.get("bernoulli").mu(float("nan")), "z"),
    (lambda: catalog.get("bernoulli").mu([0.0, 1e6]), "z"),
    (lambda: catalog.get("exponential").sample(np.random.default_rng(0), 1.0), "z"),
    (lambda: catalog.get("gaussian").sample(np.random.default_rng(0), float("inf")), "z"),
])  # fmt: skip
def test_bad_input_names_the_argument_and_what_is_accepted(call: object, argument: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()  # type: ignore[operator]
    assert caught.value.argument == argument
    assert argument in str(caught.value)
    assert len(caught.value.accepted) > 3


@pytest.mark.parametrize("name", catalog.NAMES)
def test_samples_have_the_shape_of_the_parameters(name: str) -> None:
    family, rng = catalog.get(name), np.random.default_rng(5)
    at = naturals(family)[0]
    assert family.sample(rng, at).shape == ()
    assert family.sample(rng, [at, at]).shape == (2,)
    assert family.sample(rng, at, size=(2, 3)).shape == (2, 3)


def test_names_are_read_kindly_and_a_stray_symbol_is_refused() -> None:
    assert catalog.get(" Von-Mises ").name == "von_mises"
    gaussian = catalog.get("gaussian")
    with pytest.raises(BadInput, match="log_partition"):
        Family("stray", sp.Symbol("q") * z**2, gaussian.support, gaussian.log_base, gaussian.sampler)


@pytest.mark.parametrize("n", [10**3, 10**6, 10**12])
def test_a_binomial_law_of_many_trials_is_made_at_once(n: int) -> None:
    family = catalog.get("binomial", n=n)
    assert family.mu(0.0) == pytest.approx(n / 2)
    with precision(128):
        chosen = float(ball_function(family.log_base, [r])(n // 2))
    with mpmath.workdps(40):
        assert chosen == pytest.approx(float(mpmath.loggamma(n + 1) - 2 * mpmath.loggamma(n // 2 + 1)))


# --- averages of hyperbolic secants ---


@pytest.mark.parametrize("disp", [1.0, 0.5, 0.25])
def test_averages_of_hyperbolic_secants_have_densities_that_add_up(disp: float) -> None:
    """Sums over equally spaced points are all but integrals, for a density that is analytic in a strip."""
    family, points = catalog.get("hyperbolic_secant"), np.arange(-30, 30, 0.1)
    for at in (0.0, 0.5):
        weights = 0.1 * np.exp(family.log_density(points, at, disp))
        mean = np.tan(at)
        assert weights.sum() == pytest.approx(1, rel=1e-9)
        assert weights @ points == pytest.approx(mean, abs=1e-8)
        assert weights @ (points - mean) ** 2 == pytest.approx(disp / np.cos(at) ** 2, rel=1e-7)


def test_averages_of_hyperbolic_secants_are_drawn_with_mean_and_variance() -> None:
    family, rng = catalog.get("hyperbolic_secant"), np.random.default_rng(17)
    for disp, at in ((1.0, -1.0), (1.0, 0.6), (0.25, 0.6), (0.25, 0.0)):
        draws = family.sample(rng, at, disp, size=20_000)
        mean, variance = np.tan(at), disp / np.cos(at) ** 2
        squares = (draws - mean) ** 2
        assert abs(draws.mean() - mean) <= 4.5 * (variance / 20_000) ** 0.5
        assert abs(squares.mean() - variance) <= 4.5 * squares.std() / 20_000**0.5


def test_the_base_of_the_hyperbolic_secant_is_a_real_number() -> None:
    """Of two values of log gamma at conjugate points; the density at 0 and g = 1 is sech(pi r/2)/2."""
    base = catalog.get("hyperbolic_secant").log_base
    for reward, disp in ((1.3, 1.0), (-0.4, 0.5)):
        value = complex(base.subs({r: reward, g: disp}).evalf())
        assert abs(value.imag) < 1e-12
        if disp == 1:
            assert value.real == pytest.approx(-np.log(2 * np.cosh(np.pi * reward / 2)))


# --- what a family accepts ---


@pytest.mark.parametrize(("name", "allowed", "refused"), [
    ("bernoulli", [1, 1.0], [0.5, 2, 0, -1, float("nan"), float("inf"), True, "1", None]),
    ("gaussian", [1, 0.25, 1e-300, 1e300], [0, -1, float("nan"), float("inf"), True, "1", None, 1j]),
    ("binomial_proportion", [1, 0.5, 1 / 3, 0.1, 1e-3, 1e-9], [0.3, 2, 1.5, 0, -1, -0.5, float("nan"), float("inf")]),
])  # fmt: skip
def test_only_dispersions_that_make_a_density_are_allowed(name: str, allowed: list[Any], refused: list[Any]) -> None:
    family = catalog.get(name)
    for dispersion in allowed:
        assert family.check_dispersion(dispersion) == dispersion
    for dispersion in refused:
        with pytest.raises(BadInput, match=f"^g = .*{name} needs g "):
            family.check_dispersion(dispersion, "g")


def interval(low: object, high: object) -> Family:
    return from_log_partition("interval", z**2, sp.Interval.open(low, high))


PI_BELOW = Fraction(np.pi / 2)  # the double lies below the true number


@pytest.mark.parametrize(("family", "inside", "beyond", "words"), [
    (catalog.get("hyperbolic_secant"), PI_BELOW, PI_BELOW + Fraction(1, 2**40), "so S < pi/2; try .tilted"),
    (catalog.get("exponential").tilted(3), Fraction(3) - Fraction(1, 10**30), "3.0", "so S < 3; try"),
    (interval(-2, sp.oo), "3/2", 2, "so S < 2"), (interval(-sp.oo, sp.Rational(1, 2)), "0.49", 0.5, "so S < 1/2; try"),
    (interval(1, 3), None, 0.5, "so no S > 0: 0 is not inside"), (interval(-3, -1), None, 0.5, "so no S > 0"),
    (catalog.get("exponential"), None, 1, r"so no S > 0: 0 is not inside \(-oo, 0\)"),
    (catalog.get("gaussian"), "1e300", "x", "a finite number S > 0"),
], ids=range(8))  # fmt: skip
def test_a_radius_lies_inside_the_domain_to_the_last_digit(
    family: Family, inside: Any, beyond: Any, words: str
) -> None:
    assert inside is None or family.check_radius(inside) == Fraction(inside)
    with pytest.raises(BadInput, match=words):
        family.check_radius(beyond)


@pytest.mark.parametrize(("text", "found"), [
    ("poisson", ("poisson", None)), ("Binomial (n = 20)", ("binomial", 20)), ("von-mises", ("von_mises", None)),
    ("scaled poisson", ("scaled_poisson", None)), ("binomial(n=1234567)", None), ("cauchy", None), ("", None),
    ("binomial(k=2)", None), (" truncated_poisson(n=3) ", ("truncated_poisson", 3)),
])  # fmt: skip
def test_a_name_is_read_with_its_n(text: str, found: tuple[str, int | None] | None) -> None:
    assert spelled(text) == found


# --- base densities ---


def test_between_lattice_points_the_density_is_zero_but_for_rounding() -> None:
    """A billionth of a step, or of the number of steps from the origin."""
    lattice = log_base_function(sp.S.Zero, Support(sp.S.Zero, sp.oo, sp.S.One))
    near = np.array([1e-9, 1.1e-9, 1 + 0.9e-9, 1 + 1.1e-9, 2 + 1.9e-9, 2 + 2.1e-9, 1000 + 0.9e-6, 1000 + 1.1e-6])
    np.testing.assert_array_equal(lattice(near, 1.0), [0.0, -np.inf] * 4)
    scaled = log_base_function(r / g, Support(-sp.oo, sp.oo, g))
    np.testing.assert_array_equal(scaled(np.array([-0.6, 0.25, 0.3]), 0.3), [-2.0, -np.inf, 1.0])


def test_a_factorial_that_no_double_holds_is_part_of_a_density() -> None:
    found = catalog.get("binomial", n=200).log_density(np.array([0.0, 37.0, 200.0]), -0.5)
    np.testing.assert_allclose(found, stats.binom(200, special.expit(-0.5)).logpmf([0, 37, 200]), rtol=1e-12)


def test_rewards_of_one_dispersion_each_have_their_own_density() -> None:
    found = catalog.get("gaussian").log_base_density(np.array([1.0, 1.0]), np.array([0.5, 2.0]))
    np.testing.assert_allclose(found, [-1 - np.log(np.pi) / 2, -0.25 - np.log(4 * np.pi) / 2])


# --- divergences: KL and chi^2 from m alone, for any m ---

a, b = sp.symbols("a b", real=True)
m = sp.Function("m")


def test_kl_is_a_bregman_divergence_for_any_log_partition_function() -> None:
    assert sp.expand(kl_expr(m, a, b, g) - bregman_expr(m, b, a) / g) == 0


def test_chi_square_is_the_total_mass_at_the_extrapolated_parameter() -> None:
    """p_a^2/p_b times the density's own normaliser at 2a - b integrates to one."""
    log_p = [(r * t - m(t)) / g for t in (a, b, 2 * a - b)]
    excess = sp.expand(2 * log_p[0] - log_p[1] - log_p[2])
    assert r not in excess.free_symbols
    assert sp.expand((chi2_expr(m, a, b, g) + 1).args[0] - excess) == 0


def test_divergences_of_poisson_laws_are_those_of_the_books() -> None:
    """Of means 2 and 3."""
    two, three, one = sp.log(2), sp.log(3), sp.S.One
    assert sp.simplify(kl_expr(sp.exp, two, three, one) - (3 - 2 + 2 * sp.log(sp.Rational(2, 3)))) == 0
    assert sp.simplify(chi2_expr(sp.exp, two, three, one) - (sp.exp(sp.Rational(4, 3) - 4 + 3) - 1)) == 0
