"""The arm of largest optimistic value max <x, θ> over C_t ∩ Θ, exactly: an ellipsoid and a ball.

For every ν >= 0 the two constraints together imply one, ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², again an
ellipsoid, with matrix A = H + ν I, centre q = A⁻¹ H θ_t and radius R, R² = ρ² + ν (S² - <θ_t, q>).  Its
closed form <x, q> + R ‖x‖_{A⁻¹} is an upper bound, and the least of them over ν is the value.  It is
reached where the maximiser θ(ν) has length S, unless one of the two constraints alone decides.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import Arms, closed_form, most_uncertain
from glbcheck.core.engine.factor import (
    dot,
    factorise,
    forward,
    inner_products,
    inverse_norms,
    quadratic,
    solve,
    solve_pair,
    squared_norm,
    times,
)
from glbcheck.core.engine.state import POINT, REDUCED, SHIFTED_D, SOLVED, TARGET, TRIAL, Learner
from glbcheck.core.tolerances import SLACK, TIE

_ACCURACY = 1e-9  # relative gain of a step that need not be taken: what it leaves is its power 3/2
_ITERATIONS = 80
_WIDEST = 1e30


@vectorised
@in_line
def select(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose optimistic value ties with the largest; their norms are known."""
    top, scale = closed_form(learner, arms)
    if learner.facts.exact_index == 0.0:
        return int(most_uncertain(arms.closed, top - TIE * scale, arms.norm))
    return select_exactly(learner, arms)


@compiled
def select_exactly(learner: Learner, arms: Arms) -> int:
    """Of the arms whose bound ties with the largest the most uncertain is solved, until it is one solved before.

    Each solution tightens the bounds of the others.  So few are solved, each from its latest multiplier or that of
    the latest arm.
    """
    facts, upper, guess = learner.facts, arms.upper, arms.guess
    tie = TIE * facts.S * _top_of(arms.length)
    times(learner.H, learner.theta, learner.work[TARGET])
    _first_bounds(learner, arms)
    best, touching = -np.inf, False
    k = int(most_uncertain(upper, _top_of(upper) - tie, arms.norm))
    while arms.solved[k] == 0.0:
        if not guess[k] > 0.0:
            guess[k] = facts.multiplier
        value, nu = optimistic_value(learner, arms, k)
        upper[k], arms.solved[k] = value, 1.0
        best = max(best, value)
        if nu > 0.0:
            facts.multiplier = guess[k] = nu
            touching = True
            _tighten(learner, arms, nu, best - tie)
        k = int(most_uncertain(upper, _top_of(upper) - tie, arms.norm))
    facts.screen = touching or (facts.screen != 0.0 and _screened(learner, arms, best - tie))
    return k


@vectorised_numbers
def _top_of(values: Floats) -> float:
    top = -np.inf
    for k in range(values.size):
        top = max(top, values[k])
    return top


@vectorised
def _screened(learner: Learner, arms: Arms, level: float) -> bool:
    """Did the relaxation of this round rule out an arm that ellipsoid and ball alone would not?"""
    S, helped = learner.facts.S, 0
    for k in range(arms.closed.size):
        helped += arms.relaxed[k] < level and min(arms.closed[k], S * arms.length[k]) >= level
    return helped > 0


@vectorised
def _first_bounds(learner: Learner, arms: Arms) -> None:
    """The least of three bounds: ellipsoid, ball, and, if it helped in the round before, both together."""
    facts, upper, bounds = learner.facts, arms.upper, arms.relaxed
    for k in range(upper.size):
        upper[k] = min(arms.closed[k], facts.S * arms.length[k])
        arms.solved[k] = 0.0
    if facts.screen != 0.0:
        R = _relax(learner, learner.work[TARGET], facts.multiplier)
        shifted_d = learner.work[SHIFTED_D]
        inverse_norms(learner.shifted, shifted_d, arms.columns, arms.scratch, arms.relaxed_norm)
        inner_products(learner.work[TRIAL], arms.columns, bounds)
        for k in range(upper.size):
            bounds[k] += R * np.sqrt(arms.relaxed_norm[k])
            upper[k] = min(upper[k], bounds[k])


@vectorised
def optimistic_value(learner: Learner, arms: Arms, k: int) -> tuple[float, float]:
    """The exact value of one arm, and the multiplier ν if both constraints bind (0 otherwise)."""
    S, rho, x, theta = learner.facts.S, learner.facts.radius, arms.points[k], learner.theta
    index, norm, length = arms.closed[k], arms.norm[k], arms.length[k]
    if norm <= 0.0:
        return 0.0, 0.0
    point, ball = learner.work[SOLVED], S * length
    if index <= ball:  # is the maximiser over the ellipsoid inside the ball?
        solve(learner.lower, learner.inverse_d, x, learner.work[REDUCED], point)
        scale = rho / np.sqrt(norm)
        for j in range(x.size):
            point[j] = theta[j] + scale * point[j]
        if dot(point, point) <= S * S * (1.0 + 2.0 * SLACK):
            return index, 0.0
    else:  # is the maximiser over the ball inside the ellipsoid?
        scale = S / length
        for j in range(x.size):
            point[j] = scale * x[j] - theta[j]
        if quadratic(learner.lower, learner.inverse_d, point) <= rho * rho * (1.0 + 2.0 * SLACK):
            return ball, 0.0
    return _both_bind(learner, x, min(index, ball), arms.guess[k])


@vectorised
def _both_bind(learner: Learner, x: Floats, bound: float, guess: float) -> tuple[float, float]:
    """The value and its ν, by Newton's method between safeguards.

    With h = ‖θ(ν)‖² - S² the bound falls at the rate s h / (2 R), and the other constraint is violated by
    -ν h.  Where ν is small the root of the length is nearly linear in ν, where it is large the root of the
    violation in 1/ν.  The search ends when another step could not change the value.
    """
    S, d, work = learner.facts.S, x.size, learner.work
    theta, p, q, y = work[POINT], work[SOLVED], work[TRIAL], work[REDUCED]
    scale = 0.0
    for j in range(d):
        scale += learner.H[j, j] / d
    low, high = 0.0, np.inf
    nu = guess if guess > 0.0 else scale
    value, used = bound, nu
    for _ in range(_ITERATIONS):
        used = nu
        R = _relax(learner, x, nu)
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
            if gain <= _ACCURACY * bound:
                # What the step would still have gained, correct to the third order.
                return value - gain, used
        else:
            following = 8.0 * nu if high == np.inf else np.sqrt(low * high) if low > 0.0 else 0.125 * high
            if not low < following < high or nu > _WIDEST * scale:
                break
        nu = following
    return value, used


@vectorised
def _relax(learner: Learner, x: Floats, nu: float) -> float:
    """A⁻¹ x and the centre q, into the rows SOLVED and TRIAL of work; returns the radius R."""
    work = learner.work
    factorise(learner.H, nu, learner.facts.lam + nu, learner.shifted, work[SHIFTED_D])
    solve_pair(learner.shifted, work[SHIFTED_D], x, work[TARGET], work[SOLVED], work[TRIAL])
    return _relaxed_radius(learner, nu)


@vectorised
def _relaxed_radius(learner: Learner, nu: float) -> float:
    S, rho = learner.facts.S, learner.facts.radius
    return float(np.sqrt(rho * rho + nu * max(0.0, S * S - dot(learner.theta, learner.work[TRIAL]))))


@vectorised
def _tighten(learner: Learner, arms: Arms, nu: float, level: float) -> None:
    """The bound of the multiplier just found, for every arm still above the best value."""
    q, y, upper = learner.work[TRIAL], learner.work[REDUCED], arms.upper
    R = _relaxed_radius(learner, nu)
    for k in range(upper.size):
        if upper[k] >= level and arms.solved[k] == 0.0:
            x = arms.points[k]
            forward(learner.shifted, x, y)
            bound = dot(x, q) + R * np.sqrt(squared_norm(learner.work[SHIFTED_D], y))
            upper[k] = min(upper[k], bound)
