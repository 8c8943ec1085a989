"""Inequalities on a box, bounded or not, wherever some hypotheses hold.

What is found is a proof in the kernel's rules: cells on bounded parts, ladders and changes of variable on
unbounded ones.  A statement that resists is tried at exact points, and refuted only there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, rational, simplest_between
from glbcheck.core.kernel.check import at_point, read_statement, truth
from glbcheck.core.kernel.context import Context, Fact, Range
from glbcheck.core.kernel.evaluate import BALLS, evaluate, precision
from glbcheck.core.kernel.terms import Rejected, Term
from glbcheck.verify.certificate import proof_of, statement_data, trial_points
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.memory import remembered
from glbcheck.verify.screen import refuting
from glbcheck.verify.search.tails import Search

PROVER = "cover"
BUDGET = 20_000
REACHES = [Fraction(1, n) for n in (4, 500, 10**5, 10**8, 10**11)]
FAR = [Fraction(2) ** k for k in range(0, 41, 4)]
MOST_FAR = 200
Point = Mapping[str, Fraction]


@remembered
def certify(
    conclusion: str, box: Mapping[str, tuple[Exact | None, Exact | None]], hypotheses: Sequence[str] = (), *,
    budget: int = BUDGET,
) -> Evidence:  # fmt: skip
    """Decide an inequality at every point of the box (None is an infinite end) where the hypotheses hold."""
    bounds = []
    for name, pair in box.items():
        low, high = (None if end is None else rational(f"box[{name!r}]", end) for end in pair)
        if low is not None and high is not None and low > high:
            raise BadInput(f"box[{name!r}]", pair, "low <= high")
        bounds += [f"{name} >= {low}"] if low is not None else []
        bounds += [f"{name} <= {high}"] if high is not None else []
    return decide(Statement((*bounds, *hypotheses), conclusion), tuple(box), budget=budget)


def decide(statement: Statement, names: Sequence[str], *, budget: int = BUDGET) -> Evidence:
    """Decide a statement about real variables: proved or certified, refuted at a short point, or undecided."""
    data = statement_data(statement, names)
    context, goal = read_statement(data)
    near = _near_points(context)
    tried = refuting(context, goal, ({"at": at} for at in (*near, *_far_points(context))))
    seen = (point["at"] for point in tried if _fails(context, goal, point["at"]))
    if found := next(filter(None, (_refuted(statement, at) for at in seen)), None):
        return found
    for at in near:
        if not _has_value(context, goal.gap, at):
            return Evidence(Verdict.UNDECIDED, PROVER, f"{statement.conclusion}: no value is seen at {_shown(at)}")
    offered: list[Point] = []
    proof = Search(budget, offered.append).sign(context, goal)
    if proof is not None:
        cells = sum(len(step["leaves"]) for step in _steps(proof) if step.get("rule") == "cells")
        summary = f"{statement.conclusion} by {f'{cells} cells' if cells else 'exact steps'}"
        return proof_of(data, proof, PROVER, summary, ", ".join(statement.hypotheses))
    around = (at for point in offered if set(point) == set(names) for at in _near(context, point))
    if found := next(filter(None, (_refuted(statement, at) for at in around)), None):
        return found
    return Evidence(Verdict.UNDECIDED, PROVER, f"{statement.conclusion}: not settled with {budget} cells for a part")


def _refuted(statement: Statement, point: Point) -> Evidence | None:
    try:
        found = refute(statement, point, PROVER)
    except Rejected:
        return None
    return found if found.verdict is Verdict.REFUTED else None


def _has_value(context: Context, gap: Term, point: Point) -> bool:
    """Is the gap seen to be defined at this point, or the point outside what is asked?"""
    at = at_point(context, _place(point))
    value = at(Fact(gap, "==")).gap
    return any(_finite(value, bits) for bits in (256, 4096)) or not all(truth(at(f)) for f in context.facts)


def _fails(context: Context, goal: Fact, point: Point) -> bool:
    """Is the goal false here?  Whether the hypotheses hold is asked later."""
    return truth(at_point(context, _place(point))(goal)) is False


def _place(point: Point) -> dict[str, Any]:
    return {"at": {name: str(value) for name, value in point.items()}}


def _finite(f: Term, bits: int) -> bool:
    with precision(bits):
        return bool(evaluate(f, {}, BALLS).is_finite())


def _near_points(context: Context) -> list[Point]:
    """Short points within the ranges, 0 above all."""
    ends = [(r.low, r.high) for r in context.ranges.values()]
    inside = all((low is None or low <= 0) and (high is None or high >= 0) for low, high in ends)
    return [*([dict.fromkeys(context.ranges, Fraction(0))] if inside else []), *trial_points(context, 20)]


def _far_points(context: Context) -> Iterator[Point]:
    """Powers of two along every unbounded direction."""
    ranges = context.ranges
    if any(None in r for r in ranges.values()):
        chosen = product(*(_reached(r) for r in ranges.values()))
        for _, values in zip(range(MOST_FAR), chosen, strict=False):
            yield dict(zip(ranges, values, strict=True))


def _reached(r: Range) -> list[Fraction]:
    right = [x for x in FAR if r.high is None and (r.low is None or x > r.low)]
    left = [-x for x in FAR if r.low is None and (r.high is None or -x < r.high)]
    return [*(end for end in (r.low, r.high) if end is not None), *right, *left]


def _near(context: Context, point: Point) -> Iterator[Point]:
    """Shorter points around this one, within the ranges."""
    for reach in (*REACHES, Fraction(0)):
        near = {}
        for name, x in point.items():
            low, high = context.ranges[name].low, context.ranges[name].high
            step = reach * max(abs(x), Fraction(1))
            least, most = (
                x - step if low is None else max(x - step, low),
                x + step if high is None else min(x + step, high),
            )
            near[name] = simplest_between(min(least, x), max(most, x))
        yield near


def _steps(proof: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(proof, Mapping):
        yield proof
        for part in proof.values():
            yield from _steps(part)


def _shown(point: Point) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())
