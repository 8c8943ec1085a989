"""Textbook facts are entries: tested, named where they are used, used where they are named, inherited and shown."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from glbcheck.core.expression import parse
from glbcheck.verify import ledger, papers, wording
from glbcheck.verify.claim import Claim, Evidence, Verdict
from glbcheck.verify.facts import FACTS, Fact, read
from glbcheck.verify.registry import ClaimError, Registry, claim
from glbcheck.verify.report.table import detail

from tests.oracles.facts import INSTANCES, ROUNDING, analysis, divergences, instance, least_slack, matrices, probability
from tests.oracles.facts.formulas import NUMBERS

MODULES = (analysis, divergences, matrices, probability)

NOTHING = Evidence(Verdict.UNDECIDED, "toy", "")


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    return [claim for name in papers.installed() for claim in papers.find(name).claims()]


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_holds_on_random_instances_and_its_planted_variant_does_not(name: str) -> None:
    assert least_slack(name) > -ROUNDING
    assert least_slack(name, planted=True) < -1e-3


CONCLUSIONS = [
    (name, data["conclusion"]) for name, one in FACTS.items() if one.formula for data in wording.read(one.formula)
]


def test_every_formula_has_numbers_and_only_formulas_have() -> None:
    assert {name for name, _ in CONCLUSIONS} == set(NUMBERS)


@pytest.mark.parametrize(("name", "conclusion"), CONCLUSIONS)
def test_a_formula_holds_for_random_numbers_and_a_third_of_it_does_not(name: str, conclusion: str) -> None:
    rng = np.random.default_rng(2)
    numbers = [NUMBERS[name](rng) for _ in range(200)]
    small, relation, large = (one.strip() for one in re.split("(<=)", conclusion))
    assert relation == "<="
    sides = [[float(parse(side, {n: sp.Float(v) for n, v in at.items()})) for side in (small, large)] for at in numbers]
    assert all(left <= right * (1 + ROUNDING) + ROUNDING for left, right in sides)
    assert any(left > right / 3 for left, right in sides)


def test_every_fact_has_instances_and_only_facts_have() -> None:
    assert set(INSTANCES) == set(FACTS)
    assert {slack.__module__ for slack in INSTANCES.values()} == {module.__name__ for module in MODULES}
    with pytest.raises(ValueError, match="fact 'markov': instances of it exist already"):
        instance("markov")(lambda rng, planted: 0.0)


def test_every_fact_is_used_and_every_use_is_of_an_entry(claims: list[Claim]) -> None:
    used = {name for one in claims for name in one.facts}
    assert used == set(FACTS)


@pytest.mark.parametrize("one", FACTS.values(), ids=list(FACTS))
def test_an_argument_that_calls_on_a_fact_lists_it(one: Fact, claims: list[Claim]) -> None:
    if not one.words:  # what a Coq theorem assumes is named there
        assert any(one.id in dict(c.coq.premises).values() for c in claims if c.coq)
        return
    argued = [c for c in claims if not (c.coq and c.coq.control)]  # of a theorem Coq has the proof
    named = {c.id for c in argued if re.search(one.words, f"{c.title} {c.argument}")}
    assert not sorted(named - {c.id for c in claims if one.id in c.facts})
    assert named or any(one.id in c.facts for c in claims), "nobody calls on it"


def test_a_fact_without_entry_is_refused_by_name() -> None:
    with pytest.raises(ClaimError, match="claim 'toy': facts: 'folklore' is none of"):
        claim(
            "lemma:toy", id="toy", title="t", control=("c", lambda: NOTHING), facts=("folklore",), registry=Registry()
        )(lambda: NOTHING)


@pytest.mark.parametrize(("text", "complaint"), [
    ('[nameless]\nstatement = " "\nreference = "a book"', "fact 'nameless': a statement and a reference"),
    ('[toy]\nstatement = "s"', "fact 'toy': a statement and a reference"),
    ('[toy]\nstatement = "s"\nreference = "r"\nword = "w"', r"fact 'toy': unknown keys \['word'\]"),
    ('[toy]\nstatement = "s"\n[toy]\nreference = "r"', "toy"),
])  # fmt: skip
def test_an_entry_needs_a_statement_and_a_reference_and_its_name_once(
    text: str, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "facts.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read(path)


def row(name: str, *uses: str, facts: tuple[str, ...] = (), verdict: str = "proved") -> ledger.Row:
    evidence = {"location": "m:1", "summary": "", "hypotheses": [], "problems": [], "certificate": {}}
    rest = dict.fromkeys(("reading", "argument", "prover", "scope", "severity", "consequence", "title", "expected"), "")
    return {
        "id": name, "uses": list(uses), "facts": list(facts), "verdict": verdict, "evidence": evidence, "anchors": [],
        "carries": [],
        "core": [], "coq": None, "control": None, "counterexample": None, **rest,
    }  # fmt: skip


def test_facts_are_inherited_and_nothing_that_uses_one_holds_up_to_more_than_argued() -> None:
    rows = [
        row("theorem", "lemma"),
        row("lemma", facts=("ville",)),
        row("aside"),
        row("run", "lemma", facts=("markov",)),
    ]
    found = ledger.results(rows)
    claims = {one["id"]: one for one in found["claims"]}
    assert {name: one["all_facts"] for name, one in claims.items()} == {
        "theorem": ["ville"], "lemma": ["ville"], "aside": [], "run": ["markov", "ville"],
    }  # fmt: skip
    assert {name: one["holds_up_to"] for name, one in claims.items()} == {
        "theorem": "argued", "lemma": "argued", "aside": "proved", "run": "argued",
    }  # fmt: skip
    assert [(one["id"], one["used_by"]) for one in found["facts"]] == [("markov", ["run"]), ("ville", ["lemma"])]
    assert all(one["statement"] and one["reference"] for one in found["facts"])


def test_a_claim_is_shown_with_its_facts() -> None:
    found = ledger.results([row("lemma", facts=("ville",)), row("theorem", "lemma")])
    lemma, theorem = (" ".join(" ".join(detail(one, found["facts"])).split()) for one in found["claims"])
    assert f"ville: {FACTS['ville'].statement} [{FACTS['ville'].reference}]" in lemma
    assert "argued, and 1 textbook facts: ville" in theorem
