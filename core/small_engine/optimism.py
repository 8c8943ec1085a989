"""The choice of an arm."""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.small_engine.compiling import kernel
from glbcheck.core.small_engine.linear import dot, inner_products, squared_norms
from glbcheck.core.small_engine.state import (
    AGE,
    FOLLOWED,
    PULL,
    RADIUS,
    ROUNDS,
    SAME_ARMS,
    SHRINK,
    THETA,
    W,
    square,
    vector,
)
from glbcheck.core.tolerances import TIE

# Rows of a room: ‖x‖² in H⁻¹, the same when it was last computed afresh, the index in closed form.
NORMS, FRESH, INDEX = range(3)
_WORN = 1e-4  # of the fresh value: below this a followed norm has lost too many digits


@kernel
def choose_by_closed_form(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm of largest <x, θ> + ρ ‖x‖ in H⁻¹; of equals the most uncertain."""
    top, size = measure(state, room, arms)
    return most_uncertain(room[INDEX], top - TIE * size, room[NORMS], arms.shape[0])


@kernel
def measure(state: Floats, room: Floats, arms: Floats) -> tuple[float, float]:
    """Norms and indices in closed form; returns the largest index and the largest absolute index."""
    K, radius, norms, index = arms.shape[0], state[RADIUS], room[NORMS], room[INDEX]
    if state[SAME_ARMS] != 0.0 and state[FOLLOWED] == state[ROUNDS] - 1.0 and state[AGE] > 0.0:
        _follow(state, room, arms)
    elif state[SAME_ARMS] == 0.0 or state[FOLLOWED] != state[ROUNDS]:
        squared_norms(square(state, W), arms, norms)
        for k in range(K):
            room[FRESH, k] = norms[k]
    state[FOLLOWED] = state[ROUNDS]
    inner_products(arms, vector(state, THETA), index)
    top, size = -np.inf, 0.0
    for k in range(K):
        index[k] += radius * math.sqrt(norms[k])
    for k in range(K):
        top, size = max(top, index[k]), max(size, abs(index[k]))
    return top, size


@kernel
def _follow(state: Floats, room: Floats, arms: Floats) -> None:
    """‖x‖² in H⁻¹ after the latest round: each arm loses c / (1 + c q) <x, u>²."""
    norms, W_now = room[NORMS], square(state, W)
    inner_products(arms, vector(state, PULL), room[INDEX])
    for k in range(arms.shape[0]):
        norms[k] -= state[SHRINK] * (room[INDEX, k] * room[INDEX, k])
    for k in range(arms.shape[0]):
        if norms[k] < _WORN * room[FRESH, k]:
            norms[k] = 0.0
            for i in range(W_now.shape[0]):
                entry = dot(W_now[i], arms[k])
                norms[k] += entry * entry
            room[FRESH, k] = norms[k]


@kernel
def most_uncertain(values: Floats, level: float, norms: Floats, K: int) -> int:
    """Of the arms whose value reaches the level the one of largest norm, and of these the first."""
    widest = 0.0
    for k in range(K):
        if values[k] >= level:
            widest = max(widest, norms[k])
    for k in range(K):
        if values[k] >= level and norms[k] >= (1.0 - TIE) * widest:
            return k
    return 0
