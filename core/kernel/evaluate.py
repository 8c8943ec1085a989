"""One evaluator for every kind of number: a term becomes a list of steps, and an arithmetic takes them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import factorial
from operator import add, mul
from typing import Any

import flint

from .ring import MAX_TERMS, is_zero, rational, written_out
from .terms import Rejected, Term, require, spend, term, variable

arb, precision = flint.arb, flint.ctx.workprec
Ball = Any  # flint.arb; python-flint ships no type information
Unary = Callable[[Any], Any]
NAN, UNIT = arb.nan(), arb(1)


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """A kind of numbers: its rationals, its x**e for a rational e, and its functions by name."""

    number: Callable[[Fraction], Any]
    power: Callable[[Fraction], Unary]
    functions: Mapping[str, Callable[..., Any]]


Step = tuple[int, Callable[..., Any], int, int]  # where to, operation, operand, second operand or -1


class Program:
    """Several terms of the same variables as one list of steps; constants are computed once a precision."""

    def __init__(self, terms: Sequence[Term], variables: Sequence[str], arithmetic: Arithmetic) -> None:
        self.arithmetic, self.count = arithmetic, len(variables)
        self.place = {variable(name): i for i, name in enumerate(variables)}
        self.fixed = [False] * self.count  # does the value depend on no variable?
        self.early, self.steps = list[Step](), list[Step]()
        self.prepared = dict[int, list[Any]]()  # the values of the early steps, by precision
        self.results = [self.visit(t) for t in terms]

    def __call__(self, *arguments: Any) -> list[Any]:
        require(len(arguments) == self.count, f"{self.count} values expected, {len(arguments)} given")
        bits = flint.ctx.prec
        if bits not in self.prepared:
            self.prepared[bits] = self.take(self.early, [None] * len(self.fixed))
        values = self.take(self.steps, [*arguments, *self.prepared[bits][self.count :]])
        return [values[i] for i in self.results]

    def take(self, steps: Sequence[Step], values: list[Any]) -> list[Any]:
        spend(len(steps) * (1 + flint.ctx.prec**2 // 2**16))
        for target, operation, i, j in steps:
            values[target] = operation(values[i]) if j < 0 else operation(values[i], values[j])
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
        if t.op in ("**", "sum"):
            return self.visit(unrolled(t) if t.op == "sum" else term("exp", term("log", t.args[0]) * t.args[1]))
        known: dict[str, Callable[..., Any]] = {"+": add, "*": mul, **how.functions}
        require(t.op in known, f"{t.op} has no value here")
        operation = known[t.op]
        if t.op in ("besseli", "polygamma"):
            order = t.args[0].value
            require(order is not None and order.denominator == 1, f"the order in {t} is not a whole number")
            return self.emit(operation(int(order)), self.visit(t.args[1]))
        places = [self.visit(a) for a in t.args]
        if len(places) > 2 or t.op in ("+", "*"):  # constants first: these are joined only once
            return reduce(lambda i, j: self.emit(operation, i, j), sorted(places, key=lambda i: not self.fixed[i]))
        return self.emit(operation, *places) if places else self.emit(lambda _: operation())


def unrolled(t: Term) -> Term:
    """A sum between whole numbers as its terms; a normal form may be a number where the end has no value."""
    found = written_out(t, *map(rational, t.outer))
    if found is None or any(closed_sign(end) is None for end in t.outer):
        raise Rejected(f"{t} is not a sum between whole numbers, or has too many terms")
    return found


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


def ball(value: Fraction | int) -> Ball:
    """The smallest ball, at the current precision, around a rational number."""
    return arb(flint.fmpq(*Fraction(value).as_integer_ratio()))


def hull(low: Fraction, high: Fraction) -> Ball:
    """A ball that contains both numbers and all between, no wider than that for short binary fractions."""
    middle, radius = (low + high) / 2, max((high - low) / 2, Fraction(0))
    if all(x.denominator & (x.denominator - 1) == 0 for x in (middle, radius)):
        return arb(*((x.numerator, 1 - x.denominator.bit_length()) for x in (middle, radius)))
    return ball(middle) + arb(0, 1) * ball(radius)


def finite(f: Unary) -> Unary:
    """f by flint, with an argument that is not finite kept so: of a nan flint's asin makes a number."""
    return lambda x: f(x) if x.is_finite() else NAN


def monotone(f: Unary, even: bool = False) -> Unary:
    """f on a ball by its ends, for f monotone (even: in |x|) on one interval, and not finite outside it."""
    low, high = (arb.abs_lower, arb.abs_upper) if even else (arb.lower, arb.upper)
    return finite(lambda x: f(x) if x.is_exact() else f(low(x)).union(f(high(x))))


def _power(exponent: Fraction) -> Unary:
    """x**exponent; fractional powers live on x >= 0, as in real analysis."""
    p, q = abs(exponent.numerator), exponent.denominator
    whole = monotone(lambda x: x**p, even=p % 2 == 0) if p > 1 else finite(lambda x: x if p else UNIT)
    root = monotone(lambda x: (x.sqrt() if q == 2 else x.root(q)) if x >= 0 else NAN)
    above: Unary = whole if q == 1 else lambda x: whole(root(x))
    return above if exponent >= 0 else lambda x: UNIT / above(x)


def _polygamma(order: int) -> Unary:
    """The derivative of digamma of this order, right of 0, where it is monotone."""
    require(0 <= order < 100, f"polygamma of order {order}")
    scale = (-1) ** (order + 1) * factorial(order)
    return monotone(lambda x: NAN if not x > 0 else arb(order + 1).zeta(x) * scale if order else x.digamma())


# Balls enclose: the value of a term at any point of its balls is inside the ball that comes out; if there is none,
# that ball is not finite.
BALLS = Arithmetic(
    ball,
    _power,
    {
        **{n: finite(getattr(arb, n)) for n in ("exp", "log", "sin", "cos", "tan", "atan", "gamma")},
        **{n: monotone(getattr(arb, n)) for n in ("asin", "acos", "sinh", "tanh", "asinh", "acosh", "atanh", "erf")},
        "loggamma": finite(arb.lgamma), "cosh": monotone(arb.cosh, even=True), "abs": monotone(abs, even=True),
        "pi": arb.pi, "polygamma": _polygamma,
        "min": lambda x, y: arb.min(x, y) if x.is_finite() and y.is_finite() else NAN,
        "max": lambda x, y: arb.max(x, y) if x.is_finite() and y.is_finite() else NAN,
        # I_n is even or odd with n, and increases in |x|.
        "besseli": lambda n: monotone(lambda x: x.bessel_i(abs(n)), even=n % 2 == 0),
    },
)  # fmt: skip
