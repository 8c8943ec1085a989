"""Balls around exact numbers, and SymPy expressions evaluated over balls."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from operator import add, mul, neg
from typing import Any, TypeAlias

import flint
import sympy as sp
from glbcheck.core.enclosure import elementary
from glbcheck.core.enclosure.elementary import Ball as Ball

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


def set_precision(bits: int) -> None:
    """Change the working precision from here on; for use inside a `precision` block."""
    flint.ctx.prec = bits


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
    return _short(b.lower(), -1)


def upper(b: Ball) -> Fraction:
    """A rational above everything in the ball."""
    return _short(b.upper(), +1)


def _short(end: Ball, direction: int) -> Fraction:
    """The end as a fraction; one too close to zero to be written out is moved outward."""
    mantissa, exponent = (int(part) for part in end.man_exp())
    if mantissa == 0 or exponent + mantissa.bit_length() > -_LONGEST:
        return fraction(end)
    return Fraction(0) if (mantissa > 0) != (direction > 0) else Fraction(direction, 2**_LONGEST)


_LONGEST = 100_000  # bits


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


# --- expressions -----------------------------------------------------------------------------------
# An expression is compiled once to a list of steps, each from one or two earlier values to a new one.
# Steps between constants alone are taken once for each precision.

_CONSTANTS: dict[Any, Callable[[], Ball]] = {
    sp.pi: flint.arb.pi,
    sp.E: flint.arb.const_e,
    sp.EulerGamma: flint.arb.const_euler,
    sp.Catalan: flint.arb.const_catalan,
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
    program = _Program(tuple(variables))
    result = program.visit(expr)
    count, steps = len(variables), program.steps

    def run(*arguments: Exact | Ball) -> Ball:
        if len(arguments) != count:
            raise TypeError(f"{count} arguments expected, {len(arguments)} given")
        values = program.start([a if type(a) is flint.arb else ball(a) for a in arguments])
        _take(steps, values)
        return values[result]

    return run


Values = list[Ball]


def ball_stages(
    first: Sequence[sp.Expr], then: Sequence[sp.Expr], variables: Sequence[sp.Symbol]
) -> tuple[Callable[[list[Ball]], tuple[list[Ball], Values]], Callable[[Values], list[Ball]]]:
    """Several expressions over the same balls, in two stages that share what they have in common.

    The first function takes the balls of the variables to the balls of `first` and a memory; the second
    takes that memory to the balls of `then`.
    """
    program = _Program(tuple(variables))
    first_results = [program.visit(expr) for expr in first]
    early = tuple(program.steps)
    then_results = [program.visit(expr) for expr in then]
    late = tuple(program.steps[len(early) :])

    def begin(arguments: list[Ball]) -> tuple[list[Ball], Values]:
        values = program.start(arguments)
        _take(early, values)
        return [values[i] for i in first_results], values

    def proceed(values: Values) -> list[Ball]:
        _take(late, values)
        return [values[i] for i in then_results]

    return begin, proceed


Step = tuple[int, Callable[..., Ball], int, int]  # where to, operation, operand, second operand or -1


def _take(steps: Sequence[Step], values: Values) -> None:
    for target, operation, i, j in steps:
        values[target] = operation(values[i]) if j < 0 else operation(values[i], values[j])


class _Program:
    """Numbered values: the variables first, then constants and computed ones as they come up."""

    def __init__(self, variables: tuple[sp.Symbol, ...]) -> None:
        self.variables = variables
        self.position: dict[sp.Expr, int] = {v: i for i, v in enumerate(variables)}
        self.steps: list[Step] = []
        self.preparations: list[Step] = []  # steps between constants
        self.atoms: dict[int, sp.Expr] = {}
        self.fixed = [False] * len(variables)
        self.prepared: dict[tuple[int, int], Values] = {}

    def start(self, arguments: list[Ball]) -> Values:
        """A fresh list of values: arguments and, at the current precision, all constants filled in."""
        key = flint.ctx.prec, len(self.fixed)
        if key not in self.prepared:
            values: Values = [None] * len(self.fixed)
            for i, atom in self.atoms.items():
                values[i] = constant(atom)
            _take(self.preparations, values)
            self.prepared[key] = values
        values = self.prepared[key].copy()
        values[: len(arguments)] = arguments
        return values

    def emit(self, operation: Callable[..., Ball], i: int, j: int = -1) -> int:
        target = len(self.fixed)
        self.fixed.append(self.fixed[i] and (j < 0 or self.fixed[j]))
        steps = self.preparations if self.fixed[target] else self.steps
        steps.append((target, operation, i, j))
        return target

    def visit(self, node: sp.Expr) -> int:
        if node not in self.position:
            self.position[node] = self.compile(node)
        return self.position[node]

    def compile(self, node: sp.Expr) -> int:
        if node.is_Symbol:
            raise NotEnclosed(f"{node} is not among the variables {self.variables}")
        if constant(node) is not None:
            self.atoms[len(self.fixed)] = node
            self.fixed.append(True)
            return len(self.fixed) - 1
        if node.is_Add:
            return self.fold(add, node.args)
        if node.is_Mul:
            return self.product(node.args)
        if node.is_Pow:
            return self.power(*node.as_base_exp())
        if isinstance(node, sp.besseli | sp.polygamma) and node.args[0].is_Integer:
            return self.emit(_with_order(node.func, int(node.args[0])), self.visit(node.args[1]))
        if node.func in elementary.UNARY and len(node.args) == 1:
            return self.emit(elementary.UNARY[node.func], self.visit(node.args[0]))
        if node.func in elementary.BINARY:
            return self.fold(elementary.BINARY[node.func], node.args)
        raise NotEnclosed(f"no enclosure for {node.func.__name__} in {node}")

    def fold(self, operation: Callable[[Ball, Ball], Ball], arguments: Sequence[sp.Expr]) -> int:
        """From left to right, but constants first, for these are folded only once."""
        indices = [self.visit(a) for a in arguments]
        indices.sort(key=lambda i: not self.fixed[i])
        return reduce(lambda i, j: self.emit(operation, i, j), indices)

    def product(self, factors: Sequence[sp.Expr]) -> int:
        rest = [f for f in factors if f != -1]
        if not rest or len(factors) - len(rest) != 1:
            return self.fold(mul, factors)
        return self.emit(neg, self.fold(mul, rest))

    def power(self, base: sp.Expr, exponent: sp.Expr) -> int:
        if base == sp.E:
            return self.emit(elementary.UNARY[sp.exp], self.visit(exponent))
        if exponent.is_Rational:
            return self.emit(elementary.power(exponent), self.visit(base))
        return self.emit(elementary.general_power, self.visit(base), self.visit(exponent))


def _with_order(function: Any, order: int) -> Callable[[Ball], Ball]:
    if function is sp.besseli:
        return lambda x: elementary.bessel_i(abs(order), x)
    if order < 0:
        raise NotEnclosed(f"no enclosure for polygamma of order {order}")
    return elementary.polygamma(order)
