"""What it takes to run this again: versions, seeds, wall times, and the paper it speaks about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glbcheck.verify.report.html.bundle import Bundle
from glbcheck.verify.report.html.markup import Child, Safe, el, part, records, shown, table


def section(bundle: Bundle) -> Safe:
    """Versions always; whatever else the caller knows about the run."""
    claims = bundle.results["claims"]
    parts: list[Child] = [
        table("Paper", ("what", "value"), _rows(bundle.results.get("paper", {}))),
        table("Versions", ("package", "version"), _rows(bundle.results.get("versions", {}))),
        el("p", f"Deciding the claims took {sum(c['seconds'] for c in claims):.1f} s, added over all claims."),
        _slowest(bundle),
        *(_part(name, value) for name, value in bundle.environment.items()),
    ]
    return part("environment", "Environment", None, parts)


def _slowest(bundle: Bundle) -> Safe:
    claims = sorted(bundle.results["claims"], key=lambda c: -c["seconds"])[:10]
    return table("The slowest claims", ("claim", "seconds"), ([c["id"], shown(float(c["seconds"]))] for c in claims))


def _part(name: str, value: Any) -> Safe:
    caption = name.replace("_", " ")
    if isinstance(value, Mapping):
        return table(caption, ("what", "value"), _rows(value))
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        return records(caption, value)
    return table(caption, ("what", "value"), [[caption, shown(value)]])


def _rows(found: Mapping[str, Any]) -> list[list[str]]:
    return [[key.replace("_", " "), shown(value)] for key, value in found.items()]
