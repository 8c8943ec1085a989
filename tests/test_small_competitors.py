"""Competitors in runs of a few rounds, where each part of a rule decides once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.competitors import COMPETITORS, unknown_budget
from glbcheck.core.competitors.mirror_descent import unweighted
from glbcheck.core.competitors.unknown_budget import Test, guesses, select, told
from glbcheck.core.engine import World
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import played
from glbcheck.core.engine.state import views
from glbcheck.core.parameters import Parameters, parameters

from tests.test_unknown_budget import Noted


def sharpest(horizon: float | None, **more: float) -> Parameters:
    return parameters(
        catalog.get("gaussian"), 2, 1.0, 0.05, 9.0, reading="sharpest", horizon=horizon, dispersions=(0.5, 2.0),
        index="closed-form", **more,
    )  # type: ignore[arg-type]  # fmt: skip


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
    for name, value in (("added", []), ("asked", [])):
        monkeypatch.setattr(Noted, name, value)
    monkeypatch.setattr(unknown_budget, "Test", Noted)
    monkeypatch.setattr(unknown_budget, "EVERY", 7)
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 1.0)
    found = select(COMPETITORS["cw-oful"], p, Course(World(np.array([0.6, 0.0]), np.eye(2), 0.01), 40, 8), [40])
    assert Noted.asked == [1, 8, 15, 22, 29, 36]
    assert (found.outcome.rounds, found.drawn.sum()) == (40, 40)


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
    p = sharpest(horizon, radius_scale=0.5)
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
