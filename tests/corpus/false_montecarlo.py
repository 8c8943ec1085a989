"""Failure probabilities that exceed what is claimed of them, some by one in ten million."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial

from glbcheck.verify.search.montecarlo import Sampler, bernoulli_at_most

from tests.corpus import Entry, false
from tests.corpus.coins import coin, leaving_probability, two_dice_at_least, walk_leaves

LEVEL = F(1, 1000)
TINY = F(1, 10**7)


def above(name: str, p: F, limit: F, n: int, rival: F, seed: int, sampler: Sampler | None = None) -> Entry:
    """The claim that a sampler (by default a coin), which fails with probability p, fails with at most `limit`."""
    run = partial(bernoulli_at_most, sampler or coin(p), limit, n, LEVEL, rival, seed=seed)
    return false(name, run, f"p <= {limit}", {"p": p}, near_miss=p - limit <= F(1, 10**6))


ENTRIES = [
    above("coin far above", F(1, 5), F(1, 20), 2000, F(1, 10), 1),
    above("coin a hair above", F(1, 20) + TINY, F(1, 20), 4000, F(1, 10), 2),
    above("fair coin a hair above", F(1, 2) + TINY, F(1, 2), 4000, F(3, 5), 3),
    above("two dice", F(3, 36), F(1, 12) - TINY, 4000, F(1, 6), 4, two_dice_at_least(11)),
    above("walk without its reflection", leaving_probability(10, 50), F(1, 20), 2000, F(1, 5), 5, walk_leaves(10, 50)),
    above("too few trials to say anything", F(1, 2), F(1, 10**6), 100, F(1, 2), 6),
]
