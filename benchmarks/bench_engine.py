"""How fast the compiled engine is, as ratios measured in one run: `make bench`.

Both sides use the closed-form index on Bernoulli rewards with K = 20 arms.  The yardstick is the lean numpy loop of
`numpy_learner.py`; the readable reference is timed beside it.  Times are CPU times of the thread, so that other
work on the machine does not count, except for replicates, where wall-clock time is the point.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from numpy_learner import NumpyLearner, whole_run

from core import catalog
from core.algorithm import HCWGLBOMD
from core.engine import CompiledLearner, World, attack, link, replicate, run
from core.engine import choice as room_of
from core.engine import state as at
from core.engine import tally as of
from core.engine.rounds import RECORDED, play
from core.environment import sphere
from core.parameters import Parameters, parameters

Floats = NDArray[np.float64]

K, S = 20, 3.0
FAMILY = catalog.get("bernoulli")


def seconds(function: Callable[[], object], repeats: int, clock: Callable[[], float] = time.thread_time) -> float:
    """The best of a few repetitions."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        function()
        best = min(best, clock() - start)
    return best


def line(what: str, ours: float, theirs: float, target: str, reference: float | None = None) -> None:
    beside = "" if reference is None else f"   reference {reference * 1e6:7.1f} us, {reference / ours:5.0f}x"
    print(f"  {what:34s} {ours * 1e6:8.3f} us   numpy {theirs * 1e6:6.1f} us  {theirs / ours:6.1f}x  ({target}){beside}")


class Instance:
    """A fixed set of arms, 2000 sets that change, and the rewards of all of them."""

    def __init__(self, d: int, rounds: int = 2000) -> None:
        rng = np.random.default_rng(d)
        self.d, self.rounds = d, rounds
        self.theta = 2.0 * sphere(rng, 1, d)[0]
        self.fixed = (1 - 1e-9) * sphere(rng, K, d)
        self.changing = (1 - 1e-9) * sphere(rng, K * rounds, d).reshape(rounds, K, d)
        self.chance = rng.random((rounds, K))

    def outcomes(self, arms: Floats) -> Floats:
        means = np.broadcast_to(FAMILY.mu(arms @ self.theta), self.chance.shape)
        return (self.chance < means).astype(float)

    def parameters(self, index: str = "closed-form") -> Parameters:
        return parameters(FAMILY, self.d, S, 0.05, 0.0, index=index)


def play_all(instance: Instance, p: Parameters, arms: Floats, outcomes: Floats, repeat: int = 1) -> Floats:
    """The compiled rounds on given arms and rewards, `repeat` times over; returns the tally."""
    state, tally = at.initial(p, np.zeros(p.d)), of.empty(p.d)
    n = instance.rounds
    shaped = arms[None] if arms.ndim == 2 else arms
    nothing = np.zeros(0, dtype=np.int64)
    for _ in range(repeat):
        play(
            state, link.pack(FAMILY, S), instance.theta, shaped, np.ones(n), outcomes, nothing, np.zeros(n), np.zeros(n),
            attack.none().packed(), tally, nothing, np.zeros(0), np.zeros((0, len(RECORDED))), room_of.room(K, p.d), 0,
        )  # fmt: skip
    return tally


def interactive(learner: NumpyLearner | CompiledLearner | HCWGLBOMD, arms: Floats, outcomes: Floats) -> None:
    rows = outcomes.tolist()
    for now, rewards in zip(arms, rows, strict=True):
        k = learner.select(now)
        learner.update(now[k], rewards[k])


def against_numpy(d: int, wanted: tuple[str, str, str]) -> None:
    instance = Instance(d)
    p, n = instance.parameters(), instance.rounds
    arms, rewards = instance.changing, instance.outcomes(instance.changing)
    numpy_time = seconds(lambda: interactive(NumpyLearner(p), arms, rewards), 3) / n
    slow = seconds(lambda: interactive(HCWGLBOMD(FAMILY, d, S, index="closed-form"), arms, rewards), 1) / n
    ours = seconds(lambda: interactive(CompiledLearner(p), arms, rewards), 5) / n
    print(f"d = {d}, time per round")
    line("interactive learner", ours, numpy_time, wanted[0], slow)
    for name, these, target in (
        ("whole run, arms that change", arms, wanted[1]),
        ("whole run, arms that stay", instance.fixed, wanted[2]),
    ):
        rewards = instance.outcomes(these)
        _, regret, _ = whole_run(p, instance.theta, these, rewards)
        assert abs(play_all(instance, p, these, rewards)[of.REGRET] - regret) < 1e-6 * regret, "another run"
        numpy_time = seconds(lambda: whole_run(p, instance.theta, these, rewards), 3) / n  # noqa: B023
        ours = seconds(lambda: play_all(instance, p, these, rewards), 30) / n  # noqa: B023
        line(name, ours, numpy_time, target, slow)


def exact_against_closed_form() -> None:
    instance = Instance(5)
    print("exact optimism over C_t and the ball, against the closed form; d = 5, 200000 rounds from the first")
    for name, these in (("arms that change", instance.changing), ("arms that stay", instance.fixed)):
        rewards = instance.outcomes(these)
        times = {
            index: seconds(lambda: play_all(instance, instance.parameters(index), these, rewards, 100), 2)  # noqa: B023
            / (100 * instance.rounds)
            for index in ("closed-form", "exact")
        }
        closed, exact = times["closed-form"], times["exact"]
        print(f"  {name:34s} {exact * 1e6:8.3f} us   closed {closed * 1e6:5.3f} us   {exact / closed:5.2f}x  (<= 3x)")


def late_against_early() -> None:
    instance = Instance(5)
    p, n = instance.parameters(), 1_000_000
    spans: list[float] = []
    last = [time.thread_time()]

    def changing(rng: np.random.Generator, first: int, count: int) -> Floats:
        now = time.thread_time()
        spans.append(now - last[0])
        last[0] = now
        return instance.changing[:count]

    run(p, World(instance.theta, changing), n, seed=1)
    early, late = np.median(spans[20:220]), np.median(spans[-220:-20])
    print("a run of 10^6 rounds with its rewards, d = 5")
    print(f"  late rounds against early ones     {late / early:8.2f}x  (<= 1.2x), {sum(spans) / n * 1e6:.2f} us a round")
    took = seconds(lambda: run(p, World(instance.theta, instance.fixed), n, seed=1), 1)
    print(f"  arms that stay, rewards drawn      {took:8.2f} s    for 10^6 rounds")


def replicates() -> None:
    cores = os.cpu_count() or 1
    instance = Instance(5)
    p = instance.parameters()
    its = World(instance.theta, instance.fixed)
    times = {
        workers: seconds(lambda: replicate(p, its, 100_000, 1, 8, workers=workers), 2, time.perf_counter)  # noqa: B023
        for workers in (1, cores)
    }
    print("8 runs of 10^5 rounds, wall-clock time")
    print(f"  {cores} workers against 1              {times[1] / times[cores]:8.2f}x  (>= 1.7x on 2 idle cores), ", end="")
    print(f"{times[1]:.2f} s and {times[cores]:.2f} s")


def main() -> None:
    play_all(Instance(2, 10), Instance(2, 10).parameters("exact"), Instance(2, 10).fixed, np.zeros((10, K)))  # compile
    against_numpy(5, (">= 6x", ">= 30x", ">= 80x"))
    against_numpy(10, (">= 6x", ">= 20x", ">= 50x"))
    against_numpy(20, (">= 6x", ">= 10x", ">= 30x"))
    exact_against_closed_form()
    late_against_early()
    replicates()


if __name__ == "__main__":
    main()
