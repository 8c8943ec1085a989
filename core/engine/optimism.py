"""The optimistic value max <x, θ> over C_t ∩ Θ, exactly: an ellipsoid and a ball.

For every ν >= 0 the two constraints together imply one, ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², again an
ellipsoid, with matrix A = H + ν I, centre q = A⁻¹ H θ_t and radius R, R² = ρ² + ν (S² - <θ_t, q>).  Its closed
form <x, q> + R ‖x‖_{A⁻¹} is an upper bound, and the least of them over ν is the value.  It is reached where the
maximiser θ(ν) has length S, unless one of the two constraints alone decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core._numba import compiled, vectorised
from core.engine import state as at
from core.engine.factor import dot, factorise, forward, quadratic, solve, squared_norm, times
from core.engine.state import View
from core.optimism import SLACK, TIE

Floats = NDArray[np.float64]

_ACCURACY = 1e-11  # of the length of the maximiser; the value is accurate to about its square
_ITERATIONS = 80


@compiled
def first_of_the_best(values: Floats, scale: float) -> int:
    """The lowest index whose value ties with the maximum."""
    top = values[0]
    for k in range(1, values.size):
        top = max(top, values[k])
    level = top - TIE * scale
    k = 0
    while values[k] < level:
        k += 1
    return k


@compiled
def largest(values: Floats) -> float:
    """The largest absolute value."""
    top = 0.0
    for k in range(values.size):
        top = max(top, abs(values[k]))
    return top


@compiled
def choose(state: Floats, v: View, arms: Floats, rho: float, index: Floats, norms: Floats, upper: Floats) -> int:
    """The first arm whose exact value ties with the largest.

    `index` holds <x, θ_t> + ρ ‖x‖ and `norms` the squared norms in H⁻¹; `upper` is overwritten.  Arms are taken
    in order of their upper bound, and each exact solution tightens the bounds of the others, so that few
    are solved.
    """
    scale = 0.0
    for k in range(index.size):
        ball = state[at.RADIUS_OF_THETA] * np.sqrt(dot(arms[k], arms[k]))
        scale = max(scale, ball)
        upper[k] = min(index[k], ball)
    tie = TIE * scale
    times(v.H, v.theta, v.work[3])
    best, winner = -np.inf, index.size
    while True:
        k = first_of_the_best(upper, scale)
        bound = upper[k]
        if bound < best - tie:
            return winner
        value, nu = _value(state, v, arms[k], rho, index[k], norms[k], bound)
        upper[k] = -np.inf
        if value > best + tie:
            best, winner = value, k
        elif value >= best - tie:
            best, winner = max(best, value), min(winner, k)
        if best >= bound:
            return winner
        if nu > 0.0:
            state[at.MULTIPLIER] = nu
            _tighten(state, v, arms, rho, nu, best - tie, upper)


@vectorised
def _value(
    state: Floats, v: View, x: Floats, rho: float, index: float, norm: float, bound: float
) -> tuple[float, float]:
    """The exact value of one arm, and the multiplier ν if both constraints bind (0 otherwise)."""
    S, d = state[at.RADIUS_OF_THETA], x.size
    if norm <= 0.0:
        return 0.0, 0.0
    point, y = v.work[0], v.work[1]
    if index <= bound:  # is the maximiser over the ellipsoid inside the ball?
        solve(v.upper, v.inverse_d, x, y, point)
        scale = rho / np.sqrt(norm)
        for j in range(d):
            point[j] = v.theta[j] + scale * point[j]
        if dot(point, point) <= S * S * (1.0 + 2.0 * SLACK):
            return index, 0.0
    else:  # is the maximiser over the ball inside the ellipsoid?
        scale = S / np.sqrt(dot(x, x))
        for j in range(d):
            point[j] = scale * x[j] - v.theta[j]
        if quadratic(v.upper, v.inverse_d, point) <= rho * rho * (1.0 + 2.0 * SLACK):
            return bound, 0.0
    return _both_bind(state, v, x, rho, bound)


@vectorised
def _both_bind(state: Floats, v: View, x: Floats, rho: float, bound: float) -> tuple[float, float]:
    """The root of ‖θ(ν)‖ = S by Newton's method between safeguards."""
    S, d = state[at.RADIUS_OF_THETA], x.size
    trace = 0.0
    for j in range(d):
        trace += v.H[j, j]
    low, high = 0.0, np.inf
    nu = state[at.MULTIPLIER]
    if not nu > 0.0:
        nu = trace / d
    value, used = bound, nu
    for _ in range(_ITERATIONS):
        used = nu
        p, q, R = _relaxed(state, v, x, rho, nu)
        theta, y, inverse_d = v.work[4], v.work[1], v.work[6]
        s = np.sqrt(dot(x, p))
        ratio = R / s
        for j in range(d):
            theta[j] = q[j] + ratio * p[j]
        value = min(value, dot(x, q) + R * s)
        length = np.sqrt(dot(theta, theta))
        if abs(length - S) <= _ACCURACY * S:
            break
        if length > S:
            low = nu
        else:
            high = nu
        forward(v.shifted, theta, y)
        ratio_slope = 0.5 * ratio * ((S * S - dot(q, q)) / (R * R) + dot(p, p) / (s * s))
        slope = ratio_slope * dot(theta, p) - squared_norm(inverse_d, y)
        step = (length - S) / S * length * length / -slope
        if slope < 0.0 and low < nu + step < high:
            nu += step
        elif high < np.inf:
            nu = 0.5 * (low + high) if low > 0.25 * high else max(np.sqrt(low * high), 0.03125 * high)
        else:
            nu = 8.0 * nu
        if not low < nu < high or nu > 1e30 * trace:
            break
    return value, used


@vectorised
def _relaxed(state: Floats, v: View, x: Floats, rho: float, nu: float) -> tuple[Floats, Floats, float]:
    """A⁻¹ x, the centre q and the radius R of the ellipsoid that ν makes of the two constraints."""
    S = state[at.RADIUS_OF_THETA]
    p, q, y, inverse_d = v.work[0], v.work[2], v.work[1], v.work[6]
    factorise(v.H, nu, state[at.LAM] + nu, v.shifted, inverse_d)
    solve(v.shifted, inverse_d, x, y, p)
    solve(v.shifted, inverse_d, v.work[3], y, q)
    return p, q, np.sqrt(rho * rho + nu * max(0.0, S * S - dot(v.theta, q)))


@vectorised
def _tighten(state: Floats, v: View, arms: Floats, rho: float, nu: float, level: float, upper: Floats) -> None:
    """The bound of the multiplier just found, for every arm still above the best value."""
    S = state[at.RADIUS_OF_THETA]
    q, y, inverse_d = v.work[2], v.work[1], v.work[6]
    R = np.sqrt(rho * rho + nu * max(0.0, S * S - dot(v.theta, q)))
    for k in range(upper.size):
        if upper[k] >= level:
            forward(v.shifted, arms[k], y)
            bound = dot(arms[k], q) + R * np.sqrt(squared_norm(inverse_d, y))
            upper[k] = min(upper[k], bound)
