"""Rewards prepared in compiled code, with the numbers of the family's own sampler: a few at a time for an arm that
stays, or one for every arm of a round.

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


def has_recipes(family: Family, noisy: bool) -> bool:
    return not noisy or family.sampler in _KNOWN


def recipes_of(family: Family, naturals: Floats, dispersion: float, noisy: bool) -> Floats:
    """A row for each arm, or none at all."""
    if not has_recipes(family, noisy):
        return NO_RECIPES
    recipe = _KNOWN[family.sampler](naturals, dispersion) if noisy else (MEAN, family.mu(naturals), 0.0)
    rows = np.empty((naturals.size, 3))
    rows[:, 0], rows[:, 1], rows[:, 2] = recipe
    return rows


def draw_every_arm(family: Family, stream: Streams, z: Floats, dispersions: Floats) -> Floats:
    """What `draws.draw` makes of that stream, for a family with recipes; z is (n, K), or (1, K) for all rounds."""
    same = bool((dispersions == dispersions[0]).all())
    known, rewards = _KNOWN[family.sampler], np.empty((dispersions.size, z.shape[1]))
    kind, a, b = known(z, 1.0)
    scales = dispersions
    if kind == NORMAL:  # the root as the sampler takes it
        scales = np.full(dispersions.size, float(dispersions[0]) ** 0.5) if same else dispersions**0.5
    _every_arm(kind, stream, a, np.broadcast_to(b, a.shape).copy(), scales, rewards)
    return rewards


@as_written
def _every_arm(kind: int, stream: Streams, first: Floats, second: Floats, scales: Floats, rewards: Floats) -> None:
    for i in range(rewards.shape[0]):
        row, scale = min(i, first.shape[0] - 1), scales[i]
        for k in range(rewards.shape[1]):
            a, b = first[row, k], second[row, k]
            if kind == NORMAL:
                rewards[i, k] = a + scale * normal(stream)
            elif kind == CHANCE:
                rewards[i, k] = 1.0 - b if uniform(stream) > a else b
            else:
                rewards[i, k] = scale * streams.poisson(stream, a / scale)


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
