"""Many rounds in one call: choose, draw, corrupt, update, tally."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.engine import state as at
from glbcheck.core.engine import tally as of
from glbcheck.core.engine.attack import KIND, NONE, corrupt
from glbcheck.core.engine.choice import MEAN, enter, follow, prepare, select, select_fixed
from glbcheck.core.engine.factor import dot, quadratic
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.optimism import NORM
from glbcheck.core.engine.state import parts, radius
from glbcheck.core.engine.step import update
from glbcheck.core.environment import ROUNDING
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled
def play(
    state: Floats,
    link: Floats,
    theta_star: Floats,
    arms: Floats,
    dispersions: Floats,
    outcomes: Floats,
    used: Integers,
    planned: Floats,
    chances: Floats,
    attack: Floats,
    tally: Floats,
    checkpoints: Integers,
    marks: Floats,
    record: Floats,
    room: Floats,
    first: int,
) -> int:
    """The rounds `first`, ..., of a block; returns the first round not played.

    `arms` is (1, K, d) for arms that stay, (n, K, d) for arms that change.  Round i of the block draws
    `outcomes[i, k]` for arm k, unless `used` is not empty: then arm k draws the next unused row of its
    column, and the call ends early when a column is used up.  `marks` gets a row at every checkpoint, and
    `record` one per round if it has rows.
    """
    v = parts(state)
    fixed = arms.shape[0] == 1
    stacked = used.size > 0
    error = v.work[7]
    d = arms.shape[2]
    means = room[2 * d + MEAN]
    best, best_mean, best_slope = best_arm(arms[0], theta_star, link)
    if fixed:
        prepare(v, arms[0], room)
        for k in range(means.size):
            means[k], _ = evaluate(link, dot(arms[0, k], theta_star))
    for i in range(first, dispersions.size):
        now = arms[0] if fixed else arms[i]
        if not fixed:
            best, best_mean, best_slope = best_arm(now, theta_star, link)
        rho = radius(state)
        for j in range(d):
            error[j] = v.theta[j] - theta_star[j]
        miss = np.sqrt(quadratic(v.lower, v.inverse_d, error))
        if tally[of.FIRST_INFORMATIVE] == 0.0 and not of.covers_ball(state, v, tally, rho):
            tally[of.FIRST_INFORMATIVE] = tally[of.ROUNDS] + 1.0
        if fixed:
            k = select_fixed(state, v, now, rho, room)
        else:
            enter(now, room)
            k = select(state, v, now, rho, room)
        row = i
        if stacked:
            row = used[k]
            used[k] += 1
        x, g, reward = now[k], dispersions[i], outcomes[row, k]
        if not fixed:
            means[k], _ = evaluate(link, dot(x, theta_star))
        mean, c = means[k], 0.0
        if attack[KIND] != NONE:
            trust = state[at.ALPHA] * g / np.sqrt(room[2 * d + NORM, k])
            c = corruption(
                attack, int(tally[of.ROUNDS]) + 1, planned[i], chances[i], link, theta_star, x, reward, mean,
                best, dot(x, error), trust,
            )  # fmt: skip
        curvature = update(state, v, link, x, reward + c, g)
        if fixed:
            follow(v, now, k, curvature, room)

        w = state[at.LAST_WEIGHT]
        tally[of.GROWN] += curvature * dot(x, x)
        tally[of.PROJECTED] += state[at.LAST_PROJECTED]
        of.add(tally, max(best_mean - mean, 0.0), c, g, best_slope, w, rho, miss, checkpoints, marks)
        if record.shape[0] > 0:
            write(record[i], k, reward, c, g, rho, miss, w, state[at.LAST_PROJECTED])
        if stacked and used[k] == outcomes.shape[0]:
            return i + 1
    return int(dispersions.size)


RECORDED = ("arm", "reward", "corruption", "dispersion", "radius", "error", "weight", "projected")


@compiled
def write(
    row: Floats,
    k: int,
    reward: float,
    c: float,
    g: float,
    rho: float,
    error: float,
    w: float,
    projected: float,
) -> None:
    """A round in the order of `RECORDED`."""
    row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7] = k, reward, c, g, rho, error, w, projected


@compiled
def best_arm(arms: Floats, theta_star: Floats, link: Floats) -> tuple[float, float, float]:
    """The natural parameter of the best arm, its mean and its slope."""
    top = dot(arms[0], theta_star)
    for k in range(1, arms.shape[0]):
        top = max(top, dot(arms[k], theta_star))
    mean, slope = evaluate(link, top)
    return top, mean, slope


@compiled
def corruption(
    attack: Floats,
    t: int,
    planned: float,
    chance: float,
    link: Floats,
    theta_star: Floats,
    x: Floats,
    reward: float,
    mean: float,
    best: float,
    error: float,
    trust: float,
) -> float:
    """What the adversary adds to the reward of x, knowing the truth and ⟨x, θ_t - θ*⟩."""
    z = dot(x, theta_star)
    mirrored, _ = evaluate(link, -z)
    return corrupt(attack, t, planned, chance, reward, mean, mirrored, z >= best - ROUNDING, error, trust)
