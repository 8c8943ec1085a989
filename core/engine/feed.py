"""What the compiled rounds are fed: arms, dispersions and rewards, block after block.

Compiled rounds cannot call the family's own sampler.  With arms and dispersion that stay, arm k draws from a stack
of rewards that it has prepared, a short one that the rounds fill again where `stacks` knows the sampler; where one of
them changes, a round brings one draw, which `laws` makes a reward of whichever arm is played.  Where neither is
possible a reward is prepared for every arm of a block of rounds.  Any way a reward is independent of what the learner
knew when it chose, and has the law of the arm it chose; neither the n-th reward of a fixed arm nor what an arm would
pay in a round depends on the learner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link
from glbcheck.core.engine.arms import room
from glbcheck.core.engine.attacks import ledger_of
from glbcheck.core.engine.draws import check_dispersions, draw
from glbcheck.core.engine.laws import COUNTED, EVERY, EVERY_ARM, draws_of, law_of
from glbcheck.core.engine.rounds import Block, Truth
from glbcheck.core.engine.stacks import DEPTH, NO_RECIPES, NO_STREAMS, fill, recipes_of
from glbcheck.core.engine.streams import SIZE, Streams, open_stream, words_of
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import ADVERSARY, ARMS, DISPERSIONS, PICKS, REWARDS, World, piece, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.observed import checked_vector
from glbcheck.core.parameters import Parameters
from glbcheck.core.tolerances import UNIT

BLOCK = 512  # rounds whose changing arms are held in memory at a time
LONG_BLOCK = 64 * BLOCK  # rounds of arms that stay, after which what is known of them is worked out afresh
LONGER = 8  # times as many of arms that stay, whose dispersions change
STACK = 2048  # rewards that Python prepares at a time for an arm that stays
_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Course:
    """A world, how many rounds of it are played, and the name of the run among all runs."""

    world: World
    rounds: int
    seed: int
    key: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.rounds, bool) or not isinstance(self.rounds, int | np.integer) or self.rounds < 0:
            raise BadInput("rounds", self.rounds, "a number of rounds, 0 or more")

    def stream(self, *number: int) -> np.random.Generator:
        return stream(self.seed, self.key, *number)

    def words(self, *number: int) -> Streams:
        """The name of that stream, for compiled code."""
        return words_of(self.seed, (*self.key, *number))

    @property
    def steady(self) -> float | None:
        """The one dispersion of all rounds, if there is one."""
        return float(self.world.dispersions) if isinstance(self.world.dispersions, int | float) else None

    @property
    def block_length(self) -> int:
        """Rounds that are prepared at a time."""
        if not self.world.arms_stay:
            return BLOCK
        return LONGER * BLOCK if self.steady is None else LONG_BLOCK

    def dispersion_range(self) -> tuple[float, float]:
        """The smallest and the largest dispersion of the run."""
        if self.steady is not None:
            return self.steady, self.steady
        rng, low, high, length = self.stream(DISPERSIONS), inf, 0.0, self.block_length
        for first in range(0, self.rounds, length):
            g = piece(self.world.dispersions, rng, first, min(self.rounds - first, length))
            low, high = min(low, float(g.min())), max(high, float(g.max()))
        return low, high


class Feed:
    """Arms, dispersions and rewards, block after block; `picks` if the learner draws arms at random."""

    def __init__(self, p: Parameters, course: Course, picks: bool = False) -> None:
        self.p, self.course, self.world = p, course, course.world
        theta_star = np.array(checked_vector("theta_star", self.world.theta_star, p.d, UNIT * p.S))
        hostile = bool(self.world.hostile_contexts)
        self.truth = Truth(link.pack(p.family, p.S), theta_star, ledger_of(self.world.attack), hostile)
        self._opened: dict[int, np.random.Generator] = {}
        self._picks = picks
        self._stacked, self._law = False, self._law_of_rewards()
        self.recipes, self.streams = NO_RECIPES, NO_STREAMS
        if self._law[0] == COUNTED:
            self.streams = np.empty((2, SIZE), dtype=np.int64)
            open_stream(course.words(REWARDS), self.streams[0])
        self._space: Floats | None = None  # for arms that change
        self._steady: float | None = None  # the one dispersion of all rounds, once it is checked
        if self.world.arms_stay:
            self.arms = _checked(np.asarray(self.world.arms, dtype=float)[None], 1, p.d, True)
            check_lengths(self.arms)
            if course.steady is not None:
                self._prepare_stacks(course.steady)

    def _stream(self, number: int) -> np.random.Generator:
        if number not in self._opened:
            self._opened[number] = self.course.stream(number)
        return self._opened[number]

    @cached_property
    def _room(self) -> Floats:
        return room(self.arms.shape[1], self.p.d)

    def _prepare_stacks(self, dispersion: float) -> None:
        """A row of rewards for every arm, and how many of it are used: all where Python draws."""
        self._stacked, K, world = True, self.arms.shape[1], self.world
        self.dispersion = self.p.promised(self.p.family.check_dispersion(dispersion))
        naturals, rounds = self._naturals(self.arms[0]), max(self.course.rounds, 1)
        self.recipes = recipes_of(self.p.family, naturals, self.dispersion, world.noisy)
        if self.recipes.size:
            self.stack, self.used = np.empty((K, min(DEPTH, rounds))), np.zeros(K, dtype=np.int64)
            self.streams = np.empty((K, SIZE), dtype=np.int64)
            fill(self.stack, self.streams, self.recipes, self.course.words(REWARDS, 0))
            return
        depth = min(STACK, rounds)
        self._z, self._g = np.broadcast_to(naturals[:, None, None], (K, depth, 1)), np.array([self.dispersion])
        self.stack, self.used = np.empty((K, depth)), np.full(K, depth, dtype=np.int64)
        self._of_arm = [self.course.stream(REWARDS, k) for k in range(K)]

    def keep_stacks_in(self, stack: Floats, used: Any) -> None:
        """Prepare rewards here, (K, depth), and count here, for rounds that draw from the stacks of several runs."""
        stack[:], used[:] = self.stack, self.used
        self.stack, self.used = stack, used

    def block(self, first: int, goes_on: bool = False) -> Block:
        """The rounds from number `first` (from 0) on; `refill` must follow.

        It goes on if the learner is the one that played the block before, and may rely on what that left behind.
        """
        count = min(self.course.rounds - first, self.course.block_length)
        if self._stacked:
            arms, space, used = self.arms, self._room, self.used
            g, outcomes = np.full(count, self.dispersion), self.stack
        else:
            g, used = self._dispersions(first, count), _NOTHING
            arms, space = self._arms_of(first, count)
            outcomes = self._outcomes(arms, g, first)
        caps = chances = self.world.attack.caps_of(first, count)
        if self.world.attack.kind != adversary.NONE:
            chances = self._stream(ADVERSARY).random(count)
        picks = self._stream(PICKS).integers(arms.shape[1], size=count) if self._picks else _NOTHING
        shown_before = goes_on and self.world.arms_stay and first % LONG_BLOCK > 0
        return Block(
            arms, g, outcomes, used, caps, chances, picks, space, self.world.arms_stay, self._law, self.streams,
            self.recipes, shown_before,
        )  # fmt: skip

    def refill(self) -> None:
        """Fresh rewards for every arm whose stack is used up, unless the rounds see to it."""
        if self._stacked and not self.recipes.size:
            for k in np.flatnonzero(self.used == self.stack.shape[1]):
                self.stack[k] = self._draw(self._of_arm[k], self._z[k], self._g)[:, 0]
                self.used[k] = 0

    def _dispersions(self, first: int, count: int) -> Floats:
        if self.course.steady is not None:
            if self._steady is None:
                self._steady = self.p.promised(self.p.family.check_dispersion(self.course.steady, "dispersions"))
            return np.full(count, self._steady)
        g = piece(self.world.dispersions, self._stream(DISPERSIONS), first, count)
        if g.shape not in ((), (count,)):
            raise BadInput("dispersions", f"array of shape {g.shape}", "a number, or one number per round")
        for extreme in (g.min(), g.max()):
            self.p.promised(float(extreme))
        return check_dispersions(self.p.family, np.broadcast_to(g, (count,)))

    def _arms_of(self, first: int, count: int) -> tuple[Floats, Floats]:
        """Arms, and room for them."""
        if self.world.arms_stay:
            return self.arms, self._room
        arms = _checked(
            piece(self.world.arms, self._stream(ARMS), first, count), count, self.p.d, self.truth.hostile_contexts
        )
        if self._space is None or self._space.shape[1] < arms.shape[1]:
            self._space = room(arms.shape[1], self.p.d)
        return arms, self._space

    def _law_of_rewards(self) -> Floats:
        if self.world.rewards is not None or (self.world.arms_stay and self.course.steady is not None):
            return EVERY
        return law_of(self.p.family, self.p.S, self.course.steady, self.world.noisy)

    def _outcomes(self, arms: Floats, g: Floats, first: int) -> Floats:
        """What rewards are made of: a draw for each round, or a reward for each arm."""
        if self.world.rewards is not None:
            return np.array(piece(self.world.rewards, self._stream(REWARDS), first, g.size), order="C")
        if self._law[0] != EVERY_ARM:
            return draws_of(self._law, self.p.family, self._stream(REWARDS), g)
        check_lengths(arms)
        z = np.broadcast_to(self._naturals(arms), (g.size, arms.shape[1]))
        return self._draw(self._stream(REWARDS), z, g)

    def _naturals(self, arms: Floats) -> Floats:
        return np.asarray(np.clip(arms @ self.truth.theta_star, -self.p.S, self.p.S))

    def _draw(self, rng: np.random.Generator, z: Floats, g: Floats) -> Floats:
        return draw(self.p.family, rng, z, g) if self.world.noisy else self.p.family.mu(z)


def _checked(arms: Floats, count: int, d: int, writes: bool) -> Floats:
    """Arms of the type that the rounds are compiled for, copied if that is another one or if the rounds write there."""
    if arms.ndim != 3 or arms.shape[0] != count or arms.shape[1] < 1 or arms.shape[2] != d:
        raise BadInput("arms", f"array of shape {arms.shape}", f"(K, {d}), or (rounds, K, {d}), with K >= 1")
    fit = arms.flags.c_contiguous and arms.flags.aligned and arms.flags.writeable and not writes
    return arms if fit else np.array(arms, order="C")


def check_lengths(sets: Floats) -> None:
    """The arms of these sets, (n, K, d); compiled rounds check for themselves those that change."""
    if not (np.einsum("nkj,nkj->nk", sets, sets) <= UNIT**2).all():
        raise beyond()


def beyond() -> BadInput:
    return BadInput("arms", "an arm", "finite arms of norm at most 1")
