"""The claims in the report: formulas, repairs, and statements as they were decided."""

from __future__ import annotations

import pytest
from glbcheck.verify import papers
from glbcheck.verify.claim import Reading, Verdict
from glbcheck.verify.report.counting import wrong
from glbcheck.verify.report.html import Bundle
from glbcheck.verify.report.html.index import Index

from tests.helpers.report_bundle import real


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return real()


def test_everything_false_has_a_formula_and_its_repairs_are_repaired_readings_of_the_same_place(bundle: Bundle) -> None:
    index = Index(bundle)
    for claim in wrong(index.claims):
        assert claim["math"], claim["id"]
        assert claim["math"].count(r"\impliedby") == (claim["verdict"] == Verdict.GAP), claim["id"]
        for repair in index.repairs(claim):
            assert repair["reading"] == Reading.REPAIRED
            shares = set(repair["anchors"]) & set(claim["anchors"])
            named = repair["id"] == f"{claim['id']}_repaired" or repair["id"] in claim["consequence"]
            assert shares or named


@pytest.mark.parametrize(("printed", "repaired"), [
    ("elliptical_potential", "elliptical_potential_repaired"), ("regret_theorem", "regret_theorem_repaired"),
    ("expansion_as_printed", "inverse_regret_expansion"), ("order_of_gamma_2", "orders_of_the_terms"),
    ("small_variances", "potential_bound_repaired"), ("strictly_weaker_feedback", None),
    ("budget_is_fixed_in_advance", None),
])  # fmt: skip
def test_the_closest_repair_comes_first(bundle: Bundle, printed: str, repaired: str | None) -> None:
    index = Index(bundle)
    found = index.repairs(index.by_id[printed])
    assert (found[0]["id"] if found else None) == repaired


def test_the_field_travels_from_the_claim_to_the_results(bundle: Bundle) -> None:
    declared = {claim.id: claim.math for claim in papers.find("hcw_glb_omd").claims() if not claim.states}
    assert {c["id"]: c["math"] for c in bundle.results["claims"] if not c["statement"]} == declared


def test_a_claim_that_is_its_own_statement_is_shown_as_it_was_decided(bundle: Bundle) -> None:
    stated = [c for c in bundle.results["claims"] if c["statement"]]
    assert stated
    for one in stated:
        assert one["title"] == one["statement"]
        assert one["verdict"] in ("proved", "certified")
        conclusions = one["statement"].partition("=>")[2]
        assert all(core.partition("=>")[2].strip() in conclusions for core in one["core"])
