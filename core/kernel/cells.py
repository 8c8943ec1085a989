"""Covers: a box is cut into cells, and on each the gap has its sign by one of these rules, over balls.

  natural                       the ball of the gap over the cell has the sign
  mean                          the mean value form has it: value at the middle, plus slopes times reach
  zero                          the gap vanishes identically on this face (by its normal form)
  outside, i                    fact i of the context fails on the whole cell
  taylor, i, side, m, rule      the gap vanishes to order m at that end of variable i, and by the rule the
                                m-th derivative, signed so that (x - end)**m times it counts, has the sign
  slope, i, side, away, on      on that face of the cell the gap has the sign, and it does not fall away from it

Every rule asks first for a finite ball of the gap over the cell: there all functions of the language are
defined and continuous, and differentiable off a thin set, which is what mean values need.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .context import Context, Fact
from .evaluate import BALLS, Ball, Program, hull, precision
from .ring import is_zero
from .rules import Audit, Proof, is_strict, rule
from .terms import Rejected, Term, derivative, free, number, require, substitute

LOW, HIGH = 0, 1
Region = tuple[tuple[Fraction, Fraction], ...]
Cell = tuple[tuple[int, int], ...]  # (k, d): the k-th of 2**d equal parts
MAX_BITS, MAX_CELLS, MAX_ORDER = 4096, 200_000, 16


@rule
def cells(context: Context, goal: Fact, proof: Proof, audit: Audit) -> None:
    """The cells tile the box that the ranges of the variables make, and each rule holds on its cell."""
    strict, names, box, excluded = is_strict(goal), tuple(proof["variables"]), [], set()
    require(len(set(names)) == len(names) and free(goal.gap) <= set(names), "which variables make the box?")
    for i, name in enumerate(names):
        r = context.ranges[name]
        if r.low is None or r.high is None:
            raise Rejected(f"{name} has no bounded range")
        box.append((r.low, r.high))
        excluded |= {(i, side) for side, out in ((LOW, r.low_open), (HIGH, r.high_open)) if out}
    bits, leaves = proof["bits"], [(tuple((k, d) for k, d in cell), why) for cell, why in proof["leaves"]]
    require(2 <= bits <= MAX_BITS and len(leaves) <= MAX_CELLS, "too much work")
    require(all(len(cell) == len(names) for cell, _ in leaves), "a cell has the wrong dimension")
    require(all(type(n) is int for cell, _ in leaves for at in cell for n in at), "a cell is not whole")
    require(tiles(((0, 0),) * len(names), [cell for cell, _ in leaves]), "the cells do not tile the box")
    audit.rests_on.add("balls")
    cover = Cover(context, names, tuple(box), frozenset(excluded))
    with precision(bits):
        for cell, why in leaves:
            region = tuple(part(ends, *at) for ends, at in zip(box, cell, strict=True))
            outside = isinstance(why, list) and why[0] == "outside"
            fine = (
                cover.fails(context.facts[why[1]], region)
                if outside
                else cover.shown(why, goal.gap, region, strict)
            )
            require(fine, f"{why} does not hold on {region}")


def part(ends: tuple[Fraction, Fraction], k: int, d: int) -> tuple[Fraction, Fraction]:
    require(0 <= d <= 200 and 0 <= k < 1 << d, "a cell lies outside the box")
    width = (ends[1] - ends[0]) / (1 << d)
    return ends[0] + k * width, ends[0] + (k + 1) * width


def tiles(region: Cell, found: list[Cell]) -> bool:
    """Do the cells fill the region without overlap?  By halving along a coordinate that no cell straddles."""
    if found == [region]:
        return True
    for i, (k, d) in enumerate(region):
        if found and all(cell[i][1] > d for cell in found):
            sides: tuple[list[Cell], list[Cell]] = ([], [])
            for cell in found:
                sides[cell[i][0] >> (cell[i][1] - d - 1) & 1].append(cell)
            halves = [(*region[:i], (2 * k + j, d + 1), *region[i + 1 :]) for j in (0, 1)]
            return tiles(halves[0], sides[0]) and tiles(halves[1], sides[1])
    return False


@lru_cache(1000)
def program(f: Term, names: tuple[str, ...]) -> Program:
    return Program([f], names, BALLS)


@dataclass(frozen=True)
class Cover:
    """One box with the faces left out of it."""

    context: Context
    names: tuple[str, ...]
    box: Region
    excluded: frozenset[tuple[int, int]]

    def over(self, f: Term, region: Region) -> Ball:
        return program(f, self.names)(*(hull(a, b) for a, b in region))[0]

    def shown(self, why: Any, f: Term, region: Region, strict: bool) -> bool:
        """Does the rule show f >= 0 (> 0 off the excluded faces, if strict) on the region?"""
        over = self.over(f, region)
        if not over.is_finite():
            return False
        moving = [i for i, (a, b) in enumerate(region) if a < b]
        fixed = {self.names[i]: number(a) for i, (a, b) in enumerate(region) if a == b}
        if why == "natural":
            return bool(over > 0 or (over >= 0 and not strict))
        if why == "zero":
            return not strict and is_zero(substitute(f, fixed))
        if why == "mean":
            total = self.over(f, tuple(((a + b) / 2, (a + b) / 2) for a, b in region))
            for i in moving:
                slope = self.over(derivative(f, self.names[i]), region)
                total += slope * hull((region[i][0] - region[i][1]) / 2, (region[i][1] - region[i][0]) / 2)
            return bool(total > 0)
        if not isinstance(why, list) or len(why) != 5 or why[1] not in moving or why[2] not in (LOW, HIGH):
            return False
        word, i, side, first, second = why
        end = region[i][side]
        left_out = (i, side) in self.excluded and end == self.box[i][side]
        if word == "taylor":
            if not isinstance(first, int) or not 1 <= first <= MAX_ORDER or (strict and not left_out):
                return False
            for _ in range(first):
                if not is_zero(substitute(f, {**fixed, self.names[i]: number(end)})):
                    return False
                f = derivative(f, self.names[i])
                if not self.over(f, region).is_finite():
                    return False
            return self.shown(second, -f if side == HIGH and first % 2 else f, region, strict)
        face = (*region[:i], (end, end), *region[i + 1 :])
        away = derivative(f, self.names[i]) if side == LOW else -derivative(f, self.names[i])
        if word != "slope" or not self.over(away, region).is_finite():
            return False
        ways = [(strict, False)] + [(False, True)] * (strict and left_out)
        return any(self.shown(second, f, face, at) and self.shown(first, away, region, on) for at, on in ways)

    def fails(self, fact: Fact, region: Region) -> bool:
        """Is the fact false, wherever it is defined, on the whole region?"""
        if not free(fact.gap) <= set(self.names):
            return False
        over = self.over(fact.gap, region)
        return bool(
            {">=": over < 0, ">": over <= 0, "==": over < 0 or over > 0, "!=": over.is_zero()}[fact.op]
        )
