"""What a learner plays against: a hidden parameter, arms, dispersions, an adversary; and sources of chance.

Streams of random numbers are named by `SeedSequence(seed, spawn_key=...)`, so a run gives the same numbers in
any process and beside any number of others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.environment import adversary
from glbcheck.core.errors import BadInput

Rng = np.random.Generator
# From a generator, the first round (from 0) and a number of rounds: what happens in these rounds.
Blocks: TypeAlias = Callable[[Rng, int, int], Floats]

# Each source of chance has a stream of its own; the last two are the instance and the learner's own dice.
ARMS, DISPERSIONS, REWARDS, ADVERSARY, INSTANCE, PICKS = range(6)


def stream(seed: int, key: tuple[int, ...], *number: int) -> Rng:
    """The stream of this number of the run that `seed` and `key` name."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, *number)))


@dataclass(frozen=True)
class World:
    """What the learner plays against.

    `arms` is (K, d) for arms that stay, (T, K, d), or a function of the rounds.  `dispersions` likewise: a
    number, T numbers, or a function.  Rewards are means if not `noisy`; `rewards` in their place are what every arm of
    every round pays, for arms that change.  With `hostile_contexts` an adversary shows two of a round's arms, which
    must change from round to round.
    """

    theta_star: Floats
    arms: Floats | Blocks
    dispersions: float | Floats | Blocks = 1.0
    attack: adversary.Attack = adversary.NO_ATTACK
    noisy: bool = True
    hostile_contexts: bool = False
    rewards: Blocks | None = None

    def __post_init__(self) -> None:
        accepted = "arms that change from round to round, not arms that stay"
        if self.rewards is not None and self.arms_stay:
            raise BadInput("rewards", "rewards of their own", accepted)
        if self.hostile_contexts and self.arms_stay:
            raise BadInput("hostile_contexts", True, accepted)

    @property
    def arms_stay(self) -> bool:
        return not callable(self.arms) and np.ndim(self.arms) == 2


def piece(source: float | Floats | Blocks, rng: Rng, first: int, count: int) -> Floats:
    """The part of arms that change, or of dispersions, that belongs to `count` rounds from `first` on."""
    if callable(source):
        return np.asarray(source(rng, first, count), dtype=float)
    whole = np.asarray(source, dtype=float)
    return whole if whole.ndim == 0 else whole[first : first + count]


def sphere(rng: Rng, K: int, d: int) -> Floats:
    """K uniformly random unit vectors."""
    points = rng.standard_normal((K, d))
    lengths = np.sqrt(np.einsum("ij,ij->i", points, points))
    lengths[lengths == 0] = 1.0
    return np.asarray(points / lengths[:, None])


def changing(K: int, d: int, length: float = 1.0) -> Blocks:
    """K fresh random directions in every round."""
    return lambda rng, first, count: length * sphere(rng, count * K, d).reshape(count, K, d)


def basis(d: int) -> Floats:
    """The unit vectors along the axes, in both directions."""
    return np.concatenate([np.eye(d), -np.eye(d)])


def corruption_arms(d: int, phi: float) -> Floats:
    """app:lower-bound-corruption: x_i = e_1 cos φ + e_{i+1} sin φ, for i = 1 … d - 1."""
    if d < 2 or not 0 < phi < math.pi / 2:
        raise BadInput("(d, phi)", (d, phi), "d >= 2 and 0 < φ < π/2")
    arms = math.sin(phi) * np.eye(d)[1:]
    arms[:, 0] = math.cos(phi)
    return arms


def decades(low: float, high: float) -> Blocks:
    """Independent dispersions, uniform on a logarithmic scale."""
    bottom, top = math.log(low), math.log(high)
    return lambda rng, first, count: np.exp(rng.uniform(bottom, top, count))
