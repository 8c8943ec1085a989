"""A relaxation that is kept over rounds bounds all values from above, and a point near its maximiser from below."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.ends import farthest_inside, farthest_tie, rounding, trace
from glbcheck.core.engine.optimum import BALL, BOTH, ELLIPSOID
from glbcheck.core.engine.relaxation import adapt, begin_relaxing, is_due, relaxes, renew, value_within
from glbcheck.core.engine.state import CENTRE, SPARE
from glbcheck.core.engine.survey import exact_survey
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.tolerances import TIE
from glbcheck.core.world import sphere

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


@pytest.mark.parametrize("S", [0.5, 3.0])
@pytest.mark.parametrize(("length", "size"), [(0.6, 0.5), (0.9, 0.3), (0.2, 0.1), (0.3, 2.0)])
def test_the_way_ends_where_it_leaves_the_first_of_ellipsoid_and_ball(length: float, size: float, S: float) -> None:
    ends = set()
    for seed, nu in [(s, 10.0**n) for s in range(4) for n in (-2, 0, 1, 3)]:
        fair = Fair(seed, length, size, 3, S)
        now, x = fair.learner, 0.7 * sphere(fair.rng, 1, 3)[0]
        fair.relax(nu)
        fair.show(x[None])
        ratio = fair.arms.extremes[sets.RELAXED] / math.sqrt(fair.arms.norm[0])
        low, theta, way = value_within(now, x, ratio), now.theta, now.work[SPARE]
        A = now.H + nu * np.eye(3)
        maximiser = theta + ratio * np.linalg.solve(A, x) - nu * np.linalg.solve(A, theta)
        np.testing.assert_allclose(theta + way, maximiser, rtol=1e-10, atol=1e-12)
        part = (low - x @ theta) / (x @ way)
        reach = part * math.sqrt(way @ now.H @ way) / float(now.facts.radius)
        beyond = np.linalg.norm(theta + part * way) / S
        assert max(reach, beyond) == pytest.approx(1.0, rel=1e-10)
        assert reach <= 1.0
        ends.add(bool(beyond > reach))
    assert ends == {False, True} or size in (2.0, 0.1)
    assert ends == {size == 2.0} or size in (0.5, 0.3)


@pytest.mark.parametrize(("d", "K"), [(3, 4), (16, 4), (17, 4)])
def test_what_lies_beside_the_rows_is_neither_read_nor_written(d: int, K: int) -> None:
    fair = Fair(0, 0.5, 0.5, d)
    now, x = fair.learner, 0.9 * sphere(fair.rng, K, d)
    fair.relax(2.0)
    fair.show(x)
    value, before = value_within(now, x[0], 1.0), now.work.copy()
    for row in range(before.shape[0]):
        if row not in (SPARE, CENTRE):
            now.work[row] = np.nan
    assert value_within(now, x[0], 1.0) == value
    rest = [row for row in range(before.shape[0]) if row not in (SPARE, CENTRE)]
    assert np.isnan(now.work[rest]).all()
    assert (now.work[[SPARE, CENTRE]] == before[[SPARE, CENTRE]]).all()


def test_a_matrix_that_lost_its_digits_does_not_lift_the_lower_bound() -> None:
    """The form of a way along the flat direction of H is mostly rounding; what may be lost of it is added."""
    fair = Fair(0, 0.0, 1.0, 2)
    now, turn = fair.learner, np.array([[0.6, 0.8], [-0.8, 0.6]])
    now.H[:] = turn @ np.diag([1e-9, 1e9]) @ turn.T
    x = turn[:, 0].copy()
    now.facts.radius, now.theta[:] = 1e-7, 0.0
    now.kept_inverse[:], now.work[CENTRE][:] = np.outer(x, x), 0.0
    low = value_within(now, x, 1.0)  # a way of length 1, whose form is 1e-9 and computed as anything below 1e-6
    assert low <= 1e-7 / math.sqrt(rounding(2) * 1e9)
    assert low > 0.0


def test_a_relaxation_is_used_where_both_constraints_matter_and_there_is_one() -> None:
    fair = Fair(0, 0.5, 0.5)
    facts = fair.learner.facts
    points = sphere(fair.rng, 5, 3)
    for decided, kept, plainly in ((BALL, 1.0, False), (ELLIPSOID, 1.0, False), (BOTH, 0.0, False), (BOTH, 1.0, True)):
        facts.decided, facts.kept = decided, kept
        fair.show(points, plainly)
        assert fair.arms.extremes[sets.RELAXED] == 0.0
        assert relaxes(fair.learner) == plainly
    fair.relax(1.0)
    fair.show(points)
    assert fair.arms.extremes[sets.RELAXED] > 0.0


def test_after_H_was_replaced_the_relaxation_is_made_anew() -> None:
    fair = Fair(0, 0.5, 0.5)
    now = fair.learner
    fair.relax(3.0)
    kept = now.kept_inverse.copy()
    now.H[:] *= 0.5
    assert relaxes(now)
    assert (now.kept_inverse == kept).all()
    now.facts.outdated = 1.0
    assert relaxes(now)
    np.testing.assert_allclose(now.kept_inverse, np.linalg.inv(now.H + 3.0 * np.eye(3)), rtol=1e-12)
    assert (now.facts.outdated, now.facts.kept) == (0.0, 3.0)


@pytest.mark.parametrize(
    ("decided", "kept", "begun"), [(ELLIPSOID, 5.0, 2e-3), (ELLIPSOID, 0.0, 2e-3), (BALL, 0.0, 16.0), (BALL, 5.0, None)]
)
def test_a_relaxation_begins_wide_after_the_ball_and_narrow_after_the_ellipsoid(
    decided: float, kept: float, begun: float | None
) -> None:
    fair = Fair(0, 0.5, 0.5)
    facts, size = fair.learner.facts, float(np.trace(fair.learner.H))
    facts.decided, facts.kept, facts.outdated = decided, kept, 1.0
    begin_relaxing(fair.learner, decided)
    assert facts.kept == pytest.approx(kept if begun is None else begun * size, rel=1e-14)
    assert (facts.decided, facts.outdated) == (BOTH, 0.0)


def test_the_multiplier_steps_towards_those_of_leading_arms_between_its_ends() -> None:
    fair = Fair(0, 0.5, 0.5)
    facts, size = fair.learner.facts, float(np.trace(fair.learner.H))
    fair.relax(2.0)
    for nu, kept in ((2.1, 2.5), (np.inf, 3.125), (3.0, 2.5), (np.nan, 2.0), (2.0, 1.6), (0.0, 1.28)):
        adapt(fair.learner, nu)
        assert facts.kept == pytest.approx(kept, rel=1e-14)
        assert facts.decided == BOTH
    fair.relax(15.0 * size)
    adapt(fair.learner, np.inf)
    assert facts.kept == pytest.approx(16.0 * size, rel=1e-14)
    for start, decided in ((2.6e-4, BOTH), (2.4e-4, ELLIPSOID)):
        fair.relax(start * size)
        adapt(fair.learner, 0.0)
        assert facts.decided == decided


def test_it_is_looked_after_in_every_sixty_first_round() -> None:
    fair = Fair(0, 0.5, 0.5)
    due = []
    for t in range(200):
        fair.learner.facts.rounds = t
        due.append(is_due(fair.learner))
    assert np.flatnonzero(due).tolist() == [0, 61, 122, 183]


def test_squared_ways_of_ends_that_are_inside_and_that_may_tie() -> None:
    fair = Fair(0, 0.5, 0.5, 3, 2.0)
    now = fair.learner
    size, rho = float(np.trace(now.H)), float(now.facts.radius)
    assert trace(now) == pytest.approx(size, rel=1e-14)
    assert farthest_inside(now) == pytest.approx(rho**2, rel=1e-11)
    assert farthest_inside(now) > rho**2
    near = math.sqrt(7 * TIE) * 2.0 * math.sqrt(size)
    assert farthest_tie(now) == pytest.approx((near + math.sqrt(near**2 + rho**2)) ** 2, rel=1e-11)
    assert rounding(5) == 13 * 2.0**-52
