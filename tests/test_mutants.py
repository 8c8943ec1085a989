"""A kernel with an error in it is noticed: a fixed sample of what `make mutants` tries in full."""

from __future__ import annotations

import random

import pytest

from tests.mutants import Mutant, all_mutants, noticed

SAMPLE = 40


def sample() -> list[Mutant]:
    """Mutants that take a check away: the ones that could let a falsehood through."""
    bold = [m for m in all_mutants() if "becomes require(True" in m.edit or m.edit.startswith("self.prove(")]
    return random.Random(20261117).sample(bold, SAMPLE)


@pytest.mark.parametrize("mutant", sample(), ids=str)
def test_a_check_that_is_missing_is_noticed(mutant: Mutant) -> None:
    assert noticed(mutant)


def test_every_module_of_the_kernel_has_mutants() -> None:
    assert {m.module for m in all_mutants()} >= {"terms", "ring", "evaluate", "context", "rules", "check"}
