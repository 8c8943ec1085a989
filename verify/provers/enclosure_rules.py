"""Why an expression is nonnegative on a cell: the rules, each a theorem about continuous functions.

  natural                       the ball of the expression over the cell has the sign
  mean                          the mean value form has it: value at the middle, plus slopes times reach
  zero                          the expression vanishes identically on this face (exactly decided)
  [taylor, i, side, m, rule]    it vanishes to order m at the end c of x_i, and by the rule the m-th
                                derivative in x_i, signed so that (x_i - c)^m times it counts, is fine:
                                f = (x_i - c)^m / m! times a mean of that derivative
  [slope, i, side, on slope, on face]
                                f at the side of x_i is fine, and f does not fall away from that side

Every rule first asks for a finite ball of the expression over the cell.  The functions of the formula
language are continuous where their balls are finite, and their derivatives hold off a thin set, which
is all that mean values need.  "Positive" is meant off the excluded faces of the task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, ball_stages
from glbcheck.verify.provers.enclosure_task import HIGH, LOW, Axis, Cell, Sides, Task, cell_balls, substituted
from glbcheck.verify.provers.ring import is_zero

Rule = Any  # nested lists and words, as above: what JSON can hold
MAX_ORDER = 8
MAX_RULES = 5  # how far rules are nested; a slope, which asks for two proofs, counts twice
Begin = Callable[[list[Ball]], tuple[list[Ball], list[Ball]]]
Proceed = Callable[[list[Ball]], list[Ball]]


class Rules:
    """Proves signs on cells of one task; everything symbolic is done once and remembered."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.compiled: dict[sp.Expr, tuple[Begin, Proceed | None]] = {}
        self.derived: dict[tuple[sp.Expr, int], sp.Expr] = {}
        self.vanishing: dict[Any, bool] = {}

    def functions(self, expr: sp.Expr) -> tuple[Begin, Proceed | None]:
        """The value of an expression over balls and, where it can be enclosed, its gradient."""
        if expr not in self.compiled:
            value = [self.task.written if expr == self.task.gap else expr]
            slopes = [self.derivative(expr, i) for i in range(len(self.task.symbols))]
            try:
                self.compiled[expr] = ball_stages(value, slopes, self.task.symbols)
            except NotEnclosed:
                self.compiled[expr] = ball_stages(value, [], self.task.symbols)[0], None
        return self.compiled[expr]

    def derivative(self, expr: sp.Expr, i: int) -> sp.Expr:
        if (expr, i) not in self.derived:
            self.derived[expr, i] = sp.diff(expr, self.task.symbols[i])
        return self.derived[expr, i]

    def vanishes(self, expr: sp.Expr, cell: Cell, sides: Sides) -> bool:
        """Is the expression exactly zero on this face of the box?  Asked only of faces of the whole box."""
        held = [(i, side) for i, side in enumerate(sides) if side is not None]
        if not all(self.task.at_end(cell, i, side) for i, side in held):
            return False
        key = expr, tuple(held)
        if key not in self.vanishing:
            values = {self.task.symbols[i]: self.task.box[i][side] for i, side in held}
            self.vanishing[key] = exactly_zero(substituted(expr, values))
        return self.vanishing[key]

    def order(self, expr: sp.Expr, cell: Cell, sides: Sides, i: int, side: int) -> int:
        """How many derivatives in x_i, from the zeroth on, vanish where x_i is at that side as well."""
        sides = (*sides[:i], side, *sides[i + 1 :])
        for m in range(MAX_ORDER + 1):
            if not self.vanishes(expr, cell, sides):
                return m
            expr = self.derivative(expr, i)
        return 0

    def prove(
        self, expr: sp.Expr, grid: Sequence[Axis], cell: Cell, sides: Sides, strict: bool, depth: int = MAX_RULES
    ) -> Rule | None:
        """A rule by which expr >= 0 (> 0 if strict) on this face of the cell, or None."""
        begin, proceed = self.functions(expr)
        (value,), memory = begin(cell_balls(list(grid), cell, sides))
        if not value.is_finite():
            return None
        if value > 0 or (value >= 0 and not strict):
            return "natural"
        if not strict and value.contains(0) and self.vanishes(expr, cell, sides):
            return "zero"
        free = [i for i, side in enumerate(sides) if side is None]
        if proceed is None or depth == 0 or not free:
            return None
        middle = [
            axis.middle(k, d) if side is None else axis.end(k, d, side)
            for axis, (k, d), side in zip(grid, cell, sides, strict=True)
        ]
        total = begin(middle)[0][0]
        if total < 0:
            return None
        slopes = proceed(memory)
        if not all(slopes[i].is_finite() for i in free):
            return None
        for i in free:
            total += slopes[i] * grid[i].reach(cell[i][1])
        if total > 0:
            return "mean"
        for i, side in product(free, (LOW, HIGH)):
            if rule := self.taylor(expr, grid, cell, sides, strict, depth, i, side):
                return rule
        for i, side in product(free, (LOW, HIGH)) if depth >= 2 else ():
            falls = slopes[i] < 0 if side == LOW else slopes[i] > 0
            if not falls and (rule := self.slope(expr, grid, cell, sides, strict, depth, i, side)):
                return rule
        return None

    def taylor(
        self, expr: sp.Expr, grid: Sequence[Axis], cell: Cell, sides: Sides, strict: bool, depth: int, i: int, side: int
    ) -> Rule | None:
        if not self.task.at_end(cell, i, side) or (strict and (i, side) not in self.task.excluded):
            return None
        order = self.order(expr, cell, sides, i, side)
        if order == 0:
            return None
        balls = cell_balls(list(grid), cell, sides)
        for _ in range(order):
            expr = self.derivative(expr, i)
            if not self.functions(expr)[0](balls)[0][0].is_finite():
                return None
        signed = -expr if side == HIGH and order % 2 else expr
        below = self.prove(signed, grid, cell, sides, strict, depth - 1)
        return below and ["taylor", i, side, order, below]

    def slope(
        self, expr: sp.Expr, grid: Sequence[Axis], cell: Cell, sides: Sides, strict: bool, depth: int, i: int, side: int
    ) -> Rule | None:
        face = (*sides[:i], side, *sides[i + 1 :])
        rising = self.derivative(expr, i) if side == LOW else -self.derivative(expr, i)
        # Positive on the side and not falling; or nonnegative on a side left out, and rising.
        ways = [(strict, False)]
        if strict and self.task.at_end(cell, i, side) and (i, side) in self.task.excluded:
            ways.append((False, True))
        for on_face, on_slope in ways:
            if (at := self.prove(expr, grid, cell, face, on_face, depth - 2)) and (
                away := self.prove(rising, grid, cell, sides, on_slope, depth - 2)
            ):
                return ["slope", i, side, away, at]
        return None

    def zero_faces(self) -> list[Sides]:
        """The faces of the box, of any dimension, on which the gap vanishes identically."""
        root = self.task.root()
        found: list[Sides] = []
        for sides in faces(len(root)):
            if not any(covers(known, sides) for known in found) and self.vanishes(self.task.gap, root, sides):
                found.append(sides)
        return found


def faces(count: int) -> Iterator[Sides]:
    """All faces of a cube, the cube itself among them, large ones first."""
    yield from sorted(product((None, LOW, HIGH), repeat=count), key=lambda s: -s.count(None))


def covers(large: Sides, small: Sides) -> bool:
    return all(a is None or a == b for a, b in zip(large, small, strict=True))


def exactly_zero(expr: sp.Expr) -> bool:
    """Decided by exact arithmetic; False means only that it was not seen."""
    if expr.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        return False
    try:
        return is_zero(expr)
    except (TypeError, ZeroDivisionError, RecursionError, NotImplementedError):
        return False
