"""A second process that compiles what the first will need, where there is a core for it and a cache to leave it in.

It says nothing, and ends with the process that started it, after a while without work, or when it is told to.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any, BinaryIO

from glbcheck.core._turns import LOG
from numba.core.serialize import dumps

COMPILERS = "GLBCHECK_COMPILERS"  # how many processes may compile: 1 for no second one
IDLE = 10.0  # seconds
WRITING = Lock()  # held while a file is written, so that none is left half-written
_SIZE = 8  # bytes that say how long a message is

Task = Callable[[], Any]


class Helper:
    """The second process, from the first task on."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner, self._given = os.getpid(), dict[Task, int]()

    def call(self, directory: Path) -> None:
        """There will be work that ends in this cache: be there when it comes."""
        if self._process is None and os.getpid() == self._owner and _is_wanted():
            with contextlib.suppress(OSError, ValueError):  # then there is no help
                self._process = _started(directory)
                self._send(sys.path)

    def offer(self, task: Task, directory: Path) -> None:
        """Hand over a task whose result will be found in this cache; it may be done, or not."""
        self.call(directory)
        if self._process is not None and task not in self._given:
            self._given[task] = len(self._given)
            with contextlib.suppress(OSError, ValueError):
                self._send(task)

    def latest_first(self, tasks: Iterable[Task]) -> list[Task]:
        """Those that the helper comes to last, first."""
        return sorted(tasks, key=lambda task: -self._given.get(task, -1))

    def end(self) -> None:
        """Nobody is at work any more."""
        process, self._process = self._process, None
        if process is not None and os.getpid() == self._owner:
            with contextlib.suppress(OSError):
                process.communicate()

    def _send(self, what: Any) -> None:
        assert self._process is not None
        message, pipe = dumps(what), self._process.stdin
        assert pipe is not None
        pipe.write(len(message).to_bytes(_SIZE, "little") + message)
        pipe.flush()


HELPER = Helper()
atexit.register(HELPER.end)


def _is_wanted() -> bool:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and os.environ.get(COMPILERS) != "1" and bool(sys.executable)


def _started(directory: Path) -> subprocess.Popen[bytes]:
    work = "from glbcheck.core._hands import serve; serve()"
    return subprocess.Popen(
        [sys.executable, "-c", work], env={**os.environ, COMPILERS: "1", "NUMBA_CACHE_DIR": str(directory.parent)},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def serve() -> None:
    """What the second process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the first one
    LOG.disabled = True
    tasks, parent = Queue[bytes](), os.getppid()
    Thread(target=_receive, args=(sys.stdin.buffer, tasks), daemon=True).start()
    sys.path[:] = pickle.loads(tasks.get())
    with contextlib.suppress(Empty):
        while os.getppid() == parent:
            message = tasks.get(timeout=IDLE)
            with contextlib.suppress(Exception):  # the first process will meet the same, and say so
                pickle.loads(message)()


def _receive(pipe: BinaryIO, tasks: Queue[bytes]) -> None:
    """Take messages until the other end is closed; then there is nothing left to do."""
    while size := pipe.read(_SIZE):
        tasks.put(pipe.read(int.from_bytes(size, "little")))
    with WRITING:
        os._exit(0)
