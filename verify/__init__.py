"""Evidence: how a statement becomes a verdict.  Knows nothing of any particular paper."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


class ShadowedCore(ImportError):
    """Another package called `core` comes before ours on the path."""


def require_our_core() -> None:
    """Say plainly when another package called `core` hides ours.

    Nothing is imported here: the pytest plugin loads this package in every test session of the
    environment, and must not bring our `core` into a project that has its own.
    """
    ours = Path(__file__).resolve().parent.parent / "core" / "__init__.py"
    loaded = sys.modules.get("core")
    if loaded is not None and getattr(loaded, "DISTRIBUTION", None) == "glbcheck":
        return
    found = getattr(loaded, "__file__", None) if loaded is not None else _origin()
    if found is None or Path(found).resolve() != ours:
        raise ShadowedCore(
            f"glbcheck needs its own package 'core' ({ours.parent}), but Python finds {found or 'none'}: "
            "another 'core' comes first on the path; run from another directory or remove it from the path"
        )


def _origin() -> str | None:
    spec = find_spec("core")
    return spec.origin if spec is not None else None
