"""The numbers inside a fit against formulas of the books, SciPy's distribution functions and published tables."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats as stats
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting import fit, goodness, residuals
from glbcheck.core.fitting.data import Data, checked_data
from glbcheck.core.fitting.distribution import below_and_at
from glbcheck.core.fitting.learner import Setup, setup
from glbcheck.core.fitting.likelihood import maximise
from glbcheck.core.letters import r, z
from glbcheck.core.support import Support

GAUSSIAN, POISSON = catalog.get("gaussian"), catalog.get("poisson")
RNG = np.random.default_rng(3)
X = np.column_stack([RNG.uniform(-0.7, 0.7, 40), np.full(40, 0.7)])
COUNTS = RNG.poisson(np.exp(X @ [1.0, 0.8])).astype(float)

# --- the estimate ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("g", [None, np.linspace(0.2, 3.0, 40)], ids=["alike", "of their own"])
def test_the_gaussian_maximum_is_that_of_weighted_least_squares(g: Floats | None) -> None:
    found = maximise(GAUSSIAN, checked_data(COUNTS, X, g))
    weighted = X / (np.ones(40) if g is None else g)[:, None]
    assert found.theta == pytest.approx(np.linalg.solve(weighted.T @ X, weighted.T @ COUNTS))
    assert found.information == pytest.approx(weighted.T @ X)


@pytest.mark.parametrize(("name", "rewards", "x"), [
    ("poisson", COUNTS, X), ("bernoulli", (COUNTS > 1).astype(float), X), ("exponential", COUNTS + 0.5, X),
    ("geometric", COUNTS, X), ("inverse_gaussian", COUNTS + 0.5, X),
    ("exponential", COUNTS + 0.5, np.abs(X) * np.linspace(0.2, 1.0, 40)[:, None]),  # without a constant column
])  # fmt: skip
def test_at_the_maximum_no_direction_gains_and_errors_are_those_of_fishers_information(
    name: str, rewards: Floats, x: Floats
) -> None:
    (one,) = fit(rewards, x, families=[name], dispersion=1.0).families
    assert one.estimate is not None
    theta, family = one.estimate.theta, catalog.get(name)
    assert x.T @ (rewards - family.mu(x @ theta)) == pytest.approx([0.0, 0.0], abs=1e-6)  # of a concave function
    information = x.T @ (x * family.dmu(x @ theta)[:, None])
    assert one.estimate.standard_errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(information))))


def test_an_unknown_dispersion_is_pearsons_estimate_and_widens_the_errors() -> None:
    one = fit(COUNTS, X, families=["gaussian"])["gaussian"].estimate
    assert one is not None
    assert one.dispersion == pytest.approx(np.sum((COUNTS - X @ one.theta) ** 2) / 38)
    assert one.standard_errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(X.T @ X)) * one.dispersion))


@pytest.mark.parametrize(("name", "rewards"), [
    ("gaussian", [1000.0, 1001.0, 1002.0]), ("exponential", [1e-4, 2e-4, 3e-4]), ("exponential", [1e12, 2e12, 3e12]),
])  # fmt: skip
def test_a_maximum_beyond_the_numbers_that_are_computed_is_none(name: str, rewards: list[float]) -> None:
    (one,) = fit(rewards, families=[name]).families
    assert (one.word, one.estimate) == ("undecided", None)
    assert "rewards in other units" in one.reason


# --- rewards that a family cannot give -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "rewards", "g", "row"), [
    ("bernoulli", [0.0, -1.0, 1.0], None, 2), ("poisson", [3.0, 0.5, 1.0], None, 2),
    ("poisson", [3.0, 1e6 + 1e-2, 1.0], None, 2), ("scaled_poisson", [0.5, 1.25, 2.0], 0.5, 2),
    ("scaled_poisson", [0.5, 1.5, 2.0], [0.5, 0.5, 4.0], 3), ("poisson", [1.0, 2.0, 3.0], 0.5, 1),
    ("scaled_poisson", [1.0, 2.0, math.sqrt(2), 3.0], None, 3), ("gamma", [1.0, 0.0, 2.0], None, 2),
    ("binomial_proportion", [0.5, 0.25, math.sqrt(0.5)], None, 3), ("von_mises", [0.5, 0.2, 1.0], None, 3),
    ("skellam", [-3.0, 0.0, 0.5], 1.0, 3), ("poisson", [1.0, 2.0, 3.0], [1.0, 2.0, 2.0], 2),
])  # fmt: skip
def test_the_first_row_that_excludes_a_family_is_named(name: str, rewards: list[float], g: Any, row: int) -> None:
    (one,) = fit(rewards, dispersion=g, families=[name]).families
    assert one.word == "excluded"
    assert one.reason.startswith(f"row {row}: ")


def test_rewards_on_the_lattice_to_rounding_exclude_nothing() -> None:
    for name, rewards in (("poisson", [3.0, 1e6 + 1e-4, 1.0]), ("binomial_proportion", [0.2, 0.4, 1.0])):
        assert fit(rewards, families=[name]).families[0].word != "excluded"


def test_columns_must_be_named_one_by_one() -> None:
    with pytest.raises(BadInput, match=r"^columns = \['a'\] .* 2 names"):
        fit(COUNTS, X, columns=["a"])


# --- residuals ------------------------------------------------------------------------------------------------

DEVIANCES = {
    "gaussian": lambda r, mu: (r - mu) ** 2,
    "poisson": lambda r, mu: 2 * (np.where(r > 0, r * np.log(np.maximum(r, 1e-9) / mu), 0.0) - r + mu),
    "bernoulli": lambda r, mu: -2 * np.log(np.where(r == 1, mu, 1 - mu)),
    "exponential": lambda r, mu: 2 * (r / mu - 1 - np.log(r / mu)),
}


@pytest.mark.parametrize("name", DEVIANCES)
def test_deviances_are_those_of_the_books(name: str) -> None:
    family, g = catalog.get(name), np.ones(40)
    rewards = {"bernoulli": (COUNTS > 1).astype(float), "exponential": COUNTS + 1e-3}.get(name, COUNTS)
    z = X @ np.array([0.6, 0.9]) - (2.0 if name == "exponential" else 0.0)
    mu = family.mu(z)
    found = residuals.deviance(family, rewards, z, g)
    assert found == pytest.approx(np.sign(rewards - mu) * np.sqrt(DEVIANCES[name](rewards, mu)), abs=1e-6)
    assert residuals.pearson(family, rewards, z, g) == pytest.approx((rewards - mu) / np.sqrt(family.dmu(z)))


def test_residuals_are_in_units_of_the_dispersion() -> None:
    z, g = X @ np.array([0.6, 0.9]), np.linspace(0.2, 3.0, 40)
    expected = (COUNTS - z) / np.sqrt(g)
    assert residuals.pearson(GAUSSIAN, COUNTS, z, g) == pytest.approx(expected)
    assert residuals.deviance(GAUSSIAN, COUNTS, z, g) == pytest.approx(expected, abs=1e-6)


def test_quantile_residuals_lie_between_those_of_the_distribution_function() -> None:
    z, g = X @ np.array([0.6, 0.9]), np.ones(40)
    found = residuals.quantile(POISSON, COUNTS, z, g, np.random.default_rng(1))
    low, high = stats.poisson.cdf(COUNTS - 1, np.exp(z)), stats.poisson.cdf(COUNTS, np.exp(z))
    share = (stats.norm.cdf(found) - low) / (high - low)
    assert share == pytest.approx(np.random.default_rng(1).random(40))


# --- the distribution function --------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "z", "g", "law"), [
    ("poisson", 10.0, 1.0, stats.poisson(math.exp(10))), ("poisson", -15.0, 1.0, stats.poisson(math.exp(-15))),
    ("scaled_poisson", 2.0, 1e-6, stats.poisson(math.exp(2) / 1e-6)),
    ("skellam", 0.3, 0.3, stats.skellam(math.exp(0.3) / 0.6, math.exp(-0.3) / 0.6)),
    ("skellam", 0.0, 400.0, stats.skellam(1 / 800, 1 / 800)),
    ("gaussian", 1.0, 1e-8, stats.norm(1e8, 1e4)), ("gaussian", 1.0, 1e20, stats.norm(1e-20, 1e-10)),
    ("gamma", -1.5, 1e-4, stats.gamma(1e4, scale=1 / 1.5)), ("gamma", -1.5, 30.0, stats.gamma(1 / 30, scale=1 / 1.5)),
    ("inverse_gaussian", -0.5, 1e-4, stats.invgauss(mu=1e-4, scale=1e8)),
])  # fmt: skip
def test_a_law_may_be_as_narrow_or_as_wide_as_its_dispersion_makes_it(name: str, z: float, g: float, law: Any) -> None:
    """In units of g: there a lattice has step 1."""
    points = law.mean() + law.std() * np.array([-1.5, 0.0, 1.0])
    lattice = catalog.get(name).support.step is not None
    points = np.round(points) if lattice else points[law.cdf(points) > 0]
    at, dispersions = np.full_like(points, z), np.full_like(points, g)
    below, upto = below_and_at(catalog.get(name), points * g, at, dispersions)
    assert upto == pytest.approx(law.cdf(points), abs=1e-9)
    assert below == pytest.approx(law.cdf(points - lattice), abs=1e-9)


@pytest.mark.parametrize("start", [-1000, 1000])
def test_a_lattice_may_begin_anywhere(start: int) -> None:
    """A Poisson law that is moved."""
    support, log_base = Support(sp.Integer(start), sp.oo, step=sp.S.One), -sp.loggamma(r - start + 1)
    moved = replace(POISSON, log_partition=sp.exp(z) + start * z, support=support, log_base=log_base)
    counts, at = np.array([0.0, 2.0, 5.0, 30.0]), np.array([0.2, 0.2, 1.5, 3.0])
    below, upto = below_and_at(moved, start + counts, at, np.ones(4))
    assert upto == pytest.approx(stats.poisson.cdf(counts, np.exp(at)), abs=1e-9)
    assert below == pytest.approx(stats.poisson.cdf(counts - 1, np.exp(at)), abs=1e-9)


# --- tests of goodness ----------------------------------------------------------------------------------------


def test_anderson_and_darlings_statistic_is_that_of_its_formula() -> None:
    values, i = np.random.default_rng(1).normal(0.3, 2.0, 30), np.arange(1, 31)
    standard = stats.zscore(values, ddof=1)
    for test, scaled, factor in zip(
        goodness.quantile_tests(values), (values, standard), (1.0, 1 + 0.75 / 30 + 2.25 / 900), strict=True
    ):
        x = np.sort(scaled)
        logs = stats.norm.logcdf(x) + stats.norm.logsf(x[::-1])
        assert test.statistic == pytest.approx(factor * (-30 - np.sum((2 * i - 1) * logs) / 30))


def test_anderson_and_darlings_tail_is_that_of_its_characteristic_function() -> None:
    """φ(t)² = -2πit / cos(½π √(1 + 8it)), and the formula of Gil-Pelaez, with midpoints up to where φ is 1e-12."""
    h = 0.01
    t = np.arange(h / 2, 400.0, h)
    root = np.sqrt(1 + 8j * t) * math.pi / 2
    log_cosine = np.log1p(np.exp(2j * root)) - 1j * root - math.log(2)
    log_phi = (np.log(-2j * math.pi * t) - log_cosine) / 2
    for x in (0.1, 0.5, 2.5, 6.0, 12.0):
        tail = 0.5 + h / math.pi * float(np.sum(np.exp(log_phi.real) * np.sin(log_phi.imag - t * x) / t))
        assert goodness.anderson_darling_tail(x) == pytest.approx(tail, rel=1e-6, abs=1e-11)


@pytest.mark.parametrize(("x", "p", "digits"), [
    (0.341, 0.5, 0.01), (0.470, 0.25, 0.02), (0.561, 0.15, 0.025), (0.631, 0.1, 0.002), (0.752, 0.05, 0.01),
    (1.159, 0.005, 0.001),
])  # fmt: skip
def test_stephens_tail_has_the_points_of_his_table(x: float, p: float, digits: float) -> None:
    assert goodness.stephens_tail(x) == pytest.approx(p, rel=digits)


def test_the_bins_of_a_true_law_look_like_its_draws() -> None:
    natural, rng = X @ np.array([1.0, 0.8]), np.random.default_rng(5)
    tests, bins = goodness.binned_tests(POISSON, COUNTS, natural, np.ones(40), False, rng, 199)
    assert all(test.p_value > 0.01 for test in tests)
    assert sum(one.rows for one in bins) == 40
    assert all(one.low < one.square < one.high for one in bins)
    mean = np.exp(natural)
    lowest = np.argsort(mean)[: bins[0].rows]
    own = ((COUNTS - mean) / np.sqrt(mean))[lowest]
    assert (bins[0].fitted, bins[0].mean, bins[0].square) == pytest.approx(
        (mean[lowest].mean(), own.mean(), (own**2).mean())
    )


# --- the learner ----------------------------------------------------------------------------------------------


def advice(name: str, data: Data, theta: list[float], error: float) -> Setup:
    return setup(catalog.get(name), "family", data, np.array(theta), error**2 * np.eye(len(theta)), 1.0)


def test_a_radius_holds_theta_with_three_standard_errors() -> None:
    found = advice("poisson", checked_data(COUNTS, X), [0.6, 0.8], 0.1)
    assert (found.S, found.code[2]) == (1.3, "learner = Scouted(family, d=2, S=1.3, C=0.0)")


@pytest.mark.parametrize(("name", "contexts", "theta", "error", "words"), [
    ("hyperbolic_secant", X, [0.6, 1.4], 0.1, "would leave the domain"),
    ("exponential", X[:, :1], [-1.0], 0.1, "needs a constant column"),
    ("exponential", X, [0.2, -2.0], 9.0, "no shift leaves room"),
])  # fmt: skip
def test_no_learner_is_printed_where_no_ball_that_holds_theta_fits_into_the_domain(
    name: str, contexts: Floats, theta: list[float], error: float, words: str
) -> None:
    found = advice(name, checked_data(COUNTS, contexts), theta, error)
    assert (found.S, found.code) == (None, ())
    assert words in found.usage
