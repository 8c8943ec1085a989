"""Many runs of the paper's learner, several in lockstep and all cores at work."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import link, mirror_descent
from glbcheck.core.engine.attacks import LEDGER
from glbcheck.core.engine.feed import Course, Feed
from glbcheck.core.engine.lanes import DISPERSION, ROWS, Lanes, Supply, begin, catch_up, play
from glbcheck.core.engine.run import Outcome, Player, outcome_of, played, player
from glbcheck.core.engine.state import own_lines
from glbcheck.core.engine.streams import SIZE, open_stream
from glbcheck.core.engine.sweep import ROWS as ARM_ROWS
from glbcheck.core.engine.tally import MARKED, Integers, blank_memory, on_tape
from glbcheck.core.engine.wide import LANES
from glbcheck.core.environment.adversary import FLIP, NONE, THIN
from glbcheck.core.environment.world import ADVERSARY, World, stream
from glbcheck.core.parameters import Parameters

BLOCK = 16_384  # rounds that are played without a word to Python


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
        courses = [Course(its, rounds, seed, (n,)) for n, its in zip(numbers, worlds, strict=True)]
        return play_together(p, lambda course: player(p, course), courses, checkpoints)

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return [outcome for found in pool.map(some, range(0, count, LANES)) for outcome in found]


def play_together(
    p: Parameters, start: Callable[[Course], Player], courses: Sequence[Course], checkpoints: Sequence[int]
) -> list[Outcome]:
    """Runs of one length and the same kind of learner: in lockstep if they can share their rounds, else one by one.

    The numbers of a run do not depend on those beside it.
    """
    first = start(courses[0])
    if not share_rounds(first, [course.world for course in courses]):
        players = [first, *(start(course) for course in courses[1:])]
        return [played(player, p, course, checkpoints, record=False)
                for player, course in zip(players, courses, strict=True)]  # fmt: skip
    states = {courses[0].world.dispersions: first.state}  # of a world a learner knows the dispersion, and no more
    for course in courses:
        if course.world.dispersions not in states:
            states[course.world.dispersions] = start(course).state
    groups = [courses[at : at + LANES] for at in range(0, len(courses), LANES)]
    return [outcome for group in groups for outcome in _in_lockstep(p, states, group, checkpoints)]


def share_rounds(player: Player, worlds: Sequence[World]) -> bool:
    """Can runs of such a learner be played in lockstep?

    It must be the paper's, with whatever constants, the index in closed form; arms and dispersion must stay.
    """
    ours = player.rounds is mirror_descent.ROUNDS["closed-form"]
    stay = all(world.arms_stay and isinstance(world.dispersions, int | float) for world in worlds)
    alike = len({(np.asarray(world.arms).shape, world.noisy) for world in worlds}) == 1
    return ours and stay and alike


def _in_lockstep(
    p: Parameters, states: dict[Any, Floats], courses: Sequence[Course], checkpoints: Sequence[int]
) -> list[Outcome]:
    """As many runs as there are lanes, or fewer; the lanes left over play the first run again, unheard."""
    feeds = [Feed(p, course) for course in courses]
    source = [*range(len(feeds)), *[0] * (LANES - len(feeds))]
    them = _lanes(
        p, states, [feeds[run_number] for run_number in source], np.array(sorted(set(checkpoints)), dtype=np.int64)
    )
    supply = _supply(feeds, source)
    begin(them)
    for done in range(0, courses[0].rounds, BLOCK):
        first, count = 0, min(courses[0].rounds - done, BLOCK)
        supply = supply._replace(caps=_caps(feeds, source, done, count))
        while first < count:
            if not supply.recipes.size:
                for feed in feeds:
                    feed.refill()
                supply.used[:, len(feeds) :] = supply.used[:, :1]
            first = play(them, supply, first, count)
    catch_up(them)
    return [_outcome(them, lane) for lane in range(len(feeds))]


def _supply(feeds: Sequence[Feed], source: Sequence[int]) -> Supply:
    """The stacks of the runs in one array; the dice of the adversaries where they are cast."""
    outcomes, used = np.stack([feed.stack for feed in feeds]), own_lines(feeds[0].stack.shape[0], LANES)
    for run_number, feed in enumerate(feeds):
        feed.keep_stacks_in(outcomes[run_number], used[:, run_number])
    used[:, len(feeds) :] = used[:, :1]
    dice = np.zeros((LANES, SIZE), dtype=np.int64)
    for w, run_number in enumerate(source):
        if feeds[run_number].truth.attack.kind in (FLIP, THIN):
            open_stream(feeds[run_number].course.words(ADVERSARY), dice[w])
    return Supply(
        outcomes,
        _in_lanes([np.array([float(run_number * outcomes[0].size)]) for run_number in source]),
        used,
        np.stack([feed.streams for feed in feeds]),
        np.stack([feed.recipes for feed in feeds]),
        dice,
        caps=np.zeros((0, LANES)),
    )


def _caps(feeds: Sequence[Feed], source: Sequence[int], first: int, count: int) -> Floats:
    """What paced attacks may have spent after each of these rounds."""
    attacks = [feed.world.attack for feed in feeds]
    if all(attack.caps is None for attack in attacks):
        return np.zeros((0, LANES))
    return np.stack([attacks[run_number].caps_of(first, count) for run_number in source], axis=1)


def _lanes(p: Parameters, states: dict[Any, Floats], feeds: Sequence[Feed], checkpoints: Integers) -> Lanes:
    """The runs before their first round, with the feed of each lane, and the state for its dispersion."""
    tally, truths = blank_memory(p.d), [feed.truth for feed in feeds]
    board = own_lines(ROWS, LANES)
    board[DISPERSION] = [feed.dispersion for feed in feeds]
    return Lanes(
        states=_in_lanes([states[feed.dispersion] for feed in feeds]),
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
        state=states[feeds[0].dispersion].copy(),  # says how large it is before a lane is copied there
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
