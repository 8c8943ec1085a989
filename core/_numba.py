"""Compile once, keep the result: where compiled code is cached.

Numba notices a change of the file a function lives in, not of the functions it calls.  The cache therefore
lies in a directory named after the content of every compiled source, so that a stale kernel is never run, and
under the user's cache directory, so that an installed, read-only package is compiled once as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from glbcheck.core.versions import checksum, file_hash

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


def allocating(function: F) -> F:
    """Compile a function that creates arrays, with the operations exactly as written."""
    return _compile(function, set(), allocates=True)


def _compile(function: F, fast: set[str], allocates: bool = False) -> F:
    # Without arrays of its own, a function need not count references to views: atomic operations that
    # would cost more than the arithmetic on a handful of numbers.
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "fastmath": fast or False,
        "_nrt": allocates,
    }
    given = numba.config.CACHE_DIR
    try:
        numba.config.CACHE_DIR = given or str(_directory())
        result = numba.njit(cache=True, **options)(function)
    except (RuntimeError, OSError):  # no directory can be written: compile in every process
        result = numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = given
    return result  # type: ignore[no-any-return]


@cache
def _directory() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "glbcheck" / "compiled" / _fingerprint()


def _fingerprint() -> str:
    """A hash of every source that may hold compiled functions."""
    here = Path(__file__).parent
    # The last three hold constants that the kernels share with the reference.
    shared = [here / f"{name}.py" for name in ("_numba", "_compiled", "optimism", "environment", "observed")]
    kernels = [source for room in ("engine", "competitors") for source in sorted((here / room).glob("*.py"))]
    return checksum([numba.__version__, file_hash(*shared, *kernels)])[:16]
