"""Runs: the same numbers whatever is played beside them, and whatever was played before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome, replicate, run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, changing, decades, sphere, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import Parameters, parameters

RNG = np.random.default_rng(4)
THETA, ARMS = 0.8 * sphere(RNG, 1, 3)[0], sphere(RNG, 7, 3)


def told(name: str = "bernoulli", C: float = 5.0) -> Parameters:
    return parameters(catalog.get(name), 3, 1.0, 0.05, C, index="closed-form")


def same(one: Outcome, other: Outcome) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in vars(one) if name != "record"]
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)


def recorded(found: Outcome) -> dict[str, Floats]:
    assert found.record is not None
    return found.record


def test_one_worker_and_five_play_the_same_runs() -> None:
    world = World(THETA, ARMS, attack=adversary.front_loaded(5.0))
    one, five = (replicate(told(), world, 300, 1, 6, (10, 300), workers) for workers in (1, 5))
    assert all(map(same, one, five))
    assert len({found.regret for found in one}) > 1


def test_a_run_of_replicates_is_the_run_of_its_number() -> None:
    def made(rng: np.random.Generator) -> World:
        return World(0.5 * sphere(rng, 1, 3)[0], ARMS)

    found = replicate(told(), made, 200, 9, 3)[2]
    assert same(found, run(told(), made(stream(9, (2,))), 200, 9, (2,)))


@pytest.mark.parametrize("fixed", [True, False])
def test_a_shorter_run_is_the_beginning_of_a_longer_one(fixed: bool) -> None:
    world = World(THETA, ARMS if fixed else changing(6, 3), decades(0.3, 1.0), attack=adversary.mirror(5.0))
    p = told("gaussian")
    short, long = (recorded(run(p, world, T, 2, record=True)) for T in (700, 5000))
    assert all(np.array_equal(short[name], long[name][:700]) for name in short)


@pytest.mark.parametrize("name", ["bernoulli", "poisson", "von_mises"])
def test_algorithms_that_pull_the_same_arm_in_a_round_see_the_same_reward(name: str) -> None:
    world, p = World(THETA, ARMS), told(name, 0.0)
    one, other = (
        recorded(rivals.run(each, p, Episode(world, 600, 3), record=True)) for each in ("glb-omd-tuned", "glm-ucb")
    )
    alike = one["arm"] == other["arm"]
    assert 0 < alike.sum() < 600
    assert np.array_equal(one["reward"][alike], other["reward"][alike])


def test_fixed_arms_are_the_same_arms_in_every_round() -> None:
    fixed, repeated = World(THETA, ARMS), World(THETA, np.broadcast_to(ARMS, (900, 7, 3)))
    one, other = (recorded(run(told(), world, 900, 3, record=True)) for world in (fixed, repeated))
    assert np.array_equal(one["arm"], other["arm"])
    assert np.array_equal(one["reward"], other["reward"])
    assert np.allclose(one["error"], other["error"], rtol=1e-12)


def test_marks_are_the_sums_at_their_round() -> None:
    found = run(told(), World(THETA, ARMS), 500, 3, checkpoints=(500, 20, 100), record=True)
    rows = recorded(found)
    assert found.regret_at[-1] == found.regret
    assert found.radius_at.tolist() == rows["radius"][[19, 99, 499]].tolist()
    assert found.weight_at.tolist() == rows["weight"][[19, 99, 499]].tolist()
    assert found.worst_ratio == (rows["error"] / rows["radius"]).max()


def test_no_rounds_leave_the_learner_as_it_was() -> None:
    found = run(told(), World(THETA, ARMS), 0, 3, record=True)
    assert (found.rounds, found.regret, found.misses) == (0, 0.0, 0)
    assert not found.theta.any()


@pytest.mark.parametrize(
    ("world", "refused"),
    [
        (World(THETA, 2 * ARMS), "norm at most 1"),
        (World(THETA, ARMS[:, :2]), "shape"),
        (World(2 * THETA, ARMS), "theta_star"),
        (World(THETA, ARMS, np.ones(7)), "one number per round"),
        (World(THETA, ARMS, -1.0), "dispersion"),
        (World(THETA, changing(5, 3, 1.5)), "norm at most 1"),
        (World(THETA, ARMS, attack=adversary.mirror(np.inf)), "budget"),
    ],
)
def test_worlds_that_are_none_are_refused(world: World, refused: str) -> None:
    with pytest.raises(BadInput, match=refused):
        run(told(), world, 50, 1)


@pytest.mark.parametrize("rounds", [-1, 2.5, True])
def test_a_number_of_rounds_is_a_whole_number(rounds: int) -> None:
    with pytest.raises(BadInput, match="rounds"):
        run(told(), World(THETA, ARMS), rounds, 1)


def test_a_scale_of_zero_makes_the_learner_greedy() -> None:
    found = run(replace(told(), radius_scale=0.0), World(THETA, ARMS), 200, 1)
    assert found.radius == 0.0
