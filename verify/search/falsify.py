"""Points at which a statement may fail: short ones, what the engines propose, and what an optimiser finds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure.programs import Program
from glbcheck.core.expression import parse, parse_relation
from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.context import Context, Fact, Range
from glbcheck.core.kernel.evaluate import BALLS, precision
from glbcheck.core.kernel.terms import Rejected, Term, number, show, substitute
from glbcheck.verify.certificate import trial_points
from glbcheck.verify.screen import Screen
from glbcheck.verify.search import algebra, second_opinion, smt

INSTANCES = ("t**2/2", "exp(t)", "t", "-t**2", "t**3", "1")
SHORT, STARTS, SEED = 120, 12, 7
Point = Mapping[str, Fraction]


def near(context: Context) -> Iterator[dict[str, Any]]:
    """Short points within the ranges."""
    corners = [dict.fromkeys(context.names, Fraction(k)) for k in (0, 1, -1)]
    for i, at in enumerate((*corners, *trial_points(context, SHORT))):
        yield from instances(context, at) if i < 40 or not context.functions else ()


def instances(context: Context, at: Point) -> Iterator[dict[str, Any]]:
    place = {"at": {name: str(value) for name, value in at.items()}}
    if not context.functions:
        yield place
    for instance in INSTANCES if context.functions else ():
        yield {**place, "functions": dict.fromkeys(sorted(context.functions), instance)}


def far(context: Context, goal: Fact) -> Iterator[dict[str, Any]]:
    """The lowest points that an optimiser finds, rounded to short numbers."""
    whole = {name for name, kind in context.kinds if kind == "integer"}
    for point in _lowest(context, goal):
        for at in algebra.nearby(point):
            yield from instances(context, {n: Fraction(round(v)) if n in whole else v for n, v in at.items()})


def proposed(data: Mapping[str, Any], context: Context) -> Iterator[dict[str, Any]]:
    """Roots of the equations among the hypotheses, and points near those that the engines propose."""
    for solved in solutions(context):
        yield {"at": solved}
    yield from engines_say(data, context)


def engines_say(data: Mapping[str, Any], context: Context) -> Iterator[dict[str, Any]]:
    """Points near those at which the engines say that the statement fails."""
    for point in _proposed(data, denied=True):
        for at in algebra.nearby(point):
            yield from instances(context, at)


def models(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Points that satisfy the hypotheses, or nearly: by solving equations, or near what the engines say."""
    for solved in solutions(read_statement(data)[0]):
        yield {"at": solved}
    for point in _proposed(data, denied=False):
        for at in algebra.nearby(point):
            yield {"at": {name: str(value) for name, value in at.items()}}


def solutions(context: Context) -> Iterator[dict[str, str]]:
    """Short points with one variable replaced by a root of an equation among the hypotheses."""
    equations = [f.gap for f in context.facts if f.op == "=="]
    others = {n: Screen(context, [f for f in context.facts if n not in f.gap.free]) for n in context.names}
    for at in trial_points(context, 20) if equations else ():
        here = {n: str(v) for n, v in at.items()}
        for gap in equations:
            for name in sorted(gap.free):
                if others[name].may_hold({"at": here}):
                    yield from ({**here, name: root} for root in _roots(gap, at, name))


def _roots(gap: Term, at: Point, name: str) -> Iterator[str]:
    """The values of one variable at which the gap is zero, where SymPy can say."""
    rest = {n: number(v) for n, v in at.items() if n != name}
    try:
        found = sp.solve(parse(show(substitute(gap, rest)), [name]), sp.Symbol(name, real=True))
    except (ValueError, NotImplementedError):
        return
    yield from (str(x) for x in found if x.is_real and not x.free_symbols and not x.has(sp.CRootOf, sp.I))


def _proposed(data: Mapping[str, Any], denied: bool) -> Iterator[Point]:
    names = tuple(data["variables"])
    try:
        assumed = [parse_relation(text, names, evaluate=False) for text in data["hypotheses"]]
        claimed = parse_relation(data["conclusion"], names, evaluate=False)
        question, satisfiable, _ = second_opinion.encode(assumed, claimed, names)
    except (smt.NotEncodable, ValueError):
        return
    for ask in smt.ENGINES:
        answer = ask(question if denied else satisfiable)
        if answer.status == "sat":
            yield {name: answer.model.get(name, Fraction(0)) for name in names}


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
