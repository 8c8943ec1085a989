"""H = Lᵀ D L kept under rank-one updates: O(d²) a round, and as accurate after 10⁶ rounds as after one.

L is unit lower triangular, stored by rows in `lower` with its diagonal implicit, and `inverse_d` holds 1/D.
With the factors in this order every inner loop starts at 0 and walks along a row, which is what vectorises.
An inverse of H updated by Sherman–Morrison would lose the digits of a direction with each jump of its
curvature; the factors do not.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import abreast, abreast_within, entry, put_abreast, stretches
from glbcheck.core.engine.wide import LANES, spread

_SWEEPS = 60  # of Jacobi's rotations; the last few square what is left off the diagonal
_NEGLIGIBLE = 2.0**-110


@vectorised
def factorise(matrix: Floats, shift: float, floor: float, lower: Floats, inverse_d: Floats) -> None:
    """The factors of matrix + shift I, known to be at least floor I; so is every entry of D."""
    d = inverse_d.size
    for j in range(d):
        for i in range(j + 1):
            lower[j, i] = matrix[j, i]
        lower[j, j] += shift
    for n in range(d):
        j = d - 1 - n
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


@compiled
@in_line
def product(matrix: Floats, x: Floats, k: int) -> float:
    """The entries of M x from number k on, for a symmetric M, and zeros after the last one."""
    result = spread(0.0)
    for j in range(x.size):
        result += x[j] * abreast_within(matrix[j], k)
    return result  # type: ignore[no-any-return]


@compiled
def inverse_norms(lower: Floats, inverse_d: Floats, columns: Floats, scratch: Floats, norms: Floats) -> None:
    """xᵀ H⁻¹ x for every column x, several abreast; the scratch is room for as many columns."""
    d, reduced = inverse_d.size, stretches(scratch)
    for k in range(0, norms.size, LANES):
        norm = spread(0.0)
        for n in range(d):
            i = d - 1 - n
            rest = reduce_entry(lower, reduced, n, abreast(columns[i], k))
            norm += rest * rest * inverse_d[i]
        put_abreast(norms, k, norm)


@compiled
@in_line
def reduce_entry(lower: Floats, reduced: Floats, n: int, x: float) -> float:
    """The n-th entry from the end of L⁻ᵀ x, several abreast, from that of x and those before, which it joins."""
    d = lower.shape[0]
    for m in range(n):
        x -= entry(lower, (d - 1 - m) * d + d - 1 - n) * reduced[m]
    reduced[n] = x
    return x


@compiled
def inner_products(x: Floats, columns: Floats, out: Floats) -> None:
    """<x, column> for every column, several abreast."""
    for k in range(0, out.size, LANES):
        total = spread(0.0)
        for j in range(x.size):
            total += x[j] * abreast(columns[j], k)
        put_abreast(out, k, total)


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


@vectorised
def diagonalise(matrix: Floats, v: Floats) -> None:
    """A symmetric matrix becomes its eigenvalues, v its parts along their eigenvectors: Jacobi's rotations."""
    for _ in range(_SWEEPS):
        on = 0.0
        off = 0.0
        for i in range(v.size):
            on += matrix[i, i] * matrix[i, i]
            for j in range(i):
                off += matrix[i, j] * matrix[i, j]
        if not off > _NEGLIGIBLE * on:
            break
        for i in range(v.size):
            for j in range(i):
                if matrix[i, j] != 0.0:
                    _rotate(matrix, v, i, j)


@vectorised
def _rotate(matrix: Floats, v: Floats, p: int, q: int) -> None:
    """The rotation of the plane (p, q) that makes that entry vanish, by the smaller of two angles."""
    ratio = (matrix[q, q] - matrix[p, p]) / (2.0 * matrix[p, q])
    tangent = 1.0 / (abs(ratio) + np.sqrt(ratio * ratio + 1.0))
    if ratio < 0.0:
        tangent = -tangent
    c = 1.0 / np.sqrt(tangent * tangent + 1.0)
    s = tangent * c
    for k in range(v.size):
        a, b = matrix[k, p], matrix[k, q]
        matrix[k, p], matrix[k, q] = c * a - s * b, s * a + c * b
    first, second = matrix[p], matrix[q]
    for k in range(v.size):
        a, b = first[k], second[k]
        first[k], second[k] = c * a - s * b, s * a + c * b
    matrix[p, q] = matrix[q, p] = 0.0
    a, b = v[p], v[q]
    v[p], v[q] = c * a - s * b, s * a + c * b
