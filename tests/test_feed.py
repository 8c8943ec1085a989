"""What a block of rounds holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from glbcheck.core import adversary, catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors import COMPETITORS
from glbcheck.core.engine.arms import room
from glbcheck.core.engine.draws import draw
from glbcheck.core.engine.feed import Course, Feed, check_lengths
from glbcheck.core.engine.laws import EVERY_ARM, SHIFTED
from glbcheck.core.engine.state import views
from glbcheck.core.engine.streams import SIZE, uniform
from glbcheck.core.engine.tally import blank
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.tolerances import UNIT
from glbcheck.core.world import ADVERSARY, PICKS, REWARDS, World, changing, decades, stream

K, D, ROUNDS = 7, 2, 5


def for_family(name: str) -> Parameters:
    return parameters(catalog.get(name), D, 0.5, 0.05, 0.0)


def fed(name: str, world: World, rounds: int = ROUNDS) -> Feed:
    return Feed(for_family(name), Course(world, rounds, 1))


def test_there_is_room_for_all_arms_that_stay() -> None:
    arms = np.tile([0.3, 0.4], (20, 1))
    for world in (World(np.zeros(D), arms), World(np.zeros(D), arms, decades(0.5, 2.0))):
        assert fed("gaussian", world).block(0).room.shape == room(20, D).shape


@pytest.mark.parametrize("rounds", [-1, 2.0, True, "3", None])
def test_a_number_of_rounds_that_is_none_is_refused(rounds: object) -> None:
    with pytest.raises(BadInput, match=r"^rounds = .* is not accepted: a number of rounds, 0 or more"):
        Course(World(np.zeros(D), np.eye(D)), rounds, 1)  # type: ignore[arg-type]
    for count in (0, 1, np.int64(2)):
        assert Course(World(np.zeros(D), np.eye(D)), count, 1).rounds == count  # type: ignore[arg-type]


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


# --- arms ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [
    (K, D + 1), (0, D), (D,), (ROUNDS - 1, K, D), (ROUNDS, 0, D), (ROUNDS, K, D + 1), (ROUNDS, K, D, 1),
])  # fmt: skip
def test_arms_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match=r"^arms = .*array of shape"):
        fed("gaussian", World(np.zeros(D), np.zeros(shape))).block(0)


def test_a_single_arm_may_stay_or_change() -> None:
    for arms in (np.full((1, D), 0.5), np.full((ROUNDS, 1, D), 0.5)):
        assert (fed("gaussian", World(np.zeros(D), arms)).block(0).arms == arms).all()


def unaligned(arms: Floats) -> Floats:
    found = np.empty(arms.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(arms.shape)
    found[:] = arms
    return found


def read_only(arms: Floats) -> Floats:
    found = arms.copy()
    found.flags.writeable = False
    return found


@pytest.mark.parametrize("given", [np.asfortranarray, unaligned, read_only])
def test_arms_are_copied_where_compiled_rounds_need_others(given: Callable[[Floats], Floats]) -> None:
    """They are compiled for rows in memory of their own, one after the other, which may be written to."""
    arms = np.random.default_rng(0).uniform(-0.5, 0.5, (ROUNDS, K, D))
    found = fed("gaussian", World(np.zeros(D), given(arms))).block(0).arms
    assert found.flags.carray
    assert (found == arms).all()
    assert fed("gaussian", World(np.zeros(D), arms)).block(0).arms.base is arms  # not copied


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


def test_there_is_room_for_the_arms_of_every_block() -> None:
    sizes = {0: 20, 1: 3, 2: 40}

    def arms(rng: np.random.Generator, first: int, count: int) -> Floats:
        return np.zeros((count, sizes[first // length], D))

    length = Course(World(np.zeros(D), arms), 1, 1).block_length
    feed = fed("gaussian", World(np.zeros(D), arms), 3 * length)
    for number, size in enumerate((20, 20, 40)):  # what is there already serves fewer
        assert feed.block(number * length).room.shape == room(size, D).shape


def test_a_block_ends_with_the_run() -> None:
    course = Course(World(np.zeros(D), changing(K, D)), 1, 1)
    feed = fed("gaussian", course.world, course.block_length + 3)
    assert [feed.block(at).dispersions.size for at in (0, course.block_length)] == [course.block_length, 3]


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


def test_a_dispersion_that_stays_is_known_before_the_first_round() -> None:
    assert Course(World(np.zeros(D), changing(K, D), 0.3), 0, 1).dispersion_range() == (0.3, 0.3)


def test_counts_are_drawn_from_the_stream_of_rewards_and_other_laws_have_none() -> None:
    world = World(np.zeros(D), changing(K, D), decades(0.5, 2.0))
    found = fed("scaled_poisson", world).block(0).streams
    assert found.shape == (2, SIZE)
    assert uniform(found[0]) == stream(1, (), REWARDS).random()
    assert fed("gaussian", world).block(0).streams.size == 0


@pytest.mark.parametrize(("name", "rows"), [("gaussian", K), ("binomial", 0)])
def test_stacks_of_arms_that_stay_have_recipes_where_the_sampler_is_known(name: str, rows: int) -> None:
    assert fed(name, World(np.zeros(D), np.zeros((K, D)))).block(0).recipes.shape == (rows, 3)


def test_a_round_brings_one_draw_where_arms_or_dispersions_change_and_the_law_is_known() -> None:
    stay, change = np.zeros((K, D)), changing(K, D)
    for world in (World(np.zeros(D), change), World(np.zeros(D), stay, decades(0.5, 2.0))):
        block = fed("gaussian", world).block(0)
        assert (block.law[0], block.outcomes.shape) == (SHIFTED, (ROUNDS, 1))
    block = fed("gaussian", World(np.zeros(D), stay)).block(0)
    assert (block.law[0], block.outcomes.shape[0]) == (EVERY_ARM, K)
    given = World(np.zeros(D), change, rewards=lambda rng, first, count: np.full((count, K), 0.25))
    block = fed("gaussian", given).block(0)
    assert (block.law[0], block.outcomes.tolist()) == (EVERY_ARM, [[0.25] * K] * ROUNDS)


@pytest.mark.parametrize("shape", [(K, D), (ROUNDS, K, D)])
def test_where_no_law_is_known_there_is_a_reward_for_every_arm_of_every_round(shape: tuple[int, ...]) -> None:
    arms, theta, g = np.random.default_rng(0).uniform(-0.5, 0.5, shape), np.array([0.3, 0.2]), np.ones(ROUNDS)
    found = fed("bernoulli", World(theta, arms, g)).block(0).outcomes
    naturals = np.broadcast_to(arms @ theta, (ROUNDS, K))
    assert (found == draw(catalog.get("bernoulli"), stream(1, (), REWARDS), naturals, g)).all()
    arms[..., 3, :] = [1.2, 0.0]
    with pytest.raises(BadInput, match=r"^arms = .*norm at most 1"):
        fed("bernoulli", World(theta, arms, g)).block(0)


def test_Python_prepares_for_every_arm_the_next_rewards_of_its_own_stream() -> None:
    arms = np.random.default_rng(0).uniform(-0.5, 0.5, (K, D))
    feed = fed("binomial", World(np.array([0.3, 0.2]), arms))
    block, family = feed.block(0), catalog.get("binomial")
    naturals = [np.full(2 * ROUNDS, x @ [0.3, 0.2]) for x in arms]
    theirs = [draw(family, stream(1, (), REWARDS, k), naturals[k][:, None], np.ones(1))[:, 0] for k in range(K)]
    feed.refill()
    assert not block.used.any()
    block.used[3] = ROUNDS
    for k in range(K):
        assert block.outcomes[k].tolist() == theirs[k][:ROUNDS].tolist()
    feed.refill()
    assert not block.used.any()
    assert block.outcomes[3].tolist() == theirs[3][ROUNDS:].tolist()
    assert block.outcomes[4].tolist() == theirs[4][:ROUNDS].tolist()


@pytest.mark.parametrize("arms", [np.zeros((K, D)), changing(K, D)], ids=["stay", "change"])
def test_dice_are_cast_for_an_adversary_if_there_is_one(arms: Floats | Callable[..., Floats]) -> None:
    attacked = World(np.zeros(D), arms, attack=adversary.front_loaded(3.0))
    assert fed("gaussian", attacked).block(0).chances.tolist() == stream(1, (), ADVERSARY).random(ROUNDS).tolist()
    assert not fed("gaussian", World(np.zeros(D), arms)).block(0).chances.any()


def test_a_learner_that_asks_for_it_is_given_arms_drawn_at_random() -> None:
    course = Course(World(np.zeros(D), changing(K, D)), ROUNDS, 1)
    picks = [Feed(for_family("gaussian"), course, asked).block(0).picks.tolist() for asked in (True, False)]
    assert picks == [stream(1, (), PICKS).integers(K, size=ROUNDS).tolist(), []]
