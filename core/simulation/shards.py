"""The work of a grid in pieces of bounded size, each a pure function of plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from glbcheck.core.simulation.attack_search import find, trials
from glbcheck.core.simulation.cells import Row, is_searched, play_several
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


def cut(cells: Sequence[Cell], seed: int) -> list[Piece]:
    """Every cell in ranges of runs."""
    return [piece for cell in cells for piece in _pieces(cell, seed)]


def _pieces(cell: Cell, seed: int) -> Iterator[Piece]:
    name = checksum(asdict(replace(cell, replicates=0)))[:16]
    # What a search finds is played where it was found.
    step = cell.replicates if is_searched(cell) else max(1, ROUNDS // cell.T)
    for first in range(0, cell.replicates, step):
        count = min(step, cell.replicates - first)
        payload = {"cell": asdict(cell), "first": first, "count": count, "seed": seed}
        runs = count + (trials(cell) if is_searched(cell) else 0)
        yield Piece(f"{name}/{first}", runs * cell.T, payload)


def work(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Play the runs of one piece."""
    cell, seed = Cell(**payload["cell"]), payload["seed"]
    started = time.perf_counter()
    result: dict[str, Any] = {}
    opponent = None
    if is_searched(cell):
        found = find(cell, seed)
        opponent, result["found"] = found.attack, found.plain()
    numbers = range(payload["first"], payload["first"] + payload["count"])
    result["rows"] = play_several(cell, numbers, seed, opponent)
    return {**result, "seconds": time.perf_counter() - started}


@dataclass(frozen=True)
class Played:
    """All runs of a cell in their order, the seconds they took, and the attack that was found for them."""

    cell: Cell
    rows: list[Row]
    seconds: float
    found: dict[str, Any] | None


def played(cells: Sequence[Cell], seed: int, run: Run) -> list[Played]:
    """All runs of all cells, cell by cell, whoever does the work."""
    results = run(cut(cells, seed))
    gathered = []
    for cell in cells:
        parts = [results[piece.key] for piece in _pieces(cell, seed)]
        rows = [row for part in parts for row in part["rows"]]
        seconds = sum(part["seconds"] for part in parts)
        gathered.append(Played(cell, rows, seconds, parts[0].get("found")))
    return gathered
