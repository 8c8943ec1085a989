"""Rewards of arms that stay, prepared in compiled code a few at a time, with the numbers of the family's own sampler.

A recipe says what an arm draws: a kind and two numbers.  Of a sampler that is not known here there is none, and Python
calls it for many rewards at a time (`feed`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from glbcheck.core._numba import apart, as_written
from glbcheck.core.arrays import Floats
from glbcheck.core.catalog import bernoulli, gaussian, poisson, scaled_poisson
from glbcheck.core.engine import streams
from glbcheck.core.engine.streams import Streams, normal, uniform
from glbcheck.core.family import Family, Sampler

DEPTH = 32  # rewards prepared at a time
MEAN, NORMAL, CHANCE, COUNT = range(4)
NO_RECIPES = np.zeros((0, 3))
NO_STREAMS = np.zeros((0, streams.SIZE), dtype=np.int64)

Recipe = tuple[int, Floats, Floats | float]


def _normal(z: Floats, g: float) -> Recipe:
    return NORMAL, z, g**0.5


def _chance(z: Floats, g: float) -> Recipe:
    """A uniform number beyond the first is the rarer outcome; the second is the other one."""
    odds = np.exp(-np.abs(z))
    return CHANCE, 1 - odds / (1 + odds), (z > 0).astype(float)


def _count(z: Floats, g: float) -> Recipe:
    return COUNT, np.exp(z) / g, g


_KNOWN: dict[Sampler, Callable[[Floats, float], Recipe]] = {
    gaussian.sample: _normal, bernoulli.sample: _chance, poisson.sample: _count, scaled_poisson.sample: _count,
}  # fmt: skip


def counts(family: Family) -> bool:
    """Are its rewards g times counts of rate exp(z)/g?"""
    return _KNOWN.get(family.sampler) is _count


def recipes_of(family: Family, naturals: Floats, dispersion: float, noisy: bool) -> Floats:
    """A row for each arm, or none at all."""
    if noisy and family.sampler not in _KNOWN:
        return NO_RECIPES
    recipe = _KNOWN[family.sampler](naturals, dispersion) if noisy else (MEAN, family.mu(naturals), 0.0)
    rows = np.empty((naturals.size, 3))
    rows[:, 0], rows[:, 1], rows[:, 2] = recipe
    return rows


@as_written
def fill(stacks: Floats, arms: Streams, recipes: Floats, words: Streams) -> None:
    """The first rewards of every arm; `words` are those of the name of a stream, of which the last is the arm."""
    streams.open_numbered(words, arms)
    for k in range(stacks.shape[0]):
        restock(stacks[k], arms[k], recipes[k])


@as_written
@apart
def restock(stack: Floats, arm: Streams, recipe: Floats) -> None:
    """The next rewards of an arm."""
    kind, a, b = recipe[0], recipe[1], recipe[2]
    for i in range(stack.size):
        if kind == NORMAL:
            stack[i] = a + b * normal(arm)
        elif kind == CHANCE:
            stack[i] = 1.0 - b if uniform(arm) > a else b
        elif kind == COUNT:
            stack[i] = b * streams.poisson(arm, a)
        else:
            stack[i] = a
