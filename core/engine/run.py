"""A whole run of the learner against a world, and many of them on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from glbcheck.core.engine import link
from glbcheck.core.engine import state as at
from glbcheck.core.engine import tally as of
from glbcheck.core.engine.feed import Block, Feed, World
from glbcheck.core.engine.rounds import RECORDED, play
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.observed import UNIT, checked_vector
from glbcheck.core.parameters import Parameters
from glbcheck.core.projection import into_ball
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Outcome:
    """What a run leaves behind, in constant memory; `record` only if it was asked for.

    `worst_ratio` is the largest ‖θ_t - θ*‖ / radius_t, above 1 if and only if θ* was ever missed.
    `first_informative` is the first round in which C_t does not contain all of Θ (0: never).  The arrays
    hold one number per checkpoint: the regret after that round, and the radius, the error ‖θ_t - θ*‖ and the
    weight in it.  `optimal_variance` is Σ g μ' at the best arms, `inverse_g` is Σ 1/g.
    """

    rounds: int
    regret: float
    regret_at: Floats
    radius_at: Floats
    error_at: Floats
    weight_at: Floats
    worst_ratio: float
    misses: int
    first_miss: int
    first_informative: int
    discounted: int
    smallest_weight: float
    projected: int
    corruption: float
    optimal_variance: float
    inverse_g: float
    g_min: float
    g_max: float
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
    variant: Variant = CORRECT,
) -> Outcome:
    """Play `rounds` rounds; `key` names the run among those of the same seed."""
    start = np.zeros(p.d)
    if theta0 is not None:
        start = into_ball(checked_vector("theta0", theta0, p.d, UNIT * p.S), p.S)
    state = at.initial(p, start, variant)

    def rounds_of(feed: Feed, block: Block, tape: Tape, sheet: Floats, first: int) -> int:
        return play(
            state, feed.link, feed.theta_star, block.arms, block.dispersions, block.outcomes, block.used,
            block.planned, block.chances, feed.attack, tape.tally, tape.checkpoints, tape.marks, sheet,
            block.room, first,
        )  # fmt: skip

    tape = play_all(rounds_of, p, world, rounds, seed, key, checkpoints, record)
    return outcome(state, tape)


@dataclass
class Tape:
    """What the rounds write down."""

    tally: Floats
    checkpoints: Integers
    marks: Floats
    record: Floats | None = None


def play_all(
    play_block: Callable[[Feed, Block, Tape, Floats, int], int],
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...],
    checkpoints: Sequence[int],
    record: bool,
) -> Tape:
    """All rounds, block after block, by a function that returns the first round of the block not played."""
    theta_star = np.array(checked_vector("theta_star", world.theta_star, p.d, UNIT * p.S))
    places = np.array(sorted(set(checkpoints)), dtype=np.int64)
    tape = Tape(of.empty(p.d), places, np.full((len(places), len(of.MARKED)), np.nan))
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
            played = play_block(feed, block, tape, sheet, played)
        rows.append(sheet)
        done += length
    if record:
        tape.record = np.concatenate(rows)
    return tape


def replicate(
    p: Parameters,
    world: World | Callable[[np.random.Generator], World],
    rounds: int,
    seed: int,
    count: int,
    checkpoints: Sequence[int] = (),
    workers: int | None = None,
    first: int = 0,
    variant: Variant = CORRECT,
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
        return run(p, its, rounds, seed, (number,), checkpoints, variant=variant)

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return list(pool.map(one, range(first, first + count)))


def outcome(state: Floats, tape: Tape) -> Outcome:
    """What the rounds wrote down, by name."""
    pieces, tally, record = at.views(state), tape.tally, tape.record
    regret_at, radius_at, error_at, weight_at = tape.marks.T.copy()
    return Outcome(
        rounds=int(tally[of.ROUNDS]),
        regret=float(tally[of.REGRET]),
        regret_at=regret_at,
        radius_at=radius_at,
        error_at=error_at,
        weight_at=weight_at,
        worst_ratio=float(tally[of.WORST_RATIO]),
        misses=int(tally[of.MISSES]),
        first_miss=int(tally[of.FIRST_MISS]),
        first_informative=int(tally[of.FIRST_INFORMATIVE]),
        discounted=int(tally[of.DISCOUNTED]),
        smallest_weight=float(tally[of.SMALLEST_WEIGHT]),
        projected=int(tally[of.PROJECTED]),
        corruption=float(tally[of.CORRUPTION]),
        optimal_variance=float(tally[of.OPTIMAL_VARIANCE]),
        inverse_g=float(tally[of.INVERSE_G]),
        g_min=float(tally[of.G_MIN]),
        g_max=float(tally[of.G_MAX]),
        theta=np.array(pieces.theta),
        H=np.array(pieces.H),
        radius=float(at.radius(state)),
        record=None if record is None else dict(zip(RECORDED, record.T.copy(), strict=True)),
    )
