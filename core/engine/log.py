"""The log of a run, written in constant memory: sums, marks at checkpoints, and a record of every round if asked for.

Whether Θ still lies in C_t is decided exactly, but not in every round: between two decisions the farthest point of Θ
is bounded by how far H and θ have moved since.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.linear import dot
from glbcheck.core.engine.state import CURVATURE, NORM, PROJECTED, RADIUS, THETA, WEIGHT, H, S, square, vector

SUMS = (
    "rounds", "regret", "worst_ratio", "misses", "first_miss", "first_informative", "discounted", "smallest_weight",
    "projected", "corruption", "optimal_variance", "inverse_g", "g_min", "g_max",
)  # fmt: skip
(
    ROUNDS, REGRET, WORST_RATIO, MISSES, FIRST_MISS, FIRST_INFORMATIVE, DISCOUNTED, SMALLEST_WEIGHT, PROJECTIONS,
    CORRUPTION, OPTIMAL_VARIANCE, INVERSE_G, G_MIN, G_MAX,
    PASSED,  # checkpoints
    FARTHEST,  # how far Θ reached at the latest decision whether it lies in C_t
    TOP,  # the largest eigenvalue of H then
    TRACE,  # and its trace
    HEAD,  # where θ of then begins
) = range(19)  # fmt: skip
MARKED = ("regret", "radius", "error", "weight")
RECORDED = (
    "arm",
    "reward",
    "corruption",
    "dispersion",
    "radius",
    "error",
    "weight",
    "projected",
    "norm",
    "curvature",
    "natural",
)


class Log(NamedTuple):
    """Sums and the θ of the latest decision; `marks` at the checkpoints; of every round if `record` has rows."""

    sums: Floats
    checkpoints: Floats
    marks: Floats
    record: Floats


def blank(d: int, checkpoints: tuple[int, ...], rounds: int) -> Log:
    """The log before the first round, with room for the record of that many."""
    sums = np.zeros(HEAD + d)
    sums[FARTHEST] = sums[G_MIN] = np.inf
    sums[SMALLEST_WEIGHT] = 1.0
    marks = np.full((len(checkpoints), len(MARKED)), np.nan)
    return Log(sums, np.array(checkpoints, dtype=float), marks, np.zeros((rounds, len(RECORDED))))


@kernel
def log_round(
    state: Floats, sums: Floats, checkpoints: Floats, marks: Floats, record: Floats,
    arm: float, reward: float, c: float, g: float, rho: float, error: float, regret: float, slope: float, z: float,
) -> None:  # fmt: skip
    """Take in one round: `rho` and `error` were the radius and ‖θ_t - θ*‖ before it."""
    w = state[WEIGHT]
    if record.shape[0] > 0:
        row = min(int(sums[ROUNDS]), record.shape[0] - 1)  # the last row is that of the latest round
        record[row, 0], record[row, 1], record[row, 2], record[row, 3] = arm, reward, c, g
        record[row, 4], record[row, 5], record[row, 6], record[row, 7] = rho, error, w, state[PROJECTED]
        record[row, 8], record[row, 9], record[row, 10] = state[NORM], state[CURVATURE], z
    sums[ROUNDS] += 1.0
    sums[REGRET] += regret
    sums[CORRUPTION] += abs(c)
    sums[INVERSE_G] += 1.0 / g
    sums[G_MIN] = min(sums[G_MIN], g)
    sums[G_MAX] = max(sums[G_MAX], g)
    sums[OPTIMAL_VARIANCE] += g * slope
    if w < 1.0:
        sums[DISCOUNTED] += 1.0
        sums[SMALLEST_WEIGHT] = min(sums[SMALLEST_WEIGHT], w)
    sums[PROJECTIONS] += state[PROJECTED]
    if rho > 0.0:
        sums[WORST_RATIO] = max(sums[WORST_RATIO], error / rho)
    if error > rho:
        if sums[MISSES] == 0.0:
            sums[FIRST_MISS] = sums[ROUNDS]
        sums[MISSES] += 1.0
    place = int(sums[PASSED])
    if place < checkpoints.size and checkpoints[place] == sums[ROUNDS]:
        marks[place, 0], marks[place, 1], marks[place, 2], marks[place, 3] = sums[REGRET], rho, error, w
        sums[PASSED] += 1.0


@kernel
def surely_covers_ball(state: Floats, sums: Floats) -> bool:
    """Θ ⊂ C_t, by how far H, if it only grows, and θ have moved since it was decided."""
    theta, matrix, rho = vector(state, THETA), square(state, H), state[RADIUS]
    moved, trace = 0.0, 0.0
    for j in range(theta.size):
        moved += (theta[j] - sums[HEAD + j]) ** 2
        trace += matrix[j, j]
    reach = state[S] + math.sqrt(dot(theta, theta))
    near = sums[FARTHEST] + math.sqrt(sums[TOP] * moved)
    return bool(near * near + max(trace - sums[TRACE], 0.0) * reach * reach <= rho * rho)


@numba.njit(error_model="numpy")  # type: ignore[untyped-decorator]
def covers_ball(state: Floats, sums: Floats) -> bool:
    """Θ ⊂ C_t: the largest ‖θ - θ_t‖ in H over the ball, a trust-region problem in the eigenbasis of H."""
    theta, matrix, radius = vector(state, THETA), square(state, H), state[S]
    d = theta.size
    values, Q = np.linalg.eigh(matrix)
    sums[TOP], sums[TRACE] = values[d - 1], 0.0
    tau, pull = np.zeros(d), np.zeros(d)
    for j in range(d):
        for i in range(d):
            tau[j] += theta[i] * Q[i, j]
        pull[j] = values[j] * tau[j]
        sums[TRACE] += matrix[j, j]
        sums[HEAD + j] = theta[j]
    # (top - H + σ) z = -pull with ‖z‖ = S: the left end of the bracket makes the last entry alone that long.
    low, high = abs(pull[d - 1]) / radius, math.sqrt(np.sum(pull * pull)) / radius
    sigma = low
    for _ in range(200):
        total = 0.0
        for j in range(d):
            if pull[j] != 0.0:
                total += (pull[j] / (values[d - 1] - values[j] + sigma)) ** 2
        if total > radius * radius:
            low = sigma
        else:
            high = sigma
        sigma = 0.5 * (low + high)
        if not low < sigma < high:
            break
    rest, far = radius * radius, 0.0
    for j in range(d - 1):
        z = 0.0 if pull[j] == 0.0 else -pull[j] / (values[d - 1] - values[j] + high)
        rest -= z * z
        far += values[j] * (z - tau[j]) ** 2
    length = math.sqrt(max(rest, 0.0)) + abs(tau[d - 1])
    sums[FARTHEST] = math.sqrt(far + values[d - 1] * length * length)
    return sums[FARTHEST] <= state[RADIUS]  # type: ignore[no-any-return]
