"""Draws by inversion follow the density, for the families of the catalogue and others, judged by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special as special
import scipy.stats as stats
import sympy as sp
from glbcheck.core import catalog, inversion
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, Support, r, z
from glbcheck.core.inversion import sampler_from_density, substitution

from tests.oracles.densities import LOG_DENSITY

DRAWS = 20_000
LEAST_P = 1e-4


def family(m: sp.Expr, lower: object, upper: object, log_base: object, step: object = None) -> Family:
    """A family as a user states it; its sampler is the one under test."""
    support = Support(sp.S(lower), sp.S(upper), None if step is None else sp.S(step))
    return Family("test", m, support, sp.S(log_base), sampler=lambda rng, at, disp: at)


def stick(u: float) -> np.random.Generator:
    """A generator whose uniform numbers are all u."""

    class Fixed(np.random.Generator):
        def random(self, size: Any = None, *rest: Any, **more: Any) -> Any:
            return np.full(size, u)

    return Fixed(np.random.PCG64(1))


ARCSINE = ("arcsine", catalog.get("von_mises"), 0.0, 1.0, stats.arcsine(loc=-1, scale=2))
CONTINUOUS: list[tuple[str, Family, float, float, Any]] = [
    ("gaussian", catalog.get("gaussian"), 1.5, 0.25, stats.norm(1.5, 0.5)),
    ("narrow gaussian", catalog.get("gaussian"), 3.0, 1e-4, stats.norm(3.0, 1e-2)),
    ("exponential", catalog.get("exponential"), -2.0, 1.0, stats.expon(scale=0.5)),
    ("gamma", catalog.get("gamma"), -0.5, 0.3, stats.gamma(1 / 0.3, scale=0.6)),
    ("spiked gamma", catalog.get("gamma"), -1.0, 8.0, stats.gamma(1 / 8, scale=8.0)),
    ("narrow gamma", catalog.get("gamma"), -1.0, 1e-6, stats.gamma(1e6, scale=1e-6)),
    ("inverse gaussian", catalog.get("inverse_gaussian"), -0.5, 0.7, stats.invgauss(0.7, scale=1 / 0.7)),
    ("uniform", catalog.get("continuous_bernoulli"), 0.0, 1.0, stats.uniform()),
    ("cut exponential", catalog.get("continuous_bernoulli"), -40.0, 1.0, stats.truncexpon(40, scale=1 / 40)),
    ("hyperbolic secant", catalog.get("hyperbolic_secant"), 0.0, 1.0, stats.hypsecant(scale=2 / np.pi)),
    ("laplace", family(-sp.log(1 - z**2), -sp.oo, sp.oo, -sp.Abs(r) - sp.log(2)), 0.0, 1.0, stats.laplace()),
    ("half-normal",
     family(z**2 / 2 + sp.log(1 + sp.erf(z / sp.sqrt(2))), 0, sp.oo, -(r**2) / 2 - sp.log(sp.pi / 2) / 2), 0.0, 1.0,
     stats.halfnorm()),
    ("beta", family(z**2 / 60 + 3 * z / 5, 0, 1, 2 * sp.log(r) + sp.log(1 - r)), 0.0, 1.0, stats.beta(3, 2)),
    ("triangular", family(z**2 / 12, -1, 1, sp.log(1 - sp.Abs(r))), 0.0, 1.0, stats.triang(0.5, -1, 2)),
]  # fmt: skip


def _names(value: object) -> str:
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("name", "model", "at", "disp", "law"), [*CONTINUOUS, ARCSINE], ids=_names)
def test_continuous_draws_follow_the_law_that_scipy_knows(
    name: str, model: Family, at: float, disp: float, law: Any
) -> None:
    draws = sampler_from_density(model)(np.random.default_rng(3), np.full(DRAWS, at), disp)
    assert stats.kstest(draws, law.cdf).pvalue > LEAST_P


@pytest.mark.parametrize(("name", "model", "at", "disp", "law"), CONTINUOUS, ids=_names)
def test_quantiles_are_right_to_ten_digits_of_the_distribution_function(
    name: str, model: Family, at: float, disp: float, law: Any
) -> None:
    sample = sampler_from_density(model)
    for u in (1e-6, 0.01, 0.3, 0.5, 0.77, 0.999):
        (draw,) = sample(stick(u), np.array([at]), disp)
        assert abs(float(law.cdf(draw)) - u) < 2e-10


def test_an_inverse_square_root_at_an_end_other_than_zero_costs_two_digits() -> None:
    _, model, at, disp, law = ARCSINE
    (draw,) = sampler_from_density(model)(stick(1e-6), np.array([at]), disp)
    assert abs(float(law.cdf(draw)) - 1e-6) < 2e-8


def test_a_tiny_dispersion_costs_digits_but_not_the_law() -> None:
    """At z = 3 and g = 1e-8 the terms of the log-density are 1e9 and cancel."""
    sample = sampler_from_density(catalog.get("gaussian"))
    draws = sample(np.random.default_rng(3), np.full(DRAWS, 3.0), 1e-8)
    assert stats.kstest(draws, stats.norm(3.0, 1e-4).cdf).pvalue > LEAST_P
    (median,) = sample(stick(0.5), np.array([3.0]), 1e-8)
    assert abs(float(stats.norm(3.0, 1e-4).cdf(median)) - 0.5) < 1e-7


def test_the_support_may_end_on_the_right_only() -> None:
    mirrored = family(-3 * z - sp.log(z), -sp.oo, -3, 0)  # exponential, running left from -3
    draws = sampler_from_density(mirrored)(np.random.default_rng(5), np.full(DRAWS, 2.0), 1.0)
    assert stats.kstest(-3 - draws, stats.expon(scale=0.5).cdf).pvalue > LEAST_P


DISCRETE: list[tuple[str, Family, float, float, Any]] = [
    ("bernoulli", catalog.get("bernoulli"), 0.4, 1.0, stats.bernoulli(special.expit(0.4))),
    ("binomial", catalog.get("binomial"), -1.0, 1.0, stats.binom(10, special.expit(-1.0))),
    ("poisson", catalog.get("poisson"), 2.0, 1.0, stats.poisson(np.exp(2.0))),
    ("large poisson", catalog.get("poisson"), 12.0, 1.0, stats.poisson(np.exp(12.0))),
    ("geometric", catalog.get("geometric"), -0.001, 1.0, stats.geom(-np.expm1(-0.001), loc=-1)),
    ("scaled poisson", catalog.get("scaled_poisson"), 1.0, 0.25, stats.poisson(4 * np.e)),
    ("skellam", catalog.get("skellam"), 0.3, 0.5, stats.skellam(np.exp(0.3), np.exp(-0.3))),
    ("discrete uniform", family(z, 1, 6, -sp.log(6), 1), 0.0, 1.0, stats.randint(1, 7)),
    ("logarithmic series", family(sp.log(-sp.log(1 - sp.exp(z))), 1, sp.oo, -sp.log(r), 1), -0.1, 1.0,
     stats.logser(np.exp(-0.1))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "model", "at", "disp", "law"), DISCRETE, ids=_names)
def test_lattice_draws_follow_the_law_that_scipy_knows(
    name: str, model: Family, at: float, disp: float, law: Any
) -> None:
    """A chi-square test over cells of at least a few expected draws."""
    step = disp if name in ("scaled poisson", "skellam") else 1.0
    draws = sampler_from_density(model)(np.random.default_rng(4), np.full(DRAWS, at), disp) / step
    edges = np.unique(law.ppf(np.linspace(0.02, 0.98, 25)))
    observed = np.bincount(np.searchsorted(edges, draws), minlength=edges.size + 1)
    expected = DRAWS * np.diff([0.0, *law.cdf(edges), 1.0])
    keep = expected > 1e-9
    assert observed[~keep].sum() == 0
    assert stats.chisquare(observed[keep], expected[keep]).pvalue > LEAST_P


def test_lattice_quantiles_are_those_of_scipy() -> None:
    for u in (1e-9, 0.1, 0.5, 0.9, 1 - 1e-9):
        (draw,) = sampler_from_density(catalog.get("poisson"))(stick(u), np.array([3.0]), 1.0)
        assert draw == stats.poisson(np.exp(3.0)).ppf(u)


@pytest.mark.parametrize("name", sorted(LOG_DENSITY))
def test_every_family_of_the_catalogue_gets_draws_like_its_own(name: str) -> None:
    """Two samplers of one law, written independently: the Kolmogorov-Smirnov test for two samples."""
    model = catalog.get(name)
    at = -0.7
    rng = np.random.default_rng(6)
    ours = sampler_from_density(model)(rng, np.full(DRAWS, at), 1.0)
    theirs = model.sample(rng, at, 1.0, size=DRAWS)
    assert stats.ks_2samp(np.round(ours, 9), np.round(theirs, 9)).pvalue > LEAST_P


def test_one_uniform_number_makes_one_draw() -> None:
    sample = sampler_from_density(catalog.get("gamma"))
    one, two = np.random.default_rng(8), np.random.default_rng(8)
    sample(one, np.array([-1.0, -2.0, -1.0]), 0.5)
    two.random(3)
    assert one.random() == two.random()


def test_many_distinct_parameters_in_one_call_each_get_their_own_law() -> None:
    """More parameters than the cache holds; each draw goes back to a uniform number through SciPy."""
    at = np.linspace(-3.0, -0.2, 600).reshape(20, 30)
    draws = sampler_from_density(catalog.get("exponential"))(np.random.default_rng(9), at, 1.0)
    assert draws.shape == at.shape
    back = stats.expon(scale=-1 / at).cdf(draws)
    assert np.allclose(back, np.random.default_rng(9).random(at.shape), atol=1e-10)


def test_draws_do_not_depend_on_what_was_asked_before() -> None:
    fresh, used = (sampler_from_density(catalog.get("von_mises")) for _ in range(2))
    used(np.random.default_rng(1), np.linspace(-2, 2, 50), 1.0)
    at = np.array([0.5, -0.5, 0.5])
    np.testing.assert_array_equal(fresh(np.random.default_rng(2), at, 1.0), used(np.random.default_rng(2), at, 1.0))


def test_no_draws_are_made_for_no_parameters() -> None:
    assert sampler_from_density(catalog.get("poisson"))(np.random.default_rng(0), np.zeros(0), 1.0).size == 0


def test_a_law_may_lie_beyond_many_lattice_points() -> None:
    """A mean of e^17, more than the number of points that a table may have."""
    law = stats.poisson(np.exp(17.0))
    assert law.mean() > inversion.MOST_POINTS
    sample = sampler_from_density(catalog.get("poisson"))
    draws = sample(np.random.default_rng(2), np.full(50, 17.0), 1.0)
    assert np.abs(draws - law.ppf(np.random.default_rng(2).random(50))).max() <= 2


LINES = [(0.0, 1.0, 0.3, 0.1), (-2.0, 5.0, 1.0, 1.0), (1.0, np.inf, 3.0, 0.5), (1.0, np.inf, 1.0, 0.5),
         (-np.inf, 2.0, -1.0, 0.5), (-np.inf, np.inf, 1.0, 2.0)]  # fmt: skip


@pytest.mark.parametrize(("lower", "upper", "mean", "spread"), LINES)
def test_a_substitution_goes_back_and_knows_its_slope(lower: float, upper: float, mean: float, spread: float) -> None:
    line, t = substitution(lower, upper, mean, spread), np.linspace(-1.5, 1.5, 13)
    rewards = line.reward(t)
    assert np.all(np.diff(rewards) * (-1 if lower == -np.inf and upper < np.inf else 1) > 0)
    assert np.all((rewards > lower) & (rewards < upper))
    np.testing.assert_allclose(line.back(rewards), t, rtol=1e-9, atol=1e-9)
    h = 1e-5
    slope = np.abs(line.reward(t + h) - line.reward(t - h)) / (2 * h)
    np.testing.assert_allclose(np.exp(line.log_slope(t)), slope, rtol=1e-7)


@pytest.mark.parametrize(("name", "at", "disp", "law"), [
    ("exponential", -2.0, 1.0, stats.expon(scale=0.5)), ("gaussian", 1.5, 0.25, stats.norm(1.5, 0.5)),
    ("gamma", -1.0, 4.0, stats.gamma(0.25, scale=4.0)),
    ("continuous_bernoulli", -3.0, 1.0, stats.truncexpon(3, scale=1 / 3)),
    ("von_mises", 0.0, 1.0, stats.arcsine(-1, 2)),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_intervals_of_every_kind_have_the_quantiles_of_scipy(name: str, at: float, disp: float, law: Any) -> None:
    draws = sampler_from_density(catalog.get(name))(np.random.default_rng(3), np.full(60, at), disp)
    tolerance = 2e-8 if name == "von_mises" else 2e-10
    np.testing.assert_allclose(law.cdf(draws), np.random.default_rng(3).random(60), rtol=0, atol=tolerance)
    assert np.all((draws >= law.support()[0]) & (draws <= law.support()[1]))


def test_a_law_that_is_not_where_m_says_is_found_all_the_same() -> None:
    """A mean of 5 on [0, 1], where the density is flat."""
    draws = sampler_from_density(family(5 * z, 0, 1, 0))(np.random.default_rng(4), np.zeros(50), 1.0)
    np.testing.assert_allclose(draws, np.random.default_rng(4).random(50), rtol=0, atol=1e-9)


def test_what_is_no_law_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Masses that never end, and a density that is finite nowhere."""
    monkeypatch.setattr(inversion, "MOST_POINTS", 100)
    with pytest.raises(BadInput, match="where 100 lattice points hold the mass"):
        sampler_from_density(family(z, 0, sp.oo, 0, 1))(np.random.default_rng(0), np.zeros(1), 1.0)
    with pytest.raises(BadInput, match="a density that is finite somewhere near its mean"):
        sampler_from_density(family(z, 0, 1, sp.log(r - 5)))(np.random.default_rng(0), np.zeros(1), 1.0)
