"""Which files of core every edit was tried in, and what became of them: kept beside the tests, for everybody to read.

A row is about the file as it was: `text` is the beginning of its digest.  When the file changes, the row is out of date
and `python -m tests.engine_mutants --all` tries its edits again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from tests.core_changes import CORE, Mutant

RECORD = Path(__file__).resolve().parent / "core_mutants.json"
NOTICED, EXPLAINED, OPEN = "noticed", "explained", "open"


def read() -> dict[str, dict[str, str | int]]:
    rows: dict[str, dict[str, str | int]] = json.loads(RECORD.read_text())
    return rows


def text_of(path: str) -> str:
    return sha256((CORE / path).read_bytes()).hexdigest()[:16]


def is_settled(path: str) -> bool:
    """Was every edit of the file as it is now noticed or explained?"""
    row = read().get(path)
    return row is not None and row["text"] == text_of(path) and row[OPEN] == 0


def write(outcomes: Mapping[Mutant, str]) -> None:
    """Put down files all of whose edits have an outcome, beside what is known of others that still exist."""
    rows = {path: row for path, row in read().items() if (CORE / path).exists()}
    for path in {mutant.path for mutant in outcomes}:
        found = [outcome for mutant, outcome in outcomes.items() if mutant.path == path]
        counts = {name: found.count(name) for name in (NOTICED, EXPLAINED, OPEN)}
        rows[path] = {"text": text_of(path), **counts}
    lines = ",\n".join(f"  {json.dumps(path)}: {json.dumps(rows[path])}" for path in sorted(rows))
    RECORD.write_text(f"{{\n{lines}\n}}\n")
