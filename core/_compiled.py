"""Compiled inner loops."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import allocating
from glbcheck.core.arrays import Floats


@allocating
def evaluate(breaks: Floats, centers: Floats, coefficients: Floats, points: Floats) -> Floats:
    """Piecewise polynomials at many points, by bisection for the cell and Horner's rule."""
    values = np.empty(points.size)
    last = coefficients.shape[0] - 1
    for i in range(points.size):
        low, high = 0, last
        while low < high:
            middle = (low + high + 1) >> 1
            if points[i] >= breaks[middle]:
                low = middle
            else:
                high = middle - 1
        t = (points[i] - centers[low, 0]) - centers[low, 1]
        row = coefficients[low]
        total = row[row.size - 1]
        for k in range(row.size - 2, -1, -1):
            total = total * t + row[k]
        values[i] = total
    return values
