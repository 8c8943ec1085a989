"""Taylor coefficients of an expression, enclosed over a whole ball.

`jet_function(f, z)(Z, n)` is a list of n balls; the k-th contains f^(k)(x)/k! for every x in Z.
A quotient n/d whose numerator and denominator vanish at the same point c, to the same order k, is
analytic there: writing n(x) = (x-c)^k q(x), the integral form of Taylor's theorem gives

    q^(j)(x)/j!  =  average over t in [0,1] of  n^(j+k)/(j+k)!  at  c + t(x-c),

so the coefficients of n over the hull of c and Z, shifted by k, enclose those of q over Z.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import flint
import sympy as sp
from glbcheck.core.enclosure.balls import Ball, Exact, NotEnclosed, ball, constant
from glbcheck.core.enclosure.elementary import bessel_i

Series = Any  # flint.arb_series
Jet = list[Ball]
SeriesFunction = Callable[[Ball, int], Series]

MAX_MULTIPLICITY = 6


def jet_function(expr: sp.Expr, z: sp.Symbol) -> Callable[[Exact | Ball, int], Jet]:
    """Compile `expr` in the variable `z` to a function from a ball and a length to Taylor coefficients.

    >>> z = sp.Symbol("z")
    >>> jet = jet_function(sp.log(sp.sinh(z) / z), z)
    >>> [bool(c.contains(flint.arb(x))) for c, x in zip(jet(0, 3), (0, 0, flint.fmpq(1, 6)))]
    [True, True, True]
    """
    series = _compile(expr, z, {})

    def jet(point: Exact | Ball, length: int) -> Jet:
        return coefficients(series(ball(point), length), length)

    return jet


def make_series(terms: list[Ball], length: int) -> Series:
    flint.ctx.cap = max(length, 1)
    return flint.arb_series(terms[:length], length)


def coefficients(series: Series, length: int) -> list[Ball]:
    """The first coefficients; asking beyond the known ones is an error, for flint would answer zero."""
    if series.prec < length:
        raise ArithmeticError(f"{length} coefficients asked of a series known to {series.prec}")
    return [series[k] for k in range(length)]


def divide(top: Series, bottom: Series) -> Series:
    """A quotient of series; where the denominator may vanish nothing is known, and the balls say so."""
    if bottom[0].contains(0):
        length = min(top.prec, bottom.prec)
        return make_series([flint.arb.nan()] * length, length)
    return top / bottom


def _invert(bottom: Series) -> Series:
    return divide(bottom * 0 + 1, bottom)


def _sinh_cosh(x: Series) -> tuple[Series, Series]:
    up, down = x.exp(), (-x).exp()
    return (up - down) / 2, (up + down) / 2


_SERIES: dict[Any, Callable[[Series], Series]] = {
    sp.exp: lambda x: x.exp(),
    sp.log: lambda x: x.log(),
    sp.sin: lambda x: x.sin(),
    sp.cos: lambda x: x.cos(),
    sp.tan: lambda x: x.tan(),
    sp.sec: lambda x: _invert(x.cos()),
    sp.csc: lambda x: _invert(x.sin()),
    sp.cot: lambda x: divide(x.cos(), x.sin()),
    sp.asin: lambda x: x.asin(),
    sp.acos: lambda x: x.acos(),
    sp.atan: lambda x: x.atan(),
    sp.sinh: lambda x: _sinh_cosh(x)[0],
    sp.cosh: lambda x: _sinh_cosh(x)[1],
    sp.tanh: lambda x: 1 - 2 * _invert((2 * x).exp() + 1),
    sp.coth: lambda x: 1 + 2 * _invert((2 * x).exp() - 1),
    sp.sech: lambda x: _invert(_sinh_cosh(x)[1]),
    sp.csch: lambda x: _invert(_sinh_cosh(x)[0]),
    sp.gamma: lambda x: x.gamma(),
    sp.loggamma: lambda x: x.lgamma(),
    sp.erf: lambda x: x.erf(),
    sp.erfc: lambda x: x.erfc(),
    sp.LambertW: lambda x: x.lambertw(),
}


def _compile(expr: sp.Expr, z: sp.Symbol, known: dict[sp.Expr, SeriesFunction]) -> SeriesFunction:
    if expr not in known:
        known[expr] = _build(expr, z, known)
    return known[expr]


def _build(expr: sp.Expr, z: sp.Symbol, known: dict[sp.Expr, SeriesFunction]) -> SeriesFunction:
    if expr == z:
        return lambda at, n: make_series([at, ball(1)], n)
    if constant(expr) is not None:
        return lambda at, n: make_series([constant(expr)], n)
    if expr.is_Symbol:
        raise NotEnclosed(f"{expr} is not the variable {z}")
    if expr.is_Add:
        terms = [_compile(a, z, known) for a in expr.args]
        return lambda at, n: _fold(lambda a, b: a + b, [f(at, n) for f in terms])
    if expr.is_Mul:
        return _product(expr, z, known)
    if expr.is_Pow:
        return _power(expr, z, known)
    if isinstance(expr, sp.besseli) and expr.args[0].is_Integer:
        return _bessel_series(abs(int(expr.args[0])), _compile(expr.args[1], z, known))
    if expr.func in _SERIES:
        inner, outer = _compile(expr.args[0], z, known), _SERIES[expr.func]
        return lambda at, n: outer(inner(at, n))
    raise NotEnclosed(f"no Taylor coefficients for {expr.func.__name__} in {expr}")


def _fold(operation: Callable[[Series, Series], Series], items: list[Series]) -> Series:
    result = items[0]
    for item in items[1:]:
        result = operation(result, item)
    return result


def _power(expr: sp.Expr, z: sp.Symbol, known: dict[sp.Expr, SeriesFunction]) -> SeriesFunction:
    base, exponent = expr.as_base_exp()
    if base == sp.E:
        inner = _compile(exponent, z, known)
        return lambda at, n: inner(at, n).exp()
    f = _compile(base, z, known)
    if exponent.is_Integer:
        k = int(exponent)
        return lambda at, n: _integer_power(f(at, n), k)
    if exponent.is_Rational and exponent.q == 2:
        return lambda at, n: _integer_power(f(at, n).sqrt(), int(exponent.p))
    e = _compile(exponent, z, known)
    return lambda at, n: (f(at, n).log() * e(at, n)).exp()


def _integer_power(x: Series, k: int) -> Series:
    if k < 0:
        return _invert(_integer_power(x, -k))
    result = x
    for _ in range(k - 1):
        result = result * x
    return result if k else x * 0 + 1


def _product(expr: sp.Expr, z: sp.Symbol, known: dict[sp.Expr, SeriesFunction]) -> SeriesFunction:
    numerator, denominator = _split(expr)
    top, bottom = _compile_factors(numerator, z, known), _compile_factors(denominator, z, known)
    if denominator == [sp.S.One]:
        return top
    removable = _removable_point(sp.Mul(*numerator), sp.Mul(*denominator), z)
    if removable is None:
        return lambda at, n: divide(top(at, n), bottom(at, n))
    center, order = removable

    def quotient(at: Ball, n: int) -> Series:
        below = bottom(at, n)
        if not below[0].contains(0):
            return top(at, n) / below
        around = at.union(ball(center))
        return divide(_shifted(top, around, n, order), _shifted(bottom, around, n, order))

    return quotient


def _shifted(f: SeriesFunction, around: Ball, n: int, order: int) -> Series:
    """The coefficients of f/(x-c)^order, for f vanishing to that order at a point c of `around`."""
    return make_series(coefficients(f(around, n + order), n + order)[order:], n)


def _split(expr: sp.Expr) -> tuple[list[sp.Expr], list[sp.Expr]]:
    numerator, denominator = [], []
    for factor in expr.args:
        base, exponent = factor.as_base_exp()
        if exponent.is_Rational and exponent.is_negative and base != sp.E:
            denominator.append(base**-exponent)
        else:
            numerator.append(factor)
    return numerator or [sp.S.One], denominator or [sp.S.One]


def _compile_factors(
    factors: list[sp.Expr], z: sp.Symbol, known: dict[sp.Expr, SeriesFunction]
) -> SeriesFunction:
    parts = [_compile(f, z, known) for f in factors]
    return lambda at, n: _fold(lambda a, b: a * b, [f(at, n) for f in parts])


def _removable_point(
    numerator: sp.Expr, denominator: sp.Expr, z: sp.Symbol
) -> tuple[sp.Rational, int] | None:
    """A rational point where both vanish to the same order, decided exactly; None if there is none."""
    for center in _rational_zeros(denominator, z):
        order = _vanishing_order(denominator, z, center)
        if 0 < order <= MAX_MULTIPLICITY and _vanishing_order(numerator, z, center) >= order:
            return center, order
    return None


def _rational_zeros(expr: sp.Expr, z: sp.Symbol) -> list[sp.Rational]:
    candidates = {sp.S.Zero}
    for factor in sp.Mul.make_args(expr):
        base = factor.as_base_exp()[0]
        if base.is_polynomial(z) and sp.degree(base, z) == 1:
            candidates.add(-base.coeff(z, 0) / base.coeff(z, 1))
    return sorted((c for c in candidates if c.is_Rational), key=abs)


def _vanishing_order(expr: sp.Expr, z: sp.Symbol, center: sp.Rational) -> int:
    """How many derivatives, from the zeroth on, are exactly zero at the center (capped)."""
    for order in range(MAX_MULTIPLICITY + 1):
        value = expr.subs(z, center)
        if not (value.is_finite and sp.expand(value).is_zero):
            return order
        expr = sp.diff(expr, z)
    return MAX_MULTIPLICITY + 1


def _bessel_series(order: int, inner: SeriesFunction) -> SeriesFunction:
    """I_n composed with a series: the k-th derivative of I_n is a binomial mean of Bessel functions."""

    def series(at: Ball, n: int) -> Series:
        argument = inner(at, n)
        x = argument[0]
        values = {j: bessel_i(j, x) for j in range(order + n + 1)}
        taylor, factorial = [], ball(1)
        for k in range(n):
            if k:
                factorial *= k
            mean = sum((comb(k, j) * values[abs(order - k + 2 * j)] for j in range(k + 1)), ball(0))
            taylor.append(mean / factorial / 2**k)
        if n == 1:  # flint composes with a series of positive length only
            return make_series(taylor, 1)
        increment = make_series([ball(0), *coefficients(argument, n)[1:]], n)
        return make_series(taylor, n)(increment)

    return series
