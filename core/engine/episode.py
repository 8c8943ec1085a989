"""An episode: a world, how many rounds of it are played, and the blocks of rounds that the loop is fed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import NUMBER, ROOM, STATE, loop
from glbcheck.core.engine.linear import dot
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
        rng, given = self.stream(DISPERSIONS), self.world.dispersions
        found = [np.asarray(piece(given, rng, first, count)) for first, count in self.pieces()]
        return min((float(g.min()) for g in found), default=np.inf), max((float(g.max()) for g in found), default=0.0)

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
    attacked, stay, known = world.attack.kind != adversary.NONE, world.arms_stay, None
    for first, count in episode.pieces():
        g = _dispersions(p, world, rngs[DISPERSIONS], first, count)
        if known is None or not stay:
            known = _seen(
                np.asarray(world.arms, dtype=float)[None] if stay else piece(world.arms, rngs[ARMS], first, count),
                1 if stay else count,
                world.hostile_contexts,
                theta_star,
                p.S,
            )
        arms, naturals = known
        if world.rewards is not None:
            draws = piece(world.rewards, rngs[REWARDS], first, count)
        else:
            draws = draws_of(law, p.family, rngs[REWARDS], naturals, g)
        yield Block(
            arms, naturals, g, np.ascontiguousarray(draws, dtype=float), world.attack.caps_of(first, count),
            rngs[ADVERSARY].random(count) if attacked else np.zeros(count),
            rngs[PICKS].integers(naturals.shape[1], size=count).astype(float) if picks else np.zeros(0),
        )  # fmt: skip


def _seen(sets: Floats, count: int, copies: bool, theta_star: Floats, S: float) -> tuple[Floats, Floats]:
    """Checked arms as compiled code takes them, and ⟨x, θ*⟩; a copy if adversarial contexts are written there."""
    if sets.ndim != 3 or sets.shape[0] != count or sets.shape[1] < 1 or sets.shape[2] != theta_star.size:
        found = f"(K, {theta_star.size}), or (rounds, K, {theta_star.size}), with K >= 1"
        raise BadInput("arms", f"array of shape {sets.shape}", found)
    if copies or not (sets.flags.c_contiguous and sets.flags.aligned and sets.flags.writeable):
        sets = np.array(sets, order="C")
    naturals = np.empty(sets.shape[:2])
    if not measure(sets.reshape(-1, theta_star.size), theta_star, S, naturals.reshape(-1)):
        raise BadInput("arms", "an arm", "finite arms of norm at most 1")
    return sets.reshape(-1), naturals


@loop(ROOM, STATE, NUMBER, STATE)
def measure(arms: Floats, theta_star: Floats, S: float, naturals: Floats) -> bool:
    """⟨x, θ*⟩ of every arm, kept in [-S, S]; are all arms of norm at most 1?"""
    within = True
    for k in range(naturals.size):
        within &= dot(arms[k], arms[k]) <= UNIT * UNIT  # not so for what is not a number
        naturals[k] = min(max(dot(arms[k], theta_star), -S), S)
    return within


def _dispersions(p: Parameters, world: World, rng: Rng, first: int, count: int) -> Floats:
    g = piece(world.dispersions, rng, first, count)
    if g.shape not in ((), (count,)):
        raise BadInput("dispersions", f"array of shape {g.shape}", "a number, or one number per round")
    for extreme in (g.min(), g.max()):
        p.promised(float(extreme))
    return check_dispersions(p.family, np.array(np.broadcast_to(g, (count,))))
