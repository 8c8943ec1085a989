"""One update of the learner: weight, mirror-descent step, projection, Hessian."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, vectorised
from glbcheck.core.engine import state as at
from glbcheck.core.engine.factor import (
    add_outer,
    dot,
    factorise,
    forward,
    length_of,
    solve,
    squared_norm,
    times,
)
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.state import Parts
from numpy.typing import NDArray

Floats = NDArray[np.float64]

REFRESH = 4096  # rounds between factorisations of H from scratch, against the drift of updates
_NEWTON = 100


@compiled
def weight(alpha: float, dispersion: float, squared: float) -> float:
    """eq:corrupted-loss, from the squared norm of x_t in H_t⁻¹."""
    norm = np.sqrt(squared)
    trust = alpha * dispersion
    return 1.0 if norm <= trust else trust / norm


@compiled
def update(state: Floats, v: Parts, link: Floats, x: Floats, reward: float, dispersion: float) -> float:
    """Lines of the pseudocode from the observed reward to H_{t+1}.

    Leaves H_t⁻¹ x in the first row of work and returns c of H_{t+1} = H_t + c x xᵀ.
    """
    u, y, scratch = v.work[0], v.work[1], v.work[2]
    q = solve(v.lower, v.inverse_d, x, y, u)
    w = weight(state[at.TRUST], dispersion, q)
    mu, dmu = evaluate(link, dot(x, v.theta))
    slope = w * (mu - reward) / dispersion
    curvature = w * dmu / dispersion
    projected = _step(state, v, x, u, slope, curvature, q)
    c = curvature
    if state[at.OLD_HESSIAN] == 0.0:
        mu, dmu = evaluate(link, dot(x, v.theta))
        c = w * dmu / dispersion
    grow(state, v, x, y, scratch, c, q)
    state[at.INVERSE_G] += 1.0 / dispersion
    state[at.ROUNDS] += 1.0
    state[at.LAST_WEIGHT] = w
    state[at.LAST_PROJECTED] = 1.0 if projected else 0.0
    return c


@compiled
def grow(state: Floats, v: Parts, x: Floats, y: Floats, scratch: Floats, c: float, q: float) -> None:
    """H becomes H + c x xᵀ, given y = L⁻ᵀ x and q, the squared norm of x in H⁻¹."""
    for i in range(x.size):
        scratch[i] = x[i]
        for j in range(x.size):
            v.H[i, j] += c * (x[i] * x[j])  # in this order H stays symmetric to the last bit
    add_outer(v.lower, v.inverse_d, c, scratch, y)
    if state[at.USE_DETERMINANT] != 0.0:
        state[at.LOGDET] += np.log1p(c * q)
    if (int(state[at.ROUNDS]) + 1) % REFRESH == 0:
        factorise(v.H, 0.0, state[at.LAM], v.lower, v.inverse_d)


@vectorised
def _step(state: Floats, v: Parts, x: Floats, u: Floats, slope: float, curvature: float, q: float) -> bool:
    """eq:OMD-estimator: the minimiser over all of R^d, or its projection onto the ball."""
    S, eta = state[at.RADIUS_OF_THETA], state[at.ETA]
    # M = H/η + h x xᵀ, and M⁻¹ x = η H⁻¹ x / (1 + η h q).
    move = slope * eta / (1.0 + eta * curvature * q)
    free = v.work[2]
    for j in range(x.size):
        free[j] = v.theta[j] - move * u[j]
    if dot(free, free) <= S * S:
        for j in range(x.size):
            v.theta[j] = free[j]
        return False
    if state[at.EUCLIDEAN] == 0.0:
        _project(state, v, x, slope, curvature)
    else:
        shorten(free, length_of(free), S, v.theta)
    return True


@vectorised
def _project(state: Floats, v: Parts, x: Floats, slope: float, curvature: float) -> None:
    """The minimiser of eq:OMD-estimator on the sphere, where M θ_t - s x is what M θ would be without it."""
    d, M, b = x.size, v.square, v.work[3]
    for i in range(d):
        for j in range(d):
            M[i, j] = v.H[i, j] / state[at.ETA] + curvature * x[i] * x[j]
    times(M, v.theta, b)
    for j in range(d):
        b[j] -= slope * x[j]
    onto_sphere(v, state[at.LAM] / state[at.ETA], state[at.RADIUS_OF_THETA])


@vectorised
def onto_sphere(v: Parts, floor: float, S: float) -> None:
    """The minimiser of θᵀ M θ / 2 - <b, θ> on the sphere: (M + ν I) θ = b with ‖θ‖ = S.

    M, at least `floor` times I, is in the square, b in row 3 of work, and M⁻¹ b is longer than S.
    Newton's method on 1/S - 1/‖θ(ν)‖, which is concave and nearly linear in ν: from the left of the root it
    climbs to it without overshooting.
    """
    M, b, theta, y, inverse_d = v.square, v.work[3], v.work[4], v.work[5], v.work[6]
    trace = 0.0
    for j in range(b.size):
        trace += M[j, j]
    # ‖θ(ν)‖ >= ‖b‖ / (trace + ν), so the root lies to the right of this.
    nu = max(0.0, length_of(b) / S - trace)
    for _ in range(_NEWTON):
        factorise(M, nu, floor + nu, v.shifted, inverse_d)
        solve(v.shifted, inverse_d, b, y, theta)
        length = np.sqrt(dot(theta, theta))
        forward(v.shifted, theta, y)
        gain = (length - S) / S * length * length / squared_norm(inverse_d, y)
        if not gain > 1e-16 * (nu + trace) or not length > S * (1.0 + 1e-15):
            break
        nu += gain
    shorten(theta, length, S, v.theta)


@vectorised
def shorten(theta: Floats, length: float, S: float, out: Floats) -> None:
    """θ, of the given length, brought to length S along its ray."""
    shrink = S / length
    for j in range(theta.size):
        out[j] = theta[j] * shrink
    while dot(out, out) > S * S:  # rounding must not leave the ball
        for j in range(out.size):
            out[j] *= 1.0 - 2.0**-52
