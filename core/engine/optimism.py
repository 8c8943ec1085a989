"""The optimistic value max <x, θ> over C_t ∩ Θ, exactly: an ellipsoid and a ball.

For every ν >= 0 the two constraints together imply one, ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², again an
ellipsoid, with matrix A = H + ν I, centre q = A⁻¹ H θ_t and radius R, R² = ρ² + ν (S² - <θ_t, q>).  Its
closed form <x, q> + R ‖x‖_{A⁻¹} is an upper bound, and the least of them over ν is the value.  It is
reached where the maximiser θ(ν) has length S, unless one of the two constraints alone decides.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, vectorised, vectorised_numbers
from glbcheck.core.engine import state as at
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
from glbcheck.core.engine.state import Parts
from glbcheck.core.optimism import SLACK, TIE
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Rows of the room: squared norms in H⁻¹, closed-form indices, upper bounds, latest multipliers, lengths,
# norms and bounds of the relaxation.
NORM, INDEX, UPPER, GUESS, LENGTH, RELAXED_NORM, RELAXED = 0, 1, 2, 3, 4, 5, 6
ROWS = 7

_ACCURACY = 1e-9  # relative gain of a step that need not be taken: what it leaves is its power 3/2
_ITERATIONS = 80
_WIDEST = 1e30


@vectorised_numbers
def top_of(values: Floats) -> float:
    top = -np.inf
    for k in range(values.size):
        top = max(top, values[k])
    return top


@compiled
def first_from(values: Floats, level: float) -> int:
    """The lowest index whose value reaches the level; the largest value does."""
    k = 0
    while values[k] < level:
        k += 1
    return k


@compiled
def choose(state: Floats, v: Parts, arms: Floats, rho: float, room: Floats) -> int:
    """The first arm whose exact value ties with the largest.

    The room holds the rows named above behind its 2 d first ones; `UPPER` is overwritten, and `GUESS` holds
    the latest multiplier of each arm (0: none).  Arms are taken in order of their upper bound, and each
    exact solution tightens the bounds of the others, so that few are solved.
    """
    d = arms.shape[1]
    index, norms, upper = room[2 * d + INDEX], room[2 * d + NORM], room[2 * d + UPPER]
    guesses, lengths = room[2 * d + GUESS], room[2 * d + LENGTH]
    tie = TIE * state[at.RADIUS_OF_THETA] * top_of(lengths)
    times(v.H, v.theta, v.work[3])
    _first_bounds(state, v, rho, room, index, lengths, upper)
    best, winner, solved = -np.inf, index.size, False
    while True:
        k = first_from(upper, top_of(upper) - tie)
        bound = upper[k]
        if bound < best - tie:
            break
        guess = guesses[k] if guesses[k] > 0.0 else state[at.MULTIPLIER]
        value, nu = _value(state, v, arms[k], rho, index[k], norms[k], lengths[k], guess)
        upper[k] = -np.inf
        if value > best + tie or (value >= best - tie and k < winner):
            winner = k
        best = max(best, value)
        if best >= bound:
            break
        if nu > 0.0:
            state[at.MULTIPLIER] = guesses[k] = nu
            solved = True
            _tighten(state, v, arms, rho, nu, best - tie, upper)
    state[at.SCREEN] = solved or (state[at.SCREEN] != 0.0 and _screened(state, best - tie, room, index, lengths))
    return int(winner)


@vectorised
def _screened(state: Floats, level: float, room: Floats, index: Floats, lengths: Floats) -> bool:
    """Did the relaxation of this round rule out an arm that ellipsoid and ball alone would not?"""
    S, d = state[at.RADIUS_OF_THETA], int(state[at.D])
    relaxed = room[2 * d + RELAXED]
    helped = 0
    for k in range(index.size):
        helped += relaxed[k] < level and min(index[k], S * lengths[k]) >= level
    return helped > 0


@vectorised
def _first_bounds(
    state: Floats, v: Parts, rho: float, room: Floats, index: Floats, lengths: Floats, upper: Floats
) -> None:
    """The least of three bounds: ellipsoid, ball, and, if it helped in the round before, both together."""
    S, nu, d = state[at.RADIUS_OF_THETA], state[at.MULTIPLIER], v.theta.size
    for k in range(upper.size):
        upper[k] = min(index[k], S * lengths[k])
    if state[at.SCREEN] != 0.0:
        q, norms, bounds, inverse_d = v.work[2], room[2 * d + RELAXED_NORM], room[2 * d + RELAXED], v.work[6]
        R = _relax(state, v, v.work[3], rho, nu)
        inverse_norms(v.shifted, inverse_d, room[:d], room[d : 2 * d], norms)
        inner_products(q, room[:d], bounds)
        for k in range(upper.size):
            bounds[k] += R * np.sqrt(norms[k])
            upper[k] = min(upper[k], bounds[k])


@vectorised
def _value(
    state: Floats, v: Parts, x: Floats, rho: float, index: float, norm: float, length: float, guess: float
) -> tuple[float, float]:
    """The exact value of one arm, and the multiplier ν if both constraints bind (0 otherwise)."""
    S, d = state[at.RADIUS_OF_THETA], x.size
    if norm <= 0.0:
        return 0.0, 0.0
    point, y, ball = v.work[0], v.work[1], S * length
    if index <= ball:  # is the maximiser over the ellipsoid inside the ball?
        solve(v.lower, v.inverse_d, x, y, point)
        scale = rho / np.sqrt(norm)
        for j in range(d):
            point[j] = v.theta[j] + scale * point[j]
        if dot(point, point) <= S * S * (1.0 + 2.0 * SLACK):
            return index, 0.0
    else:  # is the maximiser over the ball inside the ellipsoid?
        scale = S / length
        for j in range(d):
            point[j] = scale * x[j] - v.theta[j]
        if quadratic(v.lower, v.inverse_d, point) <= rho * rho * (1.0 + 2.0 * SLACK):
            return ball, 0.0
    return _both_bind(state, v, x, rho, min(index, ball), guess)


@vectorised
def _both_bind(state: Floats, v: Parts, x: Floats, rho: float, bound: float, guess: float) -> tuple[float, float]:
    """The value and its ν, by Newton's method between safeguards.

    With h = ‖θ(ν)‖² - S² the bound falls at the rate s h / (2 R), and the other constraint is violated by
    -ν h.  Where ν is small the root of the length is nearly linear in ν, where it is large the root of the
    violation in 1/ν.  The search ends when another step could not change the value.
    """
    S, d = state[at.RADIUS_OF_THETA], x.size
    theta, p, q, y, inverse_d = v.work[4], v.work[0], v.work[2], v.work[1], v.work[6]
    scale = 0.0
    for j in range(d):
        scale += v.H[j, j] / d
    low, high = 0.0, np.inf
    nu = guess if guess > 0.0 else scale
    value, used = bound, nu
    for _ in range(_ITERATIONS):
        used = nu
        R = _relax(state, v, x, rho, nu)
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
        forward(v.shifted, theta, y)
        turn = 0.5 * ratio * ((S * S - dot(q, q)) / (R * R) + dot(p, p) / (s * s))
        slope = 2.0 * (turn * dot(theta, p) - squared_norm(inverse_d, y))  # of h
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
def _relax(state: Floats, v: Parts, x: Floats, rho: float, nu: float) -> float:
    """A⁻¹ x and the centre q, into rows 0 and 2 of work; returns the radius R."""
    S, p, q, inverse_d = state[at.RADIUS_OF_THETA], v.work[0], v.work[2], v.work[6]
    factorise(v.H, nu, state[at.LAM] + nu, v.shifted, inverse_d)
    solve_pair(v.shifted, inverse_d, x, v.work[3], p, q)
    return float(np.sqrt(rho * rho + nu * max(0.0, S * S - dot(v.theta, q))))


@vectorised
def _tighten(state: Floats, v: Parts, arms: Floats, rho: float, nu: float, level: float, upper: Floats) -> None:
    """The bound of the multiplier just found, for every arm still above the best value."""
    S = state[at.RADIUS_OF_THETA]
    q, y, inverse_d = v.work[2], v.work[1], v.work[6]
    R = np.sqrt(rho * rho + nu * max(0.0, S * S - dot(v.theta, q)))
    for k in range(upper.size):
        if upper[k] >= level:
            forward(v.shifted, arms[k], y)
            bound = dot(arms[k], q) + R * np.sqrt(squared_norm(inverse_d, y))
            upper[k] = min(upper[k], bound)
