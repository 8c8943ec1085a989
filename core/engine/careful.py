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
    import numba
    from glbcheck.core.engine.compiling import NUMBER, ROOM, ROWS, STATE, VECTOR, entry, matrix_at, vector_at, view

    def careful(function: F) -> F:
        """Compile with every operation as it is written."""
        return numba.njit(function, error_model="numpy", no_cfunc_wrapper=True, _nrt=False)  # type: ignore[no-any-return]

    compiled_entry = entry
else:
    NUMBER = ROOM = ROWS = STATE = VECTOR = None

    def careful(function):
        return function

    view = careful

    def compiled_entry(*signature):
        return careful

    def vector_at(numbers: Floats, start: int, length: int) -> Floats:
        return numbers[start : start + length]

    def matrix_at(numbers: Floats, start: int, rows: int, columns: int) -> Floats:
        return numbers[start : start + rows * columns].reshape(rows, columns)


__all__ = [
    "NUMBER", "ROOM", "ROWS", "STATE", "UNIT_ROUNDOFF", "VECTOR", "careful", "compiled_entry", "matrix_at", "vector_at",
    "view",
]  # fmt: skip
