"""The loop and the kernels of an algorithm, compiled once each and cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias

from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import NUMBER, OPTIONS, ROOM, STATE, announcing, kept, loop
from glbcheck.core.engine.rounds import play_block
from numba import config, types
from numba.core import sigutils
from numba.core.ccallback import CFunc

Choose: TypeAlias = Callable[[Floats, Floats, Floats], int]
Observe: TypeAlias = Callable[[Floats, Floats, float, float], None]
Trust: TypeAlias = Callable[[Floats, Floats, float], float]

# All arrays are ones that may be written to: the types of function pointers must match exactly.
_KERNELS = {
    "choose": types.int64(STATE, ROOM, ROOM),
    "observe": types.void(STATE, STATE, NUMBER, NUMBER),
    "trust": types.float64(STATE, STATE, NUMBER),
}
_SIGNATURE = (
    *map(types.FunctionType, _KERNELS.values()), STATE, ROOM, STATE, STATE, STATE, STATE, ROOM, STATE, ROOM, STATE,
    STATE, STATE, STATE, STATE, ROOM, ROOM, NUMBER, NUMBER, NUMBER,
)  # fmt: skip


class Loop(NamedTuple):
    """The compiled loop and the kernels of an algorithm, as pointers to compiled functions."""

    play: Callable[..., None]
    choose: Any
    observe: Any
    trust: Any

    def __call__(self, *args: Any) -> None:
        self.play(self.choose, self.observe, self.trust, *args)


_LOCK = Lock()


def loop_of(choose: Choose, observe: Observe, trust: Trust) -> Loop:
    """The loop with these kernels, each compiled once."""
    with _LOCK:
        pointers = (_pointer(which, kernel) for which, kernel in zip(_KERNELS, (choose, observe, trust), strict=True))
        return Loop(_whole(), *pointers)


@cache
def _whole() -> Callable[..., None]:
    if config.DISABLE_JIT:
        return play_block
    return loop(*_SIGNATURE)(play_block).ready()


@cache
def _pointer(which: str, kernel: Any) -> Any:
    """A kernel as a pointer that the loop takes, compiled or loaded from the cache."""
    if config.DISABLE_JIT:
        return kernel
    made = kept(CFunc(kernel.py_func, sigutils.normalize_signature(_KERNELS[which]), {}, dict(OPTIONS)))
    with announcing():
        made.compile()
    return made


def specialised(function: Any, **parts: Any) -> Any:
    """A copy of the function with other globals, to be compiled."""
    return FunctionType(function.__code__, {**function.__globals__, **parts}, function.__name__)
