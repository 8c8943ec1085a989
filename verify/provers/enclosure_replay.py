"""Replays a whole certificate of the enclosure prover; its cells are checked by `enclosure_checker`.

The statement is read from its text and the parts must make up the box.  In an unbounded part, changes
of variable are built again, the claimed form is compared exactly with the transformed gap, derivatives
are taken again, and everything the formula demands must be accounted for.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy as sp
from glbcheck.core.expression import ExpressionError, parse
from glbcheck.verify.claim import Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers.enclosure_checker import Rejected, check_cells, require
from glbcheck.verify.provers.enclosure_lemmas import Part, digest
from glbcheck.verify.provers.enclosure_problem import Ends, Problem, read_problem
from glbcheck.verify.provers.enclosure_search import search
from glbcheck.verify.provers.enclosure_tails import (
    NONNEGATIVE,
    NONZERO,
    Chart,
    charts,
    demands,
    dominant_sign,
    same_sign,
    substitute,
)
from glbcheck.verify.provers.enclosure_task import Task, substituted

Lemma = Mapping[str, Any]


def check(certificate: Mapping[str, Any]) -> bool:
    """Is the whole box covered (True) or its bounded part (False)?  `Rejected` if not even that."""
    try:
        return covers_box(certificate)
    except (LookupError, TypeError, AttributeError, StopIteration, ExpressionError) as error:
        raise Rejected(f"not replayable: {error}") from error


def covers_box(certificate: Mapping[str, Any]) -> bool:
    box = {n: (end(low), end(high)) for n, (low, high) in certificate["box"].items()}
    problem = read_problem(certificate["conclusion"], box, certificate["hypotheses"], None)
    if problem.hypotheses:
        check_example(problem, certificate["example"])
    ranges = [pieces(name, ends, certificate["pieces"][name]) for name, ends in box.items()]
    every, parts = list(product(*ranges)), certificate["parts"]
    require(len(parts) == len(every), "there are not as many parts as pieces make")
    compact = 0
    for intervals, lemma in zip(every, parts, strict=True):
        unbounded = any(None in ends for ends in intervals)
        require(lemma is not None or unbounded, f"nothing is said about {intervals}")
        compact += not unbounded
        if lemma is not None:
            check_part(problem, intervals, lemma)
    require(compact or None not in parts, "nothing is covered")
    return None not in parts


def end(text: str) -> Fraction | None:
    return None if text in ("oo", "-oo") else Fraction(text)


def pieces(name: str, ends: Ends, texts: list[str]) -> list[Ends]:
    """The consecutive intervals of a variable, which must make up its range."""
    marks = [end(x) for x in texts]
    require(len(marks) > 1 and (marks[0], marks[-1]) == ends, f"the pieces of {name} are not its range")
    finite = [x for x in marks if x is not None]
    require(None not in marks[1:-1] and sorted(finite) == finite, f"the pieces of {name} are out of order")
    return list(pairwise(marks))


def check_example(problem: Problem, example: Mapping[str, str] | None) -> None:
    """The hypotheses hold somewhere in the box: that they imply 0 < 0 is refuted there."""
    if example is None:
        raise Rejected("no point is named at which the hypotheses hold")
    point = {n: Fraction(v) for n, v in example.items()}
    at = refute(Statement(problem.conditions(), "0 < 0"), point, "checker")
    require(at.verdict is Verdict.REFUTED, f"the hypotheses are not seen to hold at {example}")


def check_cover(task: Task, lemma: Lemma) -> None:
    rows = lemma["leaves"] if isinstance(lemma["leaves"], list) else again(task, lemma)
    check_cells(task, rows, lemma["bits"])


def check_part(problem: Problem, intervals: tuple[Ends, ...], lemma: Lemma) -> None:
    part = Part(problem.symbols, intervals)
    if not part.unbounded and lemma["method"] == "cells":
        return check_cover(part.task(problem, problem.gap, problem.strict), lemma)
    if lemma["method"] != "tail":
        raise Rejected(f"this part needs a tail lemma, not {lemma['method']!r}")
    needed = demands(problem.written)
    if len(needed) != len(lemma["demands"]):
        raise Rejected(f"the formula demands {needed}, and {len(lemma['demands'])} of it was shown")
    for (kind, expr), (sign, shown) in zip(needed, lemma["demands"], strict=True):
        if sign not in ((1, -1) if kind == NONZERO else (1,)):
            raise Rejected(f"sign {sign} does not make {expr} {kind}")
        check_sign(problem, sign * expr.doit(), kind != NONNEGATIVE, part, shown)
    check_sign(problem, problem.gap, problem.strict, part, lemma["sign"])


def check_sign(problem: Problem, gap: sp.Expr, strict: bool, part: Part, lemma: Lemma) -> None:
    """gap >= 0 (> 0 if strict) on the part, by this lemma."""
    part = part.only(gap.free_symbols)
    match lemma["method"]:
        case "cells" if not part.unbounded:
            check_cover(part.task(problem, gap, strict), lemma)
        case "dominant":
            positive = dominant_sign(gap, part.symbols, part.intervals) == 1
            require(positive, f"the dominant terms of {gap} do not make it positive")
        case "chart":
            used = tuple(charts_named(part.options(problem), lemma["charts"]))
            names = {s.name: s for s in (*part.symbols, *(chart.t for chart in used))}
            form, multiplier = parse(lemma["form"], names), parse(lemma["multiplier"], names)
            if not same_sign(form, multiplier, substitute(gap, used), used):
                raise Rejected(f"{form} is not {multiplier} times {gap} in the new variables")
            check_cover(part.task(problem, form, strict, used), lemma["cells"])
        case "rising":
            symbol = next(s for s in part.symbols if s.name == lemma["variable"])
            ends = part.intervals[part.symbols.index(symbol)]
            require(None in ends, f"{symbol} is bounded")
            chart = charts(symbol, ends)[0]
            check_sign(problem, substituted(gap, {symbol: chart.end}), strict, part, lemma["at end"])
            slope = chart.direction * sp.diff(gap, symbol)
            check_sign(problem, slope, False, part, lemma["slope"])
        case other:
            raise Rejected(f"no lemma {other!r} for {gap} on {part.intervals}")


def charts_named(options: list[list[Chart]], kinds: list[str]) -> list[Chart]:
    if len(options) != len(kinds):
        raise Rejected(f"{len(options)} coordinates are to be changed, charts are given for {len(kinds)}")
    named = []
    for ways, kind in zip(options, kinds, strict=True):
        require(kind in [chart.kind for chart in ways], f"{kind!r} is not a chart here")
        named += [chart for chart in ways if chart.kind == kind]
    return named


def again(task: Task, lemma: Lemma) -> list[Any]:
    """The leaves of a cover too long to be kept, found again and compared with their digest."""
    rows = [[[list(i) for i in cell], rule] for cell, rule in search(task, lemma["boxes"]).leaves]
    if {"count": len(rows), "sha256": digest(rows)} != lemma["leaves"]:
        raise Rejected("the search does not find the same cells again")
    return rows
