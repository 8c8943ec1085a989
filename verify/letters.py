"""What the letters of a paper's counterexamples mean: `letters.toml` in the paper's folder.

    [everywhere]
    d = "dimension of arms and parameter"

    [claims.last_line_of_the_chain]
    L = "number of bins"

A meaning under a claim comes before the one that holds everywhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glbcheck.verify.anchors import PaperError

FILE = "letters.toml"


@dataclass(frozen=True)
class Letters:
    """Meanings by letter, and by claim and letter."""

    everywhere: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def meaning(self, claim: str, letter: str) -> str:
        """In a few words, or nothing if nobody wrote it down."""
        return self.claims.get(claim, {}).get(letter) or self.everywhere.get(letter, "")


def read(folder: Path) -> Letters:
    """The meanings of a paper; none if it has no such file."""
    path = folder / FILE
    if not path.exists():
        return Letters()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise PaperError(f"{path}: cannot be read ({err})") from None
    for key in found:
        if key not in ("everywhere", "claims"):
            raise PaperError(f"{path}: unknown key {key!r}; accepted are everywhere, claims")
    claims = _table(path, "claims", found.get("claims", {}))
    return Letters(
        _meanings(path, "everywhere", found.get("everywhere", {})),
        {name: _meanings(path, f"claims.{name}", given) for name, given in claims.items()},
    )


def _table(path: Path, key: str, given: Any) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise PaperError(f"{path}: {key} = {given!r}: a table is accepted")
    return given


def _meanings(path: Path, key: str, given: Any) -> Mapping[str, str]:
    for letter, meaning in _table(path, key, given).items():
        if not isinstance(meaning, str):
            raise PaperError(f"{path}: {key}.{letter} = {meaning!r}: a text is accepted")
    return dict(given)
