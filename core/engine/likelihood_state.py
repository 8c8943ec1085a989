"""Where the likelihood-ratio set keeps its numbers: one flat array of floats.

Scalars; the levels of C; the predictor, with a room for one arm; windows; the table of the link; the pulls of fixed
arms.  A window is itself scalars, vectors and matrices.
"""

from __future__ import annotations

import math
from sys import float_info

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import cumulant
from glbcheck.core.engine.careful import matrix_at, vector_at, view
from glbcheck.core.family import Family
from glbcheck.core.theory import link_constants

(
    # What is told.
    DIMENSION, S, NU, KIND, SLACK, TOPS, CONCORDANCE, OMEGA, BUDGET, SPAN, HULL_LOW, HULL_HIGH, LOG_CONFIDENCE,
    LEVELS, WINDOWS, WINDOW_SIZE, AT_LEVELS, AT_PREDICTOR, AT_WINDOWS, AT_LINK, AT_PULLS, PLACES, SHARE,
    # What the rounds change.
    ROUNDS,  # rewards that were learnt from
    PULLS,  # pulls that were charged
    ENDED,  # why the set has ended; 0 if it has not
    SEEN,  # Σ of what rewards lie outside the hull of the support: that much corruption there was
    FIXED,  # have all pulls had the same arms?
    OPENED,  # windows so far
    OWN_COST, SCOUT_COST,  # what optimistic pulls and those of the scout may have cost, at the largest C
    # The latest round.
    WEIGHT, LOW, HIGH, FIRST_NODE, SECOND_NODE, ANCHOR, CURVATURE, INFLUENCE,
) = range(39)  # fmt: skip
SCALARS = 40
ALARM, ROUNDING = 1.0, 2.0  # in ENDED

# A level of C: the sum of what pulls may have cost, and the round in which its set was found empty.
LEVEL, COST, REJECTED = range(3)
LEVEL_SIZE = 3

# A window: scalars, then vectors, then matrices.
(
    START,  # the round before it; negative if it has not begun
    LOG_INVERSE_SHARE, CONSTANT, CONSTANT_LOW, GAMMA, TERMS, MASS, AGE,
    RHO,  # at C = 0, rounded up
    FLOOR,  # the least eigenvalue of H is at least this
    TRACE, ALLOWANCE,
) = range(12)  # fmt: skip
WINDOW_SCALARS = 12
B_HIGH, B_LOW, B, CENTRE, ROOTS, RESIDUAL, STEP = range(7)
WINDOW_VECTORS = 7
H_HIGH, H_LOW, H, P = range(4)
WINDOW_SQUARES = 4

# The predictor: a point, a vector for intermediate results, its covariance; then a room for one arm.
POINT, PRODUCT = range(2)
PREDICTOR_VECTORS = 2
SCRATCH = 4  # rows of a room for intermediate results
COLUMN = 9  # and for numbers of the arm

FRACTIONS = (0.0, 0.125, 0.25, 0.5, 1.0)  # of the largest C: the levels


@view
def window(state: Floats, which: int) -> Floats:
    size = int(state[WINDOW_SIZE])
    return vector_at(state, int(state[AT_WINDOWS]) + which * size, size)


@view
def vector(state: Floats, which: int, d: int) -> Floats:
    """A vector of a window."""
    return vector_at(state, WINDOW_SCALARS + which * d, d)


@view
def square(state: Floats, which: int, d: int) -> Floats:
    """A matrix of a window."""
    return matrix_at(state, WINDOW_SCALARS + WINDOW_VECTORS * d + which * d * d, d, d)


@view
def predictor(state: Floats, which: int) -> Floats:
    """A vector of the predictor."""
    d = int(state[DIMENSION])
    return vector_at(state, int(state[AT_PREDICTOR]) + which * d, d)


@view
def columns(state: Floats, row: int, rows: int) -> Floats:
    """Rows of a room for one arm."""
    d = int(state[DIMENSION])
    return matrix_at(state, int(state[AT_PREDICTOR]) + PREDICTOR_VECTORS * d + d * d + row, rows, 1)


@view
def covariance(state: Floats) -> Floats:
    """The matrix of the predictor."""
    d = int(state[DIMENSION])
    return matrix_at(state, int(state[AT_PREDICTOR]) + PREDICTOR_VECTORS * d, d, d)


@view
def levels(state: Floats) -> Floats:
    return matrix_at(state, int(state[AT_LEVELS]), int(state[LEVELS]), LEVEL_SIZE)


def initial(
    family: Family, d: int, radius: float, delta: float, C: float, *, windows: int = 1, places: int = 0,
    share: float = 0.0,
) -> Floats:  # fmt: skip
    """All that is told, for every corruption up to C; `places` is a number of fixed arms."""
    kind = cumulant.kind_of(family)
    link = cumulant.tabulated(family, radius) if kind == cumulant.TABLE else np.zeros(0)
    budgets = [fraction * C for fraction in FRACTIONS] if C > 0 else [0.0]
    size = WINDOW_SCALARS + WINDOW_VECTORS * d + WINDOW_SQUARES * d * d
    parts = [len(budgets) * LEVEL_SIZE, PREDICTOR_VECTORS * d + d * d + COLUMN + 3 * d, windows * size, link.size]
    at = SCALARS + np.cumsum([0, *parts])
    state = np.zeros(int(at[-1]) + places * (d + 1 + len(budgets)))
    state[[AT_LEVELS, AT_PREDICTOR, AT_WINDOWS, AT_LINK, AT_PULLS]] = at
    state[DIMENSION], state[S], state[NU], state[KIND] = d, radius, 1 / radius**2, kind
    state[SLACK] = cumulant.TABLE_SLACK if kind == cumulant.TABLE else cumulant.CLOSED_SLACK
    state[LEVELS], state[WINDOWS], state[WINDOW_SIZE], state[PLACES] = len(budgets), windows, size, places
    state[FIXED], state[SHARE], state[BUDGET] = places > 0, share, C
    state[int(at[3]) : int(at[3]) + link.size] = link
    state[CONCORDANCE] = -1.0 if cumulant.quasi_concave(family) else link_constants.R_s(family, radius).upper
    if kind == cumulant.TABLE:
        grid = np.linspace(-radius, radius, 65)
        state[TOPS] = 2 * float(max(np.abs(family.m(grid)).max(), np.abs(family.mu(grid)).max()))
    state[SPAN] = float(family.mu(radius) - family.mu(-radius))
    state[HULL_LOW], state[HULL_HIGH] = np.clip(_hull(family), -float_info.max, float_info.max)  # finite, for files
    state[LOG_CONFIDENCE] = math.log(1 / delta)
    state[OMEGA] = math.sqrt(2 * (state[LOG_CONFIDENCE] + d) / C) if C > 0 else 0.0  # then it has no meaning
    levels(state)[:, LEVEL] = budgets
    covariance(state)[:] = np.eye(d) * radius**2 / d
    for which in range(windows):
        window(state, which)[START] = -1.0
    return state


def size_of(state: Floats, places: int) -> int:
    """How many numbers a state with so many fixed arms has."""
    return int(state[AT_PULLS]) + places * int(state[DIMENSION] + 1 + state[LEVELS])


def _hull(family: Family) -> tuple[float, float]:
    """The convex hull of the rewards, of any dispersion."""
    low, high, *_ = lattice_of(family)
    return low, high


def lattice_of(family: Family) -> tuple[float, ...]:
    """The ends of the support, the numbers a and b of a lattice with step a + b g, 0 and 0 for an interval."""

    def facts() -> list[float]:
        import sympy as sp
        from glbcheck.core.letters import g

        support = family.support
        both = ((support.lower, -sp.oo), (support.upper, sp.oo))
        step = sp.Integer(0) if support.step is None else sp.sympify(support.step)
        ends = [end if not end.free_symbols else far for end, far in both]
        return [float(number) for number in (*ends, step.coeff(g, 0), step.coeff(g, 1))]

    return tuple(family.kept("lattice of the support", facts))
