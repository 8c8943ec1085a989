"""Compiling takes seconds: one process does it, others wait for what it keeps, and whoever waits is told why."""

from __future__ import annotations

import contextlib
import gc
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer, local

try:
    import fcntl
except ImportError:  # where files cannot be locked in this way, two processes may both compile
    fcntl = None  # type: ignore[assignment]

LOG = logging.getLogger("glbcheck.compiling")
SLOW = 2.0  # seconds of silence that need an explanation
PATIENCE = 300.0  # seconds to wait for a process that may have stopped
_PAUSE = 0.05


@contextlib.contextmanager
def turn(lock: Path | None) -> Iterator[None]:
    """Compile here, while nobody else has this lock; without one nothing is kept, and nobody to wait for."""
    said = contextlib.nullcontext() if getattr(_INSIDE, "turn", False) else _explained(lock)
    with said, _alone(lock) if lock and fcntl else contextlib.nullcontext():
        yield


_INSIDE = local()  # has a `turn` while one of this thread's is going on: functions compile those that they call


@contextlib.contextmanager
def _explained(lock: Path | None) -> Iterator[None]:
    """With a word if it takes long, and no search for unused objects."""
    words = f"kept for next time in {lock.parent}" if lock else "each time anew: no cache directory can be written"
    told = Timer(SLOW, LOG.warning, [f"compiling the engine, {words}"])
    told.daemon = True
    told.start()
    collects = gc.isenabled()
    gc.disable()  # a compiler makes so many objects that looking for unused ones is a tenth of its work
    _INSIDE.turn = True
    try:
        yield
    finally:
        _INSIDE.turn = False
        told.cancel()
        if collects:
            gc.enable()


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold the lock; go on without it where it cannot be had."""
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    except OSError:
        yield
        return
    with file:  # closing it lets the next one in, also if this process is killed
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_PAUSE)
            except OSError:
                break
        yield
