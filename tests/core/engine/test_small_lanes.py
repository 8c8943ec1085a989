"""A few short runs in lockstep and one by one."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import World, replicate, run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import NO_ATTACK, Attack
from glbcheck.core.environment.world import sphere, stream
from glbcheck.core.parameters import RadiusForm, parameters

from tests.core.engine.test_lanes import assert_same

T, RUNS = 45, 2


@pytest.mark.parametrize(("name", "S", "d", "scale", "alpha", "g", "form", "attack"), [
    ("bernoulli", 3.0, 3, 0.3, None, 1.0, "sum", NO_ATTACK),
    ("gaussian", 1.0, 3, 0.1, 0.01, 0.1, "sum", adversary.low_weight(4.0)),
    ("gaussian", 0.2, 2, 0.1, None, 4.0, "determinant", NO_ATTACK),
    ("bernoulli", 2.0, 2, 0.1, None, 1.0, "sum", Attack(adversary.FLIP, 5.0, 0.3, divisible=False)),
    ("poisson", 1.0, 2, 3.0, None, 1.0, "sum", adversary.mirror(3.0)),
    ("gaussian", 1.0, 2, 0.1, None, 0.5, "sum", adversary.paced(6.0, T, (1.0, 2.0), 0.5, "amplify")),
    ("gaussian", 1.0, 3, 0.8, None, 0.2, "sum", NO_ATTACK),  # informative in rounds of their own
    ("gaussian", 1.0, 2, 0.1, 2.0, 0.1, "sum", adversary.low_weight(4.0)),  # trusted in some rounds
    ("binomial", 1.0, 2, 0.2, None, 1.0, "sum", NO_ATTACK),  # drawn by Python
])  # fmt: skip
def test_short_runs_in_lockstep_are_the_runs_one_by_one(
    name: str, S: float, d: int, scale: float, alpha: float | None, g: float, form: RadiusForm, attack: Attack
) -> None:
    p = parameters(
        catalog.get(name), d, S, 0.05, attack.C, alpha, index="closed-form", radius_form=form, radius_scale=scale
    )

    def world(rng: np.random.Generator) -> World:
        arms = 0.999 * sphere(rng, 4, d) * rng.uniform(0.4, 1, (4, 1))
        return World(0.9 * S * sphere(rng, 1, d)[0], arms, g, attack)

    marks = range(1, T + 1)
    together = replicate(p, world, T, 8, RUNS, marks, workers=1)
    alone = [run(p, world(stream(8, (n,))), T, 8, (n,), marks) for n in range(RUNS)]
    for ours, theirs in zip(together, alone, strict=True):
        assert_same(ours, theirs)
    if scale == 0.8:
        assert 1 < alone[0].first_informative < alone[1].first_informative
    if alpha == 2.0:
        assert all(0 < one.discounted < T and one.corruption > 0 for one in alone)


def test_one_arm_has_no_regret_and_one_round_is_a_run() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 3.0, index="closed-form")
    world = World(np.array([0.5, 0.0]), np.array([[-0.5, 0.2]]), 1.0, adversary.paced(3.0, 1, (1.0,), 2.0, "mirror"))
    for rounds in (1, 3):
        ours, theirs = replicate(p, world, rounds, 8, 1)[0], run(p, world, rounds, 8, (0,))
        assert ours.regret == 0.0
        assert ours.corruption == theirs.corruption > 0


def test_lanes_have_attacks_of_their_own_or_none() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 5.0, index="closed-form", radius_scale=0.1)
    attacks = (NO_ATTACK, adversary.spread(4.0, T), adversary.front_loaded(4.0, 0.5))

    def world(rng: np.random.Generator) -> World:
        return World(0.9 * sphere(rng, 1, 2)[0], 0.9 * sphere(rng, 3, 2), 0.5, attacks[rng.integers(3)])

    together = replicate(p, world, T, 8, 4, range(1, T + 1), workers=1)
    alone = [run(p, world(stream(8, (n,))), T, 8, (n,), range(1, T + 1)) for n in range(4)]
    for ours, theirs in zip(together, alone, strict=True):
        assert_same(ours, theirs)
    assert len({id(world(stream(8, (n,))).attack) for n in range(4)}) == 3


def test_of_arms_that_tie_below_zero_the_most_uncertain_is_played_in_lockstep_and_alone() -> None:
    """The first round shows that the first axis pays less than nothing; along it the other arms are equal."""
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, index="closed-form", radius_scale=0.0)
    arms = np.array([[0.9, 0.0], [0.5, 0.3], [0.5, 0.6], [0.5, -0.1]])
    world = World(np.array([-0.5, 0.1]), arms, noisy=False)
    for found in (replicate(p, world, 2, 8, 1, (1, 2))[0], run(p, world, 2, 8, (0,), (1, 2))):
        np.testing.assert_allclose(found.regret_at, 0.26, rtol=1e-12)


def test_runs_that_cannot_share_their_rounds_are_played_one_by_one() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, index="exact", radius_scale=0.1)

    def world(rng: np.random.Generator) -> World:
        return World(0.9 * sphere(rng, 1, 2)[0], 0.9 * sphere(rng, 3, 2), 0.5)

    together = replicate(p, world, 10, 8, 3, (5, 10))
    for n, ours in enumerate(together):
        assert_same(ours, run(p, world(stream(8, (n,))), 10, 8, (n,), (5, 10)))
    assert [one.record for one in together] == [None] * 3
