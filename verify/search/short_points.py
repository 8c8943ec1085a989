"""Short points, and where a bound is sharp: with equality in the hypotheses, at the ends of ranges and far away."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from glbcheck.core.kernel.context import Context, Fact
from glbcheck.verify.certificate import trial_points, with_equations
from glbcheck.verify.screen import Screen
from glbcheck.verify.search import falsify

POINTS = 60
FAR = [Fraction(10) ** k for k in (-8, 8, -3, 3)]
Point = Mapping[str, Any]


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
    for at in chain(known, trials):
        solved = with_equations(tight, at)
        yield from falsify.instances(context, solved) if solved else ()
        yield from falsify.instances(context, at)
    if context.functions:
        return
    for at in chain(known, trials[:4]):
        for size in FAR:
            for name in (*at, None):
                moved = {n: _moved(context, n, v, size) if name in (n, None) else v for n, v in at.items()}
                yield from falsify.instances(context, moved)
                solved = with_equations(context, moved)
                yield from falsify.instances(context, solved) if solved else ()


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
