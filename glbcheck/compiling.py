"""The engine compiled before many processes ask for it at once, with a word on what the wait is for."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from numba.core import event

from glbcheck.core._hands import COMPILERS
from glbcheck.core._numba import kept_in
from glbcheck.core._turns import LOG, SLOW

if TYPE_CHECKING:
    from glbcheck.core.parameters import Index
    from glbcheck.core.simulation.grid import Cell

REPLICATE = "replicate"  # beside the names of algorithms: the rounds of several runs in lockstep


class Kernel(NamedTuple):
    """Rounds that are compiled by themselves."""

    algorithm: str
    by_index: Index
    stay: bool  # do the arms?


def kernels_of(cells: Iterable[Cell]) -> list[Kernel]:
    """What these cells will ask for, found from one cell of each kind."""
    kinds = {(c.algorithm, c.index, c.constants, c.arms, c.dispersion, c.variant): c for c in cells}
    return list(dict.fromkeys(map(_kernel_of, kinds.values())))


def _kernel_of(cell: Cell) -> Kernel:
    from glbcheck.core.simulation.cells import in_lockstep, prepared, world_of

    if in_lockstep(cell):
        return Kernel(REPLICATE, "closed-form", True)
    return Kernel(cell.algorithm, prepared(cell).index, world_of(cell, 0, 0).arms_stay)


class _Teller(event.Listener):  # type: ignore[misc]
    """Counts compiled functions, and says so at a terminal, or once where the wait is long.

    With the first of them a second process begins at the other end of the list, if there is a core for it.
    """

    def __init__(self, stream: TextIO, kernels: Sequence[Kernel]) -> None:
        self._stream, self._started, self._count, self._told = stream, time.monotonic(), 0, False
        self._kernels = kernels if len(kernels) > 1 and (os.cpu_count() or 1) > 1 and kept_in() else ()
        self._beside: subprocess.Popen[bytes] | None = None

    def on_start(self, event: Any) -> None:
        if self._kernels and self._beside is None:
            work = f"from glbcheck.compiling import beside; beside({[tuple(one) for one in reversed(self._kernels)]})"
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


def compile_engine(kernels: Sequence[Kernel], stream: TextIO | None = None) -> None:
    """Load or compile them."""
    teller = _Teller(sys.stderr if stream is None else stream, kernels)
    event.register("numba:compile", teller)
    LOG.disabled = True  # it would say the same again
    try:
        first_rounds(kernels)
    finally:
        LOG.disabled = False
        event.unregister("numba:compile", teller)
        teller.end()


def beside(kernels: Iterable[tuple[str, Index, bool]]) -> None:
    """What the second process does, silently."""
    LOG.disabled = True
    first_rounds(Kernel(*one) for one in kernels)


def first_rounds(kernels: Iterable[Kernel]) -> None:
    """One round of each, with the first of a few problems that its algorithm accepts."""
    import numpy as np

    from glbcheck.core import catalog, competitors
    from glbcheck.core.engine import World, replicate
    from glbcheck.core.errors import BadInput
    from glbcheck.core.parameters import parameters

    coin = parameters(catalog.get("bernoulli"), 1, 1.0, 0.05, 0.0)
    for name, index, stay in kernels:
        world = World(np.zeros(1), np.ones((1, 1) if stay else (1, 1, 1)))
        if name == REPLICATE:
            replicate(replace(coin, index=index), world, 1, 0, 1)
            continue
        for family, reading in ("bernoulli", "paper"), ("gaussian", "paper"), ("gaussian", "sharpest"):
            p = replace(parameters(catalog.get(family), 1, 1.0, 0.05, 0.0, reading=reading), index=index)
            with contextlib.suppress(BadInput):
                competitors.run(name, p, world, 1, 0)
                break
