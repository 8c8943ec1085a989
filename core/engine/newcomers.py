"""The choice among arms that do not stay: all are looked at where a guess at what decides has failed, few solved.

For each the way from θ_t to its end, the maximiser p over the ball, is measured in H_t.  If no longest arm has its end
in C_t, the point of that way where it leaves the ellipsoid bounds the value of its arm from below.  One arm leads; its
end, turned towards θ_t until it is in C_t, is a better bound, and nearly the maximiser.  The multiplier of that point
bounds all values from above, see `core.engine.optimum`.  The leader is chosen if all others are below it by more than
two ties, of which one is for rounding.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.engine.abreast import abreast, entry, largest, put_abreast
from glbcheck.core.engine.arms import CLOSE, TOP, Arms, first_of, most_uncertain_of, show, top_of
from glbcheck.core.engine.ends import NEAR, lower_bound
from glbcheck.core.engine.factor import dot, quadratic, times
from glbcheck.core.engine.in_turn import solve_in_turn
from glbcheck.core.engine.optimum import BALL, BOTH, CALM, ELLIPSOID, reaches_ball, relax, stays_inside, tighten
from glbcheck.core.engine.state import POINT, SPARE, TARGET, Learner
from glbcheck.core.engine.wide import LANES, root, spread, where
from glbcheck.core.tolerances import SLACK, TIE

_LEAST = 1e-300
_STEPS = 3  # of the search for a point of C_t
_INSIDE = 1e-4  # how far in it is looked for, in squared radii


@vectorised
@in_line
def choose_new(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose optimistic value ties with the largest; their norms are known."""
    k, decided = -1, learner.facts.decided
    if decided == ELLIPSOID:
        k = _leading(learner, arms)
    elif decided == BALL:
        k = _longest(learner, arms)
    if k < 0:
        k = look_at_all(learner, arms)
    return k if k >= 0 else solve_in_turn(learner, arms)


@vectorised
@in_line
def _leading(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose closed forms tie if the ball holds for it, or else -1."""
    tie = TIE * learner.facts.S * np.sqrt(top_of(arms.square))
    k = most_uncertain_of(arms.closed, arms.extremes[TOP] - tie, arms.norm)
    return k if stays_inside(learner, arms, k) else -1


@vectorised
@in_line
def _longest(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the longest arms if its end is in C_t, or else -1."""
    k = most_uncertain_of(arms.square, (1.0 - 2.0 * TIE) * top_of(arms.square), arms.norm)
    arms.length[k] = np.sqrt(arms.square[k])
    return k if reaches_ball(learner, arms, k) else -1


@compiled
@apart
def look_at_all(learner: Learner, arms: Arms) -> int:
    """The arm of largest optimistic value, of equals the most uncertain, or -1 if solutions must tell."""
    facts = learner.facts
    if arms.extremes[CLOSE] == 0.0:
        show(arms)
    highest = facts.S * np.sqrt(top_of(arms.square))
    tie = TIE * highest
    if arms.extremes[TOP] <= highest:
        k = _leading(learner, arms)
        if k >= 0:
            facts.calm += 1.0
            facts.decided = ELLIPSOID if facts.calm >= CALM else BOTH
            return k
    facts.calm, facts.decided = 0.0, BOTH
    k = _best_of_ball(learner, arms, highest, tie)
    if k < 0:
        return _lead(learner, arms, tie)
    if arms.norm[k] >= top_of(arms.norm):
        facts.decided = BALL
    return k


@compiled
@in_line
def _best_of_ball(learner: Learner, arms: Arms, highest: float, tie: float) -> int:
    """The most uncertain of the longest arms whose ends are in C_t, or which tie with those, or else -1.

    Measured are the squared ways to the ends of all arms, times squared lengths, in place of drifts.  Here it helps
    that ‖H v‖ is at most √trace H ‖v‖ in H, see `core.engine.ends`.
    """
    facts, D, ahead, trace = learner.facts, learner.work[SPARE], learner.work[TARGET], 0.0
    d, S, rho = D.size, facts.S, facts.radius
    for j in range(d):
        trace += learner.H[j, j]
        D[j], ahead[j] = 1.0 / learner.inverse_d[j], learner.theta[j]
        for i in range(j):
            ahead[j] += learner.lower[j, i] * learner.theta[i]
    reach = rho * rho * (1.0 + 2.0 * SLACK)
    near = NEAR * S * root(trace)
    far = near + root(near * near + reach)
    inside, doubtful = spread(-np.inf), spread(-np.inf)
    for k in range(0, arms.upper.size, LANES):
        squared, length = spread(0.0), root(abreast(arms.square, k))
        for j in range(d):
            along = abreast(arms.columns[j], k)
            for i in range(j):
                along += entry(learner.lower, j * d + i) * abreast(arms.columns[i], k)
            along = S * along - ahead[j] * length
            squared += along * along * D[j]
        put_abreast(arms.drift, k, squared)
        put_abreast(arms.length, k, length)
        value, square = S * length, length * length
        sure = (squared <= reach * square) & (value >= highest - tie)
        norm = where(sure, abreast(arms.norm, k), -np.inf)
        put_abreast(arms.solved, k, norm)
        inside = max(inside, norm)
        doubtful = max(doubtful, where(sure | (squared > far * far * square), -np.inf, value))
    if largest(doubtful) >= highest - 2.0 * tie:
        return _try_ends(learner, arms, far)
    widest = largest(inside)
    return first_of(arms.solved, (1.0 - TIE) * widest) if widest > 0.0 else -1


@compiled
@apart
def _try_ends(learner: Learner, arms: Arms, far: float) -> int:
    """The same where some arms may tie, or not; of the others it is known which have their ends in C_t."""
    S, upper, highest = learner.facts.S, arms.upper, learner.facts.S * top_of(arms.length)
    for k in range(upper.size):
        upper[k] = S * arms.length[k] if arms.drift[k] <= (far * arms.length[k]) ** 2 else -np.inf
        arms.guess[k] = 0.0
    top, tie = top_of(upper), TIE * highest
    while top >= highest - tie and highest > 0.0:
        k = most_uncertain_of(upper, top - tie, arms.norm)
        if upper[k] < S * arms.length[k] or arms.solved[k] > -np.inf:
            return k
        upper[k] = lower_bound(learner, arms, k)
        top = top_of(upper)
    return -1


@compiled
@in_line
def _lead(learner: Learner, arms: Arms, tie: float) -> int:
    """The arm of largest lower bound if no other reaches it, be it after a bound of one multiplier, or else -1."""
    facts, floor, nu = learner.facts, _floors(learner, arms), 0.0
    k = most_uncertain_of(arms.solved, floor, arms.norm)
    reach = facts.radius * arms.length[k]
    if arms.drift[k] > reach * reach:  # else its end is in C_t, and the bound exact
        times(learner.H, learner.theta, learner.work[TARGET])
        nu = _turn_to_centre(learner, arms, k)
        if _is_inside(learner):
            floor = max(floor, dot(arms.points[k], learner.work[POINT]))
    rest = _rest(arms, k)
    if rest >= floor - 2.0 * tie and 0.0 < nu < np.inf:
        relax(learner, arms.points[k], nu)
        tighten(learner, arms, nu)
        facts.multiplier, rest = nu, _rest(arms, k)
    if rest < floor - 2.0 * tie:
        return k
    for k in range(arms.guess.size):
        arms.guess[k] = 0.0
    return -1


@compiled
@in_line
def _rest(arms: Arms, k: int) -> float:
    """The largest upper bound of all arms but one."""
    own, arms.upper[k] = arms.upper[k], -np.inf
    rest = top_of(arms.upper)
    arms.upper[k] = own
    return rest


@compiled
@in_line
def _floors(learner: Learner, arms: Arms) -> float:
    """Bounds on all values, several abreast, the lower ones in the row `solved`; returns the largest of these."""
    S, rho, theta, top = learner.facts.S, learner.facts.radius, learner.theta, spread(-np.inf)
    for k in range(0, arms.upper.size, LANES):
        length, way, centre = abreast(arms.length, k), root(max(abreast(arms.drift, k), spread(_LEAST))), spread(0.0)
        for j in range(theta.size):
            centre += theta[j] * abreast(arms.columns[j], k)
        floor = centre + min(1.0, rho * length / way) * (S * length - centre)
        put_abreast(arms.solved, k, floor)
        put_abreast(arms.upper, k, min(S * length, abreast(arms.closed, k)))
        top = max(top, floor)
    return largest(top)  # type: ignore[no-any-return]


@vectorised
@in_line
def _is_inside(learner: Learner) -> bool:
    """Is the point that was turned in C_t and in the ball?  Nothing else that is known of it is relied on."""
    S, rho, point = learner.facts.S, learner.facts.radius, learner.work[POINT]
    reach = quadratic(learner.lower, learner.inverse_d, learner.work[SPARE])
    return bool(reach <= rho * rho and dot(point, point) <= S * S * (1.0 + 2.0 * SLACK))


@vectorised
@in_line
def _turn_to_centre(learner: Learner, arms: Arms, k: int) -> float:
    """The end of an arm, turned towards θ_t until it is just in C_t, as far as a few steps tell; returns a multiplier.

    That is the point's own in the plane of the turn.  H θ_t is in the row TARGET; the point goes into POINT, the way to
    it from θ_t into SPARE.
    """
    S, rho, theta, x, b = learner.facts.S, learner.facts.radius, learner.theta, arms.points[k], learner.work[TARGET]
    point, way, scale = learner.work[POINT], learner.work[SPARE], 1.0 / arms.length[k]
    along, centre = scale * dot(theta, x), dot(theta, b)
    across = 1.0 / np.sqrt(max(dot(theta, theta) - along * along, _LEAST))
    # The products of H with the unit vectors along x and, towards θ_t, across.
    bx = scale * dot(x, b)
    by = across * (centre - along * bx)
    xx = (scale * scale * arms.drift[k] + 2.0 * S * bx - centre) / (S * S)
    xy = across * (bx - along * xx)
    yy = across * (by - along * xy)
    # The excess of S (cos, sin) is known up to the square of the sine; then by Newton's method.
    first, second, third = S * (S * xx - 2.0 * bx) + centre - rho * rho, S * (S * xy - by), S * (S * (yy - xx) + bx)
    sine = first / (np.sqrt(max(0.0, second * second - first * third)) - second)
    for _ in range(_STEPS):
        cosine = np.sqrt(max(1.0 - sine * sine, _LEAST))
        pull_x, pull_y = S * (xx * cosine + xy * sine) - bx, S * (xy * cosine + yy * sine) - by
        excess = S * (cosine * (pull_x - bx) + sine * (pull_y - by)) + centre - rho * rho
        sine -= (excess + _INSIDE * rho * rho) * cosine / (2.0 * S * (pull_y * cosine - pull_x * sine))
    cosine = np.sqrt(max(1.0 - sine * sine, 0.0))
    for j in range(x.size):
        unit = scale * x[j]
        point[j] = S * (cosine * unit + sine * across * (theta[j] - along * unit))
        way[j] = point[j] - theta[j]
    return float((by - S * (xy * cosine + yy * sine)) / (S * sine))
