"""Compiled rounds of the competitors whose learning is not that of the engine."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.competitors.likelihood import fit
from glbcheck.core.engine import state as at
from glbcheck.core.engine import tally as of
from glbcheck.core.engine.attack import KIND, NONE
from glbcheck.core.engine.choice import enter, follow, prepare, select, select_fixed
from glbcheck.core.engine.factor import dot, forward, quadratic, solve, squared_norm
from glbcheck.core.engine.link import evaluate
from glbcheck.core.engine.optimism import NORM
from glbcheck.core.engine.rounds import best_arm, corruption, write
from glbcheck.core.engine.state import Parts, parts, radius
from glbcheck.core.engine.step import grow, weight
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

REFIT = float(np.log(1.25))  # growth of log det V after which the likelihood is fitted again


@compiled
def play(
    state: Floats,
    shadow: Floats,
    points: Floats,
    totals: Floats,
    by_arm: bool,
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
    """As `core.engine.rounds.play`, for ridge regression, or for batches where there is a shadow.

    The shadow is a second state that follows the data round by round, while choices are made from what was
    known at the latest fit.  `points` and `totals` are the data, as `likelihood` reads them, by arm if the
    arms stay and by round if not.
    """
    v, batches = parts(state), shadow.size > 0
    fixed, stacked = arms.shape[0] == 1, used.size > 0
    d, error = arms.shape[2], v.work[7]
    best, best_mean, best_slope = best_arm(arms[0], theta_star, link)
    if fixed:
        prepare(v, arms[0], room)
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
        mean, _ = evaluate(link, dot(x, theta_star))
        c, scale = 0.0, g if batches else 1.0
        if attack[KIND] != NONE:
            trust = state[at.ALPHA] * scale / np.sqrt(room[2 * d + NORM, k])
            c = corruption(
                attack, int(tally[of.ROUNDS]) + 1, planned[i], chances[i], link, theta_star, x, reward, mean,
                best, dot(x, error), trust,
            )  # fmt: skip
        if batches:
            place = k if by_arm else int(tally[of.ROUNDS])
            _note(points, totals, place, x, reward + c, g)
            if _outgrown(state, shadow, x, g):
                fit(state, v, link, points, totals, points.shape[0] if by_arm else place + 1)
                tally[of.GROWN] += _take_over(state, v, shadow)
                if fixed:
                    prepare(v, now, room)
        else:
            curvature = _learn_ridge(state, v, x, reward + c)
            tally[of.GROWN] += curvature * dot(x, x)
            if fixed:
                follow(v, now, k, curvature, room)
        w = state[at.LAST_WEIGHT]
        of.add(tally, max(best_mean - mean, 0.0), c, g, best_slope, w, rho, miss, checkpoints, marks)
        if record.shape[0] > 0:
            write(record[i], k, reward, c, g, rho, miss, w, 0.0)
        if stacked and used[k] == outcomes.shape[0]:
            return i + 1
    return int(dispersions.size)


@compiled
def _learn_ridge(state: Floats, v: Parts, x: Floats, reward: float) -> float:
    """One observation of weighted ridge regression; returns its weight."""
    u, y, scratch = v.work[0], v.work[1], v.work[2]
    q = solve(v.lower, v.inverse_d, x, y, u)
    w = weight(state[at.TRUST], 1.0, q)
    gain = w * (reward - dot(x, v.theta)) / (1.0 + w * q)
    for j in range(x.size):
        v.theta[j] += gain * u[j]
    grow(state, v, x, y, scratch, w, q)
    state[at.INVERSE_G] += 1.0
    state[at.ROUNDS] += 1.0
    state[at.LAST_WEIGHT] = w
    return w


@compiled
def _note(points: Floats, totals: Floats, place: int, x: Floats, reward: float, g: float) -> None:
    for j in range(x.size):
        points[place, j] = x[j]
    totals[place, 0] += 1.0 / g
    totals[place, 1] += reward / g


@compiled
def _outgrown(state: Floats, shadow: Floats, x: Floats, g: float) -> bool:
    """The V of the shadow grows; is its determinant a quarter above that of the latest fit?"""
    its = parts(shadow)
    y, scratch = its.work[1], its.work[2]
    forward(its.lower, x, y)
    grow(shadow, its, x, y, scratch, 1.0 / g, squared_norm(its.inverse_d, y))
    shadow[at.ROUNDS] += 1.0
    state[at.LAST_WEIGHT] = 1.0
    return bool(shadow[at.LOGDET] - state[at.LOGDET] >= REFIT)


@compiled
def _take_over(state: Floats, v: Parts, shadow: Floats) -> float:
    """V and its factors, from the shadow; returns how much the trace has grown."""
    its, d, grown = parts(shadow), v.theta.size, 0.0
    state[at.LOGDET] = shadow[at.LOGDET]
    for i in range(d):
        grown += its.H[i, i] - v.H[i, i]
        v.inverse_d[i] = its.inverse_d[i]
        for j in range(d):
            v.H[i, j] = its.H[i, j]
            v.lower[i, j] = its.lower[i, j]
    return grown


@compiled
def wander(
    picks: Integers,
    link: Floats,
    theta_star: Floats,
    arms: Floats,
    dispersions: Floats,
    tally: Floats,
    checkpoints: Integers,
    marks: Floats,
) -> None:
    """The arms that were picked beforehand, whatever they pay."""
    for i in range(dispersions.size):
        now = arms[0] if arms.shape[0] == 1 else arms[i]
        _, best_mean, best_slope = best_arm(now, theta_star, link)
        mean, _ = evaluate(link, dot(now[picks[i]], theta_star))
        regret = max(best_mean - mean, 0.0)
        of.add(tally, regret, 0.0, dispersions[i], best_slope, 1.0, 0.0, 0.0, checkpoints, marks)
