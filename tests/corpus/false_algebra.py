"""Statements over the reals that are false."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from glbcheck.verify.search.algebra import decide, induction

from tests.corpus import Entry, Point, false


def wrong(name: str, hypotheses: Sequence[str], conclusion: str, at: Point, near_miss: bool = False) -> Entry:
    return false(name, partial(decide, hypotheses, conclusion, tuple(at)), conclusion, at, *hypotheses,
                 near_miss=near_miss)  # fmt: skip


QUADRATIC = ("x >= 0", "a >= 0", "b >= 0", "x**2 <= a*x + b")
BASE = ("K >= 0", "B >= 0", "X >= 0", "M == X", "X**2 <= B**2 + K*M")
STEP = ("X_new >= 0", "M_next == max(M, X_new)", "X_new**2 <= B_next**2 + K*M_next")
bounded = partial(induction, state=["M", "B"], initial=BASE[2:], always=BASE[:2], parameters=["K"],
                  auxiliary=["X", "X_new"])  # fmt: skip

ENTRIES = [
    wrong("the solved quadratic, less a little",
          QUADRATIC, "x <= a + sqrt(b) - 1/10**7", {"x": 0, "a": 0, "b": 0}, True),
    wrong("the solved quadratic with a smaller constant",
          QUADRATIC, "x <= (1 - 1/10**7)*a + sqrt(b)", {"x": 1, "a": 1, "b": 0}, True),
    wrong("the solved quadratic with half of a", QUADRATIC, "x <= a/2 + sqrt(b)", {"x": 1, "a": 1, "b": 0}),
    wrong("the solved quadratic without the sign of a",
          ("x >= 0", "b >= 0", "x**2 <= a*x + b"), "x <= a + sqrt(b)", {"x": 1, "a": -2, "b": 3}),
    wrong("the mean inequality of three numbers, sharpened",
          ("a >= 0", "b >= 0", "c >= 0"), "(a + b + c)**3 >= (27 + 1/10**6)*a*b*c", {"a": 1, "b": 1, "c": 1}, True),
    wrong("concavity of the root, sharpened",
          ("x >= 0", "y >= 0"), "sqrt(x) + sqrt(y) <= (1 - 1/10**7)*sqrt(2*(x + y))", {"x": 1, "y": 1}, True),
    wrong("a number and its reciprocal, sharpened",
          ("x > 0", "y > 0"), "x/y + y/x >= 2 + 1/10**8", {"x": 1, "y": 1}, True),
    wrong("logistic variance, sharpened",
          ("x >= 0", "x <= 1"), "x*(1 - x) <= 1/4 - 1/10**7", {"x": Fraction(1, 2)}, True),
    wrong("the mean inequality of two squares, sharpened",
          ("x >= 1/2", "y >= 1/2"), "2*x*y <= (1 - 1/10**7)*(x**2 + y**2)", {"x": 1, "y": 1}, True),
    wrong("the mean inequality reversed", ("x >= 0", "y >= 0"), "sqrt(x*y) >= (x + y)/2", {"x": 1, "y": 4}),
    wrong("the triangle inequality reversed", (), "abs(x + y) >= abs(x) + abs(y)", {"x": 1, "y": -1}),
    wrong("a reciprocal bounded by one", ("x > 0",), "1/x <= 1", {"x": Fraction(1, 2)}),
    false("the self-bounding inequality with half the constant: the base fails",
          partial(bounded, "M <= B + K/2", transition=(*STEP, "B_next >= B")),
          "M <= B + K/2", {"M": 1, "B": 0, "K": 1, "X": 1}, *BASE),
    false("the self-bounding inequality for a radius that may shrink: the step fails",
          partial(bounded, "M <= B + K", transition=STEP), "M_next <= B_next + K",
          {"K": 0, "B": 10, "X": 10, "M": 10, "X_new": 0, "B_next": 0, "M_next": 10}, *BASE, *STEP, "B_next >= 0"),
    false("an induction whose step holds and whose base does not",
          partial(induction, "S <= 0", ["S"], initial=["S >= 0", "S <= 1"], transition=["S_next <= S"]),
          "S <= 0", {"S": 1}, "S >= 0", "S <= 1"),
]  # fmt: skip
