"""A few rounds in which values are followed: what `tests.engine_mutants` can afford often."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core.engine.optimism import BOTH, select_exactly
from glbcheck.core.engine.state import PUSH
from glbcheck.core.engine.tracking import _begin

from tests.test_tracking import Table

ROUNDS = 30


@pytest.mark.parametrize(("seed", "d", "K", "g", "least"), [(4, 3, 4, 0.05, 15), (0, 2, 6, 0.01, 12)])
def test_followed_values_lie_between_their_bounds_and_save_solutions(
    seed: int, d: int, K: int, g: float, least: int
) -> None:
    table, followed, unsolved = Table(seed, d, K, 0.1), 0, 0
    for _ in range(ROUNDS):
        region = table.region()
        values = np.array([region.optimum(table.arms.points[k]).value for k in table.followed()])
        assert len(set(table.followed())) == values.size
        low, high = table.bounds() if values.size else (values, values)
        assert (low <= values + 1e-10).all()
        assert (values <= high + 1e-10).all()
        assert np.isfinite(high).all()
        table.arms.solved[:] = -1.0
        k = select_exactly(table.learner, table.arms)
        assert k == region.best(table.arms.points)
        followed += values.size > 0
        unsolved += bool(table.learner.facts.decided == BOTH and (table.arms.solved == -1.0).all())
        table.pull(k, g)
    assert followed > 0.8 * ROUNDS
    assert unsolved >= least


def test_in_the_beginning_nothing_is_followed_and_nothing_was_pushed() -> None:
    learner = (table := Table(0, 2, 3, 0.1)).learner
    learner.facts.swollen = learner.facts.followed = 2.0
    learner.work[PUSH] = 3.0
    _begin(learner, table.arms)
    assert learner.facts.swollen == learner.facts.followed == 0.0
    assert not learner.work[PUSH].any()
