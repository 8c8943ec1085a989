"""Which new arms may reach the ball, which of those have their ends in C_t, and what is left in doubt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.factor import factorise
from glbcheck.core.engine.optimum import BALL, BOTH
from glbcheck.core.engine.reaching import NONE, UNKNOWN, _list_reaching, best_of_ball
from glbcheck.core.engine.state import TARGET
from glbcheck.core.tolerances import TIE
from glbcheck.core.world import sphere

from tests.test_ends import Corner, radius_for
from tests.test_relaxation import Fair


@pytest.mark.parametrize(
    ("K", "count"), [(1, 0), (1, 1), (3, 2), (16, 0), (16, 9), (16, 16), (17, 1), (17, 16), (32, 32), (40, 16)]
)
def test_arms_that_reach_a_level_are_listed_in_turn_and_the_last_fills_its_lanes(K: int, count: int) -> None:
    rng = np.random.default_rng(K)
    room = sets.room(K, 2)
    room[:] = 7.0
    arms = sets.views(room, np.zeros((K, 2)))
    arms.closed[:] = rng.permutation(K) < count
    reaching, before = np.flatnonzero(arms.closed), room.copy()
    assert _list_reaching(arms, 1.0 - 1e-9) == count
    row, whole = next(i for i in range(room.shape[0]) if np.shares_memory(room[i], arms.guess)), -(-count // 16) * 16
    assert room[row, :count].tolist() == reaching.tolist()
    assert (arms.guess[count:whole] == (reaching[-1] if count else 0)).all()
    room[row, :whole] = before[row, :whole]
    assert (room == before).all()


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


@pytest.mark.parametrize("relaxed", [False, True])
def test_norms_of_the_survey_are_used_where_it_has_measured_them(relaxed: bool) -> None:
    ring = Ring(3, 20, 6)
    if relaxed:
        ring.relax(1.0)
    ring.show(ring.points)
    known = np.flatnonzero(ring.squared <= ring.learner.facts.radius**2)
    ring.arms.norm[known[-1]] = 100.0
    best = known[ring.norms()[known].argmax()]
    assert best != known[-1]
    assert best_of_ball(ring.learner, ring.arms) == (best if relaxed else known[-1])


@pytest.mark.parametrize(("few", "decided"), [(4, BOTH), (5, BALL)])
def test_what_decides_is_remembered_by_how_many_arms_may_reach_the_ball(few: int, decided: float) -> None:
    ring = Ring(1, 8, 3)
    ring.show(ring.points)
    ring.arms.closed[:] = np.where(np.arange(8) < few, 2.0, 0.0)
    for before in (BALL, BOTH):
        ring.learner.facts.decided = before
        best_of_ball(ring.learner, ring.arms)
        assert ring.learner.facts.decided == decided


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize(("above", "certain"), [(1e-13, True), (1e-7, False), (1e-5, False), (1e-2, True), (0.1, True)])
def test_an_end_next_to_the_boundary_of_C_t_leaves_doubt_if_its_arm_is_uncertain_enough(
    above: float, certain: bool, relaxed: bool
) -> None:
    ring, doubts = Ring(0, 20, 9), 0
    now, order, norms = ring.learner, np.argsort(ring.squared), ring.norms()
    for place in range(1, 15):
        k, inside = order[place], order[:place]
        now.facts.radius = math.sqrt(ring.squared[k] / (1.0 + above))
        before, after = ring.squared[order[place - 1]], ring.squared[order[place + 1]]
        if before > 0.98 * now.facts.radius**2 or after < 1.02 * ring.squared[k]:
            continue
        if relaxed:
            ring.relax(1.0)
        ring.show(ring.points)
        found, widest = best_of_ball(now, ring.arms), norms[inside].max()
        if above < 1e-12:  # within the slack of the boundary
            assert found == (k if norms[k] > widest else inside[norms[inside].argmax()])
        elif certain or norms[k] < widest:
            assert found == inside[norms[inside].argmax()]
        else:
            assert found == UNKNOWN
            doubts += 1
    assert doubts > 0 or certain


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize(
    ("short", "expected"), [(0.0, 1), (0.9, 1), (1.1, UNKNOWN), (1.9, UNKNOWN), (2.1, 0), (1e3, 0)]
)
@pytest.mark.parametrize("S", [0.5, 3.0])
def test_a_more_uncertain_arm_that_is_shorter_ties_leaves_doubt_or_does_not_matter(
    short: float, expected: int, S: float, relaxed: bool
) -> None:
    fair = Fair(0, 0.1, 9.0, 3, S)
    points = 0.7 * sphere(fair.rng, 2, 3)
    points = points[np.argsort(fair.region().squared_norms(points))]
    points[1] *= 1.0 - short * TIE
    if relaxed:
        fair.relax(1e-3)
    fair.show(points)
    assert best_of_ball(fair.learner, fair.arms) == expected
    fair.show(points[::-1].copy())
    assert best_of_ball(fair.learner, fair.arms) == (expected if expected < 0 else 1 - expected)


@pytest.mark.parametrize(("ties", "found"), [(0.0, 0), (0.9, UNKNOWN), (2.9, UNKNOWN), (1e6, 1)])
def test_an_arm_that_ties_at_the_ball_is_never_overlooked(ties: float, found: int) -> None:
    corner = Corner(radius_for(ties))
    fair = Fair(0, 0.5, 0.5, 2)
    fair.learner = corner.learner
    fair.show(corner.arms.points.copy())
    assert best_of_ball(corner.learner, fair.arms) == found


def test_of_equal_norms_the_first_counts() -> None:
    fair = Fair(0, 0.0, 9.0)
    points = np.tile(sphere(fair.rng, 1, 3), (20, 1))
    points[:4] *= 0.5
    points[::2] *= -1.0  # their norms are the same
    fair.show(points)
    assert best_of_ball(fair.learner, fair.arms) == 4


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("more", [1e-6, -1e-6])
def test_norms_are_compared_by_their_ratio_however_small_they_are(more: float, relaxed: bool) -> None:
    fair = Fair(0, 0.0, 9.0, 2)
    now = fair.learner
    now.H[:] = np.diag([1e8, 1e8 * (1.0 + more)])
    factorise(now.H, 0.0, 1.0, now.lower, now.inverse_d)
    now.facts.radius = 1e9
    if relaxed:
        fair.relax(1.0)
    fair.show(np.eye(2))
    assert best_of_ball(now, fair.arms) == (0 if more > 0 else 1)


@pytest.mark.parametrize("first", [0, 1])
def test_an_arm_in_doubt_with_the_same_norm_leaves_doubt(first: int) -> None:
    fair = Fair(0, 0.0, 9.0, 2)
    now = fair.learner
    now.H[:], now.theta[:] = 4.0 * np.eye(2), (0.5, 0.0)
    factorise(now.H, 0.0, 1.0, now.lower, now.inverse_d)
    points = np.array([[0.0, 1.0], [0.6, 0.8]])  # the first has the longer way, 4 (1/4 + 1)
    now.facts.radius = math.sqrt(5.0 * (1.0 - 1e-6))
    fair.show(np.roll(points, first, axis=0))
    assert fair.arms.norm[0] == fair.arms.norm[1]
    assert best_of_ball(now, fair.arms) == UNKNOWN
    now.facts.radius = math.sqrt(5.0 * (1.0 - 1e-2))
    fair.show(np.roll(points, first, axis=0))
    assert best_of_ball(now, fair.arms) == 1 - first
