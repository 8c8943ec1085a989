"""Identities, sums, integrals and Taylor remainders between SymPy's expressions, as claims call them.

An identity is stated with the hypotheses under which both sides are defined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.check import FORMAT
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import evidence_for, says_nothing
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.decide import decide
from glbcheck.verify.search.formulas import assumptions, declarations, smooth, stated, text
from glbcheck.verify.search.inputs import Formula, expression

__all__ = ["identity", "integral", "matrix_identity", "smooth", "sum_identity", "taylor_remainder"]

PROVER = "symbolic"


def identity(lhs: Formula, rhs: Formula, *, variables: Sequence[str] = (), hypotheses: Sequence[str] = ()) -> Evidence:
    """lhs = rhs wherever both sides are defined and the hypotheses hold.

    Functions made by `smooth` stand for an arbitrary smooth function.  SymPy rewrites what it is given: a derivative is
    an `sp.Derivative`, and a calculation that is to be checked is text, or else both sides come out as one term.
    """
    sides = [expression("lhs", lhs, variables), expression("rhs", rhs, variables)]
    written = " == ".join(f"({side})" if isinstance(side, str) else text(side) for side in (lhs, rhs))
    return _equation(written, sides, hypotheses, kinds=dict.fromkeys(variables, "real"))


def matrix_identity(lhs: sp.Matrix, rhs: sp.Matrix) -> Evidence:
    """Two matrices of explicit, fixed dimension are equal entry by entry."""
    if lhs.shape != rhs.shape:
        return undecided(f"matrices of shapes {lhs.shape} and {rhs.shape} cannot be equal")
    entries = [identity(a, b) for a, b in zip(lhs, rhs, strict=True)]
    for entry in entries:
        if entry.verdict is not Verdict.PROVED:
            return entry
    together = {"format": FORMAT, "all": [entry.certificate for entry in entries]}
    return evidence_for(together, PROVER, f"all {len(entries)} entries agree")


def sum_identity(
    summand: Formula, closed: Formula, index: str, lower: int, upper: str, variables: Sequence[str] = ()
) -> Evidence:
    """sum of summand(index) for index = lower..upper equals closed(upper), for every whole upper >= lower."""
    f = expression("summand", summand, [index, *variables])
    total = expression("closed", closed, [upper, *variables])
    conclusion = f"sum({text(f)}, {index}, {lower}, {upper}) == {text(total)}"
    return _equation(conclusion, [f, total], [f"{upper} >= {lower}"], (index,), {upper: "integer"})


def integral(integrand: sp.Expr, antiderivative: sp.Expr, t: sp.Symbol, lower: Formula, upper: Formula,
             value: sp.Expr) -> Evidence:  # fmt: skip
    """The integral of the integrand from lower to upper is value; the antiderivative is for the reader."""
    a, b = expression("lower", lower), expression("upper", upper)
    refuse_bound(t, a, b)
    whole = f"integral({text(integrand)}, {t.name}, {text(a)}, {text(b)})"
    return _equation(f"{whole} == {text(value)}", [integrand, a, b, value], [], (t.name,))


def taylor_remainder(
    function: str, order: int, integrand: sp.Expr, t: sp.Symbol, path: sp.Expr, a: sp.Expr, b: sp.Expr,
    ends: tuple[Formula, Formula],
) -> Evidence:  # fmt: skip
    """m(b) = sum_{j <= order} m^(j)(a)(b - a)^j / j! + integral of the integrand over t between the ends.

    m is the generic smooth function called `function`; `path` is the point x(t), which runs from a to b as t
    runs over the ends (x = t for the usual form, x = a + t(b - a) for the form on [0, 1]).
    """
    start, end = expression("ends", ends[0]), expression("ends", ends[1])
    refuse_bound(t, a, b, start, end)
    partial = sum(smooth(function, j)(a) * (b - a) ** j / sp.factorial(j) for j in range(order + 1))
    whole = f"integral({text(integrand)}, {t.name}, {text(start)}, {text(end)})"
    conclusion = f"{text(smooth(function)(b))} == {text(partial)} + {whole}"
    return _equation(conclusion, [smooth(function)(b), partial, integrand, start, end], [], (t.name,))


def _equation(
    conclusion: str, parts: Sequence[sp.Expr], hypotheses: Sequence[str], bound: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> Evidence:  # fmt: skip
    """An equation decided, stated with what it needs to be defined."""
    try:
        declared = declarations(*parts, bound=bound) | dict(kinds or {})
        statement = stated(conclusion, declared, [*assumptions(*parts, bound=bound), *hypotheses])
        if says_nothing(statement):
            raise BadInput("the two sides", conclusion, "two terms: of one there is nothing to check")
    except Rejected as complaint:
        return undecided(f"{conclusion}: {complaint}")
    return replace(decide(statement), prover=PROVER)


def refuse_bound(t: sp.Symbol, *ends: sp.Expr) -> None:
    for end in ends:
        if t in end.free_symbols:
            raise BadInput("t", t, f"a variable of integration that does not occur in the end {end}")


def undecided(reason: str) -> Evidence:
    return Evidence(Verdict.UNDECIDED, PROVER, reason)
