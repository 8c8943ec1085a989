"""Arms that do not stay are looked at together: bounds hold, and choices are those of the reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.newcomers import _is_inside, choose_new, look_at_all
from glbcheck.core.engine.optimum import BALL, BOTH, CALM, ELLIPSOID
from glbcheck.core.engine.state import POINT, SPARE
from glbcheck.core.engine.survey import exact_survey
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.tolerances import TIE
from glbcheck.core.world import sphere

from tests.test_ends import Corner, radius_for
from tests.test_tracking import Table


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

    def meet(self, points: Floats) -> int:
        """The choice among these arms, the reference's, or -1 if it was left to solutions."""
        self.arms = sets.views(sets.room(*points.shape), points)
        assert exact_survey(self.learner, self.arms, self.theta)
        k = look_at_all(self.learner, self.arms)
        assert k in (-1, self.region().best(points))
        return k


def close_by(fair: Fair, K: int, d: int, shortest: float) -> Floats:
    """Arms of which every third is next to the best one, so that bounds must be tight."""
    points = sphere(fair.rng, K, d) * fair.rng.uniform(shortest, 1, (K, 1))
    best = points[fair.region().best(points)]
    points[::3] = (1 - 1e-5) * best + 1e-5 * sphere(fair.rng, -(-K // 3), d)
    return points


@pytest.mark.parametrize("S", [1.0, 20.0])
@pytest.mark.parametrize(("length", "size"), [(0.3, 1.1), (0.9, 0.3), (0.97, 0.4), (1.0, 0.6), (0.2, 0.1), (0.0, 0.8)])
def test_choices_are_those_of_the_reference_and_few_need_a_solution(length: float, size: float, S: float) -> None:
    left = []
    for seed in range(3):
        fair = Fair(seed, length, size, 3, S)
        left += [fair.meet(sphere(fair.rng, K, 3)) < 0 for K in (1, 18)]
        fair.meet(sphere(fair.rng, 6, 3) * fair.rng.uniform(0.0, 1.0, (6, 1)))
        fair.meet(close_by(fair, 6, 3, 0.8))
        assert choose_new(fair.learner, fair.arms) == fair.region().best(fair.arms.points)
    assert sum(left) <= 2


@pytest.mark.parametrize(("decided", "length", "size"), [(BALL, 0.3, 5.0), (ELLIPSOID, 0.2, 0.1)])
def test_where_what_decided_before_decides_again_no_arm_is_looked_at_more_closely(
    decided: float, length: float, size: float
) -> None:
    fair = Fair(0, length, size)
    points = 0.8 * sphere(fair.rng, 18, 3)
    if decided == BALL:  # one that is longer than all others, but not as uncertain
        points[0] *= 1.1
    else:
        points = np.roll(points, -fair.region().best(points), axis=0)
    fair.arms = sets.views(sets.room(*points.shape), points)
    assert exact_survey(fair.learner, fair.arms, fair.theta)
    fair.arms.solved[:], fair.learner.facts.decided, fair.learner.facts.calm = 7.0, decided, 3.0
    assert choose_new(fair.learner, fair.arms) == fair.region().best(points) == 0
    assert (fair.arms.solved == 7.0).all()
    assert fair.learner.facts.calm == 3.0
    assert decided == ELLIPSOID or fair.arms.norm.argmax() != 0


@pytest.mark.parametrize(("ties", "chosen"), [(0.0, 1), (0.8, 1), (1.2, 0), (3.0, 0)])
@pytest.mark.parametrize("decided", [BALL, BOTH])
@pytest.mark.parametrize("S", [1.0, 20.0])
def test_where_all_ends_are_in_C_t_an_arm_ties_that_is_shorter_by_a_tie(
    ties: float, chosen: int, decided: float, S: float
) -> None:
    fair = Fair(0, 0.1, 9.0, 3, S)
    points = 0.7 * sphere(fair.rng, 2, 3)
    points = points[np.argsort(np.einsum("ki,ki->k", points, np.linalg.solve(fair.learner.H, points.T).T))]
    points[1] *= 1.0 - ties * TIE  # the more uncertain one
    fair.arms = sets.views(sets.room(2, 3), points)
    fair.learner.facts.decided = decided
    assert exact_survey(fair.learner, fair.arms, fair.theta)
    assert choose_new(fair.learner, fair.arms) == fair.region().best(points) == chosen
    assert fair.learner.facts.decided == (BALL if chosen or decided == BALL else BOTH)


@pytest.mark.parametrize(("ties", "chosen"), [(0.0, 1), (0.8, 1), (1.2, 0)])
@pytest.mark.parametrize("decided", [ELLIPSOID, BOTH])
@pytest.mark.parametrize("S", [1.0, 20.0])
def test_where_the_ellipsoid_decides_an_arm_ties_whose_index_is_a_tie_below(
    ties: float, chosen: int, decided: float, S: float
) -> None:
    fair = Fair(0, 0.2, 0.1, 3, S)
    now = fair.learner
    x, y = np.linalg.eigh(now.H)[1][:, [2, 0]].T  # the second is the more uncertain one
    points = 0.7 * np.stack([x, y])
    now.theta[:] = 0.1 * S * (x + y)
    indices = points @ now.theta + now.facts.radius * np.sqrt([p @ np.linalg.solve(now.H, p) for p in points])
    gap = indices[0] - indices[1] - ties * TIE * 0.7 * S
    now.theta[:] += gap / 0.7 * y
    fair.arms = sets.views(sets.room(2, 3), points)
    now.facts.decided = decided
    assert exact_survey(now, fair.arms, fair.theta)
    assert choose_new(now, fair.arms) == fair.region().best(points) == chosen


@pytest.mark.parametrize(("length", "size"), [(0.6, 0.5), (0.9, 0.3), (0.97, 0.4), (1.0, 0.2)])
@pytest.mark.parametrize("shortest", [1.0, 0.6])
def test_values_lie_between_bounds_which_are_tight_at_the_leader(length: float, size: float, shortest: float) -> None:
    above, below = [], []
    for seed in range(6):
        fair = Fair(seed, length, size, 4, 2.0)
        now, points = fair.learner, close_by(fair, 10, 4, shortest)
        now.facts.multiplier = 0.0
        fair.meet(points)
        if not now.facts.multiplier > 0.0:
            continue
        values, point, leader = fair.values(), now.work[POINT], int(fair.arms.solved.argmax())
        assert (fair.arms.solved <= values + 1e-10).all()
        assert (values - 1e-10 <= fair.arms.upper).all()
        above.append(fair.arms.upper[leader] - values[leader])
        below.append(values[leader] - points[leader] @ point)
        assert below[-1] > 0.0
        assert np.linalg.norm(point) == pytest.approx(2.0, abs=1e-12)
        assert fair.region().distance(point) == pytest.approx(now.facts.radius, rel=1e-3)
        assert fair.region().distance(point) < now.facts.radius
    assert len(above) >= 2
    assert np.median(above) < 2e-3
    assert np.median(below) < 0.02


def test_the_way_to_an_end_is_cut_where_it_leaves_the_ellipsoid() -> None:
    fair = Fair(1, 0.6, 0.56)
    points = sphere(fair.rng, 18, 3) * fair.rng.uniform(0.5, 0.9, (18, 1))
    points[7], points[3] = 0.0, -fair.learner.theta / 0.6  # the longest arm, far from C_t
    fair.meet(points)
    now, region, length = fair.learner, fair.region(), np.linalg.norm(points, axis=1)
    ends = points / np.maximum(length, 1e-9)[:, None]
    ways = np.array([region.distance(end) for end in ends])
    ways[7] = 1.0
    part = np.minimum(1.0, float(now.facts.radius) / ways)
    floors = np.einsum("kj,kj->k", points, now.theta + part[:, None] * (ends - now.theta))
    np.testing.assert_allclose(fair.arms.drift, (length * ways) ** 2, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(fair.arms.solved, floors, atol=1e-12)
    assert (part < 1).sum() > 5
    assert (part == 1).sum() > 1


@pytest.mark.parametrize(("below", "alone"), [(0.0, False), (1.9, False), (2.1, True), (3.0, True)])
@pytest.mark.parametrize("S", [0.5, 3.0])
def test_the_leader_is_chosen_if_all_others_are_two_ties_below(below: float, alone: bool, S: float) -> None:
    fair = Fair(2, 0.9, 0.5, 3, S)
    x = fair.learner.theta / np.linalg.norm(fair.learner.theta)
    short = 0.9 * x  # its end is in C_t, that of the longest arm is not
    assert (fair.meet(np.stack([-x, (1.0 - below * TIE / 0.9) * short, short])) == 2) == alone
    assert fair.arms.solved[2] == pytest.approx(0.9 * S, rel=1e-15)


def test_the_turned_point_spares_multipliers_and_these_spare_solutions() -> None:
    turned, by_multiplier = 0, 0
    for seed in range(8):
        fair = Fair(seed, 0.9, 0.3)
        facts = fair.learner.facts
        for _ in range(3):
            facts.multiplier = 0.0
            k = fair.meet(sphere(fair.rng, 8, 3))
            second = np.sort(fair.arms.upper)[-2]
            if facts.decided == BOTH and facts.calm == 0.0 and k >= 0:
                by_multiplier += bool(facts.multiplier > 0.0)
                turned += bool(facts.multiplier == 0.0 and second >= fair.arms.solved.max() > 0.0)
    assert turned >= 2
    assert by_multiplier >= 4


@pytest.mark.parametrize("S", [0.5, 3.0])
def test_a_turned_point_counts_if_it_is_in_the_ball_and_in_the_ellipsoid(S: float) -> None:
    fair = Fair(3, 0.5, 0.5, 3, S)
    now, v = fair.learner, sphere(fair.rng, 1, 3)[0]
    for reach, length in ((1 - 1e-9, 1 - 1e-9), (1 + 1e-9, 0.5), (0.5, 1 + 1e-9), (1 - 1e-9, 0.5), (0.5, 1 - 1e-9)):
        now.work[SPARE][:] = reach * float(now.facts.radius) / math.sqrt(v @ now.H @ v) * v
        now.work[POINT][:] = length * S * v
        assert _is_inside(now) == (max(reach, length) < 1)


@pytest.mark.parametrize(("ties", "chosen"), [(0.0, 0), (0.9, 0), (1.1, 1), (2.9, 1), (1e6, 1)])
def test_a_new_arm_ties_at_the_ball_if_its_value_does(ties: float, chosen: int) -> None:
    corner = Corner(radius_for(ties))
    corner.arms = sets.views(sets.room(2, 2), corner.arms.points)
    assert exact_survey(corner.learner, corner.arms, corner.theta)
    assert look_at_all(corner.learner, corner.arms) == chosen == corner.region().best(corner.arms.points)
    assert (corner.arms.solved[0] == -np.inf) == (ties > 0)
    assert (corner.arms.upper[0] == 0.0) == (ties in (0.0, 1e6))  # no bound where there is no doubt


def test_where_no_arm_ties_at_the_ball_values_decide() -> None:
    corner = Corner(radius_for(2.9))
    corner.arms = sets.views(sets.room(2, 2), np.array([[-1.0, 0.0], [1.0, 0.0]]))
    assert exact_survey(corner.learner, corner.arms, corner.theta)
    assert look_at_all(corner.learner, corner.arms) in (-1, 1)
    assert corner.learner.facts.decided == BOTH


def test_what_decided_is_remembered() -> None:
    fair = Fair(0, 0.2, 0.1)
    facts, points = fair.learner.facts, sphere(fair.rng, 5, 3)
    points = np.roll(points, -fair.region().best(points), axis=0)
    for calm in range(int(CALM)):
        assert (facts.calm, facts.decided) == (calm, BALL if calm == 0 else BOTH)
        assert fair.meet(points) == 0
    assert (facts.calm, facts.decided) == (CALM, ELLIPSOID)
    facts.radius *= 30.0
    assert fair.meet(np.roll(points, -int(fair.arms.norm.argmax()), axis=0)) == 0
    assert (facts.calm, facts.decided) == (0.0, BALL)


def test_an_arm_at_the_ball_that_is_not_the_most_uncertain_one_is_not_guessed_first_the_next_time() -> None:
    fair = Fair(1, 0.8, 0.6)
    facts, points = fair.learner.facts, sphere(fair.rng, 18, 3)
    k = fair.meet(points)
    assert fair.arms.solved[k] == fair.arms.norm[k]
    assert k != fair.arms.norm.argmax()
    assert facts.decided == BOTH
