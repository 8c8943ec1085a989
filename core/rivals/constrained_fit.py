"""Rivals that keep their data and fit them again: a smooth loss minimised over the ball ‖θ‖ <= S.

The loss is Σ_n ℓ_n(⟨x_n, θ⟩) + ridge/2 ‖θ‖².  Newton's method starts from the estimate before: a step minimises a
quadratic model exactly over the ball, and is halved until the loss no longer rises steeply where it ends.  Where the
Hessian is not positive definite, `score` leaves out what may bend it.  Gradient and Hessian stay from fit to fit, so
that the first step costs no pass over data that were fitted before.

`fitting_state` is a learner with data behind it, a row for each arm that is fixed, however often it is pulled, or for
each round: the point, then what the loss needs of the rewards.  Its H is that of the current round.  A rival that fits
only now and then chooses by a second state, that of the latest fit; `refitting_state` is both.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import STATE, entry, kernel, vector_at, view
from glbcheck.core.engine.learner import _project as project
from glbcheck.core.engine.linear import dot, root_of_inverse, times, times_transposed
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.loops import Choose, specialised
from glbcheck.core.engine.optimism import choose_by_closed_form, choose_exactly
from glbcheck.core.engine.state import initial, square, table, vector
from glbcheck.core.rivals.algorithm import OWN, grow_by, with_own
from glbcheck.core.theory.parameters import Parameters

_STEPS, _HALVINGS = 200, 40
_ENOUGH = 1e-14  # squared length, in the norm of the model, of a last step: what it leaves is the square of that
_OVERSHOT = 0.1  # the loss may rise at this part of its first fall where a step ends

# From state[OWN] on; constants of the rival follow, then the data.
(
    RIDGE,
    BY_ARM,  # has an arm one row?
    GROWTH,  # of log det H between two fits
    PLAIN,  # not 0: leave out what may make the Hessian indefinite
    FILLED,  # rows that hold data
    FITTED,  # rows that the gradient has seen
    WIDTH,  # of a row
    DATA,  # where the rows begin
    CONSTANTS,
) = range(9)

# Vectors that a state uses to choose by: this one never chooses.  The model is in SYSTEM.
GRADIENT, OLD, OLD_GRADIENT, WAY, WHITENED = st.DRIFT, st.TURN, st.WHITE_ARM, st.WHITE_POINT, st.WORK


def fitting_state(
    start: Floats, ridge: float, places: int, values: int, by_arm: bool = False, growth: float = 0.0,
    constants: tuple[float, ...] = (),
) -> Floats:  # fmt: skip
    """The state with room for so many rows of data, of so many values each."""
    width = int(start[st.DIMENSION]) + values
    first = start.size + CONSTANTS + len(constants)
    header = [ridge, by_arm, growth, 0.0, 0.0, 0.0, width, first, *constants]
    return with_own(start, np.concatenate([header, np.zeros(places * width)]))


def refitting_state(start: Floats, *parts: object, **named: object) -> Floats:
    """The state of the latest fit, and behind it that of the current round; arguments as above."""
    return with_own(start, fitting_state(start, *parts, **named))  # type: ignore[arg-type]


@view
def current(state: Floats) -> Floats:
    """The state of the current round."""
    return vector_at(state, int(state[OWN]), state.size - int(state[OWN]))


def refit_growth(rounds: int) -> float:
    """As published, every round fits again; in runs so long that this is hopeless, only when log det H has grown."""
    return 0.0 if rounds <= 20_000 else 0.05


def chooser(index: str) -> Choose:
    return choose_exactly if index == "exact" else choose_by_closed_form


@kernel
def values_at(state: Floats, x: Floats) -> int:
    """Where the values of the arm begin, or those of a new row for the round; the point is entered."""
    t = int(state[OWN])
    rows, width, at = int(state[t + FILLED]), int(state[t + WIDTH]), int(state[t + DATA])
    if state[t + BY_ARM] != 0.0:
        for _ in range(rows):
            off = 0.0
            for j in range(x.size):
                off += abs(state[at + j] - x[j])
            if off == 0.0:
                return at + x.size
            at += width
    else:
        at += rows * width
    for j in range(x.size):
        state[at + j] = x[j]
    state[t + FILLED] += 1.0
    return at + x.size


@kernel
def is_due(state: Floats, x: Floats, w: float, c: float, q: float) -> bool:
    """H of the current round grows by c x xᵀ; has log det H grown enough since the latest fit for another one?"""
    now = current(state)
    grow_by(now, x, c, q)
    state[st.WEIGHT], state[st.NORM], state[st.CURVATURE] = w, math.sqrt(q), c
    return now[st.LOGDET] - state[st.LOGDET] >= now[int(now[OWN]) + GROWTH]  # type: ignore[no-any-return]


@kernel
def show(state: Floats, fitted: Floats) -> None:
    """Estimate and H become those of the other state."""
    theta, other = vector(state, st.THETA), vector(fitted, st.THETA)
    for i in range(theta.size):
        theta[i] = other[i]
        for j in range(theta.size):
            square(state, st.H)[i, j] = square(fitted, st.H)[i, j]
            square(state, st.W)[i, j] = square(fitted, st.W)[i, j]
    state[st.LOGDET], state[st.ROUNDS] = fitted[st.LOGDET], fitted[st.ROUNDS]
    state[st.AGE], state[st.FOLLOWED] = 0.0, -1.0


@kernel
def score(state: Floats, at: int, z: float) -> tuple[float, float]:
    """First and second derivative of the loss at z: here of a m(z) - b z, for sums a of precisions and b of rewards."""
    mu, dmu = mean_and_slope(state, state[st.LINK], table(state), z)
    return state[at] * mu - state[at + 1], state[at] * dmu


def expand(state: Floats, first: int) -> None:
    """Gradient and Hessian at θ: those of the data from row `first` on are added, or all found anew if that is 0."""
    t, d, S = int(state[OWN]), int(state[st.DIMENSION]), state[st.S]
    theta, gradient, model = vector(state, st.THETA), vector(state, GRADIENT), square(state, st.SYSTEM)
    width, at = int(state[t + WIDTH]), int(state[t + DATA]) + first * int(state[t + WIDTH])
    if first == 0:
        for i in range(d):
            gradient[i] = state[t + RIDGE] * theta[i]
            for j in range(d):
                model[i, j] = state[t + RIDGE] if i == j else 0.0
    for _ in range(first, int(state[t + FILLED])):
        x = vector_at(state, at, d)
        slope, curvature = score(state, at + d, min(max(dot(x, theta), -S), S))
        for i in range(d):
            gradient[i] += slope * x[i]
            for j in range(i + 1):
                model[i, j] += curvature * (x[i] * x[j])
        at += width
    for i in range(d):
        for j in range(i):
            model[j, i] = model[i, j]


@kernel
def factorise(state: Floats, floor: float) -> bool:
    """A root of the inverse of the model into ROOT; is the model positive definite, with pivots above the floor?"""
    factor, largest = square(state, st.FACTOR), 0.0
    root_of_inverse(square(state, st.SYSTEM), 0.0, floor, factor, square(state, st.ROOT))
    for j in range(factor.shape[0]):
        largest = max(largest, factor[j, j] * factor[j, j])
    return largest * floor < 1.0


@kernel
def minimise_model(state: Floats, floor: float) -> None:
    """θ becomes the minimiser over the ball of the model, whose Hessian `factorise` has seen."""
    theta, b, free = vector(state, st.THETA), vector(state, st.TARGET), vector(state, st.SPARE)
    times(square(state, st.SYSTEM), theta, b)
    for j in range(theta.size):
        b[j] -= vector(state, GRADIENT)[j]
    times(square(state, st.ROOT), b, vector(state, WHITENED))
    times_transposed(square(state, st.ROOT), vector(state, WHITENED), free)
    if dot(free, free) > state[st.S] * state[st.S]:
        project(state, floor)
    else:
        for j in range(theta.size):
            theta[j] = free[j]


def fit(state: Floats) -> None:
    """θ becomes the minimiser over the ball; H stays."""
    t, theta, latest = int(state[OWN]), vector(state, st.THETA), vector(state, GRADIENT)
    old, gradient, way = vector(state, OLD), vector(state, OLD_GRADIENT), vector(state, WAY)
    floor = 0.01 * state[t + RIDGE]
    state[t + PLAIN] = 0.0
    expand(state, int(state[t + FITTED]))
    for _ in range(_STEPS):
        if not factorise(state, floor) and state[t + PLAIN] == 0.0:
            state[t + PLAIN] = 1.0
            expand(state, 0)
            factorise(state, floor)
        for j in range(theta.size):
            old[j], gradient[j] = theta[j], latest[j]
        minimise_model(state, floor)
        for j in range(theta.size):
            way[j] = theta[j] - old[j]
        fall, length = -dot(gradient, way), 1.0
        if not fall > _ENOUGH:  # what the last, tiny step has made of the gradient
            times(square(state, st.SYSTEM), way, old)
            for j in range(theta.size):
                latest[j] += old[j]
            break
        expand(state, 0)
        for _ in range(_HALVINGS):
            if dot(latest, way) <= _OVERSHOT * fall:
                break
            length *= 0.5
            for j in range(theta.size):
                theta[j] = old[j] + length * way[j]
            expand(state, 0)
    if state[t + BY_ARM] == 0.0:  # rows of arms change
        state[t + FITTED] = state[t + FILLED]


def fit_by(score: Callable[[Floats, int, float], tuple[float, float]]) -> Callable[[Floats], None]:
    """The fit with the loss of a rival."""
    return kernel(specialised(fit, expand=kernel(specialised(expand, score=score))))  # type: ignore[no-any-return]


fit_likelihood = fit_by(score)


@entry(STATE)
def _fit(state: Floats) -> None:
    fit_likelihood(state)


def constrained_mle(p: Parameters, points: Floats, rewards: Floats, ridge: float) -> Floats:
    """The maximum likelihood estimate over the ball, from all data at once, with this ridge."""
    state = fitting_state(initial(p), ridge, len(points), 2)
    t = int(state[OWN])
    state[int(state[t + DATA]) :] = np.column_stack([points, np.ones(len(points)), rewards]).ravel()
    state[t + FILLED] = len(points)
    _fit(state)
    return np.array(vector(state, st.THETA))
