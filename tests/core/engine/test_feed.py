"""What a block of rounds holds."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.feed import Course, Feed, check_lengths
from glbcheck.core.environment.world import World, changing
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.tolerances import UNIT

K, D, ROUNDS = 7, 2, 5


def for_family(name: str) -> Parameters:
    return parameters(catalog.get(name), D, 0.5, 0.05, 0.0)


def fed(name: str, world: World, rounds: int = ROUNDS) -> Feed:
    return Feed(for_family(name), Course(world, rounds, 1))


@pytest.mark.parametrize("rounds", [-1, 2.0, True, "3", None])
def test_a_number_of_rounds_that_is_none_is_refused(rounds: object) -> None:
    with pytest.raises(BadInput, match=r"^rounds = .* is not accepted: a number of rounds, 0 or more"):
        Course(World(np.zeros(D), np.eye(D)), rounds, 1)  # type: ignore[arg-type]
    for count in (0, 1, np.int64(2)):
        assert Course(World(np.zeros(D), np.eye(D)), count, 1).rounds == count  # type: ignore[arg-type]


# --- arms ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [
    (K, D + 1), (0, D), (D,), (ROUNDS - 1, K, D), (ROUNDS, 0, D), (ROUNDS, K, D + 1), (ROUNDS, K, D, 1),
])  # fmt: skip
def test_arms_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match=r"^arms = .*array of shape"):
        fed("gaussian", World(np.zeros(D), np.zeros(shape))).block(0)


def test_an_adversary_that_chooses_contexts_does_not_write_into_what_it_was_given() -> None:
    arms = np.full((ROUNDS, K, D), 0.5)
    found = fed("gaussian", World(np.zeros(D), arms, hostile_contexts=True)).block(0).arms
    assert not np.shares_memory(found, arms)


def test_an_arm_may_leave_the_ball_by_rounding_and_no_more() -> None:
    check_lengths(np.array([[[0.0, UNIT]]]))
    for length in (1 + 1.3e-9, 1.2, np.nan):
        with pytest.raises(BadInput, match=r"^arms = .*norm at most 1"):
            check_lengths(np.array([[[0.5, 0.5]], [[length, 0.0]]]))
        with pytest.raises(BadInput, match=r"^arms = .*norm at most 1"):
            fed("gaussian", World(np.zeros(D), np.array([[0.5, 0.5], [length, 0.0]])))


# --- dispersions and chance ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(ROUNDS - 1,), (ROUNDS, 1)])
def test_dispersions_that_are_not_one_for_each_round_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match=r"^dispersions = .*array of shape"):
        fed("gaussian", World(np.zeros(D), changing(K, D), np.ones(shape))).block(0)


def test_dispersions_that_the_constants_were_not_chosen_for_are_refused() -> None:
    p = parameters(catalog.get("gaussian"), D, 0.5, 0.05, 0.0, reading="sharpest")
    others: tuple[float | Floats, ...] = (0.5, np.array([1, 1, 0.5, 1, 1]), np.array([1, 1, 2.0, 1, 1]))
    for g in others:
        for arms in (np.zeros((K, D)), changing(K, D)):
            with pytest.raises(BadInput, match=r"^dispersion = "):
                Feed(p, Course(World(np.zeros(D), arms, g), ROUNDS, 1)).block(0)
