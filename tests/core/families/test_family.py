"""Every catalogue family is a normalised GLM whose mean and variance are the derivatives of m."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.integrate
import scipy.stats as stats
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.enclosure import ball_function, precision
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, g, r, z
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
