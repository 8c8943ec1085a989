"""Signs on regions that may be unbounded, as proofs in the kernel's rules; nothing here is trusted.

In this order: evident, as it stands or cleared of denominators; cells, where the region is bounded; a ladder,
in one variable; along the slope of an unbounded variable; after a change of variable that makes the range a
half-line or bounded; cut into a bounded part and a tail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.context import Context, Fact, Range
from glbcheck.core.kernel.language import derivative, parse
from glbcheck.core.kernel.ring import is_zero
from glbcheck.core.kernel.terms import ONE, Rejected, Term, number, show, substitute, variable
from glbcheck.verify.certificate import EVIDENT, Proof
from glbcheck.verify.search.cells import Offer, bounded, covered
from glbcheck.verify.search.derivative_ladder import Interval, on_interval
from glbcheck.verify.search.derivative_ladder import Search as Rungs
from glbcheck.verify.search.forms import cores, symbolic, tame
from glbcheck.verify.search.points import Screen, free_points, seen_false, seen_true
from glbcheck.verify.search.side_conditions import conditions, with_side_conditions

CELLS = 20_000
CUTS = (4, 16, 64)  # how far from the finite end of a half-line, or from 0, its tail begins
QUICK, SLOW, RUNGS = 8, 40, 120  # steps of a ladder, before and after everything else; of all ladders together
HOPELESS = (sp.besseli, sp.polygamma, sp.gamma, sp.loggamma, sp.Abs, sp.Min, sp.Max)  # slopes are no simpler
STEPS = 60  # goals looked at
FEW = 24  # points at which a goal may be seen to fail before it is searched for
DEEPEST = 3  # changes of variable and slopes inside each other


def plain(context: Context, goal: Fact) -> Proof | None:
    """Evident or identically zero, as it stands or cleared of denominators and positive factors."""
    for factor, then in [(ONE, goal.gap), *cores(context, goal.gap)]:
        if context.defined(then) and (found := at_once(context, Fact(then, goal.op))):
            return times(goal.gap, factor, then, found)
    return None


def at_once(context: Context, goal: Fact) -> Proof | None:
    zero = goal.op == ">=" and is_zero(goal.gap)
    return EVIDENT if zero or context.evident(goal.gap, goal.op == ">") else None


def times(gap: Term, factor: Term, then: Term, proof: Proof) -> Proof:
    if then is gap:
        return proof
    return {"rule": "times", "factor": show(factor), "then": show(then), "proof": proof}


def seen_to_fail(context: Context, goal: Fact) -> bool:
    """Is there a short point at which every fact of the context is true and the goal is false?"""
    look = Screen(context, [*context.facts, goal])
    for at in free_points(context, FEW) if look.program is not None else ():
        found = look.values(at)
        if found and seen_false(goal, found[-1]) and all(map(seen_true, context.facts, found)):
            return True
    return False


@dataclass
class Search:
    """One search, with so many cells for each bounded part."""

    budget: int
    offer: Offer | None = None  # who wants to know where a goal fails; without it goals that fail are left at once
    rungs: int = RUNGS
    steps: int = field(default_factory=lambda: STEPS)

    def sign(self, context: Context, goal: Fact, depth: int = DEEPEST) -> Proof | None:
        """A proof that the gap has its sign at every point of the context, or None."""
        self.steps -= 1
        if self.steps < 0:
            return None
        try:
            if self.offer is None and seen_to_fail(context, goal):
                return None
            if found := plain(context, goal) or self.with_side_conditions(context, goal, depth):
                return found
            for name in self.cuts(context, goal):
                return self.split(context, goal, depth, name, Fraction(0))
            if bounded(context, goal.gap):
                return self.within(context, goal)
            if depth <= 0:
                return None
            return (
                self.ladder(context, goal, QUICK)
                or self.rising(context, goal, depth)
                or self.charted(context, goal, depth)
                or self.tail(context, goal, depth)
                or (self.ladder(context, goal, SLOW) if depth > 1 else None)
            )
        except (Rejected, BadInput):
            return None

    def within(self, context: Context, goal: Fact) -> Proof | None:
        """On a bounded region: by a short ladder, cells, or a long ladder; by nothing if the goal is seen to fail."""
        if found := self.ladder(context, goal, QUICK):
            return found
        failures: list[Mapping[str, Fraction]] = []
        for factor, then in [(ONE, goal.gap), *cores(context, goal.gap)]:
            proof = covered(context, Fact(then, goal.op), self.budget, failures.append)
            if failures:
                if self.offer is not None:
                    self.offer(failures[0])
                return None
            if proof:
                return times(goal.gap, factor, then, proof)
        return self.ladder(context, goal, SLOW)

    def with_side_conditions(self, context: Context, goal: Fact, depth: int) -> Proof | None:
        """With lemmas for what the gap divides by, or takes a root or a logarithm of."""
        if depth <= 0 or not conditions(context, goal.gap):
            return None
        side, then = (partial(self.sign, depth=d) for d in (depth - 1, depth))
        return with_side_conditions(context, goal, side, then, signs=True)

    # --- parts ------------------------------------------------------------------------------------------------

    def cuts(self, context: Context, goal: Fact) -> Iterator[str]:
        """Variables with 0 inside their range at which the gap may touch zero."""
        for name in sorted(goal.gap.free):
            r = context.ranges[name]
            inside = (r.low is None or r.low < 0) and (r.high is None or r.high > 0)
            if inside and self.vanishes_at_zero(goal, name):
                yield name

    def vanishes_at_zero(self, goal: Fact, name: str) -> bool:
        values = {name: number(0)}, dict.fromkeys(goal.gap.free, number(0))
        return any(is_zero(substitute(goal.gap, at)) for at in values)

    def split(self, context: Context, goal: Fact, depth: int, name: str, at: Fraction) -> Proof | None:
        """Both sides of a place, what is unbounded first, for it fails sooner."""
        where = variable(name) - at
        parts = {"below": context.plus(Fact(-where, ">=")), "above": context.plus(Fact(where, ">"))}
        proof: dict[str, object] = {"rule": "cases", "at": show(where)}
        for side in sorted(parts, key=lambda side: bounded(parts[side], goal.gap)):
            found = self.sign(parts[side], goal, depth)
            if found is None:
                return None
            proof[side] = found
        return proof

    def tail(self, context: Context, goal: Fact, depth: int) -> Proof | None:
        """Cut off a tail; it may not be cut again."""
        for name in sorted(goal.gap.free) if depth > 1 else ():
            low, high = context.ranges[name].low, context.ranges[name].high
            if low is None and high is None:
                return self.split(context, goal, depth, name, Fraction(0))
            for cut in CUTS if None in (low, high) else ():
                at = low + cut if low is not None else (high or Fraction(0)) - cut
                if found := self.split(context, goal, 1, name, at):
                    return found
        return None

    # --- along a slope ----------------------------------------------------------------------------------------

    def ladder(self, context: Context, goal: Fact, effort: int) -> Proof | None:
        """In one variable with a low end, as a ladder."""
        names, f = goal.gap.free, symbolic(goal.gap)
        if self.rungs <= 0 or len(names) != 1 or f is None or f.has(*HOPELESS):
            return None
        (name,) = names
        r = context.ranges[name]
        if r.low is None or r.low == r.high:
            return None
        on = Interval(sp.Symbol(name, real=True), r.low, r.high)
        closed = not r.low_open, r.high is not None and not r.high_open
        rungs = Rungs(min(effort, self.rungs))
        self.rungs -= rungs.effort
        found = on_interval(f, on, goal.op == ">", closed, rungs)
        self.rungs += max(rungs.effort, 0)
        return found

    def rising(self, context: Context, goal: Fact, depth: int) -> Proof | None:
        """In several variables: by the value at an end of an unbounded one and the slope from there."""
        for name in sorted(goal.gap.free) if len(goal.gap.free) > 1 else ():
            r = context.ranges[name]
            side, start = ("low", r.low) if r.low is not None else ("high", r.high)
            if start is None or None not in (r.low, r.high):
                continue
            slope = derivative(goal.gap, name)
            then = slope if side == "low" else -slope
            at = Fact(substitute(goal.gap, {name: number(start)}), goal.op)
            begin = self.sign(context.without(name), at, depth - 1)
            proof = begin and self.sign(context.interval(name, inside=True), Fact(then, ">="), depth - 1)
            if proof:
                return {"rule": "monotone", "variable": name, "from": side, "start": "positive", "at": begin,
                        "then": show(then), "proof": proof}  # fmt: skip
        return None

    # --- another variable -------------------------------------------------------------------------------------

    def charted(self, context: Context, goal: Fact, depth: int) -> Proof | None:
        for name in sorted(goal.gap.free):
            new = f"{name}_"
            while new in context.names:
                new += "_"
            for chart in charts(name, new, context.ranges[name]):
                if proof := self.by_chart(context, goal, chart, depth):
                    return proof
        return None

    def by_chart(self, context: Context, goal: Fact, chart: Chart, depth: int) -> Proof | None:
        """The sign in the new variable."""
        new = variable(chart.new)
        inside = context.without(chart.old).with_variable(chart.new, "real")
        inside = inside.plus(*(inside.read_fact(text) for text in chart.facts))
        value = parse(chart.value, {chart.new: new})
        moved = [f for f in context.facts if chart.old in f.gap.free]
        inside = inside.plus(*(Fact(substitute(f.gap, {chart.old: value}), f.op) for f in moved))
        gap = substitute(goal.gap, {chart.old: value})
        proof = self.sign(inside, Fact(gap, goal.op), depth - 1) if tame(gap, chart.new) else None
        return proof and {
            "rule": "substitution", "variable": chart.old, "new": chart.new, "value": chart.value,
            "inverse": chart.inverse, "facts": list(chart.facts), "proof": proof,
        }  # fmt: skip


@dataclass(frozen=True)
class Chart:
    """old = value(new) with new = inverse(old), of which the facts evidently hold."""

    old: str
    new: str
    value: str
    inverse: str
    facts: tuple[str, ...]


def charts(x: str, t: str, r: Range) -> Iterator[Chart]:
    """Changes of variable for a half-line: leftwards to rightwards, rightwards to (0, 1]."""
    if r.low is None and r.high is not None:
        yield Chart(x, t, f"-{t}", f"-{x}", (f"{t} {'>' if r.high_open else '>='} {-r.high}",))
    elif r.low is not None and r.high is None:
        value, inverse = f"({r.low})/{t}", f"({r.low})/{x}"
        if r.low <= 0:
            value, inverse = f"({r.low}) + 1/{t} - 1", f"1/({x} - ({r.low}) + 1)"
        yield Chart(x, t, value, inverse, (f"{t} > 0", f"{t} <= 1"))
