"""What there is to show, and the cells into which a box is cut.

A task is compact: every coordinate runs over [low, high] with rational ends.  A cell is one dyadic
interval per coordinate, written (k, d): the k-th of the 2^d equal parts of [low, high].  A cell may be
restricted to a face, where some coordinates sit at the low or the high end of their interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import Ball, arb, ball

LOW, HIGH = 0, 1
Cell = tuple[tuple[int, int], ...]
Sides = tuple[int | None, ...]
"""Per coordinate: None for the whole interval of the cell, LOW or HIGH for one end of it."""


@dataclass(frozen=True)
class Hypothesis:
    """`gap operator 0`, with the gap exactly as written."""

    gap: sp.Expr
    operator: str


@dataclass(frozen=True)
class Task:
    """gap >= 0 (> 0 if strict) wherever the hypotheses hold in the box, excluded faces left out.

    `written` has the value of `gap` but nothing cancelled: where it is finite, the statement as written
    makes sense.  `excluded` holds pairs (coordinate, LOW or HIGH) that do not belong to the domain.
    """

    written: sp.Expr
    gap: sp.Expr
    symbols: tuple[sp.Symbol, ...]
    box: tuple[tuple[Fraction, Fraction], ...]
    strict: bool
    hypotheses: tuple[Hypothesis, ...] = ()
    excluded: frozenset[tuple[int, int]] = frozenset()

    def root(self) -> Cell:
        return ((0, 0),) * len(self.box)

    def interval(self, cell: Cell, i: int) -> tuple[Fraction, Fraction]:
        (low, high), (k, d) = self.box[i], cell[i]
        return low + (high - low) * Fraction(k, 2**d), low + (high - low) * Fraction(k + 1, 2**d)

    def middle(self, cell: Cell) -> dict[str, Fraction]:
        ends = [self.interval(cell, i) for i in range(len(cell))]
        return {s.name: (a + b) / 2 for s, (a, b) in zip(self.symbols, ends, strict=True)}

    def shown(self, cell: Cell) -> str:
        pairs = ((s.name, *self.interval(cell, i)) for i, s in enumerate(self.symbols))
        return ", ".join(f"{name} in [{a}, {b}]" for name, a, b in pairs)

    def at_end(self, cell: Cell, i: int, side: int) -> bool:
        """Is this side of the cell a side of the whole box?"""
        k, d = cell[i]
        return k == (0 if side == LOW else 2**d - 1)


class Axis:
    """The balls of one coordinate, at the precision of its making.

    flint's radius has 30 bits and is rounded up by arithmetic, so the balls [0, w/2^d] are made once for
    each d, exactly where w allows, and then only moved.
    """

    def __init__(self, low: Fraction, high: Fraction) -> None:
        self.width = high - low
        self.low = ball(low)
        self.made: dict[int, tuple[Ball, Ball, Ball, Ball, Ball]] = {}

    def pieces(self, d: int) -> tuple[Ball, Ball, Ball, Ball, Ball]:
        """Step, first cell, its middle, its high end, and the range of x - middle."""
        if d not in self.made:
            step, half = self.width / 2**d, self.width / 2 ** (d + 1)
            first = centred(half, half) + self.low
            self.made[d] = (ball(step), first, ball(half) + self.low, ball(step) + self.low, centred(Fraction(0), half))
        return self.made[d]

    def cell(self, k: int, d: int) -> Ball:
        pieces = self.pieces(d)
        return pieces[0] * k + pieces[1]

    def middle(self, k: int, d: int) -> Ball:
        pieces = self.pieces(d)
        return pieces[0] * k + pieces[2]

    def reach(self, d: int) -> Ball:
        return self.pieces(d)[4]

    def end(self, k: int, d: int, side: int) -> Ball:
        pieces = self.pieces(d)
        return pieces[0] * k + (pieces[3] if side == HIGH else self.low)


def centred(middle: Fraction, radius: Fraction) -> Ball:
    """[middle - radius, middle + radius], exactly when both are short dyadic numbers."""
    parts = [(x.numerator, 1 - x.denominator.bit_length()) for x in (middle, radius)]
    if all(x.denominator == 2**-e for x, (_, e) in zip((middle, radius), parts, strict=True)):
        return arb(*parts)
    return ball(middle - radius).union(ball(middle + radius))


def axes(task: Task) -> list[Axis]:
    return [Axis(low, high) for low, high in task.box]


def cell_balls(grid: list[Axis], cell: Cell, sides: Sides | None = None) -> list[Ball]:
    """One ball per coordinate; a coordinate held at a side is a point."""
    if sides is None:
        return [axis.cell(k, d) for axis, (k, d) in zip(grid, cell, strict=True)]
    return [
        axis.cell(k, d) if side is None else axis.end(k, d, side)
        for axis, (k, d), side in zip(grid, cell, sides, strict=True)
    ]


def substituted(expr: sp.Expr, values: Mapping[sp.Symbol, Fraction]) -> sp.Expr:
    return expr.subs({s: sp.Rational(v.numerator, v.denominator) for s, v in values.items()})
