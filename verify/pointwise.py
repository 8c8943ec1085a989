"""Two ways to evaluate a formula at one exact point: in rationals, and with fifty digits.

Both walk the expression tree themselves.  They are independent of the ball layer, which is what
makes their agreement with it worth something.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

import mpmath
import sympy

DIGITS = (50, 100, 200)
MAX_BITS = 1_000_000


def exact_value(expr: Any, point: Mapping[str, Fraction]) -> Fraction | None:
    """The value of `expr` if rational arithmetic alone finds it, else None (also where undefined)."""
    if expr.is_Rational:
        return Fraction(int(expr.p), int(expr.q))
    if expr.is_Symbol:
        return point.get(expr.name)
    values = [exact_value(arg, point) for arg in expr.args]
    known = [value for value in values if value is not None]
    if not values or len(known) < len(values):
        return None
    if expr.is_Add:
        return sum(known, Fraction(0))
    if expr.is_Mul:
        return reduce(mul, known, Fraction(1))
    if expr.is_Pow:
        return _exact_power(*known)
    if isinstance(expr, sympy.Abs):
        return abs(known[0])
    if isinstance(expr, sympy.Max | sympy.Min):
        return max(known) if isinstance(expr, sympy.Max) else min(known)
    return None


def _exact_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator != 1 or size * abs(exponent) > MAX_BITS or (base == 0 and exponent <= 0):
        return None
    return base**exponent.numerator


def fifty_digit_sign(lhs: Any, rhs: Any, point: Mapping[str, Fraction]) -> int | None:
    """Sign of lhs - rhs in floating arithmetic of at least fifty digits; None if it stays in doubt.

    Sides whose difference drowns in rounding are tried with more digits; a tie is only reported
    when both sides are rational and equal.
    """
    sides = exact_value(lhs, point), exact_value(rhs, point)
    if sides[0] is not None and sides[1] is not None:
        return (sides[0] > sides[1]) - (sides[0] < sides[1])
    context = mpmath.MPContext()
    for digits in DIGITS:
        context.dps = digits
        try:
            left, right = (_mp_value(context, side, point) for side in (lhs, rhs))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            return None
        scale = max(abs(left), abs(right), context.one)
        if (
            context.isfinite(left)
            and context.isfinite(right)
            and abs(left - right) > scale * context.mpf(10) ** (10 - digits)
        ):
            return 1 if left > right else -1
    return None


_MP_NAMES = {
    sympy.Abs: "fabs",
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.asin: "asin",
    sympy.acos: "acos",
    sympy.atan: "atan",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.asinh: "asinh",
    sympy.acosh: "acosh",
    sympy.atanh: "atanh",
    sympy.gamma: "gamma",
    sympy.loggamma: "loggamma",
    sympy.erf: "erf",
    sympy.besseli: "besseli",
}


def _mp_value(context: Any, expr: Any, point: Mapping[str, Fraction]) -> Any:
    if expr.is_Rational:
        return context.mpf(int(expr.p)) / int(expr.q)
    if expr.is_Symbol:
        value = point[expr.name]
        return context.mpf(value.numerator) / value.denominator
    if expr is sympy.pi or expr is sympy.E:
        return +(context.pi if expr is sympy.pi else context.e)
    values = [_mp_value(context, arg, point) for arg in expr.args]
    if expr.is_Add:
        return reduce(add, values)
    if expr.is_Mul:
        return reduce(mul, values)
    if expr.is_Pow:
        return _real(context, context.power(*values))
    if isinstance(expr, sympy.Max | sympy.Min):
        return max(values) if isinstance(expr, sympy.Max) else min(values)
    return _real(context, getattr(context, _MP_NAMES[expr.func])(*values))


def _real(context: Any, value: Any) -> Any:
    if isinstance(value, context.mpc):
        raise ValueError("not a real number")
    return value
