"""The choice among arms that do not stay: bounds from above leave few of them to look at.

The survey of a round bounds all values, by the closed form or, where neither constraint decides alone, by a relaxation
that is kept over rounds, see `core.engine.relaxation`.  If no arm reaches the largest value of the ball, see
`core.engine.reaching`, the one of largest bound leads, and a point of C_t and the ball bounds its value from below.
It is chosen if all others are below that by more than two ties, of which one is for rounding.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import abreast, largest, put_abreast
from glbcheck.core.engine.arms import LONGEST, RELAXED, TOP, Arms, first_of, most_uncertain_of, show
from glbcheck.core.engine.ends import farthest_inside, farthest_tie
from glbcheck.core.engine.factor import dot, inverse_norms, times
from glbcheck.core.engine.in_turn import solve_in_turn
from glbcheck.core.engine.optimum import BALL, BOTH, ELLIPSOID, relax, squared_way, stays_inside, tighten
from glbcheck.core.engine.reaching import NONE, UNKNOWN, best_of_ball
from glbcheck.core.engine.relaxation import adapt, begin_relaxing, is_due, renew, value_within
from glbcheck.core.engine.state import POINT, TARGET, Learner
from glbcheck.core.engine.survey import exact_survey
from glbcheck.core.engine.turning import is_inside, turn_to_centre
from glbcheck.core.engine.wide import LANES, root, spread, where
from glbcheck.core.engine.wide_memory import lane_numbers
from glbcheck.core.tolerances import TIE

_TRIES = 2  # arms of which it is guessed that their ends are in C_t


@compiled
@in_line
def choose_new(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose optimistic value ties with the largest, after their survey."""
    k, decided = NONE, learner.facts.decided
    if arms.extremes[RELAXED] > 0.0:
        k = choose_relaxed(learner, arms)
    elif decided == ELLIPSOID:
        k = _leading(learner, arms)
    elif decided == BALL:
        k = _guess(learner, arms)
    return k if k >= 0 else look_again(learner, arms)


@vectorised
@in_line
def _leading(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose closed forms tie if the ball holds for it, or else none."""
    tie = TIE * learner.facts.S * np.sqrt(arms.extremes[LONGEST])
    k = most_uncertain_of(arms.closed, arms.extremes[TOP] - tie, arms.norm)
    return k if stays_inside(learner, arms, k) else NONE


@compiled
@in_line
def _guess(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the longest arms whose ends are in C_t, if it is among the first few, or else none."""
    longest = arms.extremes[LONGEST]
    level = (1.0 - 2.0 * TIE) * learner.facts.S * np.sqrt(longest)
    for _ in range(_TRIES):
        k = most_uncertain_of(arms.closed, level, arms.norm)
        arms.length[k] = np.sqrt(arms.square[k])
        squared = squared_way(learner, arms, k)
        inside = squared <= farthest_inside(learner) or longest == 0.0  # without length any point is an end
        if inside and arms.square[k] >= (1.0 - 2.0 * TIE) * longest:
            return k
        if squared <= farthest_tie(learner):
            break
        arms.norm[k] = -1.0
    return NONE


@compiled
@apart
def look_again(learner: Learner, arms: Arms) -> int:
    """The same where what decided before does not, or not for sure: by other bounds, or by solutions."""
    k = UNKNOWN
    if arms.extremes[RELAXED] == 0.0:
        decided = learner.facts.decided
        k = best_of_ball(learner, arms) if decided == BALL else NONE
        if k == NONE or learner.facts.decided == BOTH:
            begin_relaxing(learner, decided)
        if k == NONE:
            exact_survey(learner, arms, learner.theta, False)
            k = choose_relaxed(learner, arms)
    return k if k >= 0 else _solve(learner, arms)


@compiled
@in_line
def _solve(learner: Learner, arms: Arms) -> int:
    """The same by solutions; what decides is not guessed from one."""
    decided = learner.facts.decided
    show(arms)
    inverse_norms(learner.lower, learner.inverse_d, arms.columns, arms.scratch, arms.norm)
    for k in range(0, arms.length.size, LANES):
        put_abreast(arms.length, k, root(abreast(arms.square, k)))
        put_abreast(arms.guess, k, spread(0.0))
    k = solve_in_turn(learner, arms)
    learner.facts.decided = decided
    return k


@compiled
@apart
def choose_relaxed(learner: Learner, arms: Arms) -> int:
    """The arm of largest optimistic value, by the bounds of a relaxation, or else unknown."""
    highest, k = learner.facts.S * np.sqrt(arms.extremes[LONGEST]), NONE
    if arms.extremes[TOP] >= (1.0 - 2.0 * TIE) * highest:
        k = best_of_ball(learner, arms)
        if k >= 0 and is_due(learner):
            renew(learner, learner.facts.kept)
    return _lead(learner, arms, TIE * highest) if k == NONE else k


@compiled
@in_line
def _lead(learner: Learner, arms: Arms, tie: float) -> int:
    """The arm of largest bound if no other reaches its value, or else unknown."""
    k = first_of(arms.closed, arms.extremes[TOP])
    rest = _rest(arms.closed, k)
    if not is_due(learner):
        ratio = arms.extremes[RELAXED] / np.sqrt(arms.norm[k])
        if rest < value_within(learner, arms.points[k], ratio) - 2.0 * tie:
            return k
    return _look_closer(learner, arms, k, tie)


@compiled
@in_line
def _rest(values: Floats, k: int) -> float:
    """The largest of all but one."""
    top, last = spread(-np.inf), float(values.size)
    for n in range(0, values.size, LANES):
        lane = lane_numbers() + float(n)
        top = max(top, where((lane == float(k)) | (lane >= last), -np.inf, abreast(values, n)))
    return largest(top)  # type: ignore[no-any-return]


@compiled
@apart
def _look_closer(learner: Learner, arms: Arms, k: int, tie: float) -> int:
    """The same by a better bound on the value of the arm that leads, and bounds of its multiplier, or else unknown."""
    facts, x, floor = learner.facts, arms.points[k], -np.inf
    arms.length[k] = np.sqrt(arms.square[k])
    times(learner.H, learner.theta, learner.work[TARGET])
    nu = turn_to_centre(learner, arms, k)
    if is_inside(learner):
        floor = dot(x, learner.work[POINT])
    rest = _rest(arms.closed, k)
    if rest >= floor - 2.0 * tie:
        show(arms)
        for i in range(0, arms.closed.size, LANES):
            put_abreast(arms.upper, i, abreast(arms.closed, i))
        if 0.0 < nu < np.inf:
            facts.multiplier = nu
            relax(learner, x, nu)
            tighten(learner, arms, nu)
        rest = _rest(arms.upper, k)
    found = rest < floor - 2.0 * tie
    if is_due(learner) or not found:
        adapt(learner, nu)
    return k if found else UNKNOWN
