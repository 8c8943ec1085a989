"""False statements about sums, numbers and games; most of them only just false."""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.verify.search.exact import closed, compare
from glbcheck.verify.search.games import dynamic_program

from tests.corpus import false
from tests.corpus.games import dice, secretary, two_coins

TINY = F(1, 10**7)
HARMONIC = f"sum(1/n, n, 1, 20) <= {F(55835135, 15519504) - TINY}"
HALVES = "sum(1/2**n, n, 1, 50) == 1"

ENTRIES = [
    false("harmonic number a little too small", lambda: closed(HARMONIC), HARMONIC, {}, near_miss=True),
    false("finite geometric sum equals its limit", lambda: closed(HALVES), HALVES, {}, near_miss=True),
    false("second moment of a die", lambda: compare(F(91, 6), "<=", 15), "(1 + 4 + 9 + 16 + 25 + 36)/6 <= 15", {}),
    false("a number below itself", lambda: compare(F(1, 3), "<", F(1, 3)), "x < 1/3", {"x": F(1, 3)}, near_miss=True),
    false("three dice rolls with stopping", lambda: dynamic_program(dice(3), "<=", F(14, 3) - TINY),
          "(6 + 5)/6 + 2/3*v <= 14/3 - 1e-7", {"v": F(17, 4)}, near_miss=True),
    false("secretary problem with four candidates", lambda: dynamic_program(secretary(4), ">", F(11, 24)),
          "1/4*(1 + 1/2 + 1/3) > 11/24", {}, near_miss=True),
    false("Bayesian bandit cannot beat a fair coin", lambda: dynamic_program(two_coins(4), "<=", 2),
          "v <= 2", {"v": F(41, 18)}),
]  # fmt: skip
