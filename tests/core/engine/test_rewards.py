"""One random number per round, common to all algorithms, makes the reward of the arm that is pulled."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.rewards import EVERY_ARM, draws_of, law_of, reward_of
from glbcheck.core.environment.world import decades
from glbcheck.core.family import Family
from scipy import stats

S, N = 0.9, 40_000
NATURALS = np.array([-0.8, -0.2, 0.0, 0.3, 0.8])


def family_of(name: str) -> Family:
    """The family, moved if it does not live on [-S, S]."""
    family = catalog.get(name)
    return family if family.domain.sup > S else family.tilted(2)


def rewards_of(name: str, z: float, g: Floats, seed: int = 0) -> Floats:
    """Rewards of one arm, one a round."""
    family = family_of(name)
    steady = float(g[0]) if np.ptp(g) == 0 else None
    law, rng = law_of(family, S, steady), np.random.default_rng(seed)
    draws = draws_of(law, family, rng, np.array([[z]]), g)
    if law[0] == EVERY_ARM:
        return np.array(draws[:, 0])
    mean = float(family.mu(z))
    return np.array([reward_of(law, z, mean, each, drawn) for each, drawn in zip(g, draws[:, 0], strict=True)])


@pytest.mark.parametrize("name", catalog.NAMES)
def test_mean_and_variance_of_every_arm_are_those_of_the_family(name: str) -> None:
    family = family_of(name)
    g = 0.5 if family.dispersions.allows(0.5) else 1.0
    for z in NATURALS:
        found = rewards_of(name, float(z), np.full(N, g))
        variance = g * float(family.dmu(z))
        error = 5 * np.sqrt(variance / N)
        assert abs(found.mean() - float(family.mu(z))) <= error
        fourth = float(np.mean((found - found.mean()) ** 4))
        assert abs(found.var() - variance) <= 6 * np.sqrt(max(fourth - variance**2, 0.0) / N) + 1e-12


@pytest.mark.parametrize("name", ["gaussian", "gamma", "scaled_poisson", "inverse_gaussian"])
def test_rewards_have_the_variance_of_the_dispersion_of_their_round(name: str) -> None:
    family, z = family_of(name), 0.3
    g = decades(0.1, 1.0)(np.random.default_rng(1), 0, N)
    found = (rewards_of(name, z, g) - float(family.mu(z))) / np.sqrt(g * float(family.dmu(z)))
    assert abs(found.mean()) <= 5 / np.sqrt(N)
    assert abs(found.var() - 1) <= 6 * np.sqrt(np.mean(found**4) / N)


@pytest.mark.parametrize("rate", [1e-9, 0.3, 1.0, 7.5, 40.0, 900.0, 1e5])
def test_counts_are_poisson_by_inversion(rate: float) -> None:
    family, g = catalog.get("poisson"), 1.0
    law, z = law_of(family, 20.0, g), float(np.log(rate))
    chances = np.concatenate([np.linspace(0.0, 0.999, 100), 1 - 10.0 ** -np.arange(4, 15)])
    found = np.array([reward_of(law, z, rate, g, chance) for chance in chances])
    assert (stats.poisson.cdf(found, rate) * (1 + 1e-9) >= chances).all()
    below = np.where(found > 0, stats.poisson.cdf(found - 1, rate), 0.0)
    assert (below * (1 - 1e-9) <= chances + 1e-15).all()


def test_a_larger_random_number_makes_no_smaller_reward_of_any_arm() -> None:
    for name in ("bernoulli", "binomial", "poisson", "geometric"):
        family = family_of(name)
        law = law_of(family, S, 1.0)
        for z in NATURALS:
            found = [reward_of(law, z, float(family.mu(z)), 1.0, chance) for chance in np.linspace(0, 0.999, 200)]
            assert found == sorted(found)


def test_without_noise_a_reward_is_the_mean() -> None:
    family = catalog.get("poisson")
    law = law_of(family, S, 1.0, noisy=False)
    assert reward_of(law, 0.3, float(family.mu(0.3)), 1.0, 0.0) == family.mu(0.3)
