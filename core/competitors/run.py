"""One run of any algorithm, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from glbcheck.core import engine
from glbcheck.core.competitors import start
from glbcheck.core.competitors.rounds import play, wander
from glbcheck.core.engine import Outcome, Variant, World
from glbcheck.core.engine import state as at
from glbcheck.core.engine.feed import Block, Feed, dispersion_range
from glbcheck.core.engine.run import Tape, outcome, play_all
from glbcheck.core.environment import STREAMS
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NAMES = ("hcw-glb-omd", "glb-omd", "cw-oful", "glm-ucb", "greedy", "uniform")
_UNWEIGHTED = Variant(weights=False)
_PICKS = len(STREAMS) + 1  # a stream of its own, so that the others give what they give everyone
_NOTHING = np.zeros(0)


def check(name: str, p: Parameters) -> None:
    """Refuse an algorithm that does not exist or does not fit the family."""
    if name not in NAMES:
        raise BadInput("algorithm", name, "one of " + ", ".join(NAMES))
    if name == "cw-oful":
        start.check_linear(p.family)


def run(
    name: str,
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...] = (),
    checkpoints: Sequence[int] = (),
    record: bool = False,
) -> Outcome:
    """Play `rounds` rounds; `p` is told to each algorithm as far as it listens.

    What has no meaning for an algorithm is NaN, or 0 where it counts rounds; of a run without an estimate
    there is no record.
    """
    check(name, p)
    if name == "hcw-glb-omd":
        return engine.run(p, world, rounds, seed, key, checkpoints, record=record)
    if name in ("glb-omd", "greedy"):
        clean = start.unweighted(p, dispersion_range(world, rounds, seed, key)[0])
        if name == "glb-omd":
            return engine.run(clean, world, rounds, seed, key, checkpoints, None, record, _UNWEIGHTED)
        bold = replace(clean, radius_scale=0.0, index="closed-form")
        return _without_set(engine.run(bold, world, rounds, seed, key, checkpoints, None, record, _UNWEIGHTED))
    if name == "uniform":
        return _uniform(p, world, rounds, seed, key, checkpoints)
    return _own_rounds(name, p, world, rounds, seed, key, checkpoints, record)


def _own_rounds(
    name: str,
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...],
    checkpoints: Sequence[int],
    record: bool,
) -> Outcome:
    """Ridge regression, or maximum likelihood in batches."""
    shadow, points = _NOTHING, np.zeros((0, p.d))
    if name == "cw-oful":
        state = start.cw_oful(p, dispersion_range(world, rounds, seed, key)[1])
    else:
        state = start.glm_ucb(p)
        shadow = start.following(state)
        points = np.zeros((len(np.asarray(world.arms)) if world.arms_stay else rounds, p.d))
    totals = np.zeros((len(points), 2))

    def rounds_of(feed: Feed, block: Block, tape: Tape, sheet: Floats, first: int) -> int:
        return play(
            state, shadow, points, totals, world.arms_stay, feed.link, feed.theta_star, block.arms,
            block.dispersions, block.outcomes, block.used, block.planned, block.chances, feed.attack,
            tape.tally, tape.checkpoints, tape.marks, sheet, block.room, first,
        )  # fmt: skip

    return outcome(state, play_all(rounds_of, p, world, rounds, seed, key, checkpoints, record))


def _uniform(
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    key: tuple[int, ...],
    checkpoints: Sequence[int],
) -> Outcome:
    """Every arm with the same probability; rewards and corruption play no part."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, _PICKS)))

    def rounds_of(feed: Feed, block: Block, tape: Tape, sheet: Floats, first: int) -> int:
        count = block.dispersions.size
        picks = rng.integers(block.arms.shape[1], size=count)
        wander(
            picks, feed.link, feed.theta_star, block.arms, block.dispersions, tape.tally, tape.checkpoints,
            tape.marks,
        )  # fmt: skip
        return count

    tape = play_all(rounds_of, p, world, rounds, seed, key, checkpoints, record=False)
    found = _without_set(outcome(at.initial(p, np.zeros(p.d)), tape))
    no_estimate = np.full(p.d, np.nan)
    return replace(
        found,
        theta=no_estimate,
        H=np.full((p.d, p.d), np.nan),
        corruption=np.nan,
        smallest_weight=np.nan,
        error_at=np.full_like(found.error_at, np.nan),
        weight_at=np.full_like(found.weight_at, np.nan),
    )


def _without_set(found: Outcome) -> Outcome:
    """The same for an algorithm that has no confidence set."""
    return replace(
        found,
        worst_ratio=np.nan,
        misses=0,
        first_miss=0,
        first_informative=0,
        radius=np.nan,
        radius_at=np.full_like(found.radius_at, np.nan),
    )
