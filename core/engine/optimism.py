"""The choice of an arm: in closed form, or by the exact largest <x, θ> over C_t ∩ Θ, an ellipsoid and a ball.

Exact values are bounded from above for all arms at once: by the ball, by the ellipsoid (the closed form), and by one
relaxation ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², again an ellipsoid.  The relaxation may be of an older H, which only
grows.  Then single arms are looked at (`core.engine.look`), the one of largest bound first, until one is known to
be best.  An arm is passed over only if its upper bound is below a value that another attains, whatever ν is.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.linear import dot, squared_norms, times
from glbcheck.core.engine.look import look
from glbcheck.core.engine.relaxation import (
    INDEX,
    LENGTHS,
    NATURAL,
    NORMS,
    SETTLED,
    UPPER,
    centre,
    largest,
    limit_by_relaxation,
)  # fmt: skip
from glbcheck.core.engine.state import square, vector
from glbcheck.core.tolerances import TIE

# Rows of a room beside those of `look`: ‖x‖² in H⁻¹ when it was last computed afresh, ‖x‖² in the relaxation.
FRESH = 6
WORN = 1e-4  # of the fresh value: below this a followed norm has lost too many digits
QUIET = 8.0  # choices in turn that one constraint alone decided, after which no relaxation is kept


@kernel
def choose(state: Floats, room: Floats, arms: Floats) -> int:
    """By the index that the parameters ask for."""
    return choose_by_closed_form(state, room, arms) if state[st.EXACT] == 0.0 else choose_exactly(state, room, arms)


@kernel
def choose_by_closed_form(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm of largest <x, θ> + ρ ‖x‖ in H⁻¹; of equals the most uncertain."""
    top, size = measure(state, room, arms)
    state[st.TIED] = count(room[INDEX], top - TIE * size, arms.shape[0])
    return most_uncertain(room[INDEX], top - TIE * size, room[NORMS], arms.shape[0])


@kernel
def measure(state: Floats, room: Floats, arms: Floats) -> tuple[float, float]:
    """Norms and indices in closed form; returns the largest index and the largest absolute index."""
    K, radius, norms, index, along = arms.shape[0], state[st.RADIUS], room[NORMS], room[INDEX], room[NATURAL]
    if state[st.SAME_ARMS] != 0.0 and state[st.FOLLOWED] == state[st.ROUNDS] - 1.0 and state[st.AGE] > 0.0:
        follow(state, room, arms)
    elif state[st.SAME_ARMS] == 0.0 or state[st.FOLLOWED] != state[st.ROUNDS]:
        squared_norms(square(state, st.W), arms, norms)
        for k in range(K):
            room[FRESH, k] = norms[k]
    state[st.FOLLOWED] = state[st.ROUNDS]
    times(arms, vector(state, st.THETA), along)
    top, size = -np.inf, 0.0
    for k in range(K):
        index[k] = along[k] + radius * math.sqrt(norms[k])
    for k in range(K):
        top, size = max(top, index[k]), max(size, abs(index[k]))
    return top, size


@kernel
def follow(state: Floats, room: Floats, arms: Floats) -> None:
    """‖x‖² in H⁻¹ after the latest round: each arm loses c / (1 + c q) <x, u>²."""
    norms, along, root = room[NORMS], room[NATURAL], square(state, st.W)
    times(arms, vector(state, st.PULL), along)
    for k in range(arms.shape[0]):
        norms[k] -= state[st.SHRINK] * (along[k] * along[k])
    for k in range(arms.shape[0]):
        if norms[k] < WORN * room[FRESH, k]:
            norms[k] = 0.0
            for i in range(root.shape[0]):
                entry = dot(root[i], arms[k])
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


@kernel
def count(values: Floats, level: float, K: int) -> float:
    """How many values reach the level."""
    found = 0.0
    for k in range(K):
        if values[k] >= level:
            found += 1.0
    return found


# --- exactly ----------------------------------------------------------------------------------------------


@kernel
def choose_exactly(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm of largest optimistic value; of equals the most uncertain."""
    K, upper, settled = arms.shape[0], room[UPPER], room[SETTLED]
    measure(state, room, arms)
    longest = _limit_by_ball(state, room, arms)
    tie, made = TIE * state[st.S] * longest, state[st.RELAXATIONS]
    if arms.shape[1] == 1:  # two intervals: the smaller bound is the value
        state[st.TIED] = count(upper, largest(upper, K, -1) - tie, K)
        return most_uncertain(upper, largest(upper, K, -1) - tie, room[NORMS], K)
    kept, leader = state[st.MULTIPLIER] > 0.0, -1
    pending = kept and state[st.SAME_ARMS] == 0.0
    if kept:
        centre(state)
        if not pending:
            limit_by_relaxation(state, room, arms, -np.inf)
    both, floor = False, -np.inf  # the largest value attained so far
    while True:
        values = room[INDEX] if pending else upper
        k = most_uncertain(values, largest(values, K, -1) - tie, room[NORMS], K)
        if settled[k] != 0.0:
            state[st.TIED] = count(upper, upper[k] - tie, K)
            break
        if k == leader and floor > largest(upper, K, k) + tie:
            state[st.TIED] = 1.0
            break
        state[st.LOOKS] += 1.0
        lower, touches_both = look(state, room, arms, k, tie, pending)
        pending, both = False, both or touches_both
        if lower > floor:
            leader, floor = k, lower
        if state[st.RELAXATIONS] != made:
            made = state[st.RELAXATIONS]
            limit_by_relaxation(state, room, arms, floor - tie)
    state[st.CALM] = 0.0 if both else state[st.CALM] + 1.0
    if kept and state[st.CALM] >= QUIET:
        state[st.MULTIPLIER] = 0.0
    return k


@kernel
def _limit_by_ball(state: Floats, room: Floats, arms: Floats) -> float:
    """The smaller of S ‖x‖ and the closed form as first upper bounds; returns the largest ‖x‖."""
    longest, lengths = 0.0, room[LENGTHS]
    if state[st.SAME_ARMS] == 0.0:
        state[st.RELAXED] = -1.0
        for k in range(arms.shape[0]):
            lengths[k] = math.sqrt(dot(arms[k], arms[k]))
    for k in range(arms.shape[0]):
        room[SETTLED, k] = 0.0
        room[UPPER, k] = min(room[INDEX, k], state[st.S] * lengths[k])
        longest = max(longest, lengths[k])
    return longest
