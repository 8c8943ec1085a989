"""Compile once, keep the result: where compiled code is cached.

Numba notices a change of the file a function lives in, not of the functions it calls.  The cache therefore
lies in a directory named after the content of every compiled source, so that a stale kernel is never run, and
under the user's cache directory, so that an installed, read-only package is compiled once as well.  Where that
directory cannot be written, numba would turn to the source tree; then nothing is kept, and every process compiles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, update_wrapper
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from glbcheck.core.extras import require

try:
    import numba
except ModuleNotFoundError:
    require("fast", "compiled code")
    raise
from glbcheck.core._apart import RETURNED, alone, declared
from glbcheck.core._parts import part, whole
from glbcheck.core._unused import hold
from glbcheck.core.kept import home
from numba.core import cgutils
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile with the operations as written, fused multiply-adds apart."""
    return _compile(function, {"contract"})


def vectorised(function: F) -> F:
    """Compile with sums in any order; NaN and infinity keep their meaning."""
    return _compile(function, {"contract", "reassoc", "nsz"})


def vectorised_numbers(function: F) -> F:
    """The same for functions that never meet NaN, so that comparisons vectorise too."""
    return _compile(function, {"contract", "reassoc", "nsz", "nnan"})


def as_written(function: F) -> F:
    """Compile with the operations exactly as written."""
    return _compile(function, set())


def allocating(function: F) -> F:
    """Compile a function that creates arrays, with the operations exactly as written."""
    return _compile(function, set(), allocates=True)


def in_line(function: F) -> F:
    """Mark a function, before it is compiled, whose arguments would cost more to hand over than it takes."""
    function.in_line = True  # type: ignore[attr-defined]
    return function


def apart(function: F) -> F:
    """Mark a function, before it is compiled, that is rare where it is called: it has machine code of its own."""
    if function.__annotations__.get("return") not in RETURNED:
        raise TypeError(f"{function.__name__} must be annotated to return one of {', '.join(RETURNED)}")
    function.apart = True  # type: ignore[attr-defined]
    return function


def specialised(loop: F, **steps: Callable[..., Any] | bool) -> F:
    """Compile a plain function with these compiled ones, or constants, in place of the globals of the same names.

    As fast as if they were written there, and kept like any other: numba keeps neither a function that closes
    over a compiled one nor one that is called with it.  What a constant rules out is not compiled.
    """
    its_own = _with(loop, steps)
    words = [f"{n}={s if isinstance(s, bool) else f'{s.__module__}.{s.__qualname__}'}" for n, s in steps.items()]
    digest = hashlib.sha256(" ".join(words).encode()).hexdigest()  # whole names make names of files too long
    its_own.__qualname__ = f"{loop.__name__}-{digest[:16]}"
    return compiled(its_own)  # type: ignore[return-value]


def _with(function: Callable[..., Any], steps: Mapping[str, Any]) -> FunctionType:
    """A copy that sees these instead of the globals of the same names."""
    plain = cast(FunctionType, function)
    its_own = FunctionType(plain.__code__, {**plain.__globals__, **steps}, plain.__name__, plain.__defaults__)
    its_own.__module__ = plain.__module__
    its_own.__dict__.update(plain.__dict__)  # what it is marked as
    return its_own


def record(fields: type) -> np.dtype[Any]:
    """Floats with the names of an annotated class, attributes for compiled code and for Python alike."""
    return np.dtype((np.record, [(name, np.float64) for name in fields.__annotations__]))


def read_as(fields: np.dtype[Any]) -> Any:
    """A compiled function that reads the beginning of a flat array of floats as such a record."""
    return reading(numba.from_dtype(fields))


def reading(kind: Any) -> Any:
    """A compiled function that takes the memory of an array for a record of this type."""

    @intrinsic  # type: ignore[untyped-decorator]
    def of(typingctx: Any, numbers: Any) -> Any:
        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0]).data
            return builder.bitcast(data, context.get_value_type(kind))

        return kind(numbers), build

    return of


def _compile(function: F, fast: set[str], allocates: bool = False) -> F:
    # Without arrays of its own, a function need not count references to views: atomic operations that
    # would cost more than the arithmetic on a handful of numbers.
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "fastmath": fast or False,
        "_nrt": allocates,
        "no_cfunc_wrapper": True,
        "forceinline": getattr(function, "in_line", False),
    }
    return _Kernel(function, options)  # type: ignore[return-value]


class _Kernel:
    """A function for compiled callers, who link its code, and for Python, which gets a whole of its own."""

    _lock = Lock()

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function, self._options = function, options
        self._directory = kept_in()  # named after the sources as they are imported, not as they are later
        self._part: Any = None
        self._whole: Any = None
        self._alone: Any = None

    def __call__(self, *args: Any) -> Any:
        return (self._whole or self.whole)(*args)

    @property
    def whole(self) -> Any:
        """What Python calls, compiled for the types it is called with or found in the cache."""
        with self._lock:
            if self._whole is None:
                self._whole = self._made(whole)
        return self._whole

    @property
    def alone(self) -> Any:
        """The code of its own that a function apart has."""
        with self._lock:
            if self._alone is None:
                self._alone = self._made(alone)
        return self._alone

    @property
    def _numba_type_(self) -> Any:
        """What compiled callers call."""
        code = self.alone if getattr(self._function, "apart", False) else None
        with self._lock:
            if self._part is None:
                self._part = declared(self._function, code, self._directory) if code else self._made(part)
        return self._part._numba_type_

    def _made(self, maker: Callable[..., Any]) -> Any:
        directory, given = self._directory, numba.config.CACHE_DIR
        try:
            numba.config.CACHE_DIR = str(directory or given)
            return maker(self._function, self._options, kept=directory is not None)
        finally:
            numba.config.CACHE_DIR = given


@cache
def kept_in() -> Path | None:
    """The directory of the cache, made if need be; None if it cannot be written."""
    directory = Path(numba.config.CACHE_DIR or home() / "compiled") / _fingerprint()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory):
            hold(directory)
            return directory
    except OSError:
        return None


def _fingerprint() -> str:
    """A hash of every source that holds compiled functions, or numbers that they share with the reference."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        content = source.read_bytes()
        if source.name == "tolerances.py" or b"numba" in content:
            digest.update(content)
    return digest.hexdigest()[:16]
