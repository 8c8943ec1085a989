"""The border of the algebraic provers: text or SymPy comes in, exact real expressions go on."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import number
from glbcheck.core.expression import parse, parse_relation

Formula: TypeAlias = "str | int | Fraction | sp.Expr"
Relation: TypeAlias = "str | sp.core.relational.Relational"


def expression(argument: str, value: Formula, variables: Iterable[str] = ()) -> sp.Expr:
    """The expression meant by `value`, free of floats and infinities."""
    if isinstance(value, str):
        value = parse(value, tuple(variables))
    if isinstance(value, bool | float | complex):
        raise BadInput(argument, value, "a float never enters a proof; write an exact number")
    if isinstance(value, Fraction):
        value = number(value)
    if isinstance(value, int):
        value = sp.Integer(value)
    if not isinstance(value, sp.Expr):
        raise BadInput(argument, value, "a formula as text or a SymPy expression")
    return refuse_floats(argument, value)


def relation(argument: str, value: Relation, variables: Iterable[str]) -> sp.core.relational.Relational:
    """The relation meant by `value`; quotients in text are kept as they stand (x/x is not 1)."""
    if isinstance(value, str):
        value = parse_relation(value, tuple(variables), evaluate=False)
    if not isinstance(value, sp.core.relational.Relational):
        raise BadInput(argument, value, "one relation (<=, <, >=, >, ==, !=), as text or from SymPy")
    refuse_floats(argument, value)
    for symbol in value.free_symbols:
        if symbol not in (sp.Symbol(symbol.name), sp.Symbol(symbol.name, real=True)):
            # SymPy has already simplified by the assumption; the statement would no longer say it.
            raise BadInput(argument, value, f"assumptions on {symbol.name} must be stated as hypotheses")
    return value


def refuse_floats(argument: str, value: sp.Basic) -> sp.Basic:
    if value.has(sp.Float):
        raise BadInput(argument, value, "a float never enters a proof; write an exact number")
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
        raise BadInput(argument, value, "finite real expressions")
    return value
