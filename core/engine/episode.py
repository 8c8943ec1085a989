"""An episode: a world, how many rounds of it are played, and the blocks of rounds that the loop is fed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.rewards import check_dispersions, draws_of
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import ADVERSARY, ARMS, DISPERSIONS, PICKS, REWARDS, Rng, World, piece, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import UNIT

BLOCK, FIXED_BLOCK = 512, 4096  # rounds that are prepared at a time


@dataclass(frozen=True)
class Episode:
    """A world, how many rounds of it are played, and the name of the run among all runs."""

    world: World
    rounds: int
    seed: int
    key: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.rounds, bool) or not isinstance(self.rounds, int | np.integer) or self.rounds < 0:
            raise BadInput("rounds", self.rounds, "a number of rounds, 0 or more")

    def stream(self, *number: int) -> Rng:
        return stream(self.seed, self.key, *number)

    @property
    def steady(self) -> float | None:
        """The one dispersion of all rounds, if there is one."""
        return float(self.world.dispersions) if isinstance(self.world.dispersions, int | float) else None

    def pieces(self) -> Iterator[tuple[int, int]]:
        """The first round (from 0) of every block, and how many rounds it has."""
        length = FIXED_BLOCK if self.world.arms_stay else BLOCK
        for first in range(0, self.rounds, length):
            yield first, min(self.rounds - first, length)

    @cached_property
    def dispersion_range(self) -> tuple[float, float]:
        """The smallest and the largest dispersion of the run."""
        if self.steady is not None:
            return self.steady, self.steady
        rng, low, high = self.stream(DISPERSIONS), np.inf, 0.0
        for first, count in self.pieces():
            g = piece(self.world.dispersions, rng, first, count)
            low, high = min(low, float(g.min())), max(high, float(g.max()))
        return low, high

    @property
    def places(self) -> int:
        """Places for data: one for each arm that is fixed, however often it is pulled, else one for each round."""
        return len(np.asarray(self.world.arms)) if self.world.arms_stay else max(self.rounds, 1)


class Block(NamedTuple):
    """Some rounds, as `rounds.play_block` reads them."""

    arms: Floats
    naturals: Floats
    dispersions: Floats
    draws: Floats
    caps: Floats
    chances: Floats
    picks: Floats


def blocks(p: Parameters, episode: Episode, law: Floats, theta_star: Floats, picks: bool) -> Iterator[Block]:
    """Arms, dispersions and draws, block after block."""
    world, rngs = episode.world, [episode.stream(number) for number in range(PICKS + 1)]
    attacked = world.attack.kind != adversary.NONE
    for first, count in episode.pieces():
        g = _dispersions(p, world, rngs[DISPERSIONS], first, count)
        whole = (
            np.asarray(world.arms, dtype=float)[None]
            if world.arms_stay
            else piece(world.arms, rngs[ARMS], first, count)
        )
        sets = _checked_arms(whole, 1 if world.arms_stay else count, p.d)
        naturals = np.ascontiguousarray(np.clip(sets @ theta_star, -p.S, p.S))
        if world.rewards is not None:
            draws = piece(world.rewards, rngs[REWARDS], first, count)
        else:
            draws = draws_of(law, p.family, rngs[REWARDS], naturals, g)
        yield Block(
            _writable(sets, world.hostile_contexts).reshape(-1),
            naturals,
            g,
            np.ascontiguousarray(draws, dtype=float),
            world.attack.caps_of(first, count),
            rngs[ADVERSARY].random(count) if attacked else np.zeros(count),
            rngs[PICKS].integers(sets.shape[1], size=count).astype(float) if picks else np.zeros(0),
        )


def _writable(sets: Floats, copies: bool) -> Floats:
    """The arms as compiled code takes them; copied if that is another array, or if adversarial contexts go there."""
    fits = sets.flags.c_contiguous and sets.flags.aligned and sets.flags.writeable and not copies
    return sets if fits else np.array(sets, order="C")


def _dispersions(p: Parameters, world: World, rng: Rng, first: int, count: int) -> Floats:
    g = piece(world.dispersions, rng, first, count)
    if g.shape not in ((), (count,)):
        raise BadInput("dispersions", f"array of shape {g.shape}", "a number, or one number per round")
    for extreme in (g.min(), g.max()):
        p.promised(float(extreme))
    return check_dispersions(p.family, np.array(np.broadcast_to(g, (count,))))


def _checked_arms(sets: Floats, count: int, d: int) -> Floats:
    if sets.ndim != 3 or sets.shape[0] != count or sets.shape[1] < 1 or sets.shape[2] != d:
        raise BadInput("arms", f"array of shape {sets.shape}", f"(K, {d}), or (rounds, K, {d}), with K >= 1")
    if not (np.einsum("nkj,nkj->nk", sets, sets) <= UNIT**2).all():
        raise BadInput("arms", "an arm", "finite arms of norm at most 1")
    return sets
