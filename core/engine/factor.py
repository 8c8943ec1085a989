"""H = L D Lᵀ kept under rank-one updates: O(d²) a round, and as accurate after 10⁶ rounds as after one.

Lᵀ is stored by rows in `upper` with an implicit unit diagonal, so that every inner loop below walks memory in
order; `inverse_d` holds 1/D.  An inverse of H updated by Sherman–Morrison would lose the digits of a
direction with each jump of its curvature; the factors do not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core._numba import vectorised

Floats = NDArray[np.float64]


@vectorised
def factorise(matrix: Floats, shift: float, floor: float, upper: Floats, inverse_d: Floats) -> None:
    """The factors of matrix + shift I, known to be at least floor I; so is every entry of D."""
    d = inverse_d.size
    for j in range(d):
        for i in range(j, d):
            upper[j, i] = matrix[j, i]
        upper[j, j] += shift
    for j in range(d):
        reciprocal = 1.0 / max(upper[j, j], floor)
        inverse_d[j] = reciprocal
        for i in range(j + 1, d):
            factor = upper[j, i] * reciprocal
            for k in range(i, d):
                upper[i, k] -= factor * upper[j, k]
        for i in range(j + 1, d):
            upper[j, i] *= reciprocal


@vectorised
def add_outer(upper: Floats, inverse_d: Floats, scale: float, v: Floats) -> None:
    """The factors of H + scale v vᵀ, for scale >= 0; v is overwritten."""
    d = inverse_d.size
    a = scale
    for j in range(d):
        p = v[j]
        if p == 0.0:
            continue
        old_inverse = inverse_d[j]
        old = 1.0 / old_inverse
        new_inverse = 1.0 / (old + a * p * p)
        b = a * p * new_inverse
        inverse_d[j] = new_inverse
        a *= old * new_inverse
        for i in range(j + 1, d):
            v[i] -= p * upper[j, i]
            upper[j, i] += b * v[i]


@vectorised
def forward(upper: Floats, x: Floats, y: Floats) -> None:
    """y = L⁻¹ x."""
    d = x.size
    for j in range(d):
        y[j] = x[j]
    for j in range(d - 1):
        pivot = y[j]
        for i in range(j + 1, d):
            y[i] -= upper[j, i] * pivot


@vectorised
def squared_norm(inverse_d: Floats, y: Floats) -> float:
    """xᵀ H⁻¹ x from y = L⁻¹ x."""
    total = 0.0
    for j in range(y.size):
        total += y[j] * y[j] * inverse_d[j]
    return total


@vectorised
def backward(upper: Floats, inverse_d: Floats, y: Floats, u: Floats) -> None:
    """u = H⁻¹ x from y = L⁻¹ x."""
    d = y.size
    for j in range(d - 1, -1, -1):
        total = y[j] * inverse_d[j]
        for i in range(j + 1, d):
            total -= upper[j, i] * u[i]
        u[j] = total


@vectorised
def solve(upper: Floats, inverse_d: Floats, x: Floats, y: Floats, u: Floats) -> float:
    """u = H⁻¹ x and y = L⁻¹ x; returns xᵀ H⁻¹ x."""
    forward(upper, x, y)
    backward(upper, inverse_d, y, u)
    return squared_norm(inverse_d, y)


@vectorised
def quadratic(upper: Floats, inverse_d: Floats, v: Floats) -> float:
    """vᵀ H v, as a sum of squares."""
    d = v.size
    total = 0.0
    for j in range(d):
        entry = v[j]
        for i in range(j + 1, d):
            entry += upper[j, i] * v[i]
        total += entry * entry / inverse_d[j]
    return total


@vectorised
def inverse_norms(upper: Floats, inverse_d: Floats, columns: Floats, norms: Floats) -> None:
    """xᵀ H⁻¹ x for every column x of `columns`, which is overwritten by L⁻¹ x; vectorised over columns."""
    d, count = columns.shape
    for k in range(count):
        norms[k] = 0.0
    for j in range(d):
        pivot = columns[j]
        scale = inverse_d[j]
        for k in range(count):
            norms[k] += pivot[k] * pivot[k] * scale
        for i in range(j + 1, d):
            factor = upper[j, i]
            row = columns[i]
            for k in range(count):
                row[k] -= factor * pivot[k]


@vectorised
def dot(x: Floats, y: Floats) -> float:
    total = 0.0
    for j in range(x.size):
        total += x[j] * y[j]
    return total


@vectorised
def times(matrix: Floats, x: Floats, out: Floats) -> None:
    """out = matrix x."""
    for i in range(x.size):
        out[i] = dot(matrix[i], x)
