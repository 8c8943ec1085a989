"""Sums of squares: Gram matrices that complete given products to zero, positive semidefinite and exact.

A barrier method looks for matrices whose least eigenvalue is as large as possible.  If that is positive,
rational matrices near them will do, and their factors L D L^T are the squares.  If it is zero, the
directions in which they vanish are rounded to rational ones and given up, and the method is applied to what
is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat
from glbcheck.verify.search import barrier
from glbcheck.verify.search.linear_program import echelon, number, simple
from glbcheck.verify.search.polynomial import Polynomial

ROUNDS = 4
DIGITS = (1, 2, 3, 4, 6, 8)
SMALL = 1e-4
SIMPLE = 60
Space: TypeAlias = tuple[list[int], Any, int]
"""The columns that are determined, the reduced equations, and the number of columns."""


@dataclass(frozen=True)
class Term:
    """coefficient * product of the facts * square**2."""

    coefficient: Any
    facts: tuple[int, ...]
    square: Polynomial


@dataclass(frozen=True)
class Block:
    """A multiplier and polynomials: its Gram matrix weighs the multiplier times products of two of them.

    A block of a single polynomial is a product with one coefficient; `strict` says that it is positive.
    """

    facts: tuple[int, ...]
    basis: tuple[Polynomial, ...]
    entries: tuple[tuple[Polynomial, ...], ...]
    strict: bool = False


def complete(blocks: Sequence[Block]) -> list[Term] | None:
    """Terms that add up to zero, of a strict block among others; None if none were found."""
    for _ in range(ROUNDS):
        space = solutions(blocks) if any(block.strict for block in blocks) else None
        if space is None:
            return None
        sizes = [len(block.basis) for block in blocks]
        try:
            matrices, least = barrier.centre(sizes, *affine(space))
        except np.linalg.LinAlgError:
            return None
        if least < -barrier.TINY:
            return None
        if least > barrier.TINY and (found := rounded(blocks, space, matrices)):
            return found
        blocks = [smaller for b, q in zip(blocks, matrices, strict=True) if (smaller := restricted(b, q))]
    return None


# --- the linear conditions -----------------------------------------------------------------------


def places(blocks: Sequence[Block]) -> list[tuple[int, int, int]]:
    """Block, row and column of each unknown: the upper halves of the matrices, row by row."""
    return [(n, i, j) for n, b in enumerate(blocks) for i in range(len(b.basis)) for j in range(i, len(b.basis))]


def solutions(blocks: Sequence[Block]) -> Space | None:
    """The equations that the sum is zero and that the traces add up to one, solved."""
    unknowns = places(blocks)
    columns = [blocks[n].entries[i][j] * (1 if i == j else 2) for n, i, j in unknowns]
    rows = {m: place for place, m in enumerate(sorted({m for column in columns for m in column.monoms()}))}
    matrix = fmpq_mat(len(rows) + 1, len(unknowns) + 1)
    for place, (column, (_, i, j)) in enumerate(zip(columns, unknowns, strict=True)):
        for m, c in column.terms():
            matrix[rows[m], place] = c
        matrix[len(rows), place] = int(i == j)
    matrix[len(rows), len(unknowns)] = 1
    reduced, pivots = echelon(matrix)
    return None if len(unknowns) in pivots else (pivots, reduced, len(unknowns))


def affine(space: Space) -> tuple[Any, Any]:
    """In floating point: the unknowns are start + directions @ those that are free."""
    pivots, reduced, width = space
    free = [c for c in range(width) if c not in set(pivots)]
    start, directions = np.zeros(width), np.zeros((width, len(free)))
    directions[free, range(len(free))] = 1.0
    for r, c in enumerate(pivots):
        start[c] = number(reduced[r, width])
        directions[c] = [-number(reduced[r, f]) for f in free]
    return start, directions


# --- back to exact numbers -----------------------------------------------------------------------


def rounded(blocks: Sequence[Block], space: Space, matrices: Sequence[Any]) -> list[Term] | None:
    """The squares of rational matrices near the given ones, with as few digits as will do."""
    pivots, reduced, width = space
    free = [c for c in range(width) if c not in set(pivots)]
    unknowns = places(blocks)
    for digits in DIGITS:
        values = {}
        for c in free:
            n, i, j = unknowns[c]
            values[c] = fmpq(round(matrices[n][i, j] * 10**digits), 10**digits)
        for r, c in enumerate(pivots):
            values[c] = reduced[r, width] - sum((reduced[r, f] * values[f] for f in free), fmpq(0))
        exact = [fmpq_mat(len(b.basis), len(b.basis)) for b in blocks]
        for c, (n, i, j) in enumerate(unknowns):
            exact[n][i, j] = exact[n][j, i] = values[c]
        terms = [squares(b, q) for b, q in zip(blocks, exact, strict=True)]
        if None not in terms:
            return [term for some in terms for term in some or ()]
    return None


def squares(block: Block, matrix: Any) -> list[Term] | None:
    """The terms of L D L^T, or None if the matrix is not positive semidefinite."""
    n, found = len(block.basis), []
    for k in range(n):
        d, row = matrix[k, k], [matrix[k, j] for j in range(n)]
        if d < 0 or (d == 0 and any(row)):
            return None
        if d == 0:
            continue
        found.append(Term(d, block.facts, weighed([c / d for c in row], block.basis)))
        for i in range(k, n):
            for j in range(k, n):
                matrix[i, j] -= row[i] * row[j] / d
    return found


def restricted(block: Block, matrix: Any) -> Block | None:
    """The block on the directions in which its matrix does not vanish, if there are any, made rational."""
    values, vectors = np.linalg.eigh(matrix)
    kept = vectors[:, values > SMALL * max(10 * SMALL, values[-1])]
    if kept.shape[1] in (0, len(block.basis)):
        return block if kept.shape[1] else None
    rows = rational_basis(kept.T)
    half = [[weighed(row, line) for row in rows] for line in block.entries]
    entries = tuple(tuple(weighed(row, column) for row in rows) for column in zip(*half, strict=True))
    return Block(block.facts, tuple(weighed(row, block.basis) for row in rows), entries, block.strict)


def rational_basis(rows: Any) -> list[list[Any]]:
    """The reduced basis of the row space, with entries rounded to simple fractions."""
    line = 0
    for column in range(rows.shape[1]):
        best = line + int(np.argmax(abs(rows[line:, column])))
        if abs(rows[best, column]) < 10 * SMALL:
            continue
        rows[[line, best]] = rows[[best, line]]
        rows[line] /= rows[line, column]
        others = np.arange(len(rows)) != line
        rows[others] -= np.outer(rows[others, column], rows[line])
        line += 1
        if line == len(rows):
            break
    return [[simple(v, SIMPLE) for v in row] for row in rows]


def weighed(coefficients: Sequence[Any], polynomials: Sequence[Polynomial]) -> Polynomial:
    return sum((p * c for c, p in zip(coefficients, polynomials, strict=True)), polynomials[0] * 0)
