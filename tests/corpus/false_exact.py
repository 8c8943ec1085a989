"""False statements about sums, expectations, integrals and games; most of them only just false."""

from __future__ import annotations

from fractions import Fraction as F

import sympy as sp
from glbcheck.verify.claim import Evidence, Statement, Verdict
from glbcheck.verify.provers.exact import compare, expectation, finite_sum
from glbcheck.verify.provers.games import dynamic_program
from glbcheck.verify.provers.quadrature import (
    Integral,
    expectation_compare,
    integral_compare,
    unfold_log,
    unfold_power,
)
from glbcheck.verify.provers.series import dominated_sum, series, series_compare
from glbcheck.verify.provers.tails import Beyond

from tests.corpus import Entry
from tests.corpus.games import dice, secretary, two_coins

x = sp.Symbol("x", real=True)
GAUSS = sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
LINE = (Beyond(-12), Beyond(12))
TINY = F(1, 10**7)
EXPONENTIAL = series(1, [1], [1, 1])
SQUARES = series(1, [0, 0, 1], [1, 2, 1], start=1)  # 1/n²: the ratio tends to 1, no geometric tail
COIN_WEIGHTS = {k: F(1, 4) for k in range(4)}


def _unproved(statement: Statement) -> Evidence:
    return Evidence(Verdict.UNDECIDED, "test", f"nobody proved {statement.conclusion}")


def _proved() -> Evidence:
    return Evidence(Verdict.PROVED, "test", "abs((-1)**n/2**n) <= 1/2**n")


ENTRIES = [
    Entry(
        "harmonic number a little too small",
        lambda: compare(finite_sum(lambda n: F(1, n), 1, 20), "<=", F(55835135, 15519504) - TINY),
        near_miss=True,
        statement=Statement((), "55835135/15519504 <= 55835135/15519504 - 1e-7"),
        witness={},
    ),
    Entry(
        "finite geometric sum equals its limit",
        lambda: compare(finite_sum(lambda n: F(1, 2**n), 1, 50), "==", 1),
        near_miss=True,
        statement=Statement((), "1 - 1/2**50 == 1"),
        witness={},
    ),
    Entry(
        "second moment of a die",
        lambda: compare(expectation({k: F(1, 6) for k in range(1, 7)}, lambda k: k * k), "<=", 15),
        statement=Statement((), "(1 + 4 + 9 + 16 + 25 + 36)/6 <= 15"),
        witness={},
    ),
    Entry(
        "a number below itself",
        lambda: compare(F(1, 3), "<", F(1, 3)),
        near_miss=True,
        statement=Statement((), "x < 1/3"),
        witness={"x": F(1, 3)},
    ),
    Entry(
        "variance by the wrong formula",
        lambda: compare(expectation(COIN_WEIGHTS, lambda k: k * k), "==", F(9, 4)),
        statement=Statement((), "(0 + 1 + 4 + 9)/4 == 9/4"),
        witness={},
    ),
    Entry(
        "e is at most 2.7182818",
        lambda: series_compare([(1, EXPONENTIAL)], "<=", F(27182818, 10**7)),
        near_miss=True,
        statement=Statement((), "exp(x) <= 2.7182818"),
        witness={"x": 1},
    ),
    Entry(
        "e is at least 2.7182819",
        lambda: series_compare([(1, EXPONENTIAL)], ">=", F(27182819, 10**7)),
        near_miss=True,
        statement=Statement((), "exp(x) >= 2.7182819"),
        witness={"x": 1},
    ),
    Entry(
        "mean of the geometric law strictly below 2",
        lambda: series_compare([(1, series(F(1, 2), [1, 1], [0, 2], start=1))], "<", 2),
        near_miss=True,
        statement=Statement((), "p/(1 - (1 - p))**2 < 2"),
        witness={"p": F(1, 2)},
    ),
    Entry(
        "sum of ones is bounded",
        lambda: series_compare([(1, series(1, [1], [1]))], "<=", 10**6),
        statement=Statement((), "n <= 10**6"),
        witness={"n": 10**6 + 1},
    ),
    Entry(
        "harmonic series is bounded",
        lambda: series_compare([(1, series(1, [0, 1], [1, 1], start=1))], "<=", 10),
        statement=Statement((), "log(n + 1) <= 10"),
        witness={"n": 30000},
    ),
    Entry(
        "ratio that rises far beyond one after a long calm",
        lambda: series_compare([(1, series(1, [4000, 4000], [10**6, 0, 1]))], "<=", 2),
        statement=Statement((), "4000*(n + 1)/(10**6 + n**2) <= 1"),
        witness={"n": 1000},
    ),
    Entry(
        "sum of inverse squares",
        lambda: series_compare([(1, SQUARES)], "<=", F(3, 2)),
        statement=Statement((), "pi**2/6 <= 3/2"),
        witness={},
    ),
    Entry(
        "dominated alternating sum",
        lambda: dominated_sum(
            lambda n: F((-1) ** n, 2**n), series(1, [1], [2]), _proved(), "<=", F(2, 3) - TINY
        ),
        near_miss=True,
        statement=Statement((), "1/(1 + x) <= 2/3 - 1e-7"),
        witness={"x": F(1, 2)},
    ),
    Entry(
        "fourth moment of the Gaussian",
        lambda: expectation_compare(GAUSS, x**4, x, LINE, "<=", 3 - TINY),
        near_miss=True,
        statement=Statement((), "4*gamma(x)/sqrt(pi) <= 3 - 1e-7"),
        witness={"x": F(5, 2)},
    ),
    Entry(
        "moment generating function of the Gaussian",
        lambda: expectation_compare(
            GAUSS, sp.exp(x), x, LINE, ">=", sp.exp(sp.Rational(1, 2)) + sp.Rational(1, 10**8)
        ),
        near_miss=True,
        statement=Statement((), "exp(t**2/2) >= exp(1/2) + 1e-8"),
        witness={"t": 1},
    ),
    Entry(
        "area under the root, branch cut nearby",
        lambda: integral_compare(Integral(sp.sqrt(x), x, 1, 4), ">=", F(4669, 1000)),
        statement=Statement((), "2/3*(b**3 - 1) >= 4.669"),
        witness={"b": 2},
    ),
    Entry(
        "area under a power, branch cut nearby",
        lambda: integral_compare(Integral(x ** sp.Rational(3, 2), x, 1, 4), "<=", F(12399, 1000)),
        statement=Statement((), "2/5*(b**5 - 1) <= 12.399"),
        witness={"b": 2},
    ),
    Entry(
        "area under the logarithm, branch cut nearby",
        lambda: integral_compare(
            Integral(sp.log(x), x, F(1, 10), 4),
            "<=",
            sp.log(4) * 4 - F(39, 10) - sp.log(F(1, 10)) / 10 - TINY,
        ),
        near_miss=True,
        statement=Statement((), "b*log(b) - b + 1/10 - log(1/10)/10 <= 4*log(4) - 3.9 - log(1/10)/10 - 1e-7"),
        witness={"b": 4},
    ),
    Entry(
        "area beside a pole",
        lambda: integral_compare(Integral(1 / x, x, -1, 2), "<=", 10),
        statement=Statement(("t > 0",), "-log(t) <= 10"),
        witness={"t": F(1, 10**5)},
    ),
    Entry(
        "Pareto tail forgotten",
        lambda: integral_compare(Integral(x**-2, x, 1, Beyond(1000)), "<=", 1 - TINY),
        near_miss=True,
        statement=Statement((), "1 - 1/b <= 1 - 1e-7"),
        witness={"b": 10**8},
    ),
    Entry(
        "area under 1/x is finite",
        lambda: integral_compare(Integral(1 / x, x, 1, Beyond(100)), "<=", 100),
        statement=Statement((), "log(b) <= 100"),
        witness={"b": 10**50},
    ),
    Entry(
        "area under 1/sqrt(x) is finite",
        lambda: integral_compare(Integral(x ** sp.Rational(-1, 2), x, 1, Beyond(100)), "<=", 10**6),
        statement=Statement((), "2*(b - 1) <= 10**6"),
        witness={"b": 10**6},
    ),
    Entry(
        "growing integrand",
        lambda: integral_compare(Integral(sp.exp(x), x, 0, Beyond(10)), "<=", 10**6),
        statement=Statement((), "exp(b) - 1 <= 10**6"),
        witness={"b": 20},
    ),
    Entry(
        "tail inequality that nobody proved",
        lambda: integral_compare(
            Integral(sp.log(1 + sp.exp(x)), x, 0, Beyond(1, scale=1, rate=1, prove=_unproved)), "<=", 10**6
        ),
        statement=Statement((), "log(2)*b <= 10**6"),
        witness={"b": 10**7},
    ),
    Entry(
        "endpoint power",
        lambda: integral_compare(unfold_power(sp.Integer(1), x, 0, 1, F(-1, 2)), "<=", 2 - TINY),
        near_miss=True,
        statement=Statement((), "2*sqrt(b) <= 2 - 1e-7"),
        witness={"b": 1},
    ),
    Entry(
        "endpoint logarithm",
        lambda: integral_compare(unfold_log(-sp.log(x), x, 0, 1, 50), "<=", 1 - TINY),
        near_miss=True,
        statement=Statement((), "b - b*log(b) <= 1 - 1e-7"),
        witness={"b": 1},
    ),
    Entry(
        "three dice rolls with stopping",
        lambda: dynamic_program(dice(3), "<=", F(14, 3) - TINY),
        near_miss=True,
        statement=Statement((), "(6 + 5)/6 + 2/3*v <= 14/3 - 1e-7"),
        witness={"v": F(17, 4)},
    ),
    Entry(
        "secretary problem with four candidates",
        lambda: dynamic_program(secretary(4), ">", F(11, 24)),
        near_miss=True,
        statement=Statement((), "1/4*(1 + 1/2 + 1/3) > 11/24"),
        witness={},
    ),
    Entry(
        "Bayesian bandit cannot beat a fair coin",
        lambda: dynamic_program(two_coins(4), "<=", 2),
        statement=Statement((), "v <= 2"),
        witness={"v": F(41, 18)},
    ),
]
