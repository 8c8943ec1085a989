"""H = Lᵀ D L kept under rank-one updates: O(d²) a round, and as accurate after 10⁶ rounds as after one.

L is unit lower triangular, stored by rows in `lower` with its diagonal implicit, and `inverse_d` holds 1/D.
With the factors in this order every inner loop starts at 0 and walks along a row, which is what vectorises.
An inverse of H updated by Sherman–Morrison would lose the digits of a direction with each jump of its
curvature; the factors do not.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import vectorised
from glbcheck.core.arrays import Floats


@vectorised
def factorise(matrix: Floats, shift: float, floor: float, lower: Floats, inverse_d: Floats) -> None:
    """The factors of matrix + shift I, known to be at least floor I; so is every entry of D."""
    d = inverse_d.size
    for j in range(d):
        for i in range(j + 1):
            lower[j, i] = matrix[j, i]
        lower[j, j] += shift
    for j in range(d - 1, -1, -1):
        reciprocal = 1.0 / max(lower[j, j], floor)
        inverse_d[j] = reciprocal
        for i in range(j):
            factor = lower[j, i] * reciprocal
            for k in range(i + 1):
                lower[i, k] -= factor * lower[j, k]
        for i in range(j):
            lower[j, i] *= reciprocal


@vectorised
def add_outer(lower: Floats, inverse_d: Floats, scale: float, v: Floats, y: Floats) -> None:
    """The factors of H + scale v vᵀ, for scale >= 0, given y = L⁻ᵀ v; v is overwritten.

    Knowing y, the growth of D needs sums only, and no division waits for the one before.
    """
    total = 1.0
    for j in range(v.size - 1, -1, -1):
        p, before = y[j], total
        step = scale * p * inverse_d[j]
        total += step * p
        reciprocal = 1.0 / total
        inverse_d[j] *= before * reciprocal
        b = step * reciprocal
        for i in range(j):
            v[i] -= p * lower[j, i]
            lower[j, i] += b * v[i]


@vectorised
def forward(lower: Floats, x: Floats, y: Floats) -> None:
    """y = L⁻ᵀ x."""
    for j in range(x.size):
        y[j] = x[j]
    for j in range(x.size - 1, 0, -1):
        pivot = y[j]
        for i in range(j):
            y[i] -= lower[j, i] * pivot


@vectorised
def squared_norm(inverse_d: Floats, y: Floats) -> float:
    """xᵀ H⁻¹ x from y = L⁻ᵀ x."""
    total = 0.0
    for j in range(y.size):
        total += y[j] * y[j] * inverse_d[j]
    return total


@vectorised
def backward(lower: Floats, inverse_d: Floats, y: Floats, u: Floats) -> None:
    """u = H⁻¹ x from y = L⁻ᵀ x."""
    for j in range(y.size):
        total = y[j] * inverse_d[j]
        for i in range(j):
            total -= lower[j, i] * u[i]
        u[j] = total


@vectorised
def solve(lower: Floats, inverse_d: Floats, x: Floats, y: Floats, u: Floats) -> float:
    """u = H⁻¹ x and y = L⁻ᵀ x; returns xᵀ H⁻¹ x."""
    forward(lower, x, y)
    backward(lower, inverse_d, y, u)
    return squared_norm(inverse_d, y)


@vectorised
def solve_pair(lower: Floats, inverse_d: Floats, x: Floats, b: Floats, u: Floats, v: Floats) -> None:
    """u = H⁻¹ x and v = H⁻¹ b together."""
    d = x.size
    for j in range(d):
        u[j] = x[j]
        v[j] = b[j]
    for j in range(d - 1, 0, -1):
        s, t = u[j], v[j]
        for i in range(j):
            u[i] -= lower[j, i] * s
            v[i] -= lower[j, i] * t
    for j in range(d):
        s, t = u[j] * inverse_d[j], v[j] * inverse_d[j]
        for i in range(j):
            s -= lower[j, i] * u[i]
            t -= lower[j, i] * v[i]
        u[j] = s
        v[j] = t


@vectorised
def quadratic(lower: Floats, inverse_d: Floats, v: Floats) -> float:
    """vᵀ H v, as a sum of squares."""
    total = 0.0
    for j in range(v.size):
        entry = v[j]
        for i in range(j):
            entry += lower[j, i] * v[i]
        total += entry * entry / inverse_d[j]
    return total


@vectorised
def inverse_norms(lower: Floats, inverse_d: Floats, columns: Floats, scratch: Floats, norms: Floats) -> None:
    """xᵀ H⁻¹ x for every column x; vectorised over columns, with L⁻ᵀ x left in the scratch."""
    d, count = columns.shape
    for i in range(d):
        for k in range(count):
            scratch[i, k] = columns[i, k]
    for k in range(count):
        norms[k] = 0.0
    for j in range(d - 1, -1, -1):
        pivot, scale = scratch[j], inverse_d[j]
        for k in range(count):
            norms[k] += pivot[k] * pivot[k] * scale
        for i in range(j):
            row, factor = scratch[i], lower[j, i]
            for k in range(count):
                row[k] -= factor * pivot[k]


@vectorised
def inner_products(x: Floats, columns: Floats, out: Floats) -> None:
    """<x, column> for every column."""
    for k in range(out.size):
        out[k] = x[0] * columns[0, k]
    for j in range(1, x.size):
        row, entry = columns[j], x[j]
        for k in range(out.size):
            out[k] += entry * row[k]


@vectorised
def dot(x: Floats, y: Floats) -> float:
    total = 0.0
    for j in range(x.size):
        total += x[j] * y[j]
    return total


@vectorised
def length_of(x: Floats) -> float:
    """‖x‖, also where its square would overflow."""
    top = 0.0
    for j in range(x.size):
        top = max(top, abs(x[j]))
    if top == 0.0:
        return 0.0
    total = 0.0
    for j in range(x.size):
        total += (x[j] / top) ** 2
    return float(top * np.sqrt(total))


@vectorised
def times(matrix: Floats, x: Floats, out: Floats) -> None:
    """out = matrix x."""
    for i in range(x.size):
        out[i] = dot(matrix[i], x)
