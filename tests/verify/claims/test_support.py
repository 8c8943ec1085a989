"""What a claim may rest on: known names, no circles, no repair under a printed statement, no silent hypothesis."""

from __future__ import annotations

from typing import Any

import pytest
from glbcheck.verify import papers
from glbcheck.verify.claim import Claim, Control, Evidence, Reading, Severity, Verdict
from glbcheck.verify.support import GraphError, check_graph

NOTHING = Evidence(Verdict.UNDECIDED, "toy", "")
LINE = "self-concordant on the whole line"


def toy(name: str, *uses: str, expected: str = "argued", reading: str = "as-printed", **options: Any) -> Claim:
    settings = {"severity": Severity.SLIP, "consequence": "c", "location": "m:1", **options}
    return Claim(
        name, (f"lemma:{name}",), name, lambda: NOTHING, Verdict(expected), Control("c", lambda: NOTHING),
        uses=uses, reading=Reading(reading), **settings,
    )  # fmt: skip


@pytest.mark.parametrize(("uses", "complaint"), [
    ({"a": ["ghost"]}, "claim 'a' uses 'ghost'"), ({"a": ["a"]}, "a -> a"),
    ({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}, "'a' rests on itself: a -> b -> c -> a"),
])  # fmt: skip
def test_a_graph_with_a_dangling_name_or_a_cycle_is_refused(uses: dict[str, list[str]], complaint: str) -> None:
    with pytest.raises(GraphError, match=complaint):
        check_graph([toy(name, *its) for name, its in uses.items()])


def test_a_graph_without_cycle_is_accepted() -> None:
    check_graph([toy("a", "b", "c"), toy("b", "d"), toy("c", "d"), toy("d")])


@pytest.mark.parametrize(("expected", "reading", "described"), [
    ("argued", "repaired", "repaired"), ("proved", "repaired", "repaired"), ("stress-tested", "repaired", "repaired"),
    ("refuted", "as-printed", "expected refuted"), ("gap", "as-printed", "expected gap"),
])  # fmt: skip
def test_a_printed_statement_does_not_rest_on_a_repair_or_on_what_is_wrong(
    expected: str, reading: str, described: str
) -> None:
    used = toy("used", expected=expected, reading=reading)
    with pytest.raises(GraphError, match=f"'theorem' is as printed and uses 'used', which is {described}"):
        check_graph([toy("theorem", "used"), used])
    with pytest.raises(GraphError, match="'theorem' is as printed and uses 'used'"):
        check_graph([toy("theorem", "note"), toy("note", "used", expected="structural"), used])
    check_graph([toy("theorem", "used", reading="repaired"), used])
    check_graph([toy("theorem", "used", expected="gap"), used])


def test_a_printed_statement_does_not_argue_with_a_repair_that_it_does_not_list() -> None:
    lemma = toy("the_lemma", reading="repaired")
    with pytest.raises(GraphError, match="'theorem' is as printed and argues with 'the_lemma', which is repaired"):
        check_graph([toy("theorem", argument="By `the_lemma` it follows."), lemma])
    check_graph([toy("theorem", argument="By `the_lemma` it follows.", reading="repaired"), lemma])


@pytest.mark.parametrize("expected", ["proved", "argued", "undecided", "definition", "cited", "structural"])
def test_a_printed_statement_may_rest_on_what_is_printed_and_not_known_to_be_wrong(expected: str) -> None:
    check_graph([toy("theorem", "used"), toy("used", expected=expected)])


def test_a_hypothesis_that_is_not_printed_is_stated_by_all_that_rests_on_it() -> None:
    lemma = toy("lemma", reading="repaired", hypotheses=(LINE,))
    with pytest.raises(GraphError, match=f"'theorem' uses 'lemma' and neither states nor discharges .*{LINE}"):
        check_graph([toy("theorem", "lemma", reading="repaired"), lemma], [LINE])
    check_graph([toy("theorem", "lemma", reading="repaired", hypotheses=(LINE,)), lemma], [LINE])
    check_graph([toy("theorem", "lemma", reading="repaired", discharges={LINE: "linear link"}), lemma], [LINE])
    check_graph([toy("theorem", "lemma", reading="repaired"), lemma])


def test_a_printed_statement_does_not_assume_what_is_not_printed() -> None:
    with pytest.raises(GraphError, match=f"'lemma' is as printed and assumes '{LINE}'"):
        check_graph([toy("lemma", hypotheses=(LINE,))], [LINE])


def test_nothing_is_discharged_that_nobody_assumes() -> None:
    with pytest.raises(GraphError, match="discharges 'x > 0', which nothing that it uses assumes"):
        check_graph([toy("theorem", "lemma", discharges={"x > 0": "x = 1"}), toy("lemma")])


@pytest.mark.parametrize(("carried", "complaint"), [
    ((), "carries 'theorem', which is not the id of any claim"),
    ((toy("theorem", reading="repaired"),), "carries 'theorem', which is repaired"),
    ((toy("theorem", expected="gap", carries=("lemma",)),), "falls with itself: lemma -> theorem -> lemma"),
])  # fmt: skip
def test_what_is_wrong_carries_printed_statements_that_are_there(carried: tuple[Claim, ...], complaint: str) -> None:
    lemma = toy("lemma", expected="refuted", carries=("theorem",))
    with pytest.raises(GraphError, match=f"claim 'lemma' {complaint}"):
        check_graph([lemma, *carried])
    check_graph([lemma, toy("theorem")])


def test_the_claims_of_the_paper_rest_on_what_they_may() -> None:
    paper = papers.find("hcw_glb_omd")
    claims, unprinted = paper.claims(), tuple(paper.unprinted())
    check_graph(claims, unprinted)
    stated = {text for claim in claims for text in claim.hypotheses}
    assert set(unprinted) <= stated
