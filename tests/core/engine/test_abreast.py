"""Several arms abreast: for any number of arms, what is worked out in lanes is what numpy works out one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import World, link, run, state
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.survey import closed_survey, exact_survey
from glbcheck.core.environment.world import sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Index, parameters

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
