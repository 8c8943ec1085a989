"""Which arm is played: indices of all arms at once, for arms that change and for arms that stay."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core._numba import compiled, vectorised
from core.engine import state as at
from core.engine.factor import dot, forward, inverse_norms, squared_norm
from core.engine.optimism import choose, first_of_the_best, largest
from core.engine.state import View

Floats = NDArray[np.float64]

_EPS = 2.0**-52
_DRIFT = 1e-12  # relative error of an updated norm at which it is computed afresh


def room(K: int, d: int) -> Floats:
    """Space for K arms: their columns, squared norms, indices, upper bounds, errors of the norms, true means."""
    return np.zeros((d + 5, K))


@vectorised
def select(state: Floats, v: View, arms: Floats, rho: float, room: Floats) -> int:
    """The optimistic arm among arms seen for the first time: O(K d²)."""
    K, d = arms.shape
    columns, norms, index = room[:d], room[d], room[d + 1]
    for k in range(K):
        for j in range(d):
            columns[j, k] = arms[k, j]
    _inner_products(v.theta, columns, index)
    inverse_norms(v.upper, v.inverse_d, columns, norms)
    return _optimistic(state, v, arms, rho, room)


@vectorised
def select_fixed(state: Floats, v: View, arms: Floats, rho: float, room: Floats) -> int:
    """The same among arms whose norms are kept up to date by `follow`: O(K d)."""
    d = arms.shape[1]
    _inner_products(v.theta, room[:d], room[d + 1])
    return _optimistic(state, v, arms, rho, room)


@vectorised
def _inner_products(theta: Floats, columns: Floats, out: Floats) -> None:
    for k in range(out.size):
        out[k] = theta[0] * columns[0, k]
    for j in range(1, theta.size):
        row, entry = columns[j], theta[j]
        for k in range(out.size):
            out[k] += entry * row[k]


@vectorised
def _optimistic(state: Floats, v: View, arms: Floats, rho: float, room: Floats) -> int:
    d = arms.shape[1]
    norms, index = room[d], room[d + 1]
    for k in range(index.size):
        index[k] += rho * np.sqrt(norms[k])
    if state[at.EXACT] == 0.0:
        return first_of_the_best(index, largest(index))
    return choose(state, v, arms, rho, index, norms, room[d + 2])


@vectorised
def prepare(v: View, arms: Floats, room: Floats) -> None:
    """Columns and norms of a fixed set of arms, from the factors of H."""
    K, d = arms.shape
    for k in range(K):
        for j in range(d):
            room[j, k] = arms[k, j]
        room[d, k] = _norm(v, arms[k])
        room[d + 3, k] = _EPS * room[d, k]


@compiled
def _norm(v: View, x: Floats) -> float:
    forward(v.upper, x, v.work[1])
    return squared_norm(v.inverse_d, v.work[1])


@vectorised
def follow(v: View, arms: Floats, played: int, c: float, room: Floats) -> None:
    """The norms after H grew by c x xᵀ, from H⁻¹ x of before in the first row of work.

    An update subtracts, so its rounding error is followed along, and a norm is computed afresh when the error
    is no longer small against what is left of it.
    """
    K, d = arms.shape
    u, norms, inner, error = v.work[0], room[d], room[d + 2], room[d + 3]
    _inner_products(u, room[:d], inner)
    scale = c / (1.0 + c * inner[played])
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
