"""Statements over the reals that are true, most of them with equality somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from glbcheck.verify.search.algebra import decide, induction

from tests.corpus import Entry


def true(name: str, hypotheses: Sequence[str], conclusion: str, variables: str, *, sharp: bool = True) -> Entry:
    return Entry(name, partial(decide, hypotheses, conclusion, variables.split()), sharp=sharp)


QUADRATIC = ("x >= 0", "a >= 0", "b >= 0", "x**2 <= a*x + b")
ROOT = ("x >= 0", "a >= 0", "b >= 0", "c >= 0", "e >= 0", "x <= a*sqrt(b + c*x) + e")
POSITIVE = ("x > 0", "y > 0")

ENTRIES = [
    true("a quadratic inequality solved", QUADRATIC, "x <= a + sqrt(b)", "x a b"),
    true("a quadratic inequality solved exactly", QUADRATIC, "x <= (a + sqrt(a**2 + 4*b))/2", "x a b"),
    true("a root inequality solved", ROOT, "x <= a**2*c + 2*a*sqrt(b) + 2*e", "x a b c e", sharp=False),
    true("the square of a sum", (), "(x + y)**2 <= 2*x**2 + 2*y**2", "x y"),
    true("the harmonic below the geometric mean", POSITIVE, "2/(1/x + 1/y) <= sqrt(x*y)", "x y"),
    true("a number and its reciprocal", POSITIVE, "x/y + y/x >= 2", "x y"),
    true("the mean inequality of three", ("a >= 0", "b >= 0", "c >= 0"), "(a + b + c)**3 >= 27*a*b*c", "a b c"),
    true("the root is subadditive", ("x >= 0", "y >= 0"), "sqrt(x + y) <= sqrt(x) + sqrt(y)", "x y"),
    true("the root is concave", ("x >= 0", "y >= 0"), "sqrt(x) + sqrt(y) <= sqrt(2*(x + y))", "x y"),
    true("the triangle inequality", (), "abs(x + y) <= abs(x) + abs(y)", "x y"),
    true("the maximum by an absolute value", (), "max(x, y) == (x + y + abs(x - y))/2", "x y"),
    true("the least of two is at most any mean", ("w >= 0", "w <= 1"), "min(x, y) <= w*x + (1 - w)*y", "w x y"),
    true("Young's inequality with a weight", ("c > 0",), "x*y <= c*x**2/2 + y**2/(2*c)", "c x y"),
    Entry(
        "the self-bounding inequality with a maximum, by induction",
        partial(
            induction,
            "M <= B + K",
            ["M", "B"],
            initial=["X >= 0", "M == X", "X**2 <= B**2 + K*M"],
            transition=["X_new >= 0", "M_next == max(M, X_new)", "B_next >= B", "X_new**2 <= B_next**2 + K*M_next"],
            always=["K >= 0", "B >= 0"],
            parameters=["K"],
            auxiliary=["X", "X_new"],
        ),
        sharp=True,
    ),
]
