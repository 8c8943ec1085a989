"""Fits against laws that nobody here wrote: SciPy draws the rewards and computes the likelihood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy.optimize as optimize
import scipy.special as special
import scipy.stats as stats
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.fitting import FamilyFit, fit
from glbcheck.core.fitting.data import checked_data
from glbcheck.core.fitting.distribution import below_and_at
from glbcheck.core.fitting.goodness import anderson_darling_tail, quantile_tests
from glbcheck.core.fitting.likelihood import separating_direction

from tests.helpers.samples import one_in

ROWS = 600


@dataclass(frozen=True)
class Law:
    """A family as SciPy has it: r = scale * R + shift with R of a law that depends on z."""

    name: str
    theta: tuple[float, ...]  # two coefficients and a constant
    law: Callable[[Floats], Any]
    scale: float = 1.0
    shift: float = 0.0
    rivals: tuple[str, ...] = ()
    g: float = 1.0

    def log_density(self, rewards: Floats, z: Floats) -> Floats:
        raw = (rewards - self.shift) / self.scale
        law = self.law(z)
        if hasattr(law.dist, "pmf"):
            return np.asarray(law.logpmf(np.round(raw)))
        return np.asarray(law.logpdf(raw) - np.log(self.scale))


def inverse_gaussian(z: Floats, g: float) -> Any:
    mean = 1 / np.sqrt(-2 * z)
    return stats.invgauss(mu=mean * g, scale=1 / g)


LAWS = [
    Law("gaussian", (0.5, -0.4, 0.3), lambda z: stats.norm(z, 0.7), g=0.49, rivals=("exponential", "skellam")),
    Law("bernoulli", (1.5, -1.0, 0.3), lambda z: stats.bernoulli(special.expit(z)), rivals=("poisson", "gaussian")),
    Law("binomial(n=7)", (0.8, -0.6, 0.3), lambda z: stats.binom(7, special.expit(z)), rivals=("poisson", "gaussian")),
    Law("binomial_proportion", (0.8, -0.6, 0.3), lambda z: stats.binom(5, special.expit(z)), scale=0.2, g=0.2,
        rivals=("continuous_bernoulli", "gaussian", "scaled_poisson")),
    Law("poisson", (0.5, -0.4, 0.6), lambda z: stats.poisson(np.exp(z)), rivals=("geometric", "gaussian")),
    Law("scaled_poisson", (0.5, -0.4, 0.3), lambda z: stats.poisson(np.exp(z) / 0.5), scale=0.5, g=0.5,
        rivals=("poisson", "gamma", "negative_binomial(n=1)")),
    Law("negative_binomial(n=5)", (0.3, -0.2, -0.8), lambda z: stats.nbinom(5, -np.expm1(z)),
        rivals=("poisson", "geometric")),
    Law("geometric", (0.3, -0.2, -0.8), lambda z: stats.geom(-np.expm1(z)), shift=-1.0, rivals=("poisson",)),
    Law("exponential", (0.5, -0.3, -1.5), lambda z: stats.expon(scale=-1 / z), rivals=("gaussian", "poisson")),
    Law("gamma", (0.5, -0.3, -1.5), lambda z: stats.gamma(4, scale=-1 / (4 * z)), g=0.25,
        rivals=("exponential", "gaussian")),
    Law("inverse_gaussian", (0.3, -0.2, -1.0), lambda z: inverse_gaussian(z, 0.8), g=0.8,
        rivals=("exponential", "gaussian")),
    Law("uniform", (0.8, -0.7, -2.0), lambda z: stats.truncexpon(b=-2 * z, scale=-1 / (2 * z)), scale=2.0, shift=-1.0,
        rivals=("gaussian", "von_mises")),
    Law("continuous_bernoulli", (0.8, -0.7, -2.0), lambda z: stats.truncexpon(b=-z, scale=-1 / z),
        rivals=("exponential", "uniform", "gaussian")),
    Law("rademacher", (0.8, -0.6, 0.2), lambda z: stats.bernoulli(special.expit(2 * z)), scale=2.0, shift=-1.0,
        rivals=("bernoulli", "gaussian", "skellam")),
    Law("skellam", (0.6, -0.5, 0.4), lambda z: stats.skellam(np.exp(z) / 2, np.exp(-z) / 2),
        rivals=("poisson", "gaussian")),
]  # fmt: skip


def contexts(seed: int, n: int = ROWS) -> Floats:
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.uniform(-0.7, 0.7, (n, 2)), np.ones(n)]) / 1.5


def drawn(law: Law, seed: int = 1) -> tuple[Floats, Floats]:
    x = contexts(seed)
    z = x @ (1.5 * np.array(law.theta))
    rewards = law.scale * law.law(z).rvs(size=z.size, random_state=np.random.default_rng(seed + 100)) + law.shift
    return np.asarray(rewards, dtype=float), x


def agrees(one: FamilyFit, law: Law) -> None:
    assert one.word == "plausible", one.reason
    assert one.estimate is not None
    error = (one.estimate.theta - 1.5 * np.array(law.theta)) / one.estimate.standard_errors
    assert np.abs(error).max() < 4
    assert one.estimate.dispersion == pytest.approx(law.g, rel=0.25)


@pytest.mark.parametrize("law", one_in(3, LAWS), ids=lambda law: law.name)
def test_the_true_family_is_plausible_and_its_rivals_are_found_out(law: Law) -> None:
    rewards, x = drawn(law)
    found = fit(rewards, x, families=[law.name, *law.rivals])
    agrees(found[law.name], law)
    for rival in law.rivals:
        assert found[rival].word in ("contradicted", "excluded"), rival


@pytest.mark.parametrize("law", one_in(3, LAWS), ids=lambda law: law.name)
def test_theta_and_likelihood_are_those_of_an_optimiser_on_scipys_density(law: Law) -> None:
    rewards, x = drawn(law, seed=2)
    one = fit(rewards, x, families=[law.name], dispersion=law.g).families[0]
    assert one.estimate is not None

    def loss(theta: Floats) -> float:
        with np.errstate(all="ignore"):
            value = -float(np.sum(law.log_density(rewards, x @ theta)))
        return value if np.isfinite(value) else 1e12

    start = np.array([0.0, 0.0, one.estimate.theta[2]])
    best = optimize.minimize(
        loss, start, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000}
    )
    assert one.estimate.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert one.estimate.theta == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize(("name", "n", "most"), [("binomial", 7, 7), ("negative_binomial", 5, 12)])
def test_the_number_of_trials_is_found_by_likelihood_and_costs_a_parameter(name: str, n: int, most: int) -> None:
    rewards, x = drawn(next(law for law in LAWS if law.name == f"{name}(n={n})"))
    chosen = fit(rewards, x, families=[name]).families[0]
    stated = fit(rewards, x, families=[f"{name}(n={n})"]).families[0]
    assert chosen.estimate is not None
    assert stated.estimate is not None
    assert n / 2 < int(chosen.name.partition("=")[2][:-1]) <= most
    assert chosen.estimate.log_likelihood >= stated.estimate.log_likelihood - 1e-9
    assert chosen.estimate.parameters == stated.estimate.parameters + 1


def truncated(low: int, high: float) -> Callable[[np.random.Generator, Floats], Floats]:
    """Poisson counts from low to high, by SciPy's quantile function."""

    def draw(rng: np.random.Generator, z: Floats) -> Floats:
        rate = np.exp(z)
        first, last = stats.poisson.cdf(low - 1, rate), stats.poisson.cdf(high, rate)
        return np.asarray(stats.poisson.ppf(first + rng.random(z.size) * (last - first), rate))

    return draw


@pytest.mark.parametrize(
    ("name", "draw", "rivals"),
    [
        ("zero_truncated_poisson", truncated(1, np.inf), ("poisson", "geometric")),
        ("truncated_poisson", truncated(0, 3), ("poisson", "binomial(n=3)")),
        ("von_mises", lambda rng, z: np.cos(stats.vonmises(z).rvs(random_state=rng)), ("uniform", "gaussian")),
    ],
)
def test_truncated_and_circular_laws_are_plausible_too(
    name: str, draw: Callable[[np.random.Generator, Floats], Floats], rivals: tuple[str, ...]
) -> None:
    theta, x = np.array([0.6, -0.5, 1.2]), contexts(3, 1500)
    found = fit(draw(np.random.default_rng(4), x @ theta), x, families=[name, *rivals])
    one = found[name]
    assert one.word == "plausible", one.reason
    assert one.estimate is not None
    assert np.abs((one.estimate.theta - theta) / one.estimate.standard_errors).max() < 4
    assert {found[rival].word for rival in rivals} <= {"contradicted", "excluded"}


def test_the_hyperbolic_secant_law_of_scipy_is_plausible_without_contexts() -> None:
    rewards = stats.hypsecant(scale=2 / np.pi).rvs(size=1500, random_state=5)
    found = fit(rewards, families=["hyperbolic_secant", "gaussian", "uniform"])
    assert found["hyperbolic_secant"].word == "plausible"
    assert [found["gaussian"].word, found["uniform"].word] == ["contradicted", "excluded"]


CDFS = [*LAWS, Law("hyperbolic_secant", (), lambda z: stats.hypsecant(), scale=2 / np.pi)]


@pytest.mark.parametrize("law", one_in(2, CDFS), ids=lambda law: law.name)
def test_the_distribution_function_is_scipys(law: Law) -> None:
    rng = np.random.default_rng(6)
    one_sided = law.name.startswith(("neg", "geo", "exp", "gam", "inv", "uni", "con"))
    z = -np.geomspace(0.03, 6, 40) if one_sided else np.linspace(-1.2, 1.2, 40)
    z = np.zeros(40) if law.name == "hyperbolic_secant" else z
    raw = law.law(z).rvs(size=40, random_state=rng)
    name, _, size = law.name.partition("(n=")
    family = catalog.get(name, n=int(size[:-1])) if size else catalog.get(name)
    below, upto = below_and_at(family, law.scale * raw + law.shift, z, np.full(40, law.g))
    assert upto == pytest.approx(law.law(z).cdf(raw), abs=1e-9)
    if family.support.step is not None:
        assert below == pytest.approx(law.law(z).cdf(raw - 1), abs=1e-9)


@pytest.mark.parametrize(("statistic", "p_value"), [(1.933, 0.10), (2.492, 0.05), (3.070, 0.025), (3.857, 0.01)])
def test_anderson_darling_has_its_published_critical_values(statistic: float, p_value: float) -> None:
    assert anderson_darling_tail(statistic) == pytest.approx(p_value, abs=3e-4)


def test_anderson_darlings_far_tail_is_that_of_its_weighted_chi_squares() -> None:
    rng = np.random.default_rng(7)
    k = np.arange(1, 60)
    sums = (rng.standard_normal((200_000, k.size)) ** 2 / (k * (k + 1))).sum(axis=1) + 1 / 60
    for x in (3.0, 6.0):
        share = float(np.mean(sums > x))
        assert anderson_darling_tail(x) == pytest.approx(share, abs=4 * (share / 200_000) ** 0.5 + 1e-4)


def test_the_shape_test_has_the_tail_that_normal_samples_have() -> None:
    rng = np.random.default_rng(9)
    p = np.array([quantile_tests(rng.standard_normal(100))[1].p_value for _ in range(8000)])
    for level in (0.2, 0.05, 0.01):
        assert float(np.mean(p <= level)) == pytest.approx(level, abs=4 * (level / 8000) ** 0.5)


def test_a_true_family_is_rarely_contradicted_and_p_values_are_not_too_small() -> None:
    small = {"quantiles": 0, "shape": 0, "variance": 0, "mean": 0}
    for seed in range(60):
        rng = np.random.default_rng(1000 + seed)
        x = contexts(seed, 150)
        one = fit(rng.poisson(np.exp(x @ [0.7, -0.6, 1.0])), x, families=["poisson"], seed=seed).families[0]
        assert one.word == "plausible"
        for test in one.tests:
            small[test.name] += test.p_value < 0.1
    assert max(small.values()) <= 14  # 6 are expected; 15 or more has probability below 0.1%


def test_separated_rewards_have_no_finite_theta_and_an_exception_on_each_side_ends_it() -> None:
    x = np.column_stack([np.linspace(-1, 1, 40), np.ones(40)]) / 2
    rewards = (x[:, 0] > 0).astype(float)
    assert separating_direction(catalog.get("bernoulli"), checked_data(rewards, x)) is not None
    one = fit(rewards, x, families=["bernoulli"]).families[0]
    assert (one.word, one.reason.partition(":")[0]) == ("undecided", "separation")
    rewards[[0, 39]] = [1, 0]
    assert fit(rewards, x, families=["bernoulli"]).families[0].word == "plausible"


def test_poisson_rewards_that_vanish_with_a_column_are_separated() -> None:
    rng = np.random.default_rng(8)
    group = np.arange(60) % 2
    rewards = np.where(group == 1, 0, rng.poisson(2.0, 60))
    one = fit(rewards, np.column_stack([group, np.ones(60)]) / 2, families=["poisson"]).families[0]
    assert one.word == "undecided"
    assert "separation" in one.reason
