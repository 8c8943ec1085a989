"""What the compiled rounds are fed: arms, dispersions and rewards, block after block.

Rewards come from the family's own sampler, exactly, although the compiled rounds cannot call it.  With arms
and dispersion that stay, arm k draws from a stack of rewards prepared for it; otherwise a reward is prepared
for every arm of a block of rounds, and the one of the arm that is played is used.  Either way a reward is
independent of what the learner knew when it chose, and has the law of the arm it chose.

Streams of random numbers are named by `SeedSequence(seed, spawn_key=...)`, so a run gives the same numbers in
any process and beside any number of others, and the n-th reward of a fixed arm does not depend on the
learner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

import numpy as np
from glbcheck.core.engine import attack as by
from glbcheck.core.engine import choice, link
from glbcheck.core.engine.draws import check_dispersions, draw
from glbcheck.core.environment import STREAMS
from glbcheck.core.errors import BadInput
from glbcheck.core.observed import UNIT
from glbcheck.core.parameters import Parameters
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Blocks: TypeAlias = Callable[[np.random.Generator, int, int], Floats]

BLOCK = 512  # rounds whose changing arms or dispersions are held in memory at a time
STACK = 2048  # rewards prepared at a time for an arm that stays
_ARMS, _DISPERSIONS, _REWARDS, _ADVERSARY = range(len(STREAMS))


@dataclass(frozen=True)
class World:
    """What the learner plays against.

    `arms` is (K, d) for arms that stay, (T, K, d), or a function of a generator, the first round (from 0)
    and a number of rounds that returns their arms.  `dispersions` likewise: a number, T numbers, or a
    function.  Rewards are means if not `noisy`.
    """

    theta_star: Floats
    arms: Floats | Blocks
    dispersions: float | Floats | Blocks = 1.0
    attack: by.Attack = field(default_factory=by.none)
    noisy: bool = True

    @property
    def arms_stay(self) -> bool:
        return not callable(self.arms) and np.ndim(self.arms) == 2


@dataclass
class Block:
    """Some rounds, as the compiled code reads them; see `core.engine.rounds.play`."""

    arms: Floats
    dispersions: Floats
    outcomes: Floats
    used: Integers
    planned: Floats
    chances: Floats
    room: Floats


class Feed:
    """Arms, dispersions and rewards, block after block."""

    def __init__(
        self, p: Parameters, world: World, theta_star: Floats, rounds: int, seed: int, key: tuple[int, ...]
    ) -> None:
        self.p, self.world, self.theta_star, self.rounds = p, world, theta_star, rounds
        self.link, self.attack = link.pack(p.family, p.S), world.attack.packed()
        self._rng = [_stream(seed, key, number) for number in range(len(STREAMS))]
        self._arms_stay = world.arms_stay
        self._stacked = False
        if self._arms_stay:
            self._arms = _checked(np.asarray(world.arms, dtype=float)[None], 1, p.d)
            self._room = choice.room(self._arms.shape[1], p.d)
            if isinstance(world.dispersions, int | float):
                self._prepare_stacks(world.dispersions, seed, key)

    def _prepare_stacks(self, dispersion: float, seed: int, key: tuple[int, ...]) -> None:
        """A column of rewards for every arm, all of them used up."""
        self._stacked, K = True, self._arms.shape[1]
        self._g = self.p.family.check_dispersion(dispersion)
        self._z = np.clip(self._arms[0] @ self.theta_star, -self.p.S, self.p.S)
        depth = min(STACK, max(self.rounds, 1))
        self._stack, self._used = np.empty((depth, K)), np.full(K, depth, dtype=np.int64)
        self._of_arm = [_stream(seed, key, _REWARDS, k) for k in range(K)]

    def block(self, first: int) -> Block:
        """The rounds from number `first` (from 0) on; `refill` must follow."""
        count = min(self.rounds - first, 64 * BLOCK if self._stacked else BLOCK)
        planned, chances = self._plans(first, count)
        if self._stacked:
            g = np.full(count, self._g)
            return Block(self._arms, g, self._stack, self._used, planned, chances, self._room)
        p = self.p
        g = _piece(self.world.dispersions, self._rng[_DISPERSIONS], first, count)
        if g.shape not in ((), (count,)):
            raise BadInput("dispersions", f"array of shape {g.shape}", "a number, or one number per round")
        g = check_dispersions(p.family, np.broadcast_to(g, (count,)))
        if self._arms_stay:
            arms, room = self._arms, self._room
        else:
            arms = _checked(_piece(self.world.arms, self._rng[_ARMS], first, count), count, p.d)
            room = choice.room(arms.shape[1], p.d)
        z = np.clip(arms @ self.theta_star, -p.S, p.S)
        outcomes = self._draw(self._rng[_REWARDS], np.broadcast_to(z, (count, arms.shape[1])), g)
        return Block(arms, g, outcomes, np.zeros(0, dtype=np.int64), planned, chances, room)

    def refill(self, block: Block) -> None:
        """Fresh rewards for every arm whose stack is used up."""
        for k in np.flatnonzero(block.used == block.outcomes.shape[0]) if block.used.size else ():
            depth = block.outcomes.shape[0]
            g = np.full(depth, self._g)
            block.outcomes[:, k] = self._draw(self._of_arm[k], np.full((depth, 1), self._z[k]), g)[:, 0]
            block.used[k] = 0

    def _draw(self, rng: np.random.Generator, z: Floats, g: Floats) -> Floats:
        return draw(self.p.family, rng, z, g) if self.world.noisy else self.p.family.mu(z)

    def _plans(self, first: int, count: int) -> tuple[Floats, Floats]:
        """What the adversary has written down for these rounds, and the chances it takes."""
        planned = np.zeros(count)
        if self.world.attack.schedule is not None:
            listed = self.world.attack.schedule[first : first + count]
            planned[: listed.size] = listed
        if self.world.attack.kind == by.NONE:
            return planned, planned
        return planned, self._rng[_ADVERSARY].random(count)


def _stream(seed: int, key: tuple[int, ...], *number: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, *number)))


def _piece(source: float | Floats | Blocks, rng: np.random.Generator, first: int, count: int) -> Floats:
    if callable(source):
        return np.asarray(source(rng, first, count), dtype=float)
    whole = np.asarray(source, dtype=float)
    return whole if whole.ndim == 0 else whole[first : first + count]


def dispersion_range(world: World, rounds: int, seed: int, key: tuple[int, ...]) -> tuple[float, float]:
    """The smallest and the largest dispersion of the run that `seed` and `key` name."""
    rng, low, high = _stream(seed, key, _DISPERSIONS), inf, 0.0
    for first in range(0, rounds, BLOCK):
        g = _piece(world.dispersions, rng, first, min(rounds - first, BLOCK))
        low, high = min(low, float(g.min())), max(high, float(g.max()))
    return low, high


def _checked(arms: Floats, count: int, d: int) -> Floats:
    if arms.ndim != 3 or arms.shape[0] != count or arms.shape[1] < 1 or arms.shape[2] != d:
        raise BadInput("arms", f"array of shape {arms.shape}", f"(K, {d}), or (rounds, K, {d}), with K >= 1")
    if not (np.einsum("tkj,tkj->tk", arms, arms) <= UNIT**2).all():
        raise BadInput("arms", "an arm", "finite arms of norm at most 1")
    return np.array(arms, order="C")  # a copy, so that its type is the one the kernels are compiled for
