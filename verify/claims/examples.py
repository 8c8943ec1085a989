"""Points that satisfy premises: as searchers find them, after letters that a premise defines have been written out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from glbcheck.core.kernel.check import at_point, read_statement, truth
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.claims.text import Data
from glbcheck.verify.edits import renamed
from glbcheck.verify.wording import names

Point = Mapping[str, Any]
_EQUATION = re.compile(r"(\w+) == ([^=<>]+)")


def example(data: Data) -> dict[str, Any] | None:
    """A point at which the kernel sees all hypotheses hold, or None if none was found."""
    if not data["hypotheses"]:
        return None
    equations = _equations(data)
    rest = {name: kind for name, kind in data["variables"].items() if name not in equations}
    written = {
        "variables": rest,
        "definitions": _in_order({**data.get("definitions", {}), **equations}),
        "hypotheses": [text for text in data["hypotheses"] if not _defines(text, equations)],
        "conclusion": data["conclusion"],
    }
    point = _found(written) if equations and written["definitions"] else None
    made = point and _with_values(point, written["definitions"], equations)
    return made if made and holds_at(data, made) else _found(data)


def holds_at(data: Data, point: Point) -> bool:
    """Does the kernel see every hypothesis hold at this point?"""
    try:
        context, _ = read_statement(data)
        at = at_point(context, point)
        return all(truth(at(fact)) for fact in context.facts)
    except (Rejected, ArithmeticError, TypeError, ValueError, AttributeError):
        return False


def _found(data: Data) -> dict[str, Any] | None:
    from glbcheck.verify.search.proposed_points import example_for

    if not data["hypotheses"]:
        functions = "function" in data["variables"].values()
        return None if functions else {"at": dict.fromkeys(data["variables"], "1")}
    try:
        return example_for(read_statement(data)[0])
    except (Rejected, ArithmeticError):
        return None


def _equations(data: Data) -> dict[str, str]:
    """The letters that a hypothesis `letter == formula` defines, none by way of itself."""
    formulas = dict(data.get("definitions", {}))
    found: dict[str, str] = {}
    for text in data["hypotheses"]:
        equation = _EQUATION.fullmatch(text)
        if equation is None or data["variables"].get(equation[1]) != "real" or equation[1] in found:
            continue
        if equation[1] not in _reached(equation[2], {**formulas, **found}):
            found[equation[1]] = equation[2]
    return found


def _defines(text: str, equations: Mapping[str, str]) -> bool:
    equation = _EQUATION.fullmatch(text)
    return equation is not None and equations.get(equation[1]) == equation[2]


def _reached(formula: str, formulas: Mapping[str, str]) -> set[str]:
    """The names in a formula, and in those of the names in it."""
    found, stack = set[str](), [formula]
    while stack:
        new = {*names(stack.pop(), set())} - found
        found |= new
        stack += [formulas[name] for name in new if name in formulas]
    return found


def _in_order(formulas: Mapping[str, str]) -> dict[str, str]:
    """The same, each after those that it needs."""
    return dict(sorted(formulas.items(), key=lambda one: len(_reached(one[1], formulas) & formulas.keys())))


def _with_values(point: Point, formulas: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, Any]:
    """The point with the values of these letters as closed formulas."""
    values = {name: f"({value})" for name, value in point["at"].items()}
    for name, formula in formulas.items():
        values[name] = f"({renamed(formula, values)})"
    return {**point, "at": {**point["at"], **{name: values[name] for name in wanted}}}
