"""The work of a grid in pieces of bounded size, each a pure function of plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple, TypeAlias

from glbcheck.core.simulation.attack_search import find, trials
from glbcheck.core.simulation.cells import is_searched, play
from glbcheck.core.simulation.grid import Cell
from glbcheck.core.versions import checksum

ROUNDS = 1_000_000  # in one shard, unless a single run is longer


class Piece(NamedTuple):
    """A named piece of work; `size` is its number of rounds."""

    key: str
    size: int
    payload: dict[str, Any]


# Does every piece of work, somewhere and in any order; returns the results by key.
Run: TypeAlias = Callable[[Sequence[Piece]], Mapping[str, Any]]


def cut(cell: Cell, seed: int) -> list[Piece]:
    """A cell in ranges of runs; what a search finds is played where it was found."""
    name, searched = checksum(asdict(replace(cell, replicates=0)))[:16], is_searched(cell)
    step, found = cell.replicates if searched else max(1, ROUNDS // cell.T), []
    for first in range(0, cell.replicates, step):
        count = min(step, cell.replicates - first)
        payload = {"cell": asdict(cell), "first": first, "count": count, "seed": seed}
        found.append(Piece(f"{name}/{first}", (count + (trials(cell) if searched else 0)) * cell.T, payload))
    return found


def work(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Play the runs of one piece."""
    cell, seed, started = Cell(**payload["cell"]), payload["seed"], time.perf_counter()
    found = find(cell, seed) if is_searched(cell) else None
    numbers = range(payload["first"], payload["first"] + payload["count"])
    rows = [play(cell, number, seed, found and found.attack) for number in numbers]
    said = {"found": found.plain()} if found else {}
    return {**said, "rows": rows, "seconds": time.perf_counter() - started}
