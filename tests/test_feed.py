"""What a block of rounds holds."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.competitors import COMPETITORS
from glbcheck.core.engine.arms import room
from glbcheck.core.engine.feed import Course, Feed
from glbcheck.core.engine.state import views
from glbcheck.core.engine.tally import blank
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.world import World, changing, decades

K, D, ROUNDS = 7, 2, 5


def for_family(name: str) -> Parameters:
    return parameters(catalog.get(name), D, 0.5, 0.05, 0.0)


def fed(name: str, world: World) -> Feed:
    return Feed(for_family(name), Course(world, ROUNDS, 1))


def test_there_is_room_for_all_arms_that_stay() -> None:
    arms = np.tile([0.3, 0.4], (K, 1))
    for world in (World(np.zeros(D), arms), World(np.zeros(D), arms, decades(0.5, 2.0))):
        assert fed("gaussian", world).block(0).room.shape == room(K, D).shape


def test_a_law_that_is_not_known_draws_a_reward_for_every_arm() -> None:
    block = fed("uniform", World(np.zeros(D), changing(K, D))).block(0)
    assert block.outcomes.shape == (ROUNDS, K)


@pytest.mark.parametrize("stay", [True, False])
def test_when_H_is_replaced_nothing_is_known_of_the_ball_any_more(stay: bool) -> None:
    arms = np.tile([0.6, 0.8], (K, 1))
    course = Course(World(np.zeros(D), arms if stay else np.tile(arms, (ROUNDS, 1, 1))), 1, 1)
    p = for_family("gaussian")
    player, feed, tape = COMPETITORS["glm-ucb"].start(p, course), Feed(p, course), blank(D, np.zeros(0, np.int64), 0)
    tape.sums.farthest = 1.0
    H = views(player.state).H.copy()
    assert player.rounds(player.state, player.memory, feed.truth, feed.block(0), tape, 0) == 1
    assert (views(player.state).H != H).any()
    assert tape.sums.farthest == np.inf
