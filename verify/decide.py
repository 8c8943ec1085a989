"""One statement, one door: every searcher in turn, and the kernel's word.

    >>> decide("X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)").verdict
    <Verdict.PROVED: 'proved'>

A proof or a counterexample is looked for, cheap ways first; whatever is found is a certificate, and the kernel
says what it is worth.  Nothing found is `undecided`, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from glbcheck.core.kernel.check import FORMAT, read_statement
from glbcheck.core.kernel.terms import Rejected, budget
from glbcheck.verify.certificate import accepted, certificate, example_for
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.counterexample import refuted_at
from glbcheck.verify.edits import sides
from glbcheck.verify.memory import remembered
from glbcheck.verify.search import falsify
from glbcheck.verify.search.second_opinion import oracle
from glbcheck.verify.search.tactics import proofs
from glbcheck.verify.sieve import Sieve
from glbcheck.verify.wording import Data, read

STEPS = 200_000_000  # of the searchers, for one conclusion
OPPOSITE = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!=", "!=": "=="}


@remembered
def decide(statement: str | Mapping[str, Any]) -> Evidence:
    """Decide a statement in words, or as the kernel has it: variables, hypotheses, conclusion."""
    found = [one(dict(data)) for data in (read(statement) if isinstance(statement, str) else [statement])]
    if len(found) == 1:
        return found[0]
    weakest = max(found, key=lambda part: part.verdict.rank)
    if weakest.verdict is Verdict.UNDECIDED or weakest.verdict is Verdict.REFUTED:
        return weakest
    together = {"format": FORMAT, "all": [part.certificate for part in found]}
    summary = "; ".join(part.summary for part in found)
    return Evidence(weakest.verdict, "+".join(sorted({part.prover for part in found})), summary, certificate=together)


def one(data: Data) -> Evidence:
    """Decide one conclusion."""
    context, goal = read_statement(data)
    sieve = Sieve(context, goal)
    refuted = _refutation(data, filter(sieve, chain(falsify.near(context), falsify.proposed(data, context))))
    if refuted is not None:
        return refuted
    example = example_for(data) if data["hypotheses"] else None
    why = "no way to prove it was found, and no counterexample"
    try:
        with budget(STEPS):
            for name, proof in proofs(context, goal):
                if data["hypotheses"] and example is None:
                    example = _model(data)
                if data["hypotheses"] and example is None:
                    return Evidence(Verdict.UNDECIDED, name, "no point was seen to satisfy the hypotheses")
                if found := _accepted(certificate(data, proof, example), name, _sentence(data, name)):
                    return found
                if name != "engines":
                    why = f"the kernel did not accept what {name} found"
    except RuntimeError:
        why = "the steps for searching are used up"
    refuted = _refutation(data, filter(sieve, falsify.far(context, goal)))
    return refuted or Evidence(Verdict.UNDECIDED, "decide", f"{_sentence(data, '')}: {_denial(data) or why}")


def _accepted(made: Data, prover: str, summary: str) -> Evidence | None:
    try:
        word = accepted(made, oracle).word
    except Rejected:
        return None
    return Evidence(Verdict(word), prover, summary, certificate=made)


def _refutation(data: Data, points: Iterator[Mapping[str, Any]]) -> Evidence | None:
    """The first point that the kernel agrees is a counterexample."""
    found = (refuted_at(data, {"rule": "point", **point}, "point") for point in points)
    return next((one for one in found if one.verdict is Verdict.REFUTED), None)


def _denial(data: Data) -> str:
    """That a statement without variables is false, for its opposite is proved; no point shows that of an integral."""
    if data["variables"] or data["hypotheses"]:
        return ""
    left, relation, right = sides(data["conclusion"])
    opposite = {**data, "conclusion": f"{left} {OPPOSITE[relation]} {right}"}
    try:
        with budget(STEPS):
            ways = proofs(*read_statement(opposite))
            found = (_accepted(certificate(opposite, proof), name, "") for name, proof in ways)
            by = next((one.prover for one in found if one is not None), "")
    except RuntimeError:
        return ""
    return by and f"false, for {opposite['conclusion']} is proved, by {by}, but there is no point to refute it at"


def _model(data: Data) -> dict[str, Any] | None:
    """A point that satisfies the hypotheses, from the engines that solve equations."""
    return example_for(data, (model["at"] for model in falsify.models(data)))


def _sentence(data: Data, prover: str) -> str:
    given = ", ".join(data["hypotheses"])
    return f"{given + ' => ' if given else ''}{data['conclusion']}" + (f", by {prover}" if prover else "")
