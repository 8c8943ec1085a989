"""Balls around exact numbers, and SymPy expressions evaluated over balls by the kernel."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import sympy as sp
from glbcheck.core.enclosure.programs import program_of
from glbcheck.core.kernel.evaluate import BALLS, Ball, precision
from glbcheck.core.kernel.terms import require
from glbcheck.core.translation import NotEnclosed

__all__ = ["Ball", "NotEnclosed", "precision"]
LONGEST = 100_000  # binary digits of a fraction that is written out
Exact: TypeAlias = int | Fraction | Any  # or a SymPy rational, which mypy does not know


def ball(value: Exact | Ball | sp.Expr) -> Ball:
    """The smallest ball, at the current precision, around an exact number; floats are refused."""
    if isinstance(value, flint.arb):
        return value
    if isinstance(value, bool | float | complex | sp.Float):
        raise NotEnclosed(f"{value!r} is a {type(value).__name__}; balls are made of exact numbers only")
    if isinstance(value, int | sp.Integer):
        return flint.arb(int(value))
    if isinstance(value, Fraction | sp.Rational):
        return flint.arb(flint.fmpq(int(value.numerator), int(value.denominator)))
    if isinstance(value, flint.fmpq | flint.fmpz):
        return flint.arb(value)
    if isinstance(value, sp.Expr) and not value.free_symbols:
        roots = sorted(value.atoms(sp.CRootOf), key=str)
        named = {root: sp.Dummy(f"root{i}") for i, root in enumerate(roots)}
        return ball_function(value.xreplace(named), tuple(named.values()))(*map(algebraic, roots))
    raise NotEnclosed(f"{value!r} of type {type(value).__name__} is not an exact number")


def algebraic(root: sp.CRootOf) -> Ball:
    """A ball around a real root of a polynomial: the polynomial changes its sign, and once only, between the ends."""
    if not root.is_real:
        raise NotEnclosed(f"{root} is not a real number")
    polynomial, bits = root.poly, flint.ctx.prec + 10
    near = root.eval_rational(sp.Rational(1, 2**bits))
    ends = [near + side * sp.Rational(2, 2**bits) for side in (-1, 1)]
    if polynomial.eval(ends[0]) * polynomial.eval(ends[1]) >= 0 or polynomial.count_roots(*ends) != 1:
        raise NotEnclosed(f"{root} is not isolated")
    return hull(*ends)


def hull(lower: Exact | Ball, upper: Exact | Ball) -> Ball:
    """A ball that contains both ends and so all that lies between."""
    return ball(lower).union(ball(upper))


def fraction(end: Ball) -> Fraction:
    """An exact ball (a dyadic number such as a midpoint) as a fraction."""
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def lower(b: Ball) -> Fraction:
    """A rational below everything in the ball."""
    return _end(b.lower(), -1)


def upper(b: Ball) -> Fraction:
    """A rational above everything in the ball."""
    return _end(b.upper(), +1)


def _end(at: Ball, direction: int) -> Fraction:
    """An end of a finite ball as a fraction; one too close to 0 to be written out moves outward."""
    mantissa, exponent = (int(part) for part in at.man_exp())
    if mantissa and exponent + mantissa.bit_length() <= -LONGEST:
        return Fraction(0) if (mantissa > 0) != (direction > 0) else Fraction(direction, 2**LONGEST)
    require(exponent <= 100 * LONGEST, "a value is too large to be written out")
    return Fraction(mantissa) * Fraction(2) ** exponent


def float_below(b: Ball) -> float:
    """A double not above the ball: outward rounding for printed enclosures."""
    return _outward(b.lower(), -1)


def float_above(b: Ball) -> float:
    """A double not below the ball."""
    return _outward(b.upper(), +1)


def _outward(end: Ball, direction: int) -> float:
    if not end.is_finite():
        return direction * math.inf if end.is_nan() else float(end)
    # Far outside the range of doubles the exact fraction may be astronomically long: never form it.
    if abs(end) >= _HUGE:
        sign = 1 if end > 0 else -1
        return sign * (math.inf if sign == direction else sys.float_info.max)
    if abs(end) < _TINY:
        return 0.0 if end == 0 or (end > 0) != (direction > 0) else math.copysign(5e-324, direction)
    exact = fraction(end)
    try:
        near = float(exact)
    except OverflowError:  # between the largest double and 2^1024
        near = sys.float_info.max if exact > 0 else -sys.float_info.max
    if (direction > 0 and Fraction(near) < exact) or (direction < 0 and Fraction(near) > exact):
        near = math.nextafter(near, direction * math.inf)
    return near


_HUGE = flint.arb(2) ** 1024
_TINY = flint.arb(2) ** -1074  # the smallest positive double


def ball_function(expr: sp.Expr, variables: Sequence[sp.Symbol]) -> Callable[..., Ball]:
    """Compile `expr` to a function of balls that contains every value the expression takes.

    >>> z = sp.Symbol("z")
    >>> f = ball_function(sp.log(1 + sp.exp(z)), [z])
    >>> bool(f(ball(0)).contains(flint.arb(2).log()))
    True
    """
    program = program_of((expr,), tuple(variables), BALLS)

    def run(*arguments: Exact | Ball) -> Ball:
        return program(*[a if type(a) is flint.arb else ball(a) for a in arguments])[0]

    return run
