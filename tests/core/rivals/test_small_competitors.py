"""Rivals in runs of a few rounds, where each part of a rule decides once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import play
from glbcheck.core.engine.state import THETA, H, W, square, vector
from glbcheck.core.environment.world import World, basis
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.rivals import ALGORITHMS
from glbcheck.core.rivals.algorithm import OWN
from glbcheck.core.rivals.mirror_descent import unweighted
from glbcheck.core.rivals.mor_ucb import layer_at
from glbcheck.core.rivals.refitting import constrained_mle
from glbcheck.core.rivals.unknown_budget import Test, guesses, with_budget


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
    p, found = sharpest(horizon), with_budget(sharpest(horizon), 4.0, 0.01)
    assert (found.C, found.delta, found.horizon, found.index) == (4.0, 0.01, horizon, "closed-form")
    assert (found.family, found.d, found.S, found.use.name) == (p.family, 2, 1.0, "sharpest")
    assert found.choice is not None
    assert (found.choice.problem.g_min, found.choice.problem.g_max) == (0.5, 2.0)


def test_a_base_learner_with_other_constants_keeps_its_index_and_the_form_of_its_radius() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 9.0, reading="repaired", index="closed-form",
                   radius_form="determinant")  # fmt: skip
    found = with_budget(p, 4.0, 0.01)
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
    episode = Episode(World(np.array([0.6, 0.0]), basis(2)), 40, 1)
    found = play(ALGORITHMS["uniform"].start(p, episode), p, episode, (), True)
    assert found.record is not None
    assert set(found.record["arm"]) == {0.0, 1.0, 2.0, 3.0}


# --- the fits ---------------------------------------------------------------------------------------------------------


def test_a_likelihood_is_fitted_also_on_the_sphere_and_where_data_contradict() -> None:
    p = parameters(catalog.get("bernoulli"), 1, 3.0, 0.05, 0.0)
    for rewards, found in (([1.0, 0.0], 0.0), ([1.0, 1.0], 3.0), ([1.0, 1.0, 1.0, 0.0], math.log(3))):
        theta = constrained_mle(p, np.ones((len(rewards), 1)), np.array(rewards), 1e-9)
        assert theta[0] == pytest.approx(found, abs=1e-7)


# --- layers -----------------------------------------------------------------------------------------------------------


def test_arms_however_short_tie_only_if_their_bounds_are_nearly_the_same() -> None:
    """The first has five times the bound of the second, which is less known."""
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)
    episode = Episode(World(np.array([0.6, 0.0]), 1e-10 * np.diag([10.0, 2.0])), 1, 1)
    agent = ALGORITHMS["mor-ucb"].start(p, episode)
    for state in (
        agent.state,
        *(layer_at(agent.state, n) for n in range(int(agent.state[int(agent.state[OWN]) + 11]))),
    ):
        vector(state, THETA)[0] = 0.9
        square(state, H)[0, 0] *= 100.0
        square(state, W)[0, 0] /= 10.0
    found = play(agent, p, episode, (), True).record
    assert found is not None
    assert found["arm"].tolist() == [0.0]
