"""Points at which statements are tried: short ones, and where a bound is sharp; and a quick look at them by balls.

Most points are not worth an exact look.  Whatever the screen drops would not have been accepted by the kernel either,
whose evaluator it uses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from glbcheck.core.enclosure.programs import Program
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, Ball, ball, precision
from glbcheck.core.kernel.language import derivative
from glbcheck.core.kernel.ring import rational
from glbcheck.core.kernel.terms import Rejected, Term, number, substitute

BITS = 64
# Short numbers in general position: a formula that is undefined or equal at one of them is rarely so at the next.
TRIAL = [Fraction(*pair) for pair in ((2, 1), (1, 2), (3, 1), (1, 3), (5, 2), (-1, 2), (1, 1), (-2, 1), (-3, 1))]
INSTANCES = ("t**2/2", "exp(t)", "t", "-t**2", "t**3", "1")
SHORT, POINTS = 120, 60
LARGE = (10, 25, 60, 200, 1000)
WRITTEN_OUT = (25,)  # such ends of sums
FAR = [Fraction(10) ** k for k in (-8, 8, -3, 3)]
Point = Mapping[str, Any]


class Screen:
    """Some facts about the same variables, ready to be looked at in many points."""

    def __init__(self, context: Context, facts: Sequence[Fact]) -> None:
        self.facts, self.names = facts, tuple(context.names)
        try:
            gaps = [fact.gap for fact in facts]
            self.program = None if context.functions else Program(gaps, self.names, BALLS)
        except Rejected:  # a sum whose ends are variables, say, which has a value at points only
            self.program = None

    def values(self, at: Mapping[str, Fraction]) -> list[Ball] | None:
        """The gaps of the facts at a point; None where the screen is blind."""
        if self.program is None:
            return None
        try:
            with precision(BITS):
                return self.program(*(ball(at[name]) for name in self.names))
        except Rejected:
            return None

    def may_hold(self, point: Point) -> bool:
        """Is no fact seen to be false at this point?"""
        found = self._look(point)
        return found is None or not any(map(seen_false, self.facts, found))

    def may_fail(self, point: Point) -> bool:
        """Is some fact not seen to be true at this point?"""
        found = self._look(point)
        return found is None or not all(map(seen_true, self.facts, found))

    def _look(self, point: Point) -> list[Ball] | None:
        try:
            return self.values({name: Fraction(value) for name, value in point["at"].items()})
        except (ValueError, KeyError):  # a root is no fraction; the kernel may still read it
            return None


def seen_false(fact: Fact, gap: Ball) -> bool:
    """Is the fact false where its gap is in this ball?"""
    if not gap.is_finite():
        return False
    return bool({">=": gap < 0, ">": gap <= 0, "==": gap < 0 or gap > 0, "!=": gap.is_zero()}[fact.op])


def seen_true(fact: Fact, gap: Ball) -> bool:
    """Is the fact true where its gap is in this ball?"""
    if not gap.is_finite():
        return False
    return bool({">=": gap >= 0, ">": gap > 0, "==": gap.is_zero(), "!=": gap < 0 or gap > 0}[fact.op])


def refuting(context: Context, goal: Fact, points: Iterable[Point]) -> Iterator[Point]:
    """The points at which no hypothesis is seen to fail, and the goal is not seen to hold."""
    given, claimed = Screen(context, context.facts), Screen(context, [goal])
    return (point for point in points if given.may_hold(point) and claimed.may_fail(point))


# --- short points ------------------------------------------------------------------------------------------------


def near(context: Context, large: Sequence[int] = ()) -> Iterator[dict[str, Any]]:
    """Short points within the ranges, and these whole numbers."""
    for i, at in enumerate((*corners(context, large), *trial_points(context, SHORT))):
        yield from instances(context, at) if i < 40 or not context.functions else ()


def corners(context: Context, large: Sequence[int] = LARGE) -> list[dict[str, Fraction]]:
    """The same small number everywhere; then larger whole numbers, where variables are whole."""
    whole = [name for name, kind in context.kinds if kind == "integer"]
    same = [dict.fromkeys(context.names, Fraction(k)) for k in (0, 1, -1)]
    return [*same, *({**same[1], **dict.fromkeys(whole, Fraction(k))} for k in large if whole)]


def instances(context: Context, at: Mapping[str, Fraction]) -> Iterator[dict[str, Any]]:
    place = {"at": {name: str(value) for name, value in at.items()}}
    if not context.functions:
        yield place
    for instance in INSTANCES if context.functions else ():
        yield {**place, "functions": dict.fromkeys(sorted(context.functions), instance)}


def trial_points(context: Context, count: int = 200) -> Iterator[dict[str, Fraction]]:
    """Short points within the ranges that the hypotheses give, made to satisfy equations such as `x == a + b`."""
    for point in free_points(context, count):
        yield point
        if solved := with_equations(context, point):
            yield solved


def with_equations(context: Context, point: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
    """The point with each variable that a hypothesis `x == formula` determines set to its value."""
    found = dict(point)
    for _ in range(2):  # an equation may come before those that it needs
        for gap, name, slope in _linear(context):
            rest = rational(substitute(gap, {n: number(found[n]) for n in gap.free}))
            if rest is not None:
                found[name] -= rest / slope
    return found if found != point else None


@lru_cache(64)
def _linear(context: Context) -> list[tuple[Term, str, Fraction]]:
    """The equations among the hypotheses, each with a variable that has a number as its coefficient."""
    found = []
    for gap in (given.gap for given in context.facts if given.op == "=="):
        slopes = ((name, _slope(gap, name)) for name in sorted(gap.free))
        found += [(gap, name, slope) for name, slope in slopes if slope][:1]
    return found


def _slope(gap: Term, name: str) -> Fraction | None:
    try:
        return derivative(gap, name).value
    except Rejected:  # inside a maximum, say
        return None


def free_points(context: Context, count: int) -> Iterator[dict[str, Fraction]]:
    """Short points within the ranges; whole numbers where these are declared."""
    kinds = dict(context.kinds)
    for i in range(count):
        point = {}
        for j, (name, r) in enumerate(context.ranges.items()):
            value = TRIAL[(i + 2 * j * (1 + i // len(TRIAL))) % len(TRIAL)]
            if r.low is not None and r.high is not None:
                share = abs(value) / (1 + abs(value))
                value = r.low + (r.high - r.low) * (share if i % 5 else Fraction(i // 5 % 2))
            elif r.low is not None:
                value = r.low + (abs(value) if r.low_open or i % 7 else 0)
            elif r.high is not None:
                value = r.high - (abs(value) if r.high_open or i % 7 else 0)
            point[name] = Fraction(value.__ceil__()) if kinds[name] == "integer" else value
        yield point


@lru_cache(64)
def candidates(context: Context, example: str = "null") -> Remembered:
    """The short points at which no hypothesis is seen to fail; the same for all edits of a conclusion."""
    given = Screen(context, context.facts)
    return Remembered(filter(given.may_hold, short(context, json.loads(example))))


class Remembered:
    """Points that are made when somebody comes to them, and kept."""

    def __init__(self, points: Iterator[Point]) -> None:
        self.made, self.rest = list[Point](), points

    def __iter__(self) -> Iterator[Point]:
        i = 0
        while True:
            while i < len(self.made):
                yield self.made[i]
                i += 1
            one = next(self.rest, None)
            if one is None:
                return
            self.made.append(one)


def short(context: Context, example: Point | None) -> Iterator[Point]:
    """Short points, the example of the certificate, and both with one value, or all, tiny or huge."""
    trials = list(islice(trial_points(context, POINTS), 2 * POINTS))
    known = _known(context, example)
    tight = _tight(context)
    for at in chain(known, corners(context), trials):
        solved = with_equations(tight, at)
        yield from instances(context, solved) if solved else ()
        yield from instances(context, at)
    if context.functions:
        return
    for at in chain(known, trials[:4]):
        for size in FAR:
            for name in (*at, None):
                moved = {n: _moved(context, n, v, size) if name in (n, None) else v for n, v in at.items()}
                yield from instances(context, moved)
                solved = with_equations(context, moved)
                yield from instances(context, solved) if solved else ()


def _tight(context: Context) -> Context:
    """The same with equality in every hypothesis that joins variables: there a sharp bound is attained."""
    joined = [Fact(fact.gap, "==") for fact in context.facts if len(fact.gap.free) > 1 and fact.op != "!="]
    return Context(context.kinds, context.functions).plus(*joined)


def _known(context: Context, example: Point | None) -> list[dict[str, Fraction]]:
    """The example, where it is one of numbers."""
    try:
        found = {name: Fraction(value) for name, value in (example or {}).get("at", {}).items()}
    except ValueError:
        return []
    return [found] if found.keys() == context.names.keys() else []


def _moved(context: Context, name: str, value: Fraction, size: Fraction) -> Fraction:
    """The value taken near an end of its range, or far away from it."""
    r = context.ranges[name]
    whole = dict(context.kinds)[name] == "integer"
    if whole:
        return value + size if size > 1 else value
    if r.low is not None and r.high is not None:
        return r.low + (r.high - r.low) * (size if size < 1 else 1 - 1 / size)
    if r.high is not None:
        return r.high - size
    return r.low + size if r.low is not None else value * size
