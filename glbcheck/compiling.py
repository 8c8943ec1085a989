"""The loop and the kernels of algorithms, compiled before many processes ask for them at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from numba.core import event

if TYPE_CHECKING:
    from glbcheck.core.simulation.grid import Cell

SLOW = 1.0  # seconds after which it is said what the wait is for


class _Teller(event.Listener):  # type: ignore[misc]
    """Counts compiled functions, and says so at a terminal, or once where the wait is long."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._started, self._count, self._said = stream, time.monotonic(), 0, False

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        self._count += 1
        waited = time.monotonic() - self._started
        if self._stream.isatty():
            line = f"compiling the engine, kept for next time: {self._count} functions, {waited:.0f} s"
            print(f"\r{line:<79}", end="", file=self._stream, flush=True)
        elif waited > SLOW and not self._said:
            print("compiling the engine, kept for next time", file=self._stream, flush=True)
            self._said = True

    def end(self) -> None:
        """Leave the terminal as it was."""
        if self._count and self._stream.isatty():
            print(f"\r{'':<79}\r", end="", file=self._stream, flush=True)


def compile_engine(cells: Iterable[Cell], stream: TextIO | None = None) -> None:
    """Load or compile what these cells will ask for, found from one cell of each kind."""
    from glbcheck.core import rivals
    from glbcheck.core.engine.episode import Episode
    from glbcheck.core.engine.loops import loop_of
    from glbcheck.core.names import SUFFIX
    from glbcheck.core.simulation.cells import prepared, world_of

    teller = _Teller(sys.stderr if stream is None else stream)
    event.register("numba:compile", teller)
    try:
        for cell in {(c.algorithm, c.index, c.constants): c for c in cells}.values():
            start = rivals.ALGORITHMS[cell.algorithm.removesuffix(SUFFIX)].start
            agent = start(prepared(cell), Episode(world_of(cell, 0, 0), 1, 0))
            loop_of(agent.choose, agent.observe, agent.trust)
    finally:
        event.unregister("numba:compile", teller)
        teller.end()
