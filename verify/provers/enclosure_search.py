"""Branch and bound: cut the box until every cell has a rule, or one cell resists.

Most cells go by the quick rules (natural, mean, monotone towards a side); cells that touch a face
where the gap is exactly zero go by all rules.  Balls that straddle zero at a single point are limited
by precision rather than by the cell, so then the precision is raised for the rest of the search.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp
from glbcheck.core.enclosure import Ball, ball_stages, precision, set_precision
from glbcheck.verify.provers.enclosure_rules import Rule, Rules
from glbcheck.verify.provers.enclosure_task import HIGH, LOW, Cell, Hypothesis, Task, axes, cell_balls

BITS, MAX_BITS = 64, 512
MAX_DEPTH = 60
PATIENCE = 12  # cells that may resist before the search is given up; others may still yield a point
MAX_POINTS = 40

Leaf = tuple[Cell, Rule]
Point = dict[str, Fraction]


@dataclass
class Outcome:
    """Leaves that cover the box, unless a cell is stuck, the search was cut short or a point was taken."""

    leaves: list[Leaf] = field(default_factory=list)
    stuck: list[Cell] = field(default_factory=list)
    boxes: int = 0
    bits: int = BITS
    depth: int = 0
    reason: str = ""
    refuted: object = None

    @property
    def covered(self) -> bool:
        return not self.stuck and not self.reason and self.refuted is None


def search(
    task: Task, budget: int, try_point: Callable[[Point], object] = lambda point: None, patience: int = PATIENCE
) -> Outcome:
    """Look for leaves that cover the box; `try_point` may end the search by returning a refutation."""
    with precision(BITS):
        return _Search(task, budget, try_point, patience).run() if task.symbols else number(task)


def number(task: Task) -> Outcome:
    """The sign of a gap without variables."""
    outcome = Outcome(boxes=1)
    while outcome.bits <= MAX_BITS:
        with precision(outcome.bits):
            value = ball_stages([task.written], [], ())[0]([])[0][0]
        if value > 0 or (value >= 0 and not task.strict):
            outcome.leaves.append(((), "natural"))
            return outcome
        outcome.bits *= 2
    outcome.stuck.append(())
    return outcome


class _Search:
    def __init__(self, task: Task, budget: int, try_point: Callable[[Point], object], patience: int) -> None:
        self.task, self.budget, self.try_point, self.patience = task, budget, try_point, patience
        self.rules = Rules(task)
        self.begin, self.proceed = self.rules.functions(task.gap)
        self.zeros = self.rules.zero_faces()
        self.grid = axes(task)
        self.outside = hypothesis_check(task.hypotheses, task.symbols)
        self.outcome = Outcome()
        self.points = 0

    def run(self) -> Outcome:
        found, stack = self.outcome, [self.task.root()]
        while stack:
            cell = stack.pop()
            found.boxes += 1
            if found.boxes > self.budget:
                found.reason = f"the budget of {self.budget} boxes is spent"
                found.stuck.append(cell)
                return found
            settled = self.settle(cell)
            if found.refuted is not None:
                return found
            if isinstance(settled, int):
                if cell[settled][1] < MAX_DEPTH:
                    stack.extend(halves(cell, settled))
                    continue
                found.stuck.append(cell)
                if len(found.stuck) >= self.patience:
                    found.reason = "cells resist however small they are"
                    return found
            else:
                found.leaves.append((cell, settled))
                found.depth = max(found.depth, *(d for _, d in cell))
        return found

    def settle(self, cell: Cell) -> Rule | int:
        """The rule that decides the cell, or the coordinate to cut."""
        balls = cell_balls(self.grid, cell)
        if self.outside is not None and (which := self.outside(balls)) is not None:
            return ["outside", which]
        (value,), memory = self.begin(balls)
        strict = self.task.strict
        if value > 0 or (not strict and value >= 0):
            return "natural"
        middle = [axis.middle(k, d) for axis, (k, d) in zip(self.grid, cell, strict=True)]
        centre = self.begin(middle)[0][0]
        if centre < 0 or (strict and centre <= 0):
            self.offer(cell, middle)
        slopes = self.proceed(memory) if self.proceed is not None else []
        if not value.is_finite() or not slopes or not all(s.is_finite() for s in slopes):
            return self.widest(cell)
        changes = [s * axis.reach(d) for s, axis, (_, d) in zip(slopes, self.grid, cell, strict=True)]
        total = centre
        for change in changes:
            total = total + change
        if total > 0:
            return "mean"
        if not centre > 0:
            self.raise_precision(centre)
        if rule := self.monotone(cell, slopes):
            return rule
        if self.touches_zero(cell) and (
            rule := self.rules.prove(self.task.gap, self.grid, cell, (None,) * len(cell), strict)
        ):
            return rule
        return self.most_important(cell, changes)

    def monotone(self, cell: Cell, slopes: list[Ball]) -> Rule | None:
        """Where slopes have a sign, the smallest value sits on a smaller face: is it positive there?"""
        sides = tuple(LOW if s >= 0 else HIGH if s <= 0 else None for s in slopes)
        if sides.count(None) == len(sides):
            return None
        (value,), memory = self.begin(cell_balls(self.grid, cell, sides))
        rule: Rule = "natural"
        if not (value > 0 or (value >= 0 and not self.task.strict)):
            rule = None
            if None in sides and value.is_finite() and self.proceed is not None:
                rule = self.mean_on_face(cell, sides, self.proceed(memory))
        if rule is None:
            return None
        # The last side held is the innermost rule.
        for i in reversed([i for i, side in enumerate(sides) if side is not None]):
            rule = ["slope", i, sides[i], "natural", rule]
        return rule

    def mean_on_face(self, cell: Cell, sides: tuple[int | None, ...], slopes: list[Ball]) -> Rule | None:
        middle, change = [], None
        for axis, (k, d), side, slope in zip(self.grid, cell, sides, slopes, strict=True):
            middle.append(axis.middle(k, d) if side is None else axis.end(k, d, side))
            if side is None:
                part = slope * axis.reach(d)
                change = part if change is None else change + part
        return "mean" if self.begin(middle)[0][0] + change > 0 else None

    def touches_zero(self, cell: Cell) -> bool:
        held = tuple((self.task.at_end(cell, i, LOW), self.task.at_end(cell, i, HIGH)) for i in range(len(cell)))
        return any(all(side is None or held[i][side] for i, side in enumerate(face)) for face in self.zeros)

    def raise_precision(self, centre: Ball) -> None:
        """At a point the ball should be thin: if it straddles zero, more bits may part it from zero."""
        bits = self.outcome.bits
        if centre.is_finite() and not centre < 0 and bits < MAX_BITS and not centre.is_exact():
            self.outcome.bits = 2 * bits
            set_precision(2 * bits)
            self.grid = axes(self.task)

    def offer(self, cell: Cell, middle: list[Ball]) -> None:
        """Try the middle as a counterexample, unless a hypothesis fails there."""
        if self.points < MAX_POINTS and (self.outside is None or self.outside(middle) is None):
            self.points += 1
            self.outcome.refuted = self.try_point(self.task.middle(cell))

    def widest(self, cell: Cell) -> int:
        return min(range(len(cell)), key=lambda i: (self.task.box[i][0] == self.task.box[i][1], cell[i][1]))

    def most_important(self, cell: Cell, changes: list[Ball]) -> int:
        best, size = -1, None
        for i, change in enumerate(changes):
            extent = change.abs_upper()
            if size is None or extent > size:
                best, size = i, extent
        # A slope that is nearly zero hides curvature: no coordinate falls far behind the others.
        last = self.widest(cell)
        return last if cell[last][1] + 6 < cell[best][1] else best


def halves(cell: Cell, i: int) -> list[Cell]:
    k, d = cell[i]
    return [(*cell[:i], (2 * k + child, d + 1), *cell[i + 1 :]) for child in (1, 0)]


def hypothesis_check(
    hypotheses: tuple[Hypothesis, ...], symbols: tuple[sp.Symbol, ...]
) -> Callable[[list[Ball]], int | None] | None:
    """The number of a hypothesis that fails at every point of the balls, or None."""
    if not hypotheses:
        return None
    begin, _ = ball_stages([h.gap for h in hypotheses], [], symbols)
    tests = [VIOLATED[h.operator] for h in hypotheses]

    def outside(balls: list[Ball]) -> int | None:
        for number, (value, violated) in enumerate(zip(begin(balls)[0], tests, strict=True)):
            if violated(value):
                return number
        return None

    return outside


VIOLATED: dict[str, Callable[[Ball], bool]] = {
    ">=": lambda gap: gap < 0,
    ">": lambda gap: gap <= 0,
    "<=": lambda gap: gap > 0,
    "<": lambda gap: gap >= 0,
    "==": lambda gap: gap > 0 or gap < 0,
    "!=": lambda gap: bool(gap == 0),
}
