"""The sources of Coq libraries as text: what they may not contain, what they need, and the hashes of their states."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from graphlib import TopologicalSorter
from pathlib import Path

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|Declare\s+ML\s+Module|Load|Redirect"
    r"|Unset\s+\w+\s+Checking|Add\s+(?:Rec\s+)?(?:LoadPath|ML\s+Path)|Cd|Drop|Extraction)\b"
)
REQUIRE = re.compile(r"^\s*From\s+(\w+)\s+Require\s+(?:Import|Export)?\s*([\w\s]+?)\.\s*$", re.MULTILINE)


class CoqError(Exception):
    """Coq refused a file, a file uses a forbidden word, or a theorem rests on an axiom that is not allowed."""


@dataclass(frozen=True)
class Library:
    """A folder of Coq sources and the logical name under which others require them."""

    name: str
    folder: Path


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# A string, or a bracket of a comment; a bracket within a string is none.
_MARK = re.compile(r'"[^"]*"|\(\*|\*\)')


def without_comments(source: str) -> str:
    """The source with its comments, which nest in Coq, replaced by spaces; strings are kept."""
    kept, depth, at = [], 0, 0
    for mark in _MARK.finditer(source):
        text = mark.group(0)
        opens, closes = text == "(*", text == "*)" and depth > 0
        if not depth:
            kept.append(source[at : mark.start()] + (" " if opens else text))
        depth += opens - closes
        at = mark.end()
    return "".join(kept) + (source[at:] if not depth else "")


@lru_cache(1024)  # every question to Coq asks this of every source
def forbidden_words(source: str) -> tuple[str, ...]:
    """What a source may not contain outside comments, in the order of appearance."""
    return tuple(match.group(0) for match in FORBIDDEN.finditer(without_comments(source)))


def modules(libraries: Sequence[Library]) -> dict[str, Path]:
    """Every module of the libraries by its logical name, `Library.File`."""
    found: dict[str, Path] = {}
    for library in libraries:
        files = sorted(os.listdir(library.folder)) if library.folder.is_dir() else []
        found |= {f"{library.name}.{name[:-2]}": library.folder / name for name in files if name.endswith(".v")}
    return found


@lru_cache(1024)
def required(source: str) -> frozenset[str]:
    """The modules that a source requires, ours or not."""
    found = REQUIRE.findall(without_comments(source))
    return frozenset(f"{library}.{name}" for library, names in found for name in names.split())


def refuse_forbidden(libraries: Sequence[Library]) -> None:
    """Refuse sources with a forbidden word, naming the file."""
    for path in modules(libraries).values():
        if words := forbidden_words(path.read_text(encoding="utf-8")):
            raise CoqError(f"{path}: {words[0]} is not allowed")


@dataclass(frozen=True)
class Plan:
    """Modules in an order in which they can be compiled, each with its text, what it needs, and its key."""

    sources: Mapping[str, str]
    needs: Mapping[str, set[str]]
    keys: Mapping[str, str]

    def closure(self, names: Iterable[str]) -> list[str]:
        """These modules and all they need, in order."""
        wanted, stack = set(), list(names)
        while stack:
            name = stack.pop()
            if name not in wanted:
                wanted.add(name)
                stack.extend(self.needs[name])
        return [name for name in self.keys if name in wanted]


def plan(libraries: Sequence[Library], surroundings: str) -> Plan:
    """The modules of the libraries; the keys are hashes of the surroundings, the text and what it needs."""
    found = modules(libraries).items()
    return _planned(tuple((name, path.read_text(encoding="utf-8")) for name, path in found), surroundings)


@lru_cache(16)  # the texts are read for every question, and seldom others than before
def _planned(texts: tuple[tuple[str, str], ...], surroundings: str) -> Plan:
    sources = dict(texts)
    needs = {name: set(required(source) & sources.keys()) for name, source in sources.items()}
    keys: dict[str, str] = {}
    for name in TopologicalSorter(needs).static_order():
        keys[name] = digest(surroundings, name, sources[name], *(keys[need] for need in sorted(needs[name])))
    return Plan(sources, needs, keys)
