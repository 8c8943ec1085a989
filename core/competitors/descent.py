"""The compiled form of `core.rivals.constrained_fit`, and what rivals that fit all their data again share.

A fit starts from gradient and Hessian as the fit before left them, so that the first step costs no pass over the data;
a pass goes over them in blocks that stay in the cache, one loop after the other, each of which vectorises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from glbcheck.core._numba import compiled, specialised, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.likelihood import minimise_model
from glbcheck.core.engine.factor import dot, factorise
from glbcheck.core.engine.state import REDUCED, SHIFTED_D, SOLVED, TRIAL, Learner, own_lines

# Rows of work: where a step began, the gradient, and the step.
OLD, GRADIENT, WAY = SOLVED, REDUCED, TRIAL
# Rows of room, for a block of data: ⟨x, θ⟩, and the derivatives of the loss in it.
NATURAL, SLOPE, CURVATURE = range(3)
BLOCK = 256
STEPS, HALVINGS, ENOUGH, OVERSHOT = 200, 40, 1e-14, 0.1
EAGER = 20_000  # rounds of a run up to which every round fits again, as published
GROWTH = 0.05  # of log det H between two fits in a longer run


def refit_growth(rounds: int) -> float:
    """As published, every round fits again; in runs so long that this is hopeless, only when H has changed."""
    return 0.0 if rounds <= EAGER else GROWTH


class Descent(NamedTuple):
    """What a fit works on: the points of the data, one in each column, and what the latest fit has left."""

    columns: Floats
    room: Floats
    gradient: Floats  # at the latest estimate; the matrix of the model is in the learner's square
    fitted: Floats  # how many data were in it
    plain: Floats  # not 0: leave out what may make the Hessian indefinite
    ridge: float


def descent(d: int, count: int, ridge: float) -> Descent:
    """Room for so many data."""
    return Descent(own_lines(d, count), own_lines(3, BLOCK), own_lines(d), own_lines(1), own_lines(1), ridge)


def score(memory: Any, first: int, size: int) -> None:
    """Of the loss of `size` data from number `first` on: first and second derivative in ⟨x, θ⟩, into the room."""
    raise NotImplementedError("a rival brings its own")


def gather(learner: Learner, memory: Any, first: int, count: int) -> None:
    """Gradient and Hessian at θ of the data from `first` to `count` are added."""
    start = first
    while start < count:
        size = min(BLOCK, count - start)
        _naturals(learner.theta, memory.descent, start, size)
        score(memory, start, size)
        _add(memory.descent, start, size, learner.square)
        start += size


@vectorised
def _naturals(theta: Floats, data: Descent, first: int, size: int) -> None:
    """⟨x, θ⟩ of a block."""
    out = data.room[NATURAL]
    for i in range(theta.size):
        row, entry = data.columns[i], theta[i]
        for n in range(size):
            out[n] = entry * row[first + n] if i == 0 else out[n] + entry * row[first + n]


@vectorised
def _add(data: Descent, first: int, size: int, M: Floats) -> None:
    slope, curvature, scaled = data.room[SLOPE], data.room[CURVATURE], data.room[NATURAL]
    for i in range(data.gradient.size):
        row, total = data.columns[i], 0.0
        for n in range(size):
            total += slope[n] * row[first + n]
            scaled[n] = curvature[n] * row[first + n]
        data.gradient[i] += total
        for j in range(i + 1):
            other, total = data.columns[j], 0.0
            for n in range(size):
                total += scaled[n] * other[first + n]
            M[i, j] += total
            M[j, i] = M[i, j]


@compiled
def begin(learner: Learner, memory: Any) -> None:
    """Gradient and Hessian at θ without any data."""
    data, theta = memory.descent, learner.theta
    for i in range(theta.size):
        data.gradient[i] = data.ridge * theta[i]
        for j in range(theta.size):
            learner.square[i, j] = 0.0
        learner.square[i, i] = data.ridge


def expand(learner: Learner, memory: Any, count: int) -> None:
    """Gradient and Hessian at θ of all data."""
    begin(learner, memory)
    gather(learner, memory, 0, count)


def fit(learner: Learner, memory: Any, first: int, count: int) -> None:
    """θ becomes the minimiser over the ball, given that only the data from `first` on are new.

    The rows of work are overwritten, H and its factors are not.
    """
    data, theta, d = memory.descent, learner.theta, learner.theta.size
    old, gradient, way = learner.work[OLD], learner.work[GRADIENT], learner.work[WAY]
    data.plain[0] = 0.0
    if first == 0:
        begin(learner, memory)
    gather(learner, memory, first, count)
    for _ in range(STEPS):
        if data.plain[0] == 0.0 and not _positive(learner, 0.01 * data.ridge):
            data.plain[0] = 1.0
            expand(learner, memory, count)
        for j in range(d):
            old[j] = theta[j]
            gradient[j] = data.gradient[j]
        minimise_model(learner, 0.01 * data.ridge)
        for j in range(d):
            way[j] = theta[j] - old[j]
        fall = -dot(gradient, way)
        if not fall > ENOUGH:
            break
        expand(learner, memory, count)
        length = 1.0
        for _ in range(HALVINGS):
            if dot(data.gradient, way) <= OVERSHOT * fall:
                break
            length *= 0.5
            for j in range(d):
                theta[j] = old[j] + length * way[j]
            expand(learner, memory, count)
    for i in range(d):  # what the last, tiny step has made of the gradient
        data.gradient[i] += dot(learner.square[i], way)
    data.fitted[0] = count


@vectorised
def _positive(learner: Learner, floor: float) -> bool:
    """Is the matrix of the model positive definite, with pivots above the floor?"""
    inverse_d = learner.work[SHIFTED_D]
    factorise(learner.square, 0.0, floor, learner.shifted, inverse_d)
    top = 0.0
    for j in range(inverse_d.size):
        top = max(top, inverse_d[j])
    return top < 1.0 / floor


def fit_by(score: Callable[..., None]) -> Callable[..., None]:
    """The fit with the loss of a rival."""
    gathers = specialised(gather, score=score)
    return specialised(fit, score=score, gather=gathers, expand=specialised(expand, score=score, gather=gathers))
