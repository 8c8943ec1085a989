"""What Coq prints of theorems, and of every definition of ours that their statements rest on.

A text is printed twice: with other people's notations, for reading, and in full, with nothing implicit and no
notation, for comparing and for finding the names in it.  Our own modules are loaded and not imported, so that no
notation of theirs can hide what a statement says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from glbcheck.verify.coq.driver import OPENING, ask, axioms_in, squeezed
from glbcheck.verify.coq.sources import CoqError, Library, modules

MARK = "@@@"
LEMMA = "lemma "  # before the text of a name whose body Coq keeps closed: a proof, of which only the statement counts
Said: TypeAlias = dict[str, str]  # what was said of one name: `text`, `full` and `more`


@dataclass(frozen=True)
class Printed:
    """One name as it reads and in full; `axioms` is what a theorem rests on."""

    text: str
    full: str
    axioms: tuple[str, ...] = ()


def theorems(names: Iterable[str], libraries: Sequence[Library], store: Path) -> dict[str, Printed]:
    """Statement and axioms of each, from one fresh process."""
    return together(names, {}, libraries, store)[0]


def definitions(lemmas: Mapping[str, bool], libraries: Sequence[Library], store: Path) -> dict[str, Printed]:
    """The text of each name, which is a lemma or not; `CoqError` when Coq sees that otherwise."""
    return together((), lemmas, libraries, store)[1]


def together(
    names: Iterable[str], lemmas: Mapping[str, bool], libraries: Sequence[Library], store: Path
) -> tuple[dict[str, Printed], dict[str, Printed]]:
    """Theorems, and names behind them, from one fresh process: to load the libraries takes longer than to print."""
    chosen, known = sorted(set(names)), sorted(lemmas)
    asked = [(name, f"Check @{name}.", f"Print Assumptions {name}.") for name in chosen]
    asked += [(name, f"Check @{name}." if lemmas[name] else f"Print {name}.", f"About {name}.") for name in known]
    said = _asked(asked, libraries, store) if asked else []
    found = {name: _theorem(name, one, libraries) for name, one in zip(chosen, said, strict=False)}
    texts = zip(known, said[len(chosen) :], strict=True)
    return found, {name: _definition(name, lemmas[name], one) for name, one in texts}


def _theorem(name: str, said: Said, libraries: Sequence[Library]) -> Printed:
    _, _, assumed = said["more"].partition("Axioms:\n")
    return Printed(
        said["text"].partition(" : ")[2].strip(),
        squeezed(said["full"].partition(" : ")[2]),
        axioms_in(name, assumed, libraries),
    )


def _definition(name: str, lemma: bool, said: Said) -> Printed:
    if f"{name.rpartition('.')[2]} is opaque" in said["more"] and not lemma:
        raise CoqError(f"{name} is a lemma, not a definition")
    if "is opaque" not in said["more"] and lemma:
        raise CoqError(f"{name} is a definition, not a lemma")
    text, full = (said[kind].partition("\nArguments ")[0].strip() for kind in ("text", "full"))
    return Printed(LEMMA + text if lemma else text, squeezed(full))


def behind(statements: Mapping[str, Printed], libraries: Sequence[Library], store: Path) -> dict[str, Printed]:
    """Every name of ours that the statements rest on, found level by level."""
    found: dict[str, Printed] = {}
    level = {name for one in statements.values() for name in names_in(one.full, libraries)}
    while new := sorted(level - set(found)):
        about = _asked([(name, f"About {name}.", "") for name in new], libraries, store)
        lemmas = {name: "is opaque" in one["text"] for name, one in zip(new, about, strict=True)}
        found |= definitions(lemmas, libraries, store)
        level = {name for known in new for name in names_in(found[known].full, libraries)}
    return found


def reached(statement: Printed, known: Mapping[str, Printed], libraries: Sequence[Library]) -> list[str]:
    """The names that one statement rests on, in order; a name that is not known is among them."""
    found: set[str] = set()
    stack = names_in(statement.full, libraries)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += names_in(known[name].full, libraries) if name in known else []
    return sorted(found)


def names_in(full: str, libraries: Sequence[Library]) -> list[str]:
    """The names of ours in a text in full, as `Library.File.name`."""
    known = tuple(modules(libraries))
    homes = {name.rpartition(".")[2]: name for name in known}
    if len(homes) != len(known):
        raise CoqError("two files of our libraries have the same name; their names could not be told apart")
    pattern = re.compile(rf"\b({'|'.join(homes)})\.([\w']+)")
    return sorted({f"{homes[module]}.{name}" for module, name in pattern.findall(full)})


def _asked(asked: Sequence[tuple[str, str, str]], libraries: Sequence[Library], store: Path) -> list[Said]:
    """What Coq answers about each name to its command, readable and in full, and to one more command."""

    def marked(kind: str, commands: Iterable[str]) -> str:
        numbered = enumerate(commands)
        return "".join(f'Goal True. idtac "{MARK}{kind} {at}". Abort.\n{command}\n' for at, command in numbered)

    names, commands, more = zip(*asked, strict=True)
    # Before anything is imported, names are printed with their file, as the allow-list of axioms has them.
    question = marked("more", more) if any(more) else ""
    question += OPENING + marked("text", commands) + "Set Printing All.\n" + marked("full", commands)
    found: list[Said] = [{} for _ in asked]
    for piece in ask(question, names, libraries, store).split(MARK)[1:]:
        head, _, answer = piece.partition("\n")
        kind, at = head.split(" ")[:2]
        found[int(at)][kind] = answer
    return found
