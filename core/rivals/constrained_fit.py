"""A smooth loss Σ_n ℓ_n(⟨x_n, θ⟩) + ridge/2 ‖θ‖² minimised over the ball ‖θ‖ <= S, for rivals that keep their data.

Newton's method from the estimate before: a step minimises a quadratic model exactly over the ball, and is halved until
the loss no longer rises steeply where it ends.  Where the Hessian is not positive definite, `score` leaves out what may
bend it.  A fit starts from gradient and Hessian as the fit before left them, so that its first step costs no pass over
the data.  A pass goes in blocks that stay in the cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel, matrix_at, small, vector_at
from glbcheck.core.engine.learner import _project as project
from glbcheck.core.engine.linear import dot, root_of_inverse, times, times_transposed
from glbcheck.core.engine.loops import specialised
from glbcheck.core.engine.state import (
    DIMENSION,
    FACTOR,
    ROOT,
    SPARE,
    SYSTEM,
    TARGET,
    THETA,
    S,
    square,
    vector,
)  # fmt: skip
from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import OWN

_STEPS, _HALVINGS = 200, 40
_ENOUGH = 1e-14  # squared length, in the norm of the model, of a last step: what it leaves is the square of that
_OVERSHOT = 0.1  # the loss may rise at this part of its first fall where a step ends
BLOCK = 256  # data in a block of a pass
_CELLS = 256  # of the link, for each unit of S

# From state[OWN] on: numbers, then where the arrays begin.
(
    RIDGE,
    COUNT,  # places for data
    BY_ARM,  # is a place an arm?
    REFIT_GROWTH,  # of log det H between two fits
    ARM,  # the latest choice
    FITTED,  # data in the latest fit
    PLAIN,  # not 0: leave out what may make the Hessian indefinite
    CURVE_CELLS,
    CURVE,
    GRADIENT,  # at the latest estimate
    MODEL,  # the Hessian there, or what stands for it
    OLD,  # where a step began, its gradient, and the step
    NATURAL,  # of a block of data: ⟨x, θ⟩ and the derivatives of the loss in it
    COLUMNS,  # the points, one in each column
    VALUES,  # rows of other data
    CURRENT,  # the state of the current round
    CONSTANTS,  # of the rival
) = range(17)  # fmt: skip
HEADER = 20


@kernel
def number(state: Floats, which: int) -> float:
    return state[int(state[OWN]) + which]  # type: ignore[no-any-return]


@small
def place_of(state: Floats, which: int) -> int:
    return int(state[int(state[OWN]) + which])


# --- the link -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def curve(family: Family, S: float) -> Floats:
    """μ on [-S, S] as polynomials of degree five, a row for each cell, that agree with μ, μ' and μ'' at both ends.

    For passes over thousands of data: errors of μ are near 1e-15 and those of μ' about 1e-12 of the largest value.
    """
    count = _CELLS * math.ceil(S)
    ends, h = np.linspace(-S, S, count + 1), 2 * S / count
    value, slope, bend = family.mu(ends), h * family.dmu(ends), h**2 * family.ddmu(ends)
    a, b, c = value[:-1], slope[:-1], bend[:-1] / 2
    A, B, C = value[1:] - a - b - c, slope[1:] - b - 2 * c, bend[1:] - 2 * c
    pieces = [a, b, c, 10 * A - 4 * B + C / 2, -15 * A + 7 * B - C, 6 * A - 3 * B + C / 2]
    return np.ascontiguousarray(np.stack(pieces, axis=1))


@small
def along(state: Floats, curve: int, cells: float, z: float) -> tuple[float, float, float]:
    """μ, μ' and μ'' at z; beyond S by rounding is taken as S."""
    per_unit = cells / (2.0 * state[S])
    place = min(max((z + state[S]) * per_unit, 0.0), cells)
    cell = min(int(place), int(cells) - 1)
    t, at = place - cell, curve + 6 * cell
    a, b, c, e, f, g = state[at], state[at + 1], state[at + 2], state[at + 3], state[at + 4], state[at + 5]
    mu = a + t * (b + t * (c + t * (e + t * (f + t * g))))
    dmu = b + t * (2.0 * c + t * (3.0 * e + t * (4.0 * f + t * (5.0 * g))))
    ddmu = 2.0 * c + t * (6.0 * e + t * (12.0 * f + t * (20.0 * g)))
    return mu, dmu * per_unit, ddmu * per_unit * per_unit


# --- the fit ------------------------------------------------------------------------------------------------


def score(state: Floats, first: int, size: int) -> None:
    """First and second derivative of the loss of `size` data from number `first` on, into the rows after NATURAL."""
    raise NotImplementedError("`fit_by` puts that of a rival in its place")


@kernel
def score_likelihood(state: Floats, first: int, size: int) -> None:
    """Of a m(⟨x, θ⟩) - b ⟨x, θ⟩, with the sums a of precisions and b of rewards in rows 0 and 1 of the data."""
    base, count = place_of(state, NATURAL), place_of(state, COUNT)
    at, curve, cells = place_of(state, VALUES) + first, place_of(state, CURVE), number(state, CURVE_CELLS)
    for n in range(size):
        mu, dmu, _ = along(state, curve, cells, state[base + n])
        state[base + BLOCK + n] = state[at + n] * mu - state[at + count + n]
        state[base + 2 * BLOCK + n] = state[at + n] * dmu


def gather(state: Floats, first: int, count: int) -> None:
    """Gradient and Hessian at θ of the data from `first` to `count` are added."""
    d, places = int(state[DIMENSION]), place_of(state, COUNT)
    theta, gradient = vector(state, THETA), vector_at(state, place_of(state, GRADIENT), d)
    model = matrix_at(state, place_of(state, MODEL), d, d)
    start = first
    while start < count:
        size = min(BLOCK, count - start)
        base = place_of(state, NATURAL)
        natural, slope = vector_at(state, base, BLOCK), vector_at(state, base + BLOCK, BLOCK)
        curvature = vector_at(state, base + 2 * BLOCK, BLOCK)
        for n in range(size):
            natural[n] = 0.0
        for i in range(d):
            row, entry = vector_at(state, place_of(state, COLUMNS) + i * places + start, size), theta[i]
            for n in range(size):
                natural[n] += entry * row[n]
        score(state, start, size)
        for i in range(d):
            row = vector_at(state, place_of(state, COLUMNS) + i * places + start, size)
            total = 0.0
            for n in range(size):
                total += slope[n] * row[n]
                natural[n] = curvature[n] * row[n]
            gradient[i] += total
            for j in range(i + 1):
                other = vector_at(state, place_of(state, COLUMNS) + j * places + start, size)
                total = 0.0
                for n in range(size):
                    total += natural[n] * other[n]
                model[i, j] += total
                model[j, i] = model[i, j]
        start += size


@kernel
def begin(state: Floats) -> None:
    """Gradient and Hessian at θ without any data."""
    d, ridge = int(state[DIMENSION]), number(state, RIDGE)
    theta, gradient = vector(state, THETA), vector_at(state, place_of(state, GRADIENT), d)
    model = matrix_at(state, place_of(state, MODEL), d, d)
    for i in range(d):
        gradient[i] = ridge * theta[i]
        for j in range(d):
            model[i, j] = 0.0
        model[i, i] = ridge


def expand(state: Floats, count: int) -> None:
    """Gradient and Hessian at θ of all data."""
    begin(state)
    gather(state, 0, count)


@kernel
def is_positive(state: Floats, floor: float) -> bool:
    """Is the matrix of the model positive definite, with pivots above the floor?"""
    d, factor = int(state[DIMENSION]), square(state, FACTOR)
    root_of_inverse(matrix_at(state, place_of(state, MODEL), d, d), 0.0, floor, factor, square(state, ROOT))
    largest = 0.0
    for j in range(d):
        largest = max(largest, factor[j, j] * factor[j, j])
    return largest * floor < 1.0


@kernel
def minimise_model(state: Floats, floor: float) -> None:
    """θ becomes the minimiser over the ball of the quadratic with this gradient and Hessian, at least `floor`."""
    d, theta, b, free = int(state[DIMENSION]), vector(state, THETA), vector(state, TARGET), vector(state, SPARE)
    model, M = matrix_at(state, place_of(state, MODEL), d, d), square(state, SYSTEM)
    gradient, whitened = vector_at(state, place_of(state, GRADIENT), d), vector_at(state, place_of(state, OLD), d)
    for i in range(d):
        for j in range(d):
            M[i, j] = model[i, j]
    times(M, theta, b)
    for j in range(d):
        b[j] -= gradient[j]
    root_of_inverse(M, 0.0, floor, square(state, FACTOR), square(state, ROOT))
    times(square(state, ROOT), b, whitened)
    times_transposed(square(state, ROOT), whitened, free)
    if dot(free, free) > state[S] * state[S]:
        project(state, floor)
    else:
        for j in range(d):
            theta[j] = free[j]


def fit(state: Floats, first: int, count: int) -> None:
    """θ becomes the minimiser over the ball, given that only the data from `first` on are new; H stays."""
    d, t, theta, floor = int(state[DIMENSION]), int(state[OWN]), vector(state, THETA), 0.01 * number(state, RIDGE)
    latest = vector_at(state, place_of(state, GRADIENT), d)
    model = matrix_at(state, place_of(state, MODEL), d, d)
    old, gradient = vector_at(state, place_of(state, OLD), d), vector_at(state, place_of(state, OLD) + d, d)
    way = vector_at(state, place_of(state, OLD) + 2 * d, d)
    state[t + PLAIN] = 0.0
    if first == 0:
        begin(state)
    gather(state, first, count)
    for _ in range(_STEPS):
        if state[t + PLAIN] == 0.0 and not is_positive(state, floor):
            state[t + PLAIN] = 1.0
            expand(state, count)
        for j in range(d):
            way[j] = -theta[j]
            gradient[j] = latest[j]
        minimise_model(state, floor)
        for j in range(d):
            old[j] = -way[j]
            way[j] += theta[j]
        fall = -dot(gradient, way)
        if not fall > _ENOUGH:
            break
        expand(state, count)
        length = 1.0
        for _ in range(_HALVINGS):
            if dot(latest, way) <= _OVERSHOT * fall:
                break
            length *= 0.5
            for j in range(d):
                theta[j] = old[j] + length * way[j]
            expand(state, count)
    for i in range(d):  # what the last, tiny step has made of the gradient
        for j in range(d):
            latest[i] += model[i, j] * way[j]
    state[t + FITTED] = count


def fit_by(score: Callable[[Floats, int, int], None]) -> Callable[[Floats, int, int], None]:
    """The fit with the loss of a rival."""
    gathers = kernel(specialised(gather, score=score))
    return kernel(specialised(fit, gather=gathers, expand=kernel(specialised(expand, gather=gathers))))  # type: ignore[no-any-return]
