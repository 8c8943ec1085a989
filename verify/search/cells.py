"""Bounded boxes, cut until each cell has its sign by a rule of the kernel's `cells`, or one resists.

Most cells go by the quick rules (natural, mean, slopes towards a face); cells that touch a face on which the
gap is exactly zero go by all of them.  A ball that straddles zero at a single point is limited by precision
rather than by the cell, so then the precision is raised for the rest of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import flint
from glbcheck.core.enclosure.programs import Program
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, HIGH, LOW, Ball, Cell, Cover, Region, hull, precision
from glbcheck.core.kernel.language import derivative
from glbcheck.core.kernel.ring import is_zero
from glbcheck.core.kernel.terms import Rejected, Term, number, substitute
from glbcheck.verify.certificate import Proof

BITS, MAX_BITS = 96, 384
MAX_DEPTH, MAX_ORDER = 60, 8
NESTED = 5  # how far rules are nested; a slope, which asks for two proofs, counts twice

Offer = Callable[[Mapping[str, Fraction]], None]
Why = Any  # nested lists and words, as the kernel reads them
_program = lru_cache(1000)(Program)


class Compiled(Cover):
    """The kernel's cover with the same balls from programs, since a search asks for many."""

    def over(self, f: Term, region: Region) -> Ball:
        return self.value(f, [hull(a, b) for a, b in region])

    def value(self, f: Term, sides: Sequence[Ball]) -> Ball:
        return _program((f,), self.names, BALLS)(*sides)[0]


def bounded(context: Context, gap: Term) -> bool:
    return all(None not in context.ranges[name] for name in gap.free)


def covered(context: Context, goal: Fact, budget: int, offer: Offer = lambda point: None) -> Proof | None:
    """A proof by at most so many cells; `offer` is told of points at which the goal seems to fail."""
    with precision(BITS):
        search = Search(context, goal)
        leaves: list[Any] = []
        waiting: list[Cell] = [((0, 0),) * len(search.names)]
        while waiting:
            cell, budget = waiting.pop(), budget - 1
            region = search.cover.region(cell)
            if (why := search.settled(region)) is not None:
                leaves.append([[list(at) for at in cell], why])
                continue
            if search.fails(region):
                offer({name: (a + b) / 2 for name, (a, b) in zip(search.names, region, strict=True)})
                return None
            i = search.widest(cell, region)
            if budget <= 0 or i is None or cell[i][1] >= MAX_DEPTH:
                return None
            k, d = cell[i]
            waiting += [(*cell[:i], (2 * k + j, d + 1), *cell[i + 1 :]) for j in (1, 0)]
        return {"rule": "cells", "variables": list(search.names), "bits": search.bits, "leaves": leaves}


class Search:
    """The box of one goal, and reasons for its cells."""

    def __init__(self, context: Context, goal: Fact) -> None:
        self.gap, self.strict, self.bits = goal.gap, goal.op == ">", BITS
        used = set(self.gap.free)
        for fact in context.facts:  # a condition may bring in further variables
            if fact.gap.free & used and bounded(context, fact.gap):
                used |= fact.gap.free
        self.names = tuple(name for name in context.names if name in used)
        ranges = [context.ranges[name] for name in self.names]
        self.box: Region = tuple((r.low or Fraction(0), r.high or Fraction(0)) for r in ranges)
        self.excluded = frozenset(
            (i, side) for i, r in enumerate(ranges) for side in (LOW, HIGH) if (r.low_open, r.high_open)[side]
        )
        self.cover = Compiled(self.names, self.box, self.excluded)
        facts = ((i, fact) for i, fact in enumerate(context.facts) if fact.gap.free <= set(self.names))
        self.conditions = [(i, fact) for i, fact in facts if len(fact.gap.free) != 1 or not _linear(fact.gap)]
        self.known: dict[Region, tuple[int, list[Ball], dict[Term, Ball]]] = {}  # bits, sides, and values over them
        self.vanishing: dict[Any, bool] = {}
        faces = product(*((None, LOW, HIGH) for _ in self.names))
        self.zeros = [face for face in faces if self.vanishes(self.gap, _face(self.box, face))]

    def over(self, f: Term, region: Region) -> Ball:
        bits, sides, balls = self.known.get(region, (0, [], {}))  # once: the hash of a fraction is slow
        if bits != flint.ctx.prec:
            sides = [hull(a, b) for a, b in region]
            self.known[region] = flint.ctx.prec, sides, balls
        if f not in balls:
            balls[f] = self.cover.value(f, sides)
        return balls[f]

    def settled(self, region: Region) -> Why | None:
        """The reason that decides the cell, if any; more bits for the next one if these are too few."""
        self.known.clear()
        for i, fact in self.conditions:
            if self.cover.fails(*fact, region):
                return ["outside", i]
        ends = zip(region, self.box, strict=True)
        touched = [{None, *(s for s in (LOW, HIGH) if here[s] == whole[s])} for here, whole in ends]
        touches = any(all(s in sides for s, sides in zip(face, touched, strict=True)) for face in self.zeros)
        why = self.reason(self.gap, region, self.strict, NESTED if touches else 0)
        centre = self.over(self.gap, _middle(region))
        if why is None and centre.is_finite() and not centre.is_exact() and centre.contains(0):
            self.bits = flint.ctx.prec = min(2 * self.bits, MAX_BITS)
        return why

    def fails(self, region: Region) -> bool:
        """Does the goal fail in the middle of the cell, and no condition?"""
        at = _middle(region)
        wrong = self.cover.fails(self.gap, ">" if self.strict else ">=", at)
        return wrong and not any(self.cover.fails(*fact, at) for _, fact in self.conditions)

    def widest(self, cell: Cell, region: Region) -> int | None:
        """The coordinate along which the gap seems to change most; none may fall far behind the others."""
        moving = [i for i, (a, b) in enumerate(region) if a < b]
        if not moving:
            return None
        last = min(moving, key=lambda i: cell[i][1])
        slopes = self.slopes(self.gap, region)
        if not slopes:
            return last
        best = max(moving, key=lambda i: (slopes[i] * _reach(region[i])).abs_upper())
        return last if cell[last][1] + 6 < cell[best][1] else best

    def slopes(self, f: Term, region: Region) -> dict[int, Ball]:
        """The slope along each side of the cell; none at all if one of them has no finite ball."""
        try:
            found = {i: self.over(derivative(f, self.names[i]), region) for i, (a, b) in enumerate(region) if a < b}
        except Rejected:  # a function without derivative
            return {}
        return found if all(slope.is_finite() for slope in found.values()) else {}

    def vanishes(self, f: Term, region: Region) -> bool:
        """Is f identically zero on this face of the box?"""
        thin = [(i, a) for i, (a, b) in enumerate(region) if a is b or a == b]
        held = tuple((i, self.box[i].index(a)) for i, a in thin if a in self.box[i])
        key = f, held
        if key not in self.vanishing:
            try:
                fixed = {self.names[i]: number(self.box[i][side]) for i, side in held}
                self.vanishing[key] = is_zero(substitute(f, fixed))
            except Rejected:
                self.vanishing[key] = False
        return self.vanishing[key]

    # --- reasons ----------------------------------------------------------------------------------------------

    def reason(self, f: Term, region: Region, strict: bool, depth: int) -> Why | None:
        """Why f >= 0 (> 0 if strict) on this cell or face of one."""
        over = self.over(f, region)
        if not over.is_finite():
            return None
        if over > 0 or (over >= 0 and not strict):
            return "natural"
        if depth and not strict and self.vanishes(f, region):
            return "zero"
        centre, slopes = self.over(f, _middle(region)), self.slopes(f, region)
        if centre < 0 or not slopes:
            return None
        if sum((slope * _reach(region[i]) for i, slope in slopes.items()), centre) > 0:
            return "mean"
        for i, slope in slopes.items():  # the smallest value sits on a smaller face
            side = LOW if slope >= 0 else HIGH if slope <= 0 else None
            if side is not None:
                on = self.reason(f, _side(region, i, side), strict, depth)
                if on is not None:
                    return ["slope", i, side, "natural", on]
                break
        ends = [(i, side) for i, side in product(slopes, (LOW, HIGH)) if region[i][side] == self.box[i][side]]
        for rule in (self.taylor, self.rising) if depth > 0 else ():
            for i, side in ends:
                if found := rule(f, region, strict, depth, (i, side)):
                    return found
        return None

    def taylor(self, f: Term, region: Region, strict: bool, depth: int, at: tuple[int, int]) -> Why | None:
        """The order to which f vanishes at an end, and why the first derivative that does not has the sign."""
        (i, side), order = at, 0
        if strict and at not in self.excluded:
            return None
        while order <= MAX_ORDER and self.vanishes(f, _side(region, i, side)):
            f, order = derivative(f, self.names[i]), order + 1
            if not self.over(f, region).is_finite():
                return None
        if not 1 <= order <= MAX_ORDER:
            return None
        why = self.reason(-f if side == HIGH and order % 2 else f, region, strict, depth - 1)
        for _ in range(order if why else 0):
            why = ["slope", i, side, why, "zero"]
        return why

    def rising(self, f: Term, region: Region, strict: bool, depth: int, at: tuple[int, int]) -> Why | None:
        """f has the sign on a side, and its slope away from there another reason to be nonnegative."""
        i, side = at
        slope = derivative(f, self.names[i])
        away = slope if side == LOW else -slope
        if depth < 2 or self.over(away, region) < 0:
            return None
        # Positive on the side and not falling; or nonnegative on a side left out, and rising.
        for on_face, on_slope in [(strict, False)] + [(False, True)] * (strict and at in self.excluded):
            if (on := self.reason(f, _side(region, i, side), on_face, depth - 2)) and (
                along := self.reason(away, region, on_slope, depth - 2)
            ):
                return ["slope", i, side, along, on]
        return None


def _linear(f: Term) -> bool:
    try:
        return not derivative(f, *f.free).free
    except Rejected:
        return False


def _middle(region: Region) -> Region:
    return tuple((at, at) for at in ((a + b) / 2 for a, b in region))


def _side(region: Region, i: int, side: int) -> Region:
    return (*region[:i], (region[i][side], region[i][side]), *region[i + 1 :])


def _face(region: Region, sides: tuple[int | None, ...]) -> Region:
    return tuple(r if s is None else (r[s], r[s]) for r, s in zip(region, sides, strict=True))


def _reach(ends: tuple[Fraction, Fraction]) -> Ball:
    return hull((ends[0] - ends[1]) / 2, (ends[1] - ends[0]) / 2)
