"""Controls of the parts: edits of a statement that a point refutes, recorded and checked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from glbcheck.verify import controls, edits
from glbcheck.verify.claim import Verdict
from glbcheck.verify.claims import checked
from glbcheck.verify.decide import decide
from glbcheck.verify.judge import combine
from glbcheck.verify.judge import decide as judge
from glbcheck.verify.registry import Registry, claim
from glbcheck.verify.search import algebra, exact, refuted_edits, symbolic
from glbcheck.verify.search.games import dynamic_program
from glbcheck.verify.wording import read

from tests.corpus.games import dice

SHARP = "X >= 0, a >= 0, b >= 0, X**2 <= a*X + b => X <= a + sqrt(b)"


def data(text: str) -> dict[str, Any]:
    return read(text)[0]


@pytest.mark.parametrize(
    ("label", "edited"),
    [
        ("the right side times 1 - 10**-6", "x >= 0 => exp(x) >= (1 - 10**-6)*(1 + x**2/2)"),
        ("number 1 of the conclusion times 1 + 10**-6", "x >= 0 => exp(x) >= (1*(1 + 10**-6)) + x**2/2"),
        ("number 2 of the conclusion + 1", "x >= 0 => exp(x) >= 1 + x**(2 + 1)/2"),
        ("number 3 of the conclusion - 1", "x >= 0 => exp(x) >= 1 + x**2/(2 - 1)"),
        ("the conclusion made strict", "x >= 0 => exp(x) > 1 + x**2/2"),
        ("the conclusion turned around", "x >= 0 => exp(x) <= 1 + x**2/2"),
        ("without x >= 0", "exp(x) >= 1 + x**2/2"),
        ("sign 1 of the conclusion changed", "x >= 0 => exp(x) >= 1 - x**2/2"),
    ],
)
def test_an_edit_is_found_by_its_label(label: str, edited: str) -> None:
    found = edits.labelled(data("x >= 0 => exp(x) >= 1 + x**2/2"), label)
    assert found is not None
    assert (found["hypotheses"], found["conclusion"]) == (data(edited)["hypotheses"], data(edited)["conclusion"])


def test_symbols_are_exchanged_and_nothing_else() -> None:
    found = edits.labelled(data("exp(e) <= e*xe"), "e and xe exchanged in the conclusion")
    assert found is not None
    assert found["conclusion"] == "exp(xe) <= xe*e"


@pytest.mark.parametrize(
    "text",
    [
        SHARP,
        "x > -1 => log(1 + x) <= x",
        "cosh(x)**2 - sinh(x)**2 == 1",
        "u > 0 => integral(exp(-u*v), v, 0, 1) == (1 - exp(-u))/u",
        "n: integer, n >= 1 => sum(k, k, 1, n) == n*(n + 1)/2",
    ],
)
def test_a_sharp_statement_has_a_control_a_millionth_away(text: str) -> None:
    [part] = controls.parts(decide(text).certificate)
    record = refuted_edits.control_for(part)
    assert record is not None
    assert "10**-6" in record["edit"]
    assert controls.control_of(part, {controls.key(part): record}).refuted


def test_a_statement_with_slack_has_a_coarser_control() -> None:
    [part] = controls.parts(exact.closed("1 <= 2").certificate)
    record = refuted_edits.control_for(part)
    assert record is not None
    assert controls.control_of(part, {controls.key(part): record}).refuted
    assert "10**-6" not in record["edit"]


def test_invariants_and_games_have_controls() -> None:
    kept = algebra.induction(
        "s >= 2*n", ["s", "n"], initial=["s == 0", "n == 0"], transition=["s_next == s + 2", "n_next == n + 1"]
    )
    value = dynamic_program(dice(2), ">=", 4, "max")
    for evidence in (kept, value):
        [part] = controls.parts(evidence.certificate)
        record = refuted_edits.control_for(part)
        assert record is not None
        assert controls.control_of(part, {controls.key(part): record}).refuted


def recorded(evidence: Any) -> dict[str, Any]:
    return {controls.key(part): refuted_edits.control_for(part) for part in controls.parts(evidence.certificate)}


BOTH = combine(exact.closed("1 <= 2"), symbolic.identity("x*(1 + x)", "x + x**2", variables=["x"]))


def claimed() -> Any:
    def check(edit: int = 0) -> Any:
        """A toy claim."""
        return BOTH if not edit else exact.closed("2 <= 1")

    return claim("lemma:toy", control=("two at most one", 1), registry=Registry())(check)


def test_a_claim_stands_with_a_control_for_each_part_and_not_without() -> None:
    records = recorded(BOTH)
    assert judge(claimed(), None, records).verdict is Verdict.ARGUED
    for key in records:
        decision = judge(claimed(), None, {k: v for k, v in records.items() if k != key})
        assert decision.verdict is Verdict.UNDECIDED
        assert "a part has no control" in decision.problems[0]


@pytest.mark.parametrize(
    "damage",
    [
        {"edit": "no such edit"},
        {"at": {"x": "0"}},
        {"at": {}},
        {"edit": "the conclusion turned around", "at": {"x": "nonsense"}},
    ],
)
def test_a_record_that_refutes_nothing_controls_nothing(damage: dict[str, Any]) -> None:
    records = recorded(BOTH)
    key = next(key for key, record in records.items() if record["at"])
    decision = judge(claimed(), None, {**records, key: {**records[key], **damage}})
    assert decision.verdict is Verdict.UNDECIDED


def test_a_reason_stands_for_a_control_and_is_shown() -> None:
    records = {key: {"why": "for this test"} for key in recorded(BOTH)}
    decision = judge(claimed(), None, records)
    assert decision.verdict is Verdict.ARGUED
    assert [part.edit for part in decision.parts] == ["none: for this test"] * 2


def test_controls_are_recorded_one_line_each(tmp_path: Path) -> None:
    assert controls.read(tmp_path) is None
    refuted_edits.record_missing(tmp_path, [BOTH.certificate])
    assert controls.read(tmp_path) == recorded(BOTH)
    assert len((tmp_path / checked.FILE).read_text().splitlines()) == 4 + len(recorded(BOTH))


def test_a_full_review_forgets_controls_of_parts_that_are_gone_and_keeps_what_was_written_by_hand(
    tmp_path: Path,
) -> None:
    needed = {key: {"why": "by hand"} for key in recorded(BOTH)}
    controls.record(tmp_path, {**needed, "gone": {"edit": "the value + 1/10"}})
    refuted_edits.record_missing(tmp_path, [BOTH.certificate])
    assert controls.read(tmp_path) == {**needed, "gone": {"edit": "the value + 1/10"}}
    refuted_edits.record_missing(tmp_path, [BOTH.certificate], everything=True)
    assert controls.read(tmp_path) == needed
