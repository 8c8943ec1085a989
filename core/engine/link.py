"""The link of a family as data: mu and mu' as piecewise polynomials in one flat array.

The compiled engine runs any family, also one it has never seen, without a new compilation.  A uniform grid
over [-S, S] names the first cell of each bin and where that ends.  It is so fine that a bin holds at most two cells,
unless some are much narrower than others: then the bins are crowded, and the cell of z is walked to.

Layout: cells n, bins b, are they crowded, low, high, bins per unit; then b first cells and b first breaks, n - 1 inner
breaks followed by infinity, and n rows: centres (high and low part) of mu and of mu', coefficients in pairs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.wide import some, where
from glbcheck.core.engine.wide_memory import gather
from glbcheck.core.family import Family
from numpy.typing import NDArray

_HEADER = 6
_BINS, _MOST_BINS = 256, 2**14
_DEGREE = 7  # odd
_ROW = 4 + 2 * (_DEGREE + 1)
_NEGLIGIBLE = 2.0**-56  # of the largest term: what the terms beyond the degree may add up to


@lru_cache(maxsize=256)
def pack(family: Family, S: float) -> Floats:
    """The link of the family on [-S, S]."""
    inner, rows = (np.array(part) for part in family.kept(f"link on {S!r}", lambda: _cells(family, S)))
    bins = _BINS
    while bins < _MOST_BINS and _crowded(inner, S, bins):
        bins *= 2
    # Rounding may put z into the bin beside its own: its cell is then the neighbour of the true one, of which z is
    # as good as a part.
    starts = np.searchsorted(inner, -S + 2 * S * np.arange(bins) / bins, side="right")
    breaks = np.append(inner, np.inf)
    header = [rows.shape[0], bins, _crowded(inner, S, bins), -S, S, bins / (2 * S)]
    return np.concatenate([header, starts, breaks[starts], breaks, rows.ravel()])


def _cells(family: Family, S: float) -> list[list[Any]]:
    """Inner breaks and rows, as plain lists."""
    cells = family.table.cells(-S, S)
    inner = cells.breaks[1:-1]
    first, last = np.searchsorted(inner, [-S, S], side="right")
    used = slice(first, last + 1)
    edges = np.concatenate([[-S], inner[first:last], [S]])
    parts = [_refined(edges[i : i + 2], cells.centers[1:3, used][:, i], cells.coefficients[1:3, used][:, i])
             for i in range(edges.size - 1)]  # fmt: skip
    return [
        np.concatenate([part[0] for part in parts])[1:].tolist(),
        np.concatenate([part[1] for part in parts]).tolist(),
    ]


def _crowded(inner: Floats, S: float, bins: int) -> bool:
    """Has a bin more than one break?"""
    return bool((np.diff(inner) < 2 * S / bins).any())


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
    rows = np.zeros((left.size, _ROW))
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
        rows[:, 4 + i :: 2] = series[: _DEGREE + 1].T
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
    z, row, first = _row_of(link, z)
    return _value(link, z, row, first, 0), _value(link, z, row, first, 1)


@compiled
def slope(link: Floats, z: float) -> float:
    """mu'(z) alone."""
    z, row, first = _row_of(link, z)
    return _value(link, z, row, first, 1)


@compiled
@in_line
def _row_of(link: Floats, z: float) -> tuple[float, float, int]:
    """z within its bounds, where its row begins among the rows, and where these begin."""
    count, bins = int(link[0]), int(link[1])
    breaks = _HEADER + 2 * bins
    z = min(max(z, link[3]), link[4])
    grid = min((z - link[3]) * link[5], bins - 1.0)
    cell = gather(link, grid, _HEADER)
    cell = where(z >= gather(link, grid, _HEADER + bins), cell + 1.0, cell)
    if link[2] != 0.0:
        beyond = z >= gather(link, cell, breaks)
        while some(beyond):
            cell = where(beyond, cell + 1.0, cell)
            beyond = z >= gather(link, cell, breaks)
    return z, cell * float(_ROW), breaks + count


@compiled
@in_line
def _value(link: Floats, z: float, row: float, first: int, which: int) -> float:
    """Horner's rule for even and odd powers apart: chains half as long."""
    t = (z - gather(link, row, first + 2 * which)) - gather(link, row, first + 2 * which + 1)
    tt, top = t * t, first + 4 + 2 * _DEGREE + which
    odd, even = gather(link, row, top), gather(link, row, top - 2)
    for k in range(4, 2 * _DEGREE, 4):
        odd = odd * tt + gather(link, row, top - k)
        even = even * tt + gather(link, row, top - k - 2)
    return even + odd * t  # type: ignore[no-any-return]
