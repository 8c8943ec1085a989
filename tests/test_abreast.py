"""Several arms abreast: for any number of arms, what is worked out in lanes is what numpy works out one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors import COMPETITORS
from glbcheck.core.engine import World, link, run, state
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.run import played
from glbcheck.core.engine.survey import closed_survey, exact_survey
from glbcheck.core.errors import BadInput
from glbcheck.core.optimism import most_uncertain
from glbcheck.core.parameters import Index, parameters
from glbcheck.core.world import sphere

SIZES = [(1, 1), (2, 3), (15, 2), (16, 5), (17, 4), (31, 1), (33, 7)]  # of sets: K, d
ROUNDS = 600  # more than a block


def learned(d: int, rng: np.random.Generator, index: Index = "exact") -> state.Learner:
    """A learner whose H is far from round."""
    p = parameters(catalog.get("gaussian"), d, 2.0, 0.05, 1.0, index=index)
    learner = state.views(state.initial(p))
    for _ in range(40):
        x = sphere(rng, 1, d)[0]
        x[0] *= 0.1
        update(learner, link.pack(p.family, p.S), x, float(rng.normal()), 0.1)
    return learner


def soiled(K: int, d: int, points: Floats) -> sets.Arms:
    """Arms in a room that is full of what must not be read."""
    room = sets.room(K, d)
    room[:] = np.inf
    return sets.views(room, points)


@pytest.mark.parametrize(("K", "d"), [(1, 1), (17, 3)])
def test_the_parts_of_a_room_share_nothing(K: int, d: int) -> None:
    arms = sets.views(sets.room(K, d), np.zeros((K, d)))
    parts = [part for part in arms[1:] if part.ndim == 1] + [row for part in arms[1:] if part.ndim == 2 for row in part]
    assert len(parts) == 3 * d + 10 + 8
    for number, part in enumerate(parts):
        part[:] = number
    assert [part[0] for part in parts] == [*range(len(parts))]


@pytest.mark.parametrize(("K", "d"), SIZES)
@pytest.mark.parametrize("survey", [exact_survey, closed_survey])
def test_a_survey_knows_of_new_arms_what_numpy_knows(K: int, d: int, survey: Callable[..., bool]) -> None:
    rng = np.random.default_rng(100 * K + d)
    learner, theta_star = learned(d, rng), rng.normal(size=d)
    points = sphere(rng, K, d) * rng.uniform(0, 0.9, (K, 1))
    if K % 2:  # the index farthest from 0 is below it
        learner.facts.radius *= 1e-3
        points *= -1.0 if (points @ learner.theta).sum() > 0 else 1.0
        points[0] = -0.95 * learner.theta / np.linalg.norm(learner.theta)
    arms = soiled(K, d, points)
    assert survey(learner, arms, theta_star, False)
    norms = np.einsum("ki,ki->k", points, np.linalg.solve(learner.H, points.T).T)
    indices = points @ learner.theta + learner.facts.radius * np.sqrt(norms)
    np.testing.assert_allclose(arms.norm, norms, rtol=1e-12)
    np.testing.assert_allclose(arms.closed, indices, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(arms.mean, points @ theta_star, rtol=1e-11, atol=1e-14)
    assert arms.extremes[sets.BEST_NATURAL] == arms.mean.max()
    assert arms.extremes[sets.TOP] == arms.closed.max()
    assert not sets.stays(arms)
    if survey is exact_survey:
        np.testing.assert_allclose(arms.square, np.linalg.norm(points, axis=1) ** 2, rtol=1e-14)
        assert arms.extremes[sets.LONGEST] == arms.square.max()
        assert arms.extremes[sets.RELAXED] == 0.0
    else:
        assert sets.closed_form(learner, arms) == (arms.closed.max(), np.abs(arms.closed).max())
        assert arms.extremes[sets.LEADER] == arms.closed.argmax()


def test_a_learner_by_the_closed_form_chooses_by_what_the_survey_found() -> None:
    rng = np.random.default_rng(0)
    learner, points = learned(2, rng, "closed-form"), 0.9 * sphere(rng, 18, 2)
    arms = soiled(18, 2, points)
    assert closed_survey(learner, arms, np.zeros(2), False)
    assert sets.closed_form(learner, arms) == (arms.closed.max(), np.abs(arms.closed).max())
    assert sets.best_closed_form(learner, arms) == arms.closed.argmax()


@pytest.mark.parametrize(("first", "other"), [(3, 5), (3, 19), (20, 36)])
def test_arms_that_tie_have_no_leader_and_the_more_uncertain_is_chosen(first: int, other: int) -> None:
    """Of other places, or of the same in two stretches of lanes."""
    learner = learned(2, np.random.default_rng(0))
    learner.theta[:] = [0.0, 1.0]
    points = np.tile([0.0, -0.9], (37, 1))
    points[first] = points[other] = [0.3, 0.4]
    for turn in (first, other):
        arms = soiled(37, 2, points)
        assert closed_survey(learner, arms, np.zeros(2), False)
        assert arms.extremes[sets.LEADER] == -1
        arms.norm[turn] *= 1.01
        assert sets.best_closed_form(learner, arms) == turn
    points[other] *= 0.9
    assert closed_survey(learner, arms, np.zeros(2), False)
    assert sets.best_closed_form(learner, arms) == arms.extremes[sets.LEADER] == first


@pytest.mark.parametrize(("K", "d"), SIZES)
def test_arms_that_stay_have_the_norms_and_indices_of_the_same_arms_sent_anew(K: int, d: int) -> None:
    rng = np.random.default_rng(K + d)
    learner, points, theta_star = learned(d, rng), 0.9 * sphere(rng, K, d), rng.normal(size=d)
    staying, new = soiled(K, d, points), soiled(K, d, points)
    sets.settle(learner, staying)
    assert not staying.notes[[sets.FIRST_NORM, sets.BEND], 0].any()
    assert not staying.guess.any()
    assert not staying.notes[sets.AWAY, :K].any()
    drift = 2.0**-52 * staying.norm
    for _ in range(5):
        drift += 2.0**-51 * staying.norm
        c = update(learner, link.pack(catalog.get("gaussian"), 2.0), points[-1], 1.0, 0.1)
        sets.follow(learner, staying, points[-1], c)
        closed_survey(learner, new, theta_star, False)
    learner.facts.radius *= 1e-3
    learner.theta[:] = -points[0]  # with an index that is far below 0
    closed_survey(learner, new, theta_star, False)
    np.testing.assert_allclose(staying.norm, new.norm, rtol=1e-11)
    np.testing.assert_allclose(staying.drift, drift, rtol=1e-9)
    np.testing.assert_allclose(sets.closed_form(learner, staying), sets.closed_form(learner, new), rtol=1e-11)
    np.testing.assert_allclose(staying.closed, new.closed, rtol=1e-11, atol=1e-14)
    assert sets.closed_form(learner, staying) == (staying.closed.max(), np.abs(staying.closed).max())


@pytest.mark.parametrize("K", [1, 15, 16, 17, 40])
def test_the_most_uncertain_of_those_that_reach_the_level_is_the_first_of_its_equals(K: int) -> None:
    rng = np.random.default_rng(K)
    learner = learned(2, rng)
    for _ in range(50):
        arms = soiled(K, 2, sphere(rng, K, 2))
        sets.settle(learner, arms)
        arms.closed[:], arms.norm[:] = rng.integers(-2, 3, K), rng.integers(0, 3, K)
        scale = np.abs(arms.closed).max()
        assert sets.top_of(arms.closed) == arms.closed.max()
        level, expected = arms.closed.max() - 1e-9 * scale, most_uncertain(arms.closed, scale, arms.norm)
        assert sets.most_uncertain_of(arms.closed, level, arms.norm) == expected
        assert sets.most_uncertain(arms.closed, level, arms.norm) == expected
    # Where none reaches it, as nothing compares with what is not a number, there is an arm all the same.
    assert sets.most_uncertain_of(arms.closed, np.inf, arms.norm) == 0
    assert sets.most_uncertain(arms.closed, np.inf, arms.norm) == 0


@pytest.mark.parametrize("index", ["closed-form", "exact"])
@pytest.mark.parametrize(("K", "stay"), [(15, False), (18, False), (33, False), (18, True)])
def test_a_run_with_more_arms_than_lanes_has_the_actions_of_the_reference(K: int, stay: bool, index: Index) -> None:
    rng = np.random.default_rng(K)
    theta, rounds = 1.5 * sphere(rng, 1, 3)[0], 60
    moving = sphere(rng, rounds * K, 3).reshape(rounds, K, 3) * rng.uniform(0.2, 0.99, (rounds, K, 1))
    moving[1:] = moving[:1] if stay else moving[1:]
    p = parameters(catalog.get("bernoulli"), 3, 2.0, 0.05, 0.0, index=index, radius_scale=0.05)
    record = run(p, World(theta, moving[0] if stay else moving), rounds, 1, record=True).record
    assert record is not None
    reference = HCWGLBOMD(p.family, 3, 2.0, 0.05, 0.0, index=index, radius_scale=0.05)
    for t in range(rounds):
        assert reference.select(moving[t]) == record["arm"][t]
        reference.update(moving[t][int(record["arm"][t])], float(record["reward"][t]))
    assert len(set(record["arm"])) > (1 if stay else 5)


@pytest.mark.parametrize("family", ["bernoulli", "von_mises"])  # one draw for a round, and one for every arm
@pytest.mark.parametrize("bad", [1.1, np.nan, np.inf])
@pytest.mark.parametrize("at", [0, -1])
def test_an_arm_outside_the_ball_is_refused_in_whichever_round_it_comes(family: str, bad: float, at: int) -> None:
    arms = np.full((ROUNDS, 17, 2), 0.5)
    arms[at, 16, 1] = bad
    p = parameters(catalog.get(family), 2, 1.0, 0.05, 0.0)
    with pytest.raises(BadInput, match="norm at most 1"):
        run(p, World(np.zeros(2), arms), ROUNDS, 0)


def test_a_learner_that_looks_at_columns_sees_those_of_the_round() -> None:
    """MOR-UCB plays the same on arms that stay and on the same arms sent anew."""
    rng = np.random.default_rng(1)
    p, arms, rounds = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0, radius_scale=0.05), sphere(rng, 5, 2), 60
    rows = []
    for these in (arms, np.broadcast_to(arms, (rounds, 5, 2))):
        course = Course(World(np.array([0.5, -0.3]), these, np.ones(rounds), noisy=False), rounds, 0)
        record = played(COMPETITORS["mor-ucb"].start(p, course), p, course, (), True).record
        assert record is not None
        rows.append(record["arm"])
    np.testing.assert_array_equal(rows[0], rows[1])
    assert len(set(rows[0])) > 1


def test_of_arms_without_uncertainty_the_first_that_reaches_the_level_is_chosen() -> None:
    arms = soiled(3, 1, np.zeros((3, 1)))
    arms.closed[:], arms.norm[:] = [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]
    assert sets.most_uncertain_of(arms.closed, 0.0, arms.norm) == 1
