"""Formulas in the page: MathML where it can be set, and the marked source where it cannot."""

from __future__ import annotations

from collections.abc import Callable

from glbcheck.verify.report import latex as notation
from glbcheck.verify.report import mathml
from glbcheck.verify.report.html.markup import Safe, el

LONG = 60  # characters from which a clause is cut also before its relations and sums
COMMAS = (r", \;", r", \quad")
WORDS = (r" \text{ ", r" \Longrightarrow")
SIGNS = (r" \le ", r" \ge ", " = ", " + ", " - ")
OPENING = (r"\lvert", r"\lVert", r"\langle", r"\lceil")
CLOSING = (r"\rvert", r"\rVert", r"\rangle", r"\rceil")
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
    """A formula or relation of the formula language."""
    return _set(mathml.from_formula, text)


def definition(name: str, text: str) -> Safe:
    """name = formula, in the formula language."""
    return _set(lambda source: mathml.from_latex(f"{notation.name(name)} = {notation.of(source)}"), text)


def value(name: str, text: str) -> Safe:
    """name = an exact number."""
    return _set(lambda source: mathml.from_latex(f"{notation.name(name)} = {notation.number(source)}"), text)


def number(text: str) -> Safe:
    """An exact number."""
    return _set(lambda source: mathml.from_latex(notation.number(source)), text)


def prose(text: str) -> Safe:
    """Running text; the ids of claims and formulas in it stay as they were written."""
    return el("span", text, class_="prose") if text else Safe()


def _set(convert: Callable[[str], str], text: str) -> Safe:
    try:
        return Safe(convert(text))
    except mathml.MathError:
        return el("code", text, class_=UNSET)
