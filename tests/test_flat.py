"""Flat memory with named parts: compiled code finds them where Python finds them."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core._flat import count
from glbcheck.core._numba import compiled, specialised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine import state
from glbcheck.core.engine.abreast import stretches
from glbcheck.core.engine.arms import Arms, arms_in
from glbcheck.core.engine.rounds import closed, play
from glbcheck.core.engine.state import Learner, learner_in
from glbcheck.core.engine.survey import closed_survey, exact_survey
from glbcheck.core.engine.wide import LANES, spread
from numba.core.errors import TypingError


@compiled
def mark_learner(learner: Learner) -> None:
    """Another number at each end of every part."""
    facts, theta, inverse_d, H, lower = learner.facts, learner.theta, learner.inverse_d, learner.H, learner.lower
    square, shifted, work = learner.square, learner.shifted, learner.work
    facts.S, facts.projected = 1.5, float(theta.size)
    theta[0] = theta[-1] = 2.5
    inverse_d[0] = inverse_d[-1] = 3.5
    H[0, 0] = H[-1, -1] = 4.5
    lower[0, 0] = lower[-1, -1] = 5.5
    square[0, 0] = square[-1, -1] = 6.5
    shifted[0, 0] = shifted[-1, -1] = 7.5
    work[0, 0] = work[-1, -1] = 8.5
    work[1, 0] = float(work.shape[0])


@compiled
def mark_arms(arms: Arms) -> None:
    arms.points[0, 0] = arms.points[-1, -1] = 0.5
    arms.columns[0, 0] = arms.columns[-1, -1] = 1.5
    arms.scratch[0, 0] = arms.scratch[-1, -1] = 2.5
    arms.norm[0] = arms.norm[-1] = 3.5
    arms.closed[0] = arms.closed[-1] = 4.5
    arms.upper[0] = arms.upper[-1] = 5.5
    arms.guess[0] = arms.guess[-1] = 6.5
    arms.length[0] = arms.length[-1] = 7.5
    arms.square[0] = arms.square[-1] = 8.5
    arms.drift[0] = arms.drift[-1] = 9.5
    arms.mean[0] = arms.mean[-1] = 10.5
    arms.solved[0] = arms.solved[-1] = 11.5
    arms.extremes[0] = arms.extremes[-1] = 12.5
    arms.notes[0, 0] = arms.notes[-1, -1] = 13.5
    arms.maximisers[0, 0] = arms.maximisers[-1, -1] = 14.5


@compiled
def mark_state(numbers: Floats) -> None:
    mark_learner(learner_in(numbers))


@compiled
def mark_room(room: Floats, points: Floats) -> None:
    mark_arms(arms_in(room, points))


@compiled
def mark_lanes(numbers: Floats) -> None:
    """The same, with one number for all lanes."""
    learner = learner_in(stretches(numbers))
    learner.facts.S = spread(1.5)
    learner.theta[0] = spread(2.5)
    learner.H[-1, -1] = spread(4.5)
    learner.work[-1, -1] = spread(8.5)


@pytest.mark.parametrize("d", [1, 2, 7])
def test_a_learner_has_its_parts_where_python_finds_them(d: int) -> None:
    by_python = state.own_lines(count(state.STATE, {"d": d}))
    by_python[0] = d
    compiled_code = by_python.copy()
    mark_learner(state.views(by_python))
    mark_state(compiled_code)
    np.testing.assert_array_equal(by_python, compiled_code)
    assert by_python[-1] == 8.5
    assert by_python[state.COUNT - 1] == d


@pytest.mark.parametrize("d", [1, 3])
def test_wide_learners_have_the_parts_of_a_narrow_one(d: int) -> None:
    wide = np.zeros((count(state.STATE, {"d": d}), LANES))
    wide[0] = d
    mark_lanes(wide)
    assert (wide == wide[:, :1]).all()
    learner = state.views(wide[:, 0].copy())
    assert (learner.facts.S, learner.theta[0], learner.H[-1, -1], learner.work[-1, -1]) == (1.5, 2.5, 4.5, 8.5)
    assert np.count_nonzero(wide[:, 0]) == 5


@pytest.mark.parametrize(("K", "d"), [(1, 1), (5, 3), (17, 2)])
@pytest.mark.parametrize("spare", [0, 2])
def test_arms_have_their_parts_where_python_finds_them_also_in_a_larger_room(K: int, d: int, spare: int) -> None:
    by_python, points = sets.room(K + spare * LANES, d), np.zeros((K, d))
    compiled_code, others = by_python.copy(), points.copy()
    mark_arms(sets.views(by_python, points))
    mark_room(compiled_code, others)
    np.testing.assert_array_equal(by_python, compiled_code)
    np.testing.assert_array_equal(points, others)


def test_an_array_with_gaps_is_refused() -> None:
    for room, points in ((sets.room(5, 3)[:, ::2], np.zeros((5, 3))), (sets.room(5, 3), np.zeros((5, 6))[:, ::2])):
        with pytest.raises(TypingError, match="an array without gaps"):
            mark_room(room, points)
    with pytest.raises(TypingError, match="an array without gaps"):
        mark_state(np.ones(2 * count(state.STATE, {"d": 1}))[::2])


def test_loops_with_other_steps_are_kept_under_other_names() -> None:
    loops = [specialised(play, choose=closed, survey=survey, STAY=False) for survey in (exact_survey, closed_survey)]
    assert loops[0].__qualname__ != loops[1].__qualname__
