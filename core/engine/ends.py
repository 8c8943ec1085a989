"""The choice while the ball decides: of arms that stay, the most uncertain longest one whose end is in C_t.

The end of an arm is the maximiser over the ball, p = S x / ‖x‖.  Once it is outside C_t the arm is put away for many
rounds.  Where ⟨x, θ⟩ is within three ties of S ‖x‖, ‖θ - p‖ is at most r = S √(6 TIE), so by convexity

    ‖θ - θ_t‖² >= ‖p - θ_t‖² - 2 r ‖H (p - θ_t)‖,   norms in H_t but for the last.

H only grows, so that in later norms θ is as far from the coming θ_t as this, less the way that θ_t has strayed since.
As long as that is more than ρ the arm cannot tie with one whose end is in C_t.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.engine.abreast import abreast, before_end, largest, put_abreast
from glbcheck.core.engine.arms import AWAY, EPS, Arms, most_uncertain_of, top_of
from glbcheck.core.engine.factor import dot, quadratic, times
from glbcheck.core.engine.optimum import ITERATIONS, optimistic_value, reaches_ball, squared_way
from glbcheck.core.engine.state import BEFORE, SOLVED, SPARE, TARGET, Learner
from glbcheck.core.engine.wide import LANES, root, spread, where
from glbcheck.core.tolerances import SLACK, TIE

NEAR = float(np.sqrt(7.0 * TIE))  # r / S, with room for rounding


@compiled
@in_line
def choose_by_ball(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms that tie at the largest value of the ball, or -1 if none may reach it."""
    facts, upper, highest = learner.facts, arms.upper, learner.facts.S * top_of(arms.length)
    top, tie = _bound_by_ball(learner, arms), TIE * highest
    while top >= highest - tie and highest > 0.0:
        k = most_uncertain_of(upper, top - tie, arms.norm)
        if upper[k] < facts.S * arms.length[k] or reaches_ball(learner, arms, k):
            facts.norm = arms.norm[k]
            return k
        upper[k] = lower_bound(learner, arms, k)
        top = top_of(upper)
    return -1


@compiled
@in_line
def _bound_by_ball(learner: Learner, arms: Arms) -> float:
    """The bounds of the ball, none for arms that are away; returns the largest."""
    far, top = _stray(learner) + learner.facts.radius, spread(-np.inf)
    for k in range(0, arms.upper.size, LANES):
        bound = where(abreast(arms.notes[AWAY], k) > far, -np.inf, learner.facts.S * abreast(arms.length, k))
        put_abreast(arms.upper, k, bound)
        top = max(top, where(before_end(arms.upper, k), bound, -np.inf))
    return largest(top)  # type: ignore[no-any-return]


@vectorised
@in_line
def _stray(learner: Learner) -> float:
    """How far θ_t has gone in all, the step from the choice before included, in the norm of its H or a larger one."""
    facts, way, before = learner.facts, learner.work[SPARE], learner.work[BEFORE]
    step = abs(facts.moved) * np.sqrt(facts.norm)
    if not np.isfinite(step):
        for j in range(way.size):
            way[j] = learner.theta[j] - before[j]
        step = np.sqrt(quadratic(learner.lower, learner.inverse_d, way))
    for j in range(way.size):
        before[j] = learner.theta[j]
    facts.strayed += step
    return float(facts.strayed)


@vectorised
@apart
def lower_bound(learner: Learner, arms: Arms, k: int) -> float:
    """A bound below that of the ball for an arm that does not reach it: none if it is put away, else its value."""
    facts, way, pull = learner.facts, learner.work[SOLVED], learner.work[SPARE]
    squared = squared_way(learner, arms, k)
    times(learner.H, way, pull)
    near = np.sqrt(max(0.0, squared - 2.0 * NEAR * facts.S * np.sqrt(dot(pull, pull))))
    arms.notes[AWAY, k] = near + facts.strayed
    if near > facts.radius:
        return -np.inf
    times(learner.H, learner.theta, learner.work[TARGET])
    value, _, _ = optimistic_value(learner, arms, k, ITERATIONS)
    return float(min(value, (1.0 - EPS) * facts.S * arms.length[k]))  # below the ball: it is not solved again


@compiled
@in_line
def farthest_inside(learner: Learner) -> float:
    """The squared way up to which an end is in C_t."""
    return learner.facts.radius * learner.facts.radius * (1.0 + 2.0 * SLACK)


@compiled
@in_line
def farthest_tie(learner: Learner) -> float:
    """The squared way to the end of an arm beyond which it cannot tie: ‖H v‖ is at most √trace H ‖v‖ in H."""
    near = NEAR * learner.facts.S * root(trace(learner))
    far = near + root(near * near + farthest_inside(learner))
    return far * far


@compiled
@in_line
def trace(learner: Learner) -> float:
    """Of H."""
    total = 0.0
    for j in range(learner.theta.size):
        total += learner.H[j, j]
    return total


@compiled
@in_line
def rounding(d: int) -> float:
    """The error of vᵀ H v, relative to the sum of its terms without signs, which is at most ‖v‖² trace H."""
    return float(d + 8) * EPS
