"""What a result depends on: versions by name, sources and plain data by their hash."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from functools import cache
from pathlib import Path
from typing import Any

DISTRIBUTION = "glbcheck"
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
    """Python, glbcheck, and every library it depends on, as installed."""
    from importlib import metadata

    try:
        needed = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        needed = []
    names = [re.split(r"[^\w.-]", text)[0] for text in needed if "extra ==" not in text]
    return {"python": platform.python_version(), **{name: version(name) for name in [DISTRIBUTION, *names]}}


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
