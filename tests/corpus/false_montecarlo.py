"""Failure probabilities that exceed what is claimed of them, some by one in ten million."""

from __future__ import annotations

from fractions import Fraction as F

from glbcheck.verify.claim import Statement
from glbcheck.verify.search.montecarlo import bernoulli_anytime, bernoulli_at_most

from tests.corpus import Entry
from tests.corpus.coins import coin, leaving_probability, two_dice_at_least, walk_leaves

LEVEL = F(1, 1000)
TINY = F(1, 10**7)

ENTRIES = [
    Entry(
        "coin far above",
        lambda: bernoulli_at_most(coin(F(1, 5)), F(1, 20), 2000, LEVEL, F(1, 10), seed=1),
        statement=Statement((), "p <= 1/20"),
        witness={"p": F(1, 5)},
    ),
    Entry(
        "coin a hair above",
        lambda: bernoulli_at_most(coin(F(1, 20) + TINY), F(1, 20), 4000, LEVEL, F(1, 10), seed=2),
        near_miss=True,
        statement=Statement((), "p <= 1/20"),
        witness={"p": F(1, 20) + TINY},
    ),
    Entry(
        "fair coin a hair above",
        lambda: bernoulli_at_most(coin(F(1, 2) + TINY), F(1, 2), 4000, LEVEL, F(3, 5), seed=3),
        near_miss=True,
        statement=Statement((), "p <= 1/2"),
        witness={"p": F(1, 2) + TINY},
    ),
    Entry(
        "two dice",
        lambda: bernoulli_at_most(two_dice_at_least(11), F(1, 12) - TINY, 4000, LEVEL, F(1, 6), seed=4),
        near_miss=True,
        statement=Statement((), "p <= 1/12 - 1/10**7"),
        witness={"p": F(3, 36)},
    ),
    Entry(
        "walk without its reflection",
        lambda: bernoulli_at_most(walk_leaves(10, 50), F(1, 20), 2000, LEVEL, F(1, 5), seed=5),
        statement=Statement((), "p <= 1/20"),
        witness={"p": leaving_probability(10, 50)},
    ),
    Entry(
        "too few trials to say anything",
        lambda: bernoulli_at_most(coin(F(1, 2)), F(1, 10**6), 100, LEVEL, F(1, 2), seed=6),
        statement=Statement((), "p <= 1e-6"),
        witness={"p": F(1, 2)},
    ),
    Entry(
        "anytime, far above",
        lambda: bernoulli_anytime(coin(F(1, 5)), F(1, 20), 4000, LEVEL, F(1, 10), seed=7),
        statement=Statement((), "p <= 1/20"),
        witness={"p": F(1, 5)},
    ),
    Entry(
        "anytime, a hair above",
        lambda: bernoulli_anytime(coin(F(1, 20) + TINY), F(1, 20), 4000, LEVEL, F(1, 10), seed=8),
        near_miss=True,
        statement=Statement((), "p <= 1/20"),
        witness={"p": F(1, 20) + TINY},
    ),
]
