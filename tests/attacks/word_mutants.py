"""Mutants of words: whatever a reader sees of a claim is changed a little, and the review must notice.

Numbers go up, relations and their words turn around, quantifiers change, hypotheses, uses and places are dropped, the
reading, the severity and the control change; so do the textbook facts that a claim names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from unittest import mock

from glbcheck.verify import papers, review
from glbcheck.verify.claim import Claim, Evidence, Reading, Severity, Verdict
from glbcheck.verify.facts import FACTS

PAPER = "hcw_glb_omd"
SEEN = Evidence(Verdict.PROVED, "none", "")
# What is found, and what is put there instead.
RULES: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"\d+", lambda found: str(int(found[0]) + 1)),
    (r"\b(at most|at least)\b", lambda found: "at least" if found[0] == "at most" else "at most"),
    (r"<=|>=", lambda found: ">=" if found[0] == "<=" else "<="),
    (r"\\le\b|\\ge\b", lambda found: r"\ge" if found[0] == r"\le" else r"\le"),
    (r"\b(every|all|any)\b", lambda found: "some"),
    (r"\b(is|are)\b(?! not)", lambda found: f"{found[0]} not"),
    (r"\b(below|above)\b", lambda found: "above" if found[0] == "below" else "below"),
    (r"[-+](?= )", lambda found: "+" if found[0] == "-" else "-"),
    (r"\b(\w+) (and|or) ", lambda found: f"{found[1]} {'or' if found[2] == 'and' else 'and'} "),
    (r"$", lambda found: " for free"),
)
# What no reader is told (where the code is, how it is run), and what a machine compares with what was decided.
UNSEEN = {"id", "check", "expected", "core", "location", "coq", "states"}


def edited_texts(text: str) -> Iterator[str]:
    """The text with one thing changed, for each rule at its first and its last place."""
    for pattern, instead in RULES:
        places = list(re.finditer(pattern, text))
        for found in {place.start(): place for place in (*places[:1], *places[-1:])}.values():
            yield text[: found.start()] + instead(found) + text[found.end() :]


def word_edits(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """The claim with one of the things that a reader sees of it changed."""
    for field in fields(Claim):
        value = getattr(claim, field.name)
        if field.name in UNSEEN:
            continue
        for new in _changed(value):
            edited: dict[str, object] = {field.name: new}
            yield f"{field.name} = {new!r}", replace(claim, **edited)  # type: ignore[arg-type]
    yield "control", replace(claim, control=claim.control and replace(claim.control, statement="nothing"))


def _changed(value: object) -> Iterator[object]:
    if isinstance(value, Reading | Severity):
        yield from (other for other in type(value) if other is not value)
    elif isinstance(value, str) and value:
        yield from edited_texts(value)
    elif isinstance(value, tuple):
        for i, one in enumerate(value):
            yield (*value[:i], *value[i + 1 :])
            yield from ((*value[:i], new, *value[i + 1 :]) for new in edited_texts(one))
    elif isinstance(value, dict):
        for key, text in value.items():
            yield {name: one for name, one in value.items() if name != key}
            yield from ({**value, key: new} for new in edited_texts(text))


def unnoticed_words(claims: list[Claim]) -> list[str]:
    """The edits of words that would leave a claim as reviewed."""
    return [
        f"{claim.id}: {what}"
        for claim in claims
        for what, edited in word_edits(claim)
        if edited != claim and not _complaint(edited, _reviewed(claim))
    ]


def unnoticed_facts(claims: list[Claim]) -> list[str]:
    """The edits of textbook facts that would leave each claim that names them as reviewed."""
    using = {name: claim for claim in claims for name in claim.facts}
    found = []
    for name, claim in using.items():
        reviewed, fact = _reviewed(claim), FACTS[name]
        changed = [replace(fact, statement=text) for text in edited_texts(fact.statement)]
        for new in (*changed, replace(fact, reference="folklore")):
            with mock.patch.dict(FACTS, {name: new}):
                found += [] if _complaint(claim, reviewed) else [f"{name}: {new.statement} [{new.reference}]"]
    return found


def _reviewed(claim: Claim) -> dict[str, str]:
    return {claim.id: review.digest(claim, SEEN), **review.beside(claim)}


def _complaint(claim: Claim, reviewed: dict[str, str]) -> str:
    return review.complaint(claim, SEEN, reviewed)


def all_claims() -> list[Claim]:
    return papers.find(PAPER).claims()
