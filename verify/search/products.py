"""A contradiction as a sum: products of facts and squares that add up to zero, found by a linear program.

The program is solved in floating point; which products it uses is all that is taken from it.  Their coefficients are
solved for exactly.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from glbcheck.verify.search import polynomial as poly
from glbcheck.verify.search.polynomial import Polynomial
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

SUPPORT = 1e-9
LARGEST_DENOMINATOR = 10**6


def contradiction(products: Sequence[Any]) -> list[tuple[Any, Any]] | None:
    """Positive coefficients of some of the products, a strict one among them, whose sum is zero."""
    for product in products:
        if product.strict and not product.normal:
            return [(fmpq(1), product)]
    rows: dict[Any, int] = {}
    for product in products:
        for monomial in product.normal:
            rows.setdefault(monomial, len(rows))
    if not any(product.strict for product in products):
        return None
    matrix = exact_matrix(products, rows)
    weights = solve(matrix, products, len(rows))
    if weights is None:
        return None
    support = [k for k, weight in enumerate(weights) if weight > SUPPORT]
    coefficients = rationalise(matrix, support, weights, products, len(rows))
    if coefficients is None:
        return None
    return [(c, products[k]) for c, k in zip(coefficients, support, strict=True) if c]


def exact_matrix(products: Sequence[Any], rows: dict[Any, int]) -> list[dict[int, Any]]:
    """Column by column, the coefficients of the normal form, scaled so that the largest is one."""
    columns = []
    for product in products:
        columns.append({rows[m]: c for m, c in product.normal.items()})
    return columns


def solve(columns: list[dict[int, Any]], products: Sequence[Any], height: int) -> Any:
    entries, at, ends = [], [], [0]
    scales = []
    for column, product in zip(columns, products, strict=True):
        size = max((abs(number(c)) for c in column.values()), default=1.0)
        scales.append(size)
        for row, c in column.items():
            entries.append(number(c) / size)
            at.append(row)
        if product.strict:
            entries.append(1.0)
            at.append(height)
        ends.append(len(entries))
    matrix = csc_matrix((entries, at, ends), shape=(height + 1, len(columns)))
    goal = np.zeros(height + 1)
    goal[height] = 1.0
    cost = [1.0 + len(p.facts) + len(p.square) for p in products]
    result = linprog(cost, A_eq=matrix, b_eq=goal, method="highs-ds")
    if result.status != 0:
        return None
    return np.array(result.x) / np.array(scales)


def number(c: Any) -> float:
    return int(c.p) / int(c.q)


def rationalise(
    columns: list[dict[int, Any]], support: list[int], weights: Any, products: Sequence[Any], height: int
) -> list[Any] | None:
    """Exact coefficients near the weights with which the columns of the support add up to zero."""
    used = sorted({row for k in support for row in columns[k]})
    place = {row: n for n, row in enumerate(used)}
    width = len(support)
    matrix = fmpq_mat(len(used) + 1, width + 1)
    for n, k in enumerate(support):
        for row, c in columns[k].items():
            matrix[place[row], n] = c
        if products[k].strict:
            matrix[len(used), n] = 1
    matrix[len(used), width] = 1
    total = sum(weights[k] for k in support if products[k].strict)
    echelon, rank = matrix.rref()
    pivots = []
    for row in range(rank):
        pivots.append(next(n for n in range(width + 1) if echelon[row, n] != 0))
    if width in pivots:
        return None
    values = {
        n: fmpq(*Fraction(weights[k] / total).limit_denominator(LARGEST_DENOMINATOR).as_integer_ratio())
        for n, k in enumerate(support)
        if n not in pivots
    }
    for row, pivot in enumerate(pivots):
        values[pivot] = echelon[row, width] - sum(
            (echelon[row, n] * v for n, v in values.items() if n not in pivots), fmpq(0)
        )
    coefficients = [values[n] for n in range(width)]
    return coefficients if all(c >= 0 for c in coefficients) else None
