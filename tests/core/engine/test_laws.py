"""One draw a round becomes the reward of whichever arm is pulled, with the law of that arm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import World, run
from glbcheck.core.engine.draws import draw
from glbcheck.core.engine.laws import COUNTED, EVERY_ARM, LATTICE, MEANS, SCALED, SHIFTED, draws_of, law_of, reward_of
from glbcheck.core.environment.world import REWARDS, changing, decades, stream
from glbcheck.core.family import Family
from glbcheck.core.parameters import parameters
from scipy import stats

KINDS = {
    ("gaussian", 2.0): SHIFTED, ("exponential", 1.0): SCALED, ("gamma", 0.5): SCALED, ("bernoulli", 1.0): LATTICE,
    ("poisson", 1.0): LATTICE, ("binomial", 1.0): LATTICE, ("binomial_proportion", 0.25): LATTICE,
    ("scaled_poisson", 0.5): LATTICE, ("geometric", 1.0): LATTICE, ("negative_binomial", 1.0): LATTICE,
    ("truncated_poisson", 1.0): LATTICE, ("zero_truncated_poisson", 1.0): LATTICE, ("rademacher", 1.0): LATTICE,
    ("skellam", 1.0): EVERY_ARM, ("von_mises", 1.0): EVERY_ARM, ("inverse_gaussian", 1.0): EVERY_ARM,
}  # fmt: skip


def the(name: str) -> Family:
    family = catalog.get(name)
    return family if family.domain.sup > 1 else family.tilted(2)


@pytest.mark.parametrize(("name", "g"), KINDS)
def test_a_draw_becomes_a_reward_of_the_right_law(name: str, g: float) -> None:
    family, n = the(name), 4000
    law = law_of(family, 1.0, g)
    assert law[0] == KINDS[name, g]
    if law[0] == EVERY_ARM:
        return
    drawn = draws_of(law, family, np.random.default_rng(1), np.full(n, g))[:, 0]
    for z in (-0.9, 0.7):
        mean = float(family.mu(z))
        ours = np.array([reward_of(law, z, mean, float(u)) for u in drawn])
        theirs = draw(family, np.random.default_rng(2), np.full((n, 1), z), np.full(n, g))[:, 0]
        assert stats.ks_2samp(ours, theirs, method="asymp").pvalue > 1e-4
        assert abs(ours.mean() - mean) < 5 * np.sqrt(g * float(family.dmu(z)) / n)


def test_a_lattice_is_inverted_where_scipy_inverts_it() -> None:
    law = law_of(the("poisson"), 1.0, 1.0)
    for z in (-1.0, 0.3, 1.0):
        for u in np.random.default_rng(0).random(200):
            assert reward_of(law, z, 0.0, float(u)) == stats.poisson(np.exp(z)).ppf(u)


def test_a_dispersion_that_changes_is_that_of_its_round() -> None:
    g = np.array([0.01, 100.0] * 2000)
    law = law_of(the("gaussian"), 1.0, None)
    drawn = draws_of(law, the("gaussian"), np.random.default_rng(1), g)[:, 0]
    np.testing.assert_allclose([drawn[::2].std(), drawn[1::2].std()], [0.1, 10.0], rtol=0.05)
    assert law_of(the("scaled_poisson"), 1.0, None)[0] == COUNTED
    assert law_of(the("skellam"), 1.0, None)[0] == EVERY_ARM


STAYING = np.array([[0.9, 0.1], [0.2, 0.9], [-0.5, 0.5]])


@pytest.mark.parametrize(("name", "arms", "g"), [
    ("gaussian", changing(3, 2, 0.99), 1.0), ("poisson", changing(3, 2, 0.99), 1.0),
    ("von_mises", changing(3, 2, 0.99), 1.0), ("scaled_poisson", changing(3, 2, 0.99), decades(0.01, 1.0)),
    ("gaussian", STAYING, decades(0.01, 10.0)), ("scaled_poisson", STAYING, decades(0.01, 1.0)),
    ("inverse_gaussian", STAYING, decades(0.1, 1.0)),
])  # fmt: skip
def test_what_an_arm_pays_in_a_round_does_not_depend_on_the_learner(name: str, arms: Any, g: Any) -> None:
    family, seen = the(name), []
    for scale in (0.02, 1.0):
        p = parameters(family, 2, 1.0, 0.05, 0.0, radius_scale=scale)
        found = run(p, World(np.array([0.6, 0.3]), arms, g), 1500, 4, record=True).record
        assert found is not None
        seen.append(found)
    same = seen[0]["arm"] == seen[1]["arm"]
    assert 0 < same.sum() < 1500
    np.testing.assert_array_equal(seen[0]["reward"][same], seen[1]["reward"][same])


def test_without_noise_a_reward_is_its_mean() -> None:
    p = parameters(the("poisson"), 2, 1.0, 0.05, 0.0)
    arms = 0.9 * np.random.default_rng(0).normal(size=(600, 3, 2)) / 10
    theta = np.array([0.6, 0.3])
    found = run(p, World(theta, arms, noisy=False), 600, 4, record=True).record
    assert found is not None
    means = np.exp(arms @ theta)[np.arange(600), found["arm"].astype(int)]
    np.testing.assert_allclose(found["reward"], means, rtol=1e-12)
    assert law_of(p.family, 1.0, None, noisy=False)[0] == MEANS


def test_dispersions_that_change_reach_the_rounds() -> None:
    p = parameters(the("gaussian"), 2, 1.0, 0.05, 0.0)
    world = World(np.array([0.6, 0.3]), changing(3, 2, 0.99), decades(0.01, 10.0))
    found = run(p, world, 4000, 4, record=True).record
    assert found is not None
    wide = found["dispersion"] > 1
    assert found["reward"][wide].std() > 3 * found["reward"][~wide].std()


def test_counts_of_arms_that_stay_are_numpys_at_the_place_of_their_round() -> None:
    family, theta = the("scaled_poisson"), np.array([0.6, 0.3])
    found = run(parameters(family, 2, 1.0, 0.05, 0.0), World(theta, STAYING, decades(0.01, 1.0)), 300, 4, record=True)
    assert found.record is not None
    columns = (found.record[name] for name in ("arm", "dispersion", "reward"))
    for t, (arm, g, reward) in enumerate(zip(*columns, strict=True)):
        rng = stream(4, (), REWARDS)
        rng.bit_generator.advance(t * 2**32)  # type: ignore[attr-defined]
        assert reward == pytest.approx(family.sample(rng, float(STAYING[int(arm)] @ theta), float(g)))
