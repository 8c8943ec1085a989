"""What spares work changes no answer: searches remembered within a claim, and points told from balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from glbcheck.core.kernel.check import at_point, read_statement, truth
from glbcheck.verify.certificate import free_points
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.memory import remembered, remembering
from glbcheck.verify.sieve import Sieve
from glbcheck.verify.wording import read

from tests.corpus.statements import FALSE, TRUE

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


@pytest.mark.parametrize("statement", [*TRUE[::9], *FALSE[::5]])
def test_a_sieve_holds_back_no_point_that_the_kernel_would_take(statement: str) -> None:
    for data in read(statement):
        context, goal = read_statement(data)
        if context.functions:
            continue
        for point in free_points(context, 30):
            place = {"at": {name: str(value) for name, value in point.items()}}
            at = at_point(context, place)
            inside = all(truth(at(fact)) for fact in context.facts)
            if inside:
                assert Sieve(context)(place)
            if inside and truth(at(goal)) is False:
                assert Sieve(context, goal)(place)


@pytest.mark.parametrize(("statement", "passing"), [
    ("x >= 0 => x > 1", ["0", "1/2", "1"]), ("x > 0 => x >= 1", ["1/2"]), ("x == 1 => x == 2", ["1"]),
    ("x != 1 => x != 2", ["2"]), ("log(x) > 0 => x > 3", ["-1", "0", "2", "3"]),
])  # fmt: skip
def test_a_sieve_holds_back_what_balls_show_to_be_no_counterexample(statement: str, passing: list[str]) -> None:
    (data,) = read(statement)
    sieve = Sieve(*read_statement(data))
    assert [value for value in ("-1", "0", "1/2", "1", "2", "3", "4") if sieve({"at": {"x": value}})] == passing


def test_what_balls_do_not_reach_passes() -> None:
    (data,) = read("x > 0 => integral(t, t, 0, x) > 0")
    assert Sieve(*read_statement(data))({"at": {"x": "-1"}})
    (data,) = read("x > 0 => x > 1")
    assert Sieve(*read_statement(data))({"at": {"x": "sqrt(2)"}})
