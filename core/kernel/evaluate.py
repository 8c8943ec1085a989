"""One evaluator for every kind of number: a term becomes a list of steps, and an arithmetic takes them.

An `Arithmetic` says what a rational number is in it and what each operation does.  `BALLS` encloses: whatever
real values the variables have inside their balls, the value of the term is inside the ball that comes out, and
where the term is undefined that ball is not finite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import factorial
from operator import add, mul
from typing import Any

import flint

from .ring import is_zero, rational
from .terms import Rejected, Term, joined, number, require, spend, substitute, variable

arb = flint.arb
Ball = Any  # flint.arb; python-flint ships no type information
Unary = Callable[[Any], Any]
MAX_TERMS, LONGEST = 20_000, 100_000
NAN, UNIT = arb.nan(), arb(1)


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """A kind of numbers: its rationals, its x**e for a rational e, and its functions by name."""

    number: Callable[[Fraction], Any]
    power: Callable[[Fraction], Unary]
    functions: Mapping[str, Callable[..., Any]]


Step = tuple[int, Callable[..., Any], int, int]  # where to, operation, operand, second operand or -1


class Program:
    """Several terms of the same variables as one list of steps, what they have in common taken once.

    Values are numbered, the variables first; what depends on no variable is computed once a precision.
    """

    def __init__(self, terms: Sequence[Term], variables: Sequence[str], arithmetic: Arithmetic) -> None:
        self.arithmetic, self.count = arithmetic, len(variables)
        self.place = {variable(name): i for i, name in enumerate(variables)}
        self.fixed = [False] * self.count  # does the value depend on no variable?
        self.early: list[Step] = []
        self.steps: list[Step] = []
        self.prepared: dict[tuple[int, int], list[Any]] = {}
        self.results = [self.visit(t) for t in terms]

    def __call__(self, *arguments: Any) -> list[Any]:
        values = take(self.steps, self.start(arguments))
        return [values[i] for i in self.results]

    def start(self, arguments: Sequence[Any]) -> list[Any]:
        """A fresh list of values with the arguments and, at the precision of the moment, the constants."""
        require(len(arguments) == self.count, f"{self.count} values expected, {len(arguments)} given")
        key = flint.ctx.prec, len(self.fixed)
        if key not in self.prepared:
            self.prepared[key] = take(self.early, [None] * len(self.fixed))
        values = self.prepared[key].copy()
        values[: self.count] = arguments
        return values

    def visit(self, t: Term) -> int:
        if t not in self.place:
            self.place[t] = self.build(t)
        return self.place[t]

    def emit(self, operation: Callable[..., Any], *places: int) -> int:
        target = len(self.fixed)
        require(target <= 15 * MAX_TERMS, "the formula has too many operations")
        self.fixed.append(all(self.fixed[i] for i in places))
        i, j = (*places, -1, -1)[:2] if places else (target, -1)
        (self.early if self.fixed[target] else self.steps).append((target, operation, i, j))
        return target

    def build(self, t: Term) -> int:
        how, value = self.arithmetic, t.value
        if value is not None:
            return self.emit(lambda _: how.number(value))
        if t.op == "**" and t.args[1].value is not None:
            return self.emit(how.power(t.args[1].value), self.visit(t.args[0]))
        if t.op == "**":
            raised = self.emit(mul, self.emit(how.functions["log"], self.visit(t.args[0])), self.visit(t.args[1]))
            return self.emit(how.functions["exp"], raised)
        if t.op == "sum":
            return self.visit(unrolled(t))
        known: dict[str, Callable[..., Any]] = {"+": add, "*": mul, **how.functions}
        operation = known.get(t.op)
        if operation is None:
            raise Rejected(f"{t.op} has no value here")
        if t.op in ("besseli", "polygamma"):
            order = t.args[0].value
            require(order is not None and order.denominator == 1, f"the order in {t} is not a whole number")
            return self.emit(operation(int(order or 0)), self.visit(t.args[1]))
        places = [self.visit(a) for a in t.args]
        if len(places) > 2 or t.op in ("+", "*"):  # constants first: these are joined only once
            return reduce(lambda i, j: self.emit(operation, i, j), sorted(places, key=lambda i: not self.fixed[i]))
        return self.emit(operation, *places) if places else self.emit(lambda _: operation())


def take(steps: Sequence[Step], values: list[Any]) -> list[Any]:
    spend(len(steps) * (1 + flint.ctx.prec**2 // 2**16))
    for target, operation, i, j in steps:
        values[target] = operation(values[i]) if j < 0 else operation(values[i], values[j])
    return values


def unrolled(t: Term) -> Term:
    """A sum between whole numbers, written out; an empty one is 0."""
    body, name = t.args[:2]
    low, high = (_whole(end) for end in t.args[2:])
    require(-1 <= high - low <= MAX_TERMS, f"{t} has too many terms, or fewer than none")
    return joined("+", [substitute(body, {name: number(i)}) for i in range(low, high + 1)])


def _whole(f: Term) -> int:
    """The whole number that f is; its normal form may have one where f has no value."""
    value = rational(f)
    if value is None or value.denominator != 1 or closed_sign(f - value) != 0:
        raise Rejected(f"{f} is not a whole number")
    return int(value)


def closed_sign(f: Term) -> int | None:
    """The sign of a term without variables: 0 only by its normal form, and only if it has a value."""
    try:
        program, zero = Program([f], [], BALLS), is_zero(f)
    except Rejected:
        return None
    for bits in (64, 256, 1024, 4096):
        with precision(bits):
            found = program()[0]
        if found.is_finite() and (zero or found > 0 or found < 0):
            return 0 if zero else 1 if found > 0 else -1
    return None


# --- balls ------------------------------------------------------------------------------------------------


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with balls of this many bits inside the block."""
    saved = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = saved


def ball(value: Fraction | int) -> Ball:
    """The smallest ball, at the current precision, around a rational number."""
    return arb(flint.fmpq(*Fraction(value).as_integer_ratio()))


def hull(low: Fraction, high: Fraction) -> Ball:
    """A ball that contains both numbers and all between, no wider than that for short binary fractions."""
    middle, radius = (low + high) / 2, max((high - low) / 2, Fraction(0))
    parts = [(x.numerator, 1 - x.denominator.bit_length()) for x in (middle, radius)]
    if all(x.denominator == 1 << -e for x, (_, e) in zip((middle, radius), parts, strict=True)):
        return arb(*parts)
    return ball(middle) + arb(0, 1) * ball(radius)


def end(at: Ball, direction: int) -> Fraction:
    """An end of a finite ball as a fraction; one too close to 0 to be written out moves outward."""
    mantissa, exponent = (int(part) for part in at.man_exp())
    if mantissa and exponent + mantissa.bit_length() <= -LONGEST:
        return Fraction(0) if (mantissa > 0) != (direction > 0) else Fraction(direction, 2**LONGEST)
    require(exponent <= 100 * LONGEST, "a value is too large to be written out")
    return Fraction(mantissa) * Fraction(2) ** exponent


def finite(f: Unary) -> Unary:
    """f by flint, with an argument that is not finite kept so: of a nan flint's asin makes a number."""
    return lambda x: f(x) if x.is_finite() else NAN


def positive(f: Unary) -> Unary:
    """f right of 0 alone."""
    return lambda x: f(x) if x.is_finite() and x > 0 else NAN


def monotone(f: Unary) -> Unary:
    """f on a ball by its ends, for f monotone on a domain that is one interval, and not finite outside it."""
    return finite(lambda x: f(x) if x.is_exact() else f(x.lower()).union(f(x.upper())))


def even(f: Unary) -> Unary:
    """f on a ball, for f even and monotone in |x|."""
    return finite(lambda x: f(x) if x.is_exact() else f(x.abs_lower()).union(f(x.abs_upper())))


def _power(exponent: Fraction) -> Unary:
    """x**exponent; fractional powers live on x >= 0, as in real analysis."""
    p, q = exponent.numerator, exponent.denominator
    if q > 1:
        root, whole = (
            monotone(lambda x: (arb.sqrt(x) if q == 2 else x.root(q)) if x >= 0 else NAN),
            _power(Fraction(p)),
        )
        return lambda x: whole(root(x))
    if p < 0:
        below = _power(Fraction(-p))
        return lambda x: UNIT / below(x)
    if p < 2:
        return finite((lambda x: x) if p else (lambda x: UNIT))
    return even(lambda x: x**p) if p % 2 == 0 else monotone(lambda x: x**p)


def _bessel(order: int) -> Unary:
    """I_n, which is even or odd with n, and increases in |x|."""
    n = abs(order)
    return even(lambda x: x.bessel_i(n)) if n % 2 == 0 else monotone(lambda x: x.bessel_i(n))


def _polygamma(order: int) -> Unary:
    """The derivative of digamma of this order, right of 0, where it is monotone."""
    require(0 <= order < 100, f"polygamma of order {order}")
    scale = (-1) ** (order + 1) * factorial(order)
    return positive(monotone(lambda x: arb(order + 1).zeta(x) * scale if order else x.digamma()))


def _both(f: Callable[[Ball, Ball], Ball]) -> Callable[[Ball, Ball], Ball]:
    return lambda x, y: f(x, y) if x.is_finite() and y.is_finite() else NAN


BALLS = Arithmetic(
    number=ball,
    power=_power,
    functions={
        **{n: finite(getattr(arb, n)) for n in ("exp", "sin", "cos", "tan", "atan", "gamma")},
        **{n: monotone(getattr(arb, n)) for n in ("asin", "acos", "sinh", "tanh", "asinh", "acosh", "atanh", "erf")},
        "log": positive(arb.log), "loggamma": positive(arb.lgamma), "pi": arb.pi,
        "cosh": even(arb.cosh), "abs": even(abs), "min": _both(arb.min), "max": _both(arb.max),
        "besseli": _bessel, "polygamma": _polygamma,
    },
)  # fmt: skip
