r"""The sentences of a paper: what it says in words, outside its statements and its pseudocode.

A sentence is named after the heading above it, by the heading's label or else by its words, and counted there:
``sec:conclusion/s2``, ``problem-setting/s4``, ``abstract/s1``.  Remarks, footnotes and floats count their own:
``rmk:online/s1``, ``sec:lower-bound/note1/s1``, ``tab:results/s3``; a row of a table is ``tab:results/row5``.
Every sentence is counted, so that its name does not depend on which of them assert something; an anchor is made of
each that `asserts`.

A theorem-like environment has an anchor of its own, which speaks for the sentences in it, unless it is a remark.
A display is part of the sentence around it and speaks for it, unless the words around it compare something.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

REMARKS = frozenset(("remark", "remarks", "note", "example", "discussion", "observation"))
FLOATS = frozenset(("table", "figure", "wraptable", "wrapfigure"))
TABLES = frozenset(("tabular", "tabularx", "longtable"))
PARTS = frozenset(("part", "chapter", "section", "subsection", "subsubsection"))
LAYOUT = frozenset(("label", "newcommand", "crefalias", "setlength", "hspace", "vspace"))
CODE = re.compile(r"algorithm|tikzpicture|minipage|thebibliography")
WALL, DISPLAY, OPAQUE = "\x02", "\x01", "\x03"  # a boundary, a display, what no sentence ends in

# Words that compare or count.
COMPARES = re.compile(
    r"\b(?:(?:sub)?optimal\w*|match\w*|subsum\w*|improv\w*|independen\w*|necess\w*|(?:un)?avoid\w*|cannot|impossible|"
    r"at most|at least|up to|only|same|identical\w*|recover\w*|first|none|never|always|tight\w*|loose\w*|sharp\w*|"
    r"better|worse|larger|smaller|more|less|most\w*|weaker|stronger|strict\w*|exact\w*|precisely|equivalent\w*|efficien\w*|"
    r"fail\w*|reduc\w*|generaliz\w*|extend\w*|encompass\w*|cover\w*|scal\w*|vanish\w*|cancel\w*|offset|increas\w*|"
    r"decreas\w*|monoton\w*|concave|convex|(?:in)?distinguish\w*|inheren\w*|essential\w*|regardless|depend\w*|linearly|"
    r"quadratic\w*|exponential\w*|bounded|unif(?:y|ied|orm)\w*|simultaneous\w*|any|every|all|no|not|neither|alone|"
    r"critical\w*|unlike|valid|guarantee\w*|requir\w*|fundamental\w*|constant|must|rather than|costs?|similar\w*|"
    r"linear|additive\w*|fully|unchanged|hold|holds|w\.l\.o\.g)\b",
    re.IGNORECASE,
)
# Mathematics that relates: a comparison, an order, a limit.
RELATES = re.compile(
    r"\\(?:leq?|geq?|lesssim|gtrsim|approx|sim|succeq|preceq|propto|to|rightarrow|neq|equiv|ll|gg|subset(?:eq)?|Theta|"
    r"Omega|gO|wedge|vee|overset)(?![a-zA-Z])|\\mathcal\{O\}|[=<>]"
)
_ABBREVIATED = (
    r"e\.g|i\.e|etc|cf|resp|vs|al|w\.r\.t|r\.h\.s|l\.h\.s|i\.i\.d|a\.s|[Ww]\.l\.o\.g|Eqn?s?|Figs?|Secs?|Thms?|Lems?|"
    r"Props?|Apps?|Cors?|Defs?|Refs?|Comp|No|pp?|Dr|Prof|St|[A-Z]"
)
_END = re.compile(
    rf"(?<![A-Za-z.])(?:{_ABBREVIATED})\.(?P<short>)"
    rf"|[.?!][}}'’”)]*(?=\s+[A-Z\\`‘“({OPAQUE}]|\s*{WALL}|\s*$)|{DISPLAY}(?=[\s}}]*[A-Z])|{WALL}"
)
_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>[^{}]+)\}(?:\s*\[[^\]]*\])?|\\end\s*\{(?P<end>[^{}]+)\}"
    r"|\\(?P<heading>part|chapter|section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]*\])?\{"
    r"|\\footnote\s*(?:\[[^\]]*\])?\{(?P<note>)"
    r"|\\(?P<quiet>[cC]ref|eqref|ref|cite[a-z]*|href|texttt|url|label|newcommand|crefalias|bibliography(?:style)?|"
    r"setlength|[hv]space)\*?\s*(?:\[[^\]]*\]\s*)*\{"
    r"|(?P<wall>\\(?:item|qed|maketitle|newpage|tableofcontents|appendix|caption)(?![a-zA-Z])(?:\s*\[[^\]]*\])?)"
    r"|(?P<display>\\\[.*?\\\]|\$\$.*?\$\$)|(?P<inline>\$(?:\\.|[^$\\\n]|\n(?![ \t]*\n))*\$)"
    r"|\\[a-zA-Z]+|\\.|(?P<blank>\n[ \t]*\n)",
    re.DOTALL,
)
_LABEL = re.compile(r"\\label\s*\{([^{}]+)\}")


@dataclass(frozen=True)
class Sentence:
    """A sentence or a row: its name, where it stands, its TeX; its words and its formulas apart from each other."""

    id: str
    kind: str
    start: int
    tex: str
    prose: str = ""
    formulas: str = ""

    def asserts(self) -> bool:
        """May it assert something quantitative or comparative?  A rule of words, generous on purpose.

        A row of a table and a sentence of the abstract may, a question does not.  Otherwise its words compare or
        count, or, where no display speaks for it, its formulas relate things.
        """
        if self.kind == "row" or self.id.startswith("abstract/"):
            return True
        if self.prose.rstrip(" }\n").endswith("?"):
            return False
        return bool(COMPARES.search(self.prose) or (DISPLAY not in self.prose and RELATES.search(self.formulas)))


@dataclass
class _Piece:
    """The text of one heading, remark, footnote or float: parallel TeX, mask and positions."""

    host: str
    tex: list[str] = field(default_factory=list)
    mask: list[str] = field(default_factory=list)
    at: list[int] = field(default_factory=list)

    def add(self, tex: str, start: int, mask: str | None = None) -> None:
        self.tex += tex
        self.mask += tex if mask is None else mask
        self.at += range(start, start + len(tex))


class _Reader:
    """One pass over the body; `named` are the ids of the theorem-like environments by where they start."""

    def __init__(self, tex: str, named: Mapping[int, tuple[str, str]], displays: frozenset[str]) -> None:
        self.tex, self.named, self.displays = tex, named, displays
        self.pieces: list[_Piece] = []
        self.rows: list[Sentence] = []
        self.hosts = Counter[str]()
        self.here: _Piece | None = self.piece("top")

    def piece(self, host: str) -> _Piece:
        self.hosts[host] += 1
        name = host if self.hosts[host] == 1 else f"{host}-{self.hosts[host]}"
        self.pieces.append(_Piece(name))
        return self.pieces[-1]

    def read(self, position: int, stop: int) -> None:
        """Hand every character between the two to the piece that it belongs to."""
        while match := _TOKEN.search(self.tex, position, stop):
            self.give(position, match.start())
            position = self.token(match, stop)
        self.give(position, stop)

    def give(self, start: int, end: int, mask: str | None = None) -> None:
        if self.here is not None and end > start:
            self.here.add(self.tex[start:end], start, mask and mask * (end - start))

    def token(self, match: re.Match[str], stop: int) -> int:
        """Deal with one token; where reading goes on."""
        start, end = match.span()
        if match["begin"]:
            return self.environment(match["begin"].strip(), start, end, stop)
        if match["heading"]:
            end = closing(self.tex, end, stop)
            self.heading(match["heading"], self.tex[match.end() : end - 1], start, end)
        elif match["note"] is not None:
            end = closing(self.tex, end, stop)
            self.apart(f"{self.here.host if self.here else 'top'}/note", match.end(), end - 1)
        elif match["quiet"]:
            end = closing(self.tex, end, stop)
            if match["quiet"] in LAYOUT:
                end = _groups(self.tex, end)
            self.give(start, end, " " if match["quiet"] in LAYOUT else OPAQUE)
        elif match["display"]:
            self.display(start, end)
        elif match["inline"]:
            self.give(start, end - 1, OPAQUE)
            self.give(end - 1, end, "." if self.tex[end - 2] == "." else OPAQUE)
        else:
            self.give(start, end, WALL if match["wall"] or match["blank"] or match["end"] else None)
        return end

    def heading(self, level: str, title: str, start: int, end: int) -> None:
        if level not in PARTS:
            self.give(start, end, WALL)
            return
        label = _LABEL.search(title) or re.compile(r"\s*" + _LABEL.pattern).match(self.tex, end)
        self.here = self.piece(label[1].strip() if label else slug(title))

    def environment(self, name: str, start: int, end: int, stop: int) -> int:
        """Displays, statements, code and tables whole; remarks, floats and abstracts apart; others are walls."""
        finish = _finish(self.tex, name, end, stop)
        inside = finish - len(f"\\end{{{name}}}")
        base = name.rstrip("*")
        if base in self.displays:
            self.display(start, finish)
        elif start in self.named and self.named[start][1] not in REMARKS:
            self.give(start, finish, WALL)
        elif start in self.named:
            self.apart(self.named[start][0], end, inside)
        elif base in FLOATS and not CODE.match(name):
            label = _LABEL.search(self.tex, end, inside)
            self.apart(label[1].strip() if label else f"{self.here.host if self.here else 'top'}/{base}", end, inside)
        elif base == "abstract":
            self.apart("abstract", end, inside)
        elif base in TABLES:
            self.table(end, inside)
        elif CODE.match(name):
            self.give(start, finish, WALL)
        else:
            end = _groups(self.tex, end)
            self.give(start, end, WALL)
            return end
        return finish

    def apart(self, host: str, start: int, end: int) -> None:
        """Read a range into a piece of its own; notes are numbered from 1, others by need."""
        outer = self.here
        if host.endswith("/note"):
            self.hosts[host] += 1
            host += str(self.hosts[host])
        self.here = self.piece(host)
        self.read(start, end)
        self.here = outer

    def display(self, start: int, end: int) -> None:
        """A display is one sign; where it ends with a full stop, so does the sentence."""
        self.give(start, end - 1, DISPLAY)
        self.give(end - 1, end, "." if _stops(self.tex[start:end]) else DISPLAY)

    def table(self, start: int, end: int) -> None:
        """The rows of a table: what stands between line breaks that no braces hold."""
        depth, cuts = 0, [start]
        for match in re.finditer(r"\\\\|\\.|[{}]", self.tex[start:end], re.DOTALL):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if match[0] == "\\\\" and depth == 0:
                cuts.append(start + match.end())
        host, number = self.here.host if self.here else "top", 0
        for left, right in pairwise([*cuts, end]):
            row = re.sub(r"\\(?:[hc]line|toprule|midrule|bottomrule)\b|\\rowcolor\{[^}]*\}", "", self.tex[left:right])
            if "&" in row:
                number += 1
                self.rows.append(Sentence(f"{host}/row{number}", "row", left, row))

    def sentences(self) -> Iterator[Sentence]:
        for piece in self.pieces:
            mask, number, start = "".join(piece.mask), 0, 0
            ends = [match.end() for match in _END.finditer(mask) if match["short"] is None]
            for end in (*ends, len(mask)):
                signs = mask[start:end]
                if re.search(r"[A-Za-z]{2}", re.sub(r"\\[a-zA-Z]+", "", signs)):
                    first = start + len(signs) - len(signs.lstrip(f" \n\t{WALL}"))
                    last = end - len(signs) + len(signs.rstrip(f" \n\t{WALL}"))
                    number += 1
                    yield self.sentence(piece, f"{piece.host}/s{number}", first, last)
                start = end

    def sentence(self, piece: _Piece, name: str, first: int, end: int) -> Sentence:
        signs, tex = piece.mask[first:end], piece.tex[first:end]
        formulas = "".join(char for sign, char in zip(signs, tex, strict=True) if sign == OPAQUE)
        prose = "".join(" " if sign in (OPAQUE, WALL) else sign for sign in signs)
        inline = " ".join(re.findall(r"\$[^$]*\$", formulas))
        return Sentence(name, "sentence", piece.at[first], "".join(tex), prose, inline)


def scan(
    tex: str, body: tuple[int, int], named: Mapping[int, tuple[str, str]], displays: frozenset[str]
) -> list[Sentence]:
    """Every sentence and every row of a table in the body of a source without comments, in order of appearance.

    `named` maps the start of each theorem-like environment to its id and kind, `displays` are the environments of
    displayed mathematics.
    """
    reader = _Reader(tex, named, displays)
    reader.read(*body)
    return sorted([*reader.sentences(), *reader.rows], key=lambda one: one.start)


def slug(title: str) -> str:
    """The words of a heading as a name; of \\texorpdfstring the plain half."""
    if "texorpdfstring" in title:
        title = title.rstrip("} \n").rpartition("{")[2]
    words = re.sub(r"[^A-Za-z0-9]+", " ", re.sub(r"\\[a-zA-Z]+|\$[^$]*\$", " ", title)).lower().split()
    return "-".join(words) or "heading"


def closing(tex: str, position: int, stop: int) -> int:
    """Behind the brace that closes the one before `position`."""
    depth = 1
    for match in re.finditer(r"\\.|[{}]", tex[position:stop], re.DOTALL):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return position + match.end()
    return stop


def _groups(tex: str, position: int) -> int:
    """Behind the groups in braces that follow at once."""
    while tex[position : position + 1] == "{":
        position = closing(tex, position + 1, len(tex))
    return position


def _finish(tex: str, name: str, position: int, stop: int) -> int:
    """Behind the \\end of the environment that was begun before `position`."""
    depth = 1
    for match in re.finditer(rf"\\(begin|end)\s*\{{{re.escape(name)}\}}", tex[position:stop]):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return position + match.end()
    return stop


def _stops(display: str) -> bool:
    """Does the last formula of a display end with a full stop?"""
    inner = re.sub(r"\\(?:label|tag)\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\nonumber|\\end\s*\{[^{}]*\}|\\\]|\$\$", "", display)
    return inner.rstrip("} \n\t").endswith(".")
