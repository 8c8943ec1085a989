"""A learner as one flat array of floats: parameters, then what the rounds change.

One array is cheap to hand to compiled code, and is all there is to save or to restore.  The first numbers are
named below; behind them lie theta, H, the factors of H and room for intermediate results.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.parameters import Parameters
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Parameters.
D, RADIUS_OF_THETA, ETA, LAM, ALPHA, WIDENING = 0, 1, 2, 3, 4, 5
BETA_BASE, BETA_SLOPE = 6, 7  # beta_t² = base + slope growth_t
GROWTH_RATE = 8  # growth_t = d log(1 + rate Σ 1/g), or log(det H_t / det H_1)
USE_DETERMINANT, EXACT, RADIUS_SCALE = 9, 10, 11
TRUST = 12  # the α of the weights; infinite for a learner that has none
OLD_HESSIAN, EUCLIDEAN = 13, 14  # see `core.engine.variant`
# What the rounds change.
ROUNDS, INVERSE_G, LOGDET, MULTIPLIER = 15, 16, 17, 18
# About the last round.
LAST_WEIGHT, LAST_PROJECTED, SCREEN = 19, 20, 21
HEADER = 22

WORK_ROWS = 8  # vectors of room


class Parts(NamedTuple):
    """The parts of the flat array, sharing its memory."""

    theta: Floats
    H: Floats
    lower: Floats
    inverse_d: Floats
    square: Floats  # a d x d matrix of room
    shifted: Floats  # the factors of H + shift I, while in use
    work: Floats  # rows of room


def own_lines(*shape: int) -> Floats:
    """Zeros that share no cache line with the numbers of another thread."""
    count, margin = int(np.prod(shape)), 16
    return np.zeros(count + 2 * margin)[margin : margin + count].reshape(shape)


def initial(p: Parameters, theta0: Floats, variant: Variant = CORRECT) -> Floats:
    """The learner before its first round."""
    d = p.d
    state = own_lines(HEADER + 2 * d + 4 * d * d + WORK_ROWS * d)
    start = p.use.beta_from_logdet(p.S, p.delta, p.eta, p.lam, 0.0) ** 2
    state[:ROUNDS] = (
        d,
        p.S,
        p.eta,
        p.lam,
        p.alpha,
        p.widening if variant.widening else 0.0,
        start,
        p.use.beta_from_logdet(p.S, p.delta, p.eta, p.lam, 1.0) ** 2 - start,
        p.use.growth_rate(p.d, p.lam, p.L_mu),
        p.radius_form == "determinant",
        p.index == "exact",
        p.radius_scale,
        p.alpha if variant.weights else np.inf,
        variant.old_hessian,
        variant.euclidean,
    )
    _check_radius(p, state)
    start_from(state, theta0, p.lam * variant.ridge)
    return state


def start_from(state: Floats, theta0: Floats, lam: float) -> None:
    """θ_1 and H_1 = λ I."""
    pieces = views(state)
    state[LAM] = lam
    pieces.theta[:] = theta0
    pieces.H[:] = lam * np.eye(theta0.size)
    pieces.inverse_d[:] = 1 / lam


def _check_radius(p: Parameters, state: Floats) -> None:
    """The compiled radius has one shape; a reading of the paper with another one must not run silently."""
    other = state.copy()
    for total in (0.0, 0.3, 1e3, 1e7):
        other[INVERSE_G], other[LOGDET] = total, np.log1p(total)
        if not np.isclose(beta(other), p.beta(total, float(other[LOGDET])), rtol=1e-12):
            raise NotImplementedError(f"the engine does not know the radius of the {p.use.name} constants")


def views(state: Floats) -> Parts:
    """The parts, sharing the memory of the flat array."""
    d = int(state[D])
    at = HEADER
    theta = state[at : at + d]
    at += d
    inverse_d = state[at : at + d]
    at += d
    n = d * d
    H = state[at : at + n].reshape(d, d)
    lower = state[at + n : at + 2 * n].reshape(d, d)
    square = state[at + 2 * n : at + 3 * n].reshape(d, d)
    shifted = state[at + 3 * n : at + 4 * n].reshape(d, d)
    work = state[at + 4 * n : at + 4 * n + WORK_ROWS * d].reshape(WORK_ROWS, d)
    return Parts(theta, H, lower, inverse_d, square, shifted, work)


parts = compiled(views)  # the same for compiled callers


@compiled
def beta(state: Floats) -> float:
    """theorem:confidence-sequence/eq2 at the current round."""
    if state[USE_DETERMINANT] != 0.0:
        growth = state[LOGDET]
    else:
        growth = state[D] * np.log1p(state[GROWTH_RATE] * state[INVERSE_G])
    return float(np.sqrt(state[BETA_BASE] + state[BETA_SLOPE] * growth))


@compiled
def radius(state: Floats) -> float:
    """eq:CS at the current round."""
    return float(state[RADIUS_SCALE] * (beta(state) + state[WIDENING]))
