"""Two ways to evaluate a formula at one exact point: in rationals, and with fifty digits.

Both are other arithmetics than balls, which is what makes their agreement with balls worth something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
from glbcheck.core.kernel.evaluate import Arithmetic, Program, Undefined, exact
from glbcheck.core.kernel.terms import FUNCTIONS, Rejected
from glbcheck.core.translation import NotEnclosed, term_of

DIGITS = (50, 100, 200)


def exact_value(expr: Any, point: Mapping[str, Fraction]) -> Fraction | None:
    """The value of `expr` if rational arithmetic alone finds it, else None (also where undefined)."""
    try:
        return exact(term_of(expr), point)
    except (Undefined, Rejected, NotEnclosed):
        return None


def fifty_digit_sign(lhs: Any, rhs: Any, point: Mapping[str, Fraction]) -> int | None:
    """Sign of lhs - rhs in floating arithmetic of at least fifty digits; None if it stays in doubt.

    Sides whose difference drowns in rounding are tried with more digits; a tie is only reported
    when both sides are rational and equal.
    """
    sides = exact_value(lhs, point), exact_value(rhs, point)
    if sides[0] is not None and sides[1] is not None:
        return (sides[0] > sides[1]) - (sides[0] < sides[1])
    for digits in DIGITS:
        context = mpmath.MPContext()
        context.dps = digits
        floats = digits_arithmetic(context)
        try:
            program = Program([term_of(lhs), term_of(rhs)], list(point), floats)
            left, right = program(*map(floats.number, point.values()))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            return None
        scale = max(abs(left), abs(right), context.one)
        finite = context.isfinite(left) and context.isfinite(right)
        if finite and abs(left - right) > scale * context.mpf(10) ** (10 - digits):
            return 1 if left > right else -1
    return None


def digits_arithmetic(context: Any) -> Arithmetic:
    """The floats of an mpmath context, as many digits as it has; a value that is not real is an error."""

    def real(function: Callable[..., Any]) -> Callable[..., Any]:
        def value(*arguments: Any) -> Any:
            found = function(*arguments)
            if isinstance(found, context.mpc):
                raise ValueError("not a real number")
            return found

        return value

    def number(value: Fraction) -> Any:
        return context.mpf(value.numerator) / value.denominator

    names = set(FUNCTIONS) - {"abs", "min", "max", "sqrt", "besseli", "polygamma"}
    special: dict[str, Callable[..., Any]] = {
        "abs": context.fabs,
        "min": min,
        "max": max,
        "pi": lambda: +context.pi,
        "besseli": lambda order: real(lambda x: context.besseli(order, x)),
        "polygamma": lambda order: real(lambda x: context.polygamma(order, x)),
    }
    return Arithmetic(
        number,
        lambda exponent: real(lambda base: context.power(base, number(exponent))),
        {**{name: real(getattr(context, name)) for name in names}, **special},
    )
