"""The optimistic value of one arm in the engine: which constraint decides, the value, its multiplier and the steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.optimism import choose_staying
from glbcheck.core.engine.optimum import ELLIPSOID, ITERATIONS, optimistic_value, reaches_ball, stays_inside
from glbcheck.core.engine.state import TARGET
from glbcheck.core.environment.world import sphere
from glbcheck.core.optimism import ConfidenceSet

from tests.core.engine.test_tracking import Table


class Spot(Table):
    """A learner with θ_t and a radius of one's choice, at arms of several lengths of which the last is 0.

    If it is weak, H and all multipliers are small.
    """

    def __init__(self, seed: int, length: float, size: float, S: float = 1.0, weak: float = 1.0) -> None:
        d = 3
        super().__init__(seed, d, 6, 0.1, S)
        for k in self.rng.integers(6, size=12):
            self.pull(k, 0.05)
        learner, arms = self.learner, self.arms
        arms.points[:] *= np.array([1.0, 0.8, 0.5, 0.3, 0.1, 0.0])[:, None]
        learner.theta[:] = length * S * sphere(self.rng, 1, d)[0]
        learner.H[:], learner.inverse_d[:] = weak * learner.H, learner.inverse_d / weak
        learner.facts.lam *= weak
        learner.facts.radius = size * S * math.sqrt(float(np.trace(learner.H)) / d)
        sets.settle(learner, arms)
        sets.closed_form(learner, arms)
        learner.work[TARGET][:] = learner.H @ learner.theta

    def region(self) -> ConfidenceSet:
        now = self.learner
        facts = now.facts
        return ConfidenceSet(now.theta.copy(), now.H.copy(), float(facts.radius), self.p.S, float(facts.lam))


@pytest.mark.parametrize("S", [0.4, 3.0])
def test_the_maximiser_over_the_ball_is_in_the_ellipsoid_if_the_radius_reaches_it(S: float) -> None:
    spot = Spot(0, 0.7, 0.3, S)
    for k, x in enumerate(spot.arms.points):
        off = (S * x / np.linalg.norm(x) if x.any() else x) - spot.learner.theta
        reach = math.sqrt(float(off @ spot.learner.H @ off))
        for factor in (1 - 1e-10, 1 + 1e-10):
            spot.learner.facts.radius = factor * reach
            assert reaches_ball(spot.learner, spot.arms, k) == (factor > 1)


def test_the_maximiser_over_the_ellipsoid_is_in_the_ball_if_that_is_large_enough() -> None:
    spot = Spot(1, 0.7, 0.3)
    theta, H, rho = spot.learner.theta, spot.learner.H, float(spot.learner.facts.radius)
    for k, x in enumerate(spot.arms.points):
        u = np.linalg.solve(H, x)
        point = theta + rho / math.sqrt(float(x @ u)) * u if x.any() else theta
        for factor in (1 - 1e-10, 1 + 1e-10):
            spot.learner.facts.S = factor * float(np.linalg.norm(point))
            assert stays_inside(spot.learner, spot.arms, k) == (factor > 1)


@pytest.mark.parametrize("S", [0.3, 1.0, 20.0])
@pytest.mark.parametrize(("length", "size"), [(0.99, 0.02), (0.9, 0.3), (1.0, 0.3), (1.0, 1.0), (0.2, 0.9), (0.0, 5.0)])
def test_values_are_those_of_the_reference_and_multipliers_bring_the_maximiser_to_the_sphere(
    length: float, size: float, S: float
) -> None:
    spot = Spot(2, length, size, S)
    learner, region, both = spot.learner, spot.region(), 0
    for k, x in enumerate(spot.arms.points):
        value, nu, following = optimistic_value(learner, spot.arms, k, ITERATIONS)
        scale = S * float(np.linalg.norm(x))
        assert value == pytest.approx(region.optimum(x).value, abs=1e-12 * scale)
        assert following == nu
        if nu > 0:
            both += 1
            A = learner.H + nu * np.eye(x.size)
            q, p = np.linalg.solve(A, learner.H @ learner.theta), np.linalg.solve(A, x)
            R = math.sqrt(float(learner.facts.radius**2 + nu * (S**2 - learner.theta @ q)))
            assert np.linalg.norm(q + R / math.sqrt(x @ p) * p) == pytest.approx(S, rel=1e-4)
        else:
            assert value in (0.0, spot.arms.closed[k], S * spot.arms.length[k])
    assert (both > 0) == (size < 5) or size < 0.1


# --- all arms -----------------------------------------------------------------------------------------------------


def test_of_arms_that_tie_in_the_ellipsoid_the_more_uncertain_is_taken() -> None:
    spot = Spot(1, 0.2, 0.1)
    best = int(spot.arms.closed.argmax())
    spot.arms.points[5] = (1 - 1e-13) * spot.arms.points[best]
    sets.settle(spot.learner, spot.arms)
    spot.arms.norm[5] *= 1 + 1e-7  # hardly a larger index, but less known
    spot.learner.facts.radius *= 1e-4
    spot.learner.facts.decided = ELLIPSOID
    assert choose_staying(spot.learner, spot.arms) == 5
