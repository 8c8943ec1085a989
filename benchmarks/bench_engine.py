"""How fast the compiled engine is, as ratios measured in one run: `make bench`.

Both sides use the closed-form index on Bernoulli rewards with K = 20 arms.  The yardstick is the lean numpy
loop of `numpy_learner`; the readable reference is timed beside it.  Times are CPU times of the thread, so
that other work on the machine does not count, except for replicates, where wall-clock time is the point.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from glbcheck.core import catalog
from glbcheck.core._numba import compiled
from glbcheck.core.adversary import NO_ATTACK
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import World, link, replicate, run
from glbcheck.core.engine.arms import room
from glbcheck.core.engine.mirror_descent import play
from glbcheck.core.engine.rounds import Block, Truth
from glbcheck.core.engine.state import initial
from glbcheck.core.engine.tally import Sums, blank
from glbcheck.core.parameters import Index, Parameters, parameters
from glbcheck.core.world import sphere

from benchmarks.numpy_learner import whole_run

K, S, ROUNDS = 20, 3.0, 2000
FAMILY = catalog.get("bernoulli")


class Instance:
    """A set of arms that stays, sets that change, and the rewards of all of them."""

    def __init__(self, d: int) -> None:
        rng = np.random.default_rng(d)
        self.d = d
        self.theta = 2.0 * sphere(rng, 1, d)[0]
        self.staying = (1 - 1e-9) * sphere(rng, K, d)
        self.changing = (1 - 1e-9) * sphere(rng, K * ROUNDS, d).reshape(ROUNDS, K, d)
        self._chance = rng.random((ROUNDS, K))

    def rewards(self, arms: Floats) -> Floats:
        means = np.broadcast_to(FAMILY.mu(arms @ self.theta), self._chance.shape)
        return (self._chance < means).astype(float)

    def parameters(self, index: Index = "closed-form") -> Parameters:
        return parameters(FAMILY, self.d, S, 0.05, 0.0, index=index)


def play_all(instance: Instance, p: Parameters, arms: Floats, rewards: Floats, times: int) -> Sums:
    """The compiled rounds on given arms and rewards, `times` times over; returns their sums."""
    none, zeros = np.zeros(0, dtype=np.int64), np.zeros(ROUNDS)
    state, tape = initial(p), blank(p.d, none, 0)
    truth = Truth(link.pack(FAMILY, S), instance.theta, NO_ATTACK.ledger())
    sets = arms[None] if arms.ndim == 2 else arms
    block = Block(sets, np.ones(ROUNDS), rewards, none, zeros, zeros, none, room(K, p.d))
    for _ in range(times):
        play(state, (), truth, block, tape, 0)
    return tape.sums


def interact(learner: HCWGLBOMD, arms: Floats, rewards: Floats) -> None:
    for now, row in zip(arms, rewards.tolist(), strict=True):
        k = learner.select(now)
        learner.update(now[k], row[k])


def best_of(repeats: int, function: Callable[[], object], clock: Callable[[], float] = time.thread_time) -> float:
    """Seconds, the best of a few repetitions."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        function()
        best = min(best, clock() - start)
    return best


def against_numpy(d: int, wanted: tuple[int, int]) -> None:
    instance = Instance(d)
    p, arms = instance.parameters(), instance.changing
    rewards = instance.rewards(arms)
    print(f"d = {d}, microseconds per round")
    slow = best_of(2, lambda: interact(HCWGLBOMD(FAMILY, d, S, index="closed-form"), arms, rewards))
    for name, these, target in (
        ("whole run, arms that change", instance.changing, wanted[0]),
        ("whole run, arms that stay", instance.staying, wanted[1]),
    ):
        rewards = instance.rewards(these)
        _, regret, _ = whole_run(p, instance.theta, these, rewards)
        if abs(play_all(instance, p, these, rewards, 1).regret - regret) > 1e-6 * regret:
            raise AssertionError("the two sides did not play the same run")
        theirs = best_of(5, partial(whole_run, p, instance.theta, these, rewards))
        ours = best_of(10, partial(play_all, instance, p, these, rewards, 10)) / 10
        line(name, ours, theirs, slow, target)


def line(what: str, ours: float, theirs: float, slow: float, target: int) -> None:
    ours, theirs, slow = (1e6 * t / ROUNDS for t in (ours, theirs, slow))
    print(
        f"  {what:28s} {ours:7.3f}   numpy {theirs:6.1f} = {theirs / ours:5.1f}x"
        f"   reference {slow:6.1f} = {slow / ours:5.1f}x   wanted {target}x"
    )


def exact_against_closed_form() -> None:
    instance, times = Instance(5), 100
    print(f"exact optimism over C_t and the ball, d = 5, {times * ROUNDS} rounds from the first")
    for name, these in (("arms that change", instance.changing), ("arms that stay", instance.staying)):
        rewards = instance.rewards(these)
        closed, exact = (
            best_of(2, partial(play_all, instance, instance.parameters(index), these, rewards, times))
            * 1e6
            / (times * ROUNDS)
            for index in ("closed-form", "exact")
        )
        print(f"  {name:28s} {exact:7.3f}   closed form {closed:.3f} = {exact / closed:.2f}x   wanted at most 3x")


def late_against_early() -> None:
    instance, rounds = Instance(5), 1_000_000
    marks: list[float] = []

    def arms(rng: np.random.Generator, first: int, count: int) -> Floats:
        marks.append(time.thread_time())
        return instance.changing[:count]

    run(instance.parameters(), World(instance.theta, arms), rounds, seed=1)
    spans = np.diff(marks)
    early, late = np.median(spans[20:220]), np.median(spans[-220:])
    each = 1e6 * (marks[-1] - marks[0]) / rounds
    print(f"a run of {rounds} rounds with rewards drawn for every arm, d = 5: {each:.2f} microseconds a round")
    print(f"  late rounds against early    {late / early:7.2f}x   wanted at most 1.2x")
    took = best_of(1, lambda: run(instance.parameters(), World(instance.theta, instance.staying), rounds, seed=1))
    print(f"  with arms that stay          {took:7.2f} seconds")


def replicates() -> None:
    cores, instance = os.cpu_count() or 1, Instance(5)
    world = World(instance.theta, instance.staying)
    p = instance.parameters()
    one, all_of_them = (
        best_of(3, partial(replicate, p, world, 100_000, 1, 8, workers=n), time.perf_counter) for n in (1, cores)
    )
    free = best_of(3, partial(_spin_on, 1), time.perf_counter) / best_of(3, partial(_spin_on, cores), time.perf_counter)
    print(f"8 runs of 100000 rounds, seconds by the clock: {one:.2f} on 1 worker, {all_of_them:.2f} on {cores}")
    print(f"  speed-up                     {one / all_of_them:7.2f}x   wanted 1.7x on 2 idle cores")
    print(f"  of an empty loop             {free:7.2f}x   what the machine had to give")


def _spin_on(workers: int) -> None:
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(_spin, [5_000_000] * 8))


@compiled
def _spin(n: int) -> float:
    total = 0.0
    for i in range(n):
        total = np.sqrt(total + i)
    return total


def main() -> None:
    against_numpy(5, (30, 80))
    against_numpy(10, (20, 50))
    against_numpy(20, (10, 30))
    exact_against_closed_form()
    late_against_early()
    replicates()


if __name__ == "__main__":
    main()
