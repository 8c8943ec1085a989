"""What a result depends on: versions by name, sources and plain data by their hash."""

from __future__ import annotations

import hashlib
import json
import platform
from functools import cache
from pathlib import Path
from typing import Any

from glbcheck.core.extras import DISTRIBUTION, is_installed, requirements

OF_DEVELOPERS = ("dev", "oracles")  # extras
NUMERIC = (DISTRIBUTION, "numpy", "numba", "scipy")
ROOT = Path(__file__).resolve().parent.parent
SOURCES = (".py", ".json", ".toml", ".v", ".css", ".js")


def version(name: str = DISTRIBUTION) -> str:
    from importlib import metadata  # not for those who ask for hashes alone

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def versions() -> dict[str, str]:
    """Python, glbcheck, every library it depends on, and those of its extras that are installed.

    Extras for work on glbcheck itself compute no result and are left out.
    """
    always = [one.name for one in requirements() if not one.asked_by]
    optional = {one.name for one in requirements() if one.asked_by not in ("", *OF_DEVELOPERS)} - {DISTRIBUTION}
    names = [DISTRIBUTION, *always, *sorted(filter(is_installed, optional))]
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


@cache
def simulation_versions() -> dict[str, str]:
    """Everything that simulated numbers depend on, the source that computes them included."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    source = source_hash(ROOT / "core")[:16]
    return found | {name: version(name) for name in NUMERIC} | {"source": source}


def source_hash(*folders: Path) -> str:
    """A name for every source file below these folders, by place and content."""
    files = [(home, path) for home in folders for path in sorted(home.rglob("*")) if path.suffix in SOURCES]
    return checksum([[home.name, path.relative_to(home).as_posix(), file_hash(path)] for home, path in files])


def file_hash(*paths: Path) -> str:
    """A name for the contents of these files, one after the other."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def checksum(data: Any) -> str:
    """A name for plain data."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def canonical(data: Any) -> str:
    """The one way to write this data; NaN and infinities are refused because JSON has none."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
