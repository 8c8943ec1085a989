"""What the engine's rounds write down, round by round."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import state
from glbcheck.core.engine.tally import Played, Tape, add_up, blank, covers_ball, surely_covers_ball
from glbcheck.core.parameters import parameters

NO_MARKS = np.zeros(0, dtype=np.int64)


def after(*rounds: tuple[float, float]) -> Tape:
    """Rounds with these radii and errors."""
    tape = blank(2, NO_MARKS, 0)
    for radius, error in np.array(rounds):
        with np.errstate(divide="ignore"):
            add_up(tape, Played(0.0, 1.0, 0.0, 1.0, radius, error, 1.0, 0.0, 0.0, 0.25))
    return tape


def test_every_error_beyond_its_radius_is_a_miss_and_one_as_long_as_it_is_not() -> None:
    sums = after((2.0, 2.0), (2.0, 3.0), (2.0, 1.0), (2.0, 2.5)).sums
    assert (sums.misses, sums.first_miss, sums.worst_ratio) == (2.0, 2.0, 1.5)


def decided(radius: float, grown: float) -> tuple[state.Learner, Tape]:
    """θ has moved by (0.3, 0.4) since Θ reached 2 with a largest eigenvalue of 4, and the trace of H has grown."""
    learner = state.views(state.initial(parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)))
    learner.theta[:], learner.facts.radius = (0.6, 0.0), radius
    tape = blank(2, NO_MARKS, 0)
    tape.decided_at[:] = (0.3, -0.4)
    tape.sums.farthest, tape.sums.top, tape.sums.grown = 2.0, 4.0, grown
    return learner, tape


@pytest.mark.parametrize("grown", [0.0, 0.5, 3.0])
def test_that_the_ball_is_still_covered_is_told_from_how_far_all_has_moved(grown: float) -> None:
    needed = np.sqrt((2.0 + 2.0 * 0.5) ** 2 + grown * 1.6**2)
    assert surely_covers_ball(*decided(needed * (1 + 1e-9), grown))
    assert not surely_covers_ball(*decided(needed * (1 - 1e-9), grown))


def test_a_doubtful_case_is_decided_anew_and_the_decision_kept() -> None:
    learner, tape = decided(3.0, 0.5)
    learner.H[:] = np.diag((4.0, 1.0))
    assert not surely_covers_ball(learner, tape)
    assert not covers_ball(learner, tape)  # the far end of the ball is 1.6 away, and 2 * 1.6 > 3
    assert [tape.sums.farthest, tape.sums.top, tape.sums.grown] == pytest.approx([3.2, 4.0, 0.0], abs=1e-12)
    assert list(tape.decided_at) == [0.6, 0.0]
    learner.facts.radius = 3.2 + 1e-9
    assert surely_covers_ball(learner, tape)
    assert covers_ball(learner, tape)
