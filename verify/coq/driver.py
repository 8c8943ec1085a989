"""Compile Coq sources and ask Coq what was proved: the statement as printed, and the axioms behind it.

A library is a folder of `.v` files with a logical name.  A module is compiled once for each version of Coq and of
the libraries around it, its text and its dependencies; it lies in the store under the hash of these, so that
sources in several states, and several processes, share a store without harm.  Questions go to a fresh process, so
that an answer is what Coq has on disk and not what a script says; answers are kept under the same kind of hash.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from glbcheck.core.errors import BadInput
from glbcheck.core.processors import processors
from glbcheck.verify.coq.alone import alone
from glbcheck.verify.coq.sources import (
    REQUIRE,
    CoqError,
    Library,
    Plan,
    digest,
    forbidden_words,
    modules,
    plan,
    refuse_forbidden,
    without_comments,
)

__all__ = ["REQUIRE", "CoqError", "Library", "Plan", "forbidden_words", "modules", "plan", "without_comments"]

THEORIES = Path(__file__).parent / "theories"
SECONDS_PER_FILE = 600
STORE = "GLBCHECK_COQ_STORE"  # the environment variable that moves the store
HIDE = "GLBCHECK_COQ"  # `off` hides an installed Coq
NEEDED = ("mathcomp/analysis/Rstruct.vo", "Coquelicot/Coquelicot.vo", "Interval/Tactic.vo", "mathcomp/zify/zify.vo")
# Debian's packages of Coq and of the libraries that the theories need.
PACKAGES = (
    "coq", "libcoq-coquelicot", "libcoq-interval", "libcoq-mathcomp-analysis", "libcoq-mathcomp-algebra-tactics",
    "libcoq-mathcomp-zify",
)  # fmt: skip
INSTALL = f"apt-get install --no-install-recommends {' '.join(PACKAGES)}"
# Records of textbook facts that a theorem may assume and nobody proves.
PREMISES = frozenset({"Glbcheck.FiniteBandit.pinsker_and_chain_rule"})
# Other people's notations, for reading; never ours, so that a source cannot change how it is printed.
OPENING = """From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
Set Printing Width 100.
"""
# The axioms of the standard reals, extensionality, excluded middle and choice.
ALLOWED_AXIOMS = frozenset({
    "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec", "Classical_Prop.classic",
    "Epsilon.epsilon_statement", "FunctionalExtensionality.functional_extensionality_dep",
    "boolp.functional_extensionality_dep", "boolp.propositional_extensionality",
    "boolp.constructive_indefinite_description",
})  # fmt: skip


@dataclass(frozen=True)
class Theorem:
    """What Coq says of a theorem: its statement as printed, the axioms it uses, and which Coq said so."""

    name: str
    statement: str
    axioms: tuple[str, ...]
    version: str


GENERAL = Library("Glbcheck", THEORIES)


def coqc() -> str | None:
    """The compiler, or None where Coq is not installed, or hidden by GLBCHECK_COQ=off."""
    wanted = os.environ.get(HIDE, "")
    if wanted not in ("", "on", "off"):
        raise BadInput(HIDE, wanted, "off (Coq is hidden), on or nothing")
    return None if wanted == "off" else shutil.which("coqc")


@cache
def version() -> str:
    """The version of Coq, as it prints it."""
    return _run(["--version"], Path.cwd()).splitlines()[0]


@cache
def _contrib() -> Path:
    return Path(_run(["-where"], Path.cwd()).strip()) / "user-contrib"


@cache
def installed(*files: str) -> bool:
    """Whether the installed Coq has these compiled files of other people's libraries."""
    return all((_contrib() / file).exists() for file in files)


def ready() -> bool:
    """Whether Coq is here, with every library that our theories require."""
    return coqc() is not None and installed(*NEEDED)


def store() -> Path:
    """Where compiled theories are kept: the user's cache, or the folder named by GLBCHECK_COQ_STORE."""
    cached = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get(STORE) or Path(cached, "glbcheck", "coq")).absolute()  # Coq runs in other folders


@cache
def _surroundings() -> str:
    """Coq and the files of other people's libraries, as something that changes when they are installed again."""
    files = sorted(path for file in NEEDED for path in (_contrib() / file.split("/")[0]).rglob("*.vo"))
    stamps = [f"{path}:{path.stat().st_size}:{path.stat().st_mtime_ns}" for path in files]
    return digest(version(), *stamps)


def build(
    libraries: Sequence[Library],
    store: Path,
    only: Iterable[str] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[str]:
    """Compile what the store does not have, on every processor there is; the names of the modules that were compiled.

    `only` limits this to some modules and what they need; `progress` is told each name before it is compiled.
    """
    refuse_forbidden(libraries)  # before Coq is asked anything
    made = plan(libraries, _surroundings())
    missing = [name for name in made.closure(made.keys if only is None else only) if not _kept(name, made, store)]

    def compile_one(name: str) -> None:
        with alone(store, made.keys[name]):
            if not _kept(name, made, store):
                progress(name)
                _compile(name, made, store)

    waiting = TopologicalSorter({name: set(made.closure([name])) & set(missing) - {name} for name in missing})
    waiting.prepare()
    pool, running = ThreadPoolExecutor(processors()), dict[Future[None], str]()
    try:
        while waiting.is_active():
            running |= {pool.submit(compile_one, name): name for name in waiting.get_ready()}
            for one in wait(running, return_when=FIRST_COMPLETED).done:
                one.result()
                waiting.done(running.pop(one))
    finally:
        pool.shutdown(cancel_futures=True)
    return missing


def _kept(name: str, made: Plan, store: Path) -> bool:
    return (store / made.keys[name]).exists()


def ask(question: str, theorems: Iterable[str], libraries: Sequence[Library], store: Path) -> str:
    """What a fresh Coq prints for the question, with the modules of these theorems loaded and not imported."""
    wanted = sorted({module_of(theorem) for theorem in theorems})  # a name that is none is refused without Coq
    made = plan(libraries, _surroundings())
    if missing := [name for name in wanted if name not in made.keys]:
        raise CoqError(f"there is no module {missing[0]}")
    build(libraries, store, wanted)
    loaded = made.closure(wanted)
    text = "".join("From {} Require {}.\n".format(*name.split(".")) for name in wanted) + question
    key = digest(text, *(made.keys[name] for name in loaded))
    kept = store / "answers" / f"{key}.txt"
    if not kept.exists():
        with alone(store, key):
            if not kept.exists():
                _put(kept, _answer(text, _flags(loaded, made, store)))
    return kept.read_text(encoding="utf-8")


def _answer(text: str, flags: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "question.v"
        path.write_text(text, encoding="utf-8")
        return _run([*flags, str(path)], Path(folder))


def flags(libraries: Sequence[Library], store: Path) -> list[str]:
    """How a Coq is called that knows all modules of these libraries; `build` comes first."""
    made = plan(libraries, _surroundings())
    return _flags(sorted(made.keys), made, store)


def module_of(theorem: str) -> str:
    """`Library.File` of `Library.File.name`."""
    if theorem.count(".") != 2:
        raise BadInput("theorem", theorem, "Library.File.name")
    return theorem.rpartition(".")[0]


def check(theorem: str, libraries: Sequence[Library], store: Path, opening: str = "") -> Theorem:
    """Ask a fresh Coq for `Library.File.theorem`; refuse an axiom outside the allow-list.

    `opening` is Coq text before the question, such as imports that make the printed statement readable.
    """
    answer = ask(f"{opening}\nCheck @{theorem}.\nPrint Assumptions {theorem}.\n", [theorem], libraries, store)
    statement, _, rest = answer.partition("Axioms:\n")
    closed = statement.replace("Closed under the global context", "")
    return Theorem(theorem, squeezed(closed.partition(" : ")[2]), axioms_in(theorem, rest, libraries), version())


def axioms_in(theorem: str, printed: str, libraries: Sequence[Library]) -> tuple[str, ...]:
    """The axioms as `Print Assumptions` lists them, refused unless every one is allowed."""
    axioms = tuple(line.split(" :")[0].strip() for line in printed.splitlines() if line and not line[0].isspace())
    # Coq prints the shortest name, so a file of ours could pose as one of the standard library.
    ours = {path.stem for path in modules(libraries).values()}
    if unknown := [axiom for axiom in axioms if axiom not in ALLOWED_AXIOMS or axiom.split(".")[0] in ours]:
        raise CoqError(f"{theorem} rests on {unknown[0]}")
    return axioms


def squeezed(text: str) -> str:
    """The text in one line: what Coq prints, whatever the width."""
    return " ".join(text.split())


def sources_hash(theorem: str, libraries: Sequence[Library]) -> str:
    """Of the text of the theorem's module and of every module of ours that it needs."""
    made = plan(libraries, "")
    name = module_of(theorem)
    if name not in made.keys:
        raise CoqError(f"there is no module {name}")
    return made.keys[name]


def coqchk(libraries: Sequence[Library], store: Path) -> str:
    """What Coq's independent checker says of every compiled module of ours, other people's libraries admitted."""
    build(libraries, store)
    made = plan(libraries, _surroundings())
    program = shutil.which("coqchk")
    if program is None:
        raise CoqError("coqchk is not installed")
    flags = [flag for flag in _flags(list(made.keys), made, store) if flag not in ("-q", "-w", "none")]
    asked = [part for name in made.keys for part in ("-norec", name)]
    return _finished([program, "-silent", "-o", *flags, *asked], store, SECONDS_PER_FILE * 6)


def _flags(names: Sequence[str], made: Plan, store: Path) -> list[str]:
    mapped = [part for name in names for part in ("-Q", str(store / made.keys[name]), name.split(".")[0])]
    return ["-q", "-w", "none", *mapped]


def _compile(name: str, made: Plan, store: Path) -> None:
    """Compile one module beside the store, and put it there under its key in one step."""
    library, file = name.split(".")
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store) as folder:
        home = Path(folder, "home")
        home.mkdir()
        path = home / f"{file}.v"
        path.write_text(made.sources[name], encoding="utf-8")
        needed = [need for need in made.closure([name]) if need != name]
        _run([*_flags(needed, made, store), "-Q", str(home), library, str(path)], home)
        try:
            home.rename(store / made.keys[name])
        except OSError:  # another process was first, with the same text
            if not (store / made.keys[name]).exists():
                raise


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    Path(file.name).rename(path)


def _run(arguments: Sequence[str], folder: Path) -> str:
    program = coqc()
    if program is None:
        raise CoqError("coqc is not installed")
    return _finished([program, *arguments], folder, SECONDS_PER_FILE)


def _finished(command: Sequence[str], folder: Path, seconds: int) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise CoqError(f"{Path(command[0]).name} did not finish {Path(command[-1]).name} in {seconds} s") from None
    if done.returncode != 0:
        raise CoqError((done.stderr or done.stdout).strip())
    return done.stdout
