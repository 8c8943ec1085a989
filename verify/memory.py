"""What was found once is not looked for again, while one claim is decided.

A check and its control differ in one part and share all the others.  A search is a function of its arguments, so its
second answer would be its first.  Outside of `remembering` nothing is kept: a searcher that was changed is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec

import sympy as sp
from glbcheck.verify.claim import Evidence

P = ParamSpec("P")
PLAIN = (str, int, Fraction, type(None), sp.Basic)
_found: ContextVar[dict[Any, Evidence] | None] = ContextVar("_found", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Every remembered search inside the block is made once for the same arguments."""
    before = _found.set({})
    try:
        yield
    finally:
        _found.reset(before)


def remembered(search: Callable[P, Evidence]) -> Callable[P, Evidence]:
    """A search whose answer depends on its arguments alone."""

    @wraps(search)
    def once(*args: P.args, **named: P.kwargs) -> Evidence:
        found = _found.get()
        if found is None:
            return search(*args, **named)
        try:
            key = search, _key(args), _key(named)
        except TypeError:  # a function, say
            return search(*args, **named)
        if key not in found:
            found[key] = search(*args, **named)
        return found[key]

    return once


def _key(value: Any) -> Any:
    """What tells this argument from others; 1, True and 1.0 are equal, and not the same."""
    if isinstance(value, PLAIN):
        return type(value), value
    if isinstance(value, Mapping):
        return tuple((name, _key(part)) for name, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_key, value))
    raise TypeError(f"{value!r} is no data")
