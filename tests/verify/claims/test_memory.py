"""What spares work changes no answer: searches remembered within a claim."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.memory import remembered, remembering

x = sp.Symbol("x", real=True)


@pytest.fixture
def asked() -> list[Any]:
    return []


@pytest.fixture
def search(asked: list[Any]) -> Any:
    @remembered
    def searcher(*args: Any, **named: Any) -> Evidence:
        asked.append((args, named))
        return Evidence(Verdict.UNDECIDED, "none", repr((args, named)))

    return searcher


@pytest.mark.parametrize("value", ["x > 0", 1, Fraction(1, 2), None, ["a", ("b", x**2)], {"x": (0, None)}, x > 0])
def test_the_same_question_is_asked_once_within_a_claim_and_anew_in_the_next(
    value: Any, search: Any, asked: list[Any]
) -> None:
    for count in (1, 2):
        with remembering():
            assert search(value, hints=value) is search(value, hints=value)
        assert len(asked) == count


def test_nothing_is_remembered_outside(search: Any, asked: list[Any]) -> None:
    search("x"), search("x")
    assert len(asked) == 2


@pytest.mark.parametrize(("one", "other"), [
    (1, True), (1, sp.Integer(1)), ("1", 1), (["a"], ["b"]), (x, sp.Symbol("x")), ({"x": 1}, {"y": 1}), (x > 0, x >= 0),
])  # fmt: skip
def test_different_questions_are_both_asked(one: Any, other: Any, search: Any, asked: list[Any]) -> None:
    with remembering():
        search(one), search(other), search(given=one)
    assert len(asked) == 3


def test_what_is_no_data_is_always_asked(search: Any, asked: list[Any]) -> None:
    with remembering():
        search(len), search(len), search(1.0), search(1.0)
    assert len(asked) == 4
