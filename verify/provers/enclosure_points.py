"""Exact points of a box at which a statement is tried: short ones near by, and a few far away."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from glbcheck.verify.provers.enclosure_problem import Problem
from glbcheck.verify.provers.enclosure_search import halves
from glbcheck.verify.provers.enclosure_task import HIGH, LOW, Task

NEAR = 16
CELLS = 300


def inner_points(problem: Problem) -> Iterator[dict[str, Fraction]]:
    """Corners and middles of a few hundred cells, large ones first; infinite ends are brought near."""
    box = []
    for low, high in problem.box:
        a = low if low is not None else min(Fraction(-NEAR), (high or Fraction(0)) - NEAR)
        b = high if high is not None else max(Fraction(NEAR), (low or Fraction(0)) + NEAR)
        box.append((a, b))
    task = Task(problem.written, problem.gap, problem.symbols, tuple(box), problem.strict)
    names = [s.name for s in task.symbols]
    queue = [task.root()]
    for count in range(CELLS):
        cell = queue.pop(0)
        ends = [task.interval(cell, i) for i in range(len(cell))]
        if count < CELLS // 4:
            for sides in product((LOW, HIGH), repeat=len(cell)):
                yield {n: e[s] for n, e, s in zip(names, ends, sides, strict=True)}
        yield task.middle(cell)
        queue += halves(cell, min(range(len(cell)), key=lambda i: cell[i][1]))


def far_points(problem: Problem) -> Iterator[dict[str, Fraction]]:
    """Powers of two along every unbounded direction, with the other coordinates at their ends."""
    far = [Fraction(2) ** k for k in range(0, 41, 4)]
    ranges = []
    for low, high in problem.box:
        right = [x for x in far if high is None and (low is None or x > low)]
        left = [-x for x in far if low is None and (high is None or -x < high)]
        ranges.append([x for x in (low, high) if x is not None] + right + left)
    if any(None in ends for ends in problem.box):
        for point in product(*ranges):
            yield dict(zip([s.name for s in problem.symbols], point, strict=True))
