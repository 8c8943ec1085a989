"""What need not be done again: a stage is a hit when its inputs and its outputs are what they were.

The key of a stage is a hash of the source it runs, of versions and of its options.  The hash of every file it
left is kept too, so that a result edited by hand, or half written, is a miss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glbcheck.core.versions import file_hash
from glbcheck.verify.runner.journal import Journal

NAME = "cache.jsonl"


@dataclass(frozen=True)
class Cache:
    """The stages done in one output folder."""

    folder: Path
    fresh: bool = False

    def hit(self, stage: str, its_key: str) -> Mapping[str, Any] | None:
        """What was remembered about the stage, if it is finished and nothing has changed since."""
        one = self._known(stage, its_key)
        files = one.get("files", {})
        if not files or any(_hash(self.folder / name) != digest for name, digest in files.items()):
            return None
        facts: Mapping[str, Any] = one["facts"]
        return facts

    def begun(self, stage: str, its_key: str) -> bool:
        """Whether this very stage was begun before, so that it may go on."""
        return bool(self._known(stage, its_key))

    def begin(self, stage: str, its_key: str) -> None:
        self._put(stage, {"key": its_key})

    def keep(self, stage: str, its_key: str, files: Iterable[Path], facts: Mapping[str, Any]) -> None:
        """Remember the stage, at once, so that an interrupted run goes on after it."""
        hashes = {str(path.relative_to(self.folder)): _hash(path) for path in files}
        self._put(stage, {"key": its_key, "files": hashes, "facts": dict(facts)})

    def _known(self, stage: str, its_key: str) -> Mapping[str, Any]:
        with Journal(self.folder / NAME) as journal:
            one: Mapping[str, Any] = journal.kept.get(stage, {})
        return one if not self.fresh and one.get("key") == its_key else {}

    def _put(self, stage: str, what: Mapping[str, Any]) -> None:
        with Journal(self.folder / NAME) as journal:
            journal.put(stage, what)


def _hash(path: Path) -> str | None:
    try:
        return file_hash(path)
    except OSError:
        return None
