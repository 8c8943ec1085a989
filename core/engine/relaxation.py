"""The relaxation that is kept: ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², an ellipsoid that contains C_t ∩ Θ."""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.linear import dot, root_of_inverse, times, times_transposed
from glbcheck.core.engine.state import (
    DRIFT,
    FACTOR,
    LAM,
    MULTIPLIER,
    RADIUS,
    RELAXATIONS,
    RELAXED_RADIUS,
    SPARE,
    THETA,
    W_NU,
    H,
    S,
    square,
    vector,
)


@kernel
def relax(state: Floats, nu: float) -> None:
    """Keep the relaxation of this multiplier."""
    root_of_inverse(square(state, H), nu, state[LAM] + nu, square(state, FACTOR), square(state, W_NU))
    state[MULTIPLIER] = nu
    state[RELAXATIONS] += 1.0
    centre(state)


@kernel
def centre(state: Floats) -> None:
    """g = (H + ν)⁻¹ θ into DRIFT, and the radius of the relaxation.

    R² = ρ² + ν (S² - ‖θ‖²) + ν² <θ, g> is a sum without cancellation.
    """
    theta, v, nu = vector(state, THETA), vector(state, SPARE), state[MULTIPLIER]
    times(square(state, W_NU), theta, v)
    times_transposed(square(state, W_NU), v, vector(state, DRIFT))
    squared = state[RADIUS] * state[RADIUS] + nu * (inner_room(state) + nu * dot(v, v))
    state[RELAXED_RADIUS] = math.sqrt(squared)


@kernel
def inner_room(state: Floats) -> float:
    """S² - ‖θ‖²."""
    length = math.sqrt(dot(vector(state, THETA), vector(state, THETA)))
    return max((state[S] - length) * (state[S] + length), 0.0)  # type: ignore[no-any-return]


@kernel
def mean_eigenvalue(state: Floats) -> float:
    total, matrix = 0.0, square(state, H)
    for j in range(matrix.shape[0]):
        total += matrix[j, j]
    return total / matrix.shape[0]  # type: ignore[no-any-return]
