"""Inequalities in one variable on an interval or a half-line, proved by a derivative ladder.

The search may guess as it likes: what it finds is a proof in the kernel's rules, and the kernel decides what it
is worth.  A failed search proves nothing; the statement is then tried at rational points, where a certified
violation refutes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import ball_function, precision
from glbcheck.core.exact import number, rational
from glbcheck.core.expression import to_text
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import EVIDENT, Proof, proof_of
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.memory import remembered
from glbcheck.verify.search.formulas import text
from glbcheck.verify.search.inputs import Relation, relation
from glbcheck.verify.search.ladder_search import Interval, Search, zeros

PROVER = "ladder"
HYPERBOLIC = [sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch]


@dataclass(frozen=True)
class Claimed:
    """f >= 0 (> 0 if strict) on an interval with these ends closed, as the text says."""

    text: str
    f: sp.Expr
    on: Interval
    strict: bool
    ends: tuple[bool, bool]

    def statement(self) -> Statement:
        hypotheses = [f"{self.on.x.name} >{'=' if self.ends[0] else ''} {self.on.low}"]
        if self.on.high is not None:
            hypotheses.append(f"{self.on.x.name} <{'=' if self.ends[1] else ''} {self.on.high}")
        return Statement(tuple(hypotheses), self.text)

    def data(self) -> dict[str, Any]:
        s = self.statement()
        return {"variables": {self.on.x.name: "real"}, "hypotheses": list(s.hypotheses), "conclusion": s.conclusion}

    @property
    def where(self) -> str:
        high = "oo" if self.on.high is None else self.on.high
        return f"{'[' if self.ends[0] else '('}{self.on.low}, {high}{']' if self.ends[1] else ')'}"


@remembered
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
    claimed = read(claim, variable, rational("low", low), None if high is None else rational("high", high), closed)
    try:
        proof = find(claimed, Search(effort))
    except Rejected:
        proof = None
    if proof is not None:
        count = sum(1 for _ in rules(proof))
        summary = f"{claimed.text} by a ladder of {count} rungs"
        found = proof_of(claimed.data(), proof, PROVER, summary, f"all {variable} in {claimed.where}")
        if found.verdict is Verdict.PROVED:
            return found
    if evidence := violation(claimed):
        return evidence
    reason = f"{claimed.text} on {claimed.where}: no ladder found within {effort} steps, and no point violates it"
    return Evidence(Verdict.UNDECIDED, PROVER, reason)


def read(claim: Relation, variable: str, low: Fraction, high: Fraction | None, closed: tuple[bool, bool]) -> Claimed:
    stated = relation("claim", claim, [variable])
    if stated.rel_op not in ("<=", "<", ">=", ">"):
        raise ValueError(f"claim = {stated} is not accepted: an inequality <=, <, >= or >")
    if unknown := {s.name for s in stated.free_symbols} - {variable}:
        raise ValueError(f"claim = {stated} holds {sorted(unknown)}; only {variable!r} is accepted")
    x = sp.Symbol(variable, real=True)
    stated = stated.func(
        *(side.xreplace(dict.fromkeys(stated.free_symbols, x)) for side in stated.args), evaluate=False
    )
    f = (stated.lhs - stated.rhs) if stated.rel_op in (">=", ">") else (stated.rhs - stated.lhs)
    written = claim if isinstance(claim, str) else to_text(stated)
    f = f.rewrite(HYPERBOLIC, sp.exp).doit()
    ends = (closed[0], closed[1] and high is not None)
    return Claimed(written, f, Interval(x, low, high), stated.rel_op in ("<", ">"), ends)


def find(claimed: Claimed, search: Search) -> Proof | None:
    """A proof on the open interval, with the ends that belong to the interval taken one by one."""
    on, lemmas = search.helpers(claimed.f, claimed.on)
    proof = search.climb(claimed.f, on, claimed.strict)
    if proof is None:
        return None
    proof = {"rule": "times", "then": text(claimed.f), "proof": proof}
    for u, by in reversed(lemmas):
        proof = {"rule": "lemma", "relation": f"{text(u)} > 0", "by": by, "proof": proof}
    x = claimed.on.x.name
    ends = f"{x} - ({claimed.on.low})", f"{claimed.on.high} - {x}"
    for closed, inside in zip(claimed.ends, ends, strict=True):
        if closed:
            pinned = {"rule": "pinned", "proof": EVIDENT}
            proof = {"rule": "cases", "at": inside, "above": proof, "below": pinned}
    return proof


def rules(proof: Any) -> Iterator[str]:
    """The names of the rules in a proof."""
    if isinstance(proof, Mapping):
        if "rule" in proof:
            yield proof["rule"]
        for part in proof.values():
            yield from rules(part)


# --- refutation ----------------------------------------------------------------------------------


def violation(claimed: Claimed) -> Evidence | None:
    """A rational point of the interval where the claim fails."""
    on = claimed.on
    touching = [end for end, closed in zip((on.low, on.high), claimed.ends, strict=True) if closed and end is not None]
    for at in (*touching, *zeros(claimed.f, on), *candidates(claimed.f, on, touching)):
        evidence = refute(claimed.statement(), {on.x.name: at}, PROVER)
        if evidence.verdict is Verdict.REFUTED:
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
