"""Failure probabilities that stay below what is claimed of them."""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.verify.search.montecarlo import bernoulli_at_most

from tests.corpus import Entry
from tests.corpus.coins import coin, two_dice_at_least, walk_leaves
from tests.corpus.false_montecarlo import LEVEL

ENTRIES = [
    Entry("never fails", lambda: bernoulli_at_most(coin(F(0)), F(1, 100), 1000, LEVEL, F(1, 50), seed=11), sharp=True),
    Entry("coin below", lambda: bernoulli_at_most(coin(F(1, 50)), F(1, 20), 2000, LEVEL, F(1, 10), seed=12)),
    Entry("coin slightly below", lambda: bernoulli_at_most(coin(F(2, 5)), F(1, 2), 2000, LEVEL, F(3, 5), seed=13)),
    Entry("two dice", lambda: bernoulli_at_most(two_dice_at_least(12), F(1, 20), 2000, LEVEL, F(1, 10), seed=14)),
    Entry("a walk", lambda: bernoulli_at_most(walk_leaves(25, 50), F(1, 10), 1000, LEVEL, F(1, 5), seed=15)),
]
