"""The choice by what a round shows: by the ellipsoid if the ball holds too, or else by solving few of the arms."""

from __future__ import annotations

from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.engine.arms import AWAY, Arms, closed_form, most_uncertain_of, top_of
from glbcheck.core.engine.factor import times
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
from glbcheck.core.engine.state import TARGET, Learner
from glbcheck.core.tolerances import TIE


@vectorised
@in_line
def choose_by_ellipsoid(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose closed forms tie if the ball holds for it, or else -1."""
    S, (top, _) = learner.facts.S, closed_form(learner, arms)
    k = most_uncertain_of(arms.closed, top - TIE * S * top_of(arms.length), arms.norm)
    return k if arms.closed[k] <= S * arms.length[k] and stays_inside(learner, arms, k) else -1


@compiled
@apart
def solve_in_turn(learner: Learner, arms: Arms) -> int:
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
