"""The short answers: true as printed, true as repaired or false, read off the rows and never decided again."""

from __future__ import annotations

from typing import Any

import pytest
from glbcheck.verify.report import answers

THEOREM = {"id": "thm:a", "kind": "theorem", "line": 3, "silent": ""}
SENTENCE = {"id": "abstract/s1", "kind": "sentence", "line": 1, "silent": ""}


def row(name: str, verdict: str, reading: str = "as-printed", **more: Any) -> dict[str, Any]:
    given = {"id": name, "anchors": ["thm:a", "abstract/s1"], "verdict": verdict, "reading": reading, "math": ""}
    rest: dict[str, Any] = {
        "all_facts": [],
        "coq": None,
        "uses": [],
        "severity": None,
        "carries": [],
        "falls_with_it": [],
    }
    return {**given, **rest, **more}


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ([row("a", "proved")], "true as printed"),
        ([row("a", "argued"), row("b", "proved", "repaired")], "true as printed"),
        ([row("a", "stress-tested")], "true as printed, as far as tested"),
        ([row("a", "proved"), row("b", "refuted")], "false as printed"),
        ([row("a", "refuted"), row("b", "argued", "repaired")], "false as printed; true as repaired"),
        ([row("a", "refuted"), row("b", "undecided", "repaired")], "false as printed"),
        ([row("a", "gap")], "incomplete as printed: true under a hypothesis it lacks"),
        ([row("a", "undecided")], "undecided as printed"),
        ([row("a", "argued", "repaired")], "true as repaired"),
        ([row("a", "structural")], "not decided"),
        ([], "not decided"),
    ],
)
def test_the_worst_printed_claim_and_the_repairs_make_the_answer(claims: list[dict[str, Any]], words: str) -> None:
    (theorem,), (sentence,) = answers.theorems([THEOREM], claims), answers.abstract([SENTENCE], claims)
    assert theorem.words == sentence.words == words


def test_a_sentence_that_asserts_nothing_says_by_which_rule() -> None:
    (found,) = answers.abstract([{**SENTENCE, "silent": "announcement"}], [])
    assert found.words == "asserts nothing: announcement"


def test_what_is_claimed_besides_a_true_statement_is_not_called_its_repair() -> None:
    other = row("b", "proved", "repaired")
    assert "  besides: proved b" in "\n".join(answers.lines([THEOREM], [row("a", "argued"), other]))
    assert "  repaired: proved b" in "\n".join(answers.lines([THEOREM], [row("a", "refuted"), other]))


def test_what_the_printed_proof_rests_on_is_named_and_itself_is_not() -> None:
    wrong = row("a", "refuted", falls_with_it=[])
    lemma = row("b", "refuted", anchors=["lem:b"], falls_with_it=["a"])
    other = row("c", "refuted", anchors=["lem:c"], falls_with_it=["d"])
    (found,) = answers.theorems([THEOREM], [wrong, lemma, other])
    assert [one["id"] for one in found.rests_on] == ["b"]


def test_the_evidence_says_who_checked() -> None:
    here = {"asked": "here", "date": "2026-01-02", "assumes": ["the normal law"]}
    recorded = {**here, "asked": "recorded", "assumes": []}
    assert answers.evidence(row("a", "proved", coq=here)) == "Coq, assuming: the normal law"
    assert answers.evidence(row("a", "proved", coq=recorded)) == "Coq, check recorded 2026-01-02"
    assert "the negation proved by Coq, check recorded" in answers.evidence(row("a", "refuted", coq=recorded))
    assert "false without it by Coq" in answers.evidence(row("a", "gap", coq=here))
    assert answers.evidence(row("a", "undecided", coq={**here, "asked": "no"})) == "undecided"
    assert answers.evidence(row("a", "argued")) == "argued, calculations checked"


def test_a_terminal_gets_the_same_answers_in_lines_that_fit() -> None:
    claims = [row("a", "refuted"), row("b", "argued", "repaired", all_facts=["taylor"] * 12)]
    found = list(answers.lines([THEOREM, SENTENCE], claims))
    assert found[0] == "thm:a: false as printed; true as repaired"
    assert max(map(len, found)) <= 80
