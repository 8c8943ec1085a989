"""A barrier method in floating point: matrices in an affine space with the largest least eigenvalue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from glbcheck.core.kernel.terms import spend

TINY = 1e-6
ENOUGH = 1e-3
RIDGE = 1e-13
STAGES = 10
NEWTON = 40


@dataclass(frozen=True)
class Cone:
    """Single entries and matrices as affine functions of w, whose last entry is taken from every diagonal."""

    entries: tuple[Any, Any]
    matrices: tuple[tuple[Any, Any], ...]

    def at(self, w: Any) -> tuple[Any, list[Any]]:
        first, steps = self.entries
        return first + steps @ w, [q + np.tensordot(w, s, 1) for q, s in self.matrices]

    def inside(self, w: Any) -> bool:
        entries, matrices = self.at(w)
        return bool(np.all(entries > 0)) and all(map(positive, matrices))

    def least(self, w: Any) -> float:
        """The least eigenvalue when nothing is taken from the diagonals."""
        entries, matrices = self.at(np.append(w[:-1], 0.0))
        return float(min([*entries, *(np.linalg.eigvalsh(q)[0] for q in matrices)]))


def centre(sizes: Sequence[int], start: Any, directions: Any) -> tuple[list[Any], float]:
    """Symmetric matrices whose least eigenvalue is nearly as large as possible, and that eigenvalue.

    The entries of their upper halves, row by row, are start + directions @ anything.
    """
    indices = entry_numbers(sizes)
    single = [int(index[0, 0]) for index in indices if len(index) == 1]
    cone = Cone(
        (start[single], np.column_stack([directions[single], -np.ones(len(single))])),
        tuple(
            (start[index], np.concatenate([np.moveaxis(directions[index], 2, 0), -np.eye(len(index))[None]]))
            for index in indices
            if len(index) > 1
        ),
    )
    w = np.zeros(directions.shape[1] + 1)
    w[-1] = cone.least(w) - 1.0
    for weight in 10.0 ** np.arange(STAGES):
        w = newton(cone, w, weight)
        # On the central path the best value is within (sum of the sizes)/weight.
        if w[-1] + sum(sizes) / weight < -TINY or w[-1] > ENOUGH:
            break
    values = start + directions @ w[:-1]
    return [values[index] for index in indices], cone.least(w)


def entry_numbers(sizes: Sequence[int]) -> list[Any]:
    """For each matrix, the numbers of its entries; those above the diagonal are numbered row by row."""
    numbers, offset = [], 0
    for n in sizes:
        index = np.zeros((n, n), dtype=int)
        upper = np.triu_indices(n)
        index[upper] = np.arange(offset, offset + len(upper[0]))
        numbers.append(np.maximum(index, index.T))
        offset += len(upper[0])
    return numbers


def newton(cone: Cone, w: Any, weight: float) -> Any:
    """Maximises weight times the last entry of w plus the logarithms of entries and determinants."""
    for _ in range(NEWTON):
        spend(len(w) ** 2)
        entries, matrices = cone.at(w)
        relative = cone.entries[1] / entries[:, None]
        gradient, hessian = relative.sum(axis=0), np.einsum("ia,ib->ab", relative, relative)
        gradient[-1] += weight
        for matrix, (_, steps) in zip(matrices, cone.matrices, strict=True):
            turned = np.linalg.inv(matrix) @ steps
            gradient += np.trace(turned, axis1=1, axis2=2)
            hessian += np.einsum("aij,bji->ab", turned, turned)
        direction = solve(hessian + RIDGE * np.diag(np.diag(hessian)), gradient)
        decrement = float(gradient @ direction)
        if not decrement > 1e-8:
            break
        size = 1.0 / (1.0 + decrement**0.5) if decrement > 0.25 else 1.0
        if not cone.inside(w + size * direction):
            break  # the arithmetic has come to its end
        w = w + size * direction
    return w


def solve(matrix: Any, right: Any) -> Any:
    """The solution for a positive definite matrix.

    By plain elimination: the threads of BLAS wait for each other on a busy machine.
    """
    rows = np.column_stack([matrix, right])
    for k in range(len(rows)):
        rows[k, k:] /= rows[k, k]
        factors = rows[:, k].copy()
        factors[k] = 0.0
        rows[:, k:] -= factors[:, None] * rows[k, k:]
    return rows[:, -1]


def positive(matrix: Any) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True
