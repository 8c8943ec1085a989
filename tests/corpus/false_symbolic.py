"""Identities, sums and remainders that are false."""

from __future__ import annotations

from functools import partial

import sympy as sp
from glbcheck.verify.search.symbolic import identity, integral, matrix_identity, smooth, sum_identity, taylor_remainder

from tests.corpus import Entry, Point, false

a, b, t, u0, u1, v0, v1 = sp.symbols("a b t u0 u1 v0 v1", real=True)
m, m_1, m_2, m_3 = (smooth("m", order) for order in range(4))
TINY = sp.Rational(1, 10**8)
det = (sp.eye(2) + sp.Matrix([u0, u1]) * sp.Matrix([[v0, v1]])).det()
nearly = 1 + u0 * v0 + (1 + sp.Rational(1, 10**9)) * u1 * v1


def unequal(name: str, left: str, right: str, at: Point, near_miss: bool = False) -> Entry:
    run = partial(identity, left, right, variables=list(at))
    return false(name, run, f"{left} == {right}", at, near_miss=near_miss)


ENTRIES = [
    unequal("exp(2x) is a little more than exp(x)^2", "exp(2*x)", "(1 + 1/10**7)*exp(x)**2", {"x": 0}, True),
    unequal("a quotient off by a billionth", "(x**2 - 1)/(x - 1)", "x + 1 + 1/10**9", {"x": 2}, True),
    unequal("the root of a square is the number itself", "sqrt(x**2)", "x", {"x": -1}),
    unequal("the logistic variance with a square in the wrong place",
            "exp(z)/(1 + exp(z))**2", "exp(z)/(1 + exp(2*z))", {"z": 0}),
    false("the sum of squares off by a billionth: the step holds, the base does not",
          partial(sum_identity, "k**2", "n*(n + 1)*(2*n + 1)/6 + 1/10**9", "k", 1, "n"),
          "1 == n*(n + 1)*(2*n + 1)/6 + 1/10**9", {"n": 1}, "n == 1", near_miss=True),
    false("the geometric sum without its first term",
          partial(sum_identity, "x**k", "(x**(n + 1) - x)/(x - 1)", "k", 0, "n", ["x"]),
          "1 == (x**(n + 1) - x)/(x - 1)", {"n": 0, "x": 2}, "n == 0"),
    false("an antidifference shifted by one", partial(sum_identity, "1/(k*(k + 1))", "1 - 1/n", "k", 1, "n"),
          "1/(k*(k + 1)) == -1/(k + 2) + 1/(k + 1)", {"k": 1}, "k >= 1"),
    false("a Taylor remainder a little too large",
          partial(taylor_remainder, "m", 1, (1 + TINY) * m_2(t) * (b - t), t, t, a, b, (a, b)),
          "b**2/2 == a**2/2 + a*(b - a) + (1 + 1/10**8)*(b - a)**2/2", {"a": 0, "b": 1}, near_miss=True),
    false("a Taylor remainder without its factorial",
          partial(taylor_remainder, "m", 2, m_3(t) * (b - t) ** 2, t, t, a, b, (a, b)),
          "b**3 == a**3 + 3*a**2*(b - a) + 3*a*(b - a)**2 + 2*(b - a)**3", {"a": 0, "b": 1}),
    false("the matrix determinant lemma off by a billionth of one term",
          partial(matrix_identity, sp.Matrix([det]), sp.Matrix([nearly])),
          "(1 + u0*v0)*(1 + u1*v1) - u0*v1*u1*v0 == 1 + u0*v0 + (1 + 1/10**9)*u1*v1",
          {"u0": 1, "u1": 1, "v0": 1, "v1": 1}, near_miss=True),
    false("Bregman divergences are symmetric (true for squares, false in general)",
          partial(identity, m(a) - m(b) - m_1(b) * (a - b), m(b) - m(a) - m_1(a) * (b - a)),
          "exp(a) - exp(b) - exp(b)*(a - b) == exp(b) - exp(a) - exp(a)*(b - a)", {"a": 0, "b": 1}),
    false("an antiderivative with the right slope and the wrong start",
          partial(integral, t * sp.exp(t), (t - 1) * sp.exp(t), t, 0, a, (a - 1) * sp.exp(a)),
          "0 == (a - 1)*exp(a)", {"a": 0}, "a == 0"),
]  # fmt: skip
