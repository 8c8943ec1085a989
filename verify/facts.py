"""The textbook facts that arguments may use: entries of `facts.toml`.

Each entry says what the fact is, where it is proved, and by which words an argument calls on it.
`tests/oracles/facts` tests each entry on random instances, beside a planted false variant.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class Fact:
    """One entry; `words` is a regular expression, empty for what only Coq theorems assume.

    `formula` is the fact for numbers, in the formula language, where it can be said: premises are instances of it.
    """

    id: str
    statement: str
    reference: str
    words: str = ""
    formula: str = ""


def read(path: Path) -> dict[str, Fact]:
    """The facts of a file by name; a ValueError if an entry is not one."""
    with path.open("rb") as file:
        tables = tomllib.load(file)
    facts = {}
    for name, table in tables.items():
        if unknown := table.keys() - {"statement", "reference", "words", "formula"}:
            raise ValueError(f"fact {name!r}: unknown keys {sorted(unknown)}")
        if not all(str(table.get(key, "")).strip() for key in ("statement", "reference")):
            raise ValueError(f"fact {name!r}: a statement and a reference are needed")
        facts[name] = Fact(name, **table)
    return facts


FACTS = read(FILE)


def said(name: str) -> str:
    """What a fact says, or the name itself if there is no such fact."""
    return FACTS[name].statement if name in FACTS else name
