"""The optimistic value of one arm in the engine: which constraint decides, the value, its multiplier and the steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.optimism import _improve, choose_staying
from glbcheck.core.engine.optimum import (
    BALL,
    BOTH,
    ELLIPSOID,
    ITERATIONS,
    optimistic_value,
    reaches_ball,
    relax,
    stays_inside,
    tighten,
)
from glbcheck.core.engine.state import BEFORE, TARGET
from glbcheck.core.engine.tracking import begin, tracks
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.world import sphere

from tests.test_tracking import Table


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


def needed(spot: Spot, k: int, guess: float = 0.0) -> tuple[int, float]:
    """How many steps the value of an arm takes, and its multiplier; all the way between the value and its bounds."""
    value = spot.region().optimum(spot.arms.points[k]).value
    for steps in range(1, ITERATIONS):
        spot.arms.guess[k] = guess
        found, nu, following = optimistic_value(spot.learner, spot.arms, k, steps)
        assert value - 1e-12 <= found <= min(spot.arms.closed[k], spot.p.S * spot.arms.length[k])
        if following == nu:
            return steps, nu
    return ITERATIONS, nu


@pytest.mark.parametrize(("spots", "large"), [
    (((0.999, 0.05), (0.9, 0.3), (1.0, 1.0)), False), (((0.5, 1.2), (0.99, 1.5), (0.9, 1.9)), True),
])  # fmt: skip
def test_steps_are_few_and_fewer_from_a_multiplier_that_is_nearly_right(
    spots: tuple[tuple[float, float], ...], large: bool
) -> None:
    cold, warm = [], []
    for seed in range(5):
        for length, size in spots:
            spot = Spot(seed, length, size, weak=1e-6 if large else 1.0)
            for k in range(5):
                steps, nu = needed(spot, k)
                if nu > 0 and large == (nu > np.trace(spot.learner.H) / 3):
                    cold.append(steps)
                    warm.append(needed(spot, k, 1.05 * nu)[0])
    most = len(cold) if large else int(0.8 * len(cold))  # of small multipliers a few are found by the safeguards
    quick, next_time = sorted(cold)[:most], sorted(warm)[:most]
    assert most > 12
    assert max(quick) <= 6
    assert max(next_time) <= 3
    assert np.mean(quick) < 5.5
    assert np.mean(next_time) < 2.9


# --- all arms -----------------------------------------------------------------------------------------------------


def chosen(spot: Spot, decided: float) -> tuple[int, int]:
    """The choice after this constraint decided the one before, and how many arms were solved for it: -1 if none."""
    spot.learner.facts.decided = decided
    spot.arms.solved[:] = -1.0
    k = choose_staying(spot.learner, spot.arms)
    return k, int((spot.arms.solved > 0).sum()) if (spot.arms.solved >= 0).all() else -1


def test_a_ball_that_decides_alone_gives_the_most_uncertain_of_the_longest_arms() -> None:
    spot = Spot(0, 0.3, 20.0)
    longest = spot.arms.length.max()
    spot.arms.points[1:4] *= (longest / spot.arms.length[1:4])[:, None] * np.array([[1 - 1e-12], [1.0], [1 - 1e-6]])
    sets.settle(spot.learner, spot.arms)
    spot.arms.norm[:5] = [1.0, 3.0, 2.0, 4.0, 9.0]
    assert chosen(spot, BALL) == (1, -1)
    spot.arms.norm[0] = 5.0
    assert chosen(spot, BALL) == (0, -1)
    spot.learner.facts.radius = 0.1
    k, solved = chosen(spot, BALL)
    assert k == spot.region().best(spot.arms.points)
    assert solved > 0


@pytest.mark.parametrize(("seed", "length", "size", "decided"), [
    (1, 0.2, 0.1, ELLIPSOID), (1, 1.0, 0.3, BALL), (3, 0.9, 0.3, BOTH),
])  # fmt: skip
def test_an_ellipsoid_that_decides_alone_gives_the_largest_closed_form_if_it_is_inside_the_ball(
    seed: int, length: float, size: float, decided: float
) -> None:
    spot = Spot(seed, length, size)
    k, solved = chosen(spot, ELLIPSOID)
    assert k == spot.region().best(spot.arms.points)
    assert (solved == -1) == (decided == ELLIPSOID)
    assert spot.learner.facts.decided == decided
    if decided == ELLIPSOID:
        assert k == spot.arms.closed.argmax() != 0


def test_of_arms_that_tie_in_the_ellipsoid_the_more_uncertain_is_taken() -> None:
    spot = Spot(1, 0.2, 0.1)
    best = int(spot.arms.closed.argmax())
    spot.arms.points[5] = (1 - 1e-13) * spot.arms.points[best]
    sets.settle(spot.learner, spot.arms)
    spot.arms.norm[5] *= 1 + 1e-7  # hardly a larger index, but less known
    spot.learner.facts.radius *= 1e-4
    spot.learner.facts.decided = ELLIPSOID
    assert choose_staying(spot.learner, spot.arms) == 5


@pytest.mark.parametrize("weak", [1.0, 1e-4])
def test_where_the_ball_decides_no_arm_is_solved_even_if_both_decided_before(weak: float) -> None:
    spot = Spot(3, 0.3, 20.0, weak=weak)
    assert chosen(spot, BOTH) == (spot.region().best(spot.arms.points), -1)


@pytest.mark.parametrize("weak", [1.0, 1e-4])
@pytest.mark.parametrize(("length", "size", "calm"), [(1.0, 0.3, 0.0), (0.2, 0.1, 4.0)])
def test_after_a_solution_it_is_known_what_decided_it(length: float, size: float, calm: float, weak: float) -> None:
    spot = Spot(3, length, size, weak=weak)
    spot.learner.facts.calm = 3.0
    k, solved = chosen(spot, BOTH)
    facts, arms = spot.learner.facts, spot.arms
    assert k == spot.region().best(arms.points)
    assert 0 < solved < 6
    assert (facts.decided, facts.calm) == (BOTH, calm)
    assert arms.upper[k] == pytest.approx(spot.values()[k], rel=1e-11)
    assert (facts.multiplier > 0) == (calm == 0)
    assert facts.multiplier in (0.0, *arms.guess)
    facts.calm, arms.notes[sets.BEND, 0] = 7.0, 0.0
    chosen(spot, BOTH)
    assert facts.decided == (BOTH if calm == 0 else ELLIPSOID)


def test_the_bound_of_one_multiplier_serves_every_arm_that_it_is_better_for() -> None:
    spot = Spot(1, 1.0, 0.3)
    learner, arms = spot.learner, spot.arms
    nu = next(nu for k in range(5) if (nu := optimistic_value(learner, arms, k, ITERATIONS)[1]) > 0)
    A = learner.H + nu * np.eye(3)
    q = np.linalg.solve(A, learner.H @ learner.theta)
    R = math.sqrt(float(learner.facts.radius**2 + nu * (1 - learner.theta @ q)))
    bounds = arms.points @ q + R * np.sqrt(np.einsum("ki,ki->k", arms.points, np.linalg.solve(A, arms.points.T).T))
    arms.upper[:] = [9.0, 9.0, 9.0, -9.0, 9.0, 9.0]
    relax(learner, arms.points[0], nu)
    tighten(learner, arms, nu)
    np.testing.assert_allclose(arms.upper, [*bounds[:3], -9.0, *bounds[4:]], rtol=1e-9, atol=1e-12)


def test_few_arms_are_solved_where_bounds_of_one_multiplier_serve_all() -> None:
    solved = []
    for seed in range(8):
        spot = Spot(seed, 0.97, 0.4)
        spot.arms.points[:5] = sphere(spot.rng, 5, 3)
        sets.settle(spot.learner, spot.arms)
        k, count = chosen(spot, BOTH)
        assert k == spot.region().best(spot.arms.points)
        solved.append(count)
    assert sum(solved) < 18


@pytest.mark.parametrize("weak", [1.0, 1e-4])
@pytest.mark.parametrize(("seed", "length", "size", "cold"), [(3, 0.97, 0.4, 2), (5, 0.97, 0.4, 1), (6, 0.99, 0.2, 2)])
def test_from_the_multiplier_of_the_round_before_the_chosen_arm_alone_is_solved(
    seed: int, length: float, size: float, cold: int, weak: float
) -> None:
    spot = Spot(seed, length, size, weak=weak)
    spot.arms.points[:5] = sphere(spot.rng, 5, 3)
    sets.settle(spot.learner, spot.arms)
    best = spot.region().best(spot.arms.points)
    assert chosen(spot, BOTH) == (best, cold)
    spot.learner.facts.multiplier, spot.arms.notes[sets.BEND, 0] = spot.arms.guess[best], 0.0
    spot.arms.guess[:] = 0.0
    assert chosen(spot, BOTH) == (best, 1)


# --- values that are followed -------------------------------------------------------------------------------------


def settle_anew(spot: Spot, calm: float) -> None:
    sets.settle(spot.learner, spot.arms)
    begin(spot.learner, spot.arms)
    spot.learner.facts.calm = calm


def test_without_a_radius_no_value_is_followed() -> None:
    spot = Spot(1, 0.7, 0.0)
    spot.arms.notes[sets.BEND, 0] = 1.0
    assert chosen(spot, BOTH)[0] == spot.region().best(spot.arms.points)
    assert not tracks(spot.arms)


def test_an_arm_whose_ball_is_known_to_be_reached_is_chosen_without_a_step() -> None:
    spot = Spot(0, 0.3, 20.0)
    settle_anew(spot, 3.0)
    spot.learner.facts.held = 2.0
    assert chosen(spot, BOTH) == (int(spot.arms.length.argmax()), -1)
    assert (spot.learner.facts.calm, spot.learner.facts.held) == (3.0, -1.0)
    assert spot.learner.work[BEFORE].tolist() == spot.learner.theta.tolist()


@pytest.mark.parametrize(("length", "size", "weak", "touching"), [
    (0.2, 0.1, 1.0, False), (1.0, 0.3, 1.0, True), (0.9, 0.3, 1.0, True), (1.0, 0.3, 1e-4, True),
])  # fmt: skip
@pytest.mark.parametrize("calm", [3.0, 7.0])
def test_solutions_in_turn_that_touch_one_constraint_alone_are_counted(
    length: float, size: float, weak: float, touching: bool, calm: float
) -> None:
    spot = Spot(1, length, size, weak=weak)
    settle_anew(spot, calm)
    k, solved = chosen(spot, BOTH)
    facts = spot.learner.facts
    assert k == spot.region().best(spot.arms.points)
    assert solved != -1
    assert facts.calm == (0.0 if touching else calm + 1.0)
    assert (facts.multiplier > 0) == touching
    assert (facts.decided == ELLIPSOID) == (not tracks(spot.arms)) == (not touching and calm == 7.0)


@pytest.mark.parametrize("first", [True, False])
def test_an_arm_that_stands_out_is_held_and_the_next_round_asks_for_nothing(first: bool) -> None:
    spot = Spot(1, 0.97, 0.1)
    best = spot.region().best(spot.arms.points)
    assert best > 0
    if first:
        spot.arms.points[[0, best]] = spot.arms.points[[best, 0]]
    settle_anew(spot, 3.0)
    k, _ = chosen(spot, BOTH)
    facts = spot.learner.facts
    assert facts.held == k == spot.region().best(spot.arms.points)
    calm = float(facts.calm)
    assert chosen(spot, BOTH)[0] == k  # again, and now nothing need be improved
    assert not spot.arms.solved.any()
    assert facts.calm == calm
    spot.pull(k, 5.0)
    assert facts.run == facts.held == k
    for before, after in ((3.0, 2.5), (0.25, 0.0)):
        facts.calm = before
        assert chosen(spot, BOTH) == (k, -1)
        assert facts.calm == after
    assert spot.learner.work[BEFORE].tolist() == spot.learner.theta.tolist()


@pytest.mark.parametrize(("seed", "length", "size"), [(3, 0.9, 0.3), (4, 1.0, 1.0)])
def test_of_followed_arms_that_tie_none_is_held(seed: int, length: float, size: float) -> None:
    spot = Spot(seed, length, size)
    best = spot.region().best(spot.arms.points)
    spot.arms.points[5] = spot.arms.points[best]
    settle_anew(spot, 0.0)
    assert chosen(spot, BOTH)[0] == min(best, 5)
    assert spot.learner.facts.held == -1.0
    assert spot.learner.facts.multiplier > 0


@pytest.mark.parametrize("weak", [1.0, 1e-4])
def test_steps_of_followed_arms_begin_at_the_multiplier_of_the_latest_one(weak: float) -> None:
    spot = Spot(2, 1.0, 1.0, weak=weak)
    settle_anew(spot, 0.0)
    facts, arms = spot.learner.facts, spot.arms
    spot.learner.work[TARGET][:] = spot.learner.H @ spot.learner.theta
    arms.solved[:] = 0.0
    used = [_improve(spot.learner, arms, k) for k in range(5)]
    assert used[1] > used[2] == arms.guess[1] > facts.multiplier == arms.guess[2] > 0
    assert arms.solved.tolist() == [np.inf, 1.0, 1.0, np.inf, np.inf, 0.0]  # one constraint alone is solved at once
    for solved in (2.0, np.inf):  # after two single steps all that are needed
        assert arms.solved[1] < solved
        guess = float(arms.guess[1])
        nu = _improve(spot.learner, arms, 1)
        assert arms.solved[1] == solved
        assert solved == np.inf or nu == guess
    assert arms.upper[1] == pytest.approx(spot.values()[1], rel=1e-11)
    _improve(spot.learner, arms, 5)
    assert arms.upper[5] == 0.0
