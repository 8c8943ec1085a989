"""A formula at complex points: the value of its analytic continuation from the real line, or a ball that is not finite.

Either it is single-valued, built from entire and meromorphic functions only, and then defined and analytic off a closed
countable set, whose complement is connected; or it is seen to be analytic on boxes that cover the way.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import acb, arb, fmpq

from ..kernel.evaluate import Arithmetic, Unary, ball, evaluate, hull, precision
from ..kernel.terms import Term, require, subterms
from .series import Z

Complex = Any  # flint.acb
Side = tuple[Fraction, Fraction]
BOXES, COARSE = 1000, 64
SINGLE_VALUED = ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "gamma", "erf")
NOWHERE = acb(arb.nan())


def _finite(f: Callable[[Complex], Complex]) -> Unary:
    return lambda x: f(x) if x.is_finite() else NOWHERE


def _power(e: Fraction) -> Unary:
    if e.denominator == 1:
        return _finite(lambda x: x**e.numerator if e >= 0 else 1 / x**-e.numerator)
    if e == Fraction(1, 2):
        return _finite(lambda x: x.sqrt(analytic=True))
    return _finite(lambda x: x.pow(acb(fmpq(e.numerator, e.denominator)), analytic=True))


# The cut of log gamma is the negative axis; flint has no flag for it.
HOLOMORPHIC = Arithmetic(
    lambda value: acb(ball(value)),
    _power,
    {
        **{name: _finite(getattr(acb, name)) for name in SINGLE_VALUED},
        "log": _finite(lambda x: x.log(analytic=True)),
        "loggamma": _finite(lambda x: x.lgamma() if x.real > 0 else NOWHERE),
        "besseli": lambda n: _finite(lambda x: x.bessel_i(n)),
        "pi": lambda: acb(arb.pi()),
    },
)


class Continuation:
    """Values at x + it of the function that the formula is near real points."""

    def __init__(self, formula: Term) -> None:
        require(formula.free <= {"z"}, "a formula in z")
        self.formula, self.single = formula, all(single_valued(t) for t in subterms(formula))

    def at(self, x: Complex) -> Complex:
        return evaluate(self.formula, {Z: x}, HOLOMORPHIC)

    def above(self, x: Fraction, t: Fraction) -> Complex:
        """At x + it, straight up from x."""
        if not self.single:
            with precision(COARSE):
                if not self.analytic((x, x), (Fraction(0), t)):
                    return NOWHERE
        return self.at(_point(x, t))

    def analytic(self, real: Side, imaginary: Side) -> bool:
        """Is the formula analytic on the segment, upright or level, over these two ranges?"""
        waiting = [(real, imaginary)]
        for _ in range(BOXES):
            x, y = waiting.pop()
            if not self.at(acb(hull(min(x), max(x)), hull(min(y), max(y)))).is_finite():
                waiting += zip(_halves(*x), _halves(*y), strict=True)
            elif not waiting:
                return True
        return False


def _point(x: Fraction, t: Fraction) -> Complex:
    return acb(ball(x), ball(t))


def _halves(start: Fraction, end: Fraction) -> tuple[Side, Side]:
    middle = (start + end) / 2
    return (start, middle), (middle, end)


def single_valued(t: Term) -> bool:
    if "z" not in t.free or t.op == "variable":
        return True
    if t.op == "**":
        return t.args[1].value is not None and t.args[1].value.denominator == 1
    return t.op in ("+", "*", "besseli", *SINGLE_VALUED)
