"""What a block of rounds holds."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import state
from glbcheck.core.engine.arms import Arms, room, views
from glbcheck.core.engine.feed import Course, Feed
from glbcheck.core.engine.rounds import REPLACED, _account_for
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


@pytest.mark.parametrize("name", ["von_mises", "bernoulli"])
def test_a_law_that_is_not_known_draws_a_reward_for_every_arm(name: str) -> None:
    block = fed(name, World(np.zeros(D), changing(K, D), decades(0.5, 2.0))).block(0)
    assert block.outcomes.shape == (ROUNDS, K)


@pytest.mark.parametrize("fixed", [True, False])
def test_when_H_is_replaced_nothing_is_known_of_the_ball_any_more(fixed: bool) -> None:
    learner, tape = state.views(state.initial(for_family("gaussian"))), blank(D, np.zeros(0, dtype=np.int64), 0)
    arms: Arms = views(room(K, D), np.tile([0.3, 0.4], (K, 1)))
    tape.sums.farthest = 1.0
    _account_for(REPLACED, learner, arms, 0, fixed, tape, 1.0)
    assert tape.sums.farthest == np.inf
