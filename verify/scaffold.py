"""A paper's folder made from its source: every anchor indexed, and each one an honest `undecided`.

One module per section holds a line per anchor, to be replaced by the claim that decides it.  Nothing of the source's
text is copied but its title, its authors and the headings.
"""

from __future__ import annotations

import json
import keyword
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glbcheck.verify import anchors, papers
from glbcheck.verify.anchors import Anchor, PaperError
from glbcheck.verify.claims import checked
from glbcheck.verify.sentences import closing

TAKEN = frozenset(("conftest", "coq", papers.REQUIREMENTS, "questions", "unprinted", "quantities"))
FIRST = "Before the first section"
_HEADING = re.compile(r"\\(?:section|chapter)\*?\s*(?:\[[^\]]*\])?\{")
_KINDS = {"equation": "a display", "display": "a display", "label": "a label", "section": "a heading"}


@dataclass(frozen=True)
class Part:
    """A section of the source: its heading, the module that will decide it, its anchors."""

    title: str
    module: str
    anchors: tuple[Anchor, ...]


def make(tex: str, folder: Path) -> list[Part]:
    """Write the folder of the paper with this source; refused where something is already."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PaperError(f"DIR = {str(folder)!r}: is not empty; a new folder is accepted")
    index = anchors.scan(tex)
    if not index.anchors:
        raise PaperError("TEX: has no label, theorem or display, so there is nothing to decide")
    found = list(parts(tex, index.anchors))
    title = _argument(tex, "title") or folder.resolve().name
    files = {
        papers.FACTS: _facts(title, _authors(tex), index.sha256, found),
        checked.FILE: "{}\n",
        "README.md": _readme(title, folder, index.anchors[0].id),
        "coq/README.md": _COQ,
        **{f"{part.module}.py": _module(part) for part in found},
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    anchors.write_index(index, folder / anchors.INDEX_NAME)
    return found


def parts(tex: str, places: Sequence[Anchor]) -> Iterator[Part]:
    """The sections in order, each with the anchors after its heading; one without any is left out."""
    clean = anchors.without_comments(tex)
    headings = [(0, FIRST)] + [
        (clean.count("\n", 0, match.start()) + 1, _plain(_braced(clean, match.end())))
        for match in _HEADING.finditer(clean)
    ]
    taken = set(TAKEN)
    for (line, title), end in zip(headings, [*(start for start, _ in headings[1:]), float("inf")], strict=True):
        inside = tuple(anchor for anchor in places if line <= anchor.line < end)
        if inside:
            yield Part(title or "Untitled", _module_name(title, taken), inside)


def _module_name(title: str, taken: set[str]) -> str:
    """A name of letters, digits and _ that no other part has; entered among those taken."""
    words = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:40].strip("_")
    base = words if words.isidentifier() and not keyword.iskeyword(words) else f"part_{words}".rstrip("_")
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    taken.add(name)
    return name


def _module(part: Part) -> str:
    lines = [
        f'undecided({_quoted(a.id)}, reason="{_kind(a)} on line {a.line}, not looked at yet")' for a in part.anchors
    ]
    docstring = part.title.replace("\\", " ").replace('"""', "'''")
    head = f'"""{docstring}: what the paper states there."""\n\nfrom __future__ import annotations\n\n'
    return head + "from glbcheck.verify.writing import undecided\n\n" + "\n".join(lines) + "\n"


def _kind(anchor: Anchor) -> str:
    return _KINDS.get(anchor.kind) or f"{'an' if anchor.kind[:1] in 'aeiou' else 'a'} {anchor.kind}"


def _facts(title: str, authors: Sequence[str], sha256: str, found: Sequence[Part]) -> str:
    lines = [
        f"title = {_quoted(title)}",
        f"authors = [{', '.join(map(_quoted, authors))}]",
        "# Of the source, white space and comments aside, as `glbcheck index` prints it.",
        f'sha256 = "{sha256}"',
    ]
    for part in found:
        lines += ["", "[[sections]]", f"title = {_quoted(part.title)}", f'modules = ["{part.module}"]']
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A string of TOML and of Python alike."""
    return json.dumps(text, ensure_ascii=False)


def _argument(tex: str, command: str) -> str:
    clean = anchors.without_comments(tex)
    match = re.search(rf"\\{command}\s*(?:\[[^\]]*\])?\{{", clean)
    return _plain(_braced(clean, match.end())) if match else ""


def _authors(tex: str) -> list[str]:
    clean = anchors.without_comments(tex)
    match = re.search(r"\\author\s*(?:\[[^\]]*\])?\{", clean)
    given = _braced(clean, match.end()) if match else ""
    # Addresses and thanks stand below a name, after a line break.
    people = re.split(r"\\and\b|\\And\b|\\AND\b", re.sub(r"\\thanks\s*\{[^{}]*\}", "", given))
    names = [_plain(re.split(r"\\\\|\n\s*\n", one.strip())[0]) for one in people]
    return [name for one in names for name in re.split(r",\s*(?:and\s+)?|\s+and\s+", one) if name]


def _braced(tex: str, position: int) -> str:
    """The text from here to the brace that closes the group around it."""
    return tex[position : closing(tex, position, len(tex)) - 1]


def _plain(tex: str) -> str:
    """A heading without its commands."""
    tex = re.sub(r"\\texorpdfstring\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{([^{}]*)\}", r"\1", tex)  # what bookmarks show
    tex = re.sub(r"\\([`'^\"~])\s*\{?([A-Za-z])\}?", _accented, tex)
    bare = re.sub(r"\\label\s*\{[^{}]*\}|\\(?:footnote|thanks)\s*\{[^{}]*\}", "", tex)
    bare = re.sub(r"\\\\|~", " ", re.sub(r"\\[a-zA-Z]+\*?(?:\[[^\]]*\])?|[{}$]", "", bare))
    return " ".join(re.sub(r"\\(.)", r"\1", bare).split())


def _accented(match: re.Match[str]) -> str:
    marks = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303"}
    return unicodedata.normalize("NFC", match[2] + marks[match[1]])


def _readme(title: str, folder: Path, anchor: str) -> str:
    name = folder.resolve().name
    return f"""# {title}

The paper's claims, one module per section. Each anchor begins as `undecided`; replace its line by the claim that
decides it, in your own words.

    glbcheck check {name}                       # every claim; from the folder above
    glbcheck show {anchor} --paper {name}       # all that is known about one place
    glbcheck check ID --paper {name} --review   # record that the words of a claim were read beside what was decided
    glbcheck index TEX --paper {name}           # what a new version of the source changed; --write takes it over
    glbcheck reproduce --paper {name}           # all of it again, and one page for a reader

`docs/referee.md` of glbcheck goes from here to a verdict, a counterexample and a repair.
"""


_COQ = """# Coq

Sources whose theorems a claim names with `proves(...)` lie here. `glbcheck coq --pin --paper FOLDER` compiles them and
writes down the statements that Coq prints, which every later run must print again.
"""
