"""What a run is asked for, gathered as it goes in constant memory.

Whether Θ still lies in C_t is decided exactly, but not in every round: between two decisions the farthest
point of Θ is bounded by how far H and θ have moved since.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import allocating, compiled, vectorised
from glbcheck.core.engine import state as at
from glbcheck.core.engine.factor import dot
from glbcheck.core.engine.state import Parts
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ROUNDS, REGRET, WORST_RATIO, MISSES, FIRST_MISS, DISCOUNTED, PROJECTED, CORRUPTION = 0, 1, 2, 3, 4, 5, 6, 7
FIRST_INFORMATIVE, PASSED, FARTHEST, TOP, GROWN = 8, 9, 10, 11, 12
SMALLEST_WEIGHT, OPTIMAL_VARIANCE, INVERSE_G, G_MIN, G_MAX = 13, 14, 15, 16, 17
HEADER = 18  # then θ at the last decision

MARKED = ("regret", "radius", "error", "weight")  # what is kept of a checkpoint


def empty(d: int) -> Floats:
    tally = at.own_lines(HEADER + d)
    tally[FARTHEST] = tally[G_MIN] = np.inf
    tally[SMALLEST_WEIGHT] = 1.0
    return tally


@compiled
def add(
    tally: Floats,
    regret: float,
    c: float,
    g: float,
    slope: float,
    w: float,
    rho: float,
    miss: float,
    checkpoints: Integers,
    marks: Floats,
) -> None:
    """Take in one round: `slope` is μ' at the best arm, `miss` is ‖θ_t - θ*‖ where the set has radius rho."""
    tally[ROUNDS] += 1.0
    tally[REGRET] += regret
    tally[CORRUPTION] += abs(c)
    tally[INVERSE_G] += 1.0 / g
    tally[G_MIN] = min(tally[G_MIN], g)
    tally[G_MAX] = max(tally[G_MAX], g)
    tally[OPTIMAL_VARIANCE] += g * slope
    tally[DISCOUNTED] += w < 1.0
    tally[SMALLEST_WEIGHT] = min(tally[SMALLEST_WEIGHT], w)
    if rho > 0.0:
        tally[WORST_RATIO] = max(tally[WORST_RATIO], miss / rho)
    if miss > rho:
        if tally[MISSES] == 0.0:
            tally[FIRST_MISS] = tally[ROUNDS]
        tally[MISSES] += 1.0
    place = int(tally[PASSED])
    if place < checkpoints.size and checkpoints[place] == tally[ROUNDS]:
        row = marks[place]
        row[0], row[1], row[2], row[3] = tally[REGRET], rho, miss, w
        tally[PASSED] += 1.0


@vectorised
def covers_ball(state: Floats, v: Parts, tally: Floats, rho: float) -> bool:
    """Θ ⊂ C_t."""
    S, d = state[at.RADIUS_OF_THETA], v.theta.size
    moved = 0.0
    for j in range(d):
        moved += (v.theta[j] - tally[HEADER + j]) ** 2
    reach = S + np.sqrt(dot(v.theta, v.theta))
    near = tally[FARTHEST] + np.sqrt(tally[TOP] * moved)
    if near * near + tally[GROWN] * reach * reach <= rho * rho:
        return True
    tally[FARTHEST] = _farthest(state, v, tally)
    tally[GROWN] = 0.0
    for j in range(d):
        tally[HEADER + j] = v.theta[j]
    return bool(tally[FARTHEST] <= rho)


@allocating
def _farthest(state: Floats, v: Parts, tally: Floats) -> float:
    """The largest ‖θ - θ_t‖ in H over the ball, as in the reference; stores the largest eigenvalue too."""
    S = state[at.RADIUS_OF_THETA]
    values, Q = np.linalg.eigh(v.H)
    top = values[-1]
    tally[TOP] = top
    tau = Q.T @ v.theta
    pull = values * tau
    poles = top - values
    # (poles + σ) z = -pull with ‖z‖ = S: the left end of the bracket makes the last entry alone that long.
    low, high = abs(pull[-1]) / S, np.sqrt(np.sum(pull * pull)) / S
    sigma = low
    for _ in range(200):
        total = 0.0
        for j in range(values.size):
            if pull[j] != 0.0:
                total += (pull[j] / (poles[j] + sigma)) ** 2
        if total > S * S:
            low = sigma
        else:
            high = sigma
        sigma = 0.5 * (low + high)
        if not low < sigma < high:
            break
    rest, far = S * S, 0.0
    for j in range(values.size - 1):
        z = 0.0 if pull[j] == 0.0 else -pull[j] / (poles[j] + high)
        rest -= z * z
        far += values[j] * (z - tau[j]) ** 2
    last = np.sqrt(max(rest, 0.0)) + abs(tau[-1])
    return float(np.sqrt(far + top * last * last))
