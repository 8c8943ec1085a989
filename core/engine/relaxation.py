"""The relaxation that is kept: ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², an ellipsoid that contains C_t ∩ Θ."""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.linear import dot, root_of_inverse, squared_norm, times, times_transposed
from glbcheck.core.engine.state import square, vector

# Rows of a room: ‖x‖² in H⁻¹, <x, θ>, the index in closed form, ‖x‖, an upper bound, is it the value?
NORMS, NATURAL, INDEX, LENGTHS, UPPER, SETTLED = range(6)
RELAXED_NORMS = 7


@kernel
def relax(state: Floats, nu: float) -> None:
    """Keep the relaxation of this multiplier."""
    root_of_inverse(square(state, st.H), nu, state[st.LAM] + nu, square(state, st.FACTOR), square(state, st.W_NU))
    state[st.MULTIPLIER] = nu
    state[st.RELAXATIONS] += 1.0
    centre(state)


@kernel
def centre(state: Floats) -> None:
    """g = (H + ν)⁻¹ θ into DRIFT, and the radius of the relaxation.

    R² = ρ² + ν (S² - ‖θ‖²) + ν² <θ, g> is a sum without cancellation.
    """
    theta, v, nu = vector(state, st.THETA), vector(state, st.SPARE), state[st.MULTIPLIER]
    times(square(state, st.W_NU), theta, v)
    times_transposed(square(state, st.W_NU), v, vector(state, st.DRIFT))
    squared = state[st.RADIUS] * state[st.RADIUS] + nu * (inner_room(state) + nu * dot(v, v))
    state[st.RELAXED_RADIUS] = math.sqrt(squared)


@kernel
def inner_room(state: Floats) -> float:
    """S² - ‖θ‖²."""
    length = math.sqrt(dot(vector(state, st.THETA), vector(state, st.THETA)))
    return max((state[st.S] - length) * (state[st.S] + length), 0.0)  # type: ignore[no-any-return]


@kernel
def mean_eigenvalue(state: Floats) -> float:
    total, matrix = 0.0, square(state, st.H)
    for j in range(matrix.shape[0]):
        total += matrix[j, j]
    return total / matrix.shape[0]  # type: ignore[no-any-return]


@kernel
def limit_by_relaxation(state: Floats, room: Floats, arms: Floats, floor: float) -> None:
    """The bound of the relaxation: <x, θ> - ν <x, g> + R ‖x‖, with g = (H + ν)⁻¹ θ and the norm of (H + ν)⁻¹.

    Arms whose bound is below `floor` already are passed over, unless their norms serve later choices too.
    """
    radius, nu, norms = state[st.RELAXED_RADIUS], state[st.MULTIPLIER], room[RELAXED_NORMS]
    drift = vector(state, st.DRIFT)
    fixed, known = state[st.SAME_ARMS] != 0.0, state[st.RELAXED] == state[st.RELAXATIONS]
    for k in range(arms.shape[0]):
        if not known and (fixed or room[UPPER, k] >= floor):
            norms[k] = squared_norm(square(state, st.W_NU), arms[k], 0)
        if room[SETTLED, k] == 0.0 and room[UPPER, k] >= floor:
            bound = room[NATURAL, k] - nu * dot(arms[k], drift) + radius * math.sqrt(norms[k])
            room[UPPER, k] = min(room[UPPER, k], bound)
    if fixed:
        state[st.RELAXED] = state[st.RELAXATIONS]


@kernel
def largest(values: Floats, K: int, but: int) -> float:
    """The largest value, one left out."""
    top = -np.inf
    for k in range(K):
        if k != but:
            top = max(top, values[k])
    return top
