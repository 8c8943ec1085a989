"""What is finished stays finished: an append-only file with one checked line per finished piece of work.

A line is written, flushed and synced before the piece counts as done, and carries its own checksum.  After a
crash the last line may be torn; it is cut off, and its piece is done again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from pathlib import Path
from typing import Any

NAME = "journal.jsonl"


class RunError(RuntimeError):
    """A run that cannot start or go on; the message says what to do, and nothing finished is lost."""


def canonical(data: Any) -> str:
    """The one way to write this data; NaN and infinities are refused because JSON has none."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def checksum(data: Any) -> str:
    return hashlib.sha256(canonical(data).encode()).hexdigest()


class Journal:
    """The journal of one folder, locked for as long as it is open."""

    def __init__(self, folder: Path, identity: dict[str, Any], resume: bool) -> None:
        """Open it for a run with this identity; `finished` then holds the results already there."""
        self.path = folder / NAME
        self.finished: dict[str, Any] = {}
        self.damaged = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Unbuffered: what a full disk refuses must not come back when the file is closed.
            self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115
        except OSError as err:
            raise RunError(f"--output = {str(folder)!r}: cannot write there ({err.strerror})") from None
        try:
            self._lock()
            self._read(identity, resume)
        except BaseException:
            self._file.close()
            raise

    def add(self, key: str, result: Any) -> None:
        """Write down a result; it is on the disk when this returns."""
        self._append({"key": key, "result": result})
        self.finished[key] = result

    def close(self) -> None:
        self._file.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"{self.path} is in use: another run is writing to this folder") from None

    def _read(self, identity: dict[str, Any], resume: bool) -> None:
        self._file.seek(0)
        whole = self._file.read()
        complete = whole.rfind(b"\n") + 1
        lines = whole[:complete].splitlines()
        if not lines:
            self._file.truncate(0)
            self._append({"identity": identity})
            return
        head = _record(lines[0])
        if head is None or "identity" not in head:
            raise RunError(f"{self.path} is not a journal of a run: move it away or choose another --output")
        for line in lines[1:]:
            record = _record(line)
            if record is None or "key" not in record:
                self.damaged += 1
            else:
                self.finished.setdefault(record["key"], record["result"])
        self._check(head["identity"], identity, resume)
        self._file.truncate(complete)

    def _check(self, theirs: dict[str, Any], ours: dict[str, Any], resume: bool) -> None:
        if not resume and self.finished:
            raise RunError(
                f"{self.path} holds {len(self.finished)} finished pieces of a run: "
                "continue it with --resume, or choose another --output"
            )
        differing = sorted(k for k in theirs.keys() | ours.keys() if theirs.get(k) != ours.get(k))
        if not differing:
            return
        if not self.finished:  # nothing to lose: begin again under our own name
            self._file.truncate(0)
            self._append({"identity": ours})
            return
        shown = "; ".join(f"{k}: there {theirs.get(k)!r}, here {ours.get(k)!r}" for k in differing)
        raise RunError(
            f"{self.path} belongs to another run ({shown}): resume with what it was started with, "
            "or choose another --output"
        )

    def _append(self, record: dict[str, Any]) -> None:
        line = canonical({"record": record, "sha256": checksum(record)}) + "\n"
        rest = line.encode()
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as err:
            raise RunError(
                f"cannot write to {self.path} ({err.strerror}); what is finished is kept: "
                "make room and run again with --resume"
            ) from None


def _record(line: bytes) -> dict[str, Any] | None:
    """The record of a line, or None if the line is not what was written."""
    try:
        entry = json.loads(line)
        record = entry["record"]
        intact = isinstance(record, dict) and entry["sha256"] == checksum(record)
    except (ValueError, TypeError, KeyError):
        return None
    return record if intact else None
