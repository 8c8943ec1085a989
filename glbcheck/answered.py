"""Questions answered before: the outcome of a verb, kept by everything that it depends on.

The key is a hash of the arguments, of every source file that may have a say and of the versions.  A cache that is
damaged, locked or cannot be written is passed over: it saves time and decides nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from glbcheck.command import Outcome

NAME = "answers.jsonl"
MOST = 500  # answers; a file that holds more is emptied


def answered(
    question: Any, folders: Iterable[Path], ask: Callable[[], Outcome], keep: Callable[[Any], bool]
) -> Outcome:
    """The outcome as it was kept, byte for byte; else what `ask` finds, kept if `keep` says so of its data."""
    from glbcheck.core.versions import checksum, source_hash, versions
    from glbcheck.verify.report.table import width

    key = checksum([question, width(), source_hash(*_rooms(), *folders), versions()])
    if (found := _kept(key)) is not None:
        return found
    outcome = ask()
    if keep(outcome.data):
        _put(key, outcome)
    return outcome


def _rooms() -> list[Path]:
    from glbcheck import core, verify

    return [Path(room.__path__[0]) for room in (core, verify)] + [Path(__file__).parent / "verbs"]


def _place() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "glbcheck" / NAME


def _kept(key: str) -> Outcome | None:
    from glbcheck.core.errors import RunError
    from glbcheck.verify.runner.journal import Journal

    try:
        if not _place().is_file():
            return None
        with Journal(_place()) as journal:
            code, lines, data = json.loads(journal.kept[key])
        return Outcome(int(code), [str(line) for line in lines], data)
    except (RunError, OSError, KeyError, TypeError, ValueError):
        return None


def _put(key: str, outcome: Outcome) -> None:
    from glbcheck.core.errors import RunError
    from glbcheck.verify.plain_json import dumps
    from glbcheck.verify.runner.journal import Journal

    # Infinity and the order of keys survive as text.
    text = dumps([outcome.code, list(outcome.lines), outcome.data])
    try:
        with Journal(_place()) as journal:
            if len(journal.kept) >= MOST:
                journal.clear()
            journal.put(key, text)
    except (RunError, OSError):
        return
