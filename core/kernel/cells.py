"""Covers: a box is cut into cells, and on each the gap has its sign by a rule of docs/certificates.md, over balls."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .context import Context, Fact
from .evaluate import BALLS, Ball, Program, hull, precision
from .language import derivative
from .ring import is_zero
from .terms import Rejected, Term, number, require, substitute

LOW, HIGH = 0, 1
Region = tuple[tuple[Fraction, Fraction], ...]
Cell = tuple[tuple[int, int], ...]  # (k, d): the k-th of 2**d equal parts
MAX_BITS, MAX_CELLS, MAX_ORDER = 4096, 200_000, 16
_program = lru_cache(1000)(Program)


def cover(context: Context, goal: Fact, proof: Mapping[str, Any]) -> None:
    """The cells tile the box that the ranges of the variables make, and each rule holds on its cell."""
    names, box, excluded = tuple(proof["variables"]), list[tuple[Fraction, Fraction]](), set[tuple[int, int]]()
    require(len(set(names)) == len(names) and goal.gap.free <= set(names), "which variables make the box?")
    for i, name in enumerate(names):
        low, low_open, high, high_open = context.ranges[name]
        if low is None or high is None:
            raise Rejected(f"{name} has no bounded range")
        box.append((low, high))
        excluded |= {(i, side) for side, left_out in ((LOW, low_open), (HIGH, high_open)) if left_out}
    bits, leaves = proof["bits"], [(tuple((k, d) for k, d in cell), why) for cell, why in proof["leaves"]]
    require(2 <= bits <= MAX_BITS and len(leaves) <= MAX_CELLS, "too much work")
    require(all(type(n) is int for cell, _ in leaves for at in cell for n in at), "a cell is whole numbers")
    require(tiles(((0, 0),) * len(names), [cell for cell, _ in leaves]), "the cells do not tile the box")
    whole = Cover(names, tuple(box), frozenset(excluded))
    with precision(bits):
        for cell, why in leaves:
            region = whole.region(cell)
            outside = isinstance(why, list) and why[0] == "outside"
            fails = outside and whole.fails(context.facts[why[1]], region)
            require(fails or whole.shown(why, goal.gap, region, goal.strict), f"{why} does not hold on {region}")


def tiles(region: Cell, found: list[Cell]) -> bool:
    """Do the cells fill the region without overlap?  By halving along a coordinate that no cell straddles."""
    if found == [region]:
        return True
    for i, (k, d) in enumerate(region):
        if found and all(cell[i][1] > d for cell in found):
            halves = [(*region[:i], (2 * k + j, d + 1), *region[i + 1 :]) for j in (0, 1)]
            sides = [[cell for cell in found if cell[i][0] >> (cell[i][1] - d - 1) & 1 == j] for j in (0, 1)]
            return all(map(tiles, halves, sides))
    return False


@dataclass(frozen=True)
class Cover:
    """One box with the faces left out of it."""

    names: tuple[str, ...]
    box: Region
    excluded: frozenset[tuple[int, int]]

    def region(self, cell: Cell) -> Region:
        sides = [(low, (high - low) / (1 << d), k) for (low, high), (k, d) in zip(self.box, cell, strict=True)]
        return tuple((low + k * width, low + (k + 1) * width) for low, width, k in sides)

    def over(self, f: Term, region: Region) -> Ball:
        return _program((f,), self.names, BALLS)(*(hull(a, b) for a, b in region))[0]

    def shown(self, why: Any, f: Term, region: Region, strict: bool) -> bool:
        """Does the rule show f >= 0 (> 0 off the excluded faces, if strict) on the region?"""
        over = self.over(f, region)
        if not over.is_finite():  # else all is defined and continuous, and differentiable off a thin set
            return False
        if why == "natural":
            return bool(over > 0 or (over >= 0 and not strict))
        if why == "zero":
            fixed = {name: number(a) for name, (a, b) in zip(self.names, region, strict=True) if a == b}
            return not strict and is_zero(substitute(f, fixed))
        if why == "mean":
            total = self.over(f, tuple(((a + b) / 2, (a + b) / 2) for a, b in region))
            for name, (a, b) in zip(self.names, region, strict=True):
                total += self.over(derivative(f, name), region) * hull((a - b) / 2, (b - a) / 2) if a < b else 0
            return bool(total > 0)
        word, i, side, first, second = why
        require(word in ("slope", "taylor") and side in (LOW, HIGH) and region[i][0] < region[i][1], f"{why}?")
        if word == "taylor":
            require(type(first) is int and 0 <= first <= MAX_ORDER, f"Taylor's formula to order {first}")
            if first == 0:
                return self.shown(second, f, region, strict)
            first, second = ["taylor", i, side, first - 1, second], "zero"
        slope, end = derivative(f, self.names[i]), region[i][side]
        away, face = slope if side == LOW else -slope, (*region[:i], (end, end), *region[i + 1 :])
        left_out = (i, side) in self.excluded and end == self.box[i][side]
        ways = [(strict, False)] + [(False, True)] * (strict and left_out)
        return any(self.shown(second, f, face, on) and self.shown(first, away, region, off) for on, off in ways)

    def fails(self, fact: Fact, region: Region) -> bool:
        """Is the fact false, wherever it is defined, on the whole region?"""
        if not fact.gap.free <= set(self.names):
            return False
        over = self.over(fact.gap, region)
        return bool({">=": over < 0, ">": over <= 0, "==": over < 0 or over > 0, "!=": over.is_zero()}[fact.op])
