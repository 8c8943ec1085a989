"""Values of piecewise polynomials: compiled where numba is installed, in NumPy where it is not, with the same bits."""

from __future__ import annotations

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.extras import is_installed


def evaluate_in_numpy(breaks: Floats, centers: Floats, coefficients: Floats, points: Floats) -> Floats:
    """Return the same values as `evaluate`, to the last bit: the same operations in the same order."""
    cell = np.searchsorted(breaks[1:-1], points, side="right")
    t = (points - centers[cell, 0]) - centers[cell, 1]
    rows = coefficients[cell]
    total = rows[:, -1]
    for k in range(rows.shape[1] - 2, -1, -1):
        total = total * t + rows[:, k]
    return np.asarray(total)


if is_installed("numba"):
    from glbcheck.core._numba import allocating

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

else:
    evaluate = evaluate_in_numpy
