"""Every label, theorem-like environment and displayed equation of the paper is accounted for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from glbcheck.verify import paper, registry
from glbcheck.verify.claim import Claim

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT.parent / "shared" / "paper.tex"
INDEX = paper.read_index(ROOT / "proofs_checks" / "hcw_glb_omd" / paper.INDEX_NAME)


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    return registry.load("glbcheck.proofs_checks.hcw_glb_omd")


def test_the_index_holds_all_anchors_of_the_paper() -> None:
    counts = paper.counts(INDEX)
    assert (counts["labels"], counts["theorems"], counts["equations"]) == (55, 28, 124)


@pytest.mark.skipif(not SOURCE.exists(), reason="the paper's source is not beside the checkout")
def test_the_index_is_that_of_the_paper() -> None:
    assert paper.scan(paper.read_tex(SOURCE)) == INDEX


def test_every_anchor_is_claimed_or_explained(claims: list[Claim]) -> None:
    spoken = {anchor for claim in claims for anchor in claim.anchors}
    assert not sorted(INDEX.ids() - spoken), "anchors that no claim speaks about"
    assert not sorted(spoken - INDEX.ids()), "claims about anchors the paper does not have"


def test_every_decidable_claim_has_a_control(claims: list[Claim]) -> None:
    assert not [
        claim.id for claim in claims if claim.control is None and not claim.expected.nothing_to_decide
    ]


def test_the_page_of_verdicts_is_that_of_the_claims(claims: list[Claim]) -> None:
    text = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
    table = text.partition("## What is false")[0]
    printed = set(re.findall(r"([a-z-]+)(?: \(repaired\))?: `([^`]+)`", table))
    assert printed == {(str(claim.expected), claim.id) for claim in claims}
