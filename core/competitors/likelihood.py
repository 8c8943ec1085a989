"""Maximum likelihood over the ball ‖θ‖ <= S, by Newton's method from the estimate before.

The loss is Σ_i (a_i m(⟨x_i, θ⟩) - b_i ⟨x_i, θ⟩) + λ/2 ‖θ‖², where a_i is the sum of 1/g and b_i that of r/g
over the observations at the point x_i.
"""

from __future__ import annotations

from typing import NamedTuple

from glbcheck.core._numba import compiled, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.factor import dot, factorise, solve, times
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.mirror_descent import onto_sphere
from glbcheck.core.engine.state import POINT, REDUCED, SHIFTED_D, SOLVED, SPARE, TARGET, TRIAL, Learner

_NEWTON, _HALVINGS = 100, 40
_DECREMENT = 1e-10  # squared length of a step, in the norm of the Hessian, after which the next one is as good as none
_OVERSHOT = 0.1  # the loss may rise at this part of its first fall where a step ends
# Rows of work: where the step began, the gradient there, and the step.
_OLD, _GRADIENT, _WAY = SOLVED, REDUCED, TRIAL


class Data(NamedTuple):
    """Observations by their point: a and b of each."""

    points: Floats
    precision: Floats
    reward: Floats


@compiled
def fit(learner: Learner, link: Floats, data: Data) -> None:
    """θ becomes the minimiser; the rows of work are overwritten, H and its factors are not."""
    theta, d = learner.theta, learner.theta.size
    old, gradient, way = learner.work[_OLD], learner.work[_GRADIENT], learner.work[_WAY]
    for _ in range(_NEWTON):
        _expand(learner, link, data)
        for j in range(d):
            old[j] = theta[j]
        minimise_model(learner, learner.facts.lam)
        for j in range(d):
            way[j] = theta[j] - old[j]
        fall = -dot(gradient, way)
        if not fall > _DECREMENT:
            break
        length = 1.0
        for _ in range(_HALVINGS):
            if _rise(learner, link, data) <= _OVERSHOT * fall:
                break
            length *= 0.5
            for j in range(d):
                theta[j] = old[j] + length * way[j]


@vectorised
def _expand(learner: Learner, link: Floats, data: Data) -> None:
    """The gradient at θ, and the Hessian into the square."""
    theta, M, gradient, lam = learner.theta, learner.square, learner.work[_GRADIENT], learner.facts.lam
    d = theta.size
    for i in range(d):
        gradient[i] = lam * theta[i]
        for j in range(d):
            M[i, j] = 0.0
        M[i, i] = lam
    for n in range(data.precision.size):
        x, a = data.points[n], data.precision[n]
        if a > 0.0:
            mu, dmu = evaluate(link, dot(x, theta))
            slope, curvature = a * mu - data.reward[n], a * dmu
            for i in range(d):
                gradient[i] += slope * x[i]
                for j in range(i + 1):
                    M[i, j] += curvature * x[i] * x[j]
    for i in range(d):
        for j in range(i):
            M[j, i] = M[i, j]


@vectorised
def minimise_model(learner: Learner, floor: float) -> None:
    """θ becomes the minimiser over the ball of the quadratic with the gradient and Hessian (>= floor) found."""
    theta, S, work = learner.theta, learner.facts.S, learner.work
    b, free, gradient = work[TARGET], work[POINT], work[_GRADIENT]
    times(learner.square, theta, b)
    for j in range(b.size):
        b[j] -= gradient[j]
    factorise(learner.square, 0.0, floor, learner.shifted, work[SHIFTED_D])
    solve(learner.shifted, work[SHIFTED_D], b, work[SPARE], free)
    if dot(free, free) > S * S:
        onto_sphere(learner, floor)
    else:
        for j in range(b.size):
            theta[j] = free[j]


@vectorised
def _rise(learner: Learner, link: Floats, data: Data) -> float:
    """How steeply the loss rises at θ in the direction of the step."""
    way = learner.work[_WAY]
    total = learner.facts.lam * dot(learner.theta, way)
    for n in range(data.precision.size):
        if data.precision[n] > 0.0:
            mu, _ = evaluate(link, dot(data.points[n], learner.theta))
            total += (data.precision[n] * mu - data.reward[n]) * dot(data.points[n], way)
    return float(total)
