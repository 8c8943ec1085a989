"""Checks a cover: are these cells the whole box, and does each rule give its cell the sign?

Nothing is taken from the search on trust: the cells must tile the box exactly, and every rule (they are
explained in `enclosure_rules`) is evaluated again, with more bits and by the code below alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import Ball, ball_function, precision
from glbcheck.verify.provers.enclosure_rules import exactly_zero
from glbcheck.verify.provers.enclosure_search import VIOLATED
from glbcheck.verify.provers.enclosure_task import HIGH, LOW, Cell, Task, centred, substituted

Region = tuple[tuple[Fraction, Fraction], ...]
EXTRA_BITS = 32
derivative = cache(sp.diff)


class Rejected(ValueError):
    """The certificate does not prove its claim; the message says where it fails."""


def require(condition: Any, reason: str) -> None:
    if not condition:
        raise Rejected(reason)


def check_cells(task: Task, rows: Sequence[Any], bits: int) -> None:
    """Rows [cell, rule] must tile the box of the task and prove it, or `Rejected` is raised."""
    leaves: list[tuple[Cell, Any]] = [(tuple((k, d) for k, d in cell), rule) for cell, rule in rows]
    require(all(len(cell) == len(task.box) for cell, _ in leaves), "a cell has the wrong dimension")
    volume = sum(Fraction(1, 2 ** sum(d for _, d in cell)) for cell, _ in leaves)
    require(volume == 1 and tiles(task.root(), [cell for cell, _ in leaves]), "the cells do not tile the box")
    with precision(bits + EXTRA_BITS):
        for cell, rule in leaves:
            region = tuple(task.interval(cell, i) for i in range(len(cell)))
            if isinstance(rule, list) and rule[0] == "outside":
                h = task.hypotheses[rule[1]]
                fine = VIOLATED[h.operator](value(h.gap, task.symbols, region))
            else:
                fine = holds(rule, task.gap, task, region, task.strict, task.written)
            require(fine, f"{rule} does not hold on {task.shown(cell)}")


def tiles(region: Cell, found: list[Cell]) -> bool:
    """Do the cells fill the region without overlap?  By halving along a coordinate that no cell straddles."""
    if found == [region]:
        return True
    for i, (k, d) in enumerate(region):
        if found and all(cell[i][1] > d for cell in found):
            sides: tuple[list[Cell], list[Cell]] = ([], [])
            for cell in found:
                sides[cell[i][0] >> (cell[i][1] - d - 1) & 1].append(cell)
            half = [(*region[:i], (2 * k + j, d + 1), *region[i + 1 :]) for j in (0, 1)]
            return tiles(half[0], sides[0]) and tiles(half[1], sides[1])
    return False


@cache
def compiled(expr: sp.Expr, symbols: tuple[sp.Symbol, ...]) -> Any:
    return ball_function(expr, symbols)


def value(expr: sp.Expr, symbols: tuple[sp.Symbol, ...], region: Region) -> Ball:
    return compiled(expr, symbols)(*(centred((a + b) / 2, (b - a) / 2) for a, b in region))


def holds(rule: Any, expr: sp.Expr, task: Task, region: Region, strict: bool, written: sp.Expr | None = None) -> bool:
    """Does the rule show expr >= 0 (> 0 if strict) on the region, off the excluded faces?"""
    over = value(expr if written is None else written, task.symbols, region)
    free = [i for i, (a, b) in enumerate(region) if a < b]
    fixed = {s: a for s, (a, b) in zip(task.symbols, region, strict=True) if a == b}
    if not over.is_finite():
        return False
    if rule == "natural":
        return bool(over > 0 or (over >= 0 and not strict))
    if rule == "zero":
        return not strict and exactly_zero(substituted(expr, fixed))
    if rule == "mean":
        total = value(expr, task.symbols, tuple(((a + b) / 2, (a + b) / 2) for a, b in region))
        for i in free:
            slope = value(derivative(expr, task.symbols[i]), task.symbols, region)
            total += slope * centred(Fraction(0), (region[i][1] - region[i][0]) / 2)
        return bool(total > 0)
    word, i, side = rule[:3]
    x, c = task.symbols[i], region[i][side]
    left_out = (i, side) in task.excluded and c == task.box[i][side]
    if word == "taylor":
        order, signed = rule[3], expr
        if order < 1 or (strict and not left_out):
            return False
        for _ in range(order):
            if not exactly_zero(substituted(signed, {**fixed, x: c})):
                return False
            signed = derivative(signed, x)
            if not value(signed, task.symbols, region).is_finite():
                return False
        return holds(rule[4], -signed if side == HIGH and order % 2 else signed, task, region, strict)
    if word == "slope":
        face = (*region[:i], (c, c), *region[i + 1 :])
        away = derivative(expr, x) * (1 if side == LOW else -1)
        if not value(away, task.symbols, region).is_finite():
            return False
        on = [(strict, False)] + [(False, True)] * (strict and left_out)
        return any(
            holds(rule[4], expr, task, face, at, written) and holds(rule[3], away, task, region, slope)
            for at, slope in on
        )
    return False
