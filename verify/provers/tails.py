"""What lies beyond the cut of an unbounded integral: a bound that is proved, not assumed.

Two ways.  Automatic: expand the integrand into a sum; a term whose logarithmic derivative is a rational
function P/Q (powers times exponentials of polynomials: all moments of the Gaussian, gamma, Student and
Pareto laws) decays at least like exp(-c(x - cut)) or (x/cut)^(-p), which is a statement about
polynomials on a half-line.  Supplied: the caller states abs(f(x)) <= scale·exp(-rate·(x - cut)) and names
the prover that has to decide it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import ball
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import Exact, bounds, rational
from glbcheck.core.expression import to_text
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.provers.polynomials import combine, product, taylor, value


@dataclass(frozen=True)
class Beyond:
    """The range of an integral beyond `cut`, where the integrand is at most scale·exp(-rate·|x - cut|).

    Without scale and rate they are found automatically; with them, `prove` must decide the inequality.
    """

    cut: Exact
    scale: Exact | None = None
    rate: Exact | None = None
    prove: Callable[[Statement], Evidence] | None = None


@dataclass(frozen=True)
class Bound:
    """The integral of |f| over [cut, oo) is at most `size`; `reason` is what a reader can check."""

    size: Fraction
    reason: list[dict[str, Any]]


def tail_bound(f: sp.Expr, x: sp.Symbol, tail: Beyond) -> Bound | None:
    """Bound the integral of |f| over [cut, oo), or None if no bound is proved."""
    cut = rational("tail.cut", tail.cut)
    if tail.scale is None and tail.rate is None:
        return _automatic(f, x, cut)
    if tail.scale is None or tail.rate is None or tail.prove is None:
        raise BadInput("tail", tail, "scale, rate and prove together, or none of them")
    return _supplied(
        f, x, cut, rational("tail.scale", tail.scale), rational("tail.rate", tail.rate), tail.prove
    )


def _supplied(
    f: sp.Expr,
    x: sp.Symbol,
    cut: Fraction,
    scale: Fraction,
    rate: Fraction,
    prove: Callable[[Statement], Evidence],
) -> Bound | None:
    if rate <= 0 or scale < 0:
        raise BadInput("tail", f"scale {scale}, rate {rate}", "scale >= 0 and rate > 0")
    statement = Statement(
        (f"{x} >= {cut}",), f"abs({to_text(f)}) <= ({scale})*exp(-({rate})*({x} - ({cut})))"
    )
    evidence = prove(statement)
    if evidence.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
        return None
    reason = {"inequality": statement.conclusion, "prover": evidence.prover, "verdict": str(evidence.verdict)}
    return Bound(scale / rate, [reason])


def _automatic(f: sp.Expr, x: sp.Symbol, cut: Fraction) -> Bound | None:
    size, reasons = Fraction(0), []
    for term in sp.Add.make_args(sp.expand(f)):
        if term == 0:
            continue
        bound = _term_bound(term, x, cut)
        if bound is None:
            return None
        size += bound.size
        reasons += bound.reason
    return Bound(size, reasons)


def _term_bound(term: sp.Expr, x: sp.Symbol, cut: Fraction) -> Bound | None:
    """|term(cut)| times the integral of the proved decay."""
    quotient = _log_derivative(term, x)
    if quotient is None:
        return None
    at = sp.Rational(cut.numerator, cut.denominator)
    head = max(abs(end) for end in bounds(ball(term.subs(x, at))))
    for kind, multiple in (("exponential", [Fraction(1)]), ("power", [Fraction(0), Fraction(1)])):
        if kind == "power" and cut <= 0:
            continue
        speed = _decay(*quotient, multiple, cut)
        if speed is None or (kind == "power" and speed <= 1):
            continue
        size = head / speed if kind == "exponential" else head * cut / (speed - 1)
        fact = {"term": str(term), "decay": kind, "speed": str(speed), "at cut": str(head)}
        return Bound(size, [fact])
    return None


def _log_derivative(term: sp.Expr, x: sp.Symbol) -> tuple[list[Fraction], list[Fraction]] | None:
    """Rational polynomials P, Q (constant first) with term'/term = P/Q; None if there are none."""
    ratio = sp.cancel(sp.powsimp(sp.expand(sp.diff(term, x) / term)))
    top, bottom = sp.fraction(sp.together(ratio))
    if not (top.is_polynomial(x) and bottom.is_polynomial(x)):
        return None
    coefficients = [sp.Poly(side, x).all_coeffs()[::-1] for side in (top, bottom)]
    if not all(c.is_Rational for side in coefficients for c in side):
        return None
    numerator, denominator = ([rational("coefficient", c) for c in side] for side in coefficients)
    return numerator, denominator


def _decay(
    top: Sequence[Fraction], bottom: Sequence[Fraction], multiple: Sequence[Fraction], cut: Fraction
) -> Fraction | None:
    """The largest speed tried with  -multiple(x)·P(x)/Q(x) >= speed  and no pole on [cut, oo)."""
    slope = product(multiple, [-c for c in top])
    below = list(bottom)
    if value(below, cut) < 0:
        slope, below = [-c for c in slope], [-c for c in below]
    shifted = taylor(below, cut)
    if min(shifted) < 0 or shifted[0] <= 0 or value(slope, cut) <= 0:
        return None
    fastest = value(slope, cut) / value(below, cut)
    if len(slope) <= len(below):
        limit = slope[-1] / below[-1] if len(slope) == len(below) else Fraction(0)
        fastest = min(fastest, limit)
    for share in (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)):
        speed = fastest * share
        if speed > 0 and min(taylor(combine(1, slope, -speed, below), cut)) >= 0:
            return speed
    return None
