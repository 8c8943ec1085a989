"""Inequalities in one variable that are false, most of them by very little."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from glbcheck.verify.search.ladder import inequality

from tests import corpus
from tests.corpus import Entry


def false(name: str, claim: str, x: int | Fraction, *, near_miss: bool = True, positive: bool = False) -> Entry:
    """A claim about all x >= 0 (or x > 0) that fails at the given x."""
    run = partial(inequality, claim, closed=(not positive, True))
    return corpus.false(name, run, claim, {"x": x}, f"x {'>' if positive else '>='} 0", near_miss=near_miss)


ENTRIES = [
    false("the tangent of log(1+x) tilted", "log(1 + x) <= (1 - 1/10**7)*x", Fraction(1, 10**8)),
    false("too much quadratic in exp", "exp(x) >= 1 + x + (1/2 + 1/10**7)*x**2", Fraction(1, 10**7)),
    false("too much cubic in sinh", "sinh(x) >= x + (1/6 + 1/10**7)*x**3", Fraction(1, 1000)),
    false("a bound on tanh below its limit at infinity", "tanh(x) <= 1 - 1/10**7", 10),
    false("the largest logistic variance, less a little", "exp(x)/(1 + exp(x))**2 <= 1/4 - 1/10**8", 0),
    false("a bound below a limit at infinity", "x*log(1 + 1/x) <= 1 - 1/10**7", 10**8, positive=True),
    false("the tangent of the exponential raised", "1 + x - exp(x) <= -1/10**7", 0),
    false("a bound below a supremum at infinity", "x/(1 + x) <= 1 - 1/10**5 - 1/10**7", 10**6),
    false("a parabola that dips below zero inside", "x**2 - 2*x + 1 - 1/10**8 >= 0", 1),
    false("a positive slope from a negative start", "x >= 1/10**7", 0),
    false("a strict sign where there is equality inside", "x**2 - 2*x + 1 > 0", 1),
    false("a strict sign where there is equality at the end", "exp(x) > 1 + x", 0),
    false("exp above a steep line", "exp(x) >= 1 + 2*x", Fraction(1, 2), near_miss=False),
    false("exp(-x) below its tangent", "exp(-x) <= 1 - x", 1, near_miss=False),
    false("a dip between two positive ends", "1 + x/2 > log(1 + x) + 81/100", 1, near_miss=False),
]
