"""What Coq prints of theorems, and of every definition of ours that their statements rest on.

A text is printed twice: with other people's notations, for reading, and in full, with nothing implicit and no
notation, for comparing and for finding the names in it.  Our own modules are loaded and not imported, so that no
notation of theirs can hide what a statement says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from glbcheck.verify.coq.driver import OPENING, ask, axioms_in, squeezed
from glbcheck.verify.coq.sources import CoqError, Library, modules

MARK = "@@@"
LEMMA = "lemma "  # before the text of a name whose body Coq keeps closed: a proof, of which only the statement counts
Say = Callable[[str], str]


@dataclass(frozen=True)
class Printed:
    """One name as it reads and in full; `axioms` is what a theorem rests on."""

    text: str
    full: str
    axioms: tuple[str, ...] = ()


def theorems(names: Iterable[str], libraries: Sequence[Library], store: Path) -> dict[str, Printed]:
    """Statement and axioms of each, from one fresh process."""
    chosen = sorted(set(names))
    said = _asked(chosen, lambda name: f"Check @{name}.", libraries, store, "Print Assumptions {}.")
    found = {}
    for name in chosen:
        _, _, assumed = said["more", name].partition("Axioms:\n")
        found[name] = Printed(
            said["text", name].partition(" : ")[2].strip(),
            squeezed(said["full", name].partition(" : ")[2]),
            axioms_in(name, assumed, libraries),
        )
    return found


def definitions(lemmas: Mapping[str, bool], libraries: Sequence[Library], store: Path) -> dict[str, Printed]:
    """The text of each name, which is a lemma or not; `CoqError` when Coq sees that otherwise."""
    chosen = sorted(lemmas)
    said = _asked(
        chosen, lambda name: f"Check @{name}." if lemmas[name] else f"Print {name}.", libraries, store, "About {}."
    )
    found = {}
    for name in chosen:
        if f"{name.rpartition('.')[2]} is opaque" in said["more", name] and not lemmas[name]:
            raise CoqError(f"{name} is a lemma, not a definition")
        if "is opaque" not in said["more", name] and lemmas[name]:
            raise CoqError(f"{name} is a definition, not a lemma")
        text, full = (said[kind, name].partition("\nArguments ")[0].strip() for kind in ("text", "full"))
        found[name] = Printed(LEMMA + text if lemmas[name] else text, squeezed(full))
    return found


def behind(statements: Mapping[str, Printed], libraries: Sequence[Library], store: Path) -> dict[str, Printed]:
    """Every name of ours that the statements rest on, found level by level."""
    found: dict[str, Printed] = {}
    level = {name for one in statements.values() for name in names_in(one.full, libraries)}
    while new := sorted(level - set(found)):
        about = _asked(new, lambda name: f"About {name}.", libraries, store)
        found |= definitions({name: "is opaque" in about["text", name] for name in new}, libraries, store)
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
    homes = {name.rpartition(".")[2]: name for name in modules(libraries)}
    if len(homes) != len(modules(libraries)):
        raise CoqError("two files of our libraries have the same name; their names could not be told apart")
    pattern = re.compile(rf"\b({'|'.join(homes)})\.([\w']+)")
    return sorted({f"{homes[module]}.{name}" for module, name in pattern.findall(full)})


def _asked(
    names: Sequence[str], command: Say, libraries: Sequence[Library], store: Path, more: str = ""
) -> dict[tuple[str, str], str]:
    """What Coq answers to the command for each name, readable and in full, and to one more command."""

    def marked(kind: str, text: Say) -> str:
        return "".join(f'Goal True. idtac "{MARK}{kind} {name}". Abort.\n{text(name)}\n' for name in names)

    # Before anything is imported, names are printed with their file, as the allow-list of axioms has them.
    question = marked("more", more.format) if more else ""
    question += OPENING + marked("text", command) + "Set Printing All.\n" + marked("full", command)
    pieces = ask(question, names, libraries, store).split(MARK)[1:]
    answers = (piece.partition("\n") for piece in pieces)
    return {(head.split(" ")[0], head.split(" ")[1]): answer for head, _, answer in answers}
