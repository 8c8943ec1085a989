"""Exact identities: both sides brought to one normal form, twice, by two different arithmetics.

SymPy expands lhs - rhs over a common denominator; `ring.is_zero` recomputes the same from the
expression tree in plain fractions.  An identity is proved only if both end at zero, and it then
holds wherever both sides are defined; the denominators met on the way are named in the scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, ball_function
from glbcheck.core.exact import number
from glbcheck.core.expression import ExpressionError, to_text
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.provers import ring
from glbcheck.verify.provers.inputs import Formula, as_written, expression
from glbcheck.verify.provers.witness import refuted_at

PROVER = "symbolic"


# --- a generic smooth function -------------------------------------------------------------------


def smooth(name: str, order: int = 0) -> Any:
    """The derivative of this order of an arbitrary smooth function: a symbol m, m_1, m_2, ... of its own.

    >>> z, h = sp.symbols("z h")
    >>> sp.diff(smooth("m")(z + h**2), h)
    2*h*m_1(h**2 + z)
    """
    return derivative(name, order)


@cache  # one class for each derivative, so that two mentions of it are the same function
def derivative(name: str, order: int) -> Any:
    title = f"{name}_{order}" if order else name

    def fdiff(self: Any, argindex: int = 1) -> Any:
        return derivative(name, order + 1)(self.args[0])

    body = {"fdiff": fdiff, "nargs": 1, "family": name, "order": order, "is_real": True}
    return type(title, (sp.Function,), body)


T = sp.Symbol("t", real=True)
# Convex and smooth on the whole line, so each is a legitimate m; a false identity fails on one of them.
INSTANCES: tuple[sp.Expr, ...] = (T**2 / 2, T**2 / 2 + T**4 / 24, sp.exp(T), T**2 + T + sp.exp(2 * T))


def generic_values(e: sp.Expr) -> set[sp.Expr]:
    """The values m(u), m_1(u), ... of smooth functions that occur in the expression."""
    return {f for f in e.atoms(sp.Function) if hasattr(f.func, "family")}


def instantiated(e: sp.Expr, instance: sp.Expr) -> sp.Expr:
    """The expression with every generic smooth function taken to be `instance` (an expression in T)."""
    while values := generic_values(e):
        e = e.xreplace({f: sp.diff(instance, T, f.func.order).subs(T, f.args[0]) for f in values})
    return e


# --- normal forms --------------------------------------------------------------------------------


def normal_form(e: sp.Expr) -> sp.Expr:
    """The numerator of e over a common denominator, expanded; zero only if e is zero where defined."""
    flat = sp.expand(e.rewrite([sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch], sp.exp), log=False)
    numerator = sp.expand(sp.numer(sp.together(flat)), log=False)
    return sp.powsimp(numerator, combine="exp") if numerator.has(sp.Pow) else numerator


def denominators(expressions: Iterable[sp.Expr]) -> tuple[sp.Expr, ...]:
    """Everything that is divided by, and every base of a power with a symbol in its exponent."""
    powers = {p for e in expressions for p in e.atoms(sp.Pow) if p.base.free_symbols}
    found = {p.base for p in powers if not (p.exp.is_Rational and p.exp.is_positive)}
    return tuple(sorted(found, key=sp.default_sort_key))


def radicands(expressions: Iterable[sp.Expr]) -> tuple[sp.Expr, ...]:
    """Everything that a root or a logarithm is taken of."""
    roots = {p.base for e in expressions for p in e.atoms(sp.Pow) if not p.exp.is_Integer}
    logs = {g.args[0] for e in expressions for g in e.atoms(sp.log)}
    return tuple(sorted((b for b in roots | logs if b.free_symbols), key=sp.default_sort_key))


def identity(
    lhs: Formula, rhs: Formula, *, variables: Sequence[str] = (), hypotheses: Sequence[str] = ()
) -> Evidence:
    """lhs = rhs wherever both sides are defined.

    `hypotheses` (text) restrict where a counterexample is looked for; a proof does not need them.
    Functions made by `smooth` stand for an arbitrary smooth function.
    """
    left, right = expression("lhs", lhs, variables), expression("rhs", rhs, variables)
    certificate = certify(left, right, [as_written(side, variables) for side in (lhs, rhs)])
    if certificate is not None:
        return Evidence(
            verdict=Verdict.PROVED,
            prover=PROVER,
            summary=f"{left} = {right}: the difference has the normal form 0",
            scope=scope_of(certificate),
            certificate=certificate,
        )
    refutation = disprove(left, right, tuple(hypotheses))
    return refutation or undecided(f"{left} = {right}: the normal form is not 0, and no point shows it false")


def matrix_identity(lhs: sp.Matrix, rhs: sp.Matrix) -> Evidence:
    """Two matrices of explicit, fixed dimension are equal entry by entry."""
    if lhs.shape != rhs.shape:
        return undecided(f"matrices of shapes {lhs.shape} and {rhs.shape} cannot be equal")
    entries: dict[str, Any] = {}
    for i in range(lhs.rows):
        for j in range(lhs.cols):
            entry = identity(lhs[i, j], rhs[i, j])
            if entry.verdict is not Verdict.PROVED:
                return entry
            entries[f"{i + 1},{j + 1}"] = dict(entry.certificate)
    return Evidence(
        verdict=Verdict.PROVED,
        prover=PROVER,
        summary=f"all {len(entries)} entries agree",
        scope=f"matrices of shape {lhs.rows} x {lhs.cols} only, where all denominators are nonzero",
        certificate={"method": "matrix identity", "entries": entries},
    )


def certify(left: sp.Expr, right: sp.Expr, written: Sequence[sp.Expr]) -> dict[str, Any] | None:
    """The certificate of left = right, if both arithmetics reduce the difference to zero.

    `written` are the sides before anything was cancelled: their denominators bound the scope.
    """
    if normal_form(left - right) != 0 or not recheck(left, right):
        return None
    reader = ring.Ring.over([left, right])
    reader.read(left)
    reader.read(right)
    return {
        "method": "normal form",
        "lhs": str(left),
        "rhs": str(right),
        "generators": [str(kernel) for kernel in reader.kernels.values()],
        "normal_form": "0",
        "nonzero": [str(d) for d in denominators(written)],
        "generic": sorted({f.func.family for f in generic_values(left) | generic_values(right)}),
    }


def recheck(left: sp.Expr, right: sp.Expr) -> bool:
    """The checker: lhs - rhs is zero in the hand-written ring, which shares nothing with `normal_form`."""
    try:
        return ring.is_zero(sp.Add(left, sp.Mul(-1, right, evaluate=False), evaluate=False))
    except ring.NotReadable:
        return False


def scope_of(certificate: Mapping[str, Any]) -> str:
    where = [f"{d} != 0" for d in certificate["nonzero"]]
    return "; ".join(
        [f"every smooth {m}" for m in certificate["generic"]]
        + ["all real values where both sides are defined" + (f": {', '.join(where)}" if where else "")]
    )


def undecided(reason: str) -> Evidence:
    return Evidence(verdict=Verdict.UNDECIDED, prover=PROVER, summary=reason)


# --- refutation ----------------------------------------------------------------------------------

VALUES = [
    Fraction(p, q) for p, q in ((2, 1), (1, 2), (3, 1), (1, 3), (5, 2), (-1, 2), (1, 1), (-2, 1), (-3, 1))
]


def trial_points(symbols: Sequence[sp.Symbol], count: int = 18) -> Iterator[dict[sp.Symbol, Fraction]]:
    """Short rational points in general position; symbols declared whole or positive stay so."""
    for i in range(count):
        point = {}
        for j, symbol in enumerate(symbols):
            value = VALUES[(i + 2 * j * (1 + i // len(VALUES))) % len(VALUES)]
            value = abs(value) if symbol.is_nonnegative else value
            point[symbol] = Fraction(abs(value).__ceil__()) if symbol.is_integer else value
        yield point


def disprove(left: sp.Expr, right: sp.Expr, hypotheses: tuple[str, ...]) -> Evidence | None:
    """A rational point (and, for a generic function, a concrete instance) where the sides differ."""
    generic = bool(generic_values(left) | generic_values(right))
    for instance in INSTANCES if generic else (sp.Integer(0),):
        one, two = instantiated(left, instance), instantiated(right, instance)
        if evidence := differing_point(one, two, hypotheses):
            return for_instance(evidence, instance) if generic else evidence
    return None


def for_instance(evidence: Evidence, instance: sp.Expr) -> Evidence:
    """The same refutation, saying which function was put for the generic one."""
    return replace(evidence, summary=f"for the function {instance} of {T}: {evidence.summary}")


def differing_point(left: sp.Expr, right: sp.Expr, hypotheses: tuple[str, ...]) -> Evidence | None:
    symbols = sorted(left.free_symbols | right.free_symbols, key=lambda s: str(s.name))
    real = {s: sp.Symbol(s.name, real=True) for s in symbols}
    try:
        gap = ball_function(left - right, symbols)
        conclusion = f"{to_text(left.xreplace(real))} == {to_text(right.xreplace(real))}"
    except (NotEnclosed, ExpressionError):
        return None
    assumed = tuple(f"{s.name} >= 0" for s in symbols if s.is_nonnegative)
    for point in trial_points(symbols):
        value = gap(*(number(point[s]) for s in symbols))
        if value > 0 or value < 0:
            named = {s.name: point[s] for s in symbols}
            if evidence := refuted_at(Statement(hypotheses + assumed, conclusion), named, PROVER):
                return evidence
    return None
