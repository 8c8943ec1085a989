r"""Mathematics for the page: LaTeX becomes MathML when the page is built.

>>> from_latex(r"x \le 1")
'<math><mi>x</mi><mo>≤</mo><mn>1</mn></math>'
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from xml.etree import ElementTree

from glbcheck.verify.report import latex
from glbcheck.verify.report.latex import MathError

__all__ = ["MathError", "from_formula", "from_latex"]

# The converter takes these for identifiers; a character of the private area stands in for each.
_OPERATORS: Mapping[str, tuple[str, str, str]] = {
    r"\lvert": ("\ue000", 'form="prefix" fence="true" stretchy="false"', "|"),
    r"\rvert": ("\ue001", 'form="postfix" fence="true" stretchy="false"', "|"),
    r"\lVert": ("\ue002", 'form="prefix" fence="true" stretchy="false"', "‖"),
    r"\rVert": ("\ue003", 'form="postfix" fence="true" stretchy="false"', "‖"),
    r"\langle": ("\ue004", 'form="prefix" fence="true" stretchy="false"', "⟨"),
    r"\rangle": ("\ue005", 'form="postfix" fence="true" stretchy="false"', "⟩"),
    r"\lceil": ("\ue006", 'form="prefix" fence="true" stretchy="false"', "⌈"),
    r"\rceil": ("\ue007", 'form="postfix" fence="true" stretchy="false"', "⌉"),
    r"\Longrightarrow": ("\ue008", 'form="infix" lspace="0.6em" rspace="0.6em"', "⟹"),
    r"\impliedby": ("\ue009", 'form="infix" lspace="0.6em" rspace="0.6em"', "⟸"),
}
_BY_CHARACTER = {stand: (attributes, shown) for stand, attributes, shown in _OPERATORS.values()}

# How many children each element of MathML must have, if that is fixed.
_ARITY: Mapping[str, int | None] = {
    **dict.fromkeys(("math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msqrt", "mstyle", "mpadded"), None),
    **dict.fromkeys(("mfrac", "mroot", "msub", "msup", "munder", "mover"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}
_ATTRIBUTES = {
    "display", "displaystyle", "scriptlevel", "stretchy", "fence", "form", "separator", "lspace", "rspace",
    "width", "height", "depth", "mathvariant", "minsize", "maxsize", "movablelimits", "accent",
}  # fmt: skip


@lru_cache(maxsize=4096)
def from_latex(text: str, display: bool = False) -> str:
    """One `<math>` element; a command that is not understood is refused, never shown raw."""
    from latex2mathml.converter import convert

    source = re.sub(
        r"\\(?:[lr][vV]ert|[lr]angle|[lr]ceil|Longrightarrow|impliedby)(?![A-Za-z])",
        lambda found: _OPERATORS[found[0]][0] if not _stretched(text, found.start()) else found[0],
        text,
    )
    try:
        made = convert(source, display="block" if display else "inline")
    except Exception as err:  # the converter raises a dozen unrelated classes
        raise MathError(f"formula {text!r} cannot be set ({type(err).__name__}: {err})") from None
    made = re.sub(r"&#x([0-9A-Fa-f]+);", lambda c: html.escape(chr(int(c[1], 16))), made)
    made = re.sub(r"<m[io]>([\ue000-\ue00f])</m[io]>", _operator, made)
    made = re.sub(r"<m[io]>([A-Za-z]{2,})</m[io]>", r'<mo lspace="0.17em" rspace="0.1em">\1</mo>', made)
    made = re.sub(r"<mi>([′″])</mi>", r'<mo lspace="0em" rspace="0em">\1</mo>', made)
    if "\\" in made or re.search(r"[\ue000-\ue00f]", made):
        raise MathError(f"formula {text!r} holds a command that is not understood: {made}")
    made = made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "").replace(' display="inline"', "")
    _refuse_foreign(text, made)
    return _small(made)


def _small(made: str) -> str:
    """The same without rows that hold one sign, the row that is the whole, and what browsers no longer read."""
    made = re.sub(r"<mrow>(<(m[ion])(?: [^>]*)?>[^<]*</\2>)</mrow>", r"\1", made.replace(' fence="true"', ""))
    root = ElementTree.fromstring(made)
    alone = len(root) == 1 and root[0].tag == "mrow" and len(root[0]) > 0
    return made.replace("<mrow>", "", 1)[: -len("</mrow></math>")] + "</math>" if alone else made


def from_formula(text: str) -> str:
    """The MathML of a formula or relation of `core.expression`, laid out as it was written."""
    return from_latex(latex.of(text))


def _refuse_foreign(text: str, made: str) -> None:
    """The converter escapes too little; only well-formed MathML of known shape leaves this module."""
    try:
        elements = list(ElementTree.fromstring(made).iter())
    except ElementTree.ParseError as err:
        raise MathError(f"formula {text!r} cannot be set ({err})") from None
    for element in elements:
        if element.tag not in _ARITY or not set(element.keys()) <= _ATTRIBUTES:
            raise MathError(f"formula {text!r} holds markup: {element.tag} {dict(element.items())}")
        if _ARITY[element.tag] not in (None, len(element)):
            raise MathError(f"formula {text!r}: {element.tag} has {len(element)} parts")


def _operator(found: re.Match[str]) -> str:
    attributes, shown = _BY_CHARACTER[found[1]]
    return f"<mo {attributes}>{shown}</mo>"


def _stretched(text: str, at: int) -> bool:
    """The delimiter follows \\left or \\right, which the converter handles itself."""
    return text[:at].rstrip().endswith((r"\left", r"\right"))
