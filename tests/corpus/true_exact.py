"""True statements about sums, numbers and games; several hold with equality."""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.verify.search.exact import closed, compare
from glbcheck.verify.search.games import dynamic_program

from tests.corpus import Entry
from tests.corpus.games import dice, secretary, two_coins

ENTRIES = [
    Entry("sum of the first integers", lambda: closed("sum(n, n, 1, 100) == 5050"), sharp=True),
    Entry("a number is at most itself", lambda: compare(F(22, 7), "<=", F(22, 7)), sharp=True),
    Entry("finite geometric sum below its limit", lambda: closed("sum(1/2**n, n, 1, 50) < 1")),
    Entry("three dice rolls with stopping", lambda: dynamic_program(dice(3), "==", F(14, 3)), sharp=True),
    Entry("secretary problem with four candidates", lambda: dynamic_program(secretary(4), "<=", F(11, 24)), sharp=True),
    Entry("Bayesian bandit beats a fair coin", lambda: dynamic_program(two_coins(4), ">", 2)),
]
