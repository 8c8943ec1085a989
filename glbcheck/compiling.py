"""The loop and the kernels of algorithms, compiled before many processes ask for them at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glbcheck.core.simulation.grid import Cell


def compile_engine(cells: Iterable[Cell]) -> None:
    """Load or compile what these cells will ask for, found from one cell of each kind."""
    from glbcheck.core import rivals
    from glbcheck.core.engine.episode import Episode
    from glbcheck.core.engine.loops import loop_of
    from glbcheck.core.names import SUFFIX
    from glbcheck.core.simulation.cells import prepared, world_of

    for cell in {(c.algorithm, c.index, c.constants): c for c in cells}.values():
        start = rivals.ALGORITHMS[cell.algorithm.removesuffix(SUFFIX)].start
        agent = start(prepared(cell), Episode(world_of(cell, 0, 0), 1, 0))
        loop_of(agent.choose, agent.observe, agent.trust)
