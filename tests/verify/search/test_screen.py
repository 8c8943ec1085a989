"""A quick look at points drops none that the kernel would accept; an old proof carries over to what it implies."""

from __future__ import annotations

from typing import Any

import pytest
from glbcheck.core.kernel.check import at_point, read_statement, truth
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import accepted, certificate
from glbcheck.verify.search import points as searched
from glbcheck.verify.search import unbounded
from glbcheck.verify.search.points import candidates, free_points, trial_points
from glbcheck.verify.wording import read

from tests.corpus import statements

Data = dict[str, Any]


def said(hypotheses: list[str], conclusion: str, **kinds: str) -> Data:
    return {"variables": kinds or {"x": "real", "y": "real"}, "hypotheses": hypotheses, "conclusion": conclusion}


FALSE = [
    said([], "x**2 + y**2 > 0"),
    said(["x > 0", "y >= 1"], "log(x*y) >= 0"),
    said(["x >= 0", "y == 2*x"], "y < 2"),
    said(["x != y"], "x < y"),
    said(["x >= 0", "y >= 0", "x + y <= 1"], "sqrt(x) + sqrt(y) <= 1"),
    said(["n >= 1"], "n == 1", n="integer"),
    said(["n >= 1"], "sum(k, k, 1, n) <= n", n="integer"),
]


def kernel_refutes(data: Data, point: Any) -> bool:
    try:
        return accepted(certificate(data, {"rule": "point", **point})).word == "refuted"
    except Rejected:
        return False


@pytest.mark.parametrize("data", FALSE, ids=lambda data: data["conclusion"])
def test_no_counterexample_is_dropped(data: Data) -> None:
    context, goal = read_statement(data)
    points = list(searched.near(context))
    kept = list(searched.refuting(context, goal, points))
    refuting = [point for point in points if kernel_refutes(data, point)]
    assert refuting
    assert all(point in kept for point in refuting)


def test_most_points_are_dropped() -> None:
    context, goal = read_statement(said(["x >= 0", "y == 3*x**2"], "y >= 0"))
    points = [{"at": {n: str(v) for n, v in at.items()}} for at in trial_points(context, 30)]
    assert not list(searched.refuting(context, goal, points))


@pytest.mark.parametrize("statement", [*statements.TRUE[::9], *statements.FALSE[::5]])
def test_a_point_of_the_hypotheses_or_against_the_conclusion_is_never_dropped(statement: str) -> None:
    for data in read(statement):
        context, goal = read_statement(data)
        given = searched.Screen(context, context.facts)
        for point in () if context.functions else free_points(context, 30):
            place = {"at": {name: str(value) for name, value in point.items()}}
            at = at_point(context, place)
            if all(truth(at(fact)) for fact in context.facts):
                assert given.may_hold(place)
                assert truth(at(goal)) is not False or list(searched.refuting(context, goal, [place]))


@pytest.mark.parametrize(("statement", "passing"), [
    ("x >= 0 => x > 1", ["0", "1/2", "1"]), ("x > 0 => x >= 1", ["1/2"]), ("x == 1 => x == 2", ["1"]),
    ("x != 1 => x != 2", ["2"]), ("log(x) > 0 => x > 3", ["-1", "0", "2", "3"]),
])  # fmt: skip
def test_what_balls_show_to_be_no_counterexample_is_dropped(statement: str, passing: list[str]) -> None:
    (data,) = read(statement)
    points = [{"at": {"x": value}} for value in ("-1", "0", "1/2", "1", "2", "3", "4")]
    assert [point["at"]["x"] for point in searched.refuting(*read_statement(data), points)] == passing


@pytest.mark.parametrize("at", [{"x": "sqrt(2)", "y": "1"}, {"x": "1"}])
def test_what_cannot_be_looked_at_is_left_to_the_kernel(at: dict[str, str]) -> None:
    context, goal = read_statement(said(["x == 0"], "y == 1"))
    assert list(searched.refuting(context, goal, [{"at": at}]))


@pytest.mark.parametrize(("hypotheses", "conclusion", "fails"), [
    (["x >= 0"], "x >= 0", False), ([], "x >= 0", True), (["x >= 0"], "x > 0", True), (["x**2 == 2"], "x > 5", False),
])  # fmt: skip
def test_a_goal_is_seen_to_fail_only_where_the_facts_hold(hypotheses: list[str], conclusion: str, fails: bool) -> None:
    context, goal = read_statement(said(hypotheses, conclusion))
    assert unbounded.seen_to_fail(context, goal) is fails


def test_points_of_a_context_are_made_once_and_all_can_be_seen_again() -> None:
    context, _ = read_statement(said(["x >= 0", "y >= x"], "y >= 0"))
    first = list(candidates(context))
    assert first
    assert list(candidates(context)) == first
