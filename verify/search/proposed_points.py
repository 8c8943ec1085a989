"""Points that are worked out: roots of equations, what a solver or an optimiser names; points of the hypotheses."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from math import ceil, floor
from typing import Any

import sympy as sp
from glbcheck.core.enclosure.programs import Program
from glbcheck.core.expression import parse
from glbcheck.core.kernel.check import at_point, truth
from glbcheck.core.kernel.context import Context, Fact, Range
from glbcheck.core.kernel.evaluate import BALLS, precision
from glbcheck.core.kernel.terms import Rejected, Term, number, show, substitute, subterms
from glbcheck.verify.search import solvers
from glbcheck.verify.search.points import Screen, instances, trial_points
from glbcheck.verify.search.polynomial_facts import CHOICES

STARTS, SEED = 12, 7
Point = Mapping[str, Fraction]


def example_for(context: Context) -> dict[str, Any] | None:
    """A point at which every hypothesis holds: short, or a root of an equation, or near what a solver names."""
    given = Screen(context, context.facts)
    short = ({"at": {name: str(value) for name, value in point.items()}} for point in trial_points(context))
    for made in filter(given.may_hold, chain(short, solutions(context), around(context, solvers.model(context)))):
        if context.functions:
            made["functions"] = dict.fromkeys(sorted(context.functions), "t**2/2")
        try:
            at = at_point(context, made)
            if all(truth(at(given)) for given in context.facts):
                return made
        except (Rejected, ArithmeticError):
            continue
    return None


def around(context: Context, point: Point | None) -> Iterator[dict[str, Any]]:
    """Short points near this one, if there is one."""
    for at in nearby(point) if point else ():
        yield from instances(context, at)


def far(context: Context, goal: Fact) -> Iterator[dict[str, Any]]:
    """The lowest points that an optimiser finds, rounded to short numbers."""
    whole = {name for name, kind in context.kinds if kind == "integer"}
    for point in _lowest(context, goal):
        for at in nearby(point):
            yield from instances(context, {n: Fraction(round(v)) if n in whole else v for n, v in at.items()})


def solutions(context: Context) -> Iterator[dict[str, Any]]:
    """Short points with one variable replaced by a root of an equation among the hypotheses."""
    equations = [f.gap for f in context.facts if f.op == "==" and not any(t.op in CHOICES for t in subterms(f.gap))]
    others = {n: Screen(context, [f for f in context.facts if n not in f.gap.free]) for n in context.names}
    for at in trial_points(context, 20) if equations else ():
        here = {n: str(v) for n, v in at.items()}
        for gap in equations:
            for name in sorted(gap.free):
                if others[name].may_hold({"at": here}):
                    yield from ({"at": {**here, name: root}} for root in _roots(gap, at, name))


def _roots(gap: Term, at: Point, name: str) -> Iterator[str]:
    """The values of one variable at which the gap is zero, where SymPy can say."""
    rest = {n: number(v) for n, v in at.items() if n != name}
    try:
        found = sp.solve(parse(show(substitute(gap, rest)), [name]), sp.Symbol(name, real=True))
    except (ValueError, NotImplementedError):
        return
    yield from (str(x) for x in found if x.is_real and not x.free_symbols and not x.has(sp.CRootOf, sp.I))


def _lowest(context: Context, goal: Fact) -> Iterator[Point]:
    """Where an optimiser finds the gap smallest, from several starts inside the ranges."""
    names = tuple(context.names)
    try:
        program = Program([goal.gap, *(f.gap for f in context.facts)], names, BALLS)
    except Rejected:
        return
    if not names or context.functions or any(f.op == "==" for f in context.facts):
        return

    def loss(cube: Any) -> float:
        at = [_placed(context.ranges[name], float(u)) for name, u in zip(names, cube, strict=True)]
        with precision(64):
            values = [float(v.mid()) if v.is_finite() else 1e300 for v in program(*map(BALLS.number, at))]
        outside = sum(-v for v in values[1:] if v < 0)
        gap = -abs(values[0]) if goal.op == "==" else values[0]
        return gap if not outside else 1e6 + min(outside, 1e6)

    import scipy.optimize as optimize  # slow to load, and rarely needed

    generator = random.Random(SEED)
    for _ in range(STARTS):
        start = [generator.uniform(0.02, 0.98) for _ in names]
        found = optimize.minimize(loss, start, method="Nelder-Mead", bounds=[(1e-9, 1 - 1e-9)] * len(names),
                                  options={"maxfev": 150 * len(names)})  # fmt: skip
        if found.fun <= 0:
            yield {n: _placed(context.ranges[n], float(u)) for n, u in zip(names, found.x, strict=True)}


def _placed(r: Range, u: float) -> Fraction:
    """A point of the range for a number between 0 and 1, with everything in reach."""
    share = Fraction(u)
    if r.low is not None and r.high is not None:
        return r.low + (r.high - r.low) * share
    reach = share / (1 - share)
    if r.low is not None:
        return r.low + reach
    if r.high is not None:
        return r.high - reach
    return (2 * share - 1) / (share * (1 - share))


def nearby(point: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """The point rounded to ever finer grids, in all directions while that is cheap; last, itself."""
    for grid in (1, 2, 4, 10, 100, 1000, 10**4, 10**6, 10**8, 10**10, 10**12, 10**16):
        yield {name: Fraction(round(v * grid), grid) for name, v in point.items()}
        if len(point) <= 4:
            sides = [(Fraction(floor(v * grid), grid), Fraction(ceil(v * grid), grid)) for v in point.values()]
            for corner in product(*sides):
                yield dict(zip(point, corner, strict=True))
    yield dict(point)
