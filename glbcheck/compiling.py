"""The engine compiled before many processes ask for it at once, with a word on what the wait is for."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TextIO

from numba.core import event

from glbcheck.core._hands import COMPILERS
from glbcheck.core._numba import kept_in
from glbcheck.core._turns import LOG, SLOW
from glbcheck.core.names import OURS

REPLICATE = "replicate"  # beside the names of algorithms: the rounds of several runs in lockstep
ENGINE = (OURS, REPLICATE)


class _Teller(event.Listener):  # type: ignore[misc]
    """Counts compiled functions, and says so at a terminal, or once where the wait is long.

    With the first of them a second process begins at the other end of the list, if there is a core for it.
    """

    def __init__(self, stream: TextIO, names: Sequence[str]) -> None:
        self._stream, self._started, self._count, self._told = stream, time.monotonic(), 0, False
        self._names = names if len(names) > 1 and (os.cpu_count() or 1) > 1 and kept_in() else ()
        self._beside: subprocess.Popen[bytes] | None = None

    def on_start(self, event: Any) -> None:
        if self._names and self._beside is None:
            work = f"from glbcheck.compiling import beside; beside({list(reversed(self._names))})"
            self._beside = subprocess.Popen([sys.executable, "-c", work], env={**os.environ, COMPILERS: "1"})

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
        """Leave the terminal as it was, and nobody at work on what is done."""
        if self._beside is not None:
            self._beside.terminate()
            self._beside.wait()
        if self._count and self._stream.isatty():
            print(f"\r{'':<79}\r", end="", file=self._stream, flush=True)


def compile_engine(names: Iterable[str] = ENGINE, stream: TextIO | None = None) -> None:
    """Load or compile the rounds of these algorithms."""
    wanted = list(dict.fromkeys(names))
    teller = _Teller(sys.stderr if stream is None else stream, wanted)
    event.register("numba:compile", teller)
    LOG.disabled = True  # it would say the same again
    try:
        first_rounds(wanted)
    finally:
        LOG.disabled = False
        event.unregister("numba:compile", teller)
        teller.end()


def beside(names: Iterable[str]) -> None:
    """What the second process does, silently."""
    LOG.disabled = True
    first_rounds(names)


def first_rounds(names: Iterable[str]) -> None:
    """One round of each algorithm, with the first of a few problems that it accepts."""
    import numpy as np

    from glbcheck.core import catalog, competitors
    from glbcheck.core.engine import World, replicate
    from glbcheck.core.errors import BadInput
    from glbcheck.core.parameters import parameters

    world = World(np.zeros(1), np.ones((1, 1)))
    coin = parameters(catalog.get("bernoulli"), 1, 1.0, 0.05, 0.0)
    for name in names:
        if name == REPLICATE:
            replicate(replace(coin, index="closed-form"), world, 1, 0, 1)
            continue
        for family, reading in ("bernoulli", "paper"), ("gaussian", "paper"), ("gaussian", "sharpest"):
            p = parameters(catalog.get(family), 1, 1.0, 0.05, 0.0, reading=reading)
            with contextlib.suppress(BadInput):
                competitors.run(name, p, world, 1, 0)
                break
