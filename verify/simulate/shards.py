"""The work of a grid in pieces of bounded size, each a pure function of plain data."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from glbcheck.core.versions import checksum
from glbcheck.verify.runner import Payload, Shard
from glbcheck.verify.simulate.cells import Row, is_searched, play
from glbcheck.verify.simulate.grid import Cell
from glbcheck.verify.simulate.searching import described, find, trials

ROUNDS = 1_000_000  # in one shard, unless a single run is longer


def cut(cells: Sequence[Cell], seed: int) -> list[Shard]:
    """Every cell in ranges of runs."""
    return [shard for cell in cells for shard in _pieces(cell, seed)]


def _pieces(cell: Cell, seed: int) -> Iterator[Shard]:
    name = key(cell)
    # What a search finds is played where it was found.
    step = cell.replicates if is_searched(cell) else max(1, ROUNDS // cell.T)
    for first in range(0, cell.replicates, step):
        count = min(step, cell.replicates - first)
        payload = {"cell": asdict(cell), "first": first, "count": count, "seed": seed}
        runs = count + (trials(cell) if is_searched(cell) else 0)
        yield Shard(f"{name}/{first}", runs * cell.T, payload)


def key(cell: Cell) -> str:
    """A short name for the setting, whatever the number of replicates."""
    return checksum(asdict(replace(cell, replicates=0)))[:16]


def work(payload: Payload) -> dict[str, Any]:
    """Play the runs of one shard."""
    cell, seed = Cell(**payload["cell"]), payload["seed"]
    started = time.perf_counter()
    numbers = range(payload["first"], payload["first"] + payload["count"])
    result: dict[str, Any] = {}
    opponent = None
    if is_searched(cell):
        found = find(cell, seed)
        opponent, result["found"] = found.attack, described(found)
    result["rows"] = [play(cell, number, seed, opponent) for number in numbers]
    return {**result, "seconds": time.perf_counter() - started}


@dataclass(frozen=True)
class Played:
    """All runs of a cell in their order, the seconds they took, and the attack that was found for them."""

    cell: Cell
    rows: list[Row]
    seconds: float
    found: dict[str, Any] | None


def gather(cells: Sequence[Cell], results: Mapping[str, Any]) -> list[Played]:
    """The results of all shards, cell by cell."""
    gathered = []
    for cell in cells:
        parts = [results[shard.key] for shard in _pieces(cell, 0)]
        rows = [row for part in parts for row in part["rows"]]
        seconds = sum(part["seconds"] for part in parts)
        gathered.append(Played(cell, rows, seconds, parts[0].get("found")))
    return gathered
