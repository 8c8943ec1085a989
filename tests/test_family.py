"""Every catalogue family is a normalised GLM whose mean and variance are the derivatives of m."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.stats as stats
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from core import catalog
from core.errors import BadInput
from core.family import Family, g, r, z
from tests.oracles import LOG_DENSITY

# Dispersions tried for each rule, and natural parameters tried inside each domain.
DISPERSIONS = {"g = 1": [1.0], "g > 0": [0.25, 1.0, 3.0], "g = 1/n": [1.0, 0.5, 0.125]}
CASES = [
    (name, disp)
    for name in catalog.NAMES
    for disp in DISPERSIONS[catalog.get(name).dispersions.words]
]


def naturals(family: Family) -> list[float]:
    inside = {sp.oo: [-1.3, 0.4, 1.1], sp.S.Zero: [-2.5, -0.9, -0.2]}
    return inside.get(family.domain.sup, [-1.1, 0.3, 1.2])


def expectation(family: Family, f: object, at: float, disp: float) -> mpmath.mpf:
    """E[f(r)] by direct summation or quadrature of the symbolic density at 30 digits."""
    at_q, disp_q = sp.Rational(at), sp.Rational(disp)
    density = sp.lambdify(r, sp.exp(family.log_density_expr.subs({z: at_q, g: disp_q})), "mpmath")
    low, high = (e.subs(g, disp_q) for e in (family.support.lower, family.support.upper))
    with mpmath.workdps(30):
        if family.support.step is not None:
            step = family.support.step.subs(g, disp_q)
            origin = low if low.is_finite else sp.S.Zero
            values = []
            for direction in (+1, -1) if not low.is_finite else (+1,):
                k = 0 if direction > 0 else -1
                while origin + k * step <= high and abs(k) < 4000:
                    point = mpmath.mpmathify(origin + k * step)
                    term = density(point) * f(point)  # type: ignore[operator]
                    values.append(term)
                    if abs(k) > 60 and abs(term) < mpmath.mpf(10) ** -25:
                        break
                    k += direction
            return mpmath.fsum(mpmath.re(v) for v in values)
        mean, spread = float(family.mu(at)), float(np.sqrt(disp * family.dmu(at)))
        cuts = sorted({float(np.clip(mean + c * spread, float(low), float(high))) for c in (-8, -2, 0, 2, 8)})
        ends = [mpmath.mpmathify(low), *cuts, mpmath.mpmathify(high)]
        ends = [e for i, e in enumerate(ends) if i == 0 or e != ends[i - 1]]
        return mpmath.re(mpmath.quad(lambda x: density(x) * f(x), ends))  # type: ignore[operator]


@pytest.mark.parametrize(("name", "disp"), CASES)
def test_density_is_normalised_with_the_derived_mean_and_variance(name: str, disp: float) -> None:
    family = catalog.get(name)
    for at in naturals(family):
        mean, variance = float(family.mu(at)), disp * float(family.dmu(at))
        assert float(expectation(family, lambda x: 1, at, disp)) == pytest.approx(1, rel=1e-9)
        assert float(expectation(family, lambda x: x, at, disp)) == pytest.approx(mean, rel=1e-8, abs=1e-9)
        assert float(
            expectation(family, lambda x, mean=mean: (x - mean) ** 2, at, disp)
        ) == pytest.approx(variance, rel=1e-7)


@pytest.mark.parametrize(("name", "disp"), CASES)
def test_log_density_agrees_with_scipy(name: str, disp: float) -> None:
    if name == "hyperbolic_secant" and disp != 1:
        pytest.skip("SciPy has the hyperbolic secant at g = 1 only; normalisation is tested for every g")
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
    below = [
        float(expectation(family, lambda x, e=e: 1 if x <= e else 0, at, disp))
        if family.support.step is not None
        else _cdf(family, e, at, disp)
        for e in edges
    ]
    expected = np.diff([0.0, *below, 1.0]) * len(draws)
    assert stats.chisquare(observed[expected > 1], expected[expected > 1] * observed[expected > 1].sum()
                           / expected[expected > 1].sum()).pvalue > 1e-4


def _cdf(family: Family, edge: float, at: float, disp: float) -> float:
    """P(r <= edge) of an interval family by substitution of its density into SciPy's quadrature."""
    from scipy.integrate import quad

    low = float(family.support.lower)
    mean, spread = float(family.mu(at)), float(np.sqrt(disp * family.dmu(at)))
    cuts = [c for c in (mean - 30 * spread, mean - 3 * spread, mean) if low < c < edge]
    starts = [low if np.isfinite(low) else mean - 200 * spread, *cuts]
    pieces = zip(starts, [*starts[1:], edge], strict=True)

    def density(x: float) -> float:
        return float(np.exp(family.log_density(x, at, disp)))

    return sum(float(quad(density, a, b, limit=200)[0]) for a, b in pieces if b > a)


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


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: catalog.get("cauchy"), "name"),
        (lambda: catalog.get("binomial", n=0), "n"),
        (lambda: catalog.get("binomial", n=2.5), "n"),
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
        (lambda: catalog.get("exponential").mu(0.5), "z"),
        (lambda: catalog.get("bernoulli").mu(float("nan")), "z"),
        (lambda: catalog.get("bernoulli").mu([0.0, 1e6]), "z"),
        (lambda: catalog.get("exponential").sample(np.random.default_rng(0), 1.0), "z"),
        (lambda: catalog.get("gaussian").sample(np.random.default_rng(0), float("inf")), "z"),
    ],
)
def test_bad_input_names_the_argument_and_what_is_accepted(call: object, argument: str) -> None:
    with pytest.raises(BadInput) as caught:
        call()  # type: ignore[operator]
    assert caught.value.argument == argument
    assert argument in str(caught.value)
    assert len(caught.value.accepted) > 3


def test_names_are_read_kindly() -> None:
    assert catalog.get(" Von-Mises ").name == "von_mises"


def test_a_family_with_a_stray_symbol_is_refused() -> None:
    gaussian = catalog.get("gaussian")
    with pytest.raises(BadInput, match="log_partition"):
        Family("stray", sp.Symbol("q") * z**2, gaussian.support, gaussian.log_base, gaussian.sampler)


@pytest.mark.parametrize("name", catalog.NAMES)
def test_mean_slope_and_curvature_are_derivatives_of_m(name: str) -> None:
    family = catalog.get(name)
    assert family.mu_expr == sp.diff(family.log_partition, z)
    assert family.dmu_expr == sp.diff(family.mu_expr, z)
    assert family.ddmu_expr == sp.diff(family.dmu_expr, z)
