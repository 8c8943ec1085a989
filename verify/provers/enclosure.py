"""Inequalities in one to a few variables on a box, certified by branch and bound over balls.

`certify` decides `f >= g` (or >, <=, <) for every point of a box, bounded or not, that satisfies the
hypotheses.  Points of equality are met by Taylor expansion at the zero, unbounded sides by a certified
change of variable or tail lemma; neither is ever met by shrinking the box.  What is found is written
down as a certificate, and only `enclosure_replay`, which evaluates everything afresh, turns that into
a verdict.  A statement that resists is tried at exact points, and refuted only there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise, product
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball, ball_function, ball_stages
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import simplest_between
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.provers import enclosure_replay
from glbcheck.verify.provers.enclosure_checker import Rejected
from glbcheck.verify.provers.enclosure_lemmas import Lemma, Part, Prover, covers_in, lemmas_used
from glbcheck.verify.provers.enclosure_points import far_points, inner_points
from glbcheck.verify.provers.enclosure_problem import Problem, read_problem
from glbcheck.verify.provers.enclosure_rules import exactly_zero
from glbcheck.verify.provers.enclosure_search import hypothesis_check
from glbcheck.verify.provers.enclosure_task import substituted
from glbcheck.verify.provers.inputs import Relation
from glbcheck.verify.provers.witness import refuted_at

PROVER = "enclosure"
CUTS = (4, 1, 16, 64)
WIDEST = 16
BUDGET = 20_000
Bound = int | Fraction | None
Point = Mapping[str, Fraction]


def certify(
    conclusion: Relation,
    box: Mapping[str, tuple[Bound, Bound]],
    hypotheses: Sequence[Relation] = (),
    *,
    zeros: Mapping[str, Iterable[int | Fraction]] | None = None,
    example: Mapping[str, int | Fraction] | None = None,
    budget: int = BUDGET,
) -> Evidence:
    """Decide the conclusion on the box (None is an infinite end), wherever the hypotheses hold.

    `zeros` names values of a variable at which the two sides may be equal; ends of the box, and 0, are
    found without help.  `example` is a point that satisfies the hypotheses, if none is easily found.
    """
    problem = read_problem(conclusion, box, hypotheses, zeros)
    return _Decision(problem, budget, example).run()


@dataclass
class _Decision:
    problem: Problem
    budget: int
    example: Mapping[str, int | Fraction] | None
    refuted: Evidence | None = None

    def run(self) -> Evidence:
        try:
            ball_function(self.problem.written, self.problem.symbols)
        except NotEnclosed as error:
            return self.undecided(str(error))
        if self.problem.hypotheses and (found := self.satisfiable()) is not None:
            return found
        self.sample()
        if self.refuted is not None:
            return self.refuted
        cut, lemmas = self.tails()
        if self.refuted is not None:
            return self.refuted
        pieces = self.pieces(cut, cut_always=not lemmas)
        parts: list[Lemma | None] = []
        for intervals in product(*(pairwise(pieces[s.name]) for s in self.problem.symbols)):
            part = Part(self.problem.symbols, intervals)
            lemma = lemmas.get(intervals) if part.unbounded else self.compact(part)
            if self.refuted is not None:
                return self.refuted
            if lemma is not None and "stuck" in lemma:
                return self.undecided(lemma["stuck"], lemma)
            parts.append(lemma)
        return self.certified(pieces, parts)

    # --- the parts of the box ------------------------------------------------------------------------

    def pieces(self, cut: int, *, cut_always: bool = False) -> dict[str, list[Fraction | None]]:
        """Per variable, the points at which its range is cut: ends, possible zeros, where tails begin.

        A range that lies beyond the cut is all tail, unless it is to be cut always.
        """
        result: dict[str, list[Fraction | None]] = {}
        for symbol, (low, high) in zip(self.problem.symbols, self.problem.box, strict=True):
            inner = set(self.problem.zeros.get(symbol.name, ()))
            if self.vanishes_at_zero(symbol):
                inner.add(Fraction(0))
            if high is None:
                inner.add(Fraction(cut) if low is None or low < cut or not cut_always else low + cut)
            if low is None:
                inner.add(Fraction(-cut) if high is None or high > -cut or not cut_always else high - cut)
            between = sorted(x for x in inner if (low is None or low < x) and (high is None or x < high))
            result[symbol.name] = [low, *between, high]
        return result

    def vanishes_at_zero(self, symbol: sp.Symbol) -> bool:
        gap, zero = self.problem.gap, Fraction(0)
        return exactly_zero(substituted(gap, {symbol: zero})) or exactly_zero(
            substituted(gap, dict.fromkeys(self.problem.symbols, zero))
        )

    def compact(self, part: Part) -> Lemma:
        """Cells that cover the part or, where an end is left out, a change of variable that removes it."""
        prover = Prover(self.problem, self.budget, self.attempt)
        lemma = prover.compact(part)
        if "stuck" in lemma and self.refuted is None and part.options(self.problem):
            return prover.tail(part) or lemma
        return lemma

    def tails(self) -> tuple[int, dict[Any, Lemma]]:
        """The first cut beyond which every unbounded part has a lemma, and these lemmas."""
        best: tuple[int, dict[Any, Lemma]] = (WIDEST, {})
        if all(end is not None for ends in self.problem.box for end in ends):
            return best
        for cut in CUTS:
            if self.refuted is not None:
                return best
            pieces = self.pieces(cut)
            found, complete = {}, True
            for intervals in product(*(pairwise(pieces[s.name]) for s in self.problem.symbols)):
                part = Part(self.problem.symbols, intervals)
                if part.unbounded and complete:
                    lemma = Prover(self.problem, self.budget, self.attempt).tail(part)
                    complete = lemma is not None
                    found[intervals] = lemma or {}
            if complete:
                return cut, found
        return best

    # --- points ----------------------------------------------------------------------------------------

    def statement(self) -> Statement:
        return Statement(self.problem.conditions(), self.problem.text)

    def attempt(self, point: Point) -> Evidence | None:
        """A refutation at the point, or at a shorter one nearby."""
        for reach in (1, Fraction(1, 4), Fraction(1, 20), Fraction(1, 500), Fraction(1, 10**5), 0):
            near = {}
            for symbol, (low, high) in zip(self.problem.symbols, self.problem.box, strict=True):
                x = point[symbol.name]
                a, b = x - reach * max(abs(x), Fraction(1)), x + reach * max(abs(x), Fraction(1))
                near[symbol.name] = simplest_between(
                    a if low is None else max(a, low), b if high is None else min(b, high)
                )
            self.refuted = refuted_at(self.statement(), near, PROVER)
            if self.refuted is not None:
                return self.refuted
        return None

    def sample(self) -> None:
        """Is the statement plainly false at some short or far away point?  Then there is nothing to cover."""
        outside = hypothesis_check(self.problem.hypotheses, self.problem.symbols)
        begin, _ = ball_stages([self.problem.written], [], self.problem.symbols)
        for point in chain(inner_points(self.problem), far_points(self.problem)):
            balls = [ball(point[name]) for name in self.names]
            if begin(balls)[0][0] < 0 and (outside is None or outside(balls) is None) and self.attempt(point):
                return

    @property
    def names(self) -> list[str]:
        return [s.name for s in self.problem.symbols]

    def satisfiable(self) -> Evidence | None:
        """None once a point is seen to satisfy the hypotheses (kept as `example`); else why not."""
        everywhere = Statement(self.problem.conditions(), "0 < 0")
        candidates: list[Mapping[str, Any]] = [self.example] if self.example is not None else []
        if self.example is not None and set(self.example) != set(self.names):
            raise BadInput("example", dict(self.example), f"a value for each of {', '.join(self.names)}")
        for point in [*candidates, *inner_points(self.problem)]:
            if refute(everywhere, point, PROVER).verdict is Verdict.REFUTED:
                self.example = {name: Fraction(str(value)) for name, value in point.items()}
                return None
        return self.undecided("vacuous: no point of the box was seen to satisfy the hypotheses")

    # --- verdicts ----------------------------------------------------------------------------------------

    def certified(self, pieces: dict[str, list[Fraction | None]], parts: list[Lemma | None]) -> Evidence:
        """The verdict on what was found, which is the replay's to give."""
        done = [part for part in parts if part is not None]
        leaves = [rows for part in done for rows in covers_in(part)]
        certificate: dict[str, Any] = {
            "method": PROVER,
            "conclusion": self.problem.text,
            "hypotheses": list(self.problem.texts),
            "box": {n: ends_text(ends) for n, ends in zip(self.names, self.problem.box, strict=True)},
            "pieces": {n: [end_text(x, k) for k, x in enumerate(pieces[n])] for n in self.names},
            "example": None if self.example is None else {n: str(v) for n, v in self.example.items()},
            "boxes": sum(rows["boxes"] for rows in leaves),
            "bits": max((rows["bits"] for rows in leaves), default=0),
            "depth": max((rows["depth"] for rows in leaves), default=0),
            "lemmas": lemmas_used(parts),
            "parts": parts,
        }
        try:
            whole = enclosure_replay.check(certificate)
        except Rejected as error:
            return self.undecided(f"the checker does not accept the cover: {error}")
        covered = {n: (x[0], x[-1]) if whole else finite_hull(x) for n, x in pieces.items()}
        scope = ", ".join(f"{n} in {ends_shown(ends)}" for n, ends in covered.items())
        scope += f", where {' and '.join(self.problem.texts)}" if self.problem.texts else ""
        summary = f"{self.problem.text} by {certificate['boxes']} boxes at {certificate['bits']} bits"
        summary += "".join(f", {lemma}" for lemma in certificate["lemmas"])
        summary += "" if whole else "; the unbounded part is not settled"
        verdict = Verdict.CERTIFIED if whole else Verdict.CERTIFIED_ON_BOX
        return Evidence(verdict, PROVER, summary, scope, certificate)

    def undecided(self, reason: str, lemma: Lemma | None = None) -> Evidence:
        facts: dict[str, Any] = {k: lemma[k] for k in ("boxes", "bits", "depth")} if lemma else {}
        return Evidence(Verdict.UNDECIDED, PROVER, f"{self.problem.text}: {reason}", certificate=facts)


def end_text(x: Fraction | None, position: int) -> str:
    return ("-oo" if position == 0 else "oo") if x is None else str(x)


def ends_text(ends: tuple[Fraction | None, Fraction | None]) -> list[str]:
    return [end_text(ends[0], 0), end_text(ends[1], 1)]


def ends_shown(ends: tuple[Any, ...]) -> str:
    low, high = ends_text((ends[0], ends[1]))
    return f"{'(' if ends[0] is None else '['}{low}, {high}{')' if ends[1] is None else ']'}"


def finite_hull(points: list[Fraction | None]) -> tuple[Fraction, Fraction]:
    finite = [x for x in points if x is not None]
    return finite[0], finite[-1]
