"""The rooms of the house and the arrows between them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FORBIDDEN = {
    "core": {"verify", "proofs_checks", "tests", "pytest", "hypothesis"},
    "verify": {"proofs_checks", "tests"},
    "proofs_checks": {"tests"},
}


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize("room", FORBIDDEN)
def test_arrows_point_one_way(room: str) -> None:
    strays = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(room)
        for name in imports(path)
        if name.partition(".")[0] in FORBIDDEN[room]
    ]
    assert not strays


@pytest.mark.parametrize("room", FORBIDDEN)
def test_python_flint_has_one_door(room: str) -> None:
    strays = [
        str(path.relative_to(ROOT))
        for path in sources(room)
        if path.parent != ROOT / "core" / "enclosure"
        and any(n.partition(".")[0] == "flint" for n in imports(path))
    ]
    assert not strays


def calls(path: Path) -> Iterator[str]:
    """The plain functions a module calls by name, and `parse_expr` also as a method."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from ("parse_expr",) if node.func.attr == "parse_expr" else ()


@pytest.mark.parametrize("room", FORBIDDEN)
def test_no_text_is_evaluated_and_core_prints_nothing(room: str) -> None:
    banned = {"eval", "exec", "parse_expr"} | ({"print", "input"} if room == "core" else set())
    strays = [f"{p.relative_to(ROOT)}: {c}" for p in sources(room) for c in calls(p) if c in banned]
    assert not strays


def test_unsound_interval_arithmetic_is_not_used() -> None:
    strays = [
        p for room in FORBIDDEN for p in sources(room) if re.search(r"\biv\.|mpmath\.iv", p.read_text())
    ]
    assert not strays


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_loads_no_heavy_library(argument: str) -> None:
    code = (
        "import sys; from verify.cli import main; main([sys.argv[1]]);"
        "print([m for m in ('sympy', 'numpy', 'scipy', 'numba', 'flint', 'z3', 'cvc5', 'hypothesis')"
        " if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code, argument], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.splitlines()[-1] == "[]", run.stdout + run.stderr


def test_pinned_versions_hold_no_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"#.*|[A-Za-z0-9_.\-]+==[A-Za-z0-9_.\-]+", line) for line in lines)


def test_verify_imports_no_algorithm() -> None:
    parts = ("algorithm", "engine", "competitors", "simulation", "adversary", "environment", "trajectory")
    banned = tuple(f"glbcheck.core.{part}" for part in parts)
    strays = [
        f"{path.relative_to(ROOT)} imports {home}.{alias.name}"
        for path in sources("verify")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for home in [node.module if isinstance(node, ast.ImportFrom) else ""]
        for alias in node.names
        if f"{home}.{alias.name}.".lstrip(".").startswith(tuple(f"{name}." for name in banned))
    ]
    assert not strays
