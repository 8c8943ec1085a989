"""One statement, one door: every searcher in turn, and the kernel's word.

    >>> decide("X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)").verdict
    <Verdict.PROVED: 'proved'>

A proof or a counterexample is looked for, cheap ways first; whatever is found is a certificate, and the kernel
says what it is worth.  Nothing found is `undecided`, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any

from glbcheck.core.kernel.check import FORMAT, read_statement
from glbcheck.core.kernel.context import Context, Fact
from glbcheck.core.kernel.terms import Rejected, budget, subterms
from glbcheck.verify.certificate import Proof, accepted, certificate
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.counterexample import refuted_at
from glbcheck.verify.edits import sides
from glbcheck.verify.memory import remembered
from glbcheck.verify.search import points, proposed_points, solvers, tactics
from glbcheck.verify.search.side_conditions import after
from glbcheck.verify.search.tactics import AT_ONCE, LAST, SLOW
from glbcheck.verify.search.unbounded import CELLS
from glbcheck.verify.wording import Data, read

STEPS = 200_000_000  # of the searchers, for one conclusion
LOOKS = 80  # exact ones at points of one kind, where balls do not tell
OPPOSITE = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!=", "!=": "=="}


@remembered
def decide(statement: str | Mapping[str, Any], steps: Sequence[str] = (), cells: int = CELLS) -> Evidence:
    """Decide a statement in words, or as the kernel has it: variables, hypotheses, conclusion.

    `steps` are relations on the way, each to be proved from those before; `cells` is how many for each bounded part.
    """
    found = [one(dict(data), steps, cells) for data in (read(statement) if isinstance(statement, str) else [statement])]
    if len(found) == 1:
        return found[0]
    weakest = max(found, key=lambda part: part.verdict.rank)
    if weakest.verdict is Verdict.UNDECIDED or weakest.verdict is Verdict.REFUTED:
        return weakest
    together = {"format": FORMAT, "all": [part.certificate for part in found]}
    summary = "; ".join(part.summary for part in found)
    return Evidence(weakest.verdict, "+".join(sorted({part.prover for part in found})), summary, certificate=together)


def one(data: Data, steps: Sequence[str], cells: int) -> Evidence:
    """Decide one conclusion: evident signs and short points, then proofs, and points that have to be searched for."""
    context, goal = read_statement(data)
    search = _Search(data, context, goal, steps, cells)
    early = (
        search.proved(AT_ONCE)
        or search.proved(("quick-algebra",))
        or search.refuted(_short_points(context, goal))
        or search.proved(("closed-forms", "induction"))
    )
    if early is not None:
        return early
    model = solvers.model(context, goal)  # where there is one, multipliers are looked for in vain
    return (
        search.refuted(proposed_points.around(context, model))
        or (search.proved(("algebra",)) if model is None else None)
        or search.refuted(proposed_points.solutions(context))
        or search.proved(SLOW)
        or search.refuted(chain(points.near(context, points.WRITTEN_OUT), proposed_points.far(context, goal)))
        or search.proved(LAST)
        or Evidence(Verdict.UNDECIDED, "decide", f"{_sentence(data, '')}: {_denial(data) or search.why}")
    )


def _short_points(context: Context, goal: Fact) -> Iterable[Mapping[str, Any]]:
    """Short points; far ones and those of equality, too, where a quick look is possible: a sum up to 10**8 has none."""
    quick = points.Screen(context, [goal]).program is not None
    return points.candidates(context) if quick else points.near(context)


@dataclass
class _Search:
    """What has been tried for one conclusion."""

    data: Data
    context: Context
    goal: Fact
    steps: Sequence[str]
    cells: int
    example: dict[str, Any] | None = None
    why: str = "no way to prove it was found, and no counterexample"

    def refuted(self, tried: Iterable[Mapping[str, Any]]) -> Evidence | None:
        """The first point that the kernel agrees is a counterexample; of an integral it compares no values."""
        if any(t.op == "integral" for t in subterms(self.goal.gap)):
            return None
        worth = islice(points.refuting(self.context, self.goal, tried), LOOKS)
        found = (refuted_at(self.data, {"rule": "point", **point}, "point") for point in worth)
        return next((one for one in found if one.verdict is Verdict.REFUTED), None)

    def proved(self, by: Sequence[str]) -> Evidence | None:
        """The first proof that the kernel accepts; or undecided, if nothing is seen to satisfy the hypotheses."""
        try:
            with budget(STEPS):
                for found_by, last in tactics.proofs(self.known[0], self.goal, by, self.cells):
                    name = found_by.removeprefix("quick-")
                    if not self.satisfiable():
                        return Evidence(Verdict.UNDECIDED, name, "no point was seen to satisfy the hypotheses")
                    made = certificate(self.data, after(self.known[1], last), self.example)
                    if found := _accepted(made, name, _sentence(self.data, name)):
                        return found
                    if name != "engines":
                        self.why = f"the kernel did not accept what {name} found"
                    elif absent := solvers.not_asked(self.context, self.goal):
                        self.why += f"; {absent}"
        except RuntimeError:
            self.why = "the steps for searching are used up"
        return None

    @cached_property
    def known(self) -> tuple[Context, list[tuple[str, Proof]]]:
        """What is known after the steps that are proved, and their proofs."""
        context, lemmas = self.context, list[tuple[str, Proof]]()
        for text in self.steps:
            given = [*self.data["hypotheses"], *(step for step, _ in lemmas)]
            found = one({**self.data, "hypotheses": given, "conclusion": text}, (), self.cells)
            if found.verdict is Verdict.PROVED:
                lemmas.append((text, found.certificate["proof"]))
                context = context.plus(context.read_fact(text))
        return context, lemmas

    def satisfiable(self) -> bool:
        """Has a point been found that satisfies the hypotheses, or are there none?"""
        if self.data["hypotheses"] and self.example is None:
            self.example = proposed_points.example_for(self.context)
        return not self.data["hypotheses"] or self.example is not None


def _accepted(made: Data, prover: str, summary: str) -> Evidence | None:
    try:
        word = accepted(made, solvers.oracle).word
    except Rejected:
        return None
    return Evidence(Verdict(word), prover, summary, certificate=made)


def _denial(data: Data) -> str:
    """That a statement without variables is false, for its opposite is proved; no point shows that of an integral."""
    if data["variables"] or data["hypotheses"]:
        return ""
    left, relation, right = sides(data["conclusion"])
    opposite = {**data, "conclusion": f"{left} {OPPOSITE[relation]} {right}"}
    try:
        with budget(STEPS):
            ways = tactics.proofs(*read_statement(opposite))
            found = (_accepted(certificate(opposite, proof), name, "") for name, proof in ways)
            by = next((one.prover for one in found if one is not None), "")
    except RuntimeError:
        return ""
    return by and f"false, for {opposite['conclusion']} is proved, by {by}, but there is no point to refute it at"


def _sentence(data: Data, prover: str) -> str:
    given = ", ".join(data["hypotheses"])
    return f"{given + ' => ' if given else ''}{data['conclusion']}" + (f", by {prover}" if prover else "")
