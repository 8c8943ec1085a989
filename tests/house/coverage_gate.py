"""The bar of `make coverage`: the tests run 95% of the lines of each module of numbers, families, theory and fitting.

It reads what `coverage json` wrote, prints what falls short with the lines that were not run, and then fails.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

LEAST = 95.0
ROOMS = {
    "numbers": (
        "core/exact.py", "core/expression.py", "core/scalar.py", "core/binomial.py", "core/bracket.py",
        "core/translation.py", "core/closed_forms.py", "core/enclosure/*.py",
    ),
    "families": (
        "core/family.py", "core/catalog/*.py", "core/concordance.py", "core/density.py", "core/divergences.py",
        "core/inversion.py", "core/numeric.py", "core/support.py", "core/suprema.py", "core/taylor.py",
    ),
    "theory": (
        "core/theory/constants.py", "core/theory/sharpest.py", "core/theory/local_constants.py",
        "core/theory/lower_constants.py", "core/theory/link_constants.py", "core/theory/tuning.py",
        "core/theory/parameters.py", "core/theory/bounds.py",
    ),
    "fitting": ("core/fitting/*.py",),
}  # fmt: skip
# Everything else in core, and why no bar holds for it.
EXEMPT = {
    "core/engine/*.py": "compiled: a tracer does not see its lines run",
    "core/rivals/*.py": "compiled: a tracer does not see its lines run",
    "core/kernel/*.py": "trusted: `make mutants` edits every line of it",
    "core/measures/*.py": "trusted: forged answers have to be refused, whichever lines they run",
    "core/laplace/*.py": "searches: what it proposes is checked by core/measures",
    "core/algorithm/*.py": "no bar: compared with 50 digits, and with the compiled step run by run",
    "core/environment/*.py": "no bar: compiled into the loop",
    "core/learner/*.py": "no bar",
    "core/simulation/*.py": "no bar",
    "core/theory/scout.py": "no bar: learner",
    "core/theory/__init__.py": "no bar: a docstring",
    "core/*.py": "no bar: learner, worlds, files and caches",
}


def fits(path: str, patterns: Iterable[str]) -> bool:
    return any(PurePath(path).match(pattern) for pattern in patterns)


def has_bar(path: str) -> bool:
    return any(fits(path, patterns) for patterns in ROOMS.values())


def violations(report: dict[str, Any]) -> list[str]:
    """Modules below the bar, modules of core in no list, and patterns of rooms that no module fits."""
    found = []
    for path, its in sorted(report["files"].items()):
        share = float(its["summary"]["percent_statements_covered"])
        if has_bar(path) and share < LEAST:
            found.append(f"{path}: {share:.1f}% of lines, not run: {', '.join(map(str, its['missing_lines']))}")
        elif path.startswith("core/") and not has_bar(path) and not fits(path, EXEMPT):
            found.append(f"{path}: neither in a room with a bar nor exempt")
    unknown = [
        name for its in ROOMS.values() for name in its if not any(fits(path, [name]) for path in report["files"])
    ]
    return found + [f"{name}: no such module was measured" for name in unknown]


def main(place: str) -> int:
    report = json.loads(Path(place).read_text())
    found = violations(report)
    for line in found:
        print(line)
    count, rooms = sum(has_bar(path) for path in report["files"]), ", ".join(ROOMS)
    print(f"{count} modules of {rooms} have a bar of {LEAST:g}% of their lines: {len(found) or 'no'} violations")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
