"""The self-concordance ratio m'''/m'' on a whole half-line [Z, oo) or (-oo, -Z].

Three ways, tried in turn, each a proof:
- in x = e^-|z|, when m is a multiple of log x plus a function with at most a pole at x = 0;
- through the Bessel ratio I1/I0, by barriers for its differential equation;
- as a rational function of b and e^-b, with b = |z| or b = e^z, by dominant monomials.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice

import flint
import sympy as sp
from glbcheck.core.enclosure.balls import Ball, NotEnclosed, ball, hull
from glbcheck.core.enclosure.jets import (
    MAX_MULTIPLICITY,
    Jet,
    coefficients,
    divide,
    make_series,
    series_function,
    vanishing_order,
)
from glbcheck.core.enclosure.tails import Tail, bessel_ratio_tail, big, rational_tail, sign_of, small

HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)
MOST_POWERS = 64  # of x, within which two coefficients other than 0 are looked for
MOST_EXPONENTIALS = 8  # of which a ratio in lowest terms is looked for; the work grows with their third power
x = sp.Symbol("x", positive=True)


def ratio_tail(m: sp.Expr, z: sp.Symbol, side: int, start: int) -> Tail:
    """Enclose m'''/m'' for all z >= start (side = 1) or all z <= -start (side = -1)."""
    for method in (_analytic_tail, _bessel_tail, _rational_tail, _rescaled_tail):
        try:
            tail = method(m, z, side, start)
        except (NotEnclosed, ValueError, ZeroDivisionError, sp.PolynomialError, NotImplementedError):
            continue
        if tail is not None:
            return tail
    raise NotEnclosed(f"no enclosure of m'''/m'' beyond {start} as z -> {'oo' if side > 0 else '-oo'} for m = {m}")


def _rescaled_tail(m: sp.Expr, z: sp.Symbol, side: int, start: int) -> Tail | None:
    """With w = a z the ratio in z is a times that in w; a is the unit in which z appears, as in exp(z/5)."""
    factors = [arg.coeff(z) for f in m.atoms(sp.Function) for arg in f.args if arg.is_polynomial(z)]
    unit = sp.gcd_list([abs(c) for c in factors if c.is_Rational])  # 0 if there is none but 0
    if unit == 1 or unit * start < 1:
        return None
    tail = ratio_tail(m.subs(z, z / unit), z, side, int(unit * start))
    limit = None if tail.limit is None else ball(unit) * tail.limit
    return replace(tail, values=ball(unit) * tail.values, limit=limit)


# --- x = e^-|z| ------------------------------------------------------------------------------------


def _analytic_tail(m: sp.Expr, z: sp.Symbol, side: int, start: int) -> Tail | None:
    """With m = c log x + x^-q K(x), K analytic: d/dz acts on x^-q K as -side (x d/dx - q) acts on K.

    If K = sum K_j x^j, then x^q m'' = sum (j-q)^2 K_j x^j and x^q m''' = -side sum (j-q)^3 K_j x^j,
    so the ratio tends to side (q - p), p the first power that survives.
    """
    found = _analytic_part(m.subs(z, -side * sp.log(x)))
    if found is None:
        return None
    analytic, pole = found
    first, second = _first_powers(analytic, pole)
    series = series_function(analytic, x)
    around = hull(0, ball(-start).exp())
    length = second - first + 1
    full = series(around, length + first + 3)
    numerator, denominator = (_theta(full, around, pole, n, first, length) for n in (3, 2))
    jet: Jet = coefficients(divide(numerator, denominator) * -side, length)
    if not all(c.is_finite() for c in jet):
        return None
    # ratio - limit = x^(second - first) times a mean of the last coefficient, the earlier ones vanishing.
    return Tail(jet[0], ball(side * (pole - first)), sign_of(jet[0]), sign_of(jet[-1]))


def _analytic_part(expr: sp.Expr) -> tuple[sp.Expr, int] | None:
    """K and q with expr = c log x + x^-q K(x), each logarithm freed of the zero or pole of its argument."""
    logarithm = sp.Symbol("logarithm")

    def freed(argument: sp.Expr) -> sp.Expr:
        parts = []
        for part in sp.fraction(sp.together(argument)):
            stated = part.as_powers_dict().get(x, 0)
            rest = part / x**stated
            order = vanishing_order(rest, x, sp.S.Zero)
            parts.append((rest / x**order, stated + order))  # a zero that stays is found not to be analytic
        (top, zeros), (bottom, poles) = parts
        return sp.log(top) - sp.log(bottom) + (zeros - poles) * logarithm

    named = sp.expand(expr.rewrite(HYPERBOLIC, sp.exp), log=False).subs(sp.log(x), logarithm).replace(sp.log, freed)
    multiple = sp.diff(named, logarithm)
    rest = named.subs(logarithm, 0)
    if multiple.free_symbols or rest.has(sp.log(x)):
        return None
    candidates = ((sp.expand(rest * x**pole, deep=False, log=False), pole) for pole in range(3))
    return next((found for found in candidates if _analytic_at_zero(found[0])), None)


def _analytic_at_zero(expr: sp.Expr) -> bool:
    """Where a function is not, no ball around it is known."""
    nearby = hull(0, Fraction(1, 1000))
    return bool(series_function(expr, x)(nearby, 1)[0].is_finite())


def _first_powers(analytic: sp.Expr, pole: int) -> tuple[int, int]:
    """The first two powers other than x^pole and, without a pole, x^0 with nonzero coefficient: exactly."""
    slope = None if pole else _rational_slope(analytic)
    known = _nonzero_coefficients(analytic, pole) if slope is None else (False, *(bool(c != 0) for c in slope))
    found = list(islice((j for j, nonzero in enumerate(known) if nonzero and j != pole), 2))
    if len(found) < 2:
        raise NotEnclosed(f"cannot find the first two powers of x in {analytic}")
    return found[0], found[1]


def _rational_slope(analytic: sp.Expr) -> list[flint.fmpq] | None:
    """Taylor coefficients of the derivative where it is rational, as that of the logarithm of a polynomial is."""
    parts = sp.fraction(sp.together(sp.diff(analytic, x)))
    try:
        top, bottom = (sp.Poly(part, x, domain=sp.QQ) for part in parts)
    except (sp.PolynomialError, sp.CoercionFailed):
        return None
    common = top.gcd(bottom)
    rows = [[flint.fmpq(c.p, c.q) for c in reversed(one.quo(common).all_coeffs())] for one in (top, bottom)]
    flint.ctx.cap = MOST_POWERS
    numerator, denominator = (flint.fmpq_series(row, MOST_POWERS) for row in rows)
    return list((numerator / denominator).coeffs())


def _nonzero_coefficients(analytic: sp.Expr, pole: int) -> Iterator[bool]:
    """Is a Taylor coefficient other than 0?  One by one, until one cannot be decided; that of x^pole need not be."""
    most = 2 * MAX_MULTIPLICITY
    derivative = analytic
    for j, coefficient in enumerate(coefficients(series_function(analytic, x)(ball(0), most), most)):
        # A ball off 0 decides, and so does one that is 0 itself; else the exact derivative has to.
        exactly_zero = j == pole or bool(coefficient == 0)
        if coefficient.contains(0) and not exactly_zero and not sp.expand(derivative.subs(x, 0)).is_zero:
            return
        yield not coefficient.contains(0)
        derivative = sp.diff(derivative, x)


def _theta(full: flint.arb_series, around: Ball, pole: int, times: int, first: int, length: int) -> flint.arb_series:
    """(x d/dx - pole)^times f, divided by x^first, over a ball around 0 where it vanishes to that order."""
    size = length + first
    result = full
    for _ in range(times):
        result = make_series([around, ball(1)], size + 3) * result.derivative() - pole * result
    return make_series(coefficients(result, size)[first:], length)


# --- dominant monomials ------------------------------------------------------------------------------


def _rational_tail(m: sp.Expr, z: sp.Symbol, side: int, start: int) -> Tail | None:
    if len(m.atoms(sp.exp)) > MOST_EXPONENTIALS:
        return None
    f, nested = _rational_ratio(m, z, side)
    if f is None:
        return None
    begin = 2**start if nested else start  # e^start > 2^start
    tail = rational_tail(f, begin)
    if tail.limit is None or tail.limit == 0:
        return tail
    # A function that rises in b stays below its limit and falls in x = e^-|z|.
    slope = rational_tail(sp.diff(f, big) - small * sp.diff(f, small), begin)
    return replace(tail, trend=-slope.sign)


@lru_cache(maxsize=64)
def _rational_ratio(m: sp.Expr, z: sp.Symbol, side: int) -> tuple[sp.Expr | None, bool]:
    """m'''/m'' in b and e^-b, and whether b is e^z; the same for every half-line that is tried."""
    second, third = sp.diff(m, z, 2), sp.diff(m, z, 3)
    ratio = sp.together((third / second).rewrite(HYPERBOLIC, sp.exp))
    nested = any(e.args[0].has(sp.exp) for e in ratio.atoms(sp.exp))
    if nested and side < 0:
        return None, nested
    in_big = ratio.subs(z, sp.log(big) if nested else side * big)
    return _exponentials_to_small(sp.expand_power_exp(in_big)), nested


def _exponentials_to_small(expr: sp.Expr) -> sp.Expr:
    def rewrite(argument: sp.Expr) -> sp.Expr:
        rate, rest = argument.expand().coeff(big, 1), argument.expand().coeff(big, 0)
        if sp.expand(rate * big + rest - argument) != 0 or not rate.is_Integer:
            raise NotEnclosed(f"exp({argument}) is not a power of exp(-b)")
        return small ** (-rate) * sp.exp(rest)

    result = expr.replace(sp.exp, rewrite)
    if result.free_symbols - {big, small}:
        raise NotEnclosed(f"{result} is not a function of b and exp(-b)")
    return result


# --- the Bessel ratio ---------------------------------------------------------------------------------


def _bessel_tail(m: sp.Expr, z: sp.Symbol, side: int, start: int) -> Tail | None:
    if not m.has(sp.besseli):
        return None
    t, A = sp.symbols("t A")
    ratio = bessel_to_ratio(sp.diff(m, z, 3) / sp.diff(m, z, 2), z, A)
    # I1/I0 is odd: at z = -|z| it is minus its value at |z|.
    in_t = ratio.subs({z: side / t, A: side * A})
    numerator, denominator = sp.fraction(sp.cancel(sp.together(in_t)))
    if (numerator.free_symbols | denominator.free_symbols) - {t, A}:
        return None
    expansion = flint.arb_poly(_bessel_expansion(start))

    def polynomial(expr: sp.Expr) -> flint.arb_poly:
        total = flint.arb_poly([0])
        for (i, j), c in sp.Poly(expr, t, A).terms():
            monomial = flint.arb_poly([0] * i + [ball(c)])
            total += monomial * expansion**j
        return total

    top, bottom = polynomial(numerator), polynomial(denominator)
    lead_top, lead_bottom = _valuation(top), _valuation(bottom)
    power = lead_top - lead_bottom
    if power < 0:
        return None
    over = hull(0, Fraction(1, start))
    factor = _divided(top, lead_top)(over) / _divided(bottom, lead_bottom)(over)
    values = factor * over**power if power else factor
    limit = ball(0) if power else top[lead_top] / bottom[lead_bottom]
    return Tail(values, limit, sign_of(factor))


def _bessel_expansion(start: int) -> list[Ball]:
    """The longest expansion of I1/I0 whose barriers hold from here on."""
    for terms in (8, 6, 5, 4):
        try:
            return bessel_ratio_tail(start, terms)
        except ValueError:
            continue
    raise NotEnclosed(f"no barriers for I1/I0 from z = {start} on")


def bessel_to_ratio(expr: sp.Expr, z: sp.Symbol, ratio: sp.Symbol) -> sp.Expr:
    """Write all I_n(z) through I0 and ratio = I1/I0, by I_{n+1} = I_{n-1} - (2n/z) I_n; I0 cancels."""

    def scaled(order: sp.Expr, argument: sp.Expr) -> sp.Expr:
        if argument != z or not order.is_Integer:
            raise NotEnclosed(f"besseli({order}, {argument}) is not of integer order at {z}")
        low, high = sp.S.One, ratio
        for n in range(1, abs(int(order))):
            low, high = high, low - 2 * n / z * high
        return low if order == 0 else high

    return sp.together(expr.replace(sp.besseli, scaled))


def _valuation(poly: flint.arb_poly) -> int:
    """The first power whose coefficient is not exactly zero."""
    for k in range(poly.length()):
        exactly_zero = bool(poly[k] == 0)  # a ball around 0 is neither 0 nor certainly not
        if not exactly_zero:
            return k
    raise ZeroDivisionError("polynomial is zero")


def _divided(poly: flint.arb_poly, power: int) -> flint.arb_poly:
    return flint.arb_poly([poly[k] for k in range(power, poly.length())])
