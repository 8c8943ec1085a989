"""The arms of runs in lockstep: one pass over them makes the norms and the indices of the coming round.

What `arms.follow`, `arms.closed_form` and `arms.most_uncertain` do one after the other, while an arm is in the
registers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import DRIFT, EPS, most_uncertain
from glbcheck.core.engine.factor import forward, squared_norm
from glbcheck.core.engine.state import REDUCED, SOLVED, Learner
from glbcheck.core.engine.wide import root, some, spread, where
from glbcheck.core.tolerances import TIE

ROWS = 5


class Table(NamedTuple):
    """K arms, wide numbers throughout."""

    points: Floats  # (K + 1, d); the last one is there to be looked at in vain
    norm: Floats  # squared, in H⁻¹
    drift: Floats  # bounds on the rounding errors of the norms
    index: Floats
    mean: Floats  # the true one
    pending: Floats  # c of the x xᵀ that H has still to grow by


class Ranked(NamedTuple):
    """Of the indices so far: the largest, whose it is, the second largest, the smallest; is a norm lost?"""

    top: float
    arm: float
    second: float
    bottom: float
    lost: float


@compiled
@in_line
def table_in(points: Floats, room: Floats, d: int) -> Table:
    """The parts of flat wide arrays."""
    K = room.size // ROWS
    return Table(
        points.reshape(K + 1, d), room[:K], room[K : 2 * K], room[2 * K : 3 * K], room[3 * K : 4 * K], room[4 * K :]
    )  # fmt: skip


@compiled
def settle(learner: Learner, table: Table, fresh: float) -> None:
    """The norms of the arms from the factors of H, in the lanes that are fresh."""
    for k in range(table.norm.size):
        _measure(learner, table, k, fresh)


@compiled
def _measure(learner: Learner, table: Table, k: int, fresh: float) -> None:
    reduced = learner.work[REDUCED]
    forward(learner.lower, table.points[k], reduced)
    norm = squared_norm(learner.inverse_d, reduced)
    table.norm[k] = where(fresh > 0.0, norm, table.norm[k])
    table.drift[k] = where(fresh > 0.0, EPS * norm, table.drift[k])


@compiled
def coming_arm(learner: Learner, table: Table, scale: float, wear: float) -> float:
    """The arm of the coming round, after H grew by c x xᵀ: with the H⁻¹ x of before, and c / (1 + c xᵀ H⁻¹ x).

    `wear` is what that adds to the rounding error of a norm, relatively.
    """
    found = _sweep(learner, table, scale, wear)
    if some(found.lost > 0.0):
        for k in range(table.norm.size):
            fresh = where(table.drift[k] <= DRIFT * table.norm[k], 0.0, 1.0)
            if some(fresh > 0.0):
                _measure(learner, table, k, fresh)
        found = _sweep(learner, table, 0.0, 0.0)
    level = found.top - TIE * max(found.top, -found.bottom)
    if some(found.second >= level):
        return most_uncertain(table.index, level, table.norm)
    return found.arm


@compiled
def _sweep(learner: Learner, table: Table, scale: float, wear: float) -> Ranked:
    """Two arms at a time, so that what is loaded of θ and H⁻¹ x serves twice."""
    theta, u, points, K = learner.theta, learner.work[SOLVED], table.points, table.norm.size
    found = Ranked(spread(-np.inf), spread(0.0), spread(-np.inf), spread(np.inf), spread(0.0))
    for k in range(0, K, 2):
        inner, value, next_inner, next_value = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for j in range(theta.size):
            at, to = u[j], theta[j]
            x, y = points[k, j], points[k + 1, j]
            inner += x * at
            value += x * to
            next_inner += y * at
            next_value += y * to
        found = _rank(learner, table, k, scale * inner * inner, value, wear, found)
        if k + 1 < K:
            found = _rank(learner, table, k + 1, scale * next_inner * next_inner, next_value, wear, found)
    return found


@compiled
@in_line
def _rank(
    learner: Learner, table: Table, k: int, less: float, value: float, wear: float, found: Ranked
) -> Ranked:
    old = table.norm[k]
    new = old - less
    drift = table.drift[k] + wear * old
    index = value + learner.facts.radius * root(new)
    table.norm[k], table.drift[k], table.index[k] = new, drift, index
    return Ranked(
        max(found.top, index),
        where(index > found.top, float(k), found.arm),
        max(found.second, min(found.top, index)),
        min(found.bottom, index),
        where(drift <= DRIFT * new, found.lost, 1.0),
    )
