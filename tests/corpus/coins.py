"""Samplers with a known failure probability."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from glbcheck.verify.search.montecarlo import Sampler


def coin(p: Fraction) -> Sampler:
    """Fails with probability p exactly: an integer below the numerator out of the denominator."""

    def sample(generator: np.random.Generator, trials: int) -> int:
        return int(np.count_nonzero(generator.integers(p.denominator, size=trials) < p.numerator))

    return sample


def two_dice_at_least(total: int) -> Sampler:
    """Fails when two dice show `total` or more."""

    def sample(generator: np.random.Generator, trials: int) -> int:
        return int(np.count_nonzero(generator.integers(1, 7, size=(trials, 2)).sum(axis=1) >= total))

    return sample


def walk_leaves(bound: int, steps: int) -> Sampler:
    """Fails when a fair ±1 walk leaves (-bound, bound) within the given number of steps."""

    def sample(generator: np.random.Generator, trials: int) -> int:
        paths = np.cumsum(2 * generator.integers(2, size=(trials, steps)) - 1, axis=1)
        return int(np.count_nonzero(np.abs(paths).max(axis=1) >= bound))

    return sample


def leaving_probability(bound: int, steps: int) -> Fraction:
    """The failure probability of `walk_leaves`, by carrying the law of the walk along exactly."""
    inside = {0: Fraction(1)}
    for _ in range(steps):
        moved: dict[int, Fraction] = {}
        for place, weight in inside.items():
            for following in (place - 1, place + 1):
                if abs(following) < bound:
                    moved[following] = moved.get(following, Fraction(0)) + weight / 2
        inside = moved
    return 1 - sum(inside.values(), Fraction(0))
