"""How fast rounds and runs are, as ratios measured in one process, sides in turn: `python -m benchmarks.bench_learner`.

Bernoulli rewards, S = 3, arms of norm 1.  Interactive rounds: K = 20, sharpest constants (`Scouted` with C = 5); the
median of a few turns.  Whole runs: the paper's constants, against a C loop that does the same job (`yardsticks`), whose
regret must be ours; the best of a few turns.  Compare ratios, not times.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as states
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import run
from glbcheck.core.environment.world import REWARDS, World, sphere
from glbcheck.core.theory.parameters import Index, Parameters, parameters

from benchmarks.yardsticks import Lean, Published, plain_c
from glbcheck import HCWGLBOMD, Learner, Scouted, catalog

S, SETS, TURNS, ROUNDS = 3.0, 512, 5, 2000
COIN = catalog.get("bernoulli")
SHARPEST: dict[str, Any] = {"constants": "sharpest"}
WORLDS = [(5, 20, True), (20, 20, True), (5, 20, False), (20, 20, False), (5, 100, False)]  # d, K, fixed


class Served:
    """A learner behind tickets and a monitor; the reward comes before the next pull."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def select(self, arms: Floats) -> int:
        self.ticket = self.learner.choose(arms)
        return self.ticket.arm

    def update(self, x: Floats, reward: float) -> None:
        self.learner.reward(self.ticket, reward)


def instance(d: int, K: int, fixed: bool) -> tuple[Floats, Floats, World]:
    """Arms, θ*, and the world: changing arms are the same sets over and over, so that no time goes into making them."""
    rng = np.random.default_rng(d + K)
    truth = 2.0 * sphere(rng, 1, d)[0]
    arms = (1 - 1e-9) * sphere(rng, K * (1 if fixed else SETS), d).reshape(-1, K, d)
    return arms, truth, World(truth, arms[0] if fixed else (lambda rng, first, count: arms[:count]))


def told(d: int, index: Index = "closed-form") -> Parameters:
    return parameters(COIN, d, S, 0.05, 0.0, index=index)


def line(what: str, ours: float, against: str, theirs: float, *, least: float = 0.0, most: float = 0.0) -> None:
    """One comparison in microseconds, and whether the ratio is what it should be."""
    ratio, goal = (theirs / ours, f"at least {least:g}") if least else (ours / theirs, f"at most {most:g}")
    missed = ratio < least if least else ratio > most
    print(f"{what:<38}{ours:9.3f}  {against:<13}{theirs:9.3f}{ratio:8.2f}x  {goal}{'  MISSED' if missed else ''}")


# --- interactive rounds -------------------------------------------------------------------------------------


def interactive(d: int, fixed: bool) -> None:
    arms, truth, _ = instance(d, 20, fixed)
    offered = [arms[0]] * SETS if fixed else list(arms)
    rewards = (np.random.default_rng(1).random((SETS, 20)) < COIN.mu(np.array(offered) @ truth)).astype(float).tolist()
    plain = HCWGLBOMD(COIN, d, S, index="closed-form", **SHARPEST)
    sides: dict[str, Any] = {
        "published": Published(d, S), "lean loop": Lean(plain.parameters), "closed form": plain,
        "exact": HCWGLBOMD(COIN, d, S, **SHARPEST), "Scouted": Scouted(COIN, d, S, C=5.0),
        "Learner": Served(Learner(HCWGLBOMD(COIN, d, S, index="closed-form", **SHARPEST))),
    }  # fmt: skip
    times: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(TURNS + 1):
        for name, side in sides.items():
            count, begin = ROUNDS if turn else 50, time.thread_time()
            for t in range(count):
                now = offered[t % SETS]
                k = side.select(now)
                side.update(now[k], rewards[t % SETS][k])
            if turn:
                times[name].append((time.thread_time() - begin) / count * 1e6)
    found = {name: median(all_turns) for name, all_turns in times.items()}
    name, ours = f"round, d={d}, {'fixed' if fixed else 'changing'}", found["closed form"]
    line(f"{name}, closed form", ours, "published", found["published"], least=10 if d == 5 else 8)
    line(f"{name}, closed form", ours, "lean loop", found["lean loop"], least=4 if d == 5 else 2.4)
    for side, most in (("exact", 3 if fixed else 2), ("Scouted", 3 if fixed else 2), ("Learner", 8)):
        line(f"{name}, {side}", found[side], "closed form", ours, most=most)


def logged(d: int, rows: int = 20_000) -> None:
    """Rows that others have pulled, learnt from at once."""
    arms = instance(d, 20, fixed=False)[0].reshape(-1, d)
    contexts, rewards = np.resize(arms, (rows, d)), np.arange(rows) % 2.0
    learner = Learner(HCWGLBOMD(COIN, d, S, **SHARPEST))
    learner.learn(contexts[:9], rewards[:9])
    begin = time.thread_time()
    learner.learn(contexts, rewards)
    line(f"row of `learn`, d={d}", (time.thread_time() - begin) / rows * 1e6, "microseconds", 1.0, most=10)


# --- whole runs ---------------------------------------------------------------------------------------------


def in_turn(*sides: Callable[[], object]) -> list[float]:
    """Seconds of each side, the best of a few turns after one that is not counted."""
    best = [float("inf")] * len(sides)
    for turn in range(TURNS + 1):
        for i, side in enumerate(sides):
            begin = time.thread_time()
            side()
            if turn:
                best[i] = min(best[i], time.thread_time() - begin)
    return best


def whole(d: int, K: int, fixed: bool, c_loop: Callable[..., float] | None, rounds: int = 40_000) -> None:
    arms, truth, world = instance(d, K, fixed)
    p, exact, name = told(d), told(d, "exact"), f"run, d={d}, K={K}, {'fixed' if fixed else 'changing'}"
    sides: list[Callable[[], object]] = [lambda: run(p, world, rounds, 1), lambda: run(exact, world, rounds, 1)]
    if c_loop is not None:
        draws, state = Episode(world, rounds, 1).stream(REWARDS).random(rounds), states.initial(p)
        radius = state[states.BETA_BASE], d * state[states.BETA_SLOPE], state[states.GROWTH_RATE], p.widening
        room = np.empty(d), np.empty((d, d)), np.empty((d, d)), np.empty(K), np.empty(3)
        known = rounds, d, K, int(fixed), SETS, arms.reshape(-1), truth, draws, p.lam, p.eta, S, p.alpha, *radius, *room
        sides.append(lambda: c_loop(*known))
        ours = run(p, world, rounds, 1)
        if not np.allclose([c_loop(*known), room[-1][1]], [ours.regret, ours.worst_ratio], rtol=1e-9):
            raise RuntimeError("the C loop plays another game")
    closed, by_exact, *theirs = (1e6 / rounds * seconds for seconds in in_turn(*sides))
    if theirs:
        line(f"{name}, closed form", closed, "plain C", theirs[0], most=1.3)
    line(f"{name}, exact", by_exact, "closed form", closed, most=3 if fixed else 2)


def late(rounds: int = 4_000_000, part: int = 400_000) -> None:
    """What the last tenth of a long run costs, over the first: by the difference of runs of two lengths."""
    world, p = instance(5, 20, fixed=True)[2], told(5)
    first, nearly, all_ = in_turn(*(lambda n=n: run(p, world, n, 1) for n in (part, rounds - part, rounds)))  # type: ignore[misc]
    line("last tenth of 4e6 rounds", 1e6 / part * (all_ - nearly), "first tenth", 1e6 / part * first, most=1.05)


# --- the first round of a process ---------------------------------------------------------------------------

START = """
import time
import numpy as np
from glbcheck import HCWGLBOMD, catalog
learner = HCWGLBOMD(catalog.get("bernoulli"), 5, 3.0, index="{index}")
arms = np.random.default_rng(0).standard_normal((20, 5)) / 10
learner.update(arms[learner.select(arms)], 1.0)
print(time.process_time())
"""


def started(index: str, most: float) -> None:
    """CPU seconds to the end of the first round, cold and from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", START.format(index=index)]
        given: dict[str, Any] = {"env": {**os.environ, "NUMBA_CACHE_DIR": folder}, "capture_output": True, "text": True}
        cold, *again = (float(subprocess.run(command, check=True, **given).stdout) for _ in range(4))
    line(f"first round, {index}, cold", cold, "seconds", 1.0, most=most)
    line(f"first round, {index}, second process", min(again), "seconds", 1.0, most=0.6)


def main() -> None:
    print(f"{'microseconds, or seconds to start':<38}{'ours':>9}  {'against':<13}{'theirs':>9}{'ratio':>9}")
    for fixed in (False, True):
        for d in (5, 20):
            interactive(d, fixed)
    for d in (5, 20):
        logged(d)
    with tempfile.TemporaryDirectory() as folder:
        c_loop = plain_c(folder)
        if c_loop is None:
            print("no C compiler: the comparison with plain C is left out")
        for world in WORLDS:
            whole(*world, c_loop)
    late()
    started("closed-form", 8.0)
    started("exact", 12.0)


if __name__ == "__main__":
    main()
