"""What need not be done again: a stage is a hit when its inputs and its outputs are what they were.

The key of a stage is a hash of the source it runs and of its options.  The hash of every file it left is kept
too, so that a result edited by hand, or half written, is a miss.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glbcheck.verify.plain_json import dumps

NAME = "cache.json"
SOURCES = ("*.py", "*.json", "*.toml", "*.css", "*.js")


def source_hash(*folders: Path) -> str:
    """A hash of every source file below these folders, by name and content."""
    digest = hashlib.sha256()
    for home in folders:
        for path in sorted(path for kind in SOURCES for path in home.rglob(kind)):
            digest.update(f"{home.name}/{path.relative_to(home)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def key(*parts: Any) -> str:
    """One hash for source, versions and options."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


@dataclass
class Cache:
    """The stages done in one output folder."""

    folder: Path
    fresh: bool = False
    _known: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            found = json.loads((self.folder / NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        self._known = found if isinstance(found, dict) else {}

    def hit(self, stage: str, its_key: str) -> Mapping[str, Any] | None:
        """What was remembered about the stage, if nothing has changed since."""
        one = self._known.get(stage)
        if self.fresh or not isinstance(one, dict) or one.get("key") != its_key:
            return None
        files = one.get("files", {})
        if not files or any(_hash(self.folder / name) != digest for name, digest in files.items()):
            return None
        facts: Mapping[str, Any] = one.get("facts", {})
        return facts

    def keep(self, stage: str, its_key: str, files: Iterable[Path], facts: Mapping[str, Any]) -> None:
        """Remember the stage, at once, so that an interrupted run goes on after it."""
        hashes = {str(path.relative_to(self.folder)): _hash(path) for path in files}
        self._known[stage] = {"key": its_key, "files": hashes, "facts": dict(facts)}
        unfinished = self.folder / f".{NAME}.part"
        unfinished.write_text(dumps(self._known), encoding="utf-8")
        unfinished.replace(self.folder / NAME)


def _hash(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
