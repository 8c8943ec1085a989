"""Taylor coefficients of a term in z, enclosed over a ball: the k-th ball holds f^(k)(x)/k! for each x inside.

Where numerator and denominator of a product vanish at one point c to the same order k, the quotient is analytic there:
with n(x) = (x - c)^k q(x), the coefficients of n over the hull of c and the ball, shifted by k, enclose those of q.
What has no value, or none that is seen, comes out as a ball that is not finite.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import comb
from operator import add, mul
from typing import Any

import flint

from ..kernel.evaluate import BALLS, NAN, Ball, ball, evaluate
from ..kernel.terms import ONE, Rejected, Term, joined, require, spend, term, variable

Series = Any  # flint.arb_series, or a ball for what is constant
Z, TINY = variable("z"), flint.arb(2) ** -30
MAX_ORDER, MAX_ZERO, CLOSE = 100, 6, 1


def value(t: Term, at: Ball) -> Ball:
    """The value over the ball, removable points filled in."""
    plain = evaluate(t, {Z: at}, BALLS)
    return plain if plain.is_finite() else coefficients(t, at, 1)[0]


def coefficients(t: Term, at: Ball, length: int) -> list[Ball]:
    """So many Taylor coefficients of the term over the ball."""
    require(1 <= length <= MAX_ORDER and t.free <= {"z"}, "Taylor coefficients are of formulas in z, and not too many")
    found = _Expansion(at, length).of(t)
    return [found[k] for k in range(length)] if _moves(found) else [found] + [ball(0)] * (length - 1)


def _moves(x: Series) -> bool:
    return isinstance(x, flint.arb_series)


def _series(balls: list[Ball], length: int) -> Series:
    """The series with these first coefficients; the further ones up to the length are 0."""
    flint.ctx.cap = length
    return flint.arb_series(balls[:length], length)


def _nowhere(length: int) -> Series:
    return _series([NAN] * length, length)


class _Expansion:
    """The series of terms around one ball, each worked out once."""

    def __init__(self, at: Ball, length: int) -> None:
        self.at, self.length = at, length
        self.known: dict[Term, Series] = {Z: _series([at, ball(1)], length)}

    def of(self, t: Term) -> Series:
        spend(1 + self.length * self.length * flint.ctx.prec // 2**14)
        if t not in self.known:
            self.known[t] = self.made(t) if "z" in t.free else evaluate(t, {}, BALLS)
        return self.known[t]

    def made(self, t: Term) -> Series:
        if t.op == "*":
            return self.product(t)
        if t.op == "**":
            exponent = t.args[1].value
            general = exponent is None
            return self.of(term("exp", term("log", t.args[0]) * t.args[1])) if general else self.power(*t.args)
        if t.op == "+":
            return reduce(add, map(self.of, t.args))
        if t.op == "besseli":
            return _bessel(t.args[0].value, self.of(t.args[1]))
        require(t.op in _FUNCTIONS, f"{t.op} has no Taylor coefficients here")
        return _FUNCTIONS[t.op](*map(self.of, t.args))

    def power(self, base: Term, exponent: Term) -> Series:
        e, x = exponent.value or Fraction(0), self.of(base)
        require(abs(e.numerator) <= 1000, "an exponent is too large")
        if not x[0].is_finite():
            return _nowhere(self.length)
        if e.denominator > 2:
            return (x.log() * ball(e)).exp() if x[0] > 0 else _nowhere(self.length)
        if e.denominator == 2 and not (x[0] > 0 or (x[0] >= 0 and self.length == 1)):
            return _nowhere(self.length)
        root = x if e.denominator == 1 else x.sqrt() if self.length > 1 else _series([x[0].sqrt()], 1)
        above = reduce(mul, [root] * abs(e.numerator), _series([ball(1)], self.length))
        return above if e >= 0 else _divided(ball(1), above)

    def product(self, t: Term) -> Series:
        """The product, also over a ball with a removable point of it."""
        below = [a for a in t.args if a.op == "**" and _whole(a.args[1].value) < 0 and "z" in a.free]
        if not below:
            rows = [self.of(a) for a in t.args]
            finite = all((x[0] if _moves(x) else x).is_finite() for x in rows)  # flint's 0 times NaN is 0
            return reduce(mul, rows) if finite else _nowhere(self.length)
        above = joined("*", [ONE, *(a for a in t.args if a not in below)])
        under = joined("*", [ONE, *(a.args[0] ** -_whole(a.args[1].value) for a in below)])
        bottom = self.of(under)
        away = not bottom[0].contains(0)
        if away and self.at.rad() < TINY:
            return self.of(above) / bottom
        for center in _zeros(below):
            if away and not abs(self.at - ball(center)) < CLOSE:  # near it, dividing by what is small loses much
                continue
            order = _order(under, center)
            if 0 < order <= min(MAX_ZERO, _order(above, center)):
                wider = _Expansion(self.at.union(ball(center)), self.length + order)
                sides = [wider.of(side) for side in (above, under)]
                shifted = [_series([side[order + k] for k in range(self.length)], self.length) for side in sides]
                return _narrower(_divided(*shifted), _divided(self.of(above), bottom), self.length)
        flint.ctx.cap = self.length
        return _divided(self.of(above), bottom)


def _whole(e: Fraction | None) -> int:
    return int(e) if e is not None and e.denominator == 1 else 0


def _zeros(below: list[Term]) -> list[Fraction]:
    """Where a denominator may vanish: at 0, or where a factor that is a straight line does."""
    found = [Fraction(0)]
    for factor in below:
        start, end = (evaluate_exactly(factor.args[0], x) for x in (0, 1))
        if start is not None and end is not None and start != end:
            found.append(start / (start - end))
    return found


def evaluate_exactly(t: Term, x: int) -> Fraction | None:
    """The value at a whole number if rational arithmetic gives it; of a sum or product of numbers and z only."""
    if t.value is not None:
        return t.value
    if t is Z:
        return Fraction(x)
    if t.op not in ("+", "*"):
        return None
    values = [evaluate_exactly(a, x) for a in t.args]
    known = [v for v in values if v is not None]
    return reduce(add if t.op == "+" else mul, known) if len(known) == len(values) else None


def _order(t: Term, center: Fraction) -> int:
    """How many coefficients at the point, from the first on, are exactly 0: a ball of radius 0, nothing less."""
    if "z" not in t.free:
        return 0
    try:
        found = coefficients(t, ball(center), MAX_ZERO + 1)
    except Rejected:
        return 0
    return next((k for k, c in enumerate(found) if not c.is_zero()), 0)


def _divided(top: Series, bottom: Series) -> Series:
    return _nowhere(bottom.prec) if bottom[0].contains(0) or not bottom[0].is_finite() else top / bottom


def _narrower(a: Series, b: Series, length: int) -> Series:
    """Both enclose the same coefficients: of each the narrower ball."""
    pairs = ((a[k], b[k]) for k in range(length))
    return _series([y if not x.is_finite() or (y.is_finite() and y.rad() < x.rad()) else x for x, y in pairs], length)


def _guarded(function: Callable[[Series], Series], holds: Callable[[Ball], bool] = lambda x: True) -> Any:
    """The function of a series whose first coefficient is finite and satisfies the condition."""
    return lambda x: function(x) if x[0].is_finite() and holds(x[0]) else _nowhere(x.prec)


def _hyperbolic(sign: int) -> Callable[[Series], Series]:
    return lambda x: (x.exp() + (-x).exp() * sign) / 2


def _absolute(x: Series) -> Series:
    """With a slope only where the sign is seen."""
    if x[0] > 0 or x[0] < 0:
        return x if x[0] > 0 else -x
    return _series([abs(x[0])], 1) if x.prec == 1 else _nowhere(x.prec)


def _series_first(given: tuple[Any, ...]) -> list[Any]:
    """Constants are balls, so that something to subtract them from comes before."""
    return sorted(given, key=lambda x: not isinstance(x, flint.arb_series))


_FUNCTIONS: dict[str, Callable[..., Series]] = {
    **{name: _guarded(getattr(flint.arb_series, name)) for name in ("exp", "sin", "cos", "atan", "erf")},
    "log": _guarded(flint.arb_series.log, lambda x: x > 0),
    "gamma": _guarded(flint.arb_series.gamma, lambda x: x > 0),
    "loggamma": _guarded(flint.arb_series.lgamma, lambda x: x > 0),
    "tan": _guarded(lambda x: _divided(x.sin(), x.cos())),
    "sinh": _guarded(_hyperbolic(-1)),
    "cosh": _guarded(_hyperbolic(1)),
    "tanh": _guarded(lambda x: 1 - 2 * _divided(ball(1), (2 * x).exp() + 1)),
    "asin": _guarded(flint.arb_series.asin, lambda x: abs(x) < 1),
    "acos": _guarded(flint.arb_series.acos, lambda x: abs(x) < 1),
    "asinh": _guarded(lambda x: (x + (x * x + 1).sqrt()).log()),
    "acosh": _guarded(lambda x: (x + (x * x - 1).sqrt()).log(), lambda x: x > 1),
    "atanh": _guarded(lambda x: ((1 + x).log() - (1 - x).log()) / 2, lambda x: abs(x) < 1),
    "abs": _guarded(_absolute),
    "max": lambda *given: reduce(lambda x, y: (x + y + _absolute(x - y)) / 2, _series_first(given)),
    "min": lambda *given: reduce(lambda x, y: (x + y - _absolute(x - y)) / 2, _series_first(given)),
}


def _bessel(order: Fraction | None, x: Series) -> Series:
    """I_n of a series: the k-th derivative of I_n is a binomial mean of Bessel functions."""
    require(order is not None and order.denominator == 1 and abs(order) < 100, "the order of besseli is a whole number")
    n, length = abs(int(order or 0)), x.prec
    if not x[0].is_finite():
        return _nowhere(length)
    values = [BALLS.functions["besseli"](j)(x[0]) for j in range(n + length + 1)]
    total, inner = _series([], length), _series([ball(0), *(x[k] for k in range(1, length))], length)
    power, factorial = _series([ball(1)], length), 1
    for k in range(length):
        factorial *= max(k, 1)
        mean = sum((comb(k, j) * values[abs(n - k + 2 * j)] for j in range(k + 1)), ball(0))
        total, power = total + power * (mean / (factorial * 2**k)), power * inner
    return total
