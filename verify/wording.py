"""Statements as a theorist types them: `n: integer, n >= 1, x > 0 => sum(x**k, k, 1, n) >= x`.

Declarations and hypotheses come before `=>`, separated by commas, and conclusions after it.  Names that are
not declared are real variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.terms import BINDERS, Rejected

KINDS = ("real", "integer", "function")
_DECLARATION = re.compile(r"\s*(\w+)\s*:\s*(\w+)\s*")
_NAME = re.compile(r"(?<![\w.])([^\W\d]\w*)(\s*\()?")
Data = dict[str, Any]


def read(text: str) -> list[Data]:
    """The statement, once for each of its conclusions, as the kernel reads it."""
    if not isinstance(text, str) or not text.strip():
        raise BadInput("STATEMENT", text, "hypotheses => conclusion, such as x >= 0 => log(1 + x) <= x")
    before, after = text.split("=>", 1) if "=>" in text else ("", text)
    if "=>" in after:
        raise BadInput("STATEMENT", text, "one arrow =>, with all hypotheses before it")
    given, claimed = parts(before), parts(after)
    declarations = [found.groups() for part in (*given, *claimed) if (found := _DECLARATION.fullmatch(part))]
    declared = {name: _kind(text, name, kind) for name, kind in declarations}
    if len(declared) < len(declarations):
        raise BadInput("STATEMENT", text, "each name declared once")
    hypotheses, conclusions = ([p for p in side if not _DECLARATION.fullmatch(p)] for side in (given, claimed))
    if not conclusions:
        raise BadInput("STATEMENT", text, "something after =>: one relation with <=, <, >=, >, == or !=")
    variables = declared | dict.fromkeys(names("\n".join((*hypotheses, *conclusions)), set(declared)), "real")
    statements: list[Data] = [{"variables": variables, "hypotheses": hypotheses, "conclusion": c} for c in conclusions]
    for statement in statements:
        try:
            read_statement(statement)
        except Rejected as problem:
            hint = " Write powers as **." if "^" in text else ""
            raise BadInput("STATEMENT", text, f"{problem}{hint}") from None
    return statements


def latex(statement: str) -> str:
    """The statement as LaTeX, each relation as it was written; empty if SymPy has no word for something in it."""
    import sympy as sp
    from glbcheck.core.expression import parse_relation
    from glbcheck.verify.report.latex import MathError, of

    found = []
    for data in read(statement):
        texts, names = (*data["hypotheses"], data["conclusion"]), list(data["variables"])
        try:
            *given, conclusion = (  # SymPy is given derivatives as they were worked out, and not as they were written
                of(text) if "diff(" in text else str(sp.latex(parse_relation(text, names, evaluate=False)))
                for text in texts
            )
        except (ValueError, MathError):
            return ""
        found.append((r",\; ".join(given), conclusion))
    hypotheses, conclusions = found[0][0], r",\; ".join(conclusion for _, conclusion in found)
    return rf"{hypotheses} \implies {conclusions}" if hypotheses else conclusions


def parts(text: str) -> list[str]:
    """What stands between the commas that are in no bracket."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(f"{text},"):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            found.append(text[start:i].strip())
            start = i + 1
    found.append(text[start:].strip())  # after a bracket that is not closed, which the parser refuses
    return [part for part in found if part]


def names(text: str, declared: set[str]) -> Iterator[str]:
    """The names that stand for real numbers: neither declared, nor functions, nor bound by a sum or an integral."""
    bound = set[str]()
    for opening in re.finditer(rf"\b({'|'.join(BINDERS)})\s*\(", text):
        arguments = parts(inside(text[opening.end() :]))
        if len(arguments) == 4:
            bound.add(arguments[1])
    seen = {*declared, *bound, "pi", "E"}
    for found in _NAME.finditer(text):  # a function is a name before a bracket; gamma by itself is a variable
        if found[1] not in seen and not found[2]:
            seen.add(found[1])
            yield found[1]


def inside(text: str) -> str:
    """Up to the bracket that closes what is open at the start."""
    depth = 1
    for i, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[:i]
    return text


def _kind(text: str, name: str, kind: str) -> str:
    if kind not in KINDS:
        raise BadInput("STATEMENT", text, f"{name} of kind {', '.join(KINDS)}; {kind!r} is none of them")
    return kind
