"""The engine compiled before many processes ask for it at once, with a word on what the wait is for."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from numba.core import event

SLOW = 2.0  # seconds of silence that need an explanation


class _Teller(event.Listener):  # type: ignore[misc]
    """Counts compiled functions, and says so at a terminal, or once where the wait is long."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._started, self._count, self._told = stream, time.monotonic(), 0, False

    def on_start(self, event: Any) -> None:
        """Nothing is known yet."""

    def on_end(self, event: Any) -> None:
        self._count += 1
        waited = time.monotonic() - self._started
        if self._stream.isatty():
            line = f"compiling the engine, kept for next time: {self._count} functions, {waited:.0f} s"
            print(f"\r{line:<79}", end="", file=self._stream, flush=True)
        elif waited > SLOW and not self._told:
            print("compiling the engine, kept for next time", file=self._stream, flush=True)
            self._told = True

    def end(self) -> None:
        """Leave the terminal as it was."""
        if self._count and self._stream.isatty():
            print(f"\r{'':<79}\r", end="", file=self._stream, flush=True)


def compile_engine(stream: TextIO | None = None) -> None:
    """Load or compile the rounds of the paper's learner."""
    import numpy as np

    from glbcheck.core import catalog
    from glbcheck.core.engine import World, run
    from glbcheck.core.parameters import parameters

    teller = _Teller(sys.stderr if stream is None else stream)
    event.register("numba:compile", teller)
    try:
        run(parameters(catalog.get("bernoulli"), 1, 1.0, 0.05, 0.0), World(np.zeros(1), np.ones((1, 1))), 1, 0)
    finally:
        event.unregister("numba:compile", teller)
        teller.end()
