"""False statements about sums, expectations and games; most of them only just false."""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.verify.claim import Statement
from glbcheck.verify.search.exact import closed, compare, expectation
from glbcheck.verify.search.games import dynamic_program

from tests.corpus import Entry
from tests.corpus.games import dice, secretary, two_coins

TINY = F(1, 10**7)
COIN_WEIGHTS = {k: F(1, 4) for k in range(4)}

ENTRIES = [
    Entry(
        "harmonic number a little too small",
        lambda: closed(f"sum(1/n, n, 1, 20) <= {F(55835135, 15519504) - TINY}"),
        near_miss=True,
        statement=Statement((), "55835135/15519504 <= 55835135/15519504 - 1e-7"),
        witness={},
    ),
    Entry(
        "finite geometric sum equals its limit",
        lambda: closed("sum(1/2**n, n, 1, 50) == 1"),
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
