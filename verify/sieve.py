"""Points that cannot do are told from balls at once; the kernel is asked, exactly, about the others."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from glbcheck.core.enclosure.programs import Program
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.evaluate import BALLS, precision
from glbcheck.core.kernel.terms import Rejected

BITS = 64


class Sieve:
    """Lets every point pass at which the facts of the context hold and, if there is a goal, that one fails."""

    def __init__(self, context: Context, goal: Fact | None = None) -> None:
        self.names = tuple(context.names)
        facts = [*context.facts, *([] if goal is None else [_denied(goal)])]
        self.ops = [fact.op for fact in facts]
        try:
            self.program = None if context.functions else Program([fact.gap for fact in facts], self.names, BALLS)
        except Rejected:  # an integral, say
            self.program = None

    def __call__(self, point: Mapping[str, Any]) -> bool:
        """May it do?  Values are numbers, or text; one with a value such as `sqrt(2)` may."""
        at = point["at"]
        if self.program is None or at.keys() != set(self.names):
            return True
        try:
            with precision(BITS):
                values = self.program(*(BALLS.number(Fraction(at[name])) for name in self.names))
        except (Rejected, ArithmeticError, ValueError):
            return True
        return not any(map(_fails, values, self.ops))


def _denied(goal: Fact) -> Fact:
    """True wherever the goal is false."""
    return Fact(goal.gap, "!=") if goal.op == "==" else goal.denied


def _fails(value: Any, op: str) -> bool:
    """Is the relation to 0 false for every number in the ball?"""
    return bool({">=": value < 0, ">": value <= 0, "==": value < 0 or value > 0, "!=": value.is_zero()}[op])
