"""Identities, sums and remainders that are false."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import sympy as sp
from glbcheck.verify.claim import Statement
from glbcheck.verify.search.symbolic import identity, integral, matrix_identity, smooth, sum_identity, taylor_remainder

from tests.corpus import Entry

a, b, t, u0, u1, v0, v1 = sp.symbols("a b t u0 u1 v0 v1", real=True)
m, m_1, m_2, m_3 = (smooth("m", order) for order in range(4))
TINY = sp.Rational(1, 10**8)
det = (sp.eye(2) + sp.Matrix([u0, u1]) * sp.Matrix([[v0, v1]])).det()

ENTRIES = [
    Entry(
        "exp(2x) is a little more than exp(x)^2",
        partial(identity, "exp(2*x)", "(1 + 1/10**7)*exp(x)**2", variables=["x"]),
        near_miss=True,
        statement=Statement((), "exp(2*x) == (1 + 1/10**7)*exp(x)**2"),
        witness={"x": 0},
    ),
    Entry(
        "a quotient off by a billionth",
        partial(identity, "(x**2 - 1)/(x - 1)", "x + 1 + 1/10**9", variables=["x"]),
        near_miss=True,
        statement=Statement((), "(x**2 - 1)/(x - 1) == x + 1 + 1/10**9"),
        witness={"x": 2},
    ),
    Entry(
        "the root of a square is the number itself",
        partial(identity, "sqrt(x**2)", "x", variables=["x"]),
        statement=Statement((), "sqrt(x**2) == x"),
        witness={"x": -1},
    ),
    Entry(
        "the logistic variance with a square in the wrong place",
        partial(identity, "exp(z)/(1 + exp(z))**2", "exp(z)/(1 + exp(2*z))", variables=["z"]),
        statement=Statement((), "exp(z)/(1 + exp(z))**2 == exp(z)/(1 + exp(2*z))"),
        witness={"z": 0},
    ),
    Entry(
        "the sum of squares off by a billionth: the step holds, the base does not",
        partial(sum_identity, "k**2", "n*(n + 1)*(2*n + 1)/6 + 1/10**9", "k", 1, "n"),
        near_miss=True,
        statement=Statement(("n == 1",), "1 == n*(n + 1)*(2*n + 1)/6 + 1/10**9"),
        witness={"n": 1},
    ),
    Entry(
        "the geometric sum without its first term",
        partial(sum_identity, "x**k", "(x**(n + 1) - x)/(x - 1)", "k", 0, "n", ["x"]),
        statement=Statement(("n == 0",), "1 == (x**(n + 1) - x)/(x - 1)"),
        witness={"n": 0, "x": 2},
    ),
    Entry(
        "an antidifference shifted by one",
        partial(sum_identity, "1/(k*(k + 1))", "1 - 1/n", "k", 1, "n"),
        statement=Statement(("k >= 1",), "1/(k*(k + 1)) == -1/(k + 2) + 1/(k + 1)"),
        witness={"k": 1},
    ),
    Entry(
        "a Taylor remainder a little too large",
        partial(taylor_remainder, "m", 1, (1 + TINY) * m_2(t) * (b - t), t, t, a, b, (a, b)),
        near_miss=True,
        statement=Statement((), "b**2/2 == a**2/2 + a*(b - a) + (1 + 1/10**8)*(b - a)**2/2"),
        witness={"a": 0, "b": 1},
    ),
    Entry(
        "a Taylor remainder without its factorial",
        partial(taylor_remainder, "m", 2, m_3(t) * (b - t) ** 2, t, t, a, b, (a, b)),
        statement=Statement((), "b**3 == a**3 + 3*a**2*(b - a) + 3*a*(b - a)**2 + 2*(b - a)**3"),
        witness={"a": 0, "b": 1},
    ),
    Entry(
        "the matrix determinant lemma off by a billionth of one term",
        partial(matrix_identity, sp.Matrix([det]), sp.Matrix([1 + u0 * v0 + (1 + sp.Rational(1, 10**9)) * u1 * v1])),
        near_miss=True,
        statement=Statement((), "(1 + u0*v0)*(1 + u1*v1) - u0*v1*u1*v0 == 1 + u0*v0 + (1 + 1/10**9)*u1*v1"),
        witness={"u0": 1, "u1": 1, "v0": 1, "v1": 1},
    ),
    Entry(
        "Bregman divergences are symmetric (true for squares, false in general)",
        partial(identity, m(a) - m(b) - m_1(b) * (a - b), m(b) - m(a) - m_1(a) * (b - a)),
        statement=Statement((), "exp(a) - exp(b) - exp(b)*(a - b) == exp(b) - exp(a) - exp(a)*(b - a)"),
        witness={"a": 0, "b": 1},
    ),
    Entry(
        "an antiderivative with the right slope and the wrong start",
        partial(integral, t * sp.exp(t), (t - 1) * sp.exp(t), t, 0, a, (a - 1) * sp.exp(a)),
        statement=Statement(("a == 0",), "0 == (a - 1)*exp(a)"),
        witness={"a": Fraction(0)},
    ),
]
