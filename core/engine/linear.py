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
    """out = A x."""
    for i in range(out.size):
        total = 0.0
        for j in range(out.size):
            total += A[i, j] * x[j]
        out[i] = total


@kernel
def times_transposed(A: Floats, v: Floats, out: Floats) -> None:
    """out = Aᵀ v."""
    for j in range(out.size):
        out[j] = 0.0
    for i in range(out.size):
        factor = v[i]
        for j in range(out.size):
            out[j] += factor * A[i, j]


@as_written
def grow(H: Floats, c: float, x: Floats) -> None:
    """H becomes H + c x xᵀ; in this order of products it stays symmetric to the last bit."""
    for i in range(x.size):
        for j in range(x.size):
            H[i, j] += c * (x[i] * x[j])


@kernel
def shrink(W: Floats, c: float, q: float, v: Floats, u: Floats) -> None:
    """W follows H + c x xᵀ (Potter's square-root update): v = W x, u = Wᵀ v, q = ‖v‖²."""
    grown = 1.0 + c * q
    s = c / (grown + math.sqrt(grown))
    for i in range(v.size):
        factor = s * v[i]
        for j in range(v.size):
            W[i, j] -= factor * u[j]


@shared
def root_of_inverse(M: Floats, shift: float, floor: float, factor: Floats, out: Floats) -> None:
    """out = L⁻¹ for the Cholesky factor L of M + shift I, a matrix known to be at least floor times I."""
    d = M.shape[0]
    for i in range(d):
        for j in range(i):
            total = M[i, j]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            factor[i, j] = total * factor[j, j]
        pivot = M[i, i] + shift
        for k in range(i):
            pivot -= factor[i, k] * factor[i, k]
        factor[i, i] = 1.0 / math.sqrt(max(pivot, floor))  # rounding can hide the floor
    for i in range(d):
        for j in range(d):
            out[i, j] = 0.0
        for k in range(i):
            entry = factor[i, k]
            for j in range(k + 1):
                out[i, j] -= entry * out[k, j]
        inverse = factor[i, i]
        for j in range(i):
            out[i, j] *= inverse
        out[i, i] = inverse


@kernel
def squared_norms(W: Floats, arms: Floats, out: Floats) -> None:
    """‖W x‖² of every arm."""
    d = W.shape[0]
    for k in range(arms.shape[0]):
        total = 0.0
        for i in range(d):
            entry = 0.0
            for j in range(d):
                entry += W[i, j] * arms[k, j]
            total += entry * entry
        out[k] = total


@kernel
def squared_norms_lower(W: Floats, arms: Floats, out: Floats) -> None:
    """The same for a lower triangular W, two rows at a time."""
    d = W.shape[0]
    for k in range(arms.shape[0]):
        total = 0.0
        for i in range(0, d - 1, 2):
            first, second = 0.0, 0.0
            for j in range(i + 2):
                first += W[i, j] * arms[k, j]
                second += W[i + 1, j] * arms[k, j]
            total += first * first + second * second
        if d % 2 == 1:
            first = dot(W[d - 1], arms[k])
            total += first * first
        out[k] = total


@kernel
def inner_products(arms: Floats, v: Floats, out: Floats) -> None:
    """<x, v> of every arm."""
    for k in range(arms.shape[0]):
        total = 0.0
        for j in range(v.size):
            total += arms[k, j] * v[j]
        out[k] = total
