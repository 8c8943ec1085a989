"""Arms that do not stay: whatever is tried first, choices are those of the reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.newcomers import choose_new
from glbcheck.core.engine.optimum import BALL, BOTH, ELLIPSOID
from glbcheck.core.environment.world import sphere

from tests.core.engine.test_relaxation import Fair

MARK = -5.0  # of `calm`, which solutions change


def meet(fair: Fair, points: Floats) -> tuple[int, bool]:
    """The choice among these arms, the reference's, and whether it took solutions."""
    fair.show(points)
    fair.learner.facts.calm = MARK
    k = choose_new(fair.learner, fair.arms)
    assert k == fair.region().best(points)
    return k, bool(fair.learner.facts.calm != MARK)


def close_by(fair: Fair, K: int, d: int, shortest: float) -> Floats:
    """Arms of which every third is next to the best one, so that bounds must be tight."""
    points = sphere(fair.rng, K, d) * fair.rng.uniform(shortest, 1, (K, 1))
    best = points[fair.region().best(points)]
    points[::3] = (1 - 1e-5) * best + 1e-5 * sphere(fair.rng, -(-K // 3), d)
    return points


@pytest.mark.parametrize("S", [1.0, 20.0])
@pytest.mark.parametrize("decided", [BALL, BOTH, ELLIPSOID])
@pytest.mark.parametrize(("length", "size"), [(0.3, 1.1), (0.9, 0.3), (0.97, 0.4), (1.0, 0.6), (0.2, 0.1), (0.0, 0.8)])
def test_choices_are_those_of_the_reference_and_few_need_a_solution(
    length: float, size: float, decided: float, S: float
) -> None:
    left = []
    for seed in range(3):
        fair = Fair(seed, length, size, 3, S)
        fair.relax(0.3 * float(np.trace(fair.learner.H)))
        fair.learner.facts.decided = decided
        for round_ in range(58, 64):  # one in which the relaxation is looked after
            fair.learner.facts.rounds = round_
            left += [meet(fair, sphere(fair.rng, K, 3))[1] for K in (1, 18)]
        meet(fair, sphere(fair.rng, 6, 3) * fair.rng.uniform(0.0, 1.0, (6, 1)))
        meet(fair, close_by(fair, 6, 3, 0.8))
        meet(fair, close_by(fair, 20, 3, 1.0))
    assert sum(left) <= (10 if size > 0.1 or decided == ELLIPSOID else 21)  # of 36; the multiplier is one for touching


@pytest.mark.parametrize("d", [1, 2, 6])
def test_arms_of_all_lengths_and_none_are_chosen_from_as_the_reference_does(d: int) -> None:
    for seed in range(6):
        fair = Fair(seed, 0.9, 0.5, d)
        fair.relax(5.0)
        for K in (1, 2, 16, 17):
            points = sphere(fair.rng, K, d) * fair.rng.uniform(0.0, 1.0, (K, 1))
            points[:: 1 + seed % 2] = 0.0
            meet(fair, points)
        fair.learner.facts.radius *= 0.2
        away = -fair.learner.theta[None] / np.linalg.norm(fair.learner.theta)
        k, _ = meet(fair, np.concatenate([0.9 * away, 0.0 * away, 0.8 * away]))
        assert k == 1  # the arm of length 0, which all others are below


@pytest.mark.parametrize(("d", "K", "scale"), [(2, 5, 0.3), (3, 20, 0.1), (5, 17, 0.05)])
def test_from_the_ball_over_both_to_the_ellipsoid_choices_are_those_of_the_reference(
    d: int, K: int, scale: float
) -> None:
    fair = Fair(1, 0.0, 3.0, d)
    now, decided, solved = fair.learner, [], 0
    now.facts.decided = BALL
    for t in range(700):
        now.facts.rounds = t if t < 400 else 61 * t  # then it is always due
        now.facts.radius = 3.0 * 0.985**t * math.sqrt(float(np.trace(now.H))) + scale
        k, by_solutions = meet(fair, sphere(fair.rng, K, d))
        decided.append(float(now.facts.decided))
        solved += by_solutions
        x = fair.arms.points[k].copy()
        update(now, fair.link, x, float(x @ fair.theta + 0.1 * fair.rng.normal()), 0.05)
    assert decided[0] == BALL
    assert decided[-1] == ELLIPSOID
    assert BOTH in decided
    assert solved < 70


def test_whatever_stood_in_the_room_before_choices_are_the_same() -> None:
    for seed in range(30):
        fair = Fair(seed, 0.9, 0.3)
        points = close_by(fair, 8, 3, 1.0)
        for nu in (0.3, 3.0, 30.0):
            fair.relax(nu)
            fair.learner.facts.rounds = 1
            fair.show(points, soil=-1e9)
            assert choose_new(fair.learner, fair.arms) == fair.region().best(points)
