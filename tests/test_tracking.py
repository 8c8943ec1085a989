"""Values of arms that are followed from round to round stay between their bounds, and choose as the reference does."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine import link, state
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.optimism import BOTH, select_exactly
from glbcheck.core.engine.tracking import floor_of, follow_values, lower_to_tracked, tracks
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.parameters import parameters
from glbcheck.core.world import sphere


class Table:
    """A learner at a set of arms, and a Gaussian reward for each of its rounds."""

    def __init__(self, seed: int, d: int, K: int, scale: float, S: float = 1.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.p = parameters(catalog.get("gaussian"), d, S, 0.05, 0.0, index="exact", radius_scale=scale)
        self.learner = state.views(state.initial(self.p))
        self.arms = sets.views(sets.room(K, d), sphere(self.rng, K, d) * self.rng.uniform(0.8, 1, (K, 1)))
        self.theta = 0.95 * S * sphere(self.rng, 1, d)[0]
        self.link = link.pack(self.p.family, S)
        sets.settle(self.learner, self.arms)

    def region(self) -> ConfidenceSet:
        now = self.learner
        return ConfidenceSet(now.theta.copy(), now.H.copy(), float(now.facts.radius), self.p.S, self.p.lam)

    def pull(self, k: int, g: float) -> None:
        x, before = self.arms.points[k], float(self.learner.facts.radius)
        grown = update(self.learner, self.link, x, float(x @ self.theta + np.sqrt(g) * self.rng.normal()), g)
        sets.follow(self.learner, self.arms, x, grown)
        if tracks(self.arms):
            follow_values(self.learner, self.arms, k, grown, before)

    def followed(self) -> list[int]:
        count = int(self.learner.facts.followed) if tracks(self.arms) else 0
        return [int(k) for k in self.arms.notes[sets.OWNER][:count]]

    def bounds(self) -> tuple[Floats, Floats]:
        """Lower and upper bounds on the values of those that are followed."""
        self.arms.upper[:] = np.inf
        lower_to_tracked(self.learner, self.arms)
        arms = self.followed()
        return np.array([floor_of(self.learner, self.arms, k) for k in arms]), self.arms.upper[arms]


@pytest.mark.parametrize(("d", "K", "g", "rounds"), [(2, 6, 1.0, 1200), (4, 12, 0.05, 600)])
def test_choices_are_those_of_the_reference_and_values_lie_between_their_bounds(
    d: int, K: int, g: float, rounds: int
) -> None:
    table, followed, tight, unsolved = Table(d // 3, d, K, 0.3), 0, 0, 0
    for t in range(rounds):
        region = table.region()
        if t % 10 == 0 and table.followed():
            values = np.array([region.optimum(table.arms.points[k]).value for k in table.followed()])
            low, high = table.bounds()
            assert (low <= values + 1e-10).all()
            assert (values <= high + 1e-10).all()
            followed, tight = followed + values.size, tight + int((high - low <= 1e-3).sum())
        table.arms.solved[:] = -1.0
        k = select_exactly(table.learner, table.arms)
        unsolved += bool(table.learner.facts.decided == BOTH and (table.arms.solved == -1.0).all())
        assert k == region.best(table.arms.points), t
        table.pull(k, g)
    assert unsolved > 100
    assert followed > 100
    assert tight > followed / 8


def test_a_step_that_was_projected_ends_what_was_followed() -> None:
    table = Table(1, 4, 12, 0.3)
    while not table.followed():
        table.pull(select_exactly(table.learner, table.arms), 0.05)
    table.learner.facts.moved = np.inf
    follow_values(table.learner, table.arms, 0, 0.0, float(table.learner.facts.radius))
    assert not table.followed()
