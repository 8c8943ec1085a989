"""The choice among arms that do not stay where a guess at what decides it has failed: all are looked at, few solved.

For each the way from θ_t to its end, the maximiser p over the ball, is measured in H_t.  If no longest arm has its end
in C_t, the point of that way where it leaves the ellipsoid bounds the value of its arm from below.  One arm leads; one
multiplier, right for it if H_t were a multiple of I, bounds all values from above (`core.engine.optimum`) and that of
the leader from below (`core.engine.floors`).  The leader is chosen if all others are below it by more than two ties,
of which one is for rounding.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, vectorised
from glbcheck.core.engine.abreast import abreast, before_end, entry, largest, put_abreast, stretches
from glbcheck.core.engine.arms import EXCESS, RATE, TOP, Arms, most_uncertain_of, top_of
from glbcheck.core.engine.ends import NEAR, lower_bound
from glbcheck.core.engine.factor import dot, quadratic, times
from glbcheck.core.engine.floors import floor_of
from glbcheck.core.engine.optimum import BALL, BOTH, CALM, ELLIPSOID, relax, stays_inside, tighten
from glbcheck.core.engine.state import POINT, SOLVED, SPARE, TARGET, TRIAL, Learner
from glbcheck.core.engine.wide import LANES, root, spread, where
from glbcheck.core.tolerances import SLACK, TIE

_LEAST = 1e-300


@compiled
@apart
def look_at_all(learner: Learner, arms: Arms) -> int:
    """The arm of largest optimistic value, of equals the most uncertain, or -1 if solutions must tell."""
    facts, upper = learner.facts, arms.upper
    highest = facts.S * top_of(arms.length)
    tie, measured = TIE * highest, arms.extremes[TOP] >= (1.0 - 3.0 * TIE) * highest
    if measured:
        k = _reaching_ball(learner, arms, highest, tie)
        if k >= 0:
            facts.calm, facts.decided = 0.0, BALL if arms.norm[k] >= top_of(arms.norm) else BOTH
            return k
    top = _bound(learner, arms)
    k = most_uncertain_of(upper, top - tie, arms.norm)
    if arms.closed[k] <= facts.S * arms.length[k] and stays_inside(learner, arms, k):
        facts.calm += 1.0
        facts.decided = ELLIPSOID if facts.calm >= CALM else BOTH
        return k
    facts.calm, facts.decided = 0.0, BOTH
    if not measured:
        _measure_ends(learner, arms)
        _bound(learner, arms)
    return _lead(learner, arms, tie)


@compiled
def _reaching_ball(learner: Learner, arms: Arms, highest: float, tie: float) -> int:
    """The most uncertain of the longest arms whose ends are in C_t, or which tie with those, or else -1."""
    facts, upper, ways = learner.facts, arms.upper, arms.drift
    top, reach = _measure_ends(learner, arms), facts.radius * facts.radius * (1.0 + 2.0 * SLACK)
    while top >= highest - tie and highest > 0.0:
        k = most_uncertain_of(upper, top - tie, arms.norm)
        if upper[k] < facts.S * arms.length[k] or ways[k] <= reach * arms.length[k] * arms.length[k]:
            return k
        upper[k] = lower_bound(learner, arms, k)
        top = top_of(upper)
    return -1


@compiled
def _measure_ends(learner: Learner, arms: Arms) -> float:
    """The squared ways to the ends of all arms, times squared lengths, several abreast, in place of drifts.

    Arms that cannot tie at the ball lose their bounds, others get that of the ball; returns the largest.  Here it helps
    that ‖H v‖ is at most √trace H ‖v‖ in H, see `core.engine.ends`.
    """
    facts, theta, D, trace = learner.facts, learner.theta, learner.work[SPARE], 0.0
    d, S, ways, top = theta.size, facts.S, stretches(arms.scratch), spread(-np.inf)
    for j in range(d):
        trace += learner.H[j, j]
        D[j] = 1.0 / learner.inverse_d[j]
    near = NEAR * S * root(trace)
    far = near + root(near * near + facts.radius * facts.radius)
    for k in range(0, arms.upper.size, LANES):
        squared, length = spread(0.0), abreast(arms.length, k)
        for j in range(d):
            total = S * abreast(arms.columns[j], k) - theta[j] * length
            ways[j] = total
            for i in range(j):
                total += entry(learner.lower, j * d + i) * ways[i]
            squared += total * total * D[j]
        put_abreast(arms.drift, k, squared)
        bound = where(squared > far * far * length * length, -np.inf, S * length)
        put_abreast(arms.upper, k, bound)
        top = max(top, where(before_end(arms.upper, k), bound, -np.inf))
    return largest(top)  # type: ignore[no-any-return]


@compiled
def _bound(learner: Learner, arms: Arms) -> float:
    """The bounds of the two constraints alone; returns the largest."""
    top = spread(-np.inf)
    for k in range(0, arms.upper.size, LANES):
        bound = min(learner.facts.S * abreast(arms.length, k), abreast(arms.closed, k))
        put_abreast(arms.upper, k, bound)
        top = max(top, where(before_end(arms.upper, k), bound, -np.inf))
    return largest(top)  # type: ignore[no-any-return]


@compiled
def _lead(learner: Learner, arms: Arms, tie: float) -> int:
    """The arm of largest lower bound if no other reaches it, be it after a bound of one multiplier, or else -1."""
    floor = _floors(learner, arms)
    k = most_uncertain_of(arms.solved, floor, arms.norm)
    if _rest(arms, k) < floor - 2.0 * tie:
        return k
    if not arms.norm[k] > 0.0:
        return -1
    nu = _multiplier(learner, arms, k)
    floor = max(floor, _floor_at(learner, arms, k, nu))
    tighten(learner, arms, nu)
    learner.facts.multiplier = nu
    return k if _rest(arms, k) < floor - 2.0 * tie else -1


@compiled
def _rest(arms: Arms, k: int) -> float:
    """The largest upper bound of all arms but one."""
    own, arms.upper[k] = arms.upper[k], -np.inf
    rest = top_of(arms.upper)
    arms.upper[k] = own
    return rest


@compiled
def _floors(learner: Learner, arms: Arms) -> float:
    """Lower bounds on all values, several abreast, in the row `solved`; returns the largest."""
    S, rho, top = learner.facts.S, learner.facts.radius, spread(-np.inf)
    for k in range(0, arms.upper.size, LANES):
        length, way = abreast(arms.length, k), root(max(abreast(arms.drift, k), spread(_LEAST)))
        centre = abreast(arms.closed, k) - rho * root(abreast(arms.norm, k))
        floor = centre + min(1.0, rho * length / way) * (S * length - centre)
        put_abreast(arms.solved, k, floor)
        top = max(top, where(before_end(arms.upper, k), floor, -np.inf))
    return largest(top)  # type: ignore[no-any-return]


@vectorised
def _multiplier(learner: Learner, arms: Arms, k: int) -> float:
    """That of an arm if H were h I, with the h of the way to its end: two spheres meet in a circle around θ_t.

    Of θ_t, of a point of the circle and of x there is a part along θ_t and one across; the maximiser has that of x.
    """
    S, theta, length = learner.facts.S, learner.theta, arms.length[k]
    square, inner = max(dot(theta, theta), _LEAST), dot(theta, arms.points[k])
    plain = (S * S + square) * length * length - 2.0 * S * length * inner
    h, size = arms.drift[k] / plain, np.sqrt(square)
    along = 0.5 * (S * S + square - learner.facts.radius * learner.facts.radius / h) / size
    across, of_x = np.sqrt(max(0.0, S * S - along * along)), inner / size
    x_across = np.sqrt(max(0.0, length * length - of_x * of_x))
    nu = h * (x_across * size / (x_across * along - of_x * across) - 1.0)
    return float(nu if 0.0 < nu < np.inf else learner.H[0, 0])


@vectorised
def _floor_at(learner: Learner, arms: Arms, k: int, nu: float) -> float:
    """A lower bound by the maximiser of a relaxation, which is left in its rows."""
    work, x, theta, point, rho = learner.work, arms.points[k], learner.theta, learner.work[POINT], learner.facts.radius
    times(learner.H, theta, work[TARGET])
    ratio = relax(learner, x, nu) / np.sqrt(dot(x, work[SOLVED]))
    for j in range(x.size):
        arms.maximisers[j, k] = work[TRIAL, j] + ratio * work[SOLVED, j]
        point[j] = arms.maximisers[j, k] - theta[j]
    arms.notes[RATE, k] = 1.0
    arms.notes[EXCESS, k] = quadratic(learner.lower, learner.inverse_d, point) - rho * rho
    return floor_of(learner, arms, k)
