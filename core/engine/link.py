"""The link of a family as data: mu and mu' as piecewise polynomials in one flat array.

The compiled engine runs any family, also one it has never seen, without a new compilation.  A uniform grid
over [-S, S] points at the first cell of each bin, so that finding the cell of z takes a step or two.

Layout: cells n, bins b, degree p, low, high, bins per unit; then b bin starts, n - 1 inner breaks followed by
infinity, and n rows of 4 + 2 (p + 1) numbers: centres (high and low part) of mu and of mu', coefficients in
pairs.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family

_HEADER = 6
_BINS = 256


def pack(family: Family, S: float) -> Floats:
    """The link of the family on [-S, S]."""
    cells = family.table.cells(-S, S)
    inner = cells.breaks[1:-1]
    first, last = np.searchsorted(inner, [-S, S], side="right")
    inner, used = inner[first:last], slice(first, last + 1)
    coefficients = cells.coefficients[1:3, used]
    degree = int(np.max(np.nonzero(coefficients)[2], initial=0)) | 1  # odd
    rows = np.concatenate(
        [
            cells.centers[1, used],
            cells.centers[2, used],
            _padded(coefficients, degree + 1).transpose(1, 2, 0).reshape(coefficients.shape[1], -1),
        ],
        axis=1,
    )
    edges = -S + 2 * S * np.arange(_BINS) / _BINS
    starts = np.searchsorted(inner, edges, side="right")
    # One cell earlier, so that rounding of the bin number can never overshoot.
    starts = np.maximum(starts - 1, 0)
    header = [rows.shape[0], _BINS, degree, -S, S, _BINS / (2 * S)]
    return np.concatenate([header, starts, inner, [np.inf], rows.ravel()])


def _padded(coefficients: Floats, length: int) -> Floats:
    """Exactly `length` coefficients: what is cut off or added is zero."""
    short = length - coefficients.shape[2]
    return np.pad(coefficients, ((0, 0), (0, 0), (0, max(short, 0))))[:, :, :length]


@compiled
def evaluate(link: Floats, z: float) -> tuple[float, float]:
    """mu(z) and mu'(z); z beyond S by rounding is taken as S."""
    count, bins, degree = int(link[0]), int(link[1]), int(link[2])
    z = min(max(z, link[3]), link[4])
    cell = int(link[_HEADER + min(int((z - link[3]) * link[5]), bins - 1)])
    breaks = _HEADER + bins
    while z >= link[breaks + cell]:
        cell += 1
    width = 4 + 2 * (degree + 1)
    row = breaks + count + cell * width
    t = (z - link[row]) - link[row + 1]
    s = (z - link[row + 2]) - link[row + 3]
    # Horner's rule for even and odd powers apart: chains half as long.
    tt, ss = t * t, s * s
    top = row + 4 + 2 * degree
    odd, even = link[top], link[top - 2]
    slope_odd, slope_even = link[top + 1], link[top - 1]
    for k in range(top - 4, row + 4, -4):
        odd = odd * tt + link[k]
        even = even * tt + link[k - 2]
        slope_odd = slope_odd * ss + link[k + 1]
        slope_even = slope_even * ss + link[k - 1]
    return even + odd * t, slope_even + slope_odd * s
