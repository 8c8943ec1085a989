"""Kernel, constants and claims with something changed are noticed; `make mutants` tries every other edit as well."""

from __future__ import annotations

import pytest
from glbcheck.verify import papers, review

from tests.attacks import claim_mutants, constant_mutants, word_mutants
from tests.attacks.mutants import HARMLESS, Mutant, all_mutants, noticed
from tests.helpers.samples import one_in


def bold() -> list[Mutant]:
    """Mutants that take a check or a step of a proof away: those that could let a falsehood through."""
    steps = ("self.prove(", "self.require(")
    found = [m for m in all_mutants() if "becomes require(True" in m.edit or m.edit.startswith(steps)]
    return [m for m in found if not any(words in m.edit for words in HARMLESS)]


@pytest.mark.parametrize("mutant", one_in(4, bold()), ids=lambda m: f"{m.module}:{m.line}")
def test_a_check_that_is_missing_is_noticed(mutant: Mutant) -> None:
    assert noticed(mutant), str(mutant)


def test_every_module_of_the_kernel_has_mutants() -> None:
    assert {m.module for m in all_mutants()} >= {"terms", "ring", "evaluate", "context", "rules", "check"}


# --- constants --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def warm() -> None:
    constant_mutants.warm()


def quick() -> list[constant_mutants.Mutant]:
    """One number of each function whose claim is decided at once."""
    fast = ("eta", "lam", "alpha", "elliptical_potential", "S_2", "gamma_1", "gamma_2", "gamma_3", "gamma_4", "gap")
    return [mutant for mutant in constant_mutants.one_of_each() if mutant.function in fast]


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("mutant", quick(), ids=lambda m: m.function)
def test_a_changed_number_is_noticed(mutant: constant_mutants.Mutant) -> None:
    assert constant_mutants.noticed_by(mutant), str(mutant)


def test_somebody_answers_for_every_number() -> None:
    assert {mutant.function for mutant in constant_mutants.all_mutants()} == set(constant_mutants.ANSWERS)


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("place", ["confidence.assembly.estimation_error", constant_mutants.TESTS])
def test_constants_that_are_not_changed_stand(place: str) -> None:
    assert constant_mutants.stands("constants", constant_mutants.source_of("constants"), place)


# --- claims -----------------------------------------------------------------------------------------------

SAMPLE = ["number_of_guesses", "quadratic_inequality"]


@pytest.mark.parametrize("claim_id", SAMPLE)
def test_no_false_edit_of_a_claim_comes_out_positive(claim_id: str) -> None:
    found = claim_mutants.outcomes(claim_mutants.questions(claim_mutants.chosen([claim_id]))[::5])
    assert not [str(one) for one in found if one.word.startswith((claim_mutants.SEVERE, "CRASH"))]
    assert sum(one.word.startswith(claim_mutants.REJECTED) for one in found) >= len(found) / 4


def test_a_false_edit_that_is_positive_is_severe(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a kernel that accepts everything, each refuted edit is one."""
    asked = claim_mutants.questions(claim_mutants.chosen(["number_of_guesses"]))
    honest = [claim_mutants.first_word(one) for one in asked]
    monkeypatch.setattr(claim_mutants, "_kernel", lambda made: True)
    gullible = [claim_mutants.first_word(one) for one in asked if "statement" in one.part]
    assert gullible.count(claim_mutants.SEVERE) == honest.count(claim_mutants.REJECTED) > 0


# --- words ------------------------------------------------------------------------------------------------


def test_a_word_that_is_changed_is_noticed() -> None:
    claims = word_mutants.all_claims()
    assert sum(1 for claim in claims for _ in word_mutants.word_edits(claim)) > 5_000
    assert word_mutants.unnoticed_words(claims) == []
    assert word_mutants.unnoticed_facts(claims) == []


def test_what_was_reviewed_is_recorded_for_every_claim_and_fact() -> None:
    claims = word_mutants.all_claims()
    needed = {name for claim in claims for name in (claim.id, *review.beside(claim))}
    recorded = review.read(papers.find(word_mutants.PAPER).folder)
    assert recorded is not None
    assert needed == set(recorded)
