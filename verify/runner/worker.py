"""A process that answers one payload after the other, each within a budget of computing time and of memory.

The budget is processor time, so that an answer does not depend on what else the machine does; the clock on
the wall is a last guard against a process that waits for ever, and says so.  Whatever ends the process is
reported as the answer to the payload it was at, and the next one is answered by a new process.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

try:
    import resource
except ImportError:  # where memory cannot be limited in this way, it is not
    resource = None  # type: ignore[assignment]

Payload = Mapping[str, Any]
Work = Callable[[Payload], Any]

LAST_GUARD = 60  # seconds on the clock for each second of a budget
WATCH = 0.5  # seconds between two looks at the parent


@dataclass(frozen=True)
class Budget:
    """Seconds of processor time, and bytes of memory beyond what the process already has."""

    seconds: float
    memory: int = 6 << 30


@dataclass(frozen=True)
class Answer:
    """A value, or why there is none; and the processor time it took."""

    value: Any
    failure: str | None
    seconds: float


class Worker(AbstractContextManager["Worker"]):
    """One process at a time, started when it is asked and ended with the `with` block, or with its parent.

    A spawned one imports `work` by name.  A forked one may be given any function and inherits all that this
    process knows, so one of them at a time is enough.
    """

    def __init__(self, work: Work, fork: bool = False) -> None:
        self._work, self._fork = work, fork
        self._process: BaseProcess | None = None

    def __exit__(self, *_: object) -> None:
        self.end()

    def ask(self, payload: Payload, budget: Budget | None = None) -> Connection:
        """Send the payload to a living process; the answer can be fetched when the pipe has something."""
        if self._process is None:
            self._process = self._started()
        self._budget = budget
        with suppress(OSError):  # who cannot be asked will not answer either
            self._pipe.send((payload, budget))
        return self._pipe

    def answer(self) -> Answer:
        """Wait for the answer to what was asked."""
        budget, process = self._budget, self._process
        assert process is not None, "nothing was asked"
        guard = None if budget is None else 1 + LAST_GUARD * budget.seconds
        try:
            if self._pipe.poll(guard):
                found: Answer = self._pipe.recv()
                return found
            failure = f"stopped by the clock, the last guard: nothing came for {guard:g} s"
        except (EOFError, OSError):
            process.join(WATCH)  # for an exit code of its own
            failure = f"a worker process died (exit code {process.exitcode}), for want of memory perhaps"
            if budget is not None and process.exitcode == -signal.SIGPROF:
                failure = f"no answer within {budget.seconds:g} s of computing"
        self.end()
        return Answer(None, failure, budget.seconds if budget else 0.0)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _started(self) -> BaseProcess:
        context = get_context("fork" if self._fork else "spawn")
        self._pipe, there = context.Pipe()
        # A spawned worker may fork one of its own, which is forbidden to a daemon.
        process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(there, self._work, os.getpid()), daemon=self._fork
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads; the child uses none
            process.start()
        there.close()
        return process


def _serve(pipe: Connection, work: Work, parent: int) -> None:
    """In the worker: answer payloads until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's business
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, in whatever library it is
    gc.freeze()  # what a fork has inherited stays, and is not copied by going through it
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            payload, budget = pipe.recv()
            pipe.send(_answered(work, payload, budget))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)


def _answered(work: Work, payload: Payload, budget: Budget | None) -> Answer:
    value, failure, before = None, None, time.process_time()
    try:
        if budget is not None:
            _limit(budget)
        value = work(payload)
    except Exception as err:
        traceback.print_exc()
        failure = f"{type(err).__name__}: {err}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Answer(value, failure, time.process_time() - before)


def _limit(budget: Budget) -> None:
    with suppress(OSError, ValueError, AttributeError):
        with open("/proc/self/statm", encoding="ascii") as statm:
            pages = int(statm.read().split()[0])
        most = pages * resource.getpagesize() + budget.memory
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    signal.setitimer(signal.ITIMER_PROF, budget.seconds)
