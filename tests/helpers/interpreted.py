"""The modules of the certificate as they are where numba is not installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace

import pytest
from glbcheck.core import engine, extras

NAMES = (
    "careful",
    "cumulant",
    "likelihood_state",
    "ellipsoid",
    "likelihood_set",
    "costs",
    "likelihood_ucb",
    "certificate",
)


@contextmanager
def interpreted() -> Iterator[SimpleNamespace]:
    """Fresh copies, in which every function is plain Python; the compiled ones come back at the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "is_installed", lambda name: name != "numba")
        for name in NAMES:
            patch.delitem(sys.modules, f"glbcheck.core.engine.{name}", raising=False)
            patch.delattr(engine, name, raising=False)
        found: dict[str, ModuleType] = {}
        for name in NAMES:
            found[name] = importlib.import_module(f"glbcheck.core.engine.{name}")
        try:
            yield SimpleNamespace(**found)
        finally:
            for name in NAMES:
                sys.modules.pop(f"glbcheck.core.engine.{name}", None)
