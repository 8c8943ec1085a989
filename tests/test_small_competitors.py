"""Competitors in runs of a few rounds, where each part of a rule decides once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.competitors import COMPETITORS, likelihood
from glbcheck.core.competitors.mirror_descent import unweighted
from glbcheck.core.competitors.unknown_budget import Test, guesses, told
from glbcheck.core.engine import World, link
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import played
from glbcheck.core.engine.state import views
from glbcheck.core.environment.world import basis
from glbcheck.core.parameters import Parameters, parameters


def sharpest(horizon: float | None, scale: float | None = None) -> Parameters:
    return parameters(
        catalog.get("gaussian"), 2, 1.0, 0.05, 9.0, reading="sharpest", horizon=horizon, dispersions=(0.5, 2.0),
        index="closed-form", radius_scale=scale,
    )  # fmt: skip


# --- not told C -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [500.0, None])
def test_a_base_learner_with_the_sharpest_constants_is_told_all_but_the_budget_and_the_chance(
    horizon: float | None,
) -> None:
    p, found = sharpest(horizon), told(sharpest(horizon), 4.0, 0.01)
    assert (found.C, found.delta, found.horizon, found.index) == (4.0, 0.01, horizon, "closed-form")
    assert (found.family, found.d, found.S, found.use.name) == (p.family, 2, 1.0, "sharpest")
    assert found.choice is not None
    assert (found.choice.problem.g_min, found.choice.problem.g_max) == (0.5, 2.0)


def test_a_base_learner_with_other_constants_keeps_its_index_and_the_form_of_its_radius() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 9.0, reading="repaired", index="closed-form",
                   radius_form="determinant")  # fmt: skip
    found = told(p, 4.0, 0.01)
    assert (found.C, found.delta, found.use.name) == (4.0, 0.01, "repaired")
    assert (found.index, found.radius_form, found.choice) == ("closed-form", "determinant", None)


def test_the_last_guess_is_never_dropped_however_far_it_falls_behind() -> None:
    test = Test(guesses(2), np.zeros_like)
    test.add(0, 0.0, 0.0)
    test.add(1, 10.0, 0.0)
    test.drop()
    assert test.alive.tolist() == [False, True]
    test.add(1, -1000.0, 0.0)
    test.drop()
    assert test.alive.tolist() == [False, True]
    assert test.draw(0.5) == 1


# --- without weights --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [500.0, None])
def test_without_weights_the_sharpest_constants_are_found_anew_and_all_else_stays(horizon: float | None) -> None:
    p = sharpest(horizon, 0.5)
    found = unweighted(p, 0.25)
    assert (found.C, found.alpha, found.horizon) == (0.0, p.alpha, horizon)
    assert (found.index, found.radius_scale, found.by_hand) == ("closed-form", 0.5, ("radius_scale",))
    assert found.choice is not None
    assert (found.choice.problem.C, found.choice.problem.g_min, found.choice.problem.g_max) == (0.0, 0.25, 2.0)
    assert found.choice.alpha * 0.25 * math.sqrt(found.lam) >= 1 - 1e-9  # no weight is below 1


# --- what is noted ----------------------------------------------------------------------------------------------------


def test_uniform_play_comes_to_every_arm() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)
    course = Course(World(np.array([0.6, 0.0]), basis(2)), 40, 1)
    found = played(COMPETITORS["uniform"].start(p, course), p, course, (), True)
    assert found.record is not None
    assert set(found.record["arm"]) == {0.0, 1.0, 2.0, 3.0}


# --- the fits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [3.0, -3.0, 2.5])
def test_a_likelihood_is_fitted_also_where_whole_steps_go_from_one_end_of_the_ball_to_the_other(start: float) -> None:
    p = parameters(catalog.get("bernoulli"), 1, 3.0, 0.05, 0.0)
    learner = views(COMPETITORS["glm-ucb"].start(p, Course(World(np.zeros(1), np.ones((1, 1))), 2, 1)).state)
    learner.theta[0], learner.work[:] = start, 7.0  # of whatever the rows of work held
    likelihood.fit(
        learner, link.pack(p.family, 3.0), likelihood.Data(np.ones((2, 1)), np.ones(2), np.array([1.0, 0.0]))
    )
    assert learner.theta[0] == pytest.approx(0.0, abs=1e-5)


# --- layers -----------------------------------------------------------------------------------------------------------


def test_arms_however_short_tie_only_if_their_bounds_are_nearly_the_same() -> None:
    """The first has five times the bound of the second, which is less known."""
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)
    course = Course(World(np.array([0.6, 0.0]), 1e-10 * np.diag([10.0, 2.0])), 1, 1)
    player = COMPETITORS["mor-ucb"].start(p, course)
    for state in (player.state, *player.memory.states):
        learner = views(state)
        learner.theta[0] = 0.9
        learner.H[0, 0] *= 100.0
        learner.inverse_d[0] /= 100.0
    found = played(player, p, course, (), True).record
    assert found is not None
    assert found["arm"].tolist() == [0.0]
