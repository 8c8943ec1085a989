"""Residuals of a fit and the distribution functions behind them, each against a formula or an oracle of its own."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats as stats
import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.fitting import distribution, residuals
from glbcheck.core.letters import r
from glbcheck.core.letters import z as Z
from glbcheck.core.support import Support

from tests.core.fitting.test_parts import COUNTS, GAUSSIAN, POISSON, X

# --- residuals --------------------------------------------------------------------------------------------------


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
    rate = np.exp(z)
    low, high = stats.poisson.cdf(COUNTS - 1, rate), stats.poisson.cdf(COUNTS, rate)
    share = (stats.norm.cdf(found) - low) / (high - low)
    assert share == pytest.approx(np.random.default_rng(1).random(40))
    far = residuals.quantile(GAUSSIAN, np.array([-99.0, 99.0]), np.zeros(2), np.ones(2), np.random.default_rng(1))
    assert far.tolist() == pytest.approx([stats.norm.ppf(1e-300), stats.norm.ppf(1 - 2.0**-53)])


# --- the distribution function ------------------------------------------------------------------------------------


def test_rows_of_every_dispersion_have_their_own_distribution_function() -> None:
    z, g = np.linspace(-1, 1, 6), np.array([1.0, 0.25, 1.0, 4.0, 0.25, 1.0])
    rewards = np.array([0.3, -2.0, 1.5, 0.0, 1.2, -0.7])
    below, upto = distribution.below_and_at(GAUSSIAN, rewards, z, g)
    assert upto == pytest.approx(stats.norm.cdf(rewards, z, np.sqrt(g)), abs=1e-12)
    assert (below == upto).all()
    scaled = catalog.get("scaled_poisson")
    below, upto = distribution.below_and_at(scaled, np.array([1.5, 2.0]), np.array([0.2, 1.1]), np.array([0.5, 1.0]))
    rate = np.exp([0.2, 1.1]) / [0.5, 1.0]
    assert upto == pytest.approx(stats.poisson.cdf([3, 2], rate), abs=1e-12)
    assert below == pytest.approx(stats.poisson.cdf([2, 1], rate), abs=1e-12)


@pytest.mark.parametrize(("name", "z", "law"), [
    ("binomial", 0.4, stats.binom(10, 1 / (1 + math.exp(-0.4)))),
    ("skellam", 0.3, stats.skellam(math.exp(0.3) / 2, math.exp(-0.3) / 2)),
    ("bernoulli", -1.0, stats.bernoulli(1 / (1 + math.e))),
])  # fmt: skip
def test_lattices_with_two_ends_or_none(name: str, z: float, law: Any) -> None:
    family = catalog.get(name, n=10) if name == "binomial" else catalog.get(name)
    points = np.array([0.0, 1.0] if name == "bernoulli" else [0.0, 1.0, 3.0, 5.0])
    below, upto = distribution.below_and_at(family, points, np.full(points.size, z), np.ones(points.size))
    assert upto == pytest.approx(law.cdf(points), abs=1e-9)
    assert below == pytest.approx(law.cdf(points - 1), abs=1e-9)


@pytest.mark.parametrize(("name", "z", "g", "law"), [
    ("poisson", 10.0, 1.0, stats.poisson(math.exp(10))), ("poisson", -15.0, 1.0, stats.poisson(math.exp(-15))),
    ("scaled_poisson", 2.0, 1e-3, stats.poisson(math.exp(2) / 1e-3)),
    ("skellam", 0.3, 0.3, stats.skellam(math.exp(0.3) / 0.6, math.exp(-0.3) / 0.6)),
    ("skellam", 0.0, 400.0, stats.skellam(1 / 800, 1 / 800)),
    ("scaled_poisson", 2.0, 1e-6, stats.poisson(math.exp(2) / 1e-6)),
    ("gaussian", 1.0, 1e-8, stats.norm(1e8, 1e4)), ("gaussian", 1.0, 1e8, stats.norm(1e-8, 1e-4)),
    ("gaussian", 1.0, 1e20, stats.norm(1e-20, 1e-10)),
    ("gamma", -1.5, 1e-4, stats.gamma(1e4, scale=1 / 1.5)), ("gamma", -1.5, 30.0, stats.gamma(1 / 30, scale=1 / 1.5)),
    ("inverse_gaussian", -0.5, 1e-4, stats.invgauss(mu=1e-4, scale=1e8)),
])  # fmt: skip
def test_a_law_may_be_as_narrow_or_as_wide_as_its_dispersion_makes_it(name: str, z: float, g: float, law: Any) -> None:
    """In units of g: there a lattice has step 1."""
    points = law.mean() + law.std() * np.array([-1.5, 0.0, 1.0])
    lattice = catalog.get(name).support.step is not None
    points = np.round(points) if lattice else points[law.cdf(points) > 0]
    at, dispersions = np.full_like(points, z), np.full_like(points, g)
    below, upto = distribution.below_and_at(catalog.get(name), points * g, at, dispersions)
    assert upto == pytest.approx(law.cdf(points), abs=1e-9)
    assert below == pytest.approx(law.cdf(points - lattice), abs=1e-9)


@pytest.mark.parametrize("start", [-1000, 1000])
def test_a_lattice_may_begin_anywhere(start: int) -> None:
    """A Poisson law that is moved."""
    support, log_base = Support(sp.Integer(start), sp.oo, step=sp.S.One), -sp.loggamma(r - start + 1)
    moved = replace(POISSON, log_partition=sp.exp(Z) + start * Z, support=support, log_base=log_base)
    counts, at = np.array([0.0, 2.0, 5.0, 30.0]), np.array([0.2, 0.2, 1.5, 3.0])
    below, upto = distribution.below_and_at(moved, start + counts, at, np.ones(4))
    assert upto == pytest.approx(stats.poisson.cdf(counts, np.exp(at)), abs=1e-9)
    assert below == pytest.approx(stats.poisson.cdf(counts - 1, np.exp(at)), abs=1e-9)
