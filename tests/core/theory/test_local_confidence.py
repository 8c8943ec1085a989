"""The confidence theorem near [-S, S]: every family has its constants, and its lemmas hold on computed rounds."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from glbcheck.core import catalog, concordance
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome, agent_of, play
from glbcheck.core.engine.state import THETA, vector
from glbcheck.core.environment.adversary import mirror
from glbcheck.core.environment.world import World, basis
from glbcheck.core.family import Family
from glbcheck.core.theory.local_constants import (
    MOVES_FACTOR,
    beta_from_logdet_local,
    lam_local,
    spread_local,
    surroundings,
)
from glbcheck.core.theory.parameters import parameters
from numpy.typing import NDArray
from scipy.optimize import brentq

Array = NDArray[np.float64]
NODES, SHARES = np.polynomial.legendre.leggauss(200)


def inside(name: str) -> Family:
    family = catalog.get(name)
    return family.tilted(2) if family.domain.sup == 0 else family


@pytest.mark.parametrize("name", catalog.NAMES)
def test_every_family_has_the_local_theorem(name: str) -> None:
    p = parameters(inside(name), 2, 0.5, 0.05, 0.0, reading="local")
    assert p.guarantee == "theorem:confidence-sequence (local constants)"


def test_the_local_constants_need_less_than_the_repaired_ones_where_the_link_is_gentle() -> None:
    local, repaired = (HCWGLBOMD(catalog.get("bernoulli"), 2, 1.0, constants=c) for c in ("local", "repaired"))
    assert local.parameters.eta < repaired.parameters.eta
    assert local.beta < repaired.beta


def test_the_printed_constants_carry_their_theorem_for_half_line_families() -> None:
    learner = HCWGLBOMD(catalog.get("exponential").tilted(2), 2, 0.5)
    assert learner.guarantee == "theorem:confidence-sequence (paper constants)"


@pytest.mark.parametrize("decides", [{"R_near": 3.0}, {"reach": 0.2}, {"alpha": 20.0}, {"S": 0.01}])
def test_the_local_regularisation_and_radius_written_out_a_second_time(decides: dict[str, float]) -> None:
    """Each of the four demands on the regularisation decides once; gamma is the spread of the mixture."""
    its = {"d": 3.0, "S": 1.25, "eta": 2.5, "alpha": 1.0, "R_s": 1.5, "L_mu": 0.25, "R_near": 1.25, "reach": 10.0}
    its |= decides
    gamma = 54 * 2.5 / 35
    printed = (6 * 2.5 * its["alpha"] * 1.5 * its["S"] * 0.25) ** 2
    demands = [4 * gamma * its["R_near"] ** 2, 9 * gamma / its["reach"] ** 2, printed, 3.0 / (2 * its["S"]) ** 2]
    assert lam_local(**its) == pytest.approx(max(demands), rel=1e-12)
    beta = beta_from_logdet_local(its["S"], 0.05, 2.5, 7.0, 3.0)
    assert beta**2 == pytest.approx(5 * math.log(20) + 27 / 20 * gamma * 2.5 * 3.0 + 28 * its["S"] ** 2, rel=1e-12)


@pytest.mark.parametrize(("name", "farthest"), [
    ("poisson", None), ("exponential", None), ("gaussian", 32.0),
])  # fmt: skip
def test_the_reach_is_the_one_of_those_tried_that_asks_for_least(name: str, farthest: float | None) -> None:
    """Up to 3/(2 R_s), where curvature and window ask for the same, or up to the end of the domain."""
    family, S = inside(name), Fraction(1, 2)
    if farthest is None:
        farthest = min(1.5 / concordance.R_s(family, S).upper, float(family.domain.sup - S))
    demands = {}
    for share in (0.25, 0.5, 0.625, 0.75, 1.0):
        if 0.5 + share * farthest < family.domain.sup:
            near = concordance.R_s(family, S + Fraction(share * farthest)).upper
            demands[max(4 * near**2, (3 / (share * farthest)) ** 2)] = share * farthest
    found = surroundings(family, S)
    assert found.demand == pytest.approx(min(demands), rel=1e-5)
    assert float(found.reach) == pytest.approx(demands[min(demands)], rel=1e-5)
    assert len(demands) >= 4


def test_a_flat_link_has_no_scale_of_its_own() -> None:
    small, large = (surroundings(catalog.get("gaussian"), S).reach for S in (Fraction(1, 2), Fraction(8)))
    assert large == 16 * small


def windowed(mean: float, sigma: float, S: float) -> tuple[Array, Array]:
    """Nodes and masses of the normal law in its window, with this mean."""
    low, high = max(-S - 3 * sigma, mean - 14 * sigma), min(S + 3 * sigma, mean + 14 * sigma)
    z = (low + high) / 2 + (high - low) / 2 * NODES

    def masses(centre: float) -> Array:
        exponent = -((z - centre) ** 2) / (2 * sigma**2)
        mass = SHARES * np.exp(exponent - exponent.max())
        return np.asarray(mass / mass.sum())

    reach = 3 * (high - low)
    return z, masses(brentq(lambda c: float(z @ masses(c)) - mean, low - reach, high + reach))


def one_round(rng: np.random.Generator, factor: float) -> float:
    """By how much the mix loss of a round of tilted exponential rewards stays below its bound."""
    S, end = 1.0, 1 + float(rng.uniform(0.05, 1.5))
    reach = float(rng.uniform(0.2, 0.6)) * (end - S)
    gamma = spread_local(1 + 2 * S / (end - S))
    lam = max(4 * gamma * (2 / (end - S - reach)) ** 2, 9 * gamma / reach**2)
    n2 = float(rng.uniform(0.05, 1)) ** 2 / lam
    a = float(rng.choice([-S, S, rng.uniform(-S, S)]))
    b = float(np.clip(a + np.sqrt(gamma * n2) * rng.normal(), -S, S))
    g, w, reward = float(10 ** rng.uniform(-2, 1)), float(rng.uniform(0.05, 1)), float(3 * rng.exponential())
    z, mass = windowed(a, float(np.sqrt(gamma * n2)), S)

    def loss(at: Array | float) -> Array:
        return np.asarray((-np.log(end - at) - reward * at) / g)

    exponent = -loss(z)
    mixed = -(exponent.max() + np.log(mass @ np.exp(exponent - exponent.max())))
    information = np.log1p(w / g / (end - b) ** 2 * n2)
    move = float(MOVES_FACTOR) * (b - a) ** 2 / (2 * gamma * n2)
    return float(w * loss(b) + factor * (move + 27 / 40 * gamma * information) - w * mixed)


def test_the_mixture_in_the_window_costs_what_the_lemma_says() -> None:
    rng = np.random.default_rng(3)
    assert min(one_round(rng, 1.0) for _ in range(400)) > -1e-9


def test_a_third_of_that_cost_is_too_little() -> None:
    rng = np.random.default_rng(3)
    assert min(one_round(rng, 1 / 3) for _ in range(400)) < 0


def within_the_interval(at: float, n: float, rare: float, exponent: float) -> float:
    """One minus the largest mean of a round, for rewards 0, 1 and a rare large one, self-concordant on [-1, 1].

    R = 11/10, S = 1 and lambda = 14 eta R^2; the dispersion is 1 and the weight is 1.
    """
    S, R = 1.0, 1.1
    eta = 1 + R * S
    gamma, n2 = 1.5 * eta, n**2 / (14 * eta * R**2)
    z = np.linspace(-S, S, 8001)
    rewards, base = np.array([0.0, 1.0, rare]), np.array([0.0, 0.0, -np.log(100 * rare**3) - rare])
    terms = np.outer(z, rewards) + base
    m = np.logaddexp.reduce(terms, axis=1)
    density = np.exp(terms - m[:, None])
    slope = density @ rewards**2 - (density @ rewards) ** 2
    determinant = 1 + slope * n2
    weighted = density * (np.exp(-((z - at) ** 2) / (2 * gamma * n2)) * determinant**-exponent)[:, None]
    return float(1 - weighted.max(axis=0).sum())


@pytest.mark.parametrize("rare", [2.0, 30.0, 1000.0])
@pytest.mark.parametrize("at", [-1.0, 0.0, 0.99, 1.0])
@pytest.mark.parametrize("n", [0.1, 0.5, 1.0])
def test_a_round_meets_only_laws_of_the_interval(at: float, n: float, rare: float) -> None:
    cost = 3 * 2.1 + 0.5  # 2 gamma + 1/2
    assert within_the_interval(at, n, rare, cost) > 0
    assert within_the_interval(at, n, rare, cost / 40) < 0


ENDING = ("exponential", "gamma", "geometric", "negative_binomial", "inverse_gaussian", "hyperbolic_secant")


def path_of(name: str, scale: float | None, seed: int) -> Outcome:
    """A run against an adversary that mirrors theta_*, from the point opposite to it."""
    S, C = 0.5, 2.0
    p = parameters(inside(name), 1, S, 0.2, C, 0.12, reading="local", radius_scale=scale, start=S)
    agent = agent_of(p)
    vector(agent.state, THETA)[:] = -S
    return play(agent, p, Episode(World(np.array([S]), basis(1), attack=mirror(C)), 300, seed))


@pytest.mark.parametrize("name", ENDING)
def test_families_whose_domain_ends_are_covered_and_four_fifths_of_the_radius_are_not_enough(name: str) -> None:
    assert all(path_of(name, None, seed).misses == 0 for seed in range(4))
    assert any(path_of(name, 0.8, seed).misses > 0 for seed in range(4))
