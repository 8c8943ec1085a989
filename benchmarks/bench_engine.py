"""How fast the compiled engine is, as ratios measured in one run: `make bench`.

The peer is one-pass online mirror descent with a closed-form index, in numpy with nothing wasted (`numpy_learner`): the
learner of the paper, and GLB-OMD as published where a line says so; both sides play the same run, which is checked, on
Bernoulli rewards.  Times are those of the processor (`timing`), except for two cores, where the clock is the point.
`--json PATH` writes what is printed; `docs/bench.svg` is drawn from such a file.  `--long` adds runs of 10^7 rounds,
window after window.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import World, link, replicate, run
from glbcheck.core.engine.arms import room
from glbcheck.core.engine.feed import Course, Feed
from glbcheck.core.engine.mirror_descent import ROUNDS as LOOPS
from glbcheck.core.engine.rounds import Block, Truth
from glbcheck.core.engine.state import initial
from glbcheck.core.engine.tally import Sums, blank
from glbcheck.core.engine.variant import CORRECT, Variant
from glbcheck.core.engine.wide import LANES
from glbcheck.core.environment.adversary import NO_ATTACK
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.mirror_descent import published
from glbcheck.core.versions import versions

from benchmarks.numpy_learner import whole_run
from benchmarks.timing import FAMILY, ROUNDS, Instance, Ratio, S, in_turn, multiple, ratio


def play_all(
    instance: Instance, p: Parameters, arms: Floats, rewards: Floats, times: int, variant: Variant = CORRECT
) -> Sums:
    """The compiled rounds on given arms and rewards, `times` times over; returns their sums."""
    none, zeros = np.zeros(0, dtype=np.int64), np.zeros(ROUNDS)
    state, tape = initial(p, variant), blank(p.d, none, 0)
    truth = Truth(link.pack(FAMILY, S), instance.theta, NO_ATTACK.ledger(), False)
    sets = arms[None] if arms.ndim == 2 else arms
    block = Block(sets, np.ones(ROUNDS), rewards, none, zeros, zeros, none, room(instance.K, p.d), arms.ndim == 2)
    for _ in range(times):
        LOOPS[p.index](state, (), truth, block, tape, 0)
    return tape.sums


def against_peer() -> Iterator[Ratio]:
    """Whole runs on given arms and rewards."""
    for d, K, change, wanted in (
        (5, 20, False, 80), (20, 20, False, 30), (5, 20, True, 30), (20, 20, True, 10), (5, 100, True, 40),
    ):  # fmt: skip
        yield from against_numpy(Instance(d, K), change, True, wanted)
    yield from against_numpy(Instance(5, 100), True, False, 40)


def against_numpy(instance: Instance, change: bool, weighs: bool, wanted: int) -> Iterator[Ratio]:
    """The paper's learner, or GLB-OMD as published, which is what is left of it without weights."""
    p, arms = instance.parameters(), instance.arms(change)
    p, variant = (p, CORRECT) if weighs else (published(p, 1.0), Variant(weights=False))
    rewards = instance.rewards(arms)
    theirs_played = partial(whole_run, p, instance.theta, arms, rewards, weighs)
    _, regret, _ = theirs_played()
    if abs(play_all(instance, p, arms, rewards, 1, variant).regret - regret) > 1e-6 * regret:
        raise AssertionError("the two sides did not play the same run")
    theirs, given, drawn = in_turn(
        theirs_played,
        partial(play_all, instance, p, arms, rewards, 10, variant),
        partial(run, p, instance.world(change), 10 * ROUNDS, 1, variant=variant),
    )
    words = f"d = {instance.d}, {instance.K} arms that {'change' if change else 'stay'}"
    for ours, how in ((given, "rewards given"), (drawn, "rewards drawn")):
        whose = f"{words}, {how}" if weighs else f"GLB-OMD, {words}, {how.split()[1]}"
        yield ratio(whose, ours / 10, "peer", theirs, ROUNDS, f"{wanted}x")


def lanes_against_one() -> Iterator[Ratio]:
    """Replicates in lockstep against runs one by one, on one thread."""
    rounds, count = 100_000, 2 * LANES
    for d, wanted in ((5, 5), (20, 3)):
        instance = Instance(d, 20)
        p, world = instance.parameters(), instance.world()
        together, alone = in_turn(
            partial(replicate, p, world, rounds, 1, count, workers=1), partial(run, p, world, rounds, 1, (3,)), turns=3
        )
        yield ratio(f"d = {d}, replicates", together / count, "one by one", alone, rounds, f"{wanted}x")


def exact_against_closed_form() -> Iterator[Ratio]:
    for d, K in ((5, 20), (20, 100)):
        instance = Instance(d, K)
        for rounds in (100_000, 1_000_000):
            sides = [partial(run, instance.parameters(index), instance.world(), rounds, 1)
                     for index in ("exact", "closed-form")]  # fmt: skip
            exact, closed = in_turn(*sides, turns=1)
            yield multiple(f"d = {d}, {K} arms, {rounds} rounds, exact", exact, "closed form", closed, rounds, 1.3)


def late_against_early() -> Iterator[Ratio]:
    instance, rounds, marks = Instance(5, 20), 1_000_000, []

    def arms(rng: np.random.Generator, first: int, count: int) -> Floats:
        marks.append(time.thread_time())
        return instance.changing[:count]

    run(instance.parameters(), World(instance.theta, arms), rounds, seed=1)
    spans = np.diff(marks)
    early, late = float(np.median(spans[20:220])), float(np.median(spans[-220:]))
    yield multiple("the last rounds of 10^6", late, "the first", early, 512, 1.2)


class Race:
    """A run played block after block, and the seconds of its rounds."""

    def __init__(self, p: Parameters, world: World, rounds: int) -> None:
        self.feed, self.state, self.rounds = Feed(p, Course(world, rounds, 1)), initial(p), LOOPS[p.index]
        self.tape = blank(p.d, np.zeros(0, dtype=np.int64), 0)
        self.done, self.seconds = 0, 0.0

    def play(self) -> None:
        block, first = self.feed.block(self.done), 0
        while first < block.dispersions.size:
            self.feed.refill()
            start = time.thread_time()
            first = self.rounds(self.state, (), self.feed.truth, block, self.tape, first)
            self.seconds += time.thread_time() - start
        self.done += first


def windows_of_long_runs() -> Iterator[Ratio]:
    """Exact optimism and the closed form, a block of each in turn; the first block is not counted."""
    staying = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
    changing = (10_000, 30_000, 100_000, 300_000, 600_000, 1_000_000)
    for d, K, ends, change in (
        (5, 20, staying, False), (20, 100, staying, False), (5, 20, changing, True), (5, 100, changing, True),
    ):  # fmt: skip
        instance = Instance(d, K)
        exact, closed = (
            Race(instance.parameters(index), instance.world(change), ends[-1]) for index in ("exact", "closed-form")
        )
        exact.play()
        closed.play()
        for end in ends:
            first, exact.seconds, closed.seconds = exact.done, 0.0, 0.0
            while exact.done < end:
                exact.play()
                closed.play()
            words = f"d = {d}, {K} arms{' that change' if change else ''}, rounds to {end}, exact"
            yield multiple(words, exact.seconds, "closed form", closed.seconds, exact.done - first, 1.3)


def two_cores() -> Iterator[Ratio]:
    """Runs of many groups, so that a core which is slow for a moment does not keep the other waiting."""
    instance, count, rounds = Instance(5, 20), 32 * LANES, 50_000
    of = partial(replicate, instance.parameters(), instance.world(), rounds, 1, count)
    one, two, free, shared = in_turn(
        *(partial(of, workers=n) for n in (1, 2)), *(partial(_fill_on, n) for n in (1, 2)),
        turns=3, clock=time.perf_counter,
    )  # fmt: skip
    words = f"1.8x where a loop that fills the arithmetic units gains 2x; now it gains {free / shared:.2f}x"
    yield ratio("replicates on 2 workers", two / count, "on 1", one / count, rounds, words)


def second_process() -> Iterator[Ratio]:
    """Python started, a short run played, with everything in the cache."""
    code = (
        "import numpy as np; from glbcheck.core import catalog; from glbcheck.core.engine import World, run;"
        "from glbcheck.core.parameters import parameters;"
        "run(parameters(catalog.get('bernoulli'), 2, 1.0, 0.05, 0.0), World(np.zeros(2), np.eye(2)), 100, 0)"
    )
    sides = [partial(subprocess.run, [sys.executable, "-c", words], check=True) for words in (code, "import numba")]
    ours, bare = in_turn(*sides, turns=2, clock=time.perf_counter)
    yield ratio("a process with a run of 100 rounds", ours, "import numba", bare, 10**6, "a start within 1 s")


def memory_of(d: int, K: int) -> int:
    """Bytes of one of the replicates that share their rounds, at most: all that Python and numpy have asked for."""
    instance = Instance(d, K)
    of = partial(replicate, instance.parameters(), instance.world(), 20_000, 1, LANES, workers=1)
    of()
    tracemalloc.start()
    of()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most // LANES


def _fill_on(workers: int) -> None:
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda _: _fill(np.ones(64), 2_000_000), range(16)))


@compiled
def _fill(numbers: Floats, n: int) -> None:
    """Products and sums that wait for nothing, in numbers that never leave the first cache."""
    for _ in range(n):
        for j in range(numbers.size):
            numbers[j] = numbers[j] * 0.999 + 0.001


PARTS = (against_peer, lanes_against_one, exact_against_closed_form, late_against_early, two_cores, second_process)


def main() -> None:
    options = argparse.ArgumentParser(description="Speeds as ratios, measured in one run.")
    options.add_argument("--json", help="write the ratios here")
    options.add_argument("--long", action="store_true", help="runs of 10^7 rounds too")
    asked = options.parse_args()
    path, parts = asked.json, (*PARTS, windows_of_long_runs) if asked.long else PARTS
    print("microseconds a round")
    found = []
    for part in parts:
        for line in part():
            print(line, flush=True)
            found.append(asdict(line))
    memory = {f"d = {d}, {K} arms": memory_of(d, K) for d, K in ((5, 20), (20, 20), (20, 100))}
    print("bytes of one replicate: " + "; ".join(f"{words}: {count:,}" for words, count in memory.items()))
    if path:
        with open(path, "w") as file:
            json.dump(
                {"ratios": found, "bytes": memory, "cores": os.cpu_count(), "versions": versions()}, file, indent=1
            )


if __name__ == "__main__":
    main()
