"""A long run that can be killed at any moment and goes on where it stopped.

Results are kept as they come, in any order, under an identity: whatever two runs must share for their results to be
mixed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from glbcheck.core.errors import RunError
from glbcheck.core.versions import canonical, checksum, simulation_versions
from glbcheck.verify.runner.progress import Progress
from glbcheck.verify.runner.scheduler import Engine, Shard, finished
from glbcheck.verify.runner.worker import Work

try:
    import fcntl
except ImportError:  # where files cannot be locked, they are not
    fcntl = None  # type: ignore[assignment]

NAME, ENDED = "journal.jsonl", "journal.sqlite"
IDENTITY = ""  # the name of no piece
START = b'{"key":'


class Journal(AbstractContextManager["Journal"]):
    """Plain data by name, a line {key, sha256, value} each, in a file that is locked while it is open.

    A line is on the disk when `put` returns; of two with one key the later counts.  A torn last line is cut off, and
    other lines that are not as they were written are passed over: then the file is `damaged`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kept: dict[str, Any] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
        except OSError as err:
            raise RunError(f"--output = {str(path.parent)!r}: cannot write there ({err})") from None
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read(self) -> None:
        try:
            if fcntl:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{self.path} is in use: another run is writing to this folder") from None
        except OSError:
            pass  # a file system without locks
        self._file.seek(0)
        text = self._file.read()
        *lines, torn = text.split(b"\n")
        entries = [_entry(line) for line in lines]
        self.kept = dict(entry for entry in entries if entry)
        self.damaged = None in entries
        if not self.kept and (lines or not START.startswith(torn[: len(START)])):
            raise RunError(f"{self.path} is no record of a run: move it away or choose another --output")
        if torn:
            self._file.truncate(len(text) - len(torn))

    def put(self, key: str, value: Any) -> None:
        """Keep the value under this name."""
        line = canonical({"key": key, "sha256": checksum([key, value]), "value": value})
        left = memoryview(line.encode() + b"\n")
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file)
        except OSError as err:
            raise RunError(f"cannot write to {self.path} ({err}): make room") from None
        self.kept[key] = json.loads(line)["value"]

    def clear(self) -> None:
        self._file.truncate(0)
        self.kept = {}


def _entry(line: bytes) -> tuple[str, Any] | None:
    try:
        found = json.loads(line)
        key, value = found["key"], found["value"]
        return (key, value) if found["sha256"] == checksum([key, value]) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def run(
    shards: Sequence[Shard], work: Work, folder: Path, identity: Mapping[str, Any], engine: Engine,
    resume: bool = False, unit: str = "rounds",
) -> dict[str, Any]:  # fmt: skip
    """The result of every shard by its key; those in the folder's journal are not computed again."""
    names = {"shards": checksum([[s.key, dict(s.payload)] for s in shards]), "versions": simulation_versions()}
    if (folder / ENDED).exists():
        accepted = "which an earlier version wrote and no other goes on with: choose another --output"
        raise RunError(f"there is {folder / ENDED}, {accepted}")
    with Journal(folder / NAME) as journal:
        _claim(journal, {**identity, **names}, resume)
        if journal.damaged:
            _say(f"{journal.path} was damaged: {_count(journal)} pieces are intact, the rest is done again")
        waiting = [shard for shard in shards if shard.key not in journal.kept]
        total, left = (sum(s.size for s in some) for some in (shards, waiting))
        progress = Progress(total, total - left, unit)
        try:
            with finished(waiting, work, engine) as results:
                for shard, result in results:
                    journal.put(shard.key, result)
                    progress.add(shard.size)
        except KeyboardInterrupt:
            progress.clear()
            _say(f"stopped with {len(shards) - _count(journal)} of {len(shards)} pieces to go; continue with --resume")
            raise
        except RunError as err:
            kept = "; what is finished is kept: run again with --resume" if _count(journal) else ""
            raise RunError(f"{err}{kept}") from None
        progress.clear()
        return {shard.key: journal.kept[shard.key] for shard in shards}


def _claim(journal: Journal, ours: dict[str, Any], resume: bool) -> None:
    """Begin under our own name, or go on with what was begun under it."""
    theirs, done = journal.kept.get(IDENTITY), _count(journal)
    if theirs is None or not done:  # nothing to lose
        journal.clear()
        journal.put(IDENTITY, ours)
        return
    if not resume:
        accepted = "continue it with --resume, or choose another --output"
        raise RunError(f"{journal.path} holds {done} finished pieces of a run: {accepted}")
    differing = sorted(k for k in theirs.keys() | ours.keys() if theirs.get(k) != ours.get(k))
    if differing:
        shown = "; ".join(f"{k}: there {theirs.get(k)!r}, here {ours.get(k)!r}" for k in differing)
        accepted = "resume with what it was started with, or choose another --output"
        raise RunError(f"{journal.path} belongs to another run ({shown}): {accepted}")


def _count(journal: Journal) -> int:
    return len(journal.kept.keys() - {IDENTITY})


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
