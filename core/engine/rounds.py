"""A block of rounds in one compiled call, for any algorithm: arms, choice, reward, corruption, observation, log.

`play_block` is the only loop.  It is compiled once, and takes the kernels of an algorithm as pointers to functions that
are compiled once as well: a call by a pointer costs a few nanoseconds, and an algorithm more its own kernels only.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import as_written, kernel, matrix_at, vector_at  # fmt: skip
from glbcheck.core.engine.linear import dot, squared_norms, times
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.log import FIRST_INFORMATIVE, ROUNDS, covers_ball, log_round, surely_covers_ball
from glbcheck.core.engine.rewards import EVERY_ARM, reward_of
from glbcheck.core.engine.state import LINK, RADIUS, SAME_ARMS, THETA, H, W, square, table, vector
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import AdversaryView
from glbcheck.core.tolerances import BEST

corrupt = as_written(adversary.corrupt)
adversarial_contexts = as_written(adversary.adversarial_contexts)


@kernel
def measure_all(state: Floats, arms: Floats, norm: Floats, index: Floats) -> None:
    """‖x‖² in H⁻¹, and the index in closed form, of every arm."""
    squared_norms(square(state, W), arms, norm)
    times(arms, vector(state, THETA), index)
    for k in range(norm.size):
        index[k] += state[RADIUS] * math.sqrt(norm[k])


def play_block(
    choose: Callable[..., int], observe: Callable[..., None], trust: Callable[..., float],
    state: Floats, room: Floats, theta_star: Floats, attack: Floats, law: Floats,
    arms: Floats, naturals: Floats, dispersions: Floats, draws: Floats, caps: Floats, chances: Floats, picks: Floats,
    sums: Floats, checkpoints: Floats, marks: Floats, record: Floats, fixed: float, hostile: float, nested: float,
) -> None:  # fmt: skip
    """Play the rounds of a block.

    `arms` holds K arms, or K for each round if they are not `fixed`; `naturals` is ⟨x, θ*⟩ of each, a row per set of
    arms.  `draws` has one number for each round, or a reward for each arm.  `caps` and `chances` are for the adversary.
    `picks` is written to the end of the state, for an algorithm that asked for random arms.  If H may be another matrix
    than before, and not only a larger one, the confidence sets are not `nested`.
    """
    d, K, kind, link = theta_star.size, naturals.shape[1], state[LINK], table(state)
    error, product = np.empty(d), np.empty(d)
    norm, index, means = np.empty(K), np.empty(K), np.empty(K)
    theta, matrix = vector(state, THETA), square(state, H)
    best = best_mean = best_slope = 0.0
    played = better = row = 0
    if fixed != 0.0:
        best = np.max(naturals[0])
        best_mean, best_slope = mean_and_slope(state, kind, link, best)
        for j in range(K):
            means[j] = mean_and_slope(state, kind, link, naturals[0, j])[0]
    for i in range(dispersions.size):
        if fixed == 0.0:
            row = i
        shown = matrix_at(arms, row * K * d, K, d)
        if hostile != 0.0:
            measure_all(state, shown, norm, index)
            played, better = adversarial_contexts(shown, index, naturals[row], norm)
            best = max(naturals[row, played], naturals[row, better])
            best_mean, best_slope = mean_and_slope(state, kind, link, best)
        elif fixed == 0.0:
            best = naturals[row, 0]
            for j in range(1, K):
                best = max(best, naturals[row, j])
            best_mean, best_slope = mean_and_slope(state, kind, link, best)
        for j in range(d):
            error[j] = theta[j] - theta_star[j]
        times(matrix, error, product)
        rho, miss = state[RADIUS], math.sqrt(max(dot(error, product), 0.0))
        if sums[FIRST_INFORMATIVE] == 0.0 and not (nested != 0.0 and surely_covers_ball(state, sums)):  # noqa: SIM102
            if not covers_ball(state, sums):
                sums[FIRST_INFORMATIVE] = sums[ROUNDS] + 1.0
        if picks.size > 0:
            state[state.size - 1] = picks[i]
        arm = choose(state, room, shown)
        state[SAME_ARMS] = fixed
        column = arm
        if hostile != 0.0:
            column = played if arm == 0 else better
        x, g, z = vector_at(arms, (row * K + arm) * d, d), dispersions[i], naturals[row, column]
        mean = means[arm] if fixed != 0.0 else mean_and_slope(state, kind, link, z)[0]
        reward = draws[i, column] if law[0] == EVERY_ARM else reward_of(law, z, mean, g, draws[i, 0])
        c = 0.0
        if attack[adversary.KIND] != adversary.NONE:
            mirrored = mean_and_slope(state, kind, link, -z)[0]
            is_best = z >= best - BEST
            view = AdversaryView(
                int(sums[ROUNDS]) + 1, caps[i], chances[i], reward, mean, mirrored, is_best, dot(x, error),
                trust(state, x, g),
            )  # fmt: skip
            c = corrupt(attack, view)
        observe(state, x, reward + c, g)
        regret = max(best_mean - mean, 0.0)
        log_round(state, sums, checkpoints, marks, record, float(arm), reward, c, g, rho, miss, regret, best_slope, z)
