"""Maximum likelihood over the ball ‖θ‖ <= S, by Newton's method from the estimate before.

The loss is Σ_i (a_i m(⟨x_i, θ⟩) - b_i ⟨x_i, θ⟩) + λ/2 ‖θ‖², where a_i is the sum of 1/g and b_i that of r/g
over the observations at the point x_i.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, vectorised
from glbcheck.core.engine import state as at
from glbcheck.core.engine.factor import dot, factorise, solve, times
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.state import Parts
from glbcheck.core.engine.step import onto_sphere
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NEWTON, _HALVINGS = 100, 40
_DECREMENT = 1e-14  # squared length of a step, in the norm of the Hessian, that is as good as none
_OVERSHOT = 0.1  # the loss may rise at this part of its first fall where a step ends


@compiled
def fit(state: Floats, v: Parts, link: Floats, points: Floats, totals: Floats, count: int) -> None:
    """θ becomes the minimiser; the rows of work are overwritten, H and its factors are not."""
    lam, S, d = state[at.LAM], state[at.RADIUS_OF_THETA], v.theta.size
    old, gradient, way = v.work[0], v.work[1], v.work[2]
    for _ in range(_NEWTON):
        _expand(v, link, points, totals, count, lam, gradient)
        for j in range(d):
            old[j] = v.theta[j]
        _minimise_model(v, gradient, lam, S)
        for j in range(d):
            way[j] = v.theta[j] - old[j]
        fall = -dot(gradient, way)
        if not fall > _DECREMENT:
            break
        length = 1.0
        for _ in range(_HALVINGS):
            if _rise(v, link, points, totals, count, lam, way) <= _OVERSHOT * fall:
                break
            length *= 0.5
            for j in range(d):
                v.theta[j] = old[j] + length * way[j]


@vectorised
def _expand(v: Parts, link: Floats, points: Floats, totals: Floats, count: int, lam: float, gradient: Floats) -> None:
    """The gradient at θ, and the Hessian into the square."""
    d, M = v.theta.size, v.square
    for i in range(d):
        gradient[i] = lam * v.theta[i]
        for j in range(d):
            M[i, j] = 0.0
        M[i, i] = lam
    for n in range(count):
        x = points[n]
        if totals[n, 0] > 0.0:
            mu, dmu = evaluate(link, dot(x, v.theta))
            slope, curvature = totals[n, 0] * mu - totals[n, 1], totals[n, 0] * dmu
            for i in range(d):
                gradient[i] += slope * x[i]
                for j in range(i + 1):
                    M[i, j] += curvature * x[i] * x[j]
    for i in range(d):
        for j in range(i):
            M[j, i] = M[i, j]


@vectorised
def _minimise_model(v: Parts, gradient: Floats, lam: float, S: float) -> None:
    """θ becomes the minimiser over the ball of the quadratic with the gradient and Hessian found at θ."""
    b, free, y, inverse_d = v.work[3], v.work[4], v.work[5], v.work[6]
    times(v.square, v.theta, b)
    for j in range(b.size):
        b[j] -= gradient[j]
    factorise(v.square, 0.0, lam, v.shifted, inverse_d)
    solve(v.shifted, inverse_d, b, y, free)
    if dot(free, free) > S * S:
        onto_sphere(v, lam, S)
    else:
        for j in range(b.size):
            v.theta[j] = free[j]


@vectorised
def _rise(v: Parts, link: Floats, points: Floats, totals: Floats, count: int, lam: float, way: Floats) -> float:
    """How steeply the loss rises at θ in the direction of the step."""
    total = lam * dot(v.theta, way)
    for n in range(count):
        if totals[n, 0] > 0.0:
            mu, _ = evaluate(link, dot(points[n], v.theta))
            total += (totals[n, 0] * mu - totals[n, 1]) * dot(points[n], way)
    return float(total)
