"""A vector v with v' K v < 0 for a symmetric matrix K that has one: numerical, and as sparse as can be.

Elimination of one basis vector after another: what is left are the residuals of the others and their matrix.
At each stage a negative diagonal entry is a witness, and so is a pair whose 2 x 2 determinant is negative.
The search proposes; nothing here counts as evidence.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import mpmath as mp

Matrix = list[list[Any]]  # of mpf
Vector = list[Any]
TOLERANCE = mp.mpf(10) ** -30


def negative_vector(K: Matrix) -> Vector | None:
    """v with sum v_i K_ij v_j < 0 of smallest support along the elimination, or None."""
    n = len(K)
    scale = [abs(K[i][i]) or mp.mpf(1) for i in range(n)]
    residual: dict[int, Vector] = {i: [mp.mpf(int(i == j)) for j in range(n)] for i in range(n)}
    S: dict[tuple[int, int], Any] = {(i, j): K[i][j] for i in range(n) for j in range(n)}
    for k in range(n):
        found = _single(S, residual, scale) or _pair(S, residual, scale)
        if found is not None:
            return found
        _eliminate(S, residual, scale, k)
    return None


def _single(S: dict[tuple[int, int], Any], residual: dict[int, Vector], scale: Vector) -> Vector | None:
    return next((v for i, v in residual.items() if S[i, i] < -TOLERANCE * scale[i]), None)


def _pair(S: dict[tuple[int, int], Any], residual: dict[int, Vector], scale: Vector) -> Vector | None:
    for i, j in combinations(residual, 2):
        a, b, c = S[i, i], S[i, j], S[j, j]
        if b**2 - a * c > TOLERANCE * scale[i] * scale[j]:
            # u = x e_i + e_j has value x^2 a + 2 x b + c, least at x = -b/a.
            x = -b / a if a > TOLERANCE * scale[i] else -b * (abs(c) + 1) / b**2
            return [x * p + q for p, q in zip(residual[i], residual[j], strict=True)]
    return None


def _eliminate(S: dict[tuple[int, int], Any], residual: dict[int, Vector], scale: Vector, k: int) -> None:
    """Make the other residuals orthogonal to the k-th and drop it; a zero pivot is only dropped."""
    pivot = S[k, k]
    chosen = residual.pop(k)
    if pivot <= TOLERANCE * scale[k]:
        return
    for j, v in residual.items():
        factor = S[k, j] / pivot
        residual[j] = [q - factor * p for p, q in zip(chosen, v, strict=True)]
    for i in residual:
        for j in residual:
            S[i, j] -= S[i, k] * S[k, j] / pivot
