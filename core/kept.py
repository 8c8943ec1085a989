"""Answers kept for the next process: plain data, found once, under the fingerprint of all that they depend on.

A question is asked in words.  Its answer lies in a file named after a hash of them, in a directory named after the
content of every source of `core` and the versions of the libraries it computes with: what any change of them might
change is found anew.  Where the directory cannot be written, nothing is kept.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeAlias

from glbcheck.core.versions import NUMERIC, ROOT, checksum, source_hash, version

Plain: TypeAlias = Any  # what JSON can hold; floats come back as they were

LIBRARIES = (*NUMERIC, "sympy", "mpmath", "python-flint")
MOST = 4096  # answers in one directory: a study of random radii must not fill a disk
OTHERS = 31  # directories beside it that stay, the latest ones


def home() -> Path:
    """Where the user's caches of this package lie."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")) / "glbcheck"


def _fingerprint() -> str:
    machine = [platform.python_version(), platform.machine()]
    return checksum([machine, [version(name) for name in LIBRARIES], source_hash(ROOT / "core")])[:16]


def _stamps() -> dict[str, tuple[int, int]]:
    """What tells whether a source was written since."""
    found = {}
    for folder, _, names in os.walk(ROOT / "core"):
        for name in names:
            if name.endswith(".py"):
                status = os.stat(os.path.join(folder, name))
                found[os.path.join(folder, name)] = status.st_mtime_ns, status.st_size
    return found


_IMPORTED, _WRITTEN = _fingerprint(), _stamps()  # the sources as they are imported, not as they are later


def kept(question: Sequence[str], find: Callable[[], Plain]) -> Plain:
    """The answer to a question, from an earlier process or from `find`."""
    words = list(question)
    place = home() / "answers" / _IMPORTED / f"{checksum(words)}.json"
    try:
        known = json.loads(place.read_bytes())
        if known["question"] == words:
            return known["answer"]
    except (OSError, ValueError, TypeError, KeyError):
        pass  # not there, or not a file of ours
    answer = find()
    _write(place, {"question": words, "answer": answer})
    return answer


def _write(place: Path, data: Plain) -> None:
    """The whole file or none, and none if a source has changed since it was imported."""
    try:
        if _stamps() != _WRITTEN:
            return
        if not place.parent.is_dir():
            place.parent.mkdir(parents=True)
            _forget(place.parent.parent)
        if len(os.listdir(place.parent)) < MOST:
            with NamedTemporaryFile("w", dir=place.parent, delete=False) as file:
                json.dump(data, file)
            os.replace(file.name, place)
    except OSError:
        pass


def _forget(folder: Path) -> None:
    """Remove what was kept for sources of long ago; whoever still asks finds it again."""
    for old in sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)[OTHERS + 1 :]:
        shutil.rmtree(old, ignore_errors=True)
