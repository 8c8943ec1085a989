"""Decorators for kernels whose rounding is charged: sums in the order in which they are written, nothing contracted.

Where numba is not installed the same functions run interpreted, so that each formula exists once.  Such a module
imports nothing of the engine that needs numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from glbcheck.core.arrays import Floats
from glbcheck.core.extras import is_installed

F = TypeVar("F", bound=Callable[..., Any])
UNIT_ROUNDOFF = 2.0**-53

if TYPE_CHECKING or is_installed("numba"):
    from glbcheck.core.engine.compiling import (  # fmt: skip
        NUMBER,
        ROOM,
        ROWS,
        STATE,
        VECTOR,
        careful,
        careful_entry,
        matrix_at,
        vector_at,
        view,
    )
else:
    NUMBER = ROOM = ROWS = STATE = VECTOR = None

    def careful(function):
        return function

    view = careful

    def careful_entry(*signature):
        return careful

    def vector_at(numbers: Floats, start: int, length: int) -> Floats:
        return numbers[start : start + length]

    def matrix_at(numbers: Floats, start: int, rows: int, columns: int) -> Floats:
        return numbers[start : start + rows * columns].reshape(rows, columns)


__all__ = [
    "NUMBER", "ROOM", "ROWS", "STATE", "UNIT_ROUNDOFF", "VECTOR", "careful", "careful_entry", "matrix_at", "vector_at",
    "view",
]  # fmt: skip
