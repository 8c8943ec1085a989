"""The same verdicts, counts and words on a machine with Coq and on one without; only `coq.asked` differs."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from glbcheck.verify import judge, ledger, papers, pytest_plugin
from glbcheck.verify.claim import Claim, Verdict
from glbcheck.verify.coq import driver, pins, theorem
from glbcheck.verify.report import answers, table
from glbcheck.verify.report.html import Bundle, render

from glbcheck.cli import main
from glbcheck.reproduce import summary
from tests.helpers.report_page import Page

PAPER = papers.find("hcw_glb_omd")
# Two theorems and their lemma, both gaps that Coq knows, and what is false beside them.
PLACES = {"lemma:epl", "lemma:update-rule", "theorem:confidence-sequence", "theorem:regret", "app:unknown-C/s5"}
CHOSEN = [claim for claim in PAPER.claims() if claim.coq and PLACES & set(claim.anchors)]


@pytest.fixture(scope="module", params=["recorded", pytest.param("here", marks=pytest.mark.needs("coq"))])
def world(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def results(world: str) -> ledger.Results:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(driver.HIDE, "off" if world == "recorded" else "on")
        rows = [ledger.row(judge.decide(claim, *PAPER.checked)) for claim in CHOSEN]
        return ledger.results(rows, PAPER.facts(len(rows)))


def test_every_verdict_is_the_declared_one(results: ledger.Results, world: str) -> None:
    assert {"proved", "refuted", "gap"} == {one["verdict"] for one in results["claims"]}
    for one in results["claims"]:
        assert (one["verdict"], one["evidence"]["problems"]) == (one["expected"], [])
        assert one["coq"]["asked"] == world
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", one["coq"]["date"])


def test_the_counts_are_those_of_the_declared_verdicts(results: ledger.Results) -> None:
    said = "\n".join(table.summary(results))
    for verdict in ("proved", "refuted", "gap"):
        count = sum(claim.expected == verdict for claim in CHOSEN)
        assert re.search(rf"^{verdict} +{count}$", said, re.MULTILINE)
    assert f"{len(CHOSEN)} of {len(CHOSEN)} claims as expected" in said


def refuted_only(text: str, one: dict[str, Any]) -> bool:
    return "negation" not in text or one["verdict"] == str(Verdict.REFUTED)


def test_only_what_is_refuted_is_said_to_have_its_negation_proved(results: ledger.Results) -> None:
    page = Page(render(Bundle(results, PAPER.places(), letters=PAPER.letters)))
    cards = {attrs["id"]: inner for attrs, inner in page.of("details", class_="card")}
    found = {one["id"]: one for one in results["claims"]}
    for name, one in found.items():
        assert refuted_only(answers.evidence(one), one)
        assert refuted_only(cards[f"claim={name}"], one)
        assert refuted_only(" ".join(table.detail(one)), one)
    for line in answers.lines(PAPER.places(), results["claims"]):
        if named := re.match(r" +[a-z ]+: [a-z-]+ (\w+) \(", line):
            assert refuted_only(line, found[named[1]])
    assert sum("negation" in answers.evidence(one) for one in found.values()) >= 2


def test_page_and_terminal_say_how_coq_was_asked(results: ledger.Results, world: str) -> None:
    proved = next(one for one in results["claims"] if one["verdict"] == "proved")
    said = {"here": "asked in this run", "recorded": f"check recorded {proved['coq']['date']}"}[world]
    assert said in " ".join(" ".join(table.detail(proved)).split())
    assert said in render(Bundle(results, PAPER.places(), letters=PAPER.letters))


def test_a_run_ends_with_the_number_of_recorded_checks(results: ledger.Results, world: str) -> None:
    lines = summary.lines(results, [], Path(), {}, 0.0)
    recorder = pytest_plugin.Recorder(cast(pytest.Config, None))
    recorder.written = [(Path("results.json"), dict(results))]
    recorder.pytest_terminal_summary(SimpleNamespace(section=lambda *_, **__: None, write_line=lines.append))
    said = [line for line in lines if f"{len(CHOSEN)} theorems are judged by their recorded check" in line]
    assert len(said) == (2 if world == "recorded" else 0)


def test_show_says_what_is_proved_without_coq(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(driver.HIDE, "off")
    assert main(["show", "lemma:epl"]) == 0
    text = capsys.readouterr().out
    assert "repaired: proved elliptical_potential_repaired (Coq, check recorded" in text
    assert "verdict     proved (expected proved)" in text


@pytest.fixture
def copied(tmp_path: Path) -> Claim:
    """A theorem whose sources and record lie in a folder of their own."""
    claim = next(claim for claim in papers.find("ucb1").claims() if claim.coq and claim.coq.control)
    assert claim.coq
    formal = replace(claim.coq, folder=Path(shutil.copytree(claim.coq.folder, tmp_path / "coq")))
    assert claim.control
    control = replace(claim.control, check=partial(theorem.denial, formal))
    return replace(claim, coq=formal, check=partial(theorem.evidence, formal), control=control)


def spoil_source(folder: Path, name: str) -> None:
    path = folder / "Pulls.v"
    path.write_text(path.read_text() + "(* more *)\n")


def spoil_statement(folder: Path, name: str) -> None:
    written = dict(pins.read(folder).statements)
    (folder / pins.STATEMENTS).write_text(json.dumps({**written, name: written[name].replace("<=", "<")}))


def spoil_record(folder: Path, name: str) -> None:
    (folder / pins.CHECKED).write_text("{}")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (spoil_source, "sources changed since the recorded check"),
        (spoil_statement, "its statement or a definition changed since the recorded check"),
        (spoil_record, "no check by Coq is recorded"),
    ],
)
def test_a_record_that_does_not_match_makes_the_claim_undecided(copied: Claim, spoil: Any, reason: str) -> None:
    assert judge.decide(copied).verdict == "proved"
    assert copied.coq
    spoil(copied.coq.folder, copied.coq.theorem)
    row = ledger.row(judge.decide(copied))
    assert (row["verdict"], row["coq"]["asked"]) == ("undecided", "no")
    assert not ledger.as_expected(row)
    assert reason in row["evidence"]["summary"]
    assert answers.evidence(row | {"all_facts": []}) == "undecided"


def test_an_odd_wish_about_coq_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(driver.HIDE, "never")
    assert main(["coq", "--paper", "ucb1"]) == 2
    assert "GLBCHECK_COQ = 'never'" in capsys.readouterr().err


def test_only_coq_writes_a_record(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(driver.HIDE, "off")
    before = {path: path.read_bytes() for path in (papers.find("ucb1").folder / "coq").iterdir()}
    assert main(["coq", "--paper", "ucb1", "--pin"]) == 2
    assert "--pin" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
