"""Decorators for compiled functions, and the cache of what Python calls.

Numba notices an edit of the file of a cached function, not of the functions that it calls.  So the stamp of every
cached function is a hash of all sources that may be compiled.  The cache lies under the user's cache directory.
Where that cannot be written, every process compiles again.  With `NUMBA_DISABLE_JIT=1` every function runs interpreted.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
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
from numba.core import event, types
from numba.extending import intrinsic, overload, register_jitable
from numba.np.arrayobj import make_array, populate_array

F = TypeVar("F", bound=Callable[..., Any])
SUMS_IN_ANY_ORDER = {"contract", "reassoc", "nsz"}  # NaN and infinity keep their meaning
# Nothing here owns an array, so that compiled code need not count references to views.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}

VECTOR = types.Array(types.float64, 1, "C", readonly=True)  # also takes arrays that can be written to
ROWS = types.Array(types.float64, 2, "C", readonly=True)
STATE, ROOM = types.float64[::1], types.float64[:, ::1]
NUMBER = types.float64


def kernel(function: F) -> F:
    """Compile for compiled callers, with sums in any order."""
    return numba.njit(function, fastmath=SUMS_IN_ANY_ORDER, **_OPTIONS)  # type: ignore[no-any-return]


def part(function: F) -> F:
    """Compile within the one function that calls it, not before: that takes half the time.

    Also takes a kernel, as a part of an entry.
    """
    return numba.njit(getattr(function, "py_func", function), fastmath=SUMS_IN_ANY_ORDER, inline="always", **_OPTIONS)  # type: ignore[no-any-return]


def small(function: F) -> F:
    """The same for a function that is shorter than a call of it."""
    return numba.njit(function, fastmath=SUMS_IN_ANY_ORDER, forceinline=True, **_OPTIONS)  # type: ignore[no-any-return]


def shared(function: F) -> F:
    """The same for a function that Python calls as it is, without compiling it."""
    return register_jitable(fastmath=SUMS_IN_ANY_ORDER, **_OPTIONS)(function)  # type: ignore[no-any-return]


def view(function: F) -> F:
    """The same for a function that returns a view, which numba asks to count references."""
    return register_jitable(forceinline=True, **{**_OPTIONS, "_nrt": True})(function)  # type: ignore[no-any-return]


def as_written(function: F) -> F:
    """Compile with sums in the order in which they are written."""
    return numba.njit(function, fastmath={"contract"}, **_OPTIONS)  # type: ignore[no-any-return]


def careful(function: F) -> F:
    """Compile with every operation as it is written, products included."""
    return numba.njit(function, **_OPTIONS)  # type: ignore[no-any-return]


def careful_entry(*signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """The same for Python; also takes a kernel."""
    options = {**_OPTIONS, "fastmath": False}
    return lambda function: Entry(getattr(function, "py_func", function), signature, options)


def entry(*signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """Compile for Python, for arguments of these types alone: others raise TypeError."""
    return lambda function: Entry(function, signature, _OPTIONS)


def loop(*signature: Any) -> Callable[[Callable[..., Any]], Entry]:
    """The same for a function that runs long: other threads go on, and it may create arrays."""
    return lambda function: Entry(function, signature, {**_OPTIONS, "nogil": True, "_nrt": True})


class Entry:
    """A function that Python calls: compiled when it is first called, or loaded from the cache."""

    _lock = Lock()

    def __init__(self, function: Callable[..., Any], signature: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.function, self._signature, self._options = function, signature, options
        self._stamp = stamp()  # of the sources as they are imported
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
        made = numba.njit(self.function, **{"fastmath": SUMS_IN_ANY_ORDER, **self._options})
        if (place := directory()) is not None:
            given, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place)
            try:
                made.enable_caching()
                made._cache._cache_file._source_stamp = self._stamp
            finally:
                numba.config.CACHE_DIR = given
        with event.install_listener("numba:compile", _Announcement()):
            made.compile(self._signature)
        made.disable_compile()
        return made  # type: ignore[no-any-return]


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


# --- views ------------------------------------------------------------------------------------------------


def vector_at(numbers: Floats, start: int, length: int) -> Floats:
    """A view of so many numbers from this place on."""
    return numbers[start : start + length]


def matrix_at(numbers: Floats, start: int, rows: int, columns: int) -> Floats:
    """The same as a matrix."""
    return numbers[start : start + rows * columns].reshape(rows, columns)


def _view(dimensions: int) -> Any:
    """Type and code of a view that counts no references."""
    kind = types.Array(types.float64, dimensions, "C")

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers = make_array(signature.args[0])(context, builder, args[0])
        view = make_array(kind)(context, builder)
        size, shape = context.get_constant(types.intp, 8), args[2:]
        strides = [builder.mul(size, shape[1]), size] if dimensions == 2 else [size]
        data = builder.gep(numbers.data, [args[1]])
        populate_array(view, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None, parent=None)
        return view._getvalue()

    return kind, build


@intrinsic  # type: ignore[untyped-decorator]
def _vector_at(typing: Any, numbers: Any, start: Any, length: Any) -> Any:
    kind, build = _view(1)
    return kind(numbers, types.intp, types.intp), build


@intrinsic  # type: ignore[untyped-decorator]
def _matrix_at(typing: Any, numbers: Any, start: Any, rows: Any, columns: Any) -> Any:
    kind, build = _view(2)
    return kind(numbers, types.intp, types.intp, types.intp), build


@overload(vector_at, jit_options={**_OPTIONS, "_nrt": True})  # type: ignore[untyped-decorator]
def _compiled_vector_at(numbers: Any, start: Any, length: Any) -> Any:
    def view(numbers: Any, start: Any, length: Any) -> Any:
        return _vector_at(numbers, start, length)

    return view


@overload(matrix_at, jit_options={**_OPTIONS, "_nrt": True})  # type: ignore[untyped-decorator]
def _compiled_matrix_at(numbers: Any, start: Any, rows: Any, columns: Any) -> Any:
    def view(numbers: Any, start: Any, rows: Any, columns: Any) -> Any:
        return _matrix_at(numbers, start, rows, columns)

    return view
