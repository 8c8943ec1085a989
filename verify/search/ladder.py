"""Inequalities in one variable on an interval or a half-line, as claims call them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy as sp
from glbcheck.core.exact import rational
from glbcheck.core.expression import to_text
from glbcheck.verify.claim import Evidence
from glbcheck.verify.decide import decide
from glbcheck.verify.search.inputs import Relation, relation

PROVER = "ladder"


def inequality(
    claim: Relation,
    variable: str = "x",
    low: int | Fraction = 0,
    high: int | Fraction | None = None,
    *,
    closed: tuple[bool, bool] = (True, True),
) -> Evidence:
    """Decide a relation <=, <, >= or > for every value of the variable between low and high.

    `closed` says whether each end belongs to the interval (oo never does); `high=None` means oo.
    """
    stated = relation("claim", claim, [variable])
    if stated.rel_op not in ("<=", "<", ">=", ">"):
        raise ValueError(f"claim = {stated} is not accepted: an inequality <=, <, >= or >")
    if unknown := {s.name for s in stated.free_symbols} - {variable}:
        raise ValueError(f"claim = {stated} holds {sorted(unknown)}; only {variable!r} is accepted")
    given = [f"{variable} >{'=' if closed[0] else ''} {rational('low', low)}"]
    given += [] if high is None else [f"{variable} <{'=' if closed[1] else ''} {rational('high', high)}"]
    x = dict.fromkeys(stated.free_symbols, sp.Symbol(variable, real=True))
    read = stated.func(*(side.xreplace(x) for side in stated.args), evaluate=False)
    written = claim if isinstance(claim, str) else to_text(read)
    return replace(decide({"variables": {variable: "real"}, "hypotheses": given, "conclusion": written}), prover=PROVER)
