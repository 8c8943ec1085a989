"""Products that add up to zero with positive coefficients, by a linear program.

The program is solved in floating point and tells no more than which products to use; their coefficients are
solved for exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from glbcheck.core.kernel.terms import spend
from glbcheck.verify.search.polynomial import Polynomial

USED = 1e-9
LARGEST_DENOMINATOR = 10**6


def combination(products: Sequence[Polynomial], strict: Sequence[bool]) -> dict[int, Any] | None:
    """Positive coefficients of some of the products, by place, that make their sum zero.

    Those of the strict products add up to one, so one of them is used.
    """
    if not any(strict):
        return None
    rows: dict[Any, int] = {}
    for product in products:
        for monomial in product.monoms():
            rows.setdefault(monomial, len(rows))
    columns = [{rows[m]: c for m, c in product.terms()} for product in products]
    for column, positive in zip(columns, strict, strict=True):
        if positive:
            column[len(rows)] = fmpq(1)
    weights = program(columns, len(rows) + 1)
    if weights is None:
        return None
    return exactly(columns, {k: w for k, w in enumerate(weights) if w > USED}, len(rows))


def program(columns: Sequence[dict[int, Any]], height: int) -> Any:
    """Weights with which the columns add up to the last unit vector, in floating point, if there are any."""
    from scipy.optimize import linprog  # slow to load, and not always needed
    from scipy.sparse import csc_array

    scales = np.array([max(map(abs, map(number, column.values())), default=1.0) for column in columns])
    entries = [number(c) / s for column, s in zip(columns, scales, strict=True) for c in column.values()]
    spend(5_000 + 10 * len(entries))
    places = [row for column in columns for row in column]
    ends = np.cumsum([0, *map(len, columns)])
    matrix: Any = csc_array((entries, places, ends), shape=(height, len(columns)))
    goal = np.zeros(height)
    goal[-1] = 1.0
    found = linprog([1.0 + len(c) for c in columns], A_eq=matrix, b_eq=goal, method="highs-ds")
    return found.x / scales if found.status == 0 else None


def exactly(columns: Sequence[dict[int, Any]], weights: dict[int, float], last: int) -> dict[int, Any] | None:
    """Exact coefficients near the weights, none negative."""
    used = list(weights)
    rows = {row: n for n, row in enumerate(sorted({row for k in used for row in columns[k]} | {last}))}
    matrix = fmpq_mat(len(rows), len(used) + 1)
    for n, k in enumerate(used):
        for row, c in columns[k].items():
            matrix[rows[row], n] = c
    matrix[rows[last], len(used)] = 1
    solved = solve(matrix, [weights[k] for k in used])
    if solved is None or any(c < 0 for c in solved):
        return None
    return {k: c for k, c in zip(used, solved, strict=True) if c}


def solve(augmented: Any, near: Sequence[float]) -> list[Any] | None:
    """The solution of the linear equations whose free unknowns are simple fractions near the given values."""
    reduced, pivots = echelon(augmented)
    width = len(near)
    if width in pivots:
        return None
    values = {n: simple(near[n]) for n in range(width) if n not in pivots}
    for row, pivot in enumerate(pivots):
        values[pivot] = reduced[row, width] - sum(
            (reduced[row, n] * values[n] for n in range(width) if n not in pivots), fmpq(0)
        )
    return [values[n] for n in range(width)]


def echelon(matrix: Any) -> tuple[Any, list[int]]:
    """The reduced row echelon form, and the columns of its leading ones."""
    reduced, rank = matrix.rref()
    width = reduced.ncols()
    return reduced, [next(c for c in range(width) if reduced[row, c] != 0) for row in range(rank)]


def simple(value: float, largest: int = LARGEST_DENOMINATOR) -> Any:
    return fmpq(*Fraction(float(value)).limit_denominator(largest).as_integer_ratio())


def number(c: Any) -> float:
    return int(c.p) / int(c.q)
