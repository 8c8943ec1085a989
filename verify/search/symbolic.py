"""Identities, sums, integrals and Taylor remainders: found with SymPy, accepted by the kernel's normal forms.

An identity is stated with the hypotheses under which both sides are defined.  A sum with a symbolic upper
limit telescopes, an integral has an antiderivative, and the integral remainder of Taylor's theorem is the
antiderivative sum_j m^(j)(x)(b - x)^j / j!.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball_function
from glbcheck.core.errors import BadInput
from glbcheck.core.kernel.check import FORMAT
from glbcheck.core.kernel.terms import Rejected
from glbcheck.verify.certificate import EVIDENT, TRIAL, Proof, evidence_for, proof_of, says_nothing
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.counterexample import refute
from glbcheck.verify.memory import remembered
from glbcheck.verify.search.formulas import T, assumptions, declarations, generic_values, smooth, stated, text
from glbcheck.verify.search.inputs import Formula, expression

__all__ = ["identity", "integral", "matrix_identity", "smooth", "sum_identity", "taylor_remainder"]

PROVER = "symbolic"
# Convex and smooth on the whole line, so each is a legitimate m; a false identity fails on one of them.
INSTANCES: tuple[sp.Expr, ...] = (T**2 / 2, T**2 / 2 + T**4 / 24, sp.exp(T), T**2 + T + sp.exp(2 * T))


@remembered
def identity(lhs: Formula, rhs: Formula, *, variables: Sequence[str] = (), hypotheses: Sequence[str] = ()) -> Evidence:
    """lhs = rhs wherever both sides are defined and the hypotheses hold.

    Functions made by `smooth` stand for an arbitrary smooth function.  SymPy rewrites what it is given: a derivative is
    an `sp.Derivative`, and a calculation that is to be checked is text, or else both sides come out as one term.
    """
    left, right = expression("lhs", lhs, variables), expression("rhs", rhs, variables)
    written = [f"({side})" if isinstance(side, str) else text(side) for side in (lhs, rhs)]
    declared = dict.fromkeys(variables, "real")
    found = _equation(" == ".join(written), [left, right], hypotheses, EVIDENT, kinds=declared)
    if found.verdict is Verdict.PROVED:
        return found
    return disprove(left.doit(), right.doit(), tuple(hypotheses)) or found


def matrix_identity(lhs: sp.Matrix, rhs: sp.Matrix) -> Evidence:
    """Two matrices of explicit, fixed dimension are equal entry by entry."""
    if lhs.shape != rhs.shape:
        return undecided(f"matrices of shapes {lhs.shape} and {rhs.shape} cannot be equal")
    entries = [identity(a, b) for a, b in zip(lhs, rhs, strict=True)]
    for entry in entries:
        if entry.verdict is not Verdict.PROVED:
            return entry
    return evidence_for(
        {"format": FORMAT, "all": [entry.certificate for entry in entries]},
        PROVER,
        f"all {len(entries)} entries agree",
        f"matrices of shape {lhs.rows} x {lhs.cols} only, where all denominators are nonzero",
    )


def sum_identity(
    summand: Formula, closed: Formula, index: str, lower: int, upper: str, variables: Sequence[str] = ()
) -> Evidence:
    """sum of summand(index) for index = lower..upper equals closed(upper), for every whole upper >= lower."""
    k, n = sp.Symbol(index, real=True), sp.Symbol(upper, real=True)
    f = expression("summand", summand, [index, *variables])
    total = expression("closed", closed, [upper, *variables])
    sum_text = f"sum({text(f)}, {index}, {lower}, {upper})"
    proof = {"rule": "primitive", "of": [[sum_text, text(total.subs(n, k - 1))]], "proof": EVIDENT}
    found = _equation(
        f"{sum_text} == {text(total)}", [f, total], [f"{upper} >= {lower}"], proof, (index,), {upper: "integer"}
    )
    if found.verdict is Verdict.PROVED:
        return found
    others = sorted((f.free_symbols | total.free_symbols) - {k, n}, key=str)
    for i in range(2 * len(TRIAL)):  # the first few sums, written out
        point = {s.name: _trial(s, i, j) for j, s in enumerate(others)} | {upper: Fraction(lower + i % 4)}
        evidence = refute(Statement((f"{upper} >= {lower}",), f"{sum_text} == {text(total)}"), point, PROVER)
        if evidence.verdict is Verdict.REFUTED:
            return evidence
    return found


def integral(integrand: sp.Expr, antiderivative: sp.Expr, t: sp.Symbol, lower: Formula, upper: Formula,
             value: sp.Expr) -> Evidence:  # fmt: skip
    """The integral of the integrand from lower to upper is value, by the fundamental theorem."""
    a, b = expression("lower", lower), expression("upper", upper)
    refuse_bound(t, a, b)
    whole = f"integral({text(integrand)}, {t.name}, {text(a)}, {text(b)})"
    proof = {"rule": "primitive", "of": [[whole, text(antiderivative)]], "proof": EVIDENT}
    return _equation(f"{whole} == {text(value)}", [integrand, a, b, value], [], proof, (t.name,))


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
    x = sp.Dummy("x", real=True)
    partial = sum((smooth(function, j)(x) * (b - x) ** j / sp.factorial(j) for j in range(order + 1)), sp.Integer(0))
    whole = f"integral({text(integrand)}, {t.name}, {text(start)}, {text(end)})"
    conclusion = f"{text(smooth(function)(b))} == {text(partial.subs(x, a))} + {whole}"
    proof = {"rule": "primitive", "of": [[whole, text(partial.subs(x, path))]], "proof": EVIDENT}
    parts = [smooth(function)(b), partial.subs(x, a), integrand, start, end]
    found = _equation(conclusion, parts, [], proof, (t.name,))
    if found.verdict is Verdict.PROVED:
        return found

    def remainder_of(m: sp.Expr) -> sp.Expr:
        return sp.integrate(sp.expand(instantiated(integrand, m)), (t, start, end))

    for degree in range(1, 8):  # a polynomial m, whose remainder integrates exactly
        m = INSTANCES[0] + T**degree
        if not instantiated(integrand, m).is_polynomial(t):
            break
        left, right = (instantiated(e, m) for e in (smooth(function)(b), partial.subs(x, a)))
        if evidence := differing_point(left, right + remainder_of(m), ()):
            return _for_instance(evidence, m)
    return found


def _equation(
    conclusion: str, parts: Sequence[sp.Expr], hypotheses: Sequence[str], proof: Proof,
    bound: Sequence[str] = (), kinds: Mapping[str, str] | None = None,
) -> Evidence:  # fmt: skip
    """The kernel's answer to an equation, stated with what it needs to be defined."""
    try:
        declared = declarations(*parts, bound=bound) | dict(kinds or {})
        statement = stated(conclusion, declared, [*assumptions(*parts, bound=bound), *hypotheses])
        if says_nothing(statement):
            raise BadInput("the two sides", conclusion, "two terms: of one there is nothing to check")
        summary = f"{conclusion}: the difference has the normal form 0"
        return proof_of(statement, proof, PROVER, summary, scope_of(statement))
    except Rejected as complaint:
        return undecided(f"{conclusion}: {complaint}")


def scope_of(statement: Mapping[str, Any]) -> str:
    functions = [f"every smooth {n}" for n, kind in statement["variables"].items() if kind == "function"]
    where = ", ".join(statement["hypotheses"])
    return "; ".join([*functions, "all real values" + (f" with {where}" if where else "")])


def refuse_bound(t: sp.Symbol, *ends: sp.Expr) -> None:
    for end in ends:
        if t in end.free_symbols:
            raise BadInput("t", t, f"a variable of integration that does not occur in the end {end}")


def undecided(reason: str) -> Evidence:
    return Evidence(Verdict.UNDECIDED, PROVER, reason)


# --- refutation ----------------------------------------------------------------------------------


def instantiated(e: sp.Expr, instance: sp.Expr) -> sp.Expr:
    """The expression with every generic smooth function taken to be `instance` (an expression in T)."""
    while values := generic_values(e):
        e = e.xreplace({f: sp.diff(instance, T, f.func.order).subs(T, f.args[0]) for f in values})
    return e


def disprove(left: sp.Expr, right: sp.Expr, hypotheses: tuple[str, ...]) -> Evidence | None:
    """A rational point (and, for a generic function, a concrete instance) where the sides differ."""
    generic = bool(generic_values(left) | generic_values(right))
    for instance in INSTANCES if generic else (sp.Integer(0),):
        one, two = instantiated(left, instance), instantiated(right, instance)
        if evidence := differing_point(one, two, hypotheses):
            return _for_instance(evidence, instance) if generic else evidence
    return None


def _for_instance(evidence: Evidence, instance: sp.Expr) -> Evidence:
    from dataclasses import replace

    return replace(evidence, summary=f"for the function {instance} of {T}: {evidence.summary}")


def differing_point(left: sp.Expr, right: sp.Expr, hypotheses: tuple[str, ...]) -> Evidence | None:
    symbols = sorted(left.free_symbols | right.free_symbols, key=lambda s: str(s.name))
    try:
        gap = ball_function(left - right, symbols)
    except NotEnclosed:
        return None
    statement = Statement((*hypotheses, *assumptions(left, right)), f"{text(left)} == {text(right)}")
    for i in range(2 * len(TRIAL)):
        point = {s: _trial(s, i, j) for j, s in enumerate(symbols)}
        value = gap(*(sp.Rational(v.numerator, v.denominator) for v in point.values()))
        if value > 0 or value < 0:
            evidence = refute(statement, {s.name: v for s, v in point.items()}, PROVER)
            if evidence.verdict is Verdict.REFUTED:
                return evidence
    return None


def _trial(symbol: sp.Symbol, i: int, j: int) -> Fraction:
    """Short numbers in general position; symbols declared whole or positive stay so."""
    value = TRIAL[(i + 2 * j * (1 + i // len(TRIAL))) % len(TRIAL)]
    value = abs(value) if symbol.is_nonnegative else value
    return Fraction(abs(value).__ceil__()) if symbol.is_integer else value
