"""Interactive rounds in microseconds, all sides in one process in turn: `python -m benchmarks.bench_learner`.

Every side chooses among K = 20 arms of norm 1 and learns from a Bernoulli reward (S = 3, sharpest constants; `Scouted`
with C = 5).  The yardsticks are `benchmarks/numpy_learner.py`, which keeps H⁻¹ and checks nothing, and `Published`,
which does in a round what the description of GLB-OMD says, as its authors' users would write it: a matrix is inverted
in every round and norms are computed arm by arm.  Medians of `TURNS` turns of thread time; compare ratios, not times.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as states

from benchmarks.numpy_learner import NumpyLearner
from glbcheck import HCWGLBOMD, Learner, Scouted, catalog

ARMS, SETS, TURNS, ROUNDS, S = 20, 500, 5, 2000, 3.0
COIN = catalog.get("bernoulli")
GOALS = {  # side: against which, with changing and with fixed arms, at d = 5 and 20; at least or at most
    "closed form": ("lean loop", {"changing": (4.0, 2.4), "fixed": (4.0, 2.4)}, "at least"),
    "exact": ("closed form", {"changing": (2.0, 2.0), "fixed": (3.0, 3.0)}, "at most"),
    "Scouted": ("closed form", {"changing": (2.0, 2.0), "fixed": (3.0, 3.0)}, "at most"),
    "Learner": ("closed form", {"changing": (8.0, 8.0), "fixed": (8.0, 8.0)}, "at most"),
}


class Published:
    """GLB-OMD from its description, for logistic rewards: an inverse a round, and a loop over arms."""

    def __init__(self, d: int) -> None:
        self.theta, self.H, self.t = np.zeros(d), float(d) * np.eye(d), 0

    def select(self, arms: Floats) -> int:
        self.t += 1
        inverse = np.linalg.inv(self.H)
        beta = np.sqrt(len(self.theta) * np.log(1 + self.t))
        return int(np.argmax([x @ self.theta + beta * np.sqrt(x @ inverse @ x) for x in arms]))

    def update(self, x: Floats, reward: float) -> None:
        mean = 1 / (1 + np.exp(-x @ self.theta))
        eta, slope = 1 + S, mean * (1 - mean)
        M = self.H / eta + slope * np.outer(x, x)
        self.theta = self.theta - np.linalg.solve(M, (mean - reward) * x)
        length = np.linalg.norm(self.theta)
        if length > S:
            self.theta *= S / length
        mean = 1 / (1 + np.exp(-x @ self.theta))
        self.H += mean * (1 - mean) * np.outer(x, x)


class Served:
    """A learner behind tickets and a monitor; the reward comes before the next pull."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def select(self, arms: Floats) -> int:
        self.ticket = self.learner.choose(arms)
        return self.ticket.arm

    def update(self, x: Floats, reward: float) -> None:
        self.learner.reward(self.ticket, reward)


def sides(d: int) -> dict[str, Any]:
    plain = HCWGLBOMD(COIN, d, S, constants="sharpest", index="closed-form")
    return {
        "public loop": Published(d), "lean loop": NumpyLearner(plain.parameters), "closed form": plain,
        "exact": HCWGLBOMD(COIN, d, S, constants="sharpest"), "Scouted": Scouted(COIN, d, S, C=5.0),
        "Learner": Served(Learner(HCWGLBOMD(COIN, d, S, constants="sharpest", index="closed-form"))),
    }  # fmt: skip


def measured(d: int, fixed: bool, rounds: int = ROUNDS) -> dict[str, float]:
    """Microseconds a round of every side."""
    rng = np.random.default_rng(1)
    arms = rng.standard_normal((SETS, ARMS, d))
    arms /= np.linalg.norm(arms, axis=2)[:, :, None] * (1 + 1e-9)
    theta = rng.standard_normal(d)
    theta *= 0.9 * S / np.linalg.norm(theta)
    offered = [arms[0]] * SETS if fixed else list(arms)
    rewards = (rng.random((SETS, ARMS)) < COIN.mu(np.array(offered) @ theta)).astype(float).tolist()

    def turn(side: Any, count: int) -> float:
        begin = time.thread_time()
        for t in range(count):
            now = offered[t % SETS]
            k = side.select(now)
            side.update(now[k], rewards[t % SETS][k])
        return (time.thread_time() - begin) / count * 1e6

    players = sides(d)
    times: dict[str, list[float]] = {name: [] for name in players}
    for number in range(TURNS + 1):
        for name, side in players.items():
            found = turn(side, 50 if number == 0 else rounds)
            if number:
                times[name].append(found)
    return {name: median(found) for name, found in times.items()}


def flatness(d: int, rounds: int = 200_000) -> tuple[float, float]:
    """Cost of the last tenth of a run over that of the first, with exact choices; and |WᵀWH - I| at its end."""
    rng, learner = np.random.default_rng(2), HCWGLBOMD(COIN, d, S, constants="sharpest")
    arms = rng.standard_normal((ARMS, d))
    arms /= np.linalg.norm(arms, axis=1)[:, None] * (1 + 1e-9)
    rewards = (rng.random(rounds) < 0.5).astype(float).tolist()
    learner.update(arms[learner.select(arms)], 1.0)
    parts = []
    for tenth in range(10):
        begin = time.thread_time()
        for reward in rewards[tenth * rounds // 10 : (tenth + 1) * rounds // 10]:
            learner.update(arms[learner.select(arms)], reward)
        parts.append(time.thread_time() - begin)
    W, H = (states.square(learner._step.numbers, which) for which in (states.W, states.H))  # type: ignore[union-attr]
    return parts[-1] / parts[0], float(np.abs(W.T @ W @ H - np.eye(d)).max())


START = """
import time; begin = time.process_time(); wall = time.perf_counter()
import numpy as np
from glbcheck import HCWGLBOMD, catalog
learner = HCWGLBOMD(catalog.get("bernoulli"), 5, 3.0, index="{index}")
arms = np.random.default_rng(0).standard_normal((20, 5)) / 10
learner.update(arms[learner.select(arms)], 1.0)
print(time.process_time() - begin, time.perf_counter() - wall)
"""


def started(index: str) -> dict[str, tuple[float, float]]:
    """CPU and wall seconds from the first import to the end of the first round, cold and from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}

        def once() -> tuple[float, float]:
            code = START.format(index=index)
            done = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
            )
            cpu, wall = map(float, done.stdout.split())
            return cpu, wall

        return {"cold": once(), "second process": min(once() for _ in range(3))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", help="also write the numbers to this file")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    table: dict[str, dict[str, float]] = {}
    for fixed in (False, True):
        for d in (5, 20):
            table[f"{'fixed' if fixed else 'changing'} d={d}"] = measured(d, fixed, given.rounds)
    names = list(next(iter(table.values())))
    print("microseconds a round " + "".join(f"{name:>13}" for name in names))
    for row, found in table.items():
        print(f"{row:<21}" + "".join(f"{found[name]:13.2f}" for name in names))
    for name, (other, goals, word) in GOALS.items():
        for place, (row, found) in enumerate(table.items()):
            goal = goals["fixed" if "fixed" in row else "changing"][place % 2]
            ratio = found[other] / found[name] if word == "at least" else found[name] / found[other]
            met = ratio >= goal if word == "at least" else ratio <= goal
            words = f"{other} / {name}" if word == "at least" else f"{name} / {other}"
            print(f"{words:<28}{row:<16}{ratio:6.2f}  {word} {goal:g}{'' if met else '  MISSED'}")
    for d in (5, 20):
        late, drift = flatness(d)
        print(f"200,000 rounds, d={d}: last tenth / first {late:.2f}, |W'WH - I| {drift:.1e}")
    starts = {index: started(index) for index in ("closed-form", "exact")}
    for index, found_start in starts.items():
        for kind, (cpu, wall) in found_start.items():
            print(f"first round, {index}, {kind}: {cpu:.2f} s CPU, {wall:.2f} s wall")
    if given.json:
        with open(given.json, "w") as file:
            json.dump({"rounds": table, "starts": starts}, file, indent=1)


if __name__ == "__main__":
    main()
