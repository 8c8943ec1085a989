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

ROWS = 5  # those of a table; in the last is the c of the x xᵀ that H has still to grow by, for each arm


class Table(NamedTuple):
    """K arms, and one after them to be looked at in vain; wide numbers throughout."""

    points: Floats  # (K + 1, d)
    norm: Floats  # squared, in H⁻¹
    drift: Floats  # bounds on the rounding errors of the norms
    indices: Floats
    mean: Floats  # the true one


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
    n = room.size // ROWS
    rows = room.reshape(ROWS, n)
    return Table(points.reshape(n, d), rows[0], rows[1], rows[2], rows[3])


@compiled
def settle(learner: Learner, table: Table, fresh: float) -> None:
    """The norms of the arms from the factors of H, in the lanes that are fresh."""
    for k in range(table.norm.size - 1):
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
        for k in range(table.norm.size - 1):
            fresh = where(table.drift[k] <= DRIFT * table.norm[k], 0.0, 1.0)
            if some(fresh > 0.0):
                _measure(learner, table, k, fresh)
        found = _sweep(learner, table, spread(0.0), 0.0)
    level = found.top - TIE * max(found.top, -found.bottom)
    if some(found.second >= level):
        return most_uncertain(table.indices, level, table.norm)  # the one after the last has no norm
    return found.arm


@compiled
def _sweep(learner: Learner, table: Table, scale: float, wear: float) -> Ranked:
    """Two arms at a time, so that what is loaded of θ and H⁻¹ x serves twice."""
    theta, u, points, norm = learner.theta, learner.work[SOLVED], table.points, table.norm
    K, radius = norm.size - 1, learner.facts.radius
    none, lowest = spread(0.0), spread(-np.inf)
    found = Ranked(lowest, none, lowest, spread(np.inf), none)
    for k in range(0, K, 2):
        inner, value, next_inner, next_value = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for j in range(theta.size):
            at, to = u[j], theta[j]
            x, y = points[k, j], points[k + 1, j]
            inner += x * at
            value += x * to
            next_inner += y * at
            next_value += y * to
        new, next_new = norm[k] - scale * inner * inner, norm[k + 1] - scale * next_inner * next_inner
        value += radius * root(new)
        next_value += radius * root(next_new)
        found = _rank(table, k, new, value, wear, found)
        if k + 1 < K:
            found = _rank(table, k + 1, next_new, next_value, wear, found)
    return found


@compiled
@in_line
def _rank(table: Table, k: int, norm: float, index: float, wear: float, found: Ranked) -> Ranked:
    """The new norm and index of an arm are kept and compared."""
    drift = table.drift[k] + wear * table.norm[k]
    table.norm[k], table.drift[k], table.indices[k] = norm, drift, index
    return Ranked(
        max(found.top, index),
        where(index > found.top, float(k), found.arm),
        max(found.second, min(found.top, index)),
        min(found.bottom, index),
        where(drift <= DRIFT * norm, found.lost, 1.0),
    )
