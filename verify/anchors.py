r"""The anchors of a paper: every place in its source that a claim can be about.

What counts, in the body of the document, comments and verbatim text aside:

- every ``\label``;
- every theorem-like environment, that is, one declared by ``\newtheorem`` (or ``\declaretheorem``),
  including its restatable form;
- every displayed equation: one per environment (``equation``, ``align``, ``gather``, ... starred or
  not; kind `equation`), however many rows it has, and one per ``$$ ... $$`` or ``\[ ... \]`` (kind
  `display`);
- every sentence, and every row of a table, that may assert something (kinds `sentence` and `row`): see `sentences`.

An environment that carries a label is one anchor, named by the label.  One without is named after the
nearest label before it that is not itself the label of an equation, with a running number:
``theorem:main/eq2`` is the second display after ``\label{theorem:main}``, counting labelled ones.
A label that names neither is an anchor of kind `section` or `label`.

An anchor remembers the hash of its TeX, whitespace aside; the text itself is never kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from glbcheck.core.files import read_json, read_text
from glbcheck.verify import sentences

DISPLAYS = frozenset(
    ("equation", "align", "gather", "multline", "flalign", "alignat", "eqnarray", "displaymath", "dmath")
)
VERBATIM = "verbatim|Verbatim|lstlisting|minted|comment|filecontents"
OTHER = ("equation", "display", "section", "label", "sentence", "row")  # than theorem-like environments
INDEX_NAME = "anchors.json"
_TOP = "top"

_IGNORED = re.compile(
    rf"\\begin\{{(?P<env>(?:{VERBATIM})\*?)\}}.*?\\end\{{(?P=env)\}}"
    r"|\\(?:verb|lstinline)\*?(?P<bar>[^\sa-zA-Z*]).*?(?P=bar)"
    r"|\\[^a-zA-Z]"
    r"|%[^\n]*",
    re.DOTALL,
)
_THEOREMS = re.compile(
    r"\\newtheorem\*?\s*\{\s*([^{}]+?)\s*\}|\\declaretheorem\s*(?:\[[^\]]*\])?\s*\{\s*([^{}]+?)\s*\}"
)
_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>[^{}]+)\}(?:\s*(?:\[[^\]]*\])?\{(?P<restated>[^{}]*)\})?"
    r"|\\end\s*\{(?P<end>[^{}]+)\}"
    r"|\\label\s*\{(?P<label>[^{}]+)\}"
    r"|\\(?P<section>part|chapter|section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]*\])?\{"
    r"|(?P<open>\\\[)|(?P<close>\\\])"
    r"|\\[a-zA-Z]+|\\."
    r"|(?P<dollars>\$\$?)"
    r"|(?P<blank>\n[ \t]*\n)",
    re.DOTALL,
)


class PaperError(ValueError):
    """A source or an index that cannot be used; the message says where."""


@dataclass(frozen=True)
class Anchor:
    """One place of the paper; `labelled` tells a `\\label` from a made-up id."""

    id: str
    kind: str
    line: int
    hash: str
    labelled: bool


@dataclass(frozen=True)
class Index:
    """All anchors of one version of a paper."""

    sha256: str
    anchors: tuple[Anchor, ...]

    def ids(self) -> set[str]:
        return {anchor.id for anchor in self.anchors}


@dataclass(frozen=True)
class Difference:
    """How a source differs from an index, and what no claim speaks about."""

    new: tuple[Anchor, ...]
    changed: tuple[Anchor, ...]
    gone: tuple[Anchor, ...]
    unclaimed: tuple[Anchor, ...]


@dataclass
class _Place:
    """A piece of the source under construction: where it starts, and its label if it has one."""

    kind: str
    start: int
    end: int = 0
    label: str | None = None
    labels: list[tuple[str, int]] = field(default_factory=list)


def scan(tex: str) -> Index:
    """The anchors of a TeX source, in order of appearance."""
    clean = without_comments(tex)
    theorems = {name for pair in _THEOREMS.findall(clean) for name in pair if name}
    places = sorted(_places(clean, _body(clean), theorems), key=lambda place: place.start)
    anchors = _named(clean, places)
    anchors = sorted([*anchors, *_sentences(clean, places, anchors)], key=lambda anchor: anchor.line)
    twice = [name for name, count in Counter(anchor.id for anchor in anchors).items() if count > 1]
    if twice:
        raise PaperError(f"label {twice[0]!r} is defined more than once")
    return Index(hashlib.sha256(_normal(clean).encode()).hexdigest(), tuple(anchors))


def _sentences(tex: str, places: list[_Place], anchors: list[Anchor]) -> Iterator[Anchor]:
    """What the paper asserts in words; theorem-like environments are known by where they start."""
    pairs = zip(places, anchors, strict=True)
    named = {place.start: (anchor.id, anchor.kind) for place, anchor in pairs if anchor.kind not in OTHER}
    for one in sentences.scan(tex, _body(tex), named, DISPLAYS):
        if one.asserts():
            yield Anchor(one.id, one.kind, _line(tex, one.start), _digest(one.tex), False)


def counts(index: Index) -> dict[str, int]:
    """How many labels, theorem-like environments, equation environments, bare displays and sentences there are."""
    kinds = Counter(anchor.kind for anchor in index.anchors)
    return {
        "labels": sum(anchor.labelled for anchor in index.anchors),
        "theorems": sum(count for kind, count in kinds.items() if kind not in OTHER),
        "equations": kinds["equation"],
        "displays": kinds["display"],
        "sentences": kinds["sentence"] + kinds["row"],
    }


def compare(found: Index, shipped: Index | None, claimed: Iterable[str]) -> Difference:
    """What is new, changed or gone against the shipped index, and what no claim is about."""
    old = {anchor.id: anchor for anchor in shipped.anchors} if shipped else {}
    spoken_for = set(claimed)
    return Difference(
        tuple(a for a in found.anchors if a.id not in old),
        tuple(a for a in found.anchors if a.id in old and old[a.id].hash != a.hash),
        tuple(a for name, a in old.items() if name not in found.ids()),
        tuple(a for a in found.anchors if a.id not in spoken_for),
    )


def shared_labels(found: Index, shipped: Index) -> tuple[int, int]:
    """How many labels two sources share, of how many the smaller one has."""
    ours, theirs = ({a.id for a in index.anchors if a.labelled} for index in (found, shipped))
    return len(ours & theirs), min(len(ours), len(theirs))


def read_tex(path: str | Path) -> str:
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError) as err:
        raise PaperError(f"{path}: cannot read as UTF-8 text ({err})") from None


def write_index(index: Index, path: str | Path) -> None:
    data = {"paper": {"sha256": index.sha256}, "anchors": [asdict(anchor) for anchor in index.anchors]}
    Path(path).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def read_index(path: str | Path) -> Index:
    try:
        data = read_json(path)
        return Index(data["paper"]["sha256"], tuple(Anchor(**item) for item in data["anchors"]))
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise PaperError(f"{path}: not an index of anchors ({err})") from None


def without_comments(tex: str) -> str:
    """Comments and verbatim text as blanks, so that positions and line numbers stay."""

    def blank(match: re.Match[str]) -> str:
        text = match[0]
        hidden = text.startswith("%") or match["env"] or match["bar"]
        return re.sub(r"[^\n]", " ", text) if hidden else text

    return _IGNORED.sub(blank, tex.replace("\r\n", "\n"))


def _body(tex: str) -> tuple[int, int]:
    """The range of the document body; definitions before it contain no anchors."""
    start, end = tex.find(r"\begin{document}"), tex.find(r"\end{document}")
    first = 0 if start < 0 else start + len(r"\begin{document}")
    return first, len(tex) if end < first else end


def _places(tex: str, body: tuple[int, int], theorems: set[str]) -> Iterator[_Place]:
    """Environments, displays and free labels, found in one pass with a stack of open environments."""
    stack: list[_Place] = []
    heading: _Place | None = None
    inline = False
    position, stop = body
    while match := _TOKEN.search(tex, position, stop):
        position = match.end()
        if name := match["begin"]:
            position = match.start() + match[0].index("}") + 1
            stack.append(_Place(_kind(name, match["restated"], theorems), match.start()))
        elif match["end"]:
            if not stack:
                raise PaperError(f"line {_line(tex, match.start())}: \\end{{{match['end']}}} without \\begin")
            yield from _closed(stack.pop(), match.end())
        elif name := match["label"]:
            yield from _label(name.strip(), match.start(), stack, heading)
        elif match["section"]:
            position = sentences.closing(tex, match.end(), stop)
            heading = _Place("section", match.start(), position)
            # A label may stand inside the heading's own braces.
            position = match.end()
        elif match["open"] or (match["dollars"] == "$$" and not inline and not _in_display(stack)):
            stack.append(_Place("display", match.start()))
        elif (match["close"] or match["dollars"] == "$$") and stack and stack[-1].kind == "display":
            yield from _closed(stack.pop(), match.end())
        elif match["dollars"]:
            # `$a$$b$` is two formulas: inside one, a single dollar closes it.
            inline, position = not inline, match.start() + 1
        elif match["blank"]:
            inline = False
    if stack:
        raise PaperError(f"line {_line(tex, stack[-1].start)}: an environment is never closed")


def _kind(name: str, restated: str | None, theorems: set[str]) -> str:
    base = name.strip()
    if base == "restatable" or base == "restatable*":
        base = (restated or "").strip()
    if base in theorems or base.rstrip("*") in theorems:
        return base.rstrip("*")
    return "equation" if base.rstrip("*") in DISPLAYS else ""


def _in_display(stack: list[_Place]) -> bool:
    return any(place.kind == "display" for place in stack)


def _label(name: str, at: int, stack: list[_Place], heading: _Place | None) -> Iterator[_Place]:
    """Give a label to what it names, or let it stand alone."""
    display = next((place for place in stack if place.kind in ("equation", "display")), None)
    owner = display or (stack[-1] if stack and stack[-1].kind else None)
    if owner is not None and owner.label is None:
        owner.label = name
    elif owner is None and not stack and heading is not None and heading.label is None:
        heading.label = name
        yield heading
    elif stack:
        stack[-1].labels.append((name, at))
    else:
        yield _Place("label", at, at, label=name)


def _closed(place: _Place, end: int) -> Iterator[_Place]:
    place.end = end
    if place.kind:
        yield place
    # A free label (a table's, an algorithm line's) stands for the environment around it.
    for name, at in place.labels:
        yield _Place("label", at, end, label=name)


def _named(tex: str, places: list[_Place]) -> list[Anchor]:
    anchors: list[Anchor] = []
    host, numbers = _TOP, Counter[str]()
    for place in places:
        short = "eq" if place.kind in ("equation", "display") else place.kind
        if place.label and short != "eq":
            host, numbers = place.label, Counter[str]()
        else:
            numbers[short] += 1
        name = place.label or f"{host}/{short}{numbers[short]}"
        digest = _digest(tex[place.start : place.end])
        anchors.append(Anchor(name, place.kind, _line(tex, place.start), digest, place.label is not None))
    return anchors


def _digest(tex: str) -> str:
    return hashlib.sha256(_normal(tex).encode()).hexdigest()[:16]


def _normal(tex: str) -> str:
    return re.sub(r"\s+", "", tex)


def _line(tex: str, position: int) -> int:
    return tex.count("\n", 0, position) + 1
