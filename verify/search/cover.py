"""Inequalities on a bounded box, by cells on which the kernel sees the sign.

A box is halved until each cell has its sign by the ball of the gap, by its mean value form, or, at an end where
the gap vanishes, by a Taylor expansion there.  What is found is a proof by the kernel's rule `cells`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from glbcheck.core.exact import Exact, rational
from glbcheck.core.kernel.cells import HIGH, LOW, Cell, Cover, Region, part
from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.evaluate import precision
from glbcheck.core.kernel.language import derivative
from glbcheck.core.kernel.ring import is_zero
from glbcheck.core.kernel.terms import Rejected, Term, number, substitute
from glbcheck.verify.certificate import proof_of, trial_points
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute

PROVER = "cover"
BITS, BUDGET, MAX_ORDER, MAX_DEPTH = 96, 20_000, 8, 60


def certify(conclusion: str, box: Mapping[str, tuple[Exact, Exact]], budget: int = BUDGET) -> Evidence:
    """Decide an inequality at every point of the box: certified, refuted at a short point, or undecided."""
    ends = {name: tuple(rational(f"box[{name!r}]", end) for end in pair) for name, pair in box.items()}
    hypotheses = [
        f"{name} {op} {end}" for name, pair in ends.items() for op, end in zip((">=", "<="), pair, strict=True)
    ]
    data = {"variables": dict.fromkeys(box, "real"), "hypotheses": hypotheses, "conclusion": conclusion}
    context, goal = read_statement(data)
    for point in trial_points(context, 40):
        found = refute(Statement(tuple(hypotheses), conclusion), point, PROVER)
        if found.verdict is Verdict.REFUTED:
            return found
    names, region = tuple(box), tuple((pair[0], pair[1]) for pair in ends.values())
    cover = Cover(context, names, region, frozenset())
    leaves = _leaves(cover, goal.gap, goal.op == ">", budget)
    if leaves is None:
        return Evidence(Verdict.UNDECIDED, PROVER, f"{conclusion}: not settled by {budget} cells")
    proof = {"rule": "cells", "variables": list(names), "bits": BITS, "leaves": leaves}
    summary = f"{conclusion} by {len(leaves)} cells at {BITS} bits"
    return proof_of(data, proof, PROVER, summary, ", ".join(hypotheses))


def _leaves(cover: Cover, gap: Term, strict: bool, budget: int) -> list[Any] | None:
    """Cells that tile the box, each with the rule that gives its sign; None if the budget is spent."""
    leaves: list[Any] = []
    waiting: list[Cell] = [((0, 0),) * len(cover.names)]
    with precision(BITS):
        while waiting:
            cell, budget = waiting.pop(), budget - 1
            if budget < 0 or max(d for _, d in cell) > MAX_DEPTH:
                return None
            region = tuple(part(ends, *at) for ends, at in zip(cover.box, cell, strict=True))
            why = next((why for why in _reasons(cover, gap, region) if _shown(cover, why, gap, region, strict)), None)
            if why is None:
                waiting += _halves(cell, region)
            else:
                leaves.append([[list(at) for at in cell], why])
    return leaves


def _shown(cover: Cover, why: Any, gap: Term, region: Region, strict: bool) -> bool:
    try:
        return cover.shown(why, gap, region, strict)
    except Rejected:
        return False


def _reasons(cover: Cover, gap: Term, region: Region) -> Iterator[Any]:
    yield "natural"
    yield "mean"
    for i, side in product(range(len(region)), (LOW, HIGH)):
        if region[i][side] == cover.box[i][side] and (order := _order(gap, cover.names[i], region[i][side])):
            yield from (["taylor", i, side, order, last] for last in ("natural", "mean"))


def _order(gap: Term, name: str, end: Fraction) -> int:
    """How many derivatives, from the zeroth on, vanish at this end of the variable."""
    for order in range(MAX_ORDER + 1):
        try:
            if not is_zero(substitute(gap, {name: number(end)})):
                return order
            gap = derivative(gap, name)
        except Rejected:
            return 0
    return 0


def _halves(cell: Cell, region: Region) -> list[Cell]:
    """The cell cut in two across its widest side."""
    i = max(range(len(cell)), key=lambda j: region[j][1] - region[j][0])
    k, d = cell[i]
    return [(*cell[:i], (2 * k + j, d + 1), *cell[i + 1 :]) for j in (0, 1)]
