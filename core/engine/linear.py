"""Vectors and small matrices.  W is a square root of H⁻¹: Wᵀ W = H⁻¹, so that ‖x‖ in H⁻¹ is the length of W x."""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import as_written, kernel, shared, small


@small
def dot(a: Floats, b: Floats) -> float:
    total = 0.0
    for j in range(b.size):
        total += a[j] * b[j]
    return total


@kernel
def times(A: Floats, x: Floats, out: Floats) -> None:
    """out = A x, four rows at a time; for arms as rows, ⟨x, v⟩ of every arm.  `out` may be longer."""
    n, d = A.shape
    whole = n - n % 4
    for i in range(0, whole, 4):
        first = second = third = fourth = 0.0
        for j in range(d):
            entry = x[j]
            first += A[i, j] * entry
            second += A[i + 1, j] * entry
            third += A[i + 2, j] * entry
            fourth += A[i + 3, j] * entry
        out[i], out[i + 1], out[i + 2], out[i + 3] = first, second, third, fourth
    for i in range(whole, n):
        out[i] = dot(A[i], x)


@kernel
def times_transposed(A: Floats, v: Floats, out: Floats) -> None:
    """out = Aᵀ v, four rows at a time."""
    d = out.size
    for j in range(d):
        out[j] = 0.0
    whole = d - d % 4
    for i in range(0, whole, 4):
        first, second, third, fourth = v[i], v[i + 1], v[i + 2], v[i + 3]
        for j in range(d):
            out[j] += first * A[i, j] + second * A[i + 1, j] + third * A[i + 2, j] + fourth * A[i + 3, j]
    for i in range(whole, d):
        first = v[i]
        for j in range(d):
            out[j] += first * A[i, j]


@as_written
def grow(H: Floats, c: float, x: Floats) -> None:
    """H becomes H + c x xᵀ; in this order of products it stays symmetric to the last bit."""
    for i in range(x.size):
        for j in range(x.size):
            H[i, j] += c * (x[i] * x[j])


@as_written
def shrink(W: Floats, c: float, q: float, v: Floats, u: Floats) -> None:
    """W follows H + c x xᵀ (Potter's square-root update): v = W x, u = Wᵀ v, q = ‖v‖²."""
    grown = 1.0 + c * q
    s = c / (grown + math.sqrt(grown))
    for i in range(v.size):
        for j in range(v.size):
            W[i, j] -= s * (v[i] * u[j])


@shared
def root_of_inverse(M: Floats, shift: float, floor: float, rest: Floats, out: Floats) -> None:
    """out = L⁻¹ for the Cholesky factor L of M + shift I, a matrix known to be at least floor times I.

    Columns are eliminated one by one, from M in `rest`, whose diagonal becomes that of L⁻¹, and from I in `out`.
    """
    d = M.shape[0]
    for i in range(d):
        for j in range(d):
            rest[i, j], out[i, j] = M[i, j], 0.0
        rest[i, i] += shift
        out[i, i] = 1.0
    for k in range(d):
        inverse = 1.0 / math.sqrt(max(rest[k, k], floor))  # rounding can hide the floor
        rest[k, k] = inverse
        for j in range(k + 1, d):
            rest[k, j] *= inverse
        for j in range(k + 1):
            out[k, j] *= inverse
        for i in range(k + 1, d):
            factor = rest[k, i]
            for j in range(i, d):
                rest[i, j] -= factor * rest[k, j]
            for j in range(k + 1):
                out[i, j] -= factor * out[k, j]


@kernel
def squared_norms(W: Floats, arms: Floats, out: Floats) -> None:
    """‖W x‖² of every arm."""
    for k in range(arms.shape[0]):
        out[k] = squared_norm(W, arms[k], W.shape[0])


@small
def squared_norm(W: Floats, x: Floats, more: int) -> float:
    """‖W x‖², four rows at a time; in row i at most `more` entries after entry i differ from 0."""
    d, total = x.size, 0.0
    whole = d - d % 4
    for i in range(0, whole, 4):
        first = second = third = fourth = 0.0
        for j in range(min(i + 4 + more, d)):
            entry = x[j]
            first += W[i, j] * entry
            second += W[i + 1, j] * entry
            third += W[i + 2, j] * entry
            fourth += W[i + 3, j] * entry
        total += first * first + second * second + third * third + fourth * fourth
    for i in range(whole, d):
        first = dot(W[i], x)
        total += first * first
    return total
