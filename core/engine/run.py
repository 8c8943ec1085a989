"""A whole run of the learner against a world, and many of them on all cores.

Rewards come from the family's own sampler, exactly, although the compiled rounds cannot call it.  With arms and
dispersion that stay, arm k draws from a stack of rewards prepared for it; otherwise a reward is prepared for
every arm of a block of rounds, and the one of the arm that is played is used.  Either way a reward is
independent of what the learner knew when it chose, and has the law of the arm it chose.

Streams of random numbers are named by `SeedSequence(seed, spawn_key=...)`, so a run gives the same numbers in
any process and beside any number of others, and the n-th reward of a fixed arm does not depend on the learner.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.engine import attack as by
from core.engine import choice, link
from core.engine import state as at
from core.engine import tally as of
from core.engine.draws import check_dispersions, draw
from core.engine.rounds import RECORDED, play
from core.environment import STREAMS
from core.errors import BadInput
from core.observed import UNIT, checked_vector
from core.parameters import Parameters
from core.projection import into_ball

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Blocks: TypeAlias = Callable[[np.random.Generator, int, int], Floats]

BLOCK = 512  # rounds whose changing arms or dispersions are held in memory at a time
STACK = 2048  # rewards prepared at a time for an arm that stays
_ARMS, _DISPERSIONS, _REWARDS, _ADVERSARY = range(len(STREAMS))


@dataclass(frozen=True)
class World:
    """What the learner plays against.

    `arms` is (K, d) for arms that stay, (T, K, d), or a function of a generator, the first round (from 0) and a
    number of rounds that returns their arms.  `dispersions` likewise: a number, T numbers, or a function.
    Rewards are means if not `noisy`.
    """

    theta_star: Floats
    arms: Floats | Blocks
    dispersions: float | Floats | Blocks = 1.0
    attack: by.Attack = field(default_factory=by.none)
    noisy: bool = True


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind, in constant memory; `record` only if it was asked for.

    `worst_ratio` is the largest ‖θ_t - θ*‖ / radius_t, above 1 if and only if θ* was ever missed.
    `first_informative` is the first round in which C_t does not contain all of Θ (0: never).
    """

    rounds: int
    regret: float
    regret_at: Floats
    worst_ratio: float
    misses: int
    first_miss: int
    first_informative: int
    discounted: int
    projected: int
    corruption: float
    theta: Floats
    H: Floats
    radius: float
    record: dict[str, Floats] | None

    @property
    def missed(self) -> bool:
        return self.misses > 0


def run(
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...] = (),
    checkpoints: Sequence[int] = (),
    theta0: ArrayLike | None = None,
    record: bool = False,
) -> Outcome:
    """Play `rounds` rounds; `key` names the run among those of the same seed."""
    theta_star = np.array(checked_vector("theta_star", world.theta_star, p.d, UNIT * p.S))
    start = np.zeros(p.d)
    if theta0 is not None:
        start = into_ball(checked_vector("theta0", theta0, p.d, UNIT * p.S), p.S)
    marks = np.array(sorted(set(checkpoints)), dtype=np.int64)
    state, tally, regrets = at.initial(p, start), of.empty(p.d), np.full(len(marks), np.nan)
    feed = _Feed(p, world, theta_star, rounds, seed, key)
    rows: list[Floats] = []
    done = 0
    while done < rounds:
        block = feed.block(done)
        length = block.dispersions.size
        sheet = np.zeros((length if record else 0, len(RECORDED)))
        played = 0
        while played < length:
            feed.refill(block)
            played = play(
                state, feed.link, theta_star, block.arms, block.dispersions, block.outcomes, block.used,
                block.planned, block.chances, feed.attack, tally, marks, regrets, sheet, block.room, played,
            )  # fmt: skip
        rows.append(sheet)
        done += length
    return _outcome(state, tally, regrets, np.concatenate(rows) if record else None)


def replicate(
    p: Parameters,
    world: World | Callable[[np.random.Generator], World],
    rounds: int,
    seed: int,
    count: int,
    checkpoints: Sequence[int] = (),
    workers: int | None = None,
    first: int = 0,
) -> list[Outcome]:
    """Independent runs number first, ..., first + count - 1, the same whatever the number of workers.

    A function in place of the world makes one for each run.  The rounds run without Python's lock, so threads
    use all cores.
    """
    link.pack(p.family, p.S)  # builds the table once, before the threads ask for it

    def one(number: int) -> Outcome:
        its = world
        if not isinstance(its, World):
            its = its(np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,))))
        return run(p, its, rounds, seed, (number,), checkpoints)

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return list(pool.map(one, range(first, first + count)))


@dataclass
class _Block:
    arms: Floats
    dispersions: Floats
    outcomes: Floats
    used: Integers
    planned: Floats
    chances: Floats
    room: Floats


class _Feed:
    """Arms, dispersions and rewards, block after block."""

    def __init__(
        self, p: Parameters, world: World, theta_star: Floats, rounds: int, seed: int, key: tuple[int, ...]
    ) -> None:
        self.p, self.world, self.theta_star, self.rounds = p, world, theta_star, rounds
        self.link, self.attack = link.pack(p.family, p.S), world.attack.packed()
        self._arms_stay = not callable(world.arms) and world.arms.ndim == 2
        self._stacked = self._arms_stay and isinstance(world.dispersions, int | float)
        self._streams = lambda *stream: np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, *stream)))
        self._rng = {stream: self._streams(stream) for stream in range(len(STREAMS))}
        if self._arms_stay:
            self._arms = _checked(np.asarray(world.arms, dtype=float)[None], 1, p.d)
            K = self._arms.shape[1]
            self._room = choice.room(K, p.d)
            if self._stacked:
                self._g = p.family.check_dispersion(world.dispersions)
                self._z = np.clip(self._arms[0] @ theta_star, -p.S, p.S)
                depth = min(STACK, max(rounds, 1))
                self._stack, self._used = np.empty((depth, K)), np.full(K, depth, dtype=np.int64)
                self._of_arm = [self._streams(_REWARDS, k) for k in range(K)]

    def block(self, first: int) -> _Block:
        count = min(self.rounds - first, 64 * BLOCK if self._stacked else BLOCK)
        planned, chances = self._plans(first, count)
        if self._stacked:
            g = np.full(count, self._g)
            return _Block(self._arms, g, self._stack, self._used, planned, chances, self._room)
        p = self.p
        g = _piece(self.world.dispersions, self._rng[_DISPERSIONS], first, count)
        g = check_dispersions(p.family, np.broadcast_to(g, (count,)))
        if self._arms_stay:
            arms, room = self._arms, self._room
        else:
            arms = _checked(_piece(self.world.arms, self._rng[_ARMS], first, count), count, p.d)
            room = choice.room(arms.shape[1], p.d)
        z = np.clip(arms @ self.theta_star, -p.S, p.S)
        outcomes = self._draw(self._rng[_REWARDS], np.broadcast_to(z, (count, arms.shape[1])), g)
        return _Block(arms, g, outcomes, np.zeros(0, dtype=np.int64), planned, chances, room)

    def refill(self, block: _Block) -> None:
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
        return planned, self._rng[_ADVERSARY].random(count)


def _piece(source: float | Floats | Blocks, rng: np.random.Generator, first: int, count: int) -> Floats:
    if callable(source):
        return np.asarray(source(rng, first, count), dtype=float)
    whole = np.asarray(source, dtype=float)
    return whole if whole.ndim == 0 else whole[first : first + count]


def _checked(arms: Floats, count: int, d: int) -> Floats:
    if arms.ndim != 3 or arms.shape[0] != count or arms.shape[1] < 1 or arms.shape[2] != d:
        raise BadInput("arms", f"array of shape {arms.shape}", f"(K, {d}), or (rounds, K, {d}), with K >= 1")
    if not (np.einsum("tkj,tkj->tk", arms, arms) <= UNIT**2).all():
        raise BadInput("arms", "an arm", "finite arms of norm at most 1")
    return np.array(arms, order="C")  # a copy, so that its type is the one the kernels are compiled for


def _outcome(state: Floats, tally: Floats, regrets: Floats, record: Floats | None) -> Outcome:
    pieces = at.parts.py_func(state)
    return Outcome(
        rounds=int(tally[of.ROUNDS]),
        regret=float(tally[of.REGRET]),
        regret_at=regrets,
        worst_ratio=float(tally[of.WORST_RATIO]),
        misses=int(tally[of.MISSES]),
        first_miss=int(tally[of.FIRST_MISS]),
        first_informative=int(tally[of.FIRST_INFORMATIVE]),
        discounted=int(tally[of.DISCOUNTED]),
        projected=int(tally[of.PROJECTED]),
        corruption=float(tally[of.CORRUPTION]),
        theta=np.array(pieces.theta),
        H=np.array(pieces.H),
        radius=float(at.radius(state)),
        record=None if record is None else dict(zip(RECORDED, record.T.copy(), strict=True)),
    )
