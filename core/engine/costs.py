"""What pulls may have cost: sums of Δ, the largest difference of means that the set allows, for every level of C.

    Δ(C) = max over arms x of sup over θ in C of μ(<x, θ>) - μ(<x_t, θ>),   Reg(T) <= Σ_t Δ_t.

A pull is charged before its reward comes.  Of arms that never change the pulls are counted, for hindsight.
"""

from __future__ import annotations

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import cumulant, ellipsoid, likelihood_set
from glbcheck.core.engine import likelihood_state as ls
from glbcheck.core.engine.careful import UNIT_ROUNDOFF, careful, matrix_at, vector_at, view

# Rows of the room: intermediate results, numbers of each arm, four blocks of d rows, and for each window numbers and
# two blocks: columns of V near H⁻¹ x, and x - H V.
BALL, INDEX, WIDTH, PAIR_BALL = range(ls.SCRATCH, ls.SCRATCH + 4)
SHARED = ls.SCRATCH + 4
MIDDLE, OFF, NORM, ERROR, PAIR_MIDDLE, PAIR_OFF, PAIR_NORM, PAIR_ERROR = range(8)
OF_WINDOW = 8


def rows_of_room(d: int, windows: int) -> int:
    """So many rows has a room for so many windows."""
    return SHARED + 4 * d + windows * (OF_WINDOW + 2 * d)


first_row = careful(rows_of_room)  # of a window, after those before it


@view
def counts(state: Floats) -> Floats:
    """How often each fixed arm was pulled."""
    places, d = int(state[ls.PLACES]), int(state[ls.DIMENSION])
    return vector_at(state, int(state[ls.AT_PULLS]) + places * d, places)


@view
def remembered(state: Floats) -> Floats:
    """The fixed arms."""
    places, d = int(state[ls.PLACES]), int(state[ls.DIMENSION])
    return matrix_at(state, int(state[ls.AT_PULLS]), places, d)


@view
def costs(state: Floats) -> Floats:
    """For each level and each fixed arm what its pulls may have cost."""
    places, d = int(state[ls.PLACES]), int(state[ls.DIMENSION])
    return matrix_at(state, int(state[ls.AT_PULLS]) + places * (d + 1), int(state[ls.LEVELS]), places)


@careful
def measure(state: Floats, room: Floats, arms: Floats) -> None:
    """Of every arm S ‖x‖, and in every window <x, θ̄> and ‖x‖ in H⁻¹, with the vectors that prove it."""
    ellipsoid.begin_first(state)
    d, K = int(state[ls.DIMENSION]), arms.shape[0]
    X = room[SHARED : SHARED + d]
    for k in range(K):
        for i in range(d):
            X[i, k] = arms[k, i]
    ellipsoid.ball_lengths(state, X, K, room[BALL])
    for which in range(int(state[ls.WINDOWS])):
        one, row = ls.window(state, which), first_row(d, which)
        if ellipsoid.is_open(one):
            V, E = room[row + OF_WINDOW : row + OF_WINDOW + d], room[row + OF_WINDOW + d : row + OF_WINDOW + 2 * d]
            ellipsoid.solve(state, one, X, V, E, room, K)
            ellipsoid.along(state, one, X, K, room[row + MIDDLE], room[row + OFF])
            ellipsoid.residual_errors(state, one, X, V, room, K, room[row + ERROR])
            ellipsoid.norms(state, one, X, V, E, room[row + ERROR], room, K, room[row + NORM])


@careful
def limits(state: Floats, room: Floats, k: int, C: float) -> tuple[float, float]:
    """The interval of <x, θ> of an arm, in all windows and the ball."""
    d, most = int(state[ls.DIMENSION]), room[BALL, k]
    low, high = -most, most
    for which in range(int(state[ls.WINDOWS])):
        one, row = ls.window(state, which), first_row(d, which)
        if ellipsoid.is_open(one):
            half = ellipsoid.radius_at(one, C) * room[row + NORM, k] + room[row + OFF, k]
            low, high = max(low, room[row + MIDDLE, k] - half), min(high, room[row + MIDDLE, k] + half)
    return low, high


@careful
def compare(state: Floats, room: Floats, K: int, pulled: int) -> None:
    """Of every arm bounds of <x - x_t, θ>, x_t the arm that is pulled; the vectors of a difference are differences."""
    d = int(state[ls.DIMENSION])
    Y, V, E = (
        room[SHARED + d : SHARED + 2 * d],
        room[SHARED + 2 * d : SHARED + 3 * d],
        room[SHARED + 3 * d : SHARED + 4 * d],
    )
    differences(room, SHARED, d, K, pulled, Y)
    ellipsoid.ball_lengths(state, Y, K, room[PAIR_BALL])
    for which in range(int(state[ls.WINDOWS])):
        one, row = ls.window(state, which), first_row(d, which)
        if ellipsoid.is_open(one):
            differences(room, row + OF_WINDOW, d, K, pulled, V)
            differences(room, row + OF_WINDOW + d, d, K, pulled, E)
            ellipsoid.along(state, one, Y, K, room[row + PAIR_MIDDLE], room[row + PAIR_OFF])
            errors = room[row + PAIR_ERROR]
            ellipsoid.residual_errors(state, one, Y, V, room, K, errors)
            for k in range(K):
                errors[k] += room[row + ERROR, k] + room[row + ERROR, pulled]
            ellipsoid.norms(state, one, Y, V, E, errors, room, K, room[row + PAIR_NORM])


@careful
def differences(room: Floats, start: int, d: int, K: int, pulled: int, out: Floats) -> None:
    for i in range(d):
        row, own, entry = room[start + i], out[i], room[start + i, pulled]
        for k in range(K):
            own[k] = row[k] - entry


@careful
def cost(state: Floats, room: Floats, K: int, pulled: int, C: float) -> float:
    """Δ of this pull, after `measure` and `compare`; negative if the set is empty."""
    d, kind, table = int(state[ls.DIMENSION]), state[ls.KIND], int(state[ls.AT_LINK])
    low, high = limits(state, room, pulled, C)
    if not low <= high:
        return -1.0
    worst, worst_gain, worst_top = 0.0, 0.0, low
    for k in range(K):
        if k == pulled:
            continue
        top = limits(state, room, k, C)[1]
        gain = min(room[PAIR_BALL, k], top - low)
        for which in range(int(state[ls.WINDOWS])):
            one, row = ls.window(state, which), first_row(d, which)
            if ellipsoid.is_open(one):
                most = ellipsoid.radius_at(one, C) * room[row + PAIR_NORM, k] + room[row + PAIR_OFF, k]
                gain = min(gain, room[row + PAIR_MIDDLE, k] + most)
        if gain <= 0.0 or (gain <= worst_gain and top <= worst_top):
            continue  # Δ grows with both
        delta = cumulant.largest_gap(
            state, kind, table, state[ls.SLACK], state[ls.TOPS], gain * (1.0 + UNIT_ROUNDOFF), top, low, high
        )
        if delta > worst:
            worst, worst_gain, worst_top = delta, gain, top
    return min(worst, state[ls.SPAN] * (1.0 + 2.0 * state[ls.SLACK]) + 4.0 * state[ls.SLACK] * state[ls.TOPS])  # type: ignore[no-any-return]


@careful
def charge(state: Floats, room: Floats, arms: Floats, pulled: int) -> float:
    """Charge a pull after `measure`; returns Δ at the largest C."""
    state[ls.PULLS] += 1.0
    if state[ls.ENDED] != 0.0:
        return 0.0
    compare(state, room, arms.shape[0], pulled)
    remember(state, arms)
    table, last, delta = ls.levels(state), int(state[ls.LEVELS]) - 1, 0.0
    for row in range(last + 1):
        if table[row, ls.REJECTED] == 0.0:
            delta = cost(state, room, arms.shape[0], pulled, table[row, ls.LEVEL])
            if delta < 0.0 and row == last:
                likelihood_set.end(state)
                return 0.0
            if delta < 0.0:
                likelihood_set.reject(state, row)
            else:
                table[row, ls.COST] += delta
                if state[ls.FIXED] != 0.0:
                    costs(state)[row, pulled] += delta
    if state[ls.FIXED] != 0.0:
        counts(state)[pulled] += 1.0
    return delta


@careful
def remember(state: Floats, arms: Floats) -> None:
    """Are these the arms of all pulls so far?"""
    if state[ls.FIXED] == 0.0:
        return
    if arms.shape[0] != int(state[ls.PLACES]):
        state[ls.FIXED] = 0.0
        return
    kept = remembered(state)
    for k in range(arms.shape[0]):
        for i in range(arms.shape[1]):
            if state[ls.PULLS] == 1.0:  # the first
                kept[k, i] = arms[k, i]
            elif kept[k, i] != arms[k, i]:
                state[ls.FIXED] = 0.0
