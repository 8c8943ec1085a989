"""What is written down about the theorems of a folder of Coq sources, and compared with what Coq says.

    statements.json    each theorem as Coq prints it: what a reader reviewed
    definitions.json   the text of every definition of ours that these statements rest on
    checked.json       the last check: version, date, axioms, hashes of the sources and of all that was printed

A theorem may be entered with its statement alone, even an empty one: `glbcheck coq --pin` writes the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from glbcheck.verify.coq import driver, printed
from glbcheck.verify.coq.printed import LEMMA, Printed
from glbcheck.verify.coq.sources import Library, digest

STATEMENTS, DEFINITIONS, CHECKED = "statements.json", "definitions.json", "checked.json"
SHORT = 16  # hexadecimal digits of a hash


@dataclass(frozen=True)
class Pins:
    """The three files of a folder; a missing file is an empty one."""

    folder: Path
    statements: Mapping[str, str]
    definitions: Mapping[str, str]
    checked: Mapping[str, Mapping[str, Any]]

    def lemmas(self, modules: Iterable[str]) -> dict[str, bool]:
        """The definitions within these modules, and whether each is a lemma."""
        inside = set(modules)
        return {
            name: text.startswith(LEMMA) for name, text in self.definitions.items() if driver.module_of(name) in inside
        }


def read(folder: Path) -> Pins:
    found = [json.loads(path.read_text(encoding="utf-8")) if path.exists() else {} for path in _files(folder)]
    return Pins(folder, *found)


def libraries(theorem: str, folder: Path) -> list[Library]:
    """The general theories and, for a theorem of the paper's own, the library in its folder."""
    name = theorem.partition(".")[0]
    return [driver.GENERAL] + ([Library(name, folder)] if name != driver.GENERAL.name else [])


def reads(statement: str, definitions: Mapping[str, str]) -> str:
    """A hash of what a reader sees: the statement and the definitions behind it, whatever the line breaks."""
    parts = [driver.squeezed(text) for text in (statement, *(definitions[name] for name in sorted(definitions)))]
    return digest(*sorted(definitions), *parts)[:SHORT]


def says(statement: Printed, behind: Mapping[str, Printed]) -> str:
    """A hash of the same in full, where nothing is implicit."""
    return digest(statement.full, *(f"{name} {behind[name].full}" for name in sorted(behind)))[:SHORT]


def record(theorem: str, statement: Printed, behind: Mapping[str, Printed], folder: Path) -> dict[str, Any]:
    """What `checked.json` keeps of a check."""
    return {
        "coq": driver.version(),
        "date": date.today().isoformat(),
        "axioms": list(statement.axioms),
        "sources": driver.sources_hash(theorem, libraries(theorem, folder))[:SHORT],
        "says": says(statement, behind),
        "reads": reads(statement.text, {name: one.text for name, one in behind.items()}),
        "definitions": sorted(behind),
    }


def pin(folder: Path, store: Path, progress: Callable[[str], None] = lambda _: None) -> list[str]:
    """Write down what Coq says of every theorem that is entered; the theorems whose statement changed."""
    pins = read(folder)
    everything = all_libraries(pins)
    driver.build(everything, store, sorted({driver.module_of(name) for name in pins.statements}), progress)
    printed_so: dict[str, Printed] = {}
    for module in dict.fromkeys(map(driver.module_of, pins.statements)):
        together = [name for name in pins.statements if driver.module_of(name) == module]
        for name in together:
            progress(name)
        printed_so |= printed.theorems(together, libraries(together[0], folder), store)
    said = {name: printed_so[name] for name in pins.statements}
    texts = printed.behind(said, everything, store)
    checked = {}
    for name, one in said.items():
        behind = {other: texts[other] for other in printed.reached(one, texts, everything)}
        checked[name] = record(name, one, behind, folder)
    statements = {name: one.text for name, one in said.items()}
    definitions = {name: texts[name].text for name in sorted(texts)}
    written: list[Mapping[str, Any]] = [statements, definitions, checked]
    for path, what in zip(_files(folder), written, strict=True):
        path.write_text(_lines(what), encoding="utf-8")
    return [
        name for name, text in statements.items() if driver.squeezed(text) != driver.squeezed(pins.statements[name])
    ]


def all_libraries(pins: Pins) -> list[Library]:
    """Every library that a theorem of the folder comes from."""
    own = {one for name in pins.statements for one in libraries(name, pins.folder)} - {driver.GENERAL}
    return [driver.GENERAL, *sorted(own, key=lambda library: library.name)]


def _files(folder: Path) -> Sequence[Path]:
    return [folder / name for name in (STATEMENTS, DEFINITIONS, CHECKED)]


def _lines(what: Mapping[str, Any]) -> str:
    """JSON with one line per entry."""
    entries = (f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in what.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"
