"""Which new arms may reach the ball, which of those have their ends in C_t, and what is left in doubt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.factor import factorise
from glbcheck.core.engine.reaching import NONE, UNKNOWN, best_of_ball
from glbcheck.core.engine.state import TARGET
from glbcheck.core.environment.world import sphere

from tests.core.engine.test_ends import Corner, radius_for
from tests.core.engine.test_relaxation import Fair


class Ring(Fair):
    """Arms of one length, the first the most uncertain, in a world where the ends of some are in C_t."""

    def __init__(self, seed: int, K: int, inside: int, d: int = 3, S: float = 2.0) -> None:
        super().__init__(seed, 0.9, 1.0, d, S)
        now = self.learner
        axes = np.linalg.qr(self.rng.normal(size=(d, d)))[0]
        now.H[:] = axes @ np.diag(np.linspace(1.0, 2.0, d)) @ axes.T
        factorise(now.H, 0.0, 1.0, now.lower, now.inverse_d)
        now.facts.lam, now.theta[:] = 1.0, -0.9 * S * axes[:, -1]  # ends nearby are certain ones
        self.points = 0.7 * np.concatenate([axes[None, :, 0], sphere(self.rng, K - 1, d)])
        ways = S * self.points / 0.7 - now.theta
        self.squared = np.einsum("kj,ij,ki->k", ways, now.H, ways)
        order = np.sort(self.squared)
        now.facts.radius = math.sqrt(order[inside - 1 : inside + 1].mean()) if inside else 0.99 * math.sqrt(order[0])

    def norms(self) -> Floats:
        return self.region().squared_norms(self.points)


@pytest.mark.parametrize("nu", [0.0, 1.0, 1e13])  # the last one bounds by the ball, up to rounding
@pytest.mark.parametrize(("K", "inside"), [(2, 1), (20, 1), (20, 9), (33, 20), (60, 40), (5, 0)])
@pytest.mark.parametrize("d", [2, 5])
def test_the_most_uncertain_arm_with_its_end_in_C_t_is_found(K: int, inside: int, d: int, nu: float) -> None:
    ring = Ring(K + d + 1, K, inside, d)
    now = ring.learner
    if nu > 0.0:
        ring.relax(nu)
    ring.show(ring.points)
    assert (ring.arms.extremes[sets.RELAXED] > 0.0) == (nu > 0.0)
    k = best_of_ball(now, ring.arms)
    known = ring.squared <= now.facts.radius**2
    assert known.sum() == inside
    expected = int(np.where(known, ring.norms(), -1.0).argmax()) if inside else NONE
    assert k == expected
    assert k < 0 or k == ring.region().best(ring.points)
    np.testing.assert_allclose(now.work[TARGET], now.H @ now.theta, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("ties", "found"), [(0.0, 0), (0.9, UNKNOWN), (2.9, UNKNOWN), (1e6, 1)])
def test_an_arm_that_ties_at_the_ball_is_never_overlooked(ties: float, found: int) -> None:
    corner = Corner(radius_for(ties))
    fair = Fair(0, 0.5, 0.5, 2)
    fair.learner = corner.learner
    fair.show(corner.arms.points.copy())
    assert best_of_ball(corner.learner, fair.arms) == found
