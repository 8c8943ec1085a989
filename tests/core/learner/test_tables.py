"""Contexts as arrays and tables: columns by name, and refusals that name what does not fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Learner, tables

from tests.helpers.learners import Frame, algorithm, arms


def of_package(name: str) -> Callable[..., Any]:
    """Tables of another package, from columns by name."""
    return lambda **columns: import_module(name).DataFrame(columns)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(lambda **columns: pa.table(columns), id="pyarrow"),
        *(pytest.param(of_package(name), id=name, marks=pytest.mark.needs(name)) for name in ("pandas", "polars")),
        pytest.param(Frame, id="duck"),
    ],
)
def test_columns_are_found_by_name_in_any_order(table: Any) -> None:
    x = arms()
    plain, named = Learner(algorithm()), Learner(algorithm(), columns=["age", "mobile", "one"])
    there = table(one=x[:, 2], age=x[:, 0], more=x[:, 0] * 7, mobile=x[:, 1])
    assert named.choose(there).x == plain.choose(x).x
    first = Learner(algorithm())
    first.choose(table(b=x[:, 1], a=x[:, 0], c=x[:, 2]))
    assert first.columns == ("b", "a", "c")
    assert first.choose(table(a=x[:1, 0], b=x[:1, 1], c=x[:1, 2])).x == (x[0, 1], x[0, 0], x[0, 2])


def test_numbers_may_be_names() -> None:
    numbered: dict[Any, Any] = {name: arms()[:, place] for place, name in enumerate((2, 0, 1))}
    learner = Learner(algorithm())
    assert learner.choose(Frame(numbered)).x == Learner(algorithm()).choose(arms()).x
    assert learner.columns == ("2", "0", "1")


def test_truth_values_and_scales_are_columns_too() -> None:
    learner = Learner(algorithm(), scales=[90.0, 2.0, 2.0])
    ticket = learner.choose(pa.table({"age": [45, 18], "mobile": [True, False], "one": [1.0, 1.0]}))
    assert ticket.x in {(0.5, 0.5, 0.5), (0.2, 0.0, 0.5)}


@pytest.mark.parametrize(("options", "offered", "word"), [
    ({"columns": ["a", "b", "c"]}, {"a": [0.1], "b": [0.1], "d": [0.1]}, "^arms = 'columns a, b, d' .* a, b, c"),
    ({}, {"a": [0.1], "b": [0.1]}, "^columns = "),
    ({}, {"a": [0.1], "b": [0.1], "c": ["blue"]}, "^column 'c' = "),
    ({}, {"a": [0.1], "b": [0.1], "c": [None]}, "^column 'c'"),
    ({}, {"a": [0.1, 0.1], "b": [0.1, math.nan], "c": [0.1, 0.1]}, r"^column 'b', row 2 = nan"),
    ({}, {"a": [0.1, 3.0], "b": [0.1, 4.0], "c": [0.1, 0.0]}, r"^arms\[1\] = .* norm at most 1; this has 5 .*`scales`"),
    ({"columns": ["a", "b", "cost"]}, {"a": [0.1], "b": [0.1], "Cost": [0.1]}, "did you mean Cost\\? missing: cost$"),
    ({"columns": ["a", "b", "c"]}, {"a": [0.1], **{f"n{k}": [0.1] for k in range(50)}}, "and 39 more.* missing: b, c$"),
    ({"columns": ["c1", "c2", "c17"]}, {"c1": [0.1], "c2": [0.1], "x": [0.1]}, "in any order; missing: c17$"),
    ({"scales": [1.0, 0.0, 1.0]}, None, "^scales = "), ({"scales": [1.0, 2.0]}, None, "^scales = "),
    ({"columns": ["a", "b"]}, None, "^columns = "), ({"columns": "abc"}, None, "^columns = "),
    ({"columns": ["a", "a", "b"]}, None, "^columns = .* a is there twice"), ({"order": "random"}, None, "^order = "),
    ({"columns": ["a", 1, "b"]}, None, "^columns = "),
    ({"columns": 5}, None, "^columns = 5"), ({"columns": [["a"], ["b"], ["c"]]}, None, "^columns = "),
    ({"scales": [10**400, 1, 1]}, None, "^scales = "), ({"watch": 1}, None, "^watch = "),
    ({"watch": 1.5}, None, "^watch = "),
])  # fmt: skip
def test_tables_that_do_not_fit_are_refused_by_name(options: Any, offered: Any, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        Learner(algorithm(), **options).choose(pa.table(offered))


def test_a_table_that_is_refused_names_no_columns() -> None:
    learner = Learner(algorithm())
    with pytest.raises(BadInput, match=r"^column 'b', row 1"):
        learner.choose(pa.table({"a": [0.1], "b": [math.inf], "c": [0.1]}))
    learner.choose(pa.table({"x": [0.1], "y": [0.2], "z": [0.3]}))
    assert learner.columns == ("x", "y", "z")


def test_columns_that_nobody_asked_for_may_have_one_name() -> None:
    twice = pa.table([[0.1], [0.2], [0.3], [0.4], [0.5]], names=["a", "b", "c", "more", "more"])
    assert Learner(algorithm(), columns=["a", "b", "c"]).choose(twice).x == (0.1, 0.2, 0.3)
    with pytest.raises(BadInput, match=r"^columns = 'more' .* 2 columns have this one"):
        Learner(algorithm(), columns=["a", "b", "more"]).choose(twice)


class Lazy:
    """Columns, and no rows as yet, as polars has it."""

    columns = ("a", "b", "c")

    def __getitem__(self, name: str) -> None:
        raise TypeError

    def collect_schema(self) -> None: ...


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError


def nested(depth: int = 100_000) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(("offered", "words"), [
    (Lazy(), "^table = 'Lazy' .* collect"), (Unspeakable(), "^arms = <Unspeakable without words"),
    (nested(), "^arms = <list without words: RecursionError>"), ([[10**400, 0, 0]], r"^arms = \[\[10+ \.\.\. 0+"),
    (np.ma.array([[0.1, 0.2, 0.3]], mask=[[False, True, False]]), "^arms = masked_array"),
    (np.array([[0.1, 0.2, 0.3]], dtype=object), "^arms = "), (np.array([[0.1j, 0, 0]]), "^arms = "),
    ([["0.1", "0.2", "0.3"]], "^arms = "), (np.zeros((0, 3)), r"^arms = .*\(0, 3\)"), (None, "^arms = None"),
], ids=lambda value: None if isinstance(value, str) else type(value).__name__)  # fmt: skip
@pytest.mark.parametrize("scales", [None, 2.0])
def test_what_is_no_array_of_numbers_is_refused(offered: Any, words: str, scales: float | None) -> None:
    with pytest.raises(BadInput, match=words) as refusal:
        Learner(algorithm(), scales=scales).choose(offered)
    assert len(str(refusal.value)) < 500


def test_arrays_of_truth_values_are_arms_as_columns_of_them_are() -> None:
    assert Learner(algorithm(), scales=2.0).choose(np.array([[True, False, True]])).x == (0.5, 0.0, 0.5)


class Lists(Frame):
    """A table whose columns are plain lists, and whose names are what it was told."""

    names: tuple[str, ...] = ("a", "b")

    @property
    def columns(self) -> list[Any]:
        return list(self.names)

    def __getitem__(self, name: Any) -> Any:
        return self.data[name]


def test_columns_may_be_lists() -> None:
    table = Lists(a=[1, 2], b=[3.0, 4.0])
    assert tables.names_of(table) == ("a", "b")
    assert tables.column(table, "b").tolist() == [3.0, 4.0]


@pytest.mark.parametrize("rows", [[1.0, 2.0, 3.0], [[1.0, 2.0]], [["x", "y", "z"]]])
def test_what_is_scaled_has_a_number_for_each_scale(rows: Any) -> None:
    with pytest.raises(BadInput, match=r"^arms = .* rows of 3 real numbers"):
        tables.scaled("arms", rows, np.ones(3))
