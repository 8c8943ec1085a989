"""A quick look at points, by balls of low precision: most of them are not worth an exact one.

Whatever is dropped here would not have been accepted by the kernel either, whose evaluator this is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from glbcheck.core.enclosure.programs import Program
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, Ball, ball, precision
from glbcheck.core.kernel.terms import Rejected

BITS = 64
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
        return found is None or not any(map(false, self.facts, found))

    def may_fail(self, point: Point) -> bool:
        """Is some fact not seen to be true at this point?"""
        found = self._look(point)
        return found is None or not all(map(true, self.facts, found))

    def _look(self, point: Point) -> list[Ball] | None:
        try:
            return self.values({name: Fraction(value) for name, value in point["at"].items()})
        except (ValueError, KeyError):  # a root is no fraction; the kernel may still read it
            return None


def false(fact: Fact, gap: Ball) -> bool:
    """Is the fact false where its gap is in this ball?"""
    if not gap.is_finite():
        return False
    return bool({">=": gap < 0, ">": gap <= 0, "==": gap < 0 or gap > 0, "!=": gap.is_zero()}[fact.op])


def true(fact: Fact, gap: Ball) -> bool:
    """Is the fact true where its gap is in this ball?"""
    if not gap.is_finite():
        return False
    return bool({">=": gap >= 0, ">": gap > 0, "==": gap.is_zero(), "!=": gap < 0 or gap > 0}[fact.op])


def refuting(context: Context, goal: Fact, points: Iterable[Point]) -> Iterator[Point]:
    """The points at which no hypothesis is seen to fail, and the goal is not seen to hold."""
    given, claimed = Screen(context, context.facts), Screen(context, [goal])
    return (point for point in points if given.may_hold(point) and claimed.may_fail(point))
