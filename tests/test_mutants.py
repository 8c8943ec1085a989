"""A kernel with a check missing is noticed; `make mutants` tries every other edit of every line as well."""

from __future__ import annotations

import pytest

from tests.mutants import HARMLESS, Mutant, all_mutants, noticed


def bold() -> list[Mutant]:
    """Mutants that take a check or a step of a proof away: those that could let a falsehood through."""
    steps = ("self.prove(", "self.require(")
    found = [m for m in all_mutants() if "becomes require(True" in m.edit or m.edit.startswith(steps)]
    return [m for m in found if not any(words in m.edit for words in HARMLESS)]


@pytest.mark.parametrize("mutant", bold(), ids=lambda m: f"{m.module}:{m.line}")
def test_a_check_that_is_missing_is_noticed(mutant: Mutant) -> None:
    assert noticed(mutant), str(mutant)


def test_every_module_of_the_kernel_has_mutants() -> None:
    assert {m.module for m in all_mutants()} >= {"terms", "ring", "evaluate", "context", "rules", "check"}
