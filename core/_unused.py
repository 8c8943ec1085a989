"""Folders of a cache, one for each state of the sources: whoever uses one says so, and one unused for long is removed.

A folder of ours has a mark in it.  When it was used last is the time of the mark, and a process that uses it holds a
lock on the mark as long as it lives.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # where nobody can tell whether a folder is in use, none is removed
    fcntl = None  # type: ignore[assignment]

LONG = 30 * 24 * 3600.0  # seconds
MARK = "used"
_OURS = re.compile(r"[0-9a-f]{16}")  # what folders are called


def hold(folder: Path) -> None:
    """It is used by this process from now on."""
    mark = folder / MARK
    is_new = not mark.exists()
    handle = os.open(mark, os.O_RDWR | os.O_CREAT, 0o666)  # open until the process ends
    os.utime(mark)
    if fcntl:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    if is_new:  # a new state of the sources: a good time to look for old ones
        forget(folder)


def forget(folder: Path) -> None:
    """Remove what was not used for long, of the folders beside this one."""
    with contextlib.suppress(OSError):
        for other in list(folder.parent.iterdir()):
            if fcntl and other != folder and _OURS.fullmatch(other.name):
                with contextlib.suppress(OSError), _unused(other / MARK):
                    shutil.rmtree(other, ignore_errors=True)


@contextlib.contextmanager
def _unused(mark: Path) -> Iterator[None]:
    """The mark of a folder that was not used for long, held so that nobody begins to; an error if there is none."""
    handle = os.open(mark, os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_mtime > time.time() - LONG:  # looked at last: it may have been used until now
            raise BlockingIOError(f"{mark.parent} was used not long ago")
        yield
    finally:
        os.close(handle)
