"""A formula in z at complex points: the value of its analytic continuation, or a ball that is not finite.

Two ways to know that the formula, read at z0 + it, is the continuation from the real line:
- it is single-valued: built from entire and meromorphic functions only.  It is then defined and analytic off
  a closed countable set, whose complement is connected, and the identity theorem applies;
- it is analytic on complex boxes that cover the segment from z0 to z0 + it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

import sympy as sp
from glbcheck.core.enclosure import NotEnclosed, acb, arb, ball, fmpq, hull, precision
from glbcheck.core.family import z

Complex = Any  # flint's acb
ComplexFunction = Callable[[Complex], Complex]
HALVINGS = 6
COARSE = 64  # bits, enough for boxes

SINGLE_VALUED: dict[Any, ComplexFunction] = {
    sp.exp: lambda x: x.exp(),
    sp.sin: lambda x: x.sin(),
    sp.cos: lambda x: x.cos(),
    sp.tan: lambda x: x.tan(),
    sp.sec: lambda x: x.sec(),
    sp.csc: lambda x: x.csc(),
    sp.cot: lambda x: x.cot(),
    sp.sinh: lambda x: x.sinh(),
    sp.cosh: lambda x: x.cosh(),
    sp.tanh: lambda x: x.tanh(),
    sp.coth: lambda x: x.coth(),
    sp.sech: lambda x: x.sech(),
    sp.csch: lambda x: x.csch(),
    sp.gamma: lambda x: x.gamma(),
    sp.erf: lambda x: x.erf(),
    sp.erfc: lambda x: x.erfc(),
}
BRANCHED: dict[Any, ComplexFunction] = {
    sp.log: lambda x: x.log(analytic=True),
    # The cut is the negative axis, and flint has no flag for it.
    sp.loggamma: lambda x: x.lgamma() if x.real > 0 else acb(arb.nan()),
}


def continuation(M: sp.Expr) -> Callable[[Fraction, Fraction], Complex]:
    """(z0, t) -> M(z0 + it) by analytic continuation from the real line."""
    f = _compile(M)
    return (lambda z0, t: f(_point(z0, t))) if _single_valued(M) else (lambda z0, t: _along(f, z0, t))


def _point(z0: Fraction, t: Fraction) -> Complex:
    return acb(ball(z0), ball(t))


def _along(f: ComplexFunction, z0: Fraction, t: Fraction) -> Complex:
    """f at z0 + it, once f is known to be analytic on boxes that cover the way there."""
    with precision(COARSE):
        covered = _analytic(f, z0, Fraction(0), t, HALVINGS)
    return f(_point(z0, t)) if covered else acb(arb.nan())


def _analytic(f: ComplexFunction, z0: Fraction, start: Fraction, end: Fraction, halvings: int) -> bool:
    """Is f analytic on z0 + i[start, end]?  False means not shown."""
    if f(acb(ball(z0), hull(start, end))).is_finite():
        return True
    middle = (start + end) / 2
    return halvings > 0 and all(
        _analytic(f, z0, a, b, halvings - 1) for a, b in ((start, middle), (middle, end))
    )


def _single_valued(expr: sp.Expr) -> bool:
    if expr == z or not expr.free_symbols:
        return True
    if expr.is_Pow and expr.base != sp.E:
        return bool(expr.exp.is_Integer) and _single_valued(expr.base)
    if isinstance(expr, sp.besseli):
        return bool(expr.args[0].is_Integer) and _single_valued(expr.args[1])
    known = expr.is_Add or expr.is_Mul or expr.is_Pow or expr.func in SINGLE_VALUED
    return known and all(_single_valued(argument) for argument in expr.args)


def _compile(expr: sp.Expr) -> ComplexFunction:
    if expr == z:
        return lambda x: x
    if not expr.free_symbols:
        return lambda x: acb(ball(expr))
    if expr.is_Add or expr.is_Mul:
        operation = add if expr.is_Add else mul
        parts = [_compile(argument) for argument in expr.args]
        return lambda x: reduce(operation, [part(x) for part in parts])
    if expr.is_Pow and expr.base != sp.E:
        return _power(expr.base, expr.exp)
    if isinstance(expr, sp.besseli) and expr.args[0].is_Integer:
        order, argument = int(expr.args[0]), _compile(expr.args[1])
        return lambda x: argument(x).bessel_i(order)
    function = {**SINGLE_VALUED, **BRANCHED}.get(sp.exp if expr.is_Pow else expr.func)
    if function is None:
        raise NotEnclosed(f"no complex values of {expr.func.__name__} in {expr}")
    inner = _compile(expr.exp if expr.is_Pow else expr.args[0])
    return lambda x: function(inner(x))


def _power(base: sp.Expr, exponent: sp.Expr) -> ComplexFunction:
    below = _compile(base)
    if exponent.is_Integer:
        whole = int(exponent)
        return lambda x: below(x) ** whole
    if exponent.is_Rational:
        number = fmpq(int(exponent.p), int(exponent.q))
        return lambda x: below(x).pow(acb(number), analytic=True)
    above = _compile(exponent)
    return lambda x: (above(x) * below(x).log(analytic=True)).exp()
