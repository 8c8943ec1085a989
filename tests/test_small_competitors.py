"""Competitors in runs of a few rounds, where each part of a rule decides once."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from glbcheck.core import catalog, concordance
from glbcheck.core.bracket import Constant
from glbcheck.core.competitors import COMPETITORS, light_noise, likelihood, unknown_budget
from glbcheck.core.competitors.claimed import ONLY_CONFIDENCE, claimed
from glbcheck.core.competitors.cr_eluder_ucb import score
from glbcheck.core.competitors.descent import CURVATURE, NATURAL, SLOPE, _positive
from glbcheck.core.competitors.mirror_descent import unweighted
from glbcheck.core.competitors.ridge import bare
from glbcheck.core.competitors.unknown_budget import Test, guesses, select, told
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.engine import World, feed, link
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import played
from glbcheck.core.engine.state import initial, views
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.world import basis

from tests.test_unknown_budget import Noted


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


def test_guesses_are_tested_at_even_distances_also_when_new_rounds_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Noted, "added", [])
    monkeypatch.setattr(Noted, "asked", [])
    monkeypatch.setattr(unknown_budget, "Test", Noted)
    monkeypatch.setattr(unknown_budget, "EVERY", 7)
    monkeypatch.setattr(feed, "LONG_BLOCK", 24)
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 1.0)
    found = select(COMPETITORS["cw-oful"], p, Course(World(np.array([0.6, 0.0]), np.eye(2), 0.01), 40, 8), [40])
    assert Noted.asked == [1, 8, 15, 22, 29, 36]
    assert (found.outcome.rounds, found.drawn.sum()) == (40, 40)


def test_base_learners_share_the_rewards_of_an_arm_also_when_many_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Noted, "added", [])
    monkeypatch.setattr(unknown_budget, "Test", Noted)
    p = parameters(catalog.get("binomial"), 2, 1.0, 0.05, 1.0)
    course = Course(World(np.array([0.6, 0.0]), np.eye(2)[:1]), 45, 8)
    select(COMPETITORS["hcw-glb-omd"], p, course, [45])
    alone = played(COMPETITORS["hcw-glb-omd"].start(p, course), p, course, (), True).record
    assert alone is not None
    assert [reward for _, reward, _ in Noted.added] == alone["reward"].tolist()


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


@pytest.mark.parametrize("algorithm", ["mor-ucb", "uniform"])
def test_a_learner_without_weights_notes_the_weight_one_in_every_round(algorithm: str) -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)
    course = Course(World(np.array([0.6, 0.0]), np.eye(2)), 7, 1)
    player = COMPETITORS[algorithm].start(p, course)
    found = played(player, p, course, (), True)
    assert found.record is not None
    assert found.record["weight"].tolist() == [1.0] * 7
    assert algorithm == "uniform" or views(player.state).facts.rounds == 7


def test_uniform_play_comes_to_every_arm() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)
    course = Course(World(np.array([0.6, 0.0]), basis(2)), 40, 1)
    found = played(COMPETITORS["uniform"].start(p, course), p, course, (), True)
    assert found.record is not None
    assert set(found.record["arm"]) == {0.0, 1.0, 2.0, 3.0}


def test_a_rival_begins_without_anything_of_the_learner_of_the_paper() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 9.0, reading="sharpest", horizon=500)
    ours, facts = (views(state).facts for state in (initial(p), bare(p)))
    assert (facts.own_alpha, facts.widening, facts.half_squared) == (math.inf, 0, 0)
    assert min(ours.widening, ours.half_squared) > 0


# --- what is said of them ---------------------------------------------------------------------------------------------


def test_where_constants_derived_here_are_among_the_others_it_is_said() -> None:
    assert claimed("gadaoful").caveat(("paper", "sharpest")) == ONLY_CONFIDENCE
    assert claimed("gadaoful").caveat(()) is None


# --- the fits ---------------------------------------------------------------------------------------------------------


def test_what_the_bend_of_the_link_adds_to_the_squared_loss_is_left_out_where_that_is_asked() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 2.0, 0.05, 0.0)
    memory = COMPETITORS["cr-eluder-ucb"].start(p, Course(World(np.zeros(2), np.ones((4, 1, 2)) / 2), 4, 1)).memory
    at, w, reward = np.array([-1.5, 0.25, 1.0]), np.array([1.0, 0.5, 2.0]), np.array([1.0, 0.0, 0.5])
    memory.weight[1:], memory.reward[1:] = w, reward
    mu, dmu, ddmu = (f(at) for f in (p.family.mu, p.family.dmu, p.family.ddmu))
    for plain in (0.0, 1.0):
        memory.descent.plain[0] = plain
        memory.descent.room[NATURAL, :3] = at
        score(memory, 1, 3)
        np.testing.assert_allclose(memory.descent.room[SLOPE, :3], (w * mu - reward) * dmu, rtol=1e-10)
        bent = w * dmu**2 + (0.0 if plain else 1.0) * (w * mu - reward) * ddmu
        np.testing.assert_allclose(memory.descent.room[CURVATURE, :3], bent, rtol=1e-7)


@pytest.mark.parametrize("start", [3.0, -3.0, 2.5])
def test_a_likelihood_is_fitted_also_where_whole_steps_go_from_one_end_of_the_ball_to_the_other(start: float) -> None:
    p = parameters(catalog.get("bernoulli"), 1, 3.0, 0.05, 0.0)
    learner = views(COMPETITORS["glm-ucb"].start(p, Course(World(np.zeros(1), np.ones((1, 1))), 2, 1)).state)
    learner.theta[0], learner.work[:] = start, 7.0  # of whatever the rows of work held
    likelihood.fit(
        learner, link.pack(p.family, 3.0), likelihood.Data(np.ones((2, 1)), np.ones(2), np.array([1.0, 0.0]))
    )
    assert learner.theta[0] == pytest.approx(0.0, abs=1e-5)


def test_a_matrix_is_positive_if_its_pivots_are_above_the_floor_whatever_the_scale() -> None:
    learner = views(initial(parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0)))
    for pivot, positive in ((10.0, True), (2.5, True), (1.5, False), (-3.0, False)):
        learner.square[:] = np.diag([pivot, 10.0])
        assert bool(_positive(learner, 2.0)) is positive


# --- light noise ------------------------------------------------------------------------------------------------------

POISSON = catalog.get("poisson")


@pytest.mark.parametrize(("right", "left", "falls"), [
    (-1, 1, True), (0, 1, False), (1, 1, False), (-1, 0, False), (-1, -1, False),
])  # fmt: skip
def test_a_slope_falls_if_its_derivative_is_negative_to_the_right_and_positive_to_the_left(
    right: int, left: int, falls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs = {1: SimpleNamespace(sign=right), -1: SimpleNamespace(sign=left)}
    monkeypatch.setattr(light_noise, "ratio_tail", lambda expr, z, side, near: signs[side])
    assert light_noise._falls_beyond(POISSON, 4) is falls


def test_slopes_that_cannot_be_enclosed_are_not_said_to_fall_nor_to_be_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object) -> None:
        raise NotEnclosed("nothing is known")

    monkeypatch.setattr(light_noise, "ratio_tail", fails)
    monkeypatch.setattr(concordance, "L_mu", fails)
    assert light_noise._falls_beyond(POISSON, 4) is False
    assert light_noise._no_larger(POISSON, 1.0, 4) is False


def test_slopes_farther_out_are_looked_at_and_no_farther_than_need_be() -> None:
    assert light_noise._no_larger(POISSON, 1.0, 4) is False
    assert light_noise._no_larger(POISSON, 4.0, 1)


@pytest.mark.parametrize(("exact", "farther", "upper", "no_larger"), [
    ("1/4", "1/4", 0.26, True), ("1/4", "1/2", 0.5, False), (None, None, 0.26, False), (None, None, 0.25, True),
])  # fmt: skip
def test_two_slopes_are_the_same_in_closed_form_or_by_their_brackets(
    exact: str | None, farther: str | None, upper: float, no_larger: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    slopes = {1.0: Constant(exact, 0.24, 0.25, "0"), 4: Constant(farther, 0.24, upper, "0")}
    monkeypatch.setattr(concordance, "L_mu", lambda family, S: slopes[S])
    assert light_noise._no_larger(POISSON, 1.0, 4) is no_larger


# --- layers -----------------------------------------------------------------------------------------------------------


def test_a_variance_at_the_top_of_a_layer_belongs_to_it() -> None:
    p = parameters(catalog.get("binomial_proportion"), 2, 1.0, 0.05, 0.0, L_mu=0.25)
    course = Course(World(np.array([0.6, 0.0]), np.eye(2), np.repeat([1.0, 0.25], [5, 4])), 9, 1)
    player = COMPETITORS["mor-ucb"].start(p, course)
    assert player.memory.tops.tolist() == [0.25, 0.0625]
    played(player, p, course, (), False)
    assert [views(state).facts.rounds for state in player.memory.states] == [5.0, 4.0]


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
