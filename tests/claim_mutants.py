"""Mutants of claims: what a claim decided is edited and decided again, and no false edit may come out positive.

Every constant goes up and down, the relation becomes strict or turns around, each hypothesis is dropped, two symbols
are exchanged.  The old proof is put to the edited statement, and the searchers to it anew; beside them an oracle
looks for a point that refutes it.  Positive and refuted is a failure; positive and not refuted is slack, for the
kernel has a proof of it.  `make mutants` tries all claims, `tests/test_mutants.py` a few.
"""

from __future__ import annotations

import re
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from glbcheck.core.kernel.check import FORMAT
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify import controls, decide, edits, papers, review
from glbcheck.verify.certificate import accepted
from glbcheck.verify.claim import Claim, Evidence, Verdict
from glbcheck.verify.search import refuted_edits
from glbcheck.verify.search.second_opinion import oracle

PAPER = "hcw_glb_omd"
STEPS, SECONDS = 2_000_000, 3  # for deciding one edit: what takes longer is undecided, which is not positive
TRIED = re.compile(r"^without |^number .* (- 1|\+ 1|1 [-+] 1/10)$|made strict$|turned around$|exchanged in")
POSITIVE = ("proved", "certified")


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


def outcomes(claim: Claim) -> list[Outcome]:
    """All edits of all parts of what the claim decided."""
    found = {controls.key(part): part for part in controls.parts(claim.check().certificate)}
    return [one for part in found.values() for one in _of_part(claim.id, part)]


def _of_part(claim_id: str, part: controls.Part) -> Iterator[Outcome]:
    said = review.core_statements(part)[0]
    for kind in ("game", "computed"):
        for label, claim in edits.claim_edits(part[kind]["claim"]) if kind in part else ():
            word = _kernel({"format": FORMAT, kind: {**part[kind], "claim": claim}})
            yield Outcome(claim_id, said, label, "slack" if word in POSITIVE else "rejected")
    if "statement" in part:
        for edit in edits.edits(part["statement"]):
            if TRIED.search(edit.label):
                yield Outcome(claim_id, said, edit.label, _word(part, edit))
    if "invariant" in part:
        yield from _of_invariant(claim_id, said, part)


def _word(part: controls.Part, edit: edits.Edit) -> str:
    """Decide the edit: with the proof of what was edited, and with every searcher."""
    again = _kernel({**part, "statement": edit.statement}) in POSITIVE or _decided(edit.statement) in POSITIVE
    return _weighed(again, refuted_edits.fails_somewhere(edit.statement, part.get("example")))


def _weighed(positive: bool, refuted: bool) -> str:
    if positive:
        return "FALSE AND POSITIVE" if refuted else "slack"
    return "rejected" if refuted else "undecided"


def _of_invariant(claim_id: str, said: str, part: controls.Part) -> Iterator[Outcome]:
    """Edits of what is kept; false if it fails at the start or after one step."""
    data, (start, step) = part["invariant"], controls.statements(part)
    for edit in edits.edits({**start, "hypotheses": []}):
        if TRIED.search(edit.label):
            claim = edit.statement["conclusion"]
            later = edits.renamed(claim, {name: f"{name}_next" for name in data["state"]})
            refuted = any(
                refuted_edits.fails_somewhere({**one, "conclusion": text})
                for one, text in ((start, claim), (step, later))
            )
            positive = _kernel({**part, "invariant": {**data, "claim": claim}}) in POSITIVE
            yield Outcome(claim_id, said, edit.label, _weighed(positive, refuted))


def _kernel(certificate: Mapping[str, Any]) -> str:
    try:
        return accepted(certificate, oracle).word
    except Rejected:
        return ""


class _TooLong(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TooLong


def _decided(statement: Mapping[str, Any]) -> str:
    """The verdict of the one door, within the limits."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS)
    try:
        return str(decide.decide(statement).verdict)
    except (_TooLong, Rejected):
        return "undecided"
    finally:
        signal.alarm(0)


# --- words --------------------------------------------------------------------------------------------------


def word_edits(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """The claim with one of the things that a reader sees of it changed."""
    yield "title", replace(claim, title=f"{claim.title} (also for twice as much)")
    yield "math", replace(claim, math=f"{claim.math} \\le 0")
    yield "argument", replace(claim, argument=f"{claim.argument} This needs no hypothesis.")
    yield "a hypothesis more", replace(claim, hypotheses=(*claim.hypotheses, "true"))
    for i in range(len(claim.hypotheses)):
        fewer = claim.hypotheses[:i] + claim.hypotheses[i + 1 :]
        yield f"hypothesis {i + 1} dropped", replace(claim, hypotheses=fewer)


def unnoticed_words() -> list[str]:
    """The edits of words, of any claim, that would leave it as reviewed."""
    seen = Evidence(Verdict.PROVED, "none", "")
    return [
        f"{claim.id}: {what}"
        for claim in papers.find(PAPER).claims()
        if not claim.expected.nothing_to_decide
        for what, edited in word_edits(claim)
        if not review.complaint(edited, seen, {claim.id: review.digest(claim, seen)})
    ]


def score(found: Iterable[Outcome]) -> str:
    count = Counter(one.word for one in found)
    false = count["rejected"] + count["FALSE AND POSITIVE"]
    share = 100 * count["rejected"] / false if false else 100
    return (
        f"claims: {count['rejected']} of {false} false edits rejected ({share:g}%), "
        f"{count['slack']} true edits are slack, {count['undecided']} neither proved nor refuted"
    )


def main() -> int:
    """All edits of all claims; fails if a false edit comes out positive or an edit of words goes unnoticed."""
    decide.STEPS = STEPS
    claims, found = chosen(), list[Outcome]()
    with get_context("fork").Pool(2, maxtasksperchild=8) as pool:
        for i, some in enumerate(pool.imap_unordered(_outcomes_of, [claim.id for claim in claims]), 1):
            found += some
            print(f"\r{i} of {len(claims)} claims", end="", file=sys.stderr)
    print(file=sys.stderr)
    words = unnoticed_words()
    for one in sorted(found, key=str):
        if one.word in ("FALSE AND POSITIVE", "slack"):
            print(one)
    print(*(f"words that nobody notices: {text}" for text in words), sep="\n")
    print(score(found))
    return any(one.word == "FALSE AND POSITIVE" for one in found) or bool(words)


def _outcomes_of(claim_id: str) -> list[Outcome]:
    return outcomes(chosen([claim_id])[0])


if __name__ == "__main__":
    sys.exit(main())
