"""Compiled code is kept under the fingerprint of its sources, or not at all: a stale kernel is never run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# A package of two modules: what `outer` returns is decided by `inner`, whose change numba does not notice.
OUTER = """from tiny._numba import compiled
from tiny.inner import inner
@compiled
def outer(x):
    return inner(x) + 1.0
"""
INNER = """from tiny._numba import compiled
@compiled
def inner(x):
    return x * {factor}
"""
ASK = "from tiny.outer import outer; print(outer(10.0), sum(outer.whole.stats.cache_hits.values()))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "__init__.py").touch()
    shutil.copy(Path(__file__).parent.parent / "core" / "_numba.py", folder)
    (folder / "outer.py").write_text(OUTER)
    return folder


def asked(package: Path, factor: str, **environment: str) -> tuple[float, int]:
    """What `outer` answers in a process of its own, and how often it was found in the cache."""
    (package / "inner.py").write_text(INNER.format(factor=factor))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG"))}
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=package.parent, env={**kept, **environment}, text=True, check=True,
        capture_output=True,
    )  # fmt: skip
    value, hits = done.stdout.split()
    return float(value), int(hits)


def test_a_second_process_compiles_nothing_and_a_changed_source_is_compiled_anew(package: Path, tmp_path: Path) -> None:
    for factor, expected in (("2.0", (21.0, 0)), ("2.0", (21.0, 1)), ("3.0", (31.0, 0))):
        assert asked(package, factor, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == expected
    assert not list(package.rglob("*.nbi"))


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_without_a_place_to_keep_it_nothing_is_kept(package: Path, tmp_path: Path, variable: str) -> None:
    blocked = tmp_path / "blocked"
    blocked.touch()  # a file, where nobody can make a directory, not even root
    for factor, expected in (("2.0", 21.0), ("3.0", 31.0)):
        assert asked(package, factor, **{variable: str(blocked)}) == (expected, 0)
    assert not list(tmp_path.rglob("*.nbi"))
