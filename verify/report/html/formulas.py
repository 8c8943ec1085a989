"""Formulas in the page: MathML where it can be set, and the marked source where it cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable

from glbcheck.verify.report import latex as notation
from glbcheck.verify.report import mathml, typeset
from glbcheck.verify.report.html.markup import Child, Safe, el, join, target
from glbcheck.verify.report.typeset import Piece

LONG = 60  # characters from which a clause is cut also before its relations and sums
COMMAS = (r", \;", r", \quad")
WORDS = (r" \text{ ", r" \Longrightarrow")
SIGNS = (r" \le ", r" \ge ", " = ", " + ", " - ")
OPENING = (r"\lvert", r"\lVert", r"\langle", r"\lceil")
CLOSING = (r"\rvert", r"\rVert", r"\rangle", r"\rceil")
SIMPLE = re.compile(rf"(?:[A-Za-z]|{'|'.join(typeset.LETTERS)}) [<>=]=? \d{{1,6}}")
UNSET = "unset-formula"  # the class of a formula that could not be set; a test looks for it


def latex(text: str) -> Safe:
    """A formula in LaTeX, set in pieces between which a line may break."""
    return _set(lambda source: " ".join(map(mathml.from_latex, pieces(source))), text)


def pieces(text: str) -> list[str]:
    r"""The text cut after commas, before words and arrows, and if long also before relations and sums.

    >>> pieces(r"a \le b, \; c = \frac{1, \; 2}{3} \text{ for } x > 0")
    ['a \\le b,', 'c = \\frac{1, \\; 2}{3}', '\\text{ for } x > 0']
    """
    clauses = [piece for clause in _cut(text, COMMAS, keep=1) for piece in _cut(clause, WORDS)]
    return [_led(part) for piece in clauses for part in (_cut(piece, SIGNS) if len(piece) > LONG else [piece])]


def _cut(text: str, marks: tuple[str, ...], keep: int = 0) -> list[str]:
    """Cut before each mark that stands outside all brackets, leaving its first `keep` characters behind."""
    found, start, depth = [], 0, 0
    for at, character in enumerate(text):
        depth += character in "{([" or text.startswith(OPENING, at)
        depth -= character in "})]" or text.startswith(CLOSING, at)
        for mark in marks:
            if not depth and text.startswith(mark, at) and text[start:at].strip():
                found.append(text[start : at + keep])
                start = at + (len(mark) if keep else 0)
    return [piece.strip() for piece in [*found, text[start:]] if piece.strip()]


def _led(piece: str) -> str:
    """A piece that begins with an operator keeps the operator's room on both sides."""
    return f"{{}} {piece}" if f" {piece}".startswith((*SIGNS, WORDS[1])) else piece


def formula(text: str) -> Safe:
    """A formula or relation of the formula language; a letter compared with a number needs no layout."""
    return prose(text) if SIMPLE.fullmatch(text) else _set(mathml.from_formula, text)


def definition(name: str, text: str) -> Safe:
    """name = formula, in the formula language."""
    return _set(lambda source: mathml.from_latex(f"{notation.name(name)} = {notation.of(source)}"), text)


def value(name: str, text: str) -> Safe:
    """name = an exact number."""
    if SIMPLE.fullmatch(f"{name} = {text}"):
        return prose(f"{name} = {text}")
    return _set(lambda source: mathml.from_latex(f"{notation.name(name)} = {notation.number(source)}"), text)


def number(text: str) -> Safe:
    """An exact number."""
    return (
        Safe(text)
        if text.isdigit() and len(text) < 7
        else _set(lambda source: mathml.from_latex(notation.number(source)), text)
    )


def prose(text: str, claims: Container[str] = (), anchors: Container[str] = (), plain: tuple[str, ...] = ()) -> Safe:
    """Running text with its formulas in the signs of mathematics; known claims and anchors in it become links.

    Pieces of a kind in `plain` stay unmarked, which keeps long lists of formulas small.
    """

    def shown(pieces: Iterable[Piece]) -> Child:
        return [piece.text if piece.kind in ("text", *plain) else marked(piece) for piece in pieces]

    def marked(piece: Piece) -> Safe:
        if piece.kind != "name":
            return el(
                {"variable": "i"}.get(piece.kind, piece.kind), shown(piece.inside) if piece.inside else piece.text
            )
        kind = "claim" if piece.text in claims else "anchor" if piece.text in anchors else ""
        words = piece.text.replace("_", " ") if kind == "claim" else piece.text
        return el("a", words, href=f"#{target(kind, piece.text)}") if kind else el("code", piece.text)

    return join([shown(typeset.pieces(text))])


def _set(convert: Callable[[str], str], text: str) -> Safe:
    try:
        return Safe(convert(text))
    except mathml.MathError:
        return el("code", text, class_=UNSET)
