"""The log-partition function m of a family with μ and μ', lower bounds on its curvature, and gaps between means.

Three families are in closed form.  Any other is a table: cells of Taylor polynomials for each derivative, of
`core.numeric`, trimmed to [-S, S].  Everything that a certificate rests on is rounded outward: `slack` says by how much
values may be off, relative to the size of the terms.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.careful import UNIT_ROUNDOFF, careful
from glbcheck.core.family import Family

BERNOULLI, POISSON, GAUSSIAN, TABLE = 0.0, 1.0, 2.0, 3.0
_CLOSED = {"bernoulli": BERNOULLI, "poisson": POISSON, "gaussian": GAUSSIAN}
CLOSED_SLACK = 16 * UNIT_ROUNDOFF  # of exp, log1p and the few operations after them
TABLE_SLACK = 2.0**-43  # what `core.numeric` promises, and Horner's rule

# Why μ' rises, then falls, if at all, on the whole domain.  A shift of z changes nothing.
QUASI_CONCAVE = {
    "gaussian": "μ' is constant",
    "bernoulli": "μ' = sech²(z/2)/4",
    "binomial": "n times that of bernoulli",
    "binomial_proportion": "that of bernoulli",
    "poisson": "μ' = exp(z) increases",
    "scaled_poisson": "μ' = exp(z) increases",
    "zero_truncated_poisson": "μ' increases",
    "negative_binomial": "μ' = exp(z)/(1 - exp(z))² increases",
    "geometric": "μ' = exp(z)/(1 - exp(z))² increases",
    "exponential": "μ' = 1/z² increases on z < 0",
    "gamma": "μ' = 1/z² increases on z < 0",
    "inverse_gaussian": "μ' = (-2z)^(-3/2) increases",
    "rademacher": "μ' = sech²(z)",
    "uniform": "μ' = 1/z² - 1/sinh²(z) is even and falls from 0 on: sinh³(z)/z³ > cosh(z) (Lazarević)",
    "continuous_bernoulli": "that of uniform at z/2, over 4",
    "von_mises": "the mean I_1/I_0 is odd, and concave on z > 0",
}


def kind_of(family: Family) -> float:
    """Which closed form, or TABLE.  The name of a family that is not from the catalogue says nothing."""
    return _CLOSED.get(family.name, TABLE) if family._named else TABLE


def quasi_concave(family: Family) -> str | None:
    """Why μ' is quasi-concave, or None: then curvature is bounded by self-concordance."""
    return QUASI_CONCAVE.get(family.name.split("(")[0]) if family._named else None


def tabulated(family: Family, S: float) -> Floats:
    """Numbers n of cells and c of coefficients; n left ends; for m, μ, μ' n rows: centre, its low part, c numbers."""
    cells = family.table.cells(-S, S)
    first = int(np.searchsorted(cells.breaks, -S, side="right")) - 1
    last = int(np.searchsorted(cells.breaks[:-1], S, side="right"))
    rows = np.concatenate([cells.centers[:3, first:last], cells.coefficients[:3, first:last]], axis=2)
    header = [last - first, cells.coefficients.shape[2], *cells.breaks[first:last]]
    return np.concatenate([header, rows.ravel()])


@careful
def from_table(numbers: Floats, table: int, derivative: int, z: float) -> float:
    """The polynomial of the cell of z, by Horner's rule."""
    cells, terms = int(numbers[table]), int(numbers[table + 1])
    low, high = 0, cells
    while high - low > 1:
        middle = (low + high) // 2
        if numbers[table + 2 + middle] <= z:
            low = middle
        else:
            high = middle
    row = table + 2 + cells + (derivative * cells + low) * (terms + 2)
    t = (z - numbers[row]) - numbers[row + 1]
    total = numbers[row + 1 + terms]
    for k in range(terms - 1):
        total = total * t + numbers[row + terms - k]
    return float(total)


@careful
def log_partition(state: Floats, kind: float, table: int, z: float) -> float:
    """m(z)."""
    if kind == BERNOULLI:
        return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
    if kind == POISSON:
        return math.exp(z)
    if kind == GAUSSIAN:
        return 0.5 * z * z
    return from_table(state, table, 0, z)


@careful
def mean(state: Floats, kind: float, table: int, z: float) -> float:
    """μ(z)."""
    if kind == BERNOULLI:
        odds = math.exp(-abs(z))
        return (1.0 if z > 0.0 else odds) / (1.0 + odds)
    if kind == POISSON:
        return math.exp(z)
    if kind == GAUSSIAN:
        return z
    return from_table(state, table, 1, z)


@careful
def slope(state: Floats, kind: float, table: int, z: float) -> float:
    """μ'(z)."""
    if kind == BERNOULLI:
        odds = math.exp(-abs(z))
        return odds / ((1.0 + odds) * (1.0 + odds))
    if kind == POISSON:
        return math.exp(z)
    if kind == GAUSSIAN:
        return 1.0
    return max(from_table(state, table, 2, z), 0.0)


# --- curvature ----------------------------------------------------------------------------------------------

PIECES = 16


@careful
def least_curvature(
    state: Floats, kind: float, table: int, slack: float, tops: float, concordance: float, a: float, low: float,
    high: float,
) -> float:  # fmt: skip
    """A κ with m(z) >= m(a) + μ(a)(z - a) + κ (z - a)²/2 for all z in [low, high], for a in [low, high].

    Where μ' is quasi-concave (`concordance` is negative) the least κ is μ'(a), or that of one end.  Otherwise the least
    μ' serves, which |μ''| <= `concordance` μ' bounds from points; `tops` is the size of m and μ in a table.
    """
    if kind == GAUSSIAN:
        return 1.0
    if concordance >= 0.0:
        return least_slope(state, kind, table, slack, concordance, low, high)
    here = slope(state, kind, table, a) * (1.0 - slack)
    least = min(
        here,
        min(
            _curvature_to(state, kind, table, slack, tops, here, a, low),
            _curvature_to(state, kind, table, slack, tops, here, a, high),
        ),
    )
    return max(least, 0.0)


@careful
def _curvature_to(
    state: Floats, kind: float, table: int, slack: float, tops: float, here: float, a: float, end: float
) -> float:
    """Lower bound on D = 2 (m(end) - m(a) - μ(a)(end - a))/(end - a)²; also D >= min(μ'(a), μ'(end))."""
    known = min(here, slope(state, kind, table, end) * (1.0 - slack))
    step, start = end - a, a
    if kind == BERNOULLI and a + end > 0.0:  # D(a, z) = D(-a, -z), and m cancels where z is large
        step, start = -step, -a
    if step == 0.0:
        return known
    top, base = log_partition(state, kind, table, start + step), log_partition(state, kind, table, start)
    rise = mean(state, kind, table, start) * step
    size = max(abs(top), tops) + max(abs(base), tops) + max(abs(rise), tops * abs(step))
    return max(known, 2.0 * ((top - base - rise) - slack * size) / (step * step) * (1.0 - slack))


@careful
def least_slope(
    state: Floats, kind: float, table: int, slack: float, concordance: float, low: float, high: float
) -> float:
    """Lower bound on μ' over [low, high]: between two points log μ' falls no faster than `concordance` from either."""
    width = (high - low) / PIECES
    decay = math.exp(-0.5 * concordance * width * (1.0 + slack)) * (1.0 - slack)
    before, least = slope(state, kind, table, low), math.inf
    for i in range(PIECES):
        after = slope(state, kind, table, min(low + (i + 1) * width, high))
        least = min(least, math.sqrt(before * after))
        before = after
    return least * decay * (1.0 - slack)


# --- gaps ---------------------------------------------------------------------------------------------------

CELLS = 32


@careful
def largest_gap(
    state: Floats, kind: float, table: int, slack: float, tops: float, G: float, top: float, low: float, high: float
) -> float:
    """Upper bound on μ(min(top, z + G)) - μ(z) over z in [low, high], for μ nondecreasing; 0 if G <= 0.

    In closed form the maximiser is known.  Otherwise [low, high] is cut into cells, each bounded by its ends.
    """
    if G <= 0.0 or top <= low:
        return 0.0
    if kind == GAUSSIAN:
        return min(G, top - low) * (1.0 + slack)
    if kind == TABLE:
        width, best = (high - low) / CELLS, 0.0
        left, below = low, mean(state, kind, table, low)
        for i in range(CELLS):
            right = min(low + (i + 1) * width, high)
            best = max(best, mean(state, kind, table, min(top, right + G)) - below)
            left = right
            below = mean(state, kind, table, left)
        return best + 2.0 * slack * tops
    z = max(low, min(high, top - G))
    if kind == BERNOULLI:
        z = min(max(-0.5 * G, low), z)
    above = mean(state, kind, table, min(top, z + G))
    below = mean(state, kind, table, z)
    return max(above - below, 0.0) + 2.0 * slack * above * (1.0 + abs(z) + G)
