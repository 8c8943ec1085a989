"""The arm of largest optimistic value, see `core.engine.optimum`, of arms that change and of arms that stay."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.engine.arms import (
    AWAY,
    BEND,
    EXCESS,
    FIRST_NORM,
    RATE,
    REACH,
    Arms,
    best_closed_form,
    closed_form,
    most_uncertain_of,
    stays,
    top_of,
)
from glbcheck.core.engine.ends import choose_by_ball
from glbcheck.core.engine.factor import times
from glbcheck.core.engine.floors import floor_of, held_arm
from glbcheck.core.engine.newcomers import look_at_all
from glbcheck.core.engine.optimum import (
    BALL,
    BOTH,
    CALM,
    ELLIPSOID,
    ITERATIONS,
    optimistic_value,
    relax,
    stays_inside,
    tighten,
)
from glbcheck.core.engine.state import BEFORE, TARGET, Facts, Learner
from glbcheck.core.engine.tracking import begin, track, tracks, update_bounds
from glbcheck.core.tolerances import SLACK, TIE

_SINGLE = 2  # steps after each of which it is looked whether an arm needs another one
_HELD = 0.5  # how many of them a round makes up for that needs none


@vectorised
@in_line
def select(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose optimistic value ties with the largest; their norms are known."""
    if learner.facts.exact_index == 0.0:
        return best_closed_form(learner, arms)
    return select_exactly(learner, arms)


@vectorised
@in_line
def select_exactly(learner: Learner, arms: Arms) -> int:
    """The arm that the round before held if it still stands out, or what one constraint says alone, or found anew."""
    facts = learner.facts
    if tracks(arms):
        for j in range(learner.theta.size):
            learner.work[BEFORE, j] = learner.theta[j]
        k = held_arm(learner, arms)
        if k >= 0:
            facts.calm = max(0.0, facts.calm - _HELD)
            return k
    else:
        k = _decide_alone(learner, arms)
        if k >= 0:
            return k
        if not stays(arms):
            k = look_at_all(learner, arms)
            return k if k >= 0 else _solve_in_turn(learner, arms)
        if arms.notes[BEND, 0] == 0.0 or not facts.radius > 0.0:
            arms.notes[BEND, 0] = 1.0  # it pays to follow values if H is not replaced before the next solution
            return _solve_in_turn(learner, arms)
        begin(learner, arms)
    return _choose_followed(learner, arms)


@vectorised
@in_line
def _decide_alone(learner: Learner, arms: Arms) -> int:
    """The choice by one constraint if the other one holds for it, or else -1."""
    facts = learner.facts
    if facts.decided == ELLIPSOID:
        top, _ = closed_form(learner, arms)
        k = most_uncertain_of(arms.closed, top - TIE * facts.S * top_of(arms.length), arms.norm)
        return k if arms.closed[k] <= facts.S * arms.length[k] and stays_inside(learner, arms, k) else -1
    return -1 if facts.decided == BOTH and not stays(arms) else choose_by_ball(learner, arms)


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


@compiled
@apart
def _solve_in_turn(learner: Learner, arms: Arms) -> int:
    """Of the arms whose bound ties with the largest the most uncertain is solved, until it is one solved before.

    Each solution tightens the bounds of the others.  So few are solved, each from its latest multiplier or that of
    the latest arm.
    """
    facts, upper = learner.facts, arms.upper
    closed_form(learner, arms)
    for k in range(upper.size):
        upper[k] = min(facts.S * arms.length[k], arms.closed[k])
        arms.solved[k] = arms.notes[AWAY, k] = 0.0  # `core.engine.ends` does not see where θ goes now
    times(learner.H, learner.theta, learner.work[TARGET])
    tie, touching = TIE * facts.S * top_of(arms.length), False
    k = most_uncertain_of(upper, top_of(upper) - tie, arms.norm)
    if facts.multiplier > 0.0:
        relax(learner, arms.points[k], facts.multiplier)
        tighten(learner, arms, facts.multiplier)
        k = most_uncertain_of(upper, top_of(upper) - tie, arms.norm)
    while arms.solved[k] == 0.0:
        value, nu, _ = optimistic_value(learner, arms, k, ITERATIONS)
        upper[k], arms.solved[k] = value, 1.0
        if nu > 0.0:
            touching = True
            tighten(learner, arms, nu)
        k = most_uncertain_of(upper, top_of(upper) - tie, arms.norm)
    facts.calm = 0.0 if touching else facts.calm + 1.0
    if upper[k] == facts.S * arms.length[k]:
        facts.decided = BALL
    elif touching:
        facts.decided = BOTH
    elif facts.calm >= CALM:
        facts.decided = ELLIPSOID
    return k
