"""The optimistic value of one arm, max <x, θ> over C_t ∩ Θ, exactly: an ellipsoid and a ball.

For every ν >= 0 the two constraints together imply one, ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², again an
ellipsoid, with matrix A = H + ν I, centre q = A⁻¹ H θ_t and radius R, R² = ρ² + ν (S² - <θ_t, q>).  Its
closed form <x, q> + R ‖x‖_{A⁻¹} is an upper bound, and the least of them over ν is the value.  It is
reached where the maximiser θ(ν) has length S, unless one of the two constraints alone decides.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import abreast, put_abreast, stretches
from glbcheck.core.engine.arms import EPS, Arms
from glbcheck.core.engine.factor import (
    dot,
    factorise,
    forward,
    quadratic,
    reduce_entry,
    solve,
    solve_pair,
    squared_norm,
)
from glbcheck.core.engine.state import POINT, REDUCED, SHIFTED_D, SOLVED, TARGET, TRIAL, Learner
from glbcheck.core.engine.wide import LANES, root, spread
from glbcheck.core.tolerances import SLACK

_ACCURACY = 1e-13  # in units of S ‖x‖, of a value: in units of all gains, a step leaves the power 3/2 of its own
ITERATIONS = 80
_WIDEST = 1e30

BALL, ELLIPSOID, BOTH = 0.0, 1.0, 2.0  # what decided the latest choice where no values are followed
CALM = 8.0  # solutions in turn without a touching arm after which the ellipsoid is trusted to decide


@vectorised
@in_line
def reaches_ball(learner: Learner, arms: Arms, k: int) -> bool:
    """Is the maximiser over the ball inside the ellipsoid?"""
    rho = learner.facts.radius
    return squared_way(learner, arms, k) <= rho * rho * (1.0 + 2.0 * SLACK)


@vectorised
@in_line
def squared_way(learner: Learner, arms: Arms, k: int) -> float:
    """The squared norm in H of the way from θ_t to the maximiser over the ball, which is left in the row SOLVED."""
    x, point = arms.points[k], learner.work[SOLVED]
    scale = learner.facts.S / arms.length[k] if arms.length[k] > 0.0 else 0.0
    for j in range(x.size):
        point[j] = scale * x[j] - learner.theta[j]
    return quadratic(learner.lower, learner.inverse_d, point)


@vectorised
@in_line
def stays_inside(learner: Learner, arms: Arms, k: int) -> bool:
    """Is the maximiser over the ellipsoid inside the ball?"""
    S, x, point = learner.facts.S, arms.points[k], learner.work[SOLVED]
    solve(learner.lower, learner.inverse_d, x, learner.work[REDUCED], point)
    scale = learner.facts.radius / np.sqrt(arms.norm[k]) if arms.norm[k] > 0.0 else 0.0
    for j in range(x.size):
        point[j] = learner.theta[j] + scale * point[j]
    return dot(point, point) <= S * S * (1.0 + 2.0 * SLACK)


@vectorised
def optimistic_value(learner: Learner, arms: Arms, k: int, steps: int) -> tuple[float, float, float]:
    """The value of one arm, the multiplier ν if both constraints bind (0 otherwise), and the one to try next.

    That is the same if the value is exact; else it is an upper bound, after so many steps.  H θ_t is in the row TARGET.
    """
    facts, guess = learner.facts, arms.guess
    index, ball = dot(arms.points[k], learner.theta) + facts.radius * np.sqrt(arms.norm[k]), facts.S * arms.length[k]
    arms.closed[k] = index
    if arms.norm[k] <= 0.0:
        return 0.0, 0.0, 0.0
    if index <= ball:
        if stays_inside(learner, arms, k):
            return index, 0.0, 0.0
    elif reaches_ball(learner, arms, k):
        return ball, 0.0, 0.0
    if not guess[k] > 0.0:
        guess[k] = facts.multiplier
    value, nu, following = _both_bind(learner, arms.points[k], min(index, ball), guess[k], steps)
    facts.multiplier = guess[k] = following
    return value, nu, following


@vectorised
def _both_bind(learner: Learner, x: Floats, bound: float, guess: float, steps: int) -> tuple[float, float, float]:
    """The value and its ν, by Newton's method between safeguards, and the ν of the step that would follow.

    With h = ‖θ(ν)‖² - S² the bound falls at the rate s h / (2 R), and the other constraint is violated by
    -ν h.  Where ν is small the root of the length is nearly linear in ν, where it is large the root of the
    violation in 1/ν.  The search ends when another step could not change the value.
    """
    S, d, work = learner.facts.S, x.size, learner.work
    theta, p, q, y = work[POINT], work[SOLVED], work[TRIAL], work[REDUCED]
    scale, size = 0.0, S * np.sqrt(dot(x, x))
    for j in range(d):
        scale += learner.H[j, j] / d
    low, high = 0.0, np.inf
    nu = guess if guess > 0.0 else scale
    value, used = bound, nu
    for _ in range(steps):
        used = nu
        R = relax(learner, x, nu)
        s = np.sqrt(dot(x, p))
        ratio = R / s
        for j in range(d):
            theta[j] = q[j] + ratio * p[j]
        value = min(value, dot(x, q) + R * s)
        squared = dot(theta, theta)
        h = squared - S * S
        if h > 0.0:
            low = nu
        else:
            high = nu
        forward(learner.shifted, theta, y)
        turn = 0.5 * ratio * ((S * S - dot(q, q)) / (R * R) + dot(p, p) / (s * s))
        slope = 2.0 * (turn * dot(theta, p) - squared_norm(work[SHIFTED_D], y))  # of h
        if nu <= scale:
            following = nu - 2.0 * squared * (np.sqrt(squared) / S - 1.0) / slope
        else:
            following = nu * (h + nu * slope) / (2.0 * h + nu * slope)
        if slope < 0.0 and low < following < high:
            gain = 0.25 * abs(h * (following - nu)) * s / R
            if gain**3 <= (_ACCURACY * size) ** 2 * (bound - value + EPS * size):
                # What the step would still have gained, correct to the third order.
                return value - gain, used, used
        else:
            following = 8.0 * nu if high == np.inf else np.sqrt(low * high) if low > 0.0 else 0.125 * high
            if not low < following < high or nu > _WIDEST * scale:
                return value, used, used
        nu = following
    return value, used, nu


@vectorised
def relax(learner: Learner, x: Floats, nu: float) -> float:
    """A⁻¹ x and the centre q, into the rows SOLVED and TRIAL of work; returns the radius R."""
    work = learner.work
    factorise(learner.H, nu, learner.facts.lam + nu, learner.shifted, work[SHIFTED_D])
    solve_pair(learner.shifted, work[SHIFTED_D], x, work[TARGET], work[SOLVED], work[TRIAL])
    return relaxed_radius(learner, nu)


@vectorised
def relaxed_radius(learner: Learner, nu: float) -> float:
    S, rho = learner.facts.S, learner.facts.radius
    return float(np.sqrt(rho * rho + nu * max(0.0, S * S - dot(learner.theta, learner.work[TRIAL]))))


@compiled
def tighten(learner: Learner, arms: Arms, nu: float) -> None:
    """The bound of the multiplier whose relaxation is in its rows, for every arm, several abreast."""
    q, inverse_d, R = learner.work[TRIAL], learner.work[SHIFTED_D], relaxed_radius(learner, nu)
    d, reduced = q.size, stretches(arms.scratch)
    for k in range(0, arms.upper.size, LANES):
        value, norm = spread(0.0), spread(0.0)
        for n in range(d):
            i = d - 1 - n
            x = abreast(arms.columns[i], k)
            value += q[i] * x
            rest = reduce_entry(learner.shifted, reduced, n, x)
            norm += rest * rest * inverse_d[i]
        put_abreast(arms.upper, k, min(abreast(arms.upper, k), value + R * root(norm)))
