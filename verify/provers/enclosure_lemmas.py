"""Lemmas about the parts of a box: cells that cover a compact part, or a way to make a part compact.

A lemma is plain data, as it goes into the certificate:
  {"method": "cells", "leaves": [[cell, rule], ...], "boxes", "bits", "depth"}
  {"method": "tail", "sign": lemma, "demands": [[+1 or -1, lemma], ...]}, where a lemma is one of
      "cells"
      {"method": "chart", "charts": [kind, ...], "form", "multiplier", "cells"}
      {"method": "dominant"}
      {"method": "rising", "variable", "at end": lemma, "slope": lemma}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.verify.provers.enclosure_problem import Ends, Problem
from glbcheck.verify.provers.enclosure_search import Leaf, Outcome, Point, search
from glbcheck.verify.provers.enclosure_tails import (
    NONNEGATIVE,
    NONZERO,
    Chart,
    charts,
    demands,
    dominant_sign,
    forms,
    substitute,
)
from glbcheck.verify.provers.enclosure_task import HIGH, LOW, Hypothesis, Task, substituted

Lemma = dict[str, Any]
MAX_LEAVES = 5_000
RUNGS = 2
LEMMA_BUDGET = 1_500


@dataclass(frozen=True)
class Part:
    """A product of intervals, each with at least one finite end."""

    symbols: tuple[sp.Symbol, ...]
    intervals: tuple[Ends, ...]

    @property
    def unbounded(self) -> bool:
        return any(end is None for ends in self.intervals for end in ends)

    def only(self, free: set[sp.Symbol]) -> Part:
        kept = [i for i, s in enumerate(self.symbols) if s in free]
        return Part(tuple(self.symbols[i] for i in kept), tuple(self.intervals[i] for i in kept))

    def task(self, problem: Problem, gap: sp.Expr, strict: bool, used: tuple[Chart, ...] = ()) -> Task:
        """The compact task about a gap on this part, its unbounded coordinates replaced by these charts."""
        new = {chart.symbol: chart for chart in used}
        box, excluded = [], set()
        for i, (symbol, (low, high)) in enumerate(zip(self.symbols, self.intervals, strict=True)):
            if symbol in new:
                box.append((Fraction(0), new[symbol].width))
                excluded.add((i, LOW))
                continue
            if low is None or high is None:
                raise ValueError(f"{symbol} is unbounded and has no chart")
            box.append((low, high))
            index = problem.symbols.index(symbol)
            excluded |= {(i, s) for s, x in ((LOW, low), (HIGH, high)) if problem.excludes(index, x)}
        symbols = tuple(new[s].t if s in new else s for s in self.symbols)
        return Task(
            problem.written if (gap, symbols) == (problem.gap, problem.symbols) else gap,
            gap,
            symbols,
            tuple(box),
            strict,
            self.hypotheses(problem, used),
            frozenset(excluded),
        )

    def options(self, problem: Problem) -> list[list[Chart]]:
        """For each coordinate that can be changed, the ways to do so."""
        found = []
        for symbol, ends in zip(self.symbols, self.intervals, strict=True):
            index = problem.symbols.index(symbol)
            left_out = tuple(end is not None and problem.excludes(index, end) for end in ends)
            found.append(charts(symbol, ends, (left_out[0], left_out[1])))
        return [ways for ways in found if ways]

    def hypotheses(self, problem: Problem, used: tuple[Chart, ...]) -> tuple[Hypothesis, ...]:
        known = [h for h in problem.hypotheses if h.gap.free_symbols <= set(self.symbols)]
        if not used:
            return tuple(known)
        return tuple(Hypothesis(substitute(h.gap, used), h.operator) for h in known)


class Prover:
    """Finds lemmas for one problem; `try_point` is offered points at which the gap looks negative."""

    def __init__(self, problem: Problem, budget: int, try_point: Callable[[Point], object]) -> None:
        self.problem, self.budget, self.try_point = problem, budget, try_point

    def compact(self, part: Part) -> Lemma:
        task = part.task(self.problem, self.problem.gap, self.problem.strict)
        outcome = search(task, self.budget, self.try_point)
        if not outcome.covered and outcome.refuted is None:
            for cell in outcome.stuck:
                if self.try_point(task.middle(cell)):
                    break
        return cells(task, outcome)

    def tail(self, part: Part) -> Lemma | None:
        """A lemma for an unbounded part: its sign, and that the formula makes sense there."""
        met = []
        for kind, expr in demands(self.problem.written):
            gap = expr.doit()
            signs = (1, -1) if kind == NONZERO else (1,)
            for sign in signs:
                if lemma := self.sign(sign * gap, kind != NONNEGATIVE, part):
                    met.append([sign, lemma])
                    break
            else:
                return None
        lemma = self.sign(self.problem.gap, self.problem.strict, part)
        return lemma and {"method": "tail", "sign": lemma, "demands": met}

    def sign(self, gap: sp.Expr, strict: bool, part: Part, rungs: int = RUNGS) -> Lemma | None:
        part = part.only(gap.free_symbols)
        if not part.unbounded and (lemma := self.covered(part.task(self.problem, gap, strict))):
            return lemma
        if dominant_sign(gap, part.symbols, part.intervals) == 1:
            return {"method": "dominant"}
        return self.changed(gap, strict, part) or (self.rising(gap, strict, part, rungs) if rungs else None)

    def covered(self, task: Task) -> Lemma | None:
        try:
            outcome = search(task, LEMMA_BUDGET, patience=1)
        except NotEnclosed:
            return None
        return cells(task, outcome) if outcome.covered else None

    def changed(self, gap: sp.Expr, strict: bool, part: Part) -> Lemma | None:
        """By a change of variable that makes the part compact."""
        for used in product(*part.options(self.problem)):
            for form, multiplier in forms(gap, used):
                if lemma := self.covered(part.task(self.problem, form, strict, used)):
                    return {
                        "method": "chart",
                        "charts": [chart.kind for chart in used],
                        "form": sp.sstr(form),
                        "multiplier": sp.sstr(multiplier),
                        "cells": lemma,
                    }
        return None

    def rising(self, gap: sp.Expr, strict: bool, part: Part, rungs: int) -> Lemma | None:
        """By the value at the finite end of an unbounded coordinate and the slope beyond it."""
        for symbol, ends in zip(part.symbols, part.intervals, strict=True):
            if None not in ends:
                continue
            chart = charts(symbol, ends)[0]
            at_end = self.sign(substituted(gap, {symbol: chart.end}), strict, part, rungs - 1)
            slope = at_end and self.sign(chart.direction * sp.diff(gap, symbol), False, part, rungs - 1)
            if slope:
                return {"method": "rising", "variable": symbol.name, "at end": at_end, "slope": slope}
        return None


def cells(task: Task, outcome: Outcome) -> Lemma:
    """What a search found, as data; `stuck` says why when it does not cover."""
    facts: Lemma = {
        "method": "cells",
        "boxes": outcome.boxes,
        "bits": outcome.bits,
        "depth": outcome.depth,
        "leaves": shown(outcome.leaves),
    }
    if not outcome.covered:
        reason = outcome.reason or "a cell resists"
        smallest = min(outcome.stuck, key=lambda c: -sum(d for _, d in c), default=None)
        where = "" if smallest is None else f"; left open near {task.shown(smallest)}"
        facts["stuck"] = reason + where
    return facts


def shown(leaves: list[Leaf]) -> Any:
    rows = [[[list(interval) for interval in cell], rule] for cell, rule in leaves]
    return rows if len(rows) <= MAX_LEAVES else {"count": len(rows), "sha256": digest(rows)}


def digest(rows: list[Any]) -> str:
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def lemmas_in(lemma: Any) -> Iterator[Lemma]:
    """All lemmas inside a lemma, itself among them."""
    if isinstance(lemma, dict):
        yield lemma
        for key, value in lemma.items():
            if key != "leaves":
                yield from lemmas_in(value)
    elif isinstance(lemma, list):
        for value in lemma:
            yield from lemmas_in(value)


def covers_in(lemma: Lemma) -> Iterator[Lemma]:
    return (found for found in lemmas_in(lemma) if found["method"] == "cells")


def lemmas_used(parts: list[Lemma | None]) -> list[str]:
    """Zeros and tails in words, each kind once."""
    found = set()
    for lemma in lemmas_in(parts):
        match lemma["method"]:
            case "cells" if isinstance(lemma["leaves"], list):
                found |= {f"zeros of order {m}" for _, rule in lemma["leaves"] for m in orders(rule)}
            case "chart":
                found |= {f"{kind} change of variable" for kind in lemma["charts"]}
            case "dominant" | "rising" as word:
                found.add({"dominant": "dominant terms", "rising": "slope beyond a cut"}[word])
    return sorted(found)


def orders(rule: Any) -> Iterator[int]:
    """The orders of the Taylor expansions inside a rule."""
    if isinstance(rule, list):
        if rule[0] == "taylor":
            yield rule[3]
        for part in rule[3:]:
            yield from orders(part)
