"""Mutants of claims: what a claim decided is edited, and no false edit may come out positive by the old proof.

Every constant goes up and down, the relation becomes strict or turns around, each hypothesis is dropped, two symbols
are exchanged.  A point is looked for that refutes the edit, and the old proof is put to it.  An edit that a point
refutes is rejected; one that the old proof still proves is slack; of the others nothing is known.

Equal parts of claims are tried once.  `make mutants` tries all claims, `tests/attacks/test_mutants.py` a few.
"""

from __future__ import annotations

import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from multiprocessing import get_context
from typing import Any
from unittest import mock

from glbcheck.core.kernel.check import FORMAT, Checker
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify import controls, edits, papers, review
from glbcheck.verify.certificate import accepted
from glbcheck.verify.claim import Claim, Verdict
from glbcheck.verify.search import refuted_edits
from glbcheck.verify.search.solvers import oracle

PAPER = "hcw_glb_omd"
LAST_GUARD = 60  # seconds for one edit; what takes longer is not known
TRIED = re.compile(r"^without |^number .* (- 1|\+ 1|1 [-+] 1/10)$|made strict$|turned around$|exchanged in")
POSITIVE = ("proved", "certified")
REJECTED, SEVERE, UNKNOWN = "rejected", "FALSE AND POSITIVE", "not known"


@dataclass(frozen=True)
class Question:
    """One edit of one part of what a claim decided."""

    claim: str
    said: str
    part: controls.Part
    edit: edits.Edit


@dataclass(frozen=True)
class Outcome:
    """What became of one edit: rejected, slack, not known, or a false statement that came out positive."""

    claim: str
    statement: str
    edit: str
    word: str

    def __str__(self) -> str:
        return f"{self.word}: {self.claim}: {self.statement}: {self.edit}"


def chosen(claim_ids: Iterable[str] | None = None) -> list[Claim]:
    """The claims with machine-checked parts; or those of these names."""
    wanted = None if claim_ids is None else set(claim_ids)
    everyone = [c for c in papers.find(PAPER).claims() if not c.expected.nothing_to_decide]
    return [c for c in everyone if (c.id in wanted if wanted is not None else c.expected is not Verdict.STRESS_TESTED)]


# --- what is asked ------------------------------------------------------------------------------------------


def questions(claims: Iterable[Claim]) -> list[Question]:
    """All edits of all parts of what the claims decided, each once."""
    parts: dict[str, tuple[str, controls.Part]] = {}
    for claim in claims:
        for part in controls.parts(claim.check().certificate):
            parts.setdefault(controls.key(part), (claim.id, part))
    return [question for claim_id, part in parts.values() for question in _of_part(claim_id, part)]


def _of_part(claim_id: str, part: controls.Part) -> Iterator[Question]:
    said = review.core_statements(part)[0]
    return (Question(claim_id, said, part, edit) for edit in _edits(part))


def _edits(part: controls.Part) -> Iterator[edits.Edit]:
    """The edits that are tried; of a number only what is claimed of it changes, of an invariant what is kept."""
    for kind in ("game", "computed"):
        for label, claim in edits.claim_edits(part[kind]["claim"]) if kind in part else ():
            yield edits.Edit(label, {"claim": claim})
    if "statement" in part:
        yield from (edit for edit in edits.edits(part["statement"]) if TRIED.search(edit.label))
    if "invariant" in part:
        start = controls.statements(part)[0]
        yield from (edit for edit in edits.edits({**start, "hypotheses": []}) if TRIED.search(edit.label))


# --- what is answered ---------------------------------------------------------------------------------------


def first_word(question: Question) -> str:
    """Is it refuted at a short point, and does the old proof still stand?"""
    part, edit = question.part, question.edit
    if "statement" in part:
        return _of_statement(part, edit.statement)
    if "invariant" in part:
        return _of_invariant(part, edit.statement["conclusion"])
    if "game" in part:
        return "slack" if _compared(_value(json.dumps(part["game"])), edit.statement["claim"]) else REJECTED
    return "slack" if _kernel({"format": FORMAT, "computed": {**part["computed"], **edit.statement}}) else REJECTED


@lru_cache(8)
def _value(game: str) -> Fraction:
    """What the kernel finds that a game is worth, whatever is claimed of it."""
    worth: list[Fraction] = []
    with mock.patch.object(Checker, "compare", lambda self, value, claim: worth.append(value)):
        Checker(None).game(json.loads(game), {})
    return worth[0]


def _compared(value: Fraction, claim: str) -> bool:
    try:
        return Checker(None).compare(value, claim)
    except Rejected:
        return False


def _of_statement(part: controls.Part, statement: Mapping[str, Any]) -> str:
    against = _point(part, statement)
    example = part.get("example") if against is None else against
    old = _kernel({**part, "statement": statement, **({"example": example} if "example" in part else {})})
    return _weighed(old, against is not None)


def _of_invariant(part: controls.Part, claim: str) -> str:
    """False if it fails at the start or after one step."""
    data, (start, step) = part["invariant"], controls.statements(part)
    later = edits.renamed(claim, {name: f"{name}_next" for name in data["state"]})
    said = ({**start, "conclusion": claim}, {**step, "conclusion": later})
    refuted = any(refuted_edits.point_against(one) is not None for one in said)
    return _weighed(_kernel({**part, "invariant": {**data, "claim": claim}}), refuted)


def _weighed(positive: bool, refuted: bool) -> str:
    if positive:
        return SEVERE if refuted else "slack"
    return REJECTED if refuted else UNKNOWN


def _point(part: controls.Part, statement: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return refuted_edits.point_against(statement, part.get("example"))


def _kernel(made: Mapping[str, Any]) -> bool:
    try:
        return accepted(made, oracle).word in POSITIVE
    except Rejected:
        return False


class _TooLong(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TooLong


@contextmanager
def _limited() -> Iterator[None]:
    """At most LAST_GUARD seconds for one edit."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(LAST_GUARD)
    try:
        yield
    finally:
        signal.alarm(0)


# --- a run --------------------------------------------------------------------------------------------------


def outcomes(asked: Sequence[Question], workers: int = 1) -> list[Outcome]:
    """What the points and the old proofs say of every question."""
    with get_context("fork").Pool(workers, maxtasksperchild=500) as pool:
        words = pool.map(_word, asked, 16)
    return [Outcome(q.claim, q.said, q.edit.label, word) for q, word in zip(asked, words, strict=True)]


def _word(question: Question) -> str:
    try:
        with _limited():
            return first_word(question)
    except _TooLong:
        return UNKNOWN
    except Exception as error:
        return f"CRASH {type(error).__name__}: {error}"


def score(words: Iterable[str]) -> str:
    count = Counter("CRASH" if word.startswith("CRASH") else word for word in words)
    false = count[REJECTED] + count[SEVERE]
    share = 100 * count[REJECTED] / false if false else 100
    return (
        f"claims: {count[REJECTED]} of {false} false edits rejected ({share:g}%); {count['slack']} true edits are "
        f"slack, of {count[UNKNOWN]} it is not known whether they are true, {count['CRASH']} crashed"
    )


def main() -> int:
    """All edits of all claims; fails if a false edit comes out positive."""
    found = sorted(outcomes(questions(chosen()), workers=2), key=str)
    severe = [one for one in found if one.word.startswith((SEVERE, "CRASH"))]
    print("", *severe, *(one for one in found if one.word == "slack"), sep="\n")
    print(score(one.word for one in found))
    return bool(severe)


if __name__ == "__main__":
    sys.exit(main())
