"""Decorators for compiled functions, and the cache of what Python calls.

Numba notices an edit of the file of a cached function, not of the functions that it calls.  So the stamp of every
cached function is a hash of all sources that may be compiled.  The cache lies under the user's cache directory.
Where that cannot be written, every process compiles again.  With `NUMBA_DISABLE_JIT=1` every function runs interpreted.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.extras import DISTRIBUTION, require
from glbcheck.core.kept import home

try:
    import numba
except ModuleNotFoundError:
    require("fast", "compiled code")
    raise
from numba.core import cgutils, event, types
from numba.extending import intrinsic, overload, register_jitable
from numba.np.arrayobj import make_array, populate_array

F = TypeVar("F", bound=Callable[..., Any])
# Nothing here owns an array, so that compiled code need not count references to views.  Sums are in any order, but NaN
# and infinity keep their meaning.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "fastmath": {"contract", "reassoc", "nsz"}}

VECTOR = types.Array(types.float64, 1, "C", readonly=True)  # also takes arrays that can be written to
ROWS = types.Array(types.float64, 2, "C", readonly=True)
STATE, ROOM = types.float64[::1], types.float64[:, ::1]
NUMBER = types.float64


def _decorator(maker: Callable[..., Any] = numba.njit, **more: Any) -> Callable[[F], F]:
    options = {"no_cfunc_wrapper": True, **OPTIONS, **more}
    return lambda function: maker(**options)(getattr(function, "py_func", function))


kernel = _decorator()  # for compiled callers
part = _decorator(inline="always")  # within the one function that calls it, which takes half the time; also of a kernel
small = _decorator(forceinline=True)  # for a function that is shorter than a call of it
careful = _decorator(fastmath=False)  # with every operation as it is written, products included
as_written = _decorator(fastmath={"contract"})  # with sums in the order in which they are written
shared = _decorator(register_jitable)  # for a function that Python calls as it is, without compiling it
view = _decorator(register_jitable, forceinline=True, _nrt=True)  # the same for one that returns a view


def careful_entry(*signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """Compile for Python with every operation as it is written, products included; also takes a kernel."""
    options = {**OPTIONS, "fastmath": False}
    return lambda function: Entry(getattr(function, "py_func", function), signature, options)


def entry(*signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """Compile for Python, for arguments of these types alone: others raise TypeError."""
    return lambda function: Entry(function, signature, OPTIONS)


def loop(*signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """The same for a function that runs long: other threads go on, and it may create arrays."""
    return lambda function: Entry(function, signature, {**OPTIONS, "nogil": True, "_nrt": True})


class Entry:
    """A function that Python calls: compiled when it is first called, or loaded from the cache."""

    _lock = Lock()

    def __init__(self, function: Callable[..., Any], signature: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.function, self._signature, self._options = function, signature, options
        stamp()  # of the sources as they are imported
        self._ready: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        return self.ready()(*args)

    def ready(self) -> Callable[..., Any]:
        """The compiled function itself, to be called without this object in between."""
        with self._lock:
            if self._ready is None:
                self._ready = _interpreted(self.function) if numba.config.DISABLE_JIT else self._compiled()
        return self._ready

    def _compiled(self) -> Callable[..., Any]:
        made = kept(numba.njit(self.function, no_cfunc_wrapper=True, **self._options))
        with announcing():
            made.compile(self._signature)
        made.disable_compile()
        return made  # type: ignore[no-any-return]


def kept(made: Any) -> Any:
    """What numba is about to compile, to be loaded from the cache and written to it."""
    if (place := directory()) is not None:
        given, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place)
        try:
            made.enable_caching()
            made._cache._cache_file._source_stamp = stamp()
        finally:
            numba.config.CACHE_DIR = given
    return made


def _interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, which refuses arrays of other types as compiled code does."""

    def call(*args: Any) -> Any:
        for value in args:
            if isinstance(value, np.ndarray) and not (value.dtype == np.float64 and value.flags.c_contiguous):
                raise TypeError("an array of another type")
            if not isinstance(value, np.ndarray | float | int):
                raise TypeError("neither an array nor a number")
        return function(*args)

    return call


def announcing() -> AbstractContextManager[Any]:
    """While numba may compile something."""
    return event.install_listener("numba:compile", _Announcement())  # type: ignore[no-any-return]


class _Announcement(event.Listener):  # type: ignore[misc]
    """Says once per process that something is compiled; nothing is said of what is loaded."""

    said = False

    def on_start(self, event: Any) -> None:
        if not _Announcement.said:
            _Announcement.said = True
            logging.getLogger(DISTRIBUTION).warning("Compiling the learner: about ten seconds, once for this version.")

    def on_end(self, event: Any) -> None:
        pass


@cache
def stamp() -> str:
    """A hash of all sources that may be compiled, and of numba's version."""
    core, digest = Path(__file__).parent.parent, hashlib.sha256(numba.__version__.encode())
    folders = (core / name for name in ("engine", "environment", "learner", "rivals"))
    for source in [core / "tolerances.py", *(path for folder in folders for path in sorted(folder.glob("*.py")))]:
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def directory() -> Path | None:
    """The directory of the cache, made if need be; None if it cannot be written."""
    place = Path(numba.config.CACHE_DIR or home() / "compiled")
    try:
        place.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=place):
            return place
    except OSError:
        return None


# --- views that count no references -------------------------------------------------------------------------


def vector_at(numbers: Floats, start: int, length: int) -> Floats:
    """A view of so many numbers from this place on."""
    return numbers[start : start + length]


def matrix_at(numbers: Floats, start: int, rows: int, columns: int) -> Floats:
    """The same as a matrix."""
    return numbers[start : start + rows * columns].reshape(rows, columns)


@intrinsic  # type: ignore[untyped-decorator]
def _view(typing: Any, numbers: Any, start: Any, shape: Any) -> Any:
    kind = types.Array(types.float64, len(shape), "C")

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = builder.gep(make_array(numbers)(context, builder, args[0]).data, [args[1]])
        lengths, size, made = (
            cgutils.unpack_tuple(builder, args[2]),
            context.get_constant(types.intp, 8),
            make_array(kind)(context, builder),
        )
        strides = [builder.mul(size, length) for length in lengths[1:]] + [size]
        populate_array(made, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None, parent=None)
        return made._getvalue()

    return kind(numbers, types.intp, types.UniTuple(types.intp, len(shape))), build  # type: ignore[attr-defined]


@overload(vector_at, strict=False, jit_options={**OPTIONS, "_nrt": True})  # type: ignore[untyped-decorator]
def _vector_at(numbers: Any, start: Any, length: Any) -> Any:
    return lambda numbers, start, length: _view(numbers, start, (length,))


@overload(matrix_at, strict=False, jit_options={**OPTIONS, "_nrt": True})  # type: ignore[untyped-decorator]
def _matrix_at(numbers: Any, start: Any, rows: Any, columns: Any) -> Any:
    return lambda numbers, start, rows, columns: _view(numbers, start, (rows, columns))
