"""A paper is a folder: `paper.toml` says what it is, `anchors.json` lists its places, its modules decide.

    title = "A paper"
    authors = ["A. Author"]
    digest = "..."                       # if the source is a digest of the paper: of what, in whose words
    sha256 = "..."                       # of the source, as `glbcheck index` prints it
    simulations = ["coverage"]           # which of ours a reproduction plays
    counters = [["theorem", "lemma"]]    # environments that the paper numbers together
    sections = [{ title = "1 Lemmas", modules = ["lemmas"] }]

Only the title is needed.  Every module in the folder and below may declare claims; `requirements.py` may say
what the theorems ask of a GLM family.  A folder among the installed papers keeps its import name; any other
is imported as `glbcheck_papers.NAME`, so that its modules reach each other by relative imports.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from glbcheck.core.errors import meant
from glbcheck.core.extras import import_name, missing, require
from glbcheck.core.files import read_text
from glbcheck.verify import numbering
from glbcheck.verify.anchors import INDEX_NAME, Index, PaperError, read_index
from glbcheck.verify.claim import Claim
from glbcheck.verify.letters import Letters
from glbcheck.verify.letters import read as read_letters
from glbcheck.verify.mounting import ELSEWHERE, complaint, mount
from glbcheck.verify.registry import ClaimError, claims_in

if TYPE_CHECKING:
    from glbcheck.verify.marks import Mark

FACTS = "paper.toml"
REQUIREMENTS = "requirements"
INSTALLED = "glbcheck.proofs_checks"
CLAIMS_NEED = "papers"  # the extra whose libraries claims may be written with
_KEYS: Mapping[str, type] = {
    "title": str,
    "authors": list,
    "digest": str,
    "sha256": str,
    "simulations": list,
    "counters": list,
    "sections": list,
}

_taken: dict[str, Path] = {}  # which folder has which name, so that two folders of one name stay two papers


@dataclass(frozen=True)
class Section:
    """A part of the paper and the modules that decide it."""

    title: str
    modules: tuple[str, ...]


@dataclass(frozen=True)
class Paper:
    """One folder of claims; `package` is the name it is imported under."""

    folder: Path
    package: str
    title: str
    authors: tuple[str, ...] = ()
    sha256: str = ""
    simulations: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    counters: tuple[tuple[str, ...], ...] = ()
    digest: str = ""

    @property
    def name(self) -> str:
        return self.package.rpartition(".")[2]

    @cached_property
    def index(self) -> Index | None:
        """The anchors of the paper, if they were ever listed; refused when they are another source's."""
        path = self.folder / INDEX_NAME
        if not path.exists():
            return None
        found = read_index(path)
        if self.sha256 and found.sha256 != self.sha256:
            raise PaperError(
                f"{path}: of source {found.sha256[:12]}, but {FACTS} says {self.sha256[:12]}; "
                f"try: glbcheck index TEX --paper {self.folder} --write"
            )
        return found

    @cached_property
    def checked(self) -> tuple[Mapping[str, Any] | None, ...]:
        """Which words were read again, which edits of parts are refuted, where premises hold together."""
        from glbcheck.verify.claims import checked

        return tuple(checked.read(self.folder, section) for section in checked.SECTIONS)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What became of the sentences that no claim names itself."""
        from glbcheck.verify import marks

        return marks.read(self.folder)

    @cached_property
    def letters(self) -> Letters:
        """What the letters of its counterexamples mean."""
        return read_letters(self.folder)

    @cached_property
    def modules(self) -> Mapping[Path, str]:
        """Every module by its file, sub-folders included; a paper inside this one is another paper."""
        found = {}
        for path in sorted(self.folder.rglob("*.py")):
            parts = path.relative_to(self.folder).with_suffix("").parts
            hidden = any(part.startswith(".") for part in parts) or parts[-1] == "conftest"
            if hidden or around(path) != self.folder:
                continue
            if not all(part.isidentifier() for part in parts):
                raise PaperError(f"{path}: cannot be imported; a name of letters, digits and _ is accepted")
            found[path] = ".".join((self.package, *(part for part in parts if part != "__init__")))
        return found

    def claims(self) -> list[Claim]:
        """The claims of every module."""
        found: dict[str, Claim] = {}
        for path in self.modules:
            for claim in self.claims_of(path):
                if claim.id in found:
                    places = f"at {found[claim.id].location} and at {claim.location}"
                    raise ClaimError(claim.id, f"declared twice: {places}")
                found[claim.id] = claim
        return list(found.values())

    def claims_of(self, path: Path) -> list[Claim]:
        """The claims declared in one file, with the sentences that they decide."""
        from glbcheck.verify import marks

        return marks.attach(claims_in(self._imported(path)), self.marks)

    def requirements(self) -> Iterable[Any]:
        """What the theorems ask of a GLM family: `REQUIREMENTS` of requirements.py, if there is one."""
        return self._offered(REQUIREMENTS)

    def questions(self) -> Iterable[Any]:
        """What the audit of a family is to ask besides: `QUESTIONS` of questions.py, if there is one."""
        return self._offered("questions")

    def unprinted(self) -> Iterable[str]:
        """The hypotheses that its proofs need and the paper does not state: `UNPRINTED` of unprinted.py."""
        return self._offered("unprinted")

    def _offered(self, what: str) -> Iterable[Any]:
        path = self.folder / f"{what}.py"
        if not path.exists():
            return ()
        try:
            found: Iterable[Any] = getattr(self._imported(path), what.upper())
        except AttributeError:
            raise PaperError(f"{path}: has no {what.upper()}") from None
        return found

    def places(self) -> list[dict[str, Any]]:
        """The anchors as plain data, each with why it asserts nothing, if so, and its number if the paper gives one."""
        silent = {
            mark.sentence: f"{mark.rule} {mark.of and f'of {mark.of}'}".strip() for mark in self.marks if mark.rule
        }
        return numbering.places(self.index.anchors if self.index else (), silent, self.counters)

    def anchor_complaint(self, claim: Claim) -> str | None:
        """That a claim speaks about a place the paper does not have, or None."""
        known = self.index.ids() if self.index else set(claim.anchors)
        missing = next((anchor for anchor in claim.anchors if anchor not in known), None)
        return missing and f"claim {claim.id!r} is about {missing!r}, which is not in {INDEX_NAME}"

    def facts(self, claims: int | None) -> dict[str, Any]:
        """What `results.json` says about the paper; `claims` is how many there are, if that is known."""
        sha256 = self.index.sha256 if self.index else self.sha256
        named = {"name": self.name, "title": self.title, "authors": list(self.authors), "sha256": sha256}
        return {**named, **({"digest": self.digest} if self.digest else {}), "claims": claims}

    def _imported(self, path: Path) -> ModuleType:
        if path not in self.modules:
            raise PaperError(f"{path}: not among the modules of {self.folder}")
        try:
            mount(self.package, self.folder)
            return importlib.import_module(self.modules[path])
        except ModuleNotFoundError as err:
            if (err.name or "").partition(".")[0] in map(import_name, missing(CLAIMS_NEED)):
                require(CLAIMS_NEED, f"paper = {self.name!r}")
            raise PaperError(complaint(err, path, self.folder)) from None
        except (Exception, SystemExit) as err:
            raise PaperError(complaint(err, path, self.folder)) from None


def find(name_or_path: str | Path) -> Paper:
    """An installed paper by its name, or any folder with a `paper.toml`."""
    given = str(name_or_path)
    try:
        folder = installed().get(given) or Path(given).resolve()
        there = folder.is_dir()
    except (OSError, RuntimeError, ValueError):  # a loop of links, a name that is too long, a NUL
        there = False
    if not there:
        accepted = f"the name of a paper ({', '.join(installed())}) or a folder with a {FACTS}"
        raise PaperError(f"paper = {given!r}: no such paper; {meant(given, installed())}accepted is {accepted}")
    if not is_folder(folder):
        raise PaperError(f"paper = {given!r}: the folder has no {FACTS}")
    return _read(folder)


def is_folder(path: str | Path) -> bool:
    """Is this the folder of a paper?"""
    return (Path(path) / FACTS).is_file()


def around(path: Path) -> Path | None:
    """The folder of the paper that a file belongs to, if it belongs to one."""
    return next(filter(is_folder, path.parents), None)


def installed() -> dict[str, Path]:
    """The folders of the installed papers by name."""
    (home,) = importlib.import_module(INSTALLED).__path__
    return {path.parent.name: path.parent for path in sorted(Path(home).resolve().glob(f"*/{FACTS}"))}


def _read(folder: Path) -> Paper:
    path = folder / FACTS
    try:
        facts = tomllib.loads(read_text(path))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise PaperError(f"{path}: cannot be read ({err})") from None
    for key, value in facts.items():
        if key not in _KEYS:
            raise PaperError(f"{path}: unknown key {key!r}; accepted are {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise PaperError(f"{path}: {key} = {value!r}: a {_KEYS[key].__name__} is accepted")
    if not facts.get("title"):
        raise PaperError(f"{path}: title is missing")
    return Paper(
        folder,
        _package(folder),
        facts["title"],
        _texts(path, "authors", facts.get("authors", [])),
        facts.get("sha256", ""),
        _texts(path, "simulations", facts.get("simulations", [])),
        tuple(_section(path, one) for one in facts.get("sections", [])),
        tuple(_texts(path, "counters", one) for one in facts.get("counters", [])),
        facts.get("digest", ""),
    )


def _section(path: Path, given: Any) -> Section:
    if not isinstance(given, dict) or given.keys() != {"title", "modules"} or not isinstance(given["title"], str):
        raise PaperError(f"{path}: sections: {given!r}: {{ title = text, modules = [names] }} is accepted")
    section = Section(given["title"], _texts(path, "modules", given["modules"]))
    for module in section.modules:
        if not (path.parent / f"{module.replace('.', '/')}.py").is_file():
            raise PaperError(f"{path}: section {section.title!r}: no module {module!r} in the folder")
    return section


def _texts(path: Path, key: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise PaperError(f"{path}: {key} = {given!r}: a list of texts is accepted")
    return tuple(given)


def _package(folder: Path) -> str:
    """The import name of a folder, the same wherever the folder is reached from."""
    known, name = installed(), re.sub(r"\W", "_", folder.name)
    if known.get(name) == folder:
        return f"{INSTALLED}.{name}"
    if name in known or _taken.setdefault(name, folder) != folder:
        name += f"_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    return f"{ELSEWHERE}.{name}"
