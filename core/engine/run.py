"""A whole run of the learner against a world, and many of them on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.engine import link
from core.engine import state as at
from core.engine import tally as of
from core.engine.feed import Feed, World
from core.engine.rounds import RECORDED, play
from core.observed import UNIT, checked_vector
from core.parameters import Parameters
from core.projection import into_ball

Floats = NDArray[np.float64]


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
    feed = Feed(p, world, theta_star, rounds, seed, key)
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


def _outcome(state: Floats, tally: Floats, regrets: Floats, record: Floats | None) -> Outcome:
    pieces = at.views(state)
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
