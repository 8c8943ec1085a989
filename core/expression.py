"""A small, safe formula language: text to SymPy and back.

The text is read by Python's own grammar and then walked node by node against an allow-list, so a
formula can name declared real variables, exact numbers (``0.1`` is one tenth), ``+ - * / **``, the
functions of `FUNCTIONS` and the constants ``pi`` and ``E``, and nothing else.  No text is ever
executed, and every step that could grow without bound (powers, factorials, towers of exponentials)
is refused before it is taken.

>>> parse("log(1 + exp(z))", ["z"])
log(exp(z) + 1)
>>> parse_relation("0.1*x <= 1/3", ["x"])
x/10 <= 1/3
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from glbcheck.core.reader import CONSTANTS, FUNCTIONS, MAX_DEPTH, ExpressionError, Reader

__all__ = ["FUNCTIONS", "MAX_LENGTH", "ExpressionError", "parse", "parse_relation", "symbols_of", "to_text"]

MAX_LENGTH = 10_000
RELATIONS: Mapping[type[ast.cmpop], Any] = {
    ast.LtE: sympy.Le,
    ast.Lt: sympy.Lt,
    ast.GtE: sympy.Ge,
    ast.Gt: sympy.Gt,
    ast.Eq: sympy.Eq,
    ast.NotEq: sympy.Ne,
}
_FOREIGN = re.compile(r"[^\w\s.+\-*/(),<>=!]")


def parse(text: str, names: Iterable[str] | Mapping[str, Any], *, evaluate: bool = True) -> Any:
    """The SymPy expression that `text` denotes.

    `names` declares the variables: either plain names, which become real symbols, or a mapping from
    names to the expressions they stand for.  With `evaluate=False` the tree mirrors the text (``x/x``
    stays a quotient), which is what a pointwise check needs: nothing undefined is simplified away.
    """
    tree, reader = _read(text, names)
    value = reader.expression(tree)
    return value if evaluate else reader.verbatim().expression(tree)


def parse_relation(text: str, names: Iterable[str] | Mapping[str, Any], *, evaluate: bool = True) -> Any:
    """The relation (`<=`, `<`, `>=`, `>`, `==`, `!=`) that `text` denotes, never folded to true or false."""
    tree, reader = _read(text, names)
    if not isinstance(tree, ast.Compare):
        raise reader.error(tree, "is not a relation; expected one of <=, <, >=, >, ==, !=")
    if len(tree.ops) != 1 or type(tree.ops[0]) not in RELATIONS:
        raise reader.error(tree, "is not a single relation; write one of <=, <, >=, >, ==, != once")
    sides = [reader.expression(side) for side in (tree.left, tree.comparators[0])]
    if not evaluate:
        sides = [reader.verbatim().expression(side) for side in (tree.left, tree.comparators[0])]
    return RELATIONS[type(tree.ops[0])](*sides, evaluate=False)


def to_text(expr: Any) -> str:
    """A formula that `parse` (or `parse_relation`) reads back as exactly `expr`."""
    symbols = {symbol.name: symbol for symbol in expr.free_symbols}
    if getattr(expr, "is_Relational", False):
        text = f"{sympy.sstr(expr.lhs)} {expr.rel_op} {sympy.sstr(expr.rhs)}"
        back = parse_relation(text, symbols)
    else:
        text = sympy.sstr(expr)
        back = parse(text, symbols)
    if back != expr:
        raise ExpressionError(f"{text!r} reads back as {back}, a different expression")
    return text


def symbols_of(names: Iterable[str] | Mapping[str, Any]) -> dict[str, Any]:
    """Declared names and what they stand for; plain names become real symbols."""
    if isinstance(names, str):
        raise TypeError(f"names must be a collection of names, got the single string {names!r}")
    table = dict(names) if isinstance(names, Mapping) else {n: sympy.Symbol(n, real=True) for n in names}
    for name in table:
        if not isinstance(name, str) or not name.isidentifier() or "__" in name:
            raise ExpressionError(f"declared name {name!r} is not a plain identifier")
        if name in CONSTANTS:
            raise ExpressionError(f"declared name {name!r} is reserved for the constant")
    return table


def _read(text: str, names: Iterable[str] | Mapping[str, Any]) -> tuple[ast.expr, Reader]:
    table = symbols_of(names)
    if not isinstance(text, str):
        raise ExpressionError(f"a formula is a string, got {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"formula has {len(text)} characters; at most {MAX_LENGTH} are accepted")
    line = re.sub(r"\s", " ", text)
    if not line.strip():
        raise ExpressionError("formula is empty")
    if foreign := _FOREIGN.search(line):
        hint = "; write powers as **" if foreign[0] == "^" else ""
        raise ExpressionError(
            f"character {foreign[0]!r} at column {foreign.start() + 1} is not part of the language{hint}"
        )
    stripped = line.lstrip()
    shift = len(line) - len(stripped)
    return _grammar(stripped, shift), Reader(stripped, shift, table)


def _grammar(line: str, shift: int) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(line, mode="eval").body
    except SyntaxError as err:
        column = shift + (err.offset or len(line))
        raise ExpressionError(f"formula does not parse at column {column}: {err.msg}") from None
    except (RecursionError, MemoryError, ValueError):
        raise ExpressionError(
            f"formula is nested too deeply (at most {MAX_DEPTH} levels) or has too many operations in a row"
        ) from None
