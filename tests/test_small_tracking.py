"""A few rounds in which values are followed."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core.engine.state import PUSH
from glbcheck.core.engine.tracking import begin, tracks

from tests.test_tracking import Table

ROUNDS = 30


@pytest.mark.parametrize(("seed", "d", "K", "g", "least"), [(4, 3, 4, 0.05, 10), (0, 2, 6, 0.01, 10)])
def test_followed_values_lie_between_their_bounds_and_save_solutions(
    seed: int, d: int, K: int, g: float, least: int
) -> None:
    table, followed, at_once = Table(seed, d, K, 0.1), 0, 0
    for t in range(ROUNDS):
        if tracks(table.arms):
            followed += 1
            if t % 3 == 0:
                table.check_bounds()
        best = table.region().best(table.arms.points)
        k, unimproved = table.choose()
        at_once += unimproved
        assert k == best
        table.pull(k, g)
    assert followed > 0.8 * ROUNDS
    assert at_once >= least


def test_in_the_beginning_nothing_is_pending_and_the_ball_is_the_bound() -> None:
    table = Table(0, 2, 3, 0.1)
    learner, arms = table.learner, table.arms
    learner.facts.swollen = learner.facts.square = learner.facts.push = 2.0
    learner.work[PUSH] = 3.0
    begin(learner, arms)
    assert learner.facts.swollen == learner.facts.square == learner.facts.push == learner.facts.pushed == 0.0
    assert learner.facts.run == learner.facts.held == -1.0
    assert not learner.work[PUSH].any()
    table.check_bounds()
    np.testing.assert_allclose(arms.upper, table.p.S * arms.length)
