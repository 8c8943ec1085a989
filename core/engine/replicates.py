"""Many runs of the paper's learner, several in lockstep and all cores at work."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from glbcheck.core.adversary import LEDGER, NONE
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link
from glbcheck.core.engine.feed import Course, Feed
from glbcheck.core.engine.lanes import DISPERSION, FRESH, ROWS, Lanes, Supply, begin, catch_up, play
from glbcheck.core.engine.run import Outcome, outcome_of, run
from glbcheck.core.engine.state import initial, own_lines
from glbcheck.core.engine.sweep import ROWS as ARM_ROWS
from glbcheck.core.engine.tally import MARKED, Integers, blank_memory, on_tape
from glbcheck.core.engine.wide import LANES
from glbcheck.core.parameters import Parameters
from glbcheck.core.world import World, stream


def replicate(
    p: Parameters,
    world: World | Callable[[np.random.Generator], World],
    rounds: int,
    seed: int,
    count: int,
    checkpoints: Sequence[int] = (),
    workers: int | None = None,
) -> list[Outcome]:
    """Independent runs number 0, ..., count - 1, the same whatever the number of workers.

    A function in place of the world makes one for each run.  The rounds run without Python's lock, so threads
    use all cores.  Each run is `run` with the key (number,): the same actions, and the same numbers up to the order
    in which sums are taken.
    """
    link.pack(p.family, p.S)  # builds the table once, before the threads ask for it

    def some(first: int) -> list[Outcome]:
        numbers = range(first, min(first + LANES, count))
        worlds = [world if isinstance(world, World) else world(stream(seed, (n,))) for n in numbers]
        if _fit(p, worlds):
            courses = [Course(its, rounds, seed, (n,)) for n, its in zip(numbers, worlds, strict=True)]
            return _in_lockstep(p, courses, checkpoints)
        return [run(p, its, rounds, seed, (n,), checkpoints) for n, its in zip(numbers, worlds, strict=True)]

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return [outcome for found in pool.map(some, range(0, count, LANES)) for outcome in found]


def _fit(p: Parameters, worlds: Sequence[World]) -> bool:
    """Can these runs share their rounds?  Arms and dispersion must stay, the index be in closed form, and no scout."""
    stay = all(world.arms_stay and isinstance(world.dispersions, int | float) for world in worlds)
    plain = p.index == "closed-form" and not p.scout
    return plain and stay and len({np.asarray(world.arms).shape for world in worlds}) == 1


def _in_lockstep(p: Parameters, courses: Sequence[Course], checkpoints: Sequence[int]) -> list[Outcome]:
    """As many runs as there are lanes, or fewer; the lanes left over play the first run again, unheard."""
    feeds = [Feed(p, course) for course in courses]
    source = np.array([*range(len(feeds)), *[0] * (LANES - len(feeds))])
    outcomes = np.empty((len(feeds), *feeds[0].stack.shape))
    used = own_lines(outcomes.shape[1], LANES)
    for run_number, feed in enumerate(feeds):
        feed.keep_stacks_in(outcomes[run_number], used[:, run_number])
    stacks = _in_lanes([np.array([float(run_number * outcomes[0].size)]) for run_number in source])
    them = _lanes(p, [feeds[run_number] for run_number in source], np.array(sorted(set(checkpoints)), dtype=np.int64))
    begin(them)
    done = 0
    while done < courses[0].rounds:
        blocks = [feed.block(done) for feed in feeds]
        caps = chances = np.zeros((0, LANES))
        if them.attacked:
            caps, chances = (
                np.stack([getattr(blocks[run_number], name) for run_number in source], axis=1)
                for name in ("caps", "chances")
            )
        supply = Supply(outcomes, stacks, used, caps, chances)
        them.board[FRESH] = 1.0
        first, count = 0, blocks[0].dispersions.size
        while first < count:
            for run_number in np.flatnonzero(them.board[FRESH, : len(feeds)]).tolist():
                feeds[run_number].refill(blocks[run_number])
            used[:, len(feeds) :] = used[:, :1]
            first = play(them, supply, first, count)
        done += count
    catch_up(them)
    return [_outcome(them, lane) for lane in range(len(feeds))]


def _lanes(p: Parameters, feeds: Sequence[Feed], checkpoints: Integers) -> Lanes:
    """The runs before their first round, with the feed of each lane."""
    state, tally, truths = initial(p), blank_memory(p.d), [feed.truth for feed in feeds]
    board = own_lines(ROWS, LANES)
    board[DISPERSION] = [feed.dispersion for feed in feeds]
    return Lanes(
        states=_in_lanes([state] * LANES),
        points=_in_lanes([np.append(feed.arms.ravel(), np.zeros(p.d)) for feed in feeds]),
        room=own_lines(ARM_ROWS * (feeds[0].arms.shape[1] + 1), LANES),
        tallies=_in_lanes([tally] * LANES),
        checkpoints=checkpoints,
        marks=_in_lanes([np.full(len(MARKED) * len(checkpoints), np.nan)] * LANES),
        theta_star=_in_lanes([truth.theta_star for truth in truths]),
        board=board,
        link=truths[0].link,
        attacks=np.array([truth.attack for truth in truths], dtype=LEDGER),
        attacked=any(truth.attack.kind != NONE for truth in truths),
        state=state,
        tally=tally,
    )


def _in_lanes(columns: Sequence[Floats]) -> Floats:
    """A column for each lane."""
    numbers = own_lines(columns[0].size, LANES)
    numbers[:] = np.stack(columns, axis=1)
    return numbers


def _outcome(them: Lanes, lane: int) -> Outcome:
    marks = np.ascontiguousarray(them.marks[:, lane]).reshape(len(them.checkpoints), len(MARKED))
    tape = on_tape(np.ascontiguousarray(them.tallies[:, lane]), them.checkpoints, marks, np.zeros((0, len(MARKED))))
    return outcome_of(np.ascontiguousarray(them.states[:, lane]), tape, record=False)
