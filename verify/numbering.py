"""How a paper numbers its places, and what the page calls them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glbcheck.verify.anchors import Anchor


def places(
    anchors: Sequence[Anchor], silent: Mapping[str, str], counters: Sequence[Sequence[str]]
) -> list[dict[str, Any]]:
    """The anchors as plain data, each with why it asserts nothing, if so, and its number if the paper gives one."""
    names = numbered(anchors, counters)
    return [
        {**asdict(anchor), "silent": silent.get(anchor.id, ""), "name": names.get(anchor.id, "")} for anchor in anchors
    ]


def numbered(anchors: Sequence[Anchor], counters: Sequence[Sequence[str]]) -> dict[str, str]:
    """Theorem 1, Lemma 2, ...: environments of one counter share their numbers, in the order of the source."""
    found: dict[str, str] = {}
    for kinds in counters:
        counted = [anchor for anchor in sorted(anchors, key=lambda one: one.line) if anchor.kind in kinds]
        found |= {one.id: f"{one.kind.capitalize()} {number}" for number, one in enumerate(counted, 1)}
    return found
