"""The link of a family as data: mu and mu' as piecewise polynomials in one flat array.

The compiled engine runs any family, also one it has never seen, without a new compilation.  A uniform grid
over [-S, S] points at the first cell of each bin, so that finding the cell of z takes a step or two.

Layout: cells n, bins b, degree p, low, high, bins per unit; then b bin starts, n - 1 inner breaks followed by
infinity, and n rows of 4 + 2 (p + 1) numbers: centres (high and low part) of mu and of mu', coefficients in
pairs.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.wide import gather, some, where
from glbcheck.core.family import Family
from numpy.typing import NDArray

_HEADER = 6
_BINS = 256
_DEGREE = 7  # odd
_NEGLIGIBLE = 2.0**-56  # of the largest term: what the terms beyond the degree may add up to


@lru_cache(maxsize=256)
def pack(family: Family, S: float) -> Floats:
    """The link of the family on [-S, S]."""
    cells = family.table.cells(-S, S)
    inner = cells.breaks[1:-1]
    first, last = np.searchsorted(inner, [-S, S], side="right")
    used = slice(first, last + 1)
    edges = np.concatenate([[-S], inner[first:last], [S]])
    parts = [_refined(edges[i : i + 2], cells.centers[1:3, used][:, i], cells.coefficients[1:3, used][:, i])
             for i in range(edges.size - 1)]  # fmt: skip
    inner = np.concatenate([part[0] for part in parts])[1:]
    rows = np.concatenate([part[1] for part in parts])
    edges = -S + 2 * S * np.arange(_BINS) / _BINS
    starts = np.searchsorted(inner, edges, side="right")
    # One cell earlier, so that rounding of the bin number can never overshoot.
    starts = np.maximum(starts - 1, 0)
    header = [rows.shape[0], _BINS, _DEGREE, -S, S, _BINS / (2 * S)]
    return np.concatenate([header, starts, inner, [np.inf], rows.ravel()])


def _refined(ends: Floats, centers: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
    """A cell in 1, 2, 4, ... equal parts, as few as let the degree do: where each begins, and its row."""
    edges, rows = ends, None
    while rows is None:
        rows = _rows(edges, centers, coefficients)
        if rows is None:
            edges = np.linspace(ends[0], ends[1], 2 * edges.size - 1)
    return edges[:-1], rows


def _rows(edges: Floats, centers: Floats, coefficients: Floats) -> Floats | None:
    """Centres and coefficients of the parts of a cell, or None if more than the degree would be needed."""
    left, right = edges[:-1], edges[1:]
    rows = np.zeros((left.size, 4 + 2 * (_DEGREE + 1)))
    for i in range(2):  # mu, then mu'
        high, low = centers[i]
        keeps = (left <= high) & (high <= right)
        center = np.where(keeps, high, 0.5 * (left + right))
        series = _moved(coefficients[i], np.where(keeps, 0.0, np.longdouble(1) * (center - high) - low))
        reach = np.maximum(right - center, center - left)
        sizes = np.abs(series) * np.longdouble(1) * reach ** np.arange(len(series))[:, None]
        if (sizes[_DEGREE + 1 :].sum(axis=0) > _NEGLIGIBLE * sizes.max(axis=0)).any():
            return None
        rows[:, 2 * i], rows[:, 2 * i + 1] = center, np.where(keeps, low, 0.0)
        kept = series[: _DEGREE + 1]
        rows[:, 4 + i : 4 + 2 * len(kept) : 2] = kept.T
    return rows


def _moved(series: Floats, by: NDArray[np.longdouble]) -> NDArray[np.longdouble]:
    """The coefficients of the same polynomial around other points, with a few more digits than they have."""
    moved = np.repeat(series.astype(np.longdouble)[:, None], by.size, axis=1)
    for k in range(len(series) - 1):
        for j in range(len(series) - 2, k - 1, -1):
            moved[j] += by * moved[j + 1]
    return moved


@compiled
def evaluate(link: Floats, z: float) -> tuple[float, float]:
    """mu(z) and mu'(z); z beyond S by rounding is taken as S."""
    count, bins, degree = int(link[0]), int(link[1]), int(link[2])
    breaks = _HEADER + bins
    z = min(max(z, link[3]), link[4])
    cell = gather(link, min((z - link[3]) * link[5], bins - 1.0), _HEADER)
    beyond = z >= gather(link, cell, breaks)
    while some(beyond):
        cell = where(beyond, cell + 1.0, cell)
        beyond = z >= gather(link, cell, breaks)
    row, first = cell * (4.0 + 2.0 * (degree + 1.0)), breaks + count
    t = (z - gather(link, row, first)) - gather(link, row, first + 1)
    s = (z - gather(link, row, first + 2)) - gather(link, row, first + 3)
    # Horner's rule for even and odd powers apart: chains half as long.
    tt, ss = t * t, s * s
    top = first + 4 + 2 * degree
    odd, even = gather(link, row, top), gather(link, row, top - 2)
    slope_odd, slope_even = gather(link, row, top + 1), gather(link, row, top - 1)
    for k in range(top - 4, first + 4, -4):
        odd = odd * tt + gather(link, row, k)
        even = even * tt + gather(link, row, k - 2)
        slope_odd = slope_odd * ss + gather(link, row, k + 1)
        slope_even = slope_even * ss + gather(link, row, k - 1)
    return even + odd * t, slope_even + slope_odd * s
