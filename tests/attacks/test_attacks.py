"""What is trusted accepts what it must and rejects forgeries; a check that is taken out of it is noticed."""

from __future__ import annotations

import importlib

import pytest

from tests.attacks.mutants import JUDGE, MEASURES, TRUSTED, Mutant, Trusted, all_mutants, noticed


@pytest.mark.parametrize("name", ["measures", "judge"])
def test_nothing_of_the_battery_is_wrong(name: str) -> None:
    assert list(importlib.import_module(TRUSTED[name].battery).wrong()) == []


def without_a_check(of: Trusted, every: int) -> list[Mutant]:
    """A fixed sample of the mutants that take a check away."""
    return [m for m in all_mutants(of) if "becomes require(True" in m.edit and not of.quiet(m.module, m.line)][::every]


def turned_around(of: Trusted, every: int) -> list[Mutant]:
    """A fixed sample of the mutants that ask for the contrary."""
    return [m for m in all_mutants(of) if "becomes not " in m.edit and not of.quiet(m.module, m.line)][::every]


@pytest.mark.parametrize("mutant", [*without_a_check(MEASURES, 9), *turned_around(JUDGE, 5)], ids=str)
def test_a_check_that_is_missing_or_turned_around_is_noticed(mutant: Mutant) -> None:
    assert noticed(mutant)


@pytest.mark.parametrize("name", sorted(TRUSTED))
def test_every_trusted_module_has_mutants(name: str) -> None:
    assert {m.module for m in all_mutants(TRUSTED[name])} == set(TRUSTED[name].parts)
