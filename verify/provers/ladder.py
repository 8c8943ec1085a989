"""Inequalities in one variable on an interval or a half-line, proved by a derivative ladder.

The search may guess as it likes: what it finds is a list of rungs, and only `ladder_checker`,
which replays them from text, can turn that list into `proved`.  A failed search proves nothing; the
statement is then tried at rational points, where a certified violation refutes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import ball_function, precision
from glbcheck.core.exact import number, rational
from glbcheck.core.expression import ExpressionError, to_text
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.provers import ladder_checker
from glbcheck.verify.provers.inputs import Relation, relation
from glbcheck.verify.provers.ladder_search import Rungs, Search, zeros
from glbcheck.verify.provers.signs import Interval
from glbcheck.verify.provers.witness import refuted_at

PROVER = "ladder"
HYPERBOLIC = [sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch]


def inequality(
    claim: Relation,
    variable: str = "x",
    low: int | Fraction = 0,
    high: int | Fraction | None = None,
    *,
    closed: tuple[bool, bool] = (True, True),
    effort: int = 60,
) -> Evidence:
    """Decide a relation <=, <, >= or > for every value of the variable between low and high.

    `closed` says whether each end belongs to the interval (oo never does); `high=None` means oo.
    """
    stated = relation("claim", claim, [variable])
    if stated.rel_op not in ("<=", "<", ">=", ">"):
        raise ValueError(f"claim = {stated} is not accepted: an inequality <=, <, >= or >")
    if unknown := {s.name for s in stated.free_symbols} - {variable}:
        raise ValueError(f"claim = {stated} holds {sorted(unknown)}; only {variable!r} is accepted")
    x = sp.Symbol(variable, real=True)
    stated = stated.func(
        *(side.xreplace(dict.fromkeys(stated.free_symbols, x)) for side in stated.args), evaluate=False
    )
    left, right = rational("low", low), None if high is None else rational("high", high)
    f = (stated.lhs - stated.rhs) if stated.rel_op in (">=", ">") else (stated.rhs - stated.lhs)
    f = f.rewrite(HYPERBOLIC, sp.exp).doit()
    ends = (closed[0], closed[1] and right is not None)
    text = claim if isinstance(claim, str) else to_text(stated)
    certificate = find(text, f, Interval(x, left, right), stated.rel_op in ("<", ">"), ends, effort)
    where = f"{'[' if ends[0] else '('}{left}, {'oo' if right is None else right}{']' if ends[1] else ')'}"
    if certificate is not None:
        count = sum(1 for _ in rules(certificate["rungs"]))
        return Evidence(
            verdict=Verdict.PROVED,
            prover=PROVER,
            summary=f"{text} by a ladder of {count} rungs",
            scope=f"all {variable} in {where}",
            certificate=certificate,
        )
    if evidence := violation(f, Interval(x, left, right), ends, text):
        return evidence
    reason = f"{text} on {where}: no ladder found within {effort} steps, and no point violates it"
    return Evidence(verdict=Verdict.UNDECIDED, prover=PROVER, summary=reason)


def find(
    claim: str, f: sp.Expr, on: Interval, strict: bool, ends: tuple[bool, bool], effort: int
) -> dict[str, Any] | None:
    """A certificate that the checker has accepted, or None."""
    search = Search(effort)
    on, lemmas = search.helpers(f, on)
    rungs = search.climb(f, on, strict)
    if rungs is None:
        return None
    try:
        certificate: dict[str, Any] = {
            "method": "ladder",
            "variable": on.x.name,
            "low": str(on.low),
            "high": "oo" if on.high is None else str(on.high),
            "closed_low": ends[0],
            "closed_high": ends[1],
            "claim": claim,
            "f": sp.sstr(f),
            "lemmas": lemmas,
            "rungs": rungs,
        }
        ladder_checker.check(certificate)
    except (ladder_checker.Rejected, ExpressionError):
        return None
    return certificate


def rules(rungs: Rungs) -> Iterator[str]:
    for rung in rungs:
        yield rung["rule"]
        yield from rules(rung.get("below", []))
        yield from rules(rung.get("above", []))


# --- refutation ----------------------------------------------------------------------------------


def violation(f: sp.Expr, on: Interval, ends: tuple[bool, bool], text: str) -> Evidence | None:
    """A rational point of the interval where the claim fails, certified as a counterexample."""
    hypotheses = [f"{on.x.name} >{'=' if ends[0] else ''} {on.low}"]
    if on.high is not None:
        hypotheses.append(f"{on.x.name} <{'=' if ends[1] else ''} {on.high}")
    touching = [
        end for end, closed in zip((on.low, on.high), ends, strict=True) if closed and end is not None
    ]
    for at in (*touching, *zeros(f, on), *candidates(f, on, touching)):
        if evidence := refuted_at(Statement(tuple(hypotheses), text), {on.x.name: at}, PROVER):
            return evidence
    return None


def candidates(f: sp.Expr, on: Interval, ends: Sequence[Fraction]) -> Iterator[Fraction]:
    """Points where f is negative: near both ends, far out, and around the smallest value seen."""
    value = ball_function(f, [on.x])
    width = None if on.high is None else on.high - on.low
    steps = [Fraction(2) ** k for k in range(-60, 41 if width is None else 60)]
    grid = [on.low + (s if width is None else width * s / (1 + s)) for s in steps]
    grid = sorted([*grid, *ends])
    for _ in range(40):  # zoom in on the smallest value seen
        with precision(512):
            seen = [(value(number(at)), at) for at in grid]
        finite = [(v.mid(), at) for v, at in seen if v.is_finite()]
        yield from sorted((at for v, at in seen if v < 0), key=lambda at: (at.denominator, abs(at)))
        if not finite:
            return
        best = grid.index(min(finite, key=lambda pair: pair[0])[1])
        a, b = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        grid = [a + (b - a) * Fraction(k, 8) for k in range(9)]
