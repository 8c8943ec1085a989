"""Balls around exact numbers, and SymPy expressions evaluated over balls."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import sympy as sp

Ball = Any  # flint.arb; python-flint ships no type information
Exact: TypeAlias = int | Fraction | Any  # or a SymPy rational, which mypy does not know


class NotEnclosed(TypeError):
    """The expression holds something that ball arithmetic here cannot enclose."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with this many bits of precision inside the block."""
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = saved


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
        return ball_function(value, ())()
    raise NotEnclosed(f"{value!r} of type {type(value).__name__} is not an exact number")


def hull(lower: Exact | Ball, upper: Exact | Ball) -> Ball:
    """A ball that contains both ends and so all that lies between."""
    return ball(lower).union(ball(upper))


def fraction(end: Ball) -> Fraction:
    """An exact ball (a dyadic number such as `lower(b)`) as a fraction."""
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def lower(b: Ball) -> Fraction:
    """A rational below everything in the ball."""
    return fraction(b.lower())


def upper(b: Ball) -> Fraction:
    """A rational above everything in the ball."""
    return fraction(b.upper())


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
    if end > _HUGE:
        return math.inf if direction > 0 else sys.float_info.max
    if end < -_HUGE:
        return -math.inf if direction < 0 else -sys.float_info.max
    if abs(end) < 1 / _HUGE:
        return 0.0 if end == 0 or (end > 0) != (direction > 0) else math.copysign(5e-324, direction)
    exact = fraction(end)
    near = float(exact)
    if (direction > 0 and Fraction(near) < exact) or (direction < 0 and Fraction(near) > exact):
        near = math.nextafter(near, direction * math.inf)
    return near


_HUGE = flint.arb(2) ** 1022


# --- the two arithmetics -------------------------------------------------------------------------
# An expression is compiled once to a list of steps; the steps run over balls or over power series.


def _bessel_i(order: int, x: Ball) -> Ball:
    """I_n over a ball, by monotonicity in |x| (flint's own enclosure of wide balls is loose)."""
    if x.is_exact():
        return x.bessel_i(order)
    far, near = ball_abs_upper(x), ball_abs_lower(x)
    size = near.bessel_i(order).union(far.bessel_i(order))
    if order % 2 == 0 or x > 0:
        return size
    return -size if x < 0 else (-far.bessel_i(order)).union(far.bessel_i(order))


def ball_abs_upper(x: Ball) -> Ball:
    return flint.arb(x.abs_upper())


def ball_abs_lower(x: Ball) -> Ball:
    return flint.arb(x.abs_lower())


def _ball_power(x: Ball, q: sp.Rational) -> Ball:
    if q.q == 1:
        return x ** int(q.p)
    if q.q == 2:
        return x.sqrt() ** int(q.p)
    return (x.log() * ball(q)).exp()


def _ball_max(*xs: Ball) -> Ball:
    result = xs[0]
    for x in xs[1:]:
        result = result.max(x)
    return result


def _ball_min(*xs: Ball) -> Ball:
    result = xs[0]
    for x in xs[1:]:
        result = result.min(x)
    return result


_BALL: dict[Any, Callable[..., Ball]] = {
    sp.exp: lambda x: x.exp(),
    sp.log: lambda x: x.log(),
    sp.sin: lambda x: x.sin(),
    sp.cos: lambda x: x.cos(),
    sp.tan: lambda x: x.tan(),
    sp.cot: lambda x: x.cot(),
    sp.sec: lambda x: x.sec(),
    sp.csc: lambda x: x.csc(),
    sp.asin: lambda x: x.asin(),
    sp.acos: lambda x: x.acos(),
    sp.atan: lambda x: x.atan(),
    sp.sinh: lambda x: x.sinh(),
    sp.cosh: lambda x: x.cosh(),
    sp.tanh: lambda x: x.tanh(),
    sp.coth: lambda x: x.coth(),
    sp.sech: lambda x: x.sech(),
    sp.csch: lambda x: x.csch(),
    sp.asinh: lambda x: x.asinh(),
    sp.acosh: lambda x: x.acosh(),
    sp.atanh: lambda x: x.atanh(),
    sp.Abs: lambda x: abs(x),
    sp.gamma: lambda x: x.gamma(),
    sp.loggamma: lambda x: x.lgamma(),
    sp.digamma: lambda x: x.digamma(),
    sp.erf: lambda x: x.erf(),
    sp.erfc: lambda x: x.erfc(),
    sp.LambertW: lambda x: x.lambertw(),
    sp.Max: _ball_max,
    sp.Min: _ball_min,
}

_CONSTANTS: dict[Any, Callable[[], Ball]] = {
    sp.pi: lambda: flint.arb.pi(),
    sp.E: lambda: flint.arb.const_e(),
    sp.EulerGamma: lambda: flint.arb.const_euler(),
    sp.Catalan: lambda: flint.arb.const_catalan(),
}


def constant(expr: sp.Expr) -> Ball | None:
    """The ball of an exact constant atom, or None if `expr` is not one."""
    if expr.is_Float:
        raise NotEnclosed(f"{expr} is a float; write it as a fraction")
    if expr.is_Rational:
        return ball(expr)
    if expr in _CONSTANTS:
        return _CONSTANTS[expr]()
    return None


def ball_function(expr: sp.Expr, variables: Sequence[sp.Symbol]) -> Callable[..., Ball]:
    """Compile `expr` to a function of balls that contains every value the expression takes.

    >>> z = sp.Symbol("z")
    >>> f = ball_function(sp.log(1 + sp.exp(z)), [z])
    >>> bool(f(ball(0)).contains(flint.arb(2).log()))
    True
    """
    steps, result = _compile(expr, tuple(variables))
    count = len(variables)

    def run(*arguments: Exact | Ball) -> Ball:
        if len(arguments) != count:
            raise TypeError(f"{count} arguments expected, {len(arguments)} given")
        values: list[Ball] = [ball(a) for a in arguments]
        for operation, operands in steps:
            values.append(operation(*[values[i] for i in operands]))
        return values[result]

    return run


Step = tuple[Callable[..., Ball], tuple[int, ...]]


def _compile(expr: sp.Expr, variables: tuple[sp.Symbol, ...]) -> tuple[list[Step], int]:
    """Post-order steps over a growing list of values, shared subexpressions computed once."""
    position: dict[sp.Expr, int] = {v: i for i, v in enumerate(variables)}
    steps: list[Step] = []

    def emit(node: sp.Expr, operation: Callable[..., Ball], *operands: int) -> int:
        steps.append((operation, operands))
        position[node] = len(variables) + len(steps) - 1
        return position[node]

    def visit(node: sp.Expr) -> int:
        if node in position:
            return position[node]
        if node.is_Symbol:
            raise NotEnclosed(f"{node} is not among the variables {variables}")
        if constant(node) is not None:
            return emit(node, lambda: constant(node))
        if node.is_Add:
            return emit(node, _sum, *[visit(a) for a in node.args])
        if node.is_Mul:
            return emit(node, _product, *[visit(a) for a in node.args])
        if node.is_Pow:
            return power(node)
        if isinstance(node, sp.besseli) and node.args[0].is_Integer:
            order = abs(int(node.args[0]))
            return emit(node, lambda x: _bessel_i(order, x), visit(node.args[1]))
        if node.func in _BALL:
            return emit(node, _BALL[node.func], *[visit(a) for a in node.args])
        raise NotEnclosed(f"no enclosure for {node.func.__name__} in {node}")

    def power(node: sp.Expr) -> int:
        base, exponent = node.as_base_exp()
        if base == sp.E:
            return emit(node, _BALL[sp.exp], visit(exponent))
        if exponent.is_Rational:
            return emit(node, lambda x: _ball_power(x, exponent), visit(base))
        return emit(node, lambda x, y: (x.log() * y).exp(), visit(base), visit(exponent))

    return steps, visit(expr)


def _sum(first: Ball, *rest: Ball) -> Ball:
    for x in rest:
        first = first + x
    return first


def _product(first: Ball, *rest: Ball) -> Ball:
    for x in rest:
        first = first * x
    return first
