"""The functions of the formula language over balls, tight on wide ones.

Flint encloses most functions well only on thin balls.  Where a function is monotone, the values at
the two ends of the ball say it all; even functions are monotone in |x|.  Outside the domain of a
function the answer is not finite, and stays so in whatever is built from it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

import flint
import sympy as sp

Ball = Any  # flint.arb; python-flint ships no type information
Unary = Callable[[Ball], Ball]
arb = flint.arb
ONE, NAN = arb(1), arb.nan()


def monotone(f: Unary) -> Unary:
    """f on a ball, for f monotone on a domain that is one interval and not finite outside it."""

    def wide(x: Ball) -> Ball:
        # Undefined must stay undefined: of a nan of radius zero flint's asin makes a number.
        if not x.is_finite():
            return NAN
        return f(x) if x.is_exact() else f(x.lower()).union(f(x.upper()))

    return wide


def monotone_on_each_side(f: Unary) -> Unary:
    """The same for f monotone on (0, oo) and on (-oo, 0), with a pole at 0."""
    wide = monotone(f)
    return lambda x: wide(x) if x > 0 or x < 0 else NAN


def monotone_right_of_zero(f: Unary) -> Unary:
    """The same for f monotone on (0, oo) alone; elsewhere flint's own enclosure."""
    wide = monotone(f)
    return lambda x: wide(x) if x > 0 else f(x)


def even(f: Unary) -> Unary:
    """f on a ball, for f even and monotone in |x|."""

    def wide(x: Ball) -> Ball:
        if not x.is_finite():
            return NAN
        return f(x) if x.is_exact() else f(x.abs_lower()).union(f(x.abs_upper()))

    return wide


def identity(x: Ball) -> Ball:
    return x


def inverse(x: Ball) -> Ball:
    return ONE / x


square = even(lambda x: x * x)
absolute = even(abs)


def power(exponent: sp.Rational) -> Unary:
    """x -> x**exponent; fractional powers live on x >= 0, as in real analysis."""
    p, q = int(exponent.p), int(exponent.q)
    if q == 1:
        return whole_power(p)
    if q == 2:
        return composed(whole_power(p), arb.sqrt)
    return composed(whole_power(p), lambda x: x.root(q))


def whole_power(p: int) -> Unary:
    if p < 0:
        positive = whole_power(-p)
        return inverse if p == -1 else lambda x: ONE / positive(x)
    if p == 1:
        return identity
    if p == 2:
        return square
    # flint answers nan for balls centred at zero, so it is only asked at the exact ends.
    return even(lambda x: x**p) if p % 2 == 0 else monotone(lambda x: x**p)


def general_power(x: Ball, y: Ball) -> Ball:
    return (x.log() * y).exp()


def bessel_i(order: int, x: Ball) -> Ball:
    """I_n over a ball, by monotonicity in |x| (flint's own enclosure of wide balls is loose)."""
    if x.is_exact():
        return x.bessel_i(order)
    far, near = arb(x.abs_upper()), arb(x.abs_lower())
    size = near.bessel_i(order).union(far.bessel_i(order))
    if order % 2 == 0 or x > 0:
        return size
    return -size if x < 0 else (-far.bessel_i(order)).union(far.bessel_i(order))


def polygamma(order: int) -> Unary:
    """The derivative of this order of digamma, right of zero, where its absolute value decreases."""
    if order == 0:
        return monotone_right_of_zero(arb.digamma)
    scale = (-1) ** (order + 1) * factorial(order)
    wide = monotone(lambda x: arb(order + 1).zeta(x) * scale)
    return lambda x: wide(x) if x > 0 else NAN


def composed(outer: Unary, inner: Unary) -> Unary:
    return lambda x: outer(inner(x))


cosh = even(arb.cosh)
sinh = monotone(arb.sinh)

UNARY: dict[Any, Unary] = {
    sp.exp: arb.exp,
    sp.log: arb.log,
    sp.sin: arb.sin,
    sp.cos: arb.cos,
    sp.tan: arb.tan,
    sp.cot: arb.cot,
    sp.sec: arb.sec,
    sp.csc: arb.csc,
    sp.asin: monotone(arb.asin),
    sp.acos: monotone(arb.acos),
    sp.atan: arb.atan,
    sp.sinh: sinh,
    sp.cosh: cosh,
    sp.tanh: monotone(arb.tanh),
    sp.coth: monotone_on_each_side(arb.coth),
    sp.sech: composed(inverse, cosh),
    sp.csch: composed(inverse, sinh),
    sp.asinh: monotone(arb.asinh),
    sp.acosh: monotone(arb.acosh),
    sp.atanh: monotone(arb.atanh),
    sp.Abs: absolute,
    sp.gamma: arb.gamma,
    sp.loggamma: arb.lgamma,
    sp.erf: monotone(arb.erf),
    sp.erfc: monotone(arb.erfc),
    sp.LambertW: monotone(arb.lambertw),
}
BINARY: dict[Any, Callable[[Ball, Ball], Ball]] = {sp.Max: arb.max, sp.Min: arb.min}
