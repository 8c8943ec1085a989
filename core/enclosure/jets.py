"""Taylor coefficients of an expression, enclosed over a whole ball.

`jet_function(f, z)(Z, n)` is a list of n balls; the k-th contains f^(k)(x)/k! for every x in Z.
A quotient n/d whose numerator and denominator vanish at the same point c, to the same order k, is
analytic there: writing n(x) = (x-c)^k q(x), the integral form of Taylor's theorem gives

    q^(j)(x)/j!  =  average over t in [0,1] of  n^(j+k)/(j+k)!  at  c + t(x-c),

so the coefficients of n over the hull of c and Z, shifted by k, enclose those of q over Z.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb
from typing import Any

import flint
import sympy as sp
from glbcheck.core.enclosure.balls import Exact, ball
from glbcheck.core.enclosure.programs import Program
from glbcheck.core.kernel.evaluate import BALLS, NAN, Arithmetic, Ball, Unary
from glbcheck.core.kernel.terms import ONE, Rejected, Term, joined, term, variable
from glbcheck.core.translation import NotEnclosed, expr_of, term_in

Series = Any  # flint.arb_series
Jet = list[Ball]
SeriesFunction = Callable[[Ball, int], Series]

MAX_MULTIPLICITY = 6
CLOSE, POINT = 1, flint.arb(2) ** -60  # how near a removable point is near, how thin a ball is a point


def jet_function(expr: sp.Expr, z: sp.Symbol) -> Callable[[Exact | Ball, int], Jet]:
    """Compile `expr` in the variable `z` to a function from a ball and a length to Taylor coefficients.

    >>> z = sp.Symbol("z")
    >>> jet = jet_function(sp.log(sp.sinh(z) / z), z)
    >>> [bool(c.contains(flint.arb(x))) for c, x in zip(jet(0, 3), (0, 0, flint.fmpq(1, 6)))]
    [True, True, True]
    """
    series = series_function(expr, z)
    return lambda point, length: coefficients(series(ball(point), length), length)


def series_function(expr: sp.Expr, z: sp.Symbol) -> SeriesFunction:
    """The same as a function to flint's series."""
    try:
        return _compiled(term_in(expr, [z]), z)
    except Rejected as error:
        raise NotEnclosed(f"no Taylor coefficients of {expr}: {error}") from None


def make_series(coefficients: list[Ball], length: int) -> Series:
    flint.ctx.cap = max(length, 1)
    return flint.arb_series(coefficients[:length], length)


def coefficients(series: Series, length: int) -> list[Ball]:
    """The first coefficients; asking beyond the known ones is an error, for flint would answer zero."""
    if series.prec < length:
        raise ArithmeticError(f"{length} coefficients asked of a series known to {series.prec}")
    return [series[k] for k in range(length)]


def divide(top: Series, bottom: Series) -> Series:
    """A quotient of series; where the denominator may vanish nothing is known, and the balls say so."""
    return _undefined(bottom.prec) if bottom[0].contains(0) else _joint(top / bottom, top, bottom)


# --- the arithmetic of series; what does not depend on the variable is a ball ---------------------------


def _undefined(length: int) -> Series:
    return make_series([NAN] * length, length)


def _known(x: Series | Ball, length: int) -> int:
    """How many coefficients there are before the first that is not finite."""
    if not isinstance(x, flint.arb_series):
        return length if x.is_finite() else 0
    return next((k for k in range(length) if not x[k].is_finite()), length)


def _joint(result: Series, x: Series | Ball, y: Series | Ball) -> Series:
    """A product or quotient: zero times what is not known is not known, but flint leaves zeros out and answers zero."""
    first, n = result[0], result.prec
    if first.is_zero() or not first.is_finite():
        known = min(_known(x, n), _known(y, n))
        return make_series(coefficients(result, known) + [NAN] * (n - known), n)
    return result


def _times(x: Series | Ball, y: Series | Ball) -> Series | Ball:
    product = x * y
    return _joint(product, x, y) if isinstance(product, flint.arb_series) else product


def _plus(x: Series | Ball, y: Series | Ball) -> Series | Ball:
    """A sum, which is not defined where a constant in it is not."""
    total = x + y
    return _undefined(total.prec) if type(x) is not type(y) and not total[0].is_finite() else total


def _on_series(constant: Unary, series: Unary) -> Unary:
    return lambda x: series(x) if isinstance(x, flint.arb_series) else constant(x)


def _power(exponent: Fraction) -> Unary:
    p, q = exponent.numerator, exponent.denominator

    def raised(x: Series) -> Series:
        if q > 2:
            return (x.log() * ball(exponent)).exp()
        if q == 2 and not x[0] > 0:  # of a zero of even order flint would make a slope
            return _undefined(x.prec)
        base = x.sqrt() if q == 2 else x
        above = reduce(_times, [base] * abs(p)) if p else _times(x, ball(0)) + 1
        return divide(ball(1), above) if p < 0 else above

    return _on_series(BALLS.power(exponent), raised)


def _bessel(order: int) -> Unary:
    """I_n composed with a series: the k-th derivative of I_n is a binomial mean of Bessel functions."""

    def composed(x: Series) -> Series:
        n = x.prec
        values = [BALLS.functions["besseli"](j)(x[0]) for j in range(abs(order) + n + 1)]
        taylor, factorial = [], ball(1)
        for k in range(n):
            factorial *= max(k, 1)
            mean = sum((comb(k, j) * values[abs(abs(order) - k + 2 * j)] for j in range(k + 1)), ball(0))
            taylor.append(mean / factorial / 2**k)
        if n == 1:  # flint composes with a series of positive length only
            return make_series(taylor, 1)
        return make_series(taylor, n)(make_series([ball(0), *coefficients(x, n)[1:]], n))

    return _on_series(BALLS.functions["besseli"](order), composed)


_SERIES: dict[str, Unary] = {
    **{n: getattr(flint.arb_series, n) for n in ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")},
    "sinh": lambda x: (x.exp() - (-x).exp()) / 2,
    "cosh": lambda x: (x.exp() + (-x).exp()) / 2,
    "tanh": lambda x: 1 - 2 * divide(ball(1), (2 * x).exp() + 1),
    "gamma": flint.arb_series.gamma,
    "loggamma": flint.arb_series.lgamma,
    "erf": flint.arb_series.erf,
}
SERIES = Arithmetic(
    number=BALLS.number,
    power=_power,
    functions={
        **{name: _on_series(BALLS.functions[name], series) for name, series in _SERIES.items()},
        "pi": BALLS.functions["pi"],
        "besseli": _bessel,
        "+": _plus,
        "*": _times,
    },
)


# --- removable singularities ---------------------------------------------------------------------------


@lru_cache(1024)
def _compiled(t: Term, z: sp.Symbol) -> SeriesFunction:
    """The program of a term in which every removable quotient is an operation of its own on the variable."""
    quotients: dict[str, Unary] = {}

    def replaced(here: Term) -> Term:
        if z.name not in here.free or here.op == "variable":
            return here
        if here.op == "*" and (found := _removable(here, z)) is not None:
            name = f"quotient {len(quotients)}"
            quotients[name] = lambda x: found(x[0], x.prec)
            return term(name, variable(z.name))
        return term(here.op, *map(replaced, here.args))

    plain = replaced(t)
    arithmetic = Arithmetic(SERIES.number, SERIES.power, {**SERIES.functions, **quotients})
    program = Program([plain], [z.name], arithmetic)

    def series(at: Ball, n: int) -> Series:
        if not at.is_finite():
            return _undefined(n)
        (value,) = program(make_series([at, ball(1)], n))
        return value if isinstance(value, flint.arb_series) else make_series([value], n)

    return series


def _removable(product: Term, z: sp.Symbol) -> SeriesFunction | None:
    """A quotient that is analytic at a rational zero of its denominator; None if there is no such zero."""
    below = [a for a in product.args if a.op == "**" and (a.args[1].value or 0) < 0 and z.name in a.free]
    above = [a for a in product.args if a not in below] or [ONE]
    if not below:
        return None
    sides = joined("*", above), joined("*", [a.args[0] ** -a.args[1].value for a in below])
    removable = _removable_point(expr_of(sides[0], {z.name: z}), expr_of(sides[1], {z.name: z}), z)
    if removable is None:
        return None
    (center, order), (top, bottom) = removable, (_compiled(side, z) for side in sides)

    def quotient(at: Ball, n: int) -> Series:
        denominator = bottom(at, n)
        away = not denominator[0].contains(0)
        # Over a cell close to the center, dividing by what is small loses much.
        if away and (at.rad() < POINT or not abs(at - ball(center)) < CLOSE):
            return divide(top(at, n), denominator)
        around = at.union(ball(center))
        # The coefficients of f/(x - center)^order, for f vanishing to that order.
        jets = (coefficients(f(around, n + order), n + order) for f in (top, bottom))
        filled = divide(*(make_series(jet[order:], n) for jet in jets))
        return _narrower(filled, divide(top(at, n), denominator), n) if away else filled

    return quotient


def _narrower(a: Series, b: Series, n: int) -> Series:
    """Both enclose the same coefficients: of each the narrower ball."""
    pairs = zip(coefficients(a, n), coefficients(b, n), strict=True)
    return make_series([y if not x.is_finite() or (y.is_finite() and y.rad() < x.rad()) else x for x, y in pairs], n)


def _removable_point(numerator: sp.Expr, denominator: sp.Expr, z: sp.Symbol) -> tuple[sp.Rational, int] | None:
    """A rational point where both vanish to the same order, decided exactly; None if there is none."""
    for center in _rational_zeros(denominator, z):
        order = vanishing_order(denominator, z, center)
        if 0 < order <= MAX_MULTIPLICITY and vanishing_order(numerator, z, center) >= order:
            return center, order
    return None


def _rational_zeros(expr: sp.Expr, z: sp.Symbol) -> list[sp.Rational]:
    candidates = {sp.S.Zero}
    for factor in sp.Mul.make_args(expr):
        base = factor.as_base_exp()[0]
        if base.is_polynomial(z) and sp.degree(base, z) == 1:
            candidates.add(-base.coeff(z, 0) / base.coeff(z, 1))
    return sorted((c for c in candidates if c.is_Rational), key=abs)


def vanishing_order(expr: sp.Expr, z: sp.Symbol, center: sp.Rational) -> int:
    """How many derivatives, from the zeroth on, are exactly zero at the center (capped)."""
    for order in range(MAX_MULTIPLICITY + 1):
        value = expr.subs(z, center)
        if not (value.is_finite and sp.expand(value).is_zero):
            return order
        expr = sp.diff(expr, z)
    return MAX_MULTIPLICITY + 1
