"""The link of a family on [-S, S]: three families in closed form, any other as a table of polynomials.

A table is: the number n of cells, S, n / (2 S); then for each function n rows of eight coefficients, of powers of the
place in the cell from -1 to 1.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel, small
from glbcheck.core.family import Family

BERNOULLI, POISSON, GAUSSIAN, TABLE = 0.0, 1.0, 2.0, 3.0
_CLOSED = {"bernoulli": BERNOULLI, "poisson": POISSON, "gaussian": GAUSSIAN}
_TERMS = 8
_CELLS, _MOST_CELLS = 32, 2**13
_ACCURACY = 2.0**-51  # of the largest value in a cell


def kind_of(family: Family) -> float:
    """Which closed form, or TABLE.  The name of a family that is not from the catalogue says nothing."""
    return _CLOSED.get(family.name, TABLE) if family._named else TABLE


def tabulated(family: Family, S: float, derivatives: tuple[int, ...] = (1, 2)) -> Floats:
    """The table of these derivatives of the log-partition function on [-S, S]."""
    question = f"table of {derivatives} on {S!r}"
    return np.array(family.kept(question, lambda: _fitted(family, S, derivatives).tolist()))


def _fitted(family: Family, S: float, derivatives: tuple[int, ...]) -> Floats:
    """As few cells, of a power of two, as give every value to rounding, or the most."""
    cells = _CELLS
    while True:
        rows = [_rows(family, S, derivative, cells) for derivative in derivatives]
        if cells == _MOST_CELLS or all(good for _, good in rows):
            return np.concatenate([[cells, S, cells / (2 * S)], *(row.ravel() for row, _ in rows)])
        cells *= 2


def _rows(family: Family, S: float, derivative: int, cells: int) -> tuple[Floats, bool]:
    """Polynomials through Chebyshev's points of each cell, and whether they are accurate between them."""
    nodes = np.cos(np.pi * (np.arange(_TERMS) + 0.5) / _TERMS)
    between = np.linspace(-1, 1, 11)
    middles = -S + S * (2 * np.arange(cells) + 1) / cells

    def values(t: Floats) -> Floats:
        return family.table(derivative, np.clip(middles[:, None] + t * (S / cells), -S, S))

    fit = np.linalg.inv(np.polynomial.chebyshev.chebvander(nodes, _TERMS - 1))
    series = values(nodes) @ fit.T
    to_powers = np.zeros((_TERMS, _TERMS))
    for n in range(_TERMS):
        powers = np.polynomial.chebyshev.cheb2poly(np.eye(_TERMS)[n, : n + 1])
        to_powers[n, : powers.size] = powers
    rows = series @ to_powers
    right = values(between)
    off = np.abs(rows @ (between ** np.arange(_TERMS)[:, None]) - right)
    return rows, bool((off.max(axis=1) <= _ACCURACY * np.abs(right).max(axis=1)).all())


@small
def from_table(numbers: Floats, table: int, which: int, z: float) -> float:
    """The value at z in [-S, S] of one of the functions of the table that begins at this place."""
    cells, S, per_unit = numbers[table], numbers[table + 1], numbers[table + 2]
    place = (z + S) * per_unit
    cell = min(max(math.floor(place), 0.0), cells - 1.0)
    t = 2.0 * (place - cell) - 1.0
    row = table + 3 + int((which * cells + cell) * 8.0)
    total = numbers[row + 7]
    for k in range(1, 8):
        total = total * t + numbers[row + 7 - k]
    return total  # type: ignore[no-any-return]


@kernel
def mean_and_slope(state: Floats, kind: float, table: int, z: float) -> tuple[float, float]:
    """mu(z) and mu'(z)."""
    if kind == 0.0:
        odds = math.exp(-abs(z))
        chance = 1.0 / (1.0 + odds)
        return (chance if z > 0.0 else odds * chance), odds * chance * chance
    if kind == 1.0:
        mean = math.exp(z)
        return mean, mean
    if kind == 2.0:
        return z, 1.0
    return from_table(state, table, 0, z), from_table(state, table, 1, z)
