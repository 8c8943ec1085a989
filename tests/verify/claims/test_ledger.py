"""Decisions become rows; `holds_up_to` is computed over the graph; files keep the contract."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core.kernel.check import FORMAT, check, load
from glbcheck.verify import ledger
from glbcheck.verify.claim import Claim, Control, Evidence, Severity, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.judge import Decision, decide
from glbcheck.verify.report.table import USUAL, detail, summary
from glbcheck.verify.search import exact
from hypothesis import given
from hypothesis import strategies as st

CONTRACT = {
    "id", "anchors", "title", "statement", "argument", "facts", "all_facts", "core", "words", "coq", "math",
    "reading", "verdict", "expected", "prover", "kernel", "scope", "evidence",
    "counterexample", "severity", "consequence", "control", "uses", "carries", "holds_up_to",
    "falls_with_it", "seconds", "steps", "letters", "chain",
}  # fmt: skip
CERTIFICATES: dict[Verdict, dict[str, Any]] = {
    Verdict.PROVED: dict(exact.closed("1 <= 2").certificate),
    Verdict.CERTIFIED: {"format": FORMAT, "computed": {"what": "a sum", "value": "1", "claim": "<= 2"}},
    Verdict.STRESS_TESTED: {"format": FORMAT, "search": {"examples": 7}},
}


def toy(name: str, verdict: Verdict = Verdict.PROVED, uses: Sequence[str] = (), **options: Any) -> Claim:
    evidence = options.pop("evidence", Evidence(verdict, "toy", "s", certificate=CERTIFICATES.get(verdict, {})))
    rejected = Control("nearby", lambda: Evidence(Verdict.UNDECIDED, "toy", ""))
    settings = {"severity": Severity.SLIP, "consequence": "c", "location": "m:1", "control": rejected, **options}
    expected = Verdict.ARGUED if verdict.machine_checked else verdict
    return Claim(name, (f"lemma:{name}",), name, lambda: evidence, expected, uses=tuple(uses), core=verdict, **settings)


def decided(*claims: Claim) -> ledger.Results:
    return ledger.results(ledger.row(decide(claim)) for claim in claims)


def up_to(*claims: Claim) -> dict[str, str]:
    return {one["id"]: one["holds_up_to"] for one in decided(*claims)["claims"]}


def test_a_row_has_exactly_the_fields_of_the_contract() -> None:
    results = decided(toy("a"))
    assert set(results) == {"paper", "versions", "claims", "facts"}
    assert set(results["claims"][0]) == CONTRACT
    assert results["claims"][0]["control"] == {"statement": "nearby", "rejected": True}
    assert results["versions"]["python"]


def test_what_a_printed_proof_rested_on_takes_it_down_near_and_far() -> None:
    wrong: dict[str, Any] = {"verdict": Verdict.REFUTED, "evidence": refute(Statement((), "x <= 1"), {"x": 2}, "toy")}
    results = decided(
        toy("lemma", **wrong, carries=("bound", "aside")), toy("bound", **wrong, carries=("theorem",)),
        toy("theorem", **wrong), toy("aside"),
    )  # fmt: skip
    rows = {one["id"]: one for one in results["claims"]}
    assert {name: one["falls_with_it"] for name, one in rows.items()} == {
        "lemma": ["aside", "bound", "theorem"], "bound": ["theorem"], "theorem": [], "aside": [],
    }  # fmt: skip
    assert "with it: the printed proof of aside, bound, theorem" in " ".join(" ".join(detail(rows["lemma"])).split())


def test_a_theorem_holds_up_to_its_weakest_ancestor() -> None:
    refuted = refute(Statement((), "x <= 1"), {"x": 2}, "toy")
    found = up_to(
        toy("theorem", uses=["lemma"]), toy("lemma", Verdict.CERTIFIED, uses=["base", "notation"]),
        toy("base", Verdict.STRESS_TESTED), toy("notation", Verdict.DEFINITION, control=None),
        toy("aside", uses=["notation"]), toy("printed", Verdict.REFUTED, evidence=refuted), toy("repaired"),
        toy("careful", uses=["repaired"]), toy("careless", uses=["printed"]),
        toy("rests on what was not run", uses=["elsewhere"]),
    )  # fmt: skip
    assert found == {
        "theorem": "stress-tested", "lemma": "stress-tested", "base": "stress-tested", "notation": "definition",
        "aside": "argued", "printed": "refuted", "repaired": "argued", "careful": "argued", "careless": "refuted",
        "rests on what was not run": "undecided",
    }  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(list(Verdict)), st.sets(st.integers(0, 6))), min_size=1, max_size=7))
def test_nothing_is_stronger_than_what_it_rests_on(nodes: list[tuple[Verdict, set[int]]]) -> None:
    names = [str(i) for i in range(len(nodes))]
    verdicts = dict(zip(names, (verdict for verdict, _ in nodes), strict=True))
    # Using only smaller numbers keeps the graph free of cycles.
    uses = {str(i): [str(j) for j in wanted if j < i] for i, (_, wanted) in enumerate(nodes)}
    neutral = (Verdict.DEFINITION, Verdict.STRUCTURAL)
    for name in names:
        found = ledger.holds_up_to(name, verdicts, uses, {})
        assert found.rank >= verdicts[name].rank
        for parent in uses[name]:
            if verdicts[parent] not in neutral:
                assert found.rank >= ledger.holds_up_to(parent, verdicts, uses, {}).rank


def test_results_survive_the_file_and_certificates_replay_from_beside_it(tmp_path: Path) -> None:
    refuted = refute(Statement((), "x <= 1"), {"x": 2}, "toy")
    found = decided(toy("lemma:x/eq1@printed", Verdict.REFUTED, evidence=refuted), toy("b"))
    ledger.write(found, tmp_path / "out" / "results.json")
    read = ledger.read(tmp_path / "out" / "results.json")
    assert [one["verdict"] for one in read["claims"]] == [one["verdict"] for one in found["claims"]]
    name = next(one["evidence"]["certificate"] for one in read["claims"] if one["counterexample"])
    assert check(load(str(tmp_path / "out" / name))).word == "refuted"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"claims": 3}'])
def test_a_file_that_holds_no_results_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "results.json"
    file.write_text(content)
    with pytest.raises(ledger.ResultsError, match=r"results\.json"):
        ledger.read(file)


def test_a_broken_rule_is_not_as_expected_even_when_the_word_agrees() -> None:
    crashed = Decision(toy("a", Verdict.UNDECIDED), Evidence(Verdict.UNDECIDED, "", ""), None, ("claim 'a': x",), 0.0)
    assert not ledger.as_expected(ledger.row(crashed))


@given(st.text(max_size=200), st.text(alphabet="abc -", min_size=1, max_size=300))
def test_the_views_stay_within_eighty_columns(summary_text: str, title: str) -> None:
    evidence = Evidence(Verdict.UNDECIDED, "toy", " ".join(summary_text.split()))
    results = decided(toy(title, Verdict.UNDECIDED, evidence=evidence, control=None))
    for line in (*summary(results), *detail(results["claims"][0])):
        assert len(line) <= USUAL


def test_the_table_counts_and_lists() -> None:
    refuted = refute(Statement((), "x <= 1"), {"x": 2}, "toy")
    text = "\n".join(summary(decided(toy("p"), toy("q"), toy("r", Verdict.REFUTED, evidence=refuted)), 1.25))
    assert "argued                  2" in text
    assert "refuted (1)\n  r: refuted [slip] r" in text
    assert "3 of 3 claims as expected, 1.2 s" in text
