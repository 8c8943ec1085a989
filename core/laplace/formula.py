"""The formula M = exp(m) written without the logarithms of m, and the interval it lives on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import sympy as sp
from glbcheck.core.enclosure import Ball, NotEnclosed, arb, ball
from glbcheck.core.errors import BadInput
from glbcheck.core.family import z
from glbcheck.core.kernel.terms import show
from glbcheck.core.measures.interval import Interval
from glbcheck.core.translation import term_of

NEAR = sp.Rational(1, 2**60)  # how close a rational end comes to one that the formula language cannot write
LARGEST_POWER = 8
LONGEST = 60  # operations in an expression to be factored


@dataclass(frozen=True)
class Where:
    """An open interval; its ends are exact numbers or infinite."""

    low: sp.Expr
    high: sp.Expr

    @cached_property
    def interval(self) -> Interval:
        """The same for the checker of answers, a little smaller where an end cannot be written."""
        return Interval.of([end_text(self.low, 1), end_text(self.high, -1)])

    def holds(self, *points: Fraction) -> bool:
        """Are these points certainly inside?"""
        above = self.low == -sp.oo or all(ball(x) > ball(self.low) for x in points)
        return above and (self.high == sp.oo or all(ball(x) < ball(self.high) for x in points))


def where(domain: sp.Interval) -> Where:
    """The interior of the domain; ends that are points of it are left out."""
    try:
        inside = Where(domain.inf, domain.sup)
        for end in (inside.low, inside.high):
            if end.is_infinite is not True:
                ball(end)
    except (AttributeError, NotEnclosed, NotImplementedError):
        raise BadInput("domain", domain, "an interval with exact real or infinite ends") from None
    if not sp.Lt(inside.low, inside.high) == sp.true:
        raise BadInput("domain", domain, "an interval with more than one point")
    return inside


def text(e: sp.Expr) -> str:
    """The expression in the language of files; `NotEnclosed` if it has no exact counterpart there."""
    return "oo" if e == sp.oo else "-oo" if e == -sp.oo else show(term_of(e))


def end_text(end: sp.Expr, side: int) -> str:
    """An end of the domain; a rational number beside it, on that side, where it cannot be written."""
    try:
        return text(end)
    except NotEnclosed:
        near = end.eval_rational(NEAR / 4) if isinstance(end, sp.CRootOf) else sp.Rational(str(end.evalf(30)))
        return str(near + side * NEAR)


def exponent(m: sp.Expr, power: Fraction) -> sp.Expr:
    """power * m, an exact expression in z."""
    if not isinstance(m, sp.Expr) or m.free_symbols - {z} or m.atoms(sp.Float):
        raise BadInput("m", m, "an exact expression in z alone")
    if isinstance(power, bool) or not isinstance(power, int | Fraction) or power <= 0:
        raise BadInput("power", power, "an exact number s > 0")
    return rational(power) * _without_area_functions(m)


def rational(x: Fraction | int) -> sp.Rational:
    return sp.Rational(x.numerator, x.denominator)


def _without_area_functions(m: sp.Expr) -> sp.Expr:
    """asinh, acosh and atanh as logarithms, the same wherever they are real."""
    return (
        m.replace(sp.asinh, lambda w: sp.log(w + sp.sqrt(w**2 + 1)))
        .replace(sp.acosh, lambda w: sp.log(w + sp.sqrt(w**2 - 1)))
        .replace(sp.atanh, lambda w: sp.log(1 + w) / 2 - sp.log(1 - w) / 2)
    )


def terms(expr: sp.Expr) -> list[sp.Expr]:
    """The summands, products of sums at the top multiplied out."""
    return list(sp.Add.make_args(sp.expand_mul(expr, deep=False)))


def expanded(expr: sp.Expr) -> sp.Expr:
    """Multiplied out, unless a high power of a sum would make that endless."""
    high = any(abs(p.exp) > LARGEST_POWER for p in expr.atoms(sp.Pow) if p.base.is_Add and p.exp.is_Integer)
    return expr if high else sp.expand(expr)


def factored(expr: sp.Expr) -> sp.Expr:
    """Written as a product where that is quick: exp(500 z) is a polynomial of degree 500 to a factoriser."""
    exponents = [p.exp for p in expr.atoms(sp.Pow)] + [e.args[0] for e in expr.atoms(sp.exp)]
    numbers = [n for e in exponents for n in e.atoms(sp.Rational)]
    high = any(max(abs(n.p), n.q) > LARGEST_POWER for n in numbers) or expr.count_ops() > LONGEST
    return expr if high else sp.factor(expr)


def exponentiated(expr: sp.Expr) -> sp.Expr:
    """exp(expr), with exp(k log f) = f^k and exp(k loggamma f) = gamma(f)^k: equal where expr is real."""
    factors, rest = [], sp.S.Zero
    for term in terms(expr):
        number, core = term.as_independent(z, as_Add=False)
        if isinstance(core, sp.log):
            factors.append(core.args[0] ** number)
        elif isinstance(core, sp.loggamma):
            factors.append(sp.gamma(core.args[0]) ** number)
        else:
            rest += term
    return sp.Mul(*factors, sp.exp(rest))


def affine(w: sp.Expr) -> bool:
    """Is w = a z + b with real constants and a != 0?"""
    if not (w.is_polynomial(z) and sp.degree(w, z) == 1):
        return False
    return all(_enclosed(c).is_finite() for c in sp.Poly(w, z).all_coeffs())


def positive(c: sp.Expr) -> bool:
    """Is the constant certainly positive?"""
    return bool(_enclosed(c) > 0)


def _enclosed(c: sp.Expr) -> Ball:
    """The ball of a constant; of anything else the one that decides nothing."""
    try:
        return arb.nan() if c.free_symbols else ball(c)
    except NotEnclosed:
        return arb.nan()


def in_exponentials(expr: sp.Expr) -> sp.Expr:
    """Hyperbolic functions of a z + b written with exponentials, the others left alone."""

    def written(function: type[sp.Function]) -> sp.Expr:
        return lambda w: function(w).rewrite(sp.exp) if affine(w) else function(w)

    for function in (sp.cosh, sp.sinh, sp.tanh, sp.coth, sp.sech, sp.csch):
        expr = expr.replace(function, written(function))
    return expr


def in_partial_fractions(expr: sp.Expr) -> sp.Expr:
    """A rational function of z or of e^z as a sum of simple ones; anything else as it is."""
    w = sp.Dummy("w")
    for variable in (z, sp.exp(z)):
        fraction = sp.together(sp.powsimp(expr)).subs(variable, w)
        if fraction.is_rational_function(w) and not fraction.has(z) and expr.count_ops() <= LONGEST:
            return sp.apart(fraction, w).subs(w, variable)
    return expr


def interior_point(inside: Where) -> Fraction | None:
    """A rational strictly inside."""
    return next(iter(interior_points(inside)), None)


def interior_points(inside: Where) -> list[Fraction]:
    """A few rationals strictly inside, simple ones first, reaching towards both ends."""
    low, high = inside.low, inside.high
    if low == -sp.oo and high == sp.oo:
        wanted = [Fraction(n) for n in (0, 1, -1, 3, -3, 8, -8)] + [Fraction(1, 2), Fraction(-1, 2)]
    elif low == -sp.oo:
        wanted = [_near(high) - Fraction(n, 4) for n in (4, 1, 2, 8, 16, 40)]
    elif high == sp.oo:
        wanted = [_near(low) + Fraction(n, 4) for n in (4, 1, 2, 8, 16, 40)]
    else:
        a, b = _near(low), _near(high)
        wanted = [a + (b - a) * Fraction(n, 16) for n in (8, 4, 12, 2, 14, 1, 15)]
    return [x for x in wanted if inside.holds(x)]


def _near(end: sp.Expr) -> Fraction:
    """A rational near a finite exact number; itself if it is rational."""
    if end.is_Rational:
        return Fraction(int(end.p), int(end.q))
    return Fraction(float(end)).limit_denominator(64)
