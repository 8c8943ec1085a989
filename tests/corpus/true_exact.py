"""True statements about sums, expectations, integrals and games; several hold with equality."""

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
from tests.corpus.false_exact import EXPONENTIAL, GAUSS, LINE, TINY, x
from tests.corpus.games import dice, secretary, two_coins

BINOMIAL = {k: F(sp.binomial(6, k).p) * F(1, 3) ** k * F(2, 3) ** (6 - k) for k in range(7)}


def _softplus_tail(statement: Statement) -> Evidence:
    """log(1 + exp(-x)) <= exp(-x) <= 7/1000 · exp(-(x - 5)), because log(1 + y) <= y and exp(-5) < 7/1000."""
    known = Statement(("x >= 5",), "abs(log(1 + exp(-x))) <= (7/1000)*exp(-(1)*(x - (5)))")
    verdict = Verdict.PROVED if statement == known else Verdict.UNDECIDED
    return Evidence(verdict, "test", "log(1 + y) <= y at y = exp(-x)")


def _halved() -> Evidence:
    return Evidence(Verdict.PROVED, "test", "abs((-1)**n/2**n) <= 1/2**n")


ENTRIES = [
    Entry(
        "sum of the first integers", lambda: compare(finite_sum(lambda n: n, 1, 100), "==", 5050), sharp=True
    ),
    Entry(
        "mean of the binomial law", lambda: compare(expectation(BINOMIAL, lambda k: k), "==", 2), sharp=True
    ),
    Entry(
        "variance of the binomial law",
        lambda: compare(expectation(BINOMIAL, lambda k: (k - 2) ** 2), "<=", F(4, 3)),
        sharp=True,
    ),
    Entry("a number is at most itself", lambda: compare(F(22, 7), "<=", F(22, 7)), sharp=True),
    Entry(
        "finite geometric sum below its limit",
        lambda: compare(finite_sum(lambda n: F(1, 2**n), 1, 50), "<", 1),
    ),
    Entry("e to seven digits", lambda: series_compare([(1, EXPONENTIAL)], ">", F(27182818, 10**7))),
    Entry(
        "infinite geometric sum",
        lambda: series_compare([(1, series(1, [-1], [3]))], "==", F(3, 4)),
        sharp=True,
    ),
    Entry(
        "variance of the Poisson law",
        lambda: series_compare([(1, series(1, [1, 1], [0, 0, 1], 1)), (-2, EXPONENTIAL)], "<=", TINY),
    ),
    Entry(
        "mean of the geometric law",
        lambda: series_compare([(1, series(F(1, 2), [1, 1], [0, 2], 1))], "<=", 2 + TINY),
    ),
    Entry(
        "dominated alternating sum",
        lambda: dominated_sum(
            lambda n: F((-1) ** n, 2**n), series(1, [1], [2]), _halved(), "<=", F(2, 3) + TINY
        ),
    ),
    Entry("fourth moment of the Gaussian", lambda: expectation_compare(GAUSS, x**4, x, LINE, "<=", 3 + TINY)),
    Entry(
        "odd moment of the Gaussian vanishes",
        lambda: expectation_compare(GAUSS, x**3, x, LINE, "<=", F(1, 10**12)),
    ),
    Entry(
        "moment generating function of the Gaussian",
        lambda: expectation_compare(
            GAUSS, sp.exp(x), x, LINE, "<=", sp.exp(sp.Rational(1, 2)) + sp.Rational(1, 10**12)
        ),
    ),
    Entry(
        "Gaussian fourth moment is exactly three at most",
        lambda: expectation_compare(GAUSS, x**4, x, LINE, "<=", 3),
        sharp=True,
    ),
    Entry(
        "area under the root",
        lambda: integral_compare(Integral(sp.sqrt(x), x, 1, 4), "<=", F(14, 3) + F(1, 10**12)),
    ),
    Entry(
        "area under the logarithm",
        lambda: integral_compare(
            Integral(sp.log(x), x, F(1, 10), 4),
            ">=",
            sp.log(4) * 4 - F(39, 10) - sp.log(F(1, 10)) / 10 - TINY,
        ),
    ),
    Entry(
        "area under a kink",
        lambda: integral_compare(Integral(sp.Abs(x), x, -1, 2), "<=", F(5, 2) + F(1, 10**9)),
    ),
    Entry("Pareto law", lambda: integral_compare(Integral(3 * x**-4, x, 1, Beyond(1000)), "<=", 1 + TINY)),
    Entry(
        "Cauchy law",
        lambda: integral_compare(
            Integral(1 / (1 + x**2), x, Beyond(-(10**4)), Beyond(10**4)), "<=", F(22, 7)
        ),
    ),
    Entry(
        "supplied tail",
        lambda: integral_compare(
            Integral(sp.log(1 + sp.exp(-x)), x, 0, Beyond(5, scale=F(7, 1000), rate=1, prove=_softplus_tail)),
            "<=",
            F(5, 6),
        ),
    ),
    Entry(
        "endpoint power",
        lambda: integral_compare(unfold_power(sp.Integer(1), x, 0, 1, F(-1, 2)), "<=", 2 + F(1, 10**15)),
    ),
    Entry(
        "endpoint power on the right",
        lambda: integral_compare(unfold_power(x, x, 1, 0, F(-2, 3)), "<=", F(9, 4) + TINY),
    ),
    Entry(
        "endpoint logarithm", lambda: integral_compare(unfold_log(-sp.log(x), x, 0, 1, 50), "<=", 1 + TINY)
    ),
    Entry("three dice rolls with stopping", lambda: dynamic_program(dice(3), "==", F(14, 3)), sharp=True),
    Entry(
        "secretary problem with four candidates",
        lambda: dynamic_program(secretary(4), "<=", F(11, 24)),
        sharp=True,
    ),
    Entry("Bayesian bandit beats a fair coin", lambda: dynamic_program(two_coins(4), ">", 2)),
]
