"""Mutants of claims: what a claim decided is edited and decided again, and no false edit may come out positive.

Every constant goes up and down, the relation becomes strict or turns around, each hypothesis is dropped, two symbols
are exchanged.  First a point is looked for that refutes the edit, and the old proof is put to it.  Then `decide` gets
it, as if nothing was known: what a point refutes may not come out positive, and the rest is slack if it is proved.

Equal parts of claims are tried once, work is counted in steps, and a journal keeps each outcome, so that a run that
was stopped goes on where it was; after a change of the kernel begin a new one.  False edits come first, then those of
which nothing is known, part by part in an order that does not depend on the claims.  `make mutants` tries all claims,
`tests/test_mutants.py` a few.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

from glbcheck.core.kernel.check import FORMAT, Checker
from glbcheck.core.kernel.terms import Rejected, budget
from glbcheck.verify import controls, decide, edits, papers, review
from glbcheck.verify.certificate import accepted
from glbcheck.verify.claim import Claim, Verdict
from glbcheck.verify.search import falsify, refuted_edits, smt, tactics, tails
from glbcheck.verify.search.second_opinion import oracle

from tests import implied_edits
from tests.claim_journal import answered, read

PAPER = "hcw_glb_omd"
# Work for one edit: of all searchers, and of those that have a measure of their own; what takes more is not positive.
STEPS, CELLS, ENGINES, GOALS, STARTS = 200_000, 500, 0.02, 12, 3
LAST_GUARD = 60  # seconds: only SymPy counts no steps
TRIED = re.compile(r"^without |^number .* (- 1|\+ 1|1 [-+] 1/10)$|made strict$|turned around$|exchanged in")
POSITIVE = ("proved", "certified")
REJECTED, SEVERE = "rejected", "FALSE AND POSITIVE"
SEARCHED = "rejected by the searchers too"


@dataclass(frozen=True)
class Question:
    """One edit of one part of what a claim decided."""

    claim: str
    said: str
    part: controls.Part
    edit: edits.Edit

    @property
    def key(self) -> str:
        text = json.dumps([self.part, self.edit.label], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Outcome:
    """What became of one edit: rejected, slack, undecided, or a false statement that came out positive."""

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
    return REJECTED if refuted else "open"


def word_on_false(question: Question) -> str:
    """What `decide` makes of it."""
    found = decide.decide(question.edit.statement).verdict
    return "slack" if found in POSITIVE else REJECTED if found is Verdict.REFUTED else "undecided"


def word_on_open(question: Question) -> str:
    """The same, after the old proof with one step more."""
    return "slack" if _implied(question) else word_on_false(question)


def _implied(question: Question) -> bool:
    try:
        with budget(STEPS):
            return any(map(_kernel, implied_edits.certificates(question.part, question.edit.statement)))
    except RuntimeError:  # no steps left
        return False


def joined(first: str, last: str | None) -> str:
    """The word on an edit, from what its point and the old proof, and then the searchers, say."""
    if first == REJECTED and last is not None:
        return SEVERE if last == "slack" else last if last.startswith("CRASH") else SEARCHED
    return "undecided" if (last or first) == "open" else last or first


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
    """Less work for each searcher, counted in its own steps."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(LAST_GUARD)
    try:
        with (
            mock.patch.object(decide, "STEPS", STEPS),
            mock.patch.object(tactics, "CELLS", CELLS),
            mock.patch.object(tails, "STEPS", GOALS),
            mock.patch.object(falsify, "STARTS", STARTS),
            mock.patch.object(smt, "SHARE", ENGINES),
        ):
            yield
    finally:
        signal.alarm(0)


SECOND = {REJECTED: word_on_false, "open": word_on_open}


# --- a run --------------------------------------------------------------------------------------------------


def outcomes(asked: Sequence[Question], journal: Path | None = None, workers: int = 1) -> list[Outcome]:
    """First the points and the old proofs for every question, then the searchers for what is refuted or open."""
    first = answered(asked, first_word, _asked, journal, workers)
    last: dict[str, str] = {}
    for word, way in SECOND.items():
        of_statements = (q for q in asked if "statement" in q.part and first[q.key] == word)
        in_order = sorted(of_statements, key=lambda q: controls.key(q.part))
        last |= answered(in_order, way, _asked, journal, workers)
    return [Outcome(q.claim, q.said, q.edit.label, joined(first[q.key], last.get(q.key))) for q in asked]


def _asked(way: Callable[[Question], str], question: Question) -> tuple[Question, str]:
    try:
        with _limited():
            return question, way(question)
    except _TooLong:
        return question, "undecided"
    except Exception as error:
        return question, f"CRASH {type(error).__name__}: {error}"


def _so_far(journal: Path) -> list[str]:
    """The words on the edits in the journal."""
    first, last = dict[str, str](), dict[str, str]()
    for line in read(journal):
        (first if line["stage"] == first_word.__name__ else last)[line["key"]] = line["word"]
    return [joined(word, last.get(key)) for key, word in first.items()]


def score(words: Iterable[str]) -> str:
    count = Counter("CRASH" if word.startswith("CRASH") else word for word in words)
    searched = count[SEARCHED]
    rejected = count[REJECTED] + searched
    false = rejected + count[SEVERE]
    share = 100 * rejected / false if false else 100
    return (
        f"claims: {rejected} of {false} false edits rejected ({share:g}%), {searched} of them put to the searchers; "
        f"{count['slack']} true edits are slack, {count['undecided']} are neither proved nor refuted, "
        f"{count['CRASH']} crashed"
    )


def main() -> int:
    """All edits of all claims; fails if a false edit comes out positive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--journal", type=Path, default=Path("results/claim_mutants.jsonl"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--score", action="store_true", help="only say how far the journal is")
    given = parser.parse_args()
    if given.score:
        print(score(_so_far(given.journal)))
        return 0
    found = sorted(outcomes(questions(chosen()), given.journal, given.workers), key=str)
    severe = [one for one in found if one.word.startswith((SEVERE, "CRASH"))]
    print("", *severe, *(one for one in found if one.word == "slack"), sep="\n")
    print(score(one.word for one in found))
    return bool(severe)


if __name__ == "__main__":
    sys.exit(main())
