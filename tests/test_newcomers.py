"""Arms that do not stay: whatever is tried first, choices are those of the reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.adversary import low_weight
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import World, run
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.factor import factorise
from glbcheck.core.engine.mirror_descent import update
from glbcheck.core.engine.newcomers import _look_closer, choose_new
from glbcheck.core.engine.optimum import BALL, BOTH, ELLIPSOID
from glbcheck.core.engine.reaching import UNKNOWN
from glbcheck.core.engine.state import POINT, TARGET
from glbcheck.core.engine.turning import is_inside, turn_to_centre
from glbcheck.core.parameters import parameters
from glbcheck.core.tolerances import TIE
from glbcheck.core.world import sphere

from tests.test_ends import Corner, radius_for
from tests.test_reaching import Ring
from tests.test_relaxation import Fair

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


@pytest.mark.parametrize(("decided", "length", "size"), [(BALL, 0.3, 5.0), (ELLIPSOID, 0.2, 0.1)])
@pytest.mark.parametrize("longer", [False, True])
def test_where_what_decided_before_decides_again_no_arm_is_looked_at_more_closely(
    decided: float, length: float, size: float, longer: bool
) -> None:
    """But if the longest arm is not the most uncertain one, the ends of all are looked at."""
    fair = Fair(0, length, size)
    points = 0.8 * sphere(fair.rng, 18, 3)
    points = np.roll(points, -fair.region().best(points), axis=0)
    if longer and decided == BALL:
        points = 1.0 * points[::-1]
        points[0] *= 1.1
    fair.show(points)
    fair.arms.solved[:], fair.learner.facts.decided, fair.learner.facts.calm = 7.0, decided, MARK
    assert choose_new(fair.learner, fair.arms) == fair.region().best(points) == 0
    assert (fair.arms.solved == 7.0).all() == (decided == ELLIPSOID or not longer)
    assert (fair.learner.facts.decided, fair.learner.facts.calm) == (decided, MARK)


@pytest.mark.parametrize(("rank", "looked"), [(0, False), (1, False), (2, True)])
def test_the_ends_of_the_two_most_uncertain_arms_are_tried_before_all(rank: int, looked: bool) -> None:
    fair = Fair(0, 0.9, 0.1)
    points = np.tile(fair.learner.theta / 0.9, (18, 1))
    points[:rank] *= -1.0  # their ends are far from C_t
    points[rank + 1 :] *= 0.9
    fair.show(points)
    fair.arms.norm[: rank + 1], fair.arms.norm[rank + 1 :] = np.linspace(0.9, 0.8, rank + 1), 0.1
    fair.arms.closed[:] = 9.0  # all may reach the ball
    fair.arms.solved[:], fair.learner.facts.decided = 7.0, BALL
    assert choose_new(fair.learner, fair.arms) == rank
    assert (fair.arms.solved != 7.0).any() == looked
    assert fair.learner.facts.decided == BALL


def test_arms_that_cannot_reach_the_ball_are_not_tried() -> None:
    fair = Fair(0, 0.9, 0.1)
    points = np.tile(-fair.learner.theta / 0.9, (18, 1))
    points[7] *= -1.0
    fair.show(points)
    fair.arms.norm[:], fair.arms.norm[7] = 0.9, 0.1
    fair.arms.solved[:], fair.learner.facts.decided = 7.0, BALL
    assert (fair.arms.closed >= 1.0).sum() == 1
    assert choose_new(fair.learner, fair.arms) == 7
    assert (fair.arms.solved == 7.0).all()


def test_with_the_multiplier_of_the_leader_no_end_is_turned() -> None:
    touching = 0
    for seed in range(30):
        fair = Fair(seed, 0.9, 0.3)
        now, x = fair.learner, 0.9 * sphere(fair.rng, 1, 3)[0]
        best = fair.region().optimum(x)
        pulls = np.stack([now.H @ (best.point - now.theta), best.point])
        (weight, more), *_ = np.linalg.lstsq(pulls.T, x)
        if not min(weight, more) > 1e-2 * weight or best.value < 0.1:
            continue
        touching += 1
        fair.relax(more / weight)
        now.facts.rounds, now.work[POINT][:] = 1, 7.0
        assert meet(fair, np.stack([(1.0 - 1e-5) * x, x])) == (1, False)
        assert (now.work[POINT] == 7.0).all()
    assert touching >= 5


def test_an_arm_whose_closed_form_is_just_the_value_of_the_ball_is_tried() -> None:
    """The maximiser over the ellipsoid is its end."""
    fair, S = Fair(0, 0.0, 9.0, 2, 2.0), 2.0
    now = fair.learner
    now.H[:], now.theta[:] = np.diag([1.0, 1.2]), (-0.5 * S, 0.0)
    factorise(now.H, 0.0, 1.0, now.lower, now.inverse_d)
    now.facts.radius, now.facts.decided, now.facts.lam = 1.5 * S * (1.0 + 1e-11), BALL, 1.0
    points = np.array([[math.cos(1.0), math.sin(1.0)], [1.0, 0.0]])
    fair.show(points)
    fair.arms.solved[:] = 7.0
    assert fair.arms.closed[1] == pytest.approx(S, rel=1e-10)
    assert choose_new(now, fair.arms) == fair.region().best(points) == 1
    assert (fair.arms.solved == 7.0).all()


@pytest.mark.parametrize(("ties", "chosen"), [(0.0, 1), (0.8, 1), (1.2, 0), (3.0, 0)])
@pytest.mark.parametrize("decided", [BALL, BOTH])
@pytest.mark.parametrize("S", [1.0, 20.0])
def test_where_all_ends_are_in_C_t_an_arm_ties_that_is_shorter_by_a_tie(
    ties: float, chosen: int, decided: float, S: float
) -> None:
    fair = Fair(0, 0.1, 9.0, 3, S)
    points = 0.7 * sphere(fair.rng, 2, 3)
    points = points[np.argsort(fair.region().squared_norms(points))]
    points[1] *= 1.0 - ties * TIE  # the more uncertain one
    fair.relax(1e-3)
    fair.learner.facts.decided = decided
    assert meet(fair, points)[0] == chosen


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
    fair.relax(1e-3)
    now.facts.decided = decided
    assert meet(fair, points)[0] == chosen


@pytest.mark.parametrize(("ties", "chosen"), [(0.0, 0), (0.9, 0), (1.1, 1), (2.9, 1), (1e6, 1)])
@pytest.mark.parametrize("decided", [BALL, BOTH, ELLIPSOID])
def test_a_new_arm_ties_at_the_ball_if_its_value_does(ties: float, chosen: int, decided: float) -> None:
    corner, fair = Corner(radius_for(ties)), Fair(0, 0.5, 0.5, 2)
    fair.learner = corner.learner
    fair.relax(1.0)
    fair.learner.facts.decided = decided
    assert meet(fair, corner.arms.points.copy())[0] == chosen


@pytest.mark.parametrize("below", [0.0, 0.9, 1.1, 1.9, 2.1, 3.0])
@pytest.mark.parametrize("S", [0.5, 3.0])
def test_the_leader_is_chosen_without_solutions_if_all_others_are_two_ties_below(below: float, S: float) -> None:
    fair = Fair(2, 0.2, 0.1, 3, S)
    x = 0.9 * fair.learner.theta / np.linalg.norm(fair.learner.theta)
    gap = below * TIE * 0.9 * S / fair.region().optimum(x).value
    fair.relax(1e-12 * float(np.trace(fair.learner.H)))  # the ellipsoid decides, and both bounds are exact
    fair.learner.facts.rounds = 1
    points = np.stack([(1.0 - gap) * x, x])
    k, solved = meet(fair, points)
    assert (k == 1, solved) == (below > 0.0, below < 2.0)  # the longer one is more uncertain too


def test_points_on_the_way_spare_turns_these_spare_multipliers_and_these_spare_solutions() -> None:
    """A relaxation with another multiplier than those of the arms that lead."""
    counts = np.zeros(4, dtype=int)
    for seed in range(12):
        fair = Fair(seed, 0.9, 0.3)
        facts = fair.learner.facts
        for t in range(1, 20):
            fair.relax(3.0 * 10 ** (t % 4 - 1))
            facts.multiplier, facts.rounds = 0.0, t
            fair.learner.work[POINT][:] = 7.0
            _, solved = meet(fair, sphere(fair.rng, 8, 3))
            if fair.arms.extremes[sets.TOP] < 1.0:
                turned = (fair.learner.work[POINT] != 7.0).any()
                counts[3 if solved else 2 if facts.multiplier > 0.0 else 1 if turned else 0] += 1
    assert (counts[:3] >= 4).all()
    assert counts[3] < 0.3 * counts.sum()


def test_the_relaxation_is_looked_after_in_due_rounds_and_where_it_was_of_no_use() -> None:
    fair = Fair(1, 0.9, 0.3)
    facts, size, seen = fair.learner.facts, float(np.trace(fair.learner.H)), set()
    for t in range(1, 200):
        fair.relax(0.01 * size)
        fair.pull(int(t % 6), 0.5)
        before = fair.learner.kept_inverse.copy()
        facts.rounds = t
        _, solved = meet(fair, sphere(fair.rng, 8, 3))
        assert (fair.learner.kept_inverse != before).any() == (t % 61 == 0 or solved)
        seen.add((t % 61 == 0, solved))
    assert len(seen) >= 3


@pytest.mark.parametrize("decided", [BALL, ELLIPSOID])
def test_a_guess_that_fails_begins_a_relaxation(decided: float) -> None:
    fair = Fair(4, 0.9, 0.3)
    facts = fair.learner.facts
    facts.decided, facts.kept, facts.rounds, solved = decided, 0.0, 1, 0
    for _ in range(5):
        solved += meet(fair, sphere(fair.rng, 18, 3))[1]
        assert (facts.decided, facts.kept > 0.0, fair.arms.extremes[sets.RELAXED] > 0.0) == (BOTH, True, True)
        facts.decided = decided
    assert solved <= 3


@pytest.mark.parametrize("plainly", [False, True])
def test_contexts_are_chosen_by_the_closed_form_whatever_decides(plainly: bool) -> None:
    fair = Fair(0, 0.9, 0.3)
    fair.relax(1.0)
    points = sphere(fair.rng, 5, 3)
    fair.show(points, plainly)
    closed = points @ fair.learner.theta + fair.learner.facts.radius * np.sqrt(fair.region().squared_norms(points))
    assert np.allclose(fair.arms.closed, closed, rtol=1e-11) == plainly


def test_an_adversary_sees_the_weight_of_the_round_though_a_relaxation_chose() -> None:
    p = parameters(
        catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, 0.8, index="exact", radius_form="determinant", radius_scale=0.5
    )
    arms = 0.9 * sphere(np.random.default_rng(0), 6 * 80, 2).reshape(80, 6, 2)
    rows = run(p, World(np.array([0.6, 0.7]), arms, 0.1, low_weight(1e6, 0.1, 0.9)), 80, 1, record=True).record
    assert rows is not None
    corrupted = rows["corruption"] != 0.0
    assert 40 < corrupted.sum() < 70
    np.testing.assert_array_equal(corrupted, rows["weight"] < 0.9)


@pytest.mark.parametrize("below", [-1.0, 0.0, 1.9, 2.1, 2.9])
def test_a_leader_whose_end_was_turned_is_chosen_if_all_others_are_two_ties_below(below: float) -> None:
    fair = Fair(1, 0.9, 0.3, 3, 2.0)
    x = fair.region().optimum(sphere(fair.rng, 1, 3)[0]).point / 2.0
    fair.relax(1.0)
    fair.learner.facts.rounds = 1
    fair.show(np.stack([x, x]))
    now = fair.learner
    now.work[TARGET][:], fair.arms.length[:] = now.H @ now.theta, 1.0
    turn_to_centre(now, fair.arms, 0)
    assert is_inside(now)
    tie = TIE * 2.0
    fair.arms.closed[1] = x @ now.work[POINT] - below * tie  # of the same arm, so no bound is lower
    assert (_look_closer(now, fair.arms, 0, tie) == 0) == (below > 2.0)


def test_of_the_same_arm_twice_none_leads() -> None:
    fair = Fair(1, 0.9, 0.3, 3, 2.0)
    x = fair.region().optimum(sphere(fair.rng, 1, 3)[0]).point / 2.0
    fair.relax(1.0)
    for leader in (0, 1):
        fair.show(np.stack([x, x]), soil=-1e9)
        assert _look_closer(fair.learner, fair.arms, leader, 2.0 * TIE) == UNKNOWN


def test_where_ends_are_in_C_t_no_solution_is_asked_for() -> None:
    for nu in (1.0, 1e13):
        ring = Ring(2, 20, 6)
        ring.relax(nu)
        ring.learner.facts.rounds = 1
        assert not meet(ring, ring.points)[1]


def test_an_end_in_doubt_changes_neither_what_is_taken_to_decide_nor_the_relaxation() -> None:
    solved = 0
    for seed in range(6):
        ring = Ring(seed, 24, 4)
        norms, order = ring.norms(), np.argsort(ring.squared)
        for place in range(1, 4):
            if norms[order[place]] > norms[order[:place]].max():
                ring.learner.facts.radius = math.sqrt(ring.squared[order[place]] / (1.0 + 4e-4))
                ring.relax(1.0)
                ring.learner.facts.rounds = 1
                solved += meet(ring, ring.points)[1]
                assert (ring.learner.facts.decided, ring.learner.facts.kept) == (BOTH, 1.0)
    assert solved > 3


def test_in_due_rounds_that_the_ball_decides_the_relaxation_is_made_anew() -> None:
    fair = Fair(0, 0.1, 9.0)
    points = 0.7 * sphere(fair.rng, 3, 3)
    points = points[np.argsort(-fair.region().squared_norms(points))]
    points[1:] *= 0.9  # the first is the longest, and the most uncertain
    for t, anew in ((60, False), (61, True)):
        fair.relax(1.0)
        fair.pull(0, 0.5)
        fair.learner.facts.rounds, fair.learner.facts.radius = t, 100.0
        before = fair.learner.kept_inverse.copy()
        assert meet(fair, points) == (0, False)
        assert (fair.learner.kept_inverse != before).any() == anew
        assert fair.learner.facts.kept == 1.0


@pytest.mark.parametrize("K", [17, 33, 40])
def test_the_leader_may_stand_anywhere_and_values_may_be_negative(K: int) -> None:
    fair = Fair(5, 0.9, 0.05)
    facts, v = fair.learner.facts, -fair.learner.theta / 0.9
    fair.relax(1e-3 * float(np.trace(fair.learner.H)))
    for place in (0, 15, 16, K - 1):
        points = np.tile(v, (K, 1)) * np.linspace(0.8, 0.9, K)[:, None]
        points[place] = 0.5 * v
        facts.rounds, facts.decided = 1, BOTH
        k, solved = meet(fair, points)
        assert (k, solved) == (place, False)
        assert fair.arms.closed.max() < 0.0


def test_whatever_stood_in_the_room_before_choices_are_the_same() -> None:
    for seed in range(30):
        fair = Fair(seed, 0.9, 0.3)
        points = close_by(fair, 8, 3, 1.0)
        for nu in (0.3, 3.0, 30.0):
            fair.relax(nu)
            fair.learner.facts.rounds = 1
            fair.show(points, soil=-1e9)
            assert choose_new(fair.learner, fair.arms) == fair.region().best(points)
