"""Every label, theorem-like environment, displayed equation and sentence of the paper is accounted for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from glbcheck.verify import anchors, papers
from glbcheck.verify.claim import Claim

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT.parent / "shared" / "paper.tex"
PAPER = papers.find("hcw_glb_omd")
every_paper = pytest.mark.parametrize("paper", [papers.find(name) for name in papers.installed()], ids=lambda p: p.name)


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    return PAPER.claims()


@every_paper
def test_the_index_is_that_of_the_paper(paper: papers.Paper) -> None:
    digest = paper.folder / "digest.tex"
    source = digest if digest.exists() else SOURCE
    if not source.exists():
        pytest.skip("the paper's source is not beside the checkout")
    assert anchors.scan(anchors.read_tex(source)) == paper.index


@every_paper
def test_every_anchor_is_claimed_or_explained(paper: papers.Paper) -> None:
    assert paper.index is not None
    spoken = {anchor for claim in paper.claims() for anchor in claim.anchors}
    silent = {mark.sentence for mark in paper.marks if mark.rule}
    assert not sorted(paper.index.ids() - spoken - silent), "anchors that no claim speaks about"
    assert not sorted(spoken - paper.index.ids()), "claims about anchors the paper does not have"


def test_the_page_of_verdicts_is_that_of_the_claims(claims: list[Claim]) -> None:
    text = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    table = text.partition("## What is false")[0]
    printed = set(re.findall(r"([a-z-]+)(?: \(repaired\))?: `([^`]+)`", table))
    assert printed == {(str(claim.expected), claim.id) for claim in claims}
