"""Compile Coq sources and ask Coq what was proved: the statement as printed, and the axioms behind it.

A library is a folder of `.v` files with a logical name.  Sources are copied to a cache and compiled there in the
order of their `Require`s; a file is compiled again when the version of Coq, its text or a dependency changed.
`check` asks in a fresh process, so that what it returns is what Coq has on disk and not what a script says.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from glbcheck.core.errors import BadInput

THEORIES = Path(__file__).parent / "theories"
SECONDS_PER_FILE = 600
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|Declare\s+ML\s+Module|Load|Redirect"
    r"|Unset\s+\w+\s+Checking)\b"
)
# The axioms of the standard reals, extensionality, excluded middle and choice.
ALLOWED_AXIOMS = frozenset({
    "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec", "Classical_Prop.classic",
    "Epsilon.epsilon_statement", "FunctionalExtensionality.functional_extensionality_dep",
    "boolp.functional_extensionality_dep", "boolp.propositional_extensionality",
    "boolp.constructive_indefinite_description",
})  # fmt: skip
REQUIRE = re.compile(r"^\s*From\s+(\w+)\s+Require\s+(?:Import|Export)?\s*([\w\s]+?)\.\s*$", re.MULTILINE)


class CoqError(Exception):
    """Coq refused a file, a file uses a forbidden word, or a theorem rests on an axiom that is not allowed."""


@dataclass(frozen=True)
class Library:
    """A folder of Coq sources and the logical name under which others require them."""

    name: str
    folder: Path


@dataclass(frozen=True)
class Theorem:
    """What Coq says of a theorem: its statement as printed, the axioms it uses, and which Coq said so."""

    name: str
    statement: str
    axioms: tuple[str, ...]
    version: str


GENERAL = Library("Glbcheck", THEORIES)


@cache
def coqc() -> str | None:
    """The compiler, or None where Coq is not installed."""
    return shutil.which("coqc")


@cache
def version() -> str:
    """The version of Coq, as it prints it."""
    return _run(["--version"], Path.cwd()).splitlines()[0]


def installed(*files: str) -> bool:
    """Whether the installed Coq has these compiled files of other people's libraries."""
    contrib = Path(_run(["-where"], Path.cwd()).strip()) / "user-contrib"
    return all((contrib / file).exists() for file in files)


def without_comments(source: str) -> str:
    """The source with its comments, which nest in Coq, replaced by spaces."""
    kept, depth, at = [], 0, 0
    while at < len(source):
        pair = source[at : at + 2]
        if pair == "(*" or (pair == "*)" and depth):
            depth += 1 if pair == "(*" else -1
            at += 2
            kept.append(" ")
            continue
        if not depth:
            kept.append(source[at])
        at += 1
    return "".join(kept)


def forbidden_words(source: str) -> list[str]:
    """What a source may not contain outside comments, in the order of appearance."""
    return [match.group(0) for match in FORBIDDEN.finditer(without_comments(source))]


def modules(libraries: Sequence[Library]) -> dict[str, Path]:
    """Every module of the libraries by its logical name, `Library.File`."""
    return {f"{library.name}.{path.stem}": path for library in libraries for path in sorted(library.folder.glob("*.v"))}


def dependencies(source: str, known: Mapping[str, Path]) -> set[str]:
    """The modules among `known` that a source requires."""
    found = {
        f"{library}.{name}" for library, names in REQUIRE.findall(without_comments(source)) for name in names.split()
    }
    return found & set(known)


def build(libraries: Sequence[Library], store: Path) -> list[str]:
    """Compile what changed, in order, into `store`; the names of the modules that were compiled."""
    known = modules(libraries)
    sources = {name: path.read_text() for name, path in known.items()}
    for name, source in sources.items():
        if words := forbidden_words(source):
            raise CoqError(f"{known[name]}: {words[0]} is not allowed")
    needs = {name: dependencies(source, known) for name, source in sources.items()}
    keys: dict[str, str] = {}
    compiled = []
    for name in TopologicalSorter(needs).static_order():
        parts = [version(), sources[name], *(keys[need] for need in sorted(needs[name]))]
        keys[name] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        if _compile(name, sources[name], keys[name], libraries, store):
            compiled.append(name)
    return compiled


def check(theorem: str, libraries: Sequence[Library], store: Path, opening: str = "") -> Theorem:
    """Ask a fresh Coq for `Library.File.theorem`; refuse an axiom outside the allow-list.

    `opening` is Coq text before the question, such as imports that make the printed statement readable.
    """
    if theorem.count(".") != 2:
        raise BadInput("theorem", theorem, "Library.File.name")
    library, module, _ = theorem.split(".")
    question = f"{opening}\nFrom {library} Require {module}.\nCheck @{theorem}.\nPrint Assumptions {theorem}.\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "question.v"
        path.write_text(question)
        answer = _run([*_flags(libraries, store), str(path)], Path(folder))
    statement, _, rest = answer.partition("Axioms:\n")
    axioms = tuple(line.split(" :")[0].strip() for line in rest.splitlines() if line and not line[0].isspace())
    # Coq prints the shortest name, so a file of ours could pose as one of the standard library.
    ours = {path.stem for path in modules(libraries).values()}
    if unknown := [axiom for axiom in axioms if axiom not in ALLOWED_AXIOMS or axiom.split(".")[0] in ours]:
        raise CoqError(f"{theorem} rests on {unknown[0]}")
    closed = statement.replace("Closed under the global context", "")
    return Theorem(theorem, " ".join(closed.partition(" : ")[2].split()), axioms, version())


def _flags(libraries: Sequence[Library], store: Path) -> list[str]:
    mapped = [part for library in libraries for part in ("-Q", str(store / library.name), library.name)]
    return ["-q", "-w", "none", *mapped]


def _compile(name: str, source: str, key: str, libraries: Sequence[Library], store: Path) -> bool:
    """Compile one module unless the store has it under this key."""
    target = store.joinpath(*name.split(".")).with_suffix(".v")
    stamp = target.with_suffix(".key")
    if stamp.exists() and stamp.read_text() == key and target.with_suffix(".vo").exists():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    target.write_text(source)
    _run([*_flags(libraries, store), str(target)], store)
    stamp.write_text(key)
    return True


def _run(arguments: Sequence[str], folder: Path) -> str:
    program = coqc()
    if program is None:
        raise CoqError("coqc is not installed")
    done = subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, timeout=SECONDS_PER_FILE, check=False
    )
    if done.returncode != 0:
        raise CoqError((done.stderr or done.stdout).strip())
    return done.stdout
