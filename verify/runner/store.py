"""What is finished stays finished: plain data by name in one SQLite file.

A transaction is on the disk when `put` returns, and SQLite undoes a torn one when the file is next opened.
A disk may still spoil what was written, so each entry carries its checksum.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from glbcheck.core.errors import RunError
from glbcheck.core.versions import canonical, checksum

TABLE = "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT, checksum TEXT) WITHOUT ROWID"
FOREIGN = "{path} is no record of a run: move it away or choose another --output"
BUSY = "{path} is in use: another run is writing to this folder"
FULL = "cannot write to {path} ({reason}): make room"
PATIENCE = 1.0  # seconds to wait for another process that has the file open


class Store(AbstractContextManager["Store"]):
    """The file, locked for as long as it is open; `kept` is all that is in it.

    If some of it is `damaged`, the intact rest is moved to a new file, and the old one stays beside it.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.damaged = path, False
        self.kept: dict[str, Any] = {}
        self._open()
        if self.damaged:
            self._db.close()
            path.replace(path.with_name(f"{path.name}.damaged"))
            intact, self.kept = self.kept, {}
            self._open()
            for key, value in intact.items():
                self.put(key, value)

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def put(self, key: str, value: Any) -> None:
        """Keep the value under this name; it is on the disk when this returns."""
        text = canonical(value)
        with self._explained(FULL):
            self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, text, _seal(key, text)))
        self.kept[key] = json.loads(text)

    def clear(self) -> None:
        with self._explained(FULL):
            self._db.execute("DELETE FROM kept")
        self.kept = {}

    def _open(self) -> None:
        with self._explained("--output = {folder!r}: cannot write there ({reason})"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, PATIENCE, isolation_level=None)
            self._db.text_factory = lambda raw: raw.decode(errors="replace")
            try:
                self._read()
            except BaseException:
                self._db.close()
                raise

    def _read(self) -> None:
        try:
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")  # from the first use until it is closed
            self._db.execute("PRAGMA synchronous = EXTRA")
            self._db.execute("BEGIN EXCLUSIVE")
            tables = [name for (name,) in self._db.execute("SELECT name FROM sqlite_master")]
            if tables and "kept" not in tables:
                raise RunError(FOREIGN.format(path=self.path))
            self._db.execute(TABLE)
            for key, value, sealed in self._db.execute("SELECT key, value, checksum FROM kept"):
                if sealed == _seal(key, value):
                    self.kept[key] = json.loads(value)
                else:
                    self.damaged = True
            self._db.execute("COMMIT")
            self.damaged |= self._db.execute("PRAGMA quick_check").fetchone()[0] != "ok"
        except UnicodeDecodeError:  # a message that quotes a damaged name
            self.damaged = True
        except sqlite3.DatabaseError as err:
            if _code(err) not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
                raise
            self.damaged = True

    @contextmanager
    def _explained(self, otherwise: str) -> Iterator[None]:
        """Errors of SQLite and of the disk in words that say what to do."""
        try:
            yield
        except (OSError, sqlite3.DatabaseError) as err:
            words = {sqlite3.SQLITE_BUSY: BUSY, sqlite3.SQLITE_NOTADB: FOREIGN}.get(_code(err), otherwise)
            raise RunError(words.format(path=self.path, folder=str(self.path.parent), reason=err)) from None


def _code(err: Exception) -> int:
    """SQLite's primary code; 0 for errors of others."""
    return int(getattr(err, "sqlite_errorcode", 0)) & 0xFF


def _seal(key: object, value: object) -> str:
    return checksum(repr((key, value)))
