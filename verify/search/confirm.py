"""From a violation seen in floats to a short exact witness, or to the finding that it was rounding.

A search works with floats and may see what is not there.  What it finds becomes rational here, as
short as the violation allows, and is decided again exactly before anybody may call it a refutation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, TypeVar

from glbcheck.core.exact import Exact, rational, simplest_between
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute

T = TypeVar("T")
Point = Mapping[str, Fraction]
Finding = Literal["violated", "holds", "unknown"]

_OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Confirmation(Generic[T]):
    """How an example is decided exactly.

    `coordinates` names the numbers an example consists of.  `check` is either a `Statement` in those
    names, or a function that returns the exact slack at a point (negative: violated) or None where the
    hypotheses fail.
    """

    coordinates: Callable[[T], Mapping[str, float | Exact]]
    check: Statement | Callable[[Point], Exact | None]


def decide_at(confirmation: Confirmation[T], point: Point) -> Finding:
    """Does the statement fail at this exact point, hold there, or is that not certain?"""
    if isinstance(confirmation.check, Statement):
        if refute(confirmation.check, point, "property").verdict is Verdict.REFUTED:
            return "violated"
        opposite = refute(_negated(confirmation.check), point, "property")
        return "holds" if opposite.verdict is Verdict.REFUTED else "unknown"
    slack = confirmation.check(point)
    if slack is None:
        return "unknown"
    return "violated" if rational("check(point)", slack) < 0 else "holds"


def exact_point(confirmation: Confirmation[T], example: T) -> Point | None:
    """The coordinates as the fractions they are, or None if one of them is not finite."""
    numbers = confirmation.coordinates(example)
    if any(isinstance(value, float) and not math.isfinite(value) for value in numbers.values()):
        return None
    return {
        name: Fraction(value) if isinstance(value, float) else rational(name, value) for name, value in numbers.items()
    }


def shorten(confirmation: Confirmation[T], point: Point) -> Point:
    """Replace each coordinate by the simplest fraction nearby that keeps the violation."""
    current = dict(point)
    for name in current:
        for candidate in _simpler(current[name]):
            if decide_at(confirmation, {**current, name: candidate}) == "violated":
                current[name] = candidate
                break
    return current


def refutation(confirmation: Confirmation[T], example: T) -> Evidence | None:
    """REFUTED at a short exact point, decided once more in its final form; None if not confirmed."""
    start = exact_point(confirmation, example)
    if start is None or decide_at(confirmation, start) != "violated":
        return None
    point = shorten(confirmation, start)
    if decide_at(confirmation, point) != "violated":
        return None
    if isinstance(confirmation.check, Statement):
        evidence = refute(confirmation.check, point, "property")
    else:
        slack = rational("check(point)", confirmation.check(point))
        evidence = refute(Statement((), "slack >= 0"), {**point, "slack": slack}, "property")
    return evidence if evidence.verdict is Verdict.REFUTED else None


def _simpler(value: Fraction) -> list[Fraction]:
    """Ever closer fractions, the simplest first; the last ones are only just simpler than the value."""
    size = max(abs(value), Fraction(1))
    found = [simplest_between(value - size / 8**j, value + size / 8**j) for j in range(18)]
    small = abs(value)
    found += [simplest_between(value - small / 8**j, value + small / 8**j) for j in range(1, 18)]
    return [c for c in dict.fromkeys(found) if c.denominator < value.denominator or c == 0]


def _negated(statement: Statement) -> Statement:
    turned = re.sub(r"<=|>=|==|!=|<|>", lambda sign: _OPPOSITE[sign[0]], statement.conclusion, count=1)
    return Statement(statement.hypotheses, turned, statement.definitions)
