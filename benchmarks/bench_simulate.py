"""How fast the simulation is, and what a second worker adds: `python -m benchmarks.bench_simulate`.

The same shards on one thread, on all cores as threads, and on all cores as processes, in turn and several
times over, so that other work on the machine hits all of them alike; the best time of each counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

from glbcheck.core.simulation import shards
from glbcheck.core.simulation.grid import Block, Cell
from glbcheck.core.simulation.shards import Piece

TURNS = 3
CASES = {
    "d = 1, arms that stay": Block(families=("bernoulli",), d=(1,), C=(10.0,), arms=("basis",), T=(30_000,)),
    "d = 2, arms that stay": Block(families=("poisson",), d=(2,), C=(10.0,), arms=("sphere:8",), T=(30_000,)),
    "d = 5, arms that change": Block(d=(5,), C=(10.0,), arms=("changing:10",), T=(20_000,)),
    "short runs": Block(families=("bernoulli",), d=(1,), C=(10.0,), arms=("basis",), T=(1000,)),
}


def pieces(cell: Cell, workers: int) -> list[Piece]:
    """Equal shards, a few for each worker."""
    count = max(1, 60_000 // cell.T)
    shared = cell.__dict__
    return [
        Piece(str(n), count * cell.T, {"cell": shared, "first": n * count, "count": count, "seed": 1})
        for n in range(2 * workers)
    ]


def seconds(pool: Executor, work: Sequence[Piece]) -> float:
    started = time.perf_counter()
    list(pool.map(shards.work, [piece.payload for piece in work]))
    return time.perf_counter() - started


def measure(cell: Cell, pools: dict[str, Callable[[], Executor]], workers: int) -> None:
    work = pieces(cell, workers)
    rounds, best = sum(piece.size for piece in work), dict.fromkeys(pools, float("inf"))
    opened = {name: make() for name, make in pools.items()}
    for pool in opened.values():
        seconds(pool, work[:workers])  # compiled code and constants are at hand
    for _ in range(TURNS):
        for name, pool in opened.items():
            best[name] = min(best[name], seconds(pool, work))
    for pool in opened.values():
        pool.shutdown()
    for name, spent in best.items():
        used = 1 if name == "one thread" else workers
        efficiency = best["one thread"] / (used * spent)
        print(f"  {name:<14} {rounds / spent:12,.0f} rounds/s   efficiency {efficiency:4.0%}")


def main() -> None:
    workers = os.cpu_count() or 1
    pools: dict[str, Callable[[], Executor]] = {
        "one thread": lambda: ThreadPoolExecutor(1),
        f"{workers} threads": lambda: ThreadPoolExecutor(workers),
        f"{workers} processes": lambda: ProcessPoolExecutor(workers, mp_context=get_context("spawn")),
    }
    for name, block in CASES.items():
        print(name)
        measure(block.cells()[0], pools, workers)


if __name__ == "__main__":
    main()
