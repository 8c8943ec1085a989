"""Files that a user names: regular ones, of a size that can be read, text in UTF-8, JSON without a name given twice."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

LARGEST = 1 << 28  # bytes


def read_text(path: str | Path) -> str:
    """The text of a file; a pipe or a device might never end, and is an `OSError` like a file that is not there."""
    place = Path(path)
    if place.exists() and not place.is_file() and not place.is_dir():
        raise OSError(errno.EINVAL, "a pipe or a device; a file is accepted")
    if place.is_file() and place.stat().st_size > LARGEST:
        raise OSError(errno.EFBIG, f"larger than {LARGEST} bytes")
    return place.read_text(encoding="utf-8")


def read_json(path: str | Path) -> Any:
    """The data of a JSON file; `OSError` or `ValueError` if there is none."""
    try:
        return json.loads(read_text(path), object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):  # two readers might keep different ones
        names = [name for name, _ in pairs]
        raise ValueError(f"the name {next(n for n in names if names.count(n) > 1)!r} is given twice")
    return found
