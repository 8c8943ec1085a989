"""A set of arms, one that stays or a new one, with norms and closed-form indices of all arms at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.factor import dot, forward, inner_products, inverse_norms, squared_norm
from glbcheck.core.engine.state import REDUCED, SOLVED, Learner, own_lines
from glbcheck.core.engine.wide import some, where
from glbcheck.core.tolerances import TIE

EPS = 2.0**-52
DRIFT = 1e-12  # relative error of an updated norm at which it is computed afresh
_ROWS = 8

# Rows of notes, about values that are followed, see `core.engine.tracking`: five numbers about each, two inner products
# with the arm of the latest rounds; last the norms of an earlier round, the first being 0 if none is followed, and
# below if the arms do not stay.  The first BEND is 0 until an arm of this H, or one grown from it, has been solved.
PEAK, RATE, EXCESS, BEND, REACH, ALONG, BENT, FIRST_NORM = range(8)
_NOTES = 8


class Arms(NamedTuple):
    """K arms, (K, d), and room for what is worked out about them."""

    points: Floats
    columns: Floats  # the arms again, one in each column
    scratch: Floats  # as many columns
    norm: Floats  # squared, in H⁻¹
    closed: Floats  # the closed-form index, without the ball
    upper: Floats  # bounds on the exact value
    guess: Floats  # latest multipliers; 0 for none
    length: Floats
    drift: Floats  # bounds on the rounding error of `norm`, for arms that stay
    mean: Floats  # the true one, for arms that stay
    solved: Floats  # is the bound the exact value?
    notes: Floats  # the rows named above
    maximisers: Floats  # of the values that are followed, one in each column


def room(K: int, d: int) -> Floats:
    """Space for K arms."""
    return own_lines(3 * d + _ROWS + _NOTES, K)


def views(room: Floats, points: Floats) -> Arms:
    """The arms, with the parts of their room."""
    d = points.shape[1]
    a = 2 * d
    return Arms(
        points, room[:d], room[d:a], room[a], room[a + 1], room[a + 2], room[a + 3], room[a + 4],
        room[a + 5], room[a + 6], room[a + 7],
        room[a + _ROWS : a + _ROWS + _NOTES], room[a + _ROWS + _NOTES :],
    )  # fmt: skip


arms_in = compiled(views)  # the same for compiled callers


@vectorised
@in_line
def show(arms: Arms) -> None:
    """The columns of new arms."""
    for j in range(arms.columns.shape[0]):
        row = arms.columns[j]
        for k in range(row.size):
            row[k] = arms.points[k, j]
    arms.notes[FIRST_NORM, 0] = -1.0


@vectorised
@in_line
def enter(arms: Arms) -> None:
    """The columns and lengths of new arms."""
    show(arms)
    for k in range(arms.length.size):
        arms.length[k] = 0.0
        arms.guess[k] = 0.0
    for j in range(arms.columns.shape[0]):
        row = arms.columns[j]
        for k in range(row.size):
            arms.length[k] += row[k] * row[k]
    for k in range(arms.length.size):
        arms.length[k] = np.sqrt(arms.length[k])


@vectorised
def count_beyond(sets: Floats, limit: float, squares: Floats) -> int:
    """How many arms of these sets, (n, K, d), have not a squared length within the limit; `squares` is room."""
    count = 0
    for i in range(sets.shape[0]):
        points = sets[i]
        for k in range(squares.size):
            squares[k] = points[k, 0] * points[k, 0]
        for j in range(1, points.shape[1]):
            for k in range(squares.size):
                squares[k] += points[k, j] * points[k, j]
        for k in range(squares.size):
            count += not squares[k] <= limit
    return count


@vectorised
@in_line
def measure(learner: Learner, arms: Arms) -> None:
    """The norms of arms that have just been entered: O(K d²)."""
    inverse_norms(learner.lower, learner.inverse_d, arms.columns, arms.scratch, arms.norm)


@vectorised
def settle(learner: Learner, arms: Arms) -> None:
    """A set of arms that will stay: norms from the factors of H, from now on kept by `follow`."""
    enter(arms)
    arms.notes[FIRST_NORM, 0] = arms.notes[BEND, 0] = 0.0
    for k in range(arms.norm.size):
        measure_one(learner, arms, k)


@compiled
def stays(arms: Arms) -> bool:
    """Have they been entered by `settle`?"""
    return bool(arms.notes[FIRST_NORM, 0] >= 0.0)


@compiled
def measure_one(learner: Learner, arms: Arms, k: int) -> None:
    reduced = learner.work[REDUCED]
    forward(learner.lower, arms.points[k], reduced)
    arms.norm[k] = squared_norm(learner.inverse_d, reduced)
    arms.drift[k] = EPS * arms.norm[k]


@compiled
def remeasure(learner: Learner, arms: Arms, k: int) -> None:
    """The norm of an arm afresh, if too little is left of it."""
    old, drift = arms.norm[k], arms.drift[k]
    kept = drift <= DRIFT * old
    if some(where(kept, 0.0, 1.0) > 0.0):
        measure_one(learner, arms, k)
        arms.norm[k], arms.drift[k] = where(kept, old, arms.norm[k]), where(kept, drift, arms.drift[k])


@vectorised
@in_line
def follow(learner: Learner, arms: Arms, x: Floats, c: float) -> None:
    """The norms after H grew by c x xᵀ, from the H⁻¹ x of before.

    An update subtracts, so its rounding error is followed along, and a norm is computed afresh when the error
    is no longer small against what is left of it.
    """
    solved, inner = learner.work[SOLVED], arms.upper
    norm, drift = arms.norm, arms.drift
    inner_products(solved, arms.columns, inner)
    scale = c / (1.0 + c * dot(x, solved))
    lost = 0.0
    for k in range(norm.size):
        old = norm[k]
        new = old - scale * inner[k] * inner[k]
        norm[k] = new
        drift[k] += 2.0 * EPS * old
        lost = where(drift[k] <= DRIFT * new, lost, 1.0)
    if some(lost > 0.0):
        for k in range(norm.size):
            remeasure(learner, arms, k)


@vectorised
@in_line
def closed_form(learner: Learner, arms: Arms) -> tuple[float, float]:
    """The closed-form indices of all arms; returns the largest, and the largest in absolute value."""
    inner_products(learner.theta, arms.columns, arms.closed)
    return _add_widths(arms.closed, arms.norm, learner.facts.radius)


@vectorised_numbers
def _add_widths(index: Floats, norms: Floats, radius: float) -> tuple[float, float]:
    """Inner products become closed-form indices."""
    top, bottom = -np.inf, np.inf
    for k in range(index.size):
        value = index[k] + radius * np.sqrt(norms[k])
        index[k] = value
        top, bottom = max(top, value), min(bottom, value)
    return top, max(top, -bottom)


@vectorised_numbers
def top_of(values: Floats) -> float:
    top = -np.inf
    for k in range(values.size):
        top = max(top, values[k])
    return top


@vectorised_numbers
def most_uncertain(values: Floats, level: float, norms: Floats) -> float:
    """Of the arms whose value reaches the level that of largest norm, and of these the first; see `core.optimism`."""
    least, found = (1.0 - TIE) * _widest(values, level, norms), 0.0
    for k in range(values.size - 1, -1, -1):
        found = where((values[k] >= level) & (norms[k] >= least), float(k), found)
    return found


@vectorised_numbers
def most_uncertain_of(values: Floats, level: float, norms: Floats) -> int:
    """The same for one run, three times as fast: the least of integers vectorises."""
    least, K = (1.0 - TIE) * _widest(values, level, norms), values.size
    found = K
    for k in range(K):
        found = min(found, k if (values[k] >= level) & (norms[k] >= least) else K)
    return found if found < K else 0


@vectorised_numbers
@in_line
def _widest(values: Floats, level: float, norms: Floats) -> float:
    widest = -np.inf
    for k in range(values.size):
        widest = max(widest, where(values[k] >= level, norms[k], -np.inf))
    return widest
