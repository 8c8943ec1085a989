"""Inequalities on boxes that are false, many of them by less than a millionth."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from glbcheck.verify.search.cover import certify

from tests import corpus
from tests.corpus import Entry, Point

F = Fraction
Box = dict[str, tuple[Any, Any]]


def false(name: str, conclusion: str, box: Box, at: Point, *hypotheses: str, near_miss: bool = True) -> Entry:
    """A conclusion that fails in the box at a point which satisfies the hypotheses."""
    sides = [f"{n} >= {low}" for n, (low, _) in box.items() if low is not None]
    sides += [f"{n} <= {high}" for n, (_, high) in box.items() if high is not None]
    run = partial(certify, conclusion, box, hypotheses)
    return corpus.false(name, run, conclusion, at, *sides, *hypotheses, near_miss=near_miss)


UNIT: Box = {"x": (0, 1)}
HALF_LINE: Box = {"x": (0, None)}
SQUARE: Box = {"x": (0, 1), "y": (0, 1)}

ENTRIES = [
    false("a tilted tangent", "log(1 + x) <= (1 - 1/10**7)*x", UNIT, {"x": F(1, 10**8)}),
    false("too much quadratic", "exp(x) >= 1 + x + (1/2 + 1/10**7)*x**2", UNIT, {"x": F(1, 10**7)}),
    false("a bound below a limit", "tanh(x) <= 1 - 1/10**7", HALF_LINE, {"x": 10}),
    false("a slow approach to a limit", "x*log(1 + 1/x) <= 1 - 1/10**7", {"x": (1, None)}, {"x": 10**8}),
    false("a shaved maximum", "exp(x)/(1 + exp(x))**2 <= 1/4 - 1/10**8", {"x": (-5, 7)}, {"x": 0}),
    false("a dip of a hundred-millionth", "x**2 - 2*x + 1 >= 1/10**8", {"x": (0, 3)}, {"x": 1}),
    false("a dip off the dyadic points", "(3*x - 1)**2 >= 1/10**9", UNIT, {"x": F(1, 3)}),
    false("a corner cut by a millionth", "x*y <= 1 - 1/10**7", SQUARE, {"x": 1, "y": 1}),
    false("a saddle", "x**2 - x*y + y**2/4 >= 1/10**9", SQUARE, {"x": F(1, 2), "y": 1}),
    false("a hypothesis that does not help", "x + y <= 1 - 1/10**7", SQUARE, {"x": 1, "y": 0}, "x*y <= 1/10"),
    false("three variables", "x*y*z <= 1 - 1/10**8", SQUARE | {"z": (0, 1)}, {"x": 1, "y": 1, "z": 1}),
    false("equality inside, claimed strict", "x**2 - 2*x + 1 > 0", {"x": (0, 3)}, {"x": 1}),
    false("equality at a corner, claimed strict", "x + y > 0", SQUARE, {"x": 0, "y": 0}),
    false("a cubic zero of the wrong sign", "x - x**3/6 >= sin(x)", UNIT, {"x": F(1, 2)}, near_miss=False),
    false("an odd zero inside", "x**3 >= 0", {"x": (-1, 1)}, {"x": -1}, near_miss=False),
    false("an odd zero of order one inside", "exp(x) >= 1", {"x": (-1, 1)}, {"x": -1}, near_miss=False),
    false("a square root below its tangent", "sqrt(x) >= (1 + x)/2", {"x": (0, 4)}, {"x": 4}, near_miss=False),
    false("a quarter disc", "x + y <= 5/4", SQUARE, {"x": F(5, 8), "y": F(3, 4)}, "x**2 + y**2 <= 1",
          near_miss=False),
    false("far away only", "x <= 10**6", HALF_LINE, {"x": 10**7}, near_miss=False),
    false("a dip that no short point meets", "(x - 100003/7)**2*10**6 - 10**-6 >= 0", {"x": (5, None)},
          {"x": F(100003, 7)}),
    false("far away on the left", "exp(x) >= 1/10**9", {"x": (None, 0)}, {"x": -100}, near_miss=False),
]  # fmt: skip
UNDEFINED = [
    Entry("0/0 at an end", partial(certify, "x/x >= 1", UNIT)),
    Entry("a removable singularity at an end", partial(certify, "sinh(x)/x >= 1", UNIT)),
    Entry("a quotient cancelled inside", partial(certify, "(x - 3)/(x - 3) >= 0", {"x": (0, 7)})),
    Entry("a quotient cancelled in the tail", partial(certify, "(x - 99)/(x - 99) >= -exp(-x)", {"x": (0, None)})),
    Entry("a logarithm of nothing", partial(certify, "log(x)**2 >= 0", UNIT)),
    Entry("a logarithm of something negative", partial(certify, "0*log(x) + 1 >= 0", {"x": (-1, 1)})),
    Entry("unsatisfiable hypotheses", partial(certify, "x >= 5", UNIT, ("x**2 <= -1",))),
    Entry("hypotheses that fail on the box", partial(certify, "x >= 5", UNIT, ("x >= 2",))),
]
"""Neither positive nor refuted: undefined somewhere, or with hypotheses that nothing satisfies."""
