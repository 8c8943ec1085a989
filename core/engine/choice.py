"""Which arm is played: indices of all arms at once, for arms that change and for arms that stay.

The room holds, for K arms in K columns: their d coordinates, d rows of scratch, and the rows named below.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, vectorised, vectorised_numbers
from glbcheck.core.engine import state as at
from glbcheck.core.engine.factor import dot, forward, inner_products, inverse_norms, squared_norm
from glbcheck.core.engine.optimism import GUESS, INDEX, LENGTH, NORM, ROWS, UPPER, choose, first_from
from glbcheck.core.engine.state import Parts
from glbcheck.core.optimism import TIE
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Rows that only arms that stay have, after those of `core.engine.optimism`.
ERROR, MEAN = ROWS, ROWS + 1

_EPS = 2.0**-52
_DRIFT = 1e-12  # relative error of an updated norm at which it is computed afresh


def room(K: int, d: int) -> Floats:
    """Space for K arms."""
    return at.own_lines(2 * d + ROWS + 2, K)


@vectorised
def select(state: Floats, v: Parts, arms: Floats, rho: float, room: Floats) -> int:
    """The optimistic arm among arms that have just been entered: O(K d²)."""
    d = arms.shape[1]
    inverse_norms(v.lower, v.inverse_d, room[:d], room[d : 2 * d], room[2 * d + NORM])
    return select_fixed(state, v, arms, rho, room)


@vectorised
def select_fixed(state: Floats, v: Parts, arms: Floats, rho: float, room: Floats) -> int:
    """The same among arms whose norms are kept up to date by `follow`: O(K d)."""
    d = arms.shape[1]
    norms, index = room[2 * d + NORM], room[2 * d + INDEX]
    inner_products(v.theta, room[:d], index)
    top, scale = _add_widths(index, norms, rho)
    if state[at.EXACT] == 0.0:
        return first_from(index, top - TIE * scale)
    return choose(state, v, arms, rho, room)


@vectorised_numbers
def _add_widths(index: Floats, norms: Floats, rho: float) -> tuple[float, float]:
    """Inner products become closed-form indices; returns the largest, and the largest in absolute value."""
    top, bottom = -np.inf, np.inf
    for k in range(index.size):
        value = index[k] + rho * np.sqrt(norms[k])
        index[k] = value
        top, bottom = max(top, value), min(bottom, value)
    return top, max(top, -bottom)


@vectorised
def enter(arms: Floats, room: Floats) -> float:
    """The coordinates and lengths of new arms; returns the largest squared length, or NaN if there is one."""
    K, d = arms.shape
    lengths, guesses = room[2 * d + LENGTH], room[2 * d + GUESS]
    for k in range(K):
        lengths[k] = 0.0
        guesses[k] = 0.0
    for j in range(d):
        for k in range(K):
            entry = arms[k, j]
            room[j, k] = entry
            lengths[k] += entry * entry
    top = 0.0
    for k in range(K):
        if not lengths[k] <= top:
            top = lengths[k]
        lengths[k] = np.sqrt(lengths[k])
    return top


@vectorised
def prepare(v: Parts, arms: Floats, room: Floats) -> None:
    """A set of arms that will stay: norms from the factors of H."""
    K, d = arms.shape
    enter(arms, room)
    for k in range(K):
        room[2 * d + NORM, k] = _norm(v, arms[k])
        room[2 * d + ERROR, k] = _EPS * room[2 * d + NORM, k]


@compiled
def _norm(v: Parts, x: Floats) -> float:
    forward(v.lower, x, v.work[1])
    return squared_norm(v.inverse_d, v.work[1])


@vectorised
def follow(v: Parts, arms: Floats, played: int, c: float, room: Floats) -> None:
    """The norms after H grew by c x xᵀ, from H⁻¹ x of before in the first row of work.

    An update subtracts, so its rounding error is followed along, and a norm is computed afresh when the error
    is no longer small against what is left of it.
    """
    K, d = arms.shape
    norms, inner, error = room[2 * d + NORM], room[2 * d + UPPER], room[2 * d + ERROR]
    inner_products(v.work[0], room[:d], inner)
    scale = c / (1.0 + c * dot(arms[played], v.work[0]))
    lost = 0
    for k in range(K):
        old = norms[k]
        new = old - scale * inner[k] * inner[k]
        norms[k] = new
        error[k] += 2.0 * _EPS * old
        lost += not error[k] <= _DRIFT * new
    if lost > 0:
        for k in range(K):
            if not error[k] <= _DRIFT * norms[k]:
                norms[k] = _norm(v, arms[k])
                error[k] = _EPS * norms[k]
