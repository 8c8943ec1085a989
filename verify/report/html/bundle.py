"""What the page shows: plain data, read from a results folder or handed over by a caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glbcheck.core.files import read_json
from glbcheck.verify import ledger
from glbcheck.verify.letters import Letters

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Bundle:
    """Everything on the page; all but the first two parts may be missing.

    `simulations` maps a name (coverage, regret) to its JSON. An audit and a simulation hold `drawings` (SVG by name)
    and their `captions`. `environment` holds whatever else a reader
    needs to run it again: machine, seeds, wall times.  `folder` is how the replay lines name the results.
    `letters` says what the letters of counterexamples mean, as `verify.letters` reads it from the paper.
    """

    results: Record
    anchors: Sequence[Record]
    audits: Sequence[Record] = ()
    simulations: Mapping[str, Record] = field(default_factory=dict)
    environment: Record = field(default_factory=dict)
    folder: str = "results"
    letters: Letters = field(default_factory=Letters)


def read(folder: Path, anchors: Sequence[Record], letters: Letters | None = None) -> Bundle:
    """The bundle of a results folder; `anchors` and `letters` are those of the paper."""
    results = ledger.read(folder / "results.json")
    return Bundle(
        results=results,
        anchors=anchors,
        audits=[_drawn(path) for path in sorted(folder.glob("audit/*.json"))],
        simulations=_simulations(folder / "simulate"),
        environment=_json(folder / "environment.json") if (folder / "environment.json").exists() else {},
        folder=str(folder),
        letters=letters or Letters(),
    )


def _simulations(folder: Path) -> dict[str, Record]:
    """NAME.json, or else NAME/cells.json."""
    files = {path.parent.name: path for path in sorted(folder.glob("*/cells.json"))}
    files |= {path.stem: path for path in sorted(folder.glob("*.json"))}
    return {name: _drawn(path, folder / name) for name, path in sorted(files.items())}


def _drawn(path: Path, folder: Path | None = None) -> Record:
    """The record in the file, with the SVG files of the folder; without one, of the folder named like the file."""
    drawings = sorted((folder or path.with_suffix("")).glob("*.svg"))
    return {**_json(path), "drawings": {one.stem: one.read_text(encoding="utf-8") for one in drawings}}


def _json(path: Path) -> Any:
    try:
        found = read_json(path)
    except (OSError, ValueError) as err:
        raise ledger.ResultsError(f"{path}: not a readable JSON file ({err})") from None
    if not isinstance(found, dict):
        raise ledger.ResultsError(f"{path}: not a JSON object")
    return found
