"""One evaluator for every kind of number, balls above all, and what balls show of the cells of a box."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import factorial
from operator import add, mul
from typing import Any

import flint

from .language import derivative
from .ring import MAX_TERMS, is_zero, rational, written_out
from .terms import Rejected, Term, number, require, spend, substitute, term, variable

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


@lru_cache(100_000)
def step(t: Term, how: Arithmetic) -> tuple[Callable[..., Any], tuple[Term, ...]]:
    """The operation that gives the value of a term in an arithmetic, and the terms whose values it takes."""
    value, e = t.value, t.args[1].value if t.op == "**" else None
    if value is not None:
        return lambda: how.number(value), ()
    if e is not None:
        return how.power(e), t.args[:1]
    if t.op in ("**", "sum"):
        other = unrolled(t) if t.op == "sum" else term("exp", term("log", t.args[0]) * t.args[1])
        return lambda x: x, (other,)
    known: dict[str, Callable[..., Any]] = {"+": add, "*": mul, **how.functions}
    require(t.op in known, f"{t.op} has no value here")
    operation = known[t.op]
    if t.op in ("besseli", "polygamma"):
        order = t.args[0].value
        require(order is not None and order.denominator == 1, f"the order in {t} is not a whole number")
        return operation(int(order)), t.args[1:]
    several = t.op in ("+", "*", "min", "max") and len(t.args) != 2
    return (lambda *xs: reduce(operation, xs)) if several else operation, t.args


def evaluate(t: Term, values: dict[Term, Any], how: Arithmetic) -> Any:
    """The value of a term, by those of its variables; those of its parts are added to them."""
    if t not in values:
        spend(1 + flint.ctx.prec**2 // 2**16)
        require(len(values) <= 15 * MAX_TERMS, "the formula has too many operations")
        operation, parts = step(t, how)
        values[t] = operation(*[evaluate(part, values, how) for part in parts])
    return values[t]


def unrolled(t: Term) -> Term:
    """A sum between whole numbers as its terms; a normal form may be a number where the end has no value."""
    found = written_out(t, *map(rational, t.outer))
    if found is None or any(closed_sign(end) is None for end in t.outer):
        raise Rejected(f"{t} is not a sum between whole numbers, or has too many terms")
    return found


def closed_sign(f: Term) -> int | None:
    """The sign of a term without variables: 0 only by its normal form, and only if it has a value."""
    for bits in (64, 256, 1024, 4096):
        try:
            with precision(bits):
                found, zero = evaluate(f, {}, BALLS), is_zero(f)
        except Rejected:
            return None
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


LOW, HIGH = 0, 1
Region = tuple[tuple[Fraction, Fraction], ...]
Cell = tuple[tuple[int, int], ...]  # (k, d): the k-th of 2**d equal parts


def tiles(region: Cell, found: list[Cell]) -> bool:
    """Do the cells fill the region without overlap?  By halving along a coordinate that no cell straddles."""
    if found == [region]:
        return True
    for i, (k, d) in enumerate(region):
        if found and all(cell[i][1] > d for cell in found):
            halves = [(*region[:i], (2 * k + j, d + 1), *region[i + 1 :]) for j in (0, 1)]
            sides = [[cell for cell in found if cell[i][0] >> (cell[i][1] - d - 1) & 1 == j] for j in (0, 1)]
            return all(map(tiles, halves, sides))
    return False


@dataclass(frozen=True)
class Cover:
    """One box with the faces left out of it."""

    names: tuple[str, ...]
    box: Region
    excluded: frozenset[tuple[int, int]]

    def region(self, cell: Cell) -> Region:
        sides = [(low, (high - low) / (1 << d), k) for (low, high), (k, d) in zip(self.box, cell, strict=True)]
        return tuple((low + k * width, low + (k + 1) * width) for low, width, k in sides)

    def over(self, f: Term, region: Region) -> Ball:
        sides = {variable(name): hull(a, b) for name, (a, b) in zip(self.names, region, strict=True)}
        return evaluate(f, sides, BALLS)

    def shown(self, why: Any, f: Term, region: Region, strict: bool) -> bool:
        """Does the rule show f >= 0 (> 0 off the excluded faces, if strict) on the region?"""
        over = self.over(f, region)
        if not over.is_finite():  # else all is defined and continuous, and differentiable off a thin set
            return False
        if why == "natural":
            return bool(over > 0 or (over >= 0 and not strict))
        if why == "zero":
            fixed = {name: number(a) for name, (a, b) in zip(self.names, region, strict=True) if a == b}
            return not strict and is_zero(substitute(f, fixed))
        if why == "mean":
            total = self.over(f, tuple(((a + b) / 2, (a + b) / 2) for a, b in region))
            for name, (a, b) in zip(self.names, region, strict=True):
                total += self.over(derivative(f, name), region) * hull((a - b) / 2, (b - a) / 2) if a < b else 0
            return bool(total > 0)
        word, i, side, off, on = why
        require(word == "slope" and side in (LOW, HIGH) and region[i][0] < region[i][1], f"{why}?")
        slope, end = derivative(f, self.names[i]), region[i][side]
        away, face = slope if side == LOW else -slope, (*region[:i], (end, end), *region[i + 1 :])
        left_out = (i, side) in self.excluded and end == self.box[i][side]
        ways = [(strict, False)] + [(False, True)] * (strict and left_out)
        return any(self.shown(on, f, face, at) and self.shown(off, away, region, up) for at, up in ways)

    def fails(self, gap: Term, op: str, region: Region) -> bool:
        """Is the fact false, wherever it is defined, on the whole region?"""
        if not gap.free <= set(self.names):
            return False
        over = self.over(gap, region)
        return bool({">=": over < 0, ">": over <= 0, "==": over < 0 or over > 0, "!=": over.is_zero()}[op])
