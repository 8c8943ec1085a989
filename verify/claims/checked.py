"""What was checked of a paper and is not typed: `checked.json` in its folder, a line for each record.

words    of each claim a digest of all that a reader sees of it and of what was decided (`review`)
parts    of each machine-checked part an edit that a point refutes (`controls`)
points   of each claim that is a text the points at which its premises hold together (`claims.joint`)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = "checked.json"
SECTIONS = ("words", "parts", "points")


def read(folder: Path, section: str) -> dict[str, Any] | None:
    """One section of what was checked of the paper in this folder; None if nobody ever did."""
    path = folder / FILE
    return dict(_read(path).get(section, {})) if path.exists() else None


def record(folder: Path, section: str, found: Mapping[str, Any]) -> None:
    """Enter these records and no others in this section."""
    path = folder / FILE
    known = {**(_read(path) if path.exists() else {}), section: found}
    text = ",\n".join(f'"{name}": {{{_lines(known[name])}}}' for name in SECTIONS if name in known)
    path.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _lines(records: Mapping[str, Any]) -> str:
    one = (f"{json.dumps(name)}: {json.dumps(records[name], ensure_ascii=False)}" for name in sorted(records))
    inside = ",\n".join(one)
    return f"\n{inside}\n" if inside else ""
