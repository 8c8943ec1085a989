"""Bounds of arms that are followed from round to round hold, and choices are those of the reference."""

from __future__ import annotations

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine import link, state
from glbcheck.core.engine.floors import floor_of, held_arm
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.newcomers import choose_new
from glbcheck.core.engine.optimism import choose_staying
from glbcheck.core.engine.tracking import count_reaching, follow_values, tracks, update_bounds
from glbcheck.core.environment.world import sphere
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.parameters import parameters


class Table:
    """A learner at a set of arms, and a Gaussian reward for each of its rounds."""

    def __init__(self, seed: int, d: int, K: int, scale: float, S: float = 1.0, shortest: float = 0.8) -> None:
        self.rng = np.random.default_rng(seed)
        self.p = parameters(catalog.get("gaussian"), d, S, 0.05, 0.0, index="exact", radius_scale=scale)
        self.learner = state.views(state.initial(self.p))
        self.arms = sets.views(sets.room(K, d), sphere(self.rng, K, d) * self.rng.uniform(shortest, 1, (K, 1)))
        self.theta = 0.95 * S * sphere(self.rng, 1, d)[0]
        self.link = link.pack(self.p.family, S)
        sets.settle(self.learner, self.arms)

    def region(self) -> ConfidenceSet:
        now = self.learner
        return ConfidenceSet(now.theta.copy(), now.H.copy(), float(now.facts.radius), self.p.S, self.p.lam)

    def pull(self, k: int, g: float) -> None:
        x, before = self.arms.points[k], float(self.learner.facts.radius)
        grown = update(self.learner, self.link, x, float(x @ self.theta + np.sqrt(g) * self.rng.normal()), g)
        if tracks(self.arms):
            follow_values(self.learner, self.arms, k, grown, before)
        else:
            sets.follow(self.learner, self.arms, x, grown)

    def choose(self) -> tuple[int, bool]:
        """The arm that is chosen, and whether no bound had to be improved for it."""
        self.arms.solved[:] = -1.0
        k = (choose_staying if sets.stays(self.arms) else choose_new)(self.learner, self.arms)
        return k, bool(tracks(self.arms) and (self.arms.solved <= 0.0).all())

    def values(self) -> Floats:
        region = self.region()
        return np.array([region.optimum(x).value for x in self.arms.points])

    def check_bounds(self) -> float:
        """Upper and lower bounds of all arms hold, pending rounds counted or not; the gap at the top."""
        values, learner, arms = self.values(), self.learner, self.arms
        if learner.facts.run >= 0:
            k = held_arm(learner, arms)
            for least in (*(values - 1e-9), values.max() + 1e-3):
                assert count_reaching(learner.facts, arms, least) >= (values - 1e-10 >= least).sum()
            assert k < 0 or values[k] == values.max()
        update_bounds(learner, arms)
        np.testing.assert_allclose(arms.norm, self.region().squared_norms(arms.points), rtol=1e-9)
        learner.work[state.TARGET][:] = learner.H @ learner.theta
        low = np.array([floor_of(learner, arms, k) for k in range(values.size)])
        learner.facts.held = -1.0  # its points were followed up to what is no longer pending
        assert (low <= values + 1e-10).all()
        assert (values <= arms.upper + 1e-10).all()
        return float(arms.upper.max() - low.max())


@pytest.mark.parametrize(("d", "K", "g", "rounds"), [(2, 6, 1.0, 1200), (4, 12, 0.05, 600)])
def test_choices_are_those_of_the_reference_and_values_lie_between_their_bounds(
    d: int, K: int, g: float, rounds: int
) -> None:
    table, gaps, at_once = Table(d // 3, d, K, 0.3), [], 0
    for t in range(rounds):
        if t % 10 == 0 and tracks(table.arms):
            gaps.append(table.check_bounds())
        best = table.region().best(table.arms.points)
        k, unimproved = table.choose()
        at_once += unimproved
        assert k == best, t
        table.pull(k, g)
    assert at_once > rounds / 2
    assert len(gaps) > 40
    assert np.median(gaps) < 0.02


def test_a_step_that_was_projected_is_followed_too() -> None:
    leaps = 0
    for seed in (0, 4):
        table = Table(seed, 3, 8, 0.05)
        for _ in range(100):
            best = table.region().best(table.arms.points)
            k, _ = table.choose()
            assert k == best
            following = tracks(table.arms)
            table.pull(k, 0.05)
            if following and table.learner.facts.projected:
                table.check_bounds()
                leaps += 1
    assert leaps > 8
