"""One evaluator for every kind of number: a term becomes a list of steps, and an arithmetic takes them.

An `Arithmetic` says what a rational number is in it and what each operation does.  `EXACT` works in
fractions and gives up where a value is irrational; `BALLS` encloses: whatever real values the variables have
inside their balls, the value of the term is inside the ball that comes out, and where the term is undefined
that ball is not finite.
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

from .terms import BINDERS, ZERO, Rejected, Term, number, require, substitute, variable
from .terms import add as plus

arb = flint.arb
Ball = Any  # flint.arb; python-flint ships no type information
Unary = Callable[[Any], Any]
MAX_BITS, MAX_TERMS, LONGEST = 1_000_000, 20_000, 100_000


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """A kind of numbers: its rationals, its x**e for a rational e, and its functions by name."""

    number: Callable[[Fraction], Any]
    power: Callable[[Fraction], Unary]
    functions: Mapping[str, Callable[..., Any]]


class Undefined(ArithmeticError):
    """The value does not exist, or this arithmetic cannot hold it."""


Step = tuple[int, Callable[..., Any], int, int]  # where to, operation, operand, second operand or -1
OPERATORS: Mapping[str, Callable[..., Any]] = {"+": add, "*": mul}


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
        if len(arguments) != self.count:
            raise Rejected(f"{self.count} values expected, {len(arguments)} given")
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
        require(target <= 50 * MAX_TERMS, "the formula has too many operations")
        self.fixed.append(all(self.fixed[i] for i in places))
        i, j = (*places, -1, -1)[:2] if places else (target, -1)
        (self.early if self.fixed[target] else self.steps).append((target, operation, i, j))
        return target

    def build(self, t: Term) -> int:
        how = self.arithmetic
        if t.op == "number":
            return self.emit(lambda _: how.number(t.args[0]))
        require(t.op != "variable", f"{t} has no value")
        if t.op == "**":
            base, exponent = t.args
            if exponent.value is not None:
                return self.emit(how.power(exponent.value), self.visit(base))
            i, j = self.visit(base), self.visit(exponent)
            if "**" in how.functions:
                return self.emit(how.functions["**"], i, j)
            return self.emit(how.functions["exp"], self.emit(mul, self.emit(how.functions["log"], i), j))
        if t.op == "sum":
            return self.visit(unrolled(t))
        operation = OPERATORS.get(t.op) or how.functions.get(t.op)
        require(operation is not None and t.op not in BINDERS, f"{t.op} has no value here")
        if t.op in ("besseli", "polygamma"):
            order = t.args[0].value
            require(order is not None and order.denominator == 1, f"the order in {t} is not a whole number")
            return self.emit(operation(int(order)), self.visit(t.args[1]))
        places = [self.visit(a) for a in t.args]
        if t.op in ("+", "*", "min", "max"):  # constants first: these are joined only once
            return reduce(
                lambda i, j: self.emit(operation, i, j), sorted(places, key=lambda i: not self.fixed[i])
            )
        return self.emit(operation, *places) if places else self.emit(lambda _: operation())


def take(steps: Sequence[Step], values: list[Any]) -> list[Any]:
    for target, operation, i, j in steps:
        values[target] = operation(values[i]) if j < 0 else operation(values[i], values[j])
    return values


def unrolled(t: Term) -> Term:
    """A sum between whole numbers, written out; an empty one is 0."""
    body, name, *ends = t.args
    low, high = (exact(end) for end in ends)
    require(low.denominator == high.denominator == 1, f"the limits of {t} are not whole numbers")
    count = int(high - low) + 1
    require(0 <= count <= MAX_TERMS, f"{t} has {count} terms")
    parts = [substitute(body, {name: number(low + i)}) for i in range(count)]
    return plus(*parts) if parts else ZERO


# --- fractions --------------------------------------------------------------------------------------


def exact(t: Term, point: Mapping[str, Fraction] | None = None) -> Fraction:
    """The value of a term that fractions can hold; `Undefined` otherwise."""
    point = point or {}
    value: Fraction = Program([t], list(point), EXACT)(*point.values())[0]
    return value


def _exact_power(exponent: Fraction) -> Unary:
    def raised(base: Fraction) -> Fraction:
        if base == 0:
            if exponent < 0:
                raise Undefined("0 is divided by")
            return Fraction(int(exponent == 0))
        root = base if exponent.denominator == 1 else exact_root(base, exponent.denominator)
        if root is None:
            raise Undefined(f"a root of {base} is irrational, or there is none")
        size = max(root.numerator.bit_length(), root.denominator.bit_length())
        if size * abs(exponent.numerator) > MAX_BITS:
            raise Undefined("a power is too long to be written out")
        return root**exponent.numerator

    return raised


def _exact_exponential(base: Fraction, exponent: Fraction) -> Fraction:
    """base**exponent where the exponent is a formula: exp(exponent*log(base)), so the base is positive."""
    if base <= 0:
        raise Undefined(f"{base} is raised to a power that is not written as a number")
    value: Fraction = _exact_power(exponent)(base)
    return value


def exact_root(base: Fraction, q: int) -> Fraction | None:
    """The rational number r >= 0 with r**q = base, if there is one."""
    if base < 0:
        return None
    top, below = (int(flint.fmpz(n).root(q)) for n in (base.numerator, base.denominator))
    return Fraction(top, below) if (top**q, below**q) == (base.numerator, base.denominator) else None


def _irrational(*_: Any) -> Any:
    raise Undefined("the value is irrational")


_NAMES = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh")
_NAMES += ("atanh", "gamma", "loggamma", "erf", "pi")
EXACT = Arithmetic(
    number=lambda value: value,
    power=_exact_power,
    functions={
        **dict.fromkeys(_NAMES, _irrational),
        **dict.fromkeys(("besseli", "polygamma"), lambda order: _irrational),
        "**": _exact_exponential,
        "abs": abs,
        "min": min,
        "max": max,
    },
)


# --- balls ------------------------------------------------------------------------------------------


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
    value = Fraction(value)
    return arb(flint.fmpq(value.numerator, value.denominator))


def hull(low: Fraction, high: Fraction) -> Ball:
    """A ball that contains both numbers and all between."""
    return ball((low + high) / 2) + arb(0, 1) * ball((high - low) / 2) if low < high else ball(low)


def ends(b: Ball) -> tuple[Fraction, Fraction]:
    """Rationals below and above everything in a finite ball; one too close to 0 to be written moves outward."""
    return end(b.lower(), -1), end(b.upper(), 1)


def end(at: Ball, direction: int) -> Fraction:
    mantissa, exponent = (int(part) for part in at.man_exp())
    if mantissa and exponent + mantissa.bit_length() <= -LONGEST:
        return Fraction(0) if (mantissa > 0) != (direction > 0) else Fraction(direction, 2**LONGEST)
    if mantissa and exponent > LONGEST * 100:
        raise Undefined("a value is too large to be written out")
    return Fraction(mantissa) * Fraction(2) ** exponent


NAN, UNIT = arb.nan(), arb(1)


def monotone(f: Unary) -> Unary:
    """f on a ball by its ends, for f monotone on a domain that is one interval, and not finite outside it."""

    def wide(x: Ball) -> Ball:
        # Undefined must stay undefined: of a nan of radius zero flint's asin makes a number.
        if not x.is_finite():
            return NAN
        return f(x) if x.is_exact() else f(x.lower()).union(f(x.upper()))

    return wide


def even(f: Unary) -> Unary:
    """f on a ball, for f even and monotone in |x|."""

    def wide(x: Ball) -> Ball:
        if not x.is_finite():
            return NAN
        return f(x) if x.is_exact() else f(x.abs_lower()).union(f(x.abs_upper()))

    return wide


def finite(f: Unary) -> Unary:
    """f by flint, with an argument that is not finite kept so."""
    return lambda x: f(x) if x.is_finite() else NAN


def _ball_power(exponent: Fraction) -> Unary:
    p, q = exponent.numerator, exponent.denominator
    whole = _whole_power(p)
    if q == 1:
        return whole
    root = arb.sqrt if q == 2 else (lambda x: x.root(q))
    rooted = monotone(lambda x: root(x) if x >= 0 else NAN)
    return lambda x: whole(rooted(x))


def _whole_power(p: int) -> Unary:
    if p == 0:
        return lambda x: UNIT if x.is_finite() else NAN
    if p < 0:
        above = _whole_power(-p)
        return lambda x: UNIT / above(x)
    if p == 1:
        return lambda x: x
    return even(lambda x: x**p) if p % 2 == 0 else monotone(lambda x: x**p)


def _bessel(order: int) -> Unary:
    """I_n by monotonicity in |x|; it is even or odd with n."""
    n = abs(order)
    size = even(lambda x: x.bessel_i(n))

    def odd(x: Ball) -> Ball:
        if x > 0 or x.is_exact():
            return x.bessel_i(n) if x.is_exact() else size(x)
        far = arb(x.abs_upper()).bessel_i(n)
        return -size(x) if x < 0 else (-far).union(far)

    return size if n % 2 == 0 else finite(odd)


def _polygamma(order: int) -> Unary:
    """The derivative of digamma of this order, right of 0, where it is monotone."""
    if order == 0:
        inner: Unary = arb.digamma
    else:
        scale = (-1) ** (order + 1) * factorial(order)
        inner = lambda x: arb(order + 1).zeta(x) * scale  # noqa: E731
    wide = monotone(inner)
    return lambda x: wide(x) if x > 0 else NAN


def _positive(f: Unary) -> Unary:
    return lambda x: f(x) if x.is_finite() and x > 0 else NAN


BALLS = Arithmetic(
    number=ball,
    power=_ball_power,
    functions={
        **{n: finite(getattr(arb, n)) for n in ("exp", "sin", "cos", "tan", "atan")},
        **{n: monotone(getattr(arb, n)) for n in ("asin", "acos", "sinh", "tanh", "asinh", "acosh", "atanh")},
        "log": _positive(arb.log),
        "cosh": even(arb.cosh),
        "erf": monotone(arb.erf),
        "gamma": finite(arb.gamma),
        "loggamma": _positive(arb.lgamma),
        "abs": even(abs),
        "min": lambda x, y: x.min(y) if x.is_finite() and y.is_finite() else NAN,
        "max": lambda x, y: x.max(y) if x.is_finite() and y.is_finite() else NAN,
        "pi": arb.pi,
        "besseli": _bessel,
        "polygamma": _polygamma,
    },
)


def sign(t: Term, point: Mapping[str, Fraction], limit: int = 4096) -> int | None:
    """The sign of a term at a point, from fractions or from balls that exclude 0; None if neither settles it."""
    try:
        value = exact(t, point)
        return (value > 0) - (value < 0)
    except Undefined:
        pass
    program, bits = Program([t], list(point), BALLS), 64
    while bits <= limit:
        with precision(bits):
            found = program(*(ball(v) for v in point.values()))[0]
        if found.is_finite() and (found > 0 or found < 0):
            return 1 if found > 0 else -1
        bits *= 2
    return None
