"""Every label, theorem-like environment, displayed equation and sentence of the paper is accounted for."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest
from glbcheck.verify import anchors, ledger, papers
from glbcheck.verify.claim import Evidence
from glbcheck.verify.judge import Decision
from glbcheck.verify.report import verdicts
from glbcheck.verify.report.table import summary

from tests.machine import PAPER_SOURCE

ROOT = Path(__file__).resolve().parents[3]
PAPER = papers.find("hcw_glb_omd")
PAPERS = [papers.find(name) for name in papers.installed()]
every_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda p: p.name)


def source(paper: papers.Paper) -> Path:
    """The paper's TeX, which is in its folder or, if it is not ours to ship, beside the checkout."""
    digest = paper.folder / "digest.tex"
    return digest if digest.exists() else PAPER_SOURCE


@pytest.mark.parametrize(
    "paper",
    [
        pytest.param(one, id=one.name, marks=[pytest.mark.needs("paper")] if source(one) == PAPER_SOURCE else [])
        for one in PAPERS
    ],
)
def test_the_index_is_that_of_the_paper(paper: papers.Paper) -> None:
    assert anchors.scan(anchors.read_tex(source(paper))) == paper.index


@every_paper
def test_every_anchor_is_claimed_or_explained(paper: papers.Paper) -> None:
    assert paper.index is not None
    spoken = {anchor for claim in paper.claims() for anchor in claim.anchors}
    silent = {mark.sentence for mark in paper.marks if mark.rule}
    assert not sorted(paper.index.ids() - spoken - silent), "anchors that no claim speaks about"
    assert not sorted(spoken - paper.index.ids()), "claims about anchors the paper does not have"


@pytest.fixture(scope="module")
def declared() -> ledger.Results:
    """The results of a run in which every claim comes out as expected, which `pytest proofs_checks` sees to."""
    claims = PAPER.claims()
    found = [Decision(one, Evidence(one.expected, "declared", ""), True, (), 0.0) for one in claims]
    return ledger.results(map(ledger.row, found), PAPER.facts(len(claims)))


def test_the_page_of_verdicts_is_that_of_the_claims(declared: ledger.Results) -> None:
    """Else: glbcheck check --page docs/verdicts.md."""
    written = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    assert written.splitlines() == verdicts.page(PAPER.places(), declared).splitlines()


def test_the_counts_in_the_readme_are_those_of_the_claims(declared: ledger.Results) -> None:
    """Else copy them from what `pytest proofs_checks/hcw_glb_omd` prints."""
    _, _, after = (ROOT / "README.md").read_text(encoding="utf-8").partition("pytest proofs_checks/hcw_glb_omd\n")
    shown = [line[4:] for line in takewhile(lambda line: line[:4].isspace() or not line, after.splitlines()) if line]
    told, took = summary(declared), re.compile(r", [0-9.]+ s$")
    assert shown[-1].endswith(" s")
    kept = [took.sub("", line) for line in shown if line.strip() != "..."]
    assert not sorted(set(kept) - {took.sub("", line) for line in told})
    assert len([line for line in kept if re.fullmatch(r"[a-z-]+ +[0-9]+", line)]) == len(
        {claim["verdict"] for claim in declared["claims"]}
    )
