"""A relaxation that is kept over rounds bounds all values from above, and a point near its maximiser from below."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.optimum import BOTH
from glbcheck.core.engine.relaxation import renew, value_within
from glbcheck.core.engine.state import CENTRE
from glbcheck.core.engine.survey import exact_survey
from glbcheck.core.environment.world import sphere
from glbcheck.core.optimism import ConfidenceSet

from tests.core.engine.test_tracking import Table


class Fair(Table):
    """A learner with θ_t, of this part of the length S, and a radius of one's choice, to whom new arms are shown."""

    def __init__(self, seed: int, length: float, size: float, d: int = 3, S: float = 1.0) -> None:
        super().__init__(seed, d, 6, 0.1, S)
        for k in self.rng.integers(6, size=12):
            self.pull(k, 0.05)
        now = self.learner
        now.theta[:] = length * S * sphere(self.rng, 1, d)[0]
        now.facts.radius = size * S * math.sqrt(float(np.trace(now.H)) / d)

    def region(self) -> ConfidenceSet:
        now = self.learner
        facts = now.facts
        return ConfidenceSet(now.theta.copy(), now.H.copy(), float(facts.radius), self.p.S, float(facts.lam))

    def show(self, points: Floats, plainly: bool = False, soil: float = np.inf) -> None:
        """A room full of what must not be read, and a survey."""
        room = sets.room(*points.shape)
        room[:] = soil
        self.arms = sets.views(room, points)
        assert exact_survey(self.learner, self.arms, self.theta, plainly)

    def relax(self, nu: float) -> None:
        renew(self.learner, nu)
        self.learner.facts.decided = BOTH


@pytest.mark.parametrize(("K", "d"), [(1, 1), (5, 2), (17, 3), (20, 5), (40, 18)])
@pytest.mark.parametrize("nu", [0.1, 30.0])
@pytest.mark.parametrize("S", [0.5, 3.0])
def test_norms_and_indices_are_those_of_the_relaxation_as_numpy_works_it_out(
    K: int, d: int, nu: float, S: float
) -> None:
    fair = Fair(K, 0.8, 0.4, d, S)
    now, facts, points = fair.learner, fair.learner.facts, 0.9 * sphere(fair.rng, K, d)
    fair.relax(nu)
    A = now.H + nu * np.eye(d)
    for k in range(6):
        fair.pull(k, 0.1)  # H grows, θ_t goes on
    now.theta[:] *= 0.9
    fair.show(points)
    q = now.theta - nu * np.linalg.solve(A, now.theta)
    R = math.sqrt(facts.radius**2 + nu * (S * S - now.theta @ q))
    norms = np.einsum("ki,ki->k", points, np.linalg.solve(A, points.T).T)
    assert fair.arms.extremes[sets.RELAXED] == pytest.approx(R, rel=1e-13)
    np.testing.assert_allclose(now.work[CENTRE], q, rtol=1e-11, atol=1e-13 * S)
    np.testing.assert_allclose(fair.arms.norm, norms, rtol=1e-12)
    np.testing.assert_allclose(fair.arms.closed, points @ q + R * np.sqrt(norms), rtol=1e-11)
    values = fair.values()
    assert (fair.arms.closed >= values * (1 - 1e-12)).all()
    ratios = R / np.sqrt(norms)
    low = np.array([value_within(now, x, ratio) for x, ratio in zip(points, ratios, strict=True)])
    assert (low <= values + 1e-12 * S).all()
    assert (low > points @ now.theta).all()


@pytest.mark.parametrize("S", [0.5, 3.0])
@pytest.mark.parametrize(("length", "size"), [(0.9, 0.3), (0.97, 0.4), (1.0, 0.2)])
def test_with_the_multiplier_of_an_arm_both_bounds_are_its_value(length: float, size: float, S: float) -> None:
    touching = 0
    for seed in range(8):
        fair = Fair(seed, length, size, 4, S)
        x = 0.8 * sphere(fair.rng, 1, 4)
        best = fair.region().optimum(x[0])
        pulls = np.stack([fair.learner.H @ (best.point - fair.learner.theta), best.point])  # x is a sum of these
        (weight, more), *_ = np.linalg.lstsq(pulls.T, x[0])
        if not min(weight, more) > 1e-3 * weight:
            continue
        touching += 1
        for nu, far in ((more / weight, 1e-7), (1.2 * more / weight, 5e-2)):
            fair.relax(nu)
            fair.show(x)
            low = value_within(fair.learner, x[0], fair.arms.extremes[sets.RELAXED] / math.sqrt(fair.arms.norm[0]))
            assert best.value - far * S < low < best.value + 1e-12 * S
            assert best.value - 1e-12 * S < fair.arms.closed[0] < best.value + far * S
    assert touching >= 2
