"""Sums, integrals and Taylor remainders, each reduced to identities that `identities` decides.

A sum with a symbolic upper limit is an induction (base and step); an integral is an antiderivative
(its derivative is the integrand); the integral remainder of Taylor's theorem is the antiderivative
sum_j m^(j)(x)(b - x)^j / j!.  Every obligation is recorded in the certificate.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from glbcheck.core.errors import BadInput
from glbcheck.verify.claim import Evidence, Verdict
from glbcheck.verify.provers.identities import (
    INSTANCES,
    PROVER,
    T,
    denominators,
    differing_point,
    for_instance,
    identity,
    instantiated,
    matrix_identity,
    radicands,
    smooth,
    undecided,
)
from glbcheck.verify.provers.inputs import Formula, as_written, expression

__all__ = [
    "identity",
    "integral",
    "matrix_identity",
    "smooth",
    "sum_identity",
    "taylor_remainder",
    "telescoping",
]


def together(kind: str, claim: str, obligations: dict[str, Evidence], scope: str) -> Evidence:
    """Proved if every obligation is; a failed obligation leaves the claim undecided."""
    for name, evidence in obligations.items():
        if evidence.verdict is not Verdict.PROVED:
            return undecided(f"{claim}: the {name} fails ({evidence.verdict}): {evidence.summary}")
    return Evidence(
        verdict=Verdict.PROVED,
        prover=PROVER,
        summary=f"{claim}, by {kind}",
        scope=scope,
        certificate={"method": kind, "obligations": {n: dict(e.certificate) for n, e in obligations.items()}},
    )


# --- sums ----------------------------------------------------------------------------------------


def sum_identity(
    summand: Formula, closed: Formula, index: str, lower: int, upper: str, variables: Sequence[str] = ()
) -> Evidence:
    """sum of summand(index) for index = lower..upper equals closed(upper), for every whole upper >= lower."""
    k, n = sp.Symbol(index, real=True), sp.Symbol(upper, real=True)
    f = expression("summand", summand, [index, *variables])
    total = expression("closed", closed, [upper, *variables])
    claim = f"sum_({index}={lower})^{upper} {f} = {total}"
    unknowns = {name: sp.Symbol(name, real=True) for name in variables}
    written = [as_written(e, {index: k, upper: k, **unknowns}) for e in (summand, closed)]
    if reason := undefined_somewhere([f, total.subs(n, k), *written], k, lower):
        return undecided(f"{claim}: {reason}")
    obligations = {
        "base": identity(total.subs(n, lower), f.subs(k, lower)),
        "step": identity(total.subs(n, n + 1) - total, f.subs(k, n + 1)),
    }
    failed = any(evidence.verdict is not Verdict.PROVED for evidence in obligations.values())
    if failed and (refuted := failing_sum(f, total, k, n, lower)):
        return refuted
    return together("induction", claim, obligations, sum_scope(f, total, k, f"whole {upper} >= {lower}"))


def telescoping(
    summand: Formula, antidifference: Formula, index: str, lower: int, variables: Sequence[str] = ()
) -> Evidence:
    """sum of summand for index = lower..n equals F(n + 1) - F(lower), for every whole n >= lower - 1."""
    k = sp.Symbol(index, real=True)
    f = expression("summand", summand, [index, *variables])
    F = expression("antidifference", antidifference, [index, *variables])
    claim = f"{f} telescopes to the differences of {F}"
    written = [as_written(e, [index, *variables]) for e in (summand, antidifference)]
    if reason := undefined_somewhere([f, F, *written], k, lower):
        return undecided(f"{claim}: {reason}")
    step = identity(F.subs(k, k + 1) - F, f, hypotheses=(f"{index} >= {lower}",))
    if step.verdict is not Verdict.PROVED:
        n = sp.Symbol(f"{index}_end", real=True)
        if refuted := failing_sum(f, F.subs(k, n + 1) - F.subs(k, lower), k, n, lower):
            return refuted
    return together(
        "telescoping", claim, {"step": step}, sum_scope(f, F, k, f"whole upper limits >= {lower - 1}")
    )


def undefined_somewhere(terms: Sequence[sp.Expr], k: sp.Symbol, lower: int) -> str:
    """Why some term may be undefined at a whole k >= lower; empty if it is not.

    An identity of rational functions says nothing at a pole, so an induction must not step over one.
    """
    guards = {*denominators(terms), *radicands(terms)}
    for guard in guards:
        if guard.free_symbols == {k}:
            p = sp.Poly(guard.subs(k, k + lower), k) if guard.is_polynomial(k) else None
            signs = {sp.sign(c) for c in p.all_coeffs()} - {sp.Integer(0)} if p else set()
            if p is None or len(signs) != 1 or p.eval(0) == 0:
                return f"{guard} is not seen to keep its sign for {k} >= {lower}"
    return ""


def failing_sum(f: sp.Expr, total: sp.Expr, k: sp.Symbol, n: sp.Symbol, lower: int) -> Evidence | None:
    """The first few sums, written out: one of them may differ from the closed form."""
    for count in range(1, 5):
        written_out = sp.Add(*(f.subs(k, lower + i) for i in range(count)))
        if evidence := differing_point(written_out, total.subs(n, lower + count - 1), ()):
            return evidence
    return None


def sum_scope(f: sp.Expr, total: sp.Expr, k: sp.Symbol, limits: str) -> str:
    others = [str(d) for d in denominators([f, total]) if d.free_symbols - {k}]
    return f"all {limits}" + "".join(f"; {d} != 0 at every index" for d in others)


# --- integrals -----------------------------------------------------------------------------------


def integral(integrand: sp.Expr, antiderivative: sp.Expr, t: sp.Symbol, lower: Formula, upper: Formula,
             value: sp.Expr) -> Evidence:  # fmt: skip
    """The integral of the integrand from lower to upper is value, by the fundamental theorem.

    Both functions must be free of divisions, logarithms and fractional powers that involve t, so that
    the antiderivative is smooth on the whole path.
    """
    a, b = expression("lower", lower), expression("upper", upper)
    claim = f"the integral of {integrand} over {t} from {a} to {b} is {value}"
    refuse_bound(t, a, b)
    if delicate := singular([integrand, antiderivative], t):
        return undecided(f"{claim}: {delicate} may be singular on the path")
    obligations = {
        "derivative": identity(sp.diff(antiderivative, t), integrand),
        "ends": identity(antiderivative.subs(t, b) - antiderivative.subs(t, a), value),
    }
    return together("antiderivative", claim, obligations, "all real ends")


def refuse_bound(t: sp.Symbol, *ends: sp.Expr) -> None:
    for end in ends:
        if t in end.free_symbols:
            raise BadInput("t", t, f"a variable of integration that does not occur in the end {end}")


def singular(functions: Sequence[sp.Expr], t: sp.Symbol) -> str:
    """Something in t that is divided by, or that a root or logarithm is taken of; empty if there is none."""
    delicate = [*denominators(functions), *radicands(functions)]
    return next((str(d) for d in delicate if t in d.free_symbols), "")


def taylor_remainder(
    function: str, order: int, integrand: sp.Expr, t: sp.Symbol, path: sp.Expr, a: sp.Expr, b: sp.Expr,
    ends: tuple[Formula, Formula],
) -> Evidence:  # fmt: skip
    """m(b) = sum_{j <= order} m^(j)(a)(b - a)^j / j! + integral of the integrand over t between the ends.

    m is the generic smooth function called `function`; `path` is the point x(t), which must run from
    a to b as t runs over the ends (x = t for the usual form, x = a + t(b - a) for the form on [0, 1]).
    """
    expression("integrand", integrand)
    start, end = expression("ends", ends[0]), expression("ends", ends[1])
    x = sp.Dummy("x", real=True)
    partial = sum(
        (smooth(function, j)(x) * (b - x) ** j / sp.factorial(j) for j in range(order + 1)), sp.Integer(0)
    )
    claim = f"order-{order} Taylor remainder of {function} between {a} and {b}"
    refuse_bound(t, a, b, start, end)
    if delicate := singular([integrand, path], t):
        return undecided(f"{claim}: {delicate} may be singular on the path")
    obligations = {
        "start of the path": identity(path.subs(t, start), a),
        "end of the path": identity(path.subs(t, end), b),
        "value at the end": identity(partial.subs(x, b), smooth(function)(b)),
        "derivative": identity(sp.diff(partial.subs(x, path), t), integrand),
    }
    remainder_fails = obligations["derivative"].verdict is not Verdict.PROVED
    if remainder_fails and (
        refuted := failing_remainder(partial.subs(x, a), smooth(function)(b), integrand, t, (start, end))
    ):
        return refuted
    return together(
        "antiderivative along the path", claim, obligations, f"every smooth {function}, all real ends"
    )


def failing_remainder(
    partial: sp.Expr, whole: sp.Expr, integrand: sp.Expr, t: sp.Symbol, ends: tuple[sp.Expr, sp.Expr]
) -> Evidence | None:
    """A polynomial m, whose remainder integrates exactly, at a rational point where the formula fails."""
    for degree in range(1, 8):
        m = INSTANCES[0] + T**degree
        inner = instantiated(integrand, m)
        if not inner.is_polynomial(t):
            return None
        remainder = sp.integrate(sp.expand(inner), (t, *ends))
        if evidence := differing_point(instantiated(whole, m), instantiated(partial, m) + remainder, ()):
            return for_instance(evidence, m)
    return None
