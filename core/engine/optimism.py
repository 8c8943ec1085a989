"""The arm of largest optimistic value, see `core.engine.optimum`, of arms that stay."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.engine.arms import BEND, EXCESS, FIRST_NORM, RATE, REACH, Arms, most_uncertain_of, top_of
from glbcheck.core.engine.ends import choose_by_ball
from glbcheck.core.engine.factor import times
from glbcheck.core.engine.floors import floor_of, held_arm
from glbcheck.core.engine.in_turn import choose_by_ellipsoid, solve_in_turn
from glbcheck.core.engine.optimum import CALM, ELLIPSOID, ITERATIONS, optimistic_value
from glbcheck.core.engine.state import BEFORE, TARGET, Facts, Learner
from glbcheck.core.engine.tracking import begin, track, tracks, update_bounds
from glbcheck.core.tolerances import SLACK

_SINGLE = 2  # steps after each of which it is looked whether an arm needs another one
_HELD = 0.5  # how many of them a round makes up for that needs none


@vectorised
@in_line
def choose_staying(learner: Learner, arms: Arms) -> int:
    """The arm that the round before held if it still stands out, or what one constraint says alone, or found anew.

    Of the arms whose value ties with the largest it is the most uncertain; their norms are known.
    """
    facts = learner.facts
    if tracks(arms):
        for j in range(learner.theta.size):
            learner.work[BEFORE, j] = learner.theta[j]
        k = held_arm(learner, arms)
        if k >= 0:
            facts.calm = max(0.0, facts.calm - _HELD)
            return k
    else:
        k = choose_by_ellipsoid(learner, arms) if facts.decided == ELLIPSOID else choose_by_ball(learner, arms)
        if k >= 0:
            return k
        if arms.notes[BEND, 0] == 0.0 or not facts.radius > 0.0:
            arms.notes[BEND, 0] = 1.0  # it pays to follow values if H is not replaced before the next solution
            return solve_in_turn(learner, arms)
        begin(learner, arms)
    return _choose_followed(learner, arms)


@compiled
@apart
def _choose_followed(learner: Learner, arms: Arms) -> int:
    """The arm of largest value, found anew."""
    top = update_bounds(learner, arms)
    learner.facts.held = -1.0
    k = most_uncertain_of(arms.upper, top - learner.facts.tie, arms.norm)
    return k if _is_on_ball(learner.facts, arms, k) else _improve_bounds(learner, arms, k)


@compiled
def _improve_bounds(learner: Learner, arms: Arms, k: int) -> int:
    """The bounds of arms, k being first among them, are improved until that of one is above all others, or exact."""
    facts, upper, solved, touching, improved = learner.facts, arms.upper, arms.solved, False, False
    for i in range(upper.size):
        solved[i] = 0.0
    times(learner.H, learner.theta, learner.work[TARGET])
    while not (solved[k] == np.inf or _is_on_ball(facts, arms, k)):
        floor = floor_of(learner, arms, k)
        own, upper[k] = upper[k], -np.inf
        rest = top_of(upper)
        other = most_uncertain_of(upper, rest, arms.norm)
        upper[k] = own
        if rest < floor - facts.tie:
            facts.held = float(k)
            break
        doubt = facts.pushed + arms.notes[REACH, other]
        tight = own - floor <= arms.notes[BEND, other] * doubt * doubt
        if solved[other] < solved[k] or (solved[other] == solved[k] and tight):
            k = other
        touching, improved = _improve(learner, arms, k) > 0.0 or touching, True
        k = most_uncertain_of(upper, top_of(upper) - facts.tie, arms.norm)
    if improved:
        facts.calm = 0.0 if touching else facts.calm + 1.0
        if facts.calm >= CALM:
            facts.decided, arms.notes[FIRST_NORM, 0] = ELLIPSOID, 0.0  # no value is followed any more
    return k


@compiled
@in_line
def _is_on_ball(facts: Facts, arms: Arms, k: int) -> bool:
    """Is it known that the maximiser over the ball is inside the ellipsoid?"""
    on_ball = arms.notes[RATE, k] == 0.0 and arms.upper[k] == facts.S * arms.length[k]
    return bool(on_ball and arms.notes[EXCESS, k] <= 2.0 * SLACK * facts.radius * facts.radius)


@vectorised
def _improve(learner: Learner, arms: Arms, k: int) -> float:
    """A better upper bound: a step of Newton's method is mostly enough.  Returns its multiplier."""
    solved = arms.solved
    steps = 1 if solved[k] < _SINGLE else ITERATIONS
    value, nu, following = optimistic_value(learner, arms, k, steps)
    arms.upper[k] = value
    solved[k] = np.inf if following == nu or steps > 1 else solved[k] + 1.0
    if arms.norm[k] > 0.0:
        track(learner, arms, k, nu)
    return nu
