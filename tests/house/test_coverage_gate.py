"""The gate of `make coverage` names what falls short, and knows every module of core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.house.coverage_gate import violations

ROOT = Path(__file__).resolve().parents[2]


def report(**shares: float) -> dict[str, Any]:
    """A report on all modules of core, each with all of its lines run but for those named by `folder__module`."""
    paths = [path.relative_to(ROOT).as_posix() for path in (ROOT / "core").rglob("*.py")]
    given = {f"core/{name.replace('__', '/')}.py": share for name, share in shares.items()}
    return {
        "files": {
            path: {"summary": {"percent_statements_covered": given.get(path, 100.0)}, "missing_lines": [7, 9]}
            for path in {*paths, *given}
        }
    }


def test_what_is_covered_has_no_violations_and_every_module_of_core_has_a_bar_or_a_reason() -> None:
    assert violations(report()) == []


def test_a_module_below_the_bar_is_named_with_its_lines() -> None:
    assert violations(report(concordance=95.0)) == []
    assert violations(report(concordance=94.9)) == ["core/concordance.py: 94.9% of lines, not run: 7, 9"]
    assert len(violations(report(fitting__judge=0.0, catalog__poisson=50.0))) == 2
    assert violations(report(engine__run=0.0)) == []


def test_a_new_folder_of_core_needs_a_bar_or_a_reason() -> None:
    assert violations(report(newcomers__first=100.0)) == [
        "core/newcomers/first.py: neither in a room with a bar nor exempt"
    ]


def test_a_room_whose_module_was_never_measured_is_named() -> None:
    measured = report()
    del measured["files"]["core/theory/tuning.py"]
    assert violations(measured) == ["core/theory/tuning.py: no such module was measured"]
