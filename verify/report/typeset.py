r"""Formulas inside running text: the signs that a sentence spells on a keyboard become those of mathematics.

A claim's title is a sentence such as ``|x_s|^2 <= sqrt(lambda)``.  Nothing is parsed as a formula here, so nothing can
be misread: letters, digits and brackets keep their order, only their shape changes.

>>> plain("|x_s|^2 <= sqrt(lambda)"), plain("a larger R_s is allowed; see regret_theorem")
('|x_s|^2 ≤ √λ', 'a larger R_s is allowed; see regret_theorem')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from glbcheck.verify.report.latex import GREEK

LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "lam": "λ", "eps": "ε", "ell": "ℓ",
}  # fmt: skip
assert set(LETTERS) >= GREEK
SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "=>": "⟹", "->": "→", "+-": "±", "...": "…", "*": "·"}
ACCENTS = {"~": "\u0303", "^": "\u0302", "*": "⋆"}
PRIMES = {1: "′", 2: "″"}
LARGE = ("max", "min", "sum", "sup", "inf", "log", "sin", "cos", "tanh")  # words that may carry an index or a power

_GREEK = "|".join(sorted(LETTERS, key=len, reverse=True))
_TOKEN = re.compile(
    r"(?P<label>\b[a-z]+:[A-Za-z][\w-]*(?:/\w+)?)"  # of an anchor, such as lemma:epl
    rf"|(?P<id>(?<!\w)(?!(?:[A-Za-z]|{_GREEK})_[A-Za-z0-9]+(?!\w))[A-Za-z][a-z0-9]*(?:_[a-z0-9]+)+(?!\w))"  # of a claim
    rf"|(?:hat (?=(?:{_GREEK})(?![A-Za-z])))?(?P<greek>(?<![A-Za-z])(?:{_GREEK})(?![A-Za-z]))"
    r"|sqrt(?P<root>\()"
    rf"|(?P<large>(?<![A-Za-z])(?:{'|'.join(LARGE)})(?=[_^]))"
    r"|(?P<angle><(?=[^\s<>=][^<>=]*,[^<>=]*[^\s<>=]>))"
    r"|(?P<power>\^|(?<=[\w)\]])\*\*)(?=[\w({|-])"
    r"|(?P<index>(?<=[A-Za-z'~*])_(?=[\w{*]))"
    r"|(?P<sign><=|>=|!=|==|=>|->|\+-|\.\.\.|(?<=[\w)\]])\*(?=[\w(]))"
    r"|(?P<star>(?<=,)\*$)"
    r"|(?P<minus>(?<= )-(?= )|(?<=[\s(\[{,=^])-(?=[\w(|])|(?<=[\s(][a-zA-Z])-(?=\d+\b)|(?<=^[a-zA-Z])-(?=\d)"
    r"|(?<=\(1)-(?=[a-z]\b)|^-(?=[\w(]))"
    r"|(?P<prime>(?<=[\d}])'{1,2}(?![A-Za-z]))"
    r"|(?P<product>\b(?:[a-z][A-Z]|(?!KL|II|IV|VI)[A-Z]{2})(?![A-Za-z]))"  # such as dC or SV
    r"|(?P<infinity>\boo\b)"
    r"|(?P<word>[A-Za-z]{2,})"
    r"|(?P<letter>(?<!')[A-Za-z])"
)
_CLOSING = {"(": ")", "{": "}", "<": ">"}


@dataclass(frozen=True)
class Piece:
    """A stretch of text as it is shown: `kind` is text, variable, sub, sup or name (of a claim or an anchor)."""

    kind: str
    text: str = ""
    inside: tuple[Piece, ...] = ()


def plain(text: str) -> str:
    """In characters alone, for where there is no markup; indices and powers keep their marks."""
    return "".join(_plain(piece) for piece in pieces(text))


def _plain(piece: Piece) -> str:
    if not piece.inside:
        return piece.text
    inside = "".join(map(_plain, piece.inside))
    mark = {"sub": "_", "sup": "^"}[piece.kind]
    return mark + (inside if re.fullmatch(r"−?\w+|⋆", inside) else f"({inside})")


def pieces(text: str) -> tuple[Piece, ...]:
    """The text cut where its shape changes."""
    return tuple(_merged(_pieces(text)))


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    while found := _TOKEN.search(text, at):
        yield Piece("text", text[at : found.start()])
        made, at = _token(text, found)
        yield from made
    yield Piece("text", text[at:])


def _token(text: str, found: re.Match[str]) -> tuple[list[Piece], int]:
    """What a token becomes, and where the text goes on."""
    kind, said, end = found.lastgroup, found[0], found.end()
    match kind:
        case "label" | "id":
            return [Piece("name", said)], end
        case "greek":
            return _greek(text, found)
        case "root":
            inside, end = _group(text, end - 1)
            bare = re.fullmatch(rf"(?:\d+|[A-Za-z]|{_GREEK})(?:_\w+)?'?", inside)
            return [Piece("text", "√"), *_enclosed(inside, "" if bare else "()")], end
        case "angle":
            inside, end = _group(text, found.start())
            return _enclosed(inside, "⟨⟩"), end
        case "power" | "index":
            return _raised("sup" if kind == "power" else "sub", text, end)
        case "sign":
            return [Piece("text", SIGNS[said])], end
        case "infinity":
            return [Piece("text", "∞")], end
        case "star":
            return [Piece("text", "⋆")], end
        case "minus":
            return [Piece("text", "−")], end
        case "prime":
            return [Piece("text", PRIMES[len(said)])], end
        case "product":
            return [Piece("variable", said)], end
        case "letter":
            return _letter(text, found)
    return [Piece("text", said)], end


def _greek(text: str, found: re.Match[str]) -> tuple[list[Piece], int]:
    """A Greek letter with its accents and primes; Gamma alone is the name of a family."""
    name, end = found["greek"], found.end()
    if name == "Gamma" and text[end : end + 1] not in ("(", "_"):
        return [Piece("text", found[0])], end
    hat = ACCENTS["^"] if found[0].startswith("hat ") else ""
    marks, end = _marks(text, end)
    return [Piece("variable", LETTERS[name] + hat + marks)], end


def _letter(text: str, found: re.Match[str]) -> tuple[list[Piece], int]:
    """A letter that stands alone is a variable, unless it is an article or the name of a set."""
    before, after = text[: found.start()], text[found.end() :]
    if found[0] in "aA" and not _in_formula(before, after):
        return [Piece("text", found[0])], found.end()
    marks, end = _marks(text, found.end())
    return [Piece("variable", found[0] + marks)], end


def _in_formula(before: str, after: str) -> bool:
    """Signs of a formula stand beside it."""
    ahead = re.match(r"\s*(?:[<>=+*/^_|)']|- |,? >=)", after)
    return bool(ahead) or bool(re.search(r"(?:[<>=+*/^_|({\d]|- )\s*$", before))


def _marks(text: str, at: int) -> tuple[str, int]:
    """Tilde, hat, star and primes after a letter; a star or a hat only where nothing follows that it would join."""
    marks = ""
    if re.match(r"~|\*(?![\w(*])|\*_|\^(?![\w({|-])", text[at:]):
        marks, at = ACCENTS[text[at]], at + 1
    primes = re.match(r"'{1,2}(?![A-Za-z])", text[at:])
    return (marks + PRIMES[len(primes[0])], at + primes.end()) if primes else (marks, at)


def _raised(kind: str, text: str, at: int) -> tuple[list[Piece], int]:
    """What stands below or above the line: a group in brackets, or one number or letter."""
    if text[at] in "({":
        inside, end = _group(text, at)
    else:
        one = re.match(rf"-?(?:\d+|\|[^|]+\||\*|(?:{_GREEK})(?![A-Za-z])|[a-z]{{2,}}|[A-Za-z])(?:_\w+)?", text[at:])
        if one is None:
            return [Piece("text", text[at - 1])], at
        inside, end = one[0], at + one.end()
    if inside == "*":
        return [Piece(kind, inside=(Piece("text", "⋆"),))], end
    return [Piece(kind, inside=pieces(inside))], end


def _enclosed(inside: str, brackets: str) -> list[Piece]:
    return [Piece("text", brackets[:1]), *pieces(inside), Piece("text", brackets[1:])]


def _group(text: str, at: int) -> tuple[str, int]:
    """The contents of the bracket that opens at `at`, and where it ends; an open end closes it."""
    opening, closing, depth = text[at], _CLOSING[text[at]], 0
    for end in range(at, len(text)):
        depth += (text[end] == opening) - (text[end] == closing)
        if not depth:
            return text[at + 1 : end], end + 1
    return text[at + 1 :], len(text)


def _merged(found: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbouring texts as one, and variables with a blank between them, so that the page stays small."""
    held = list[Piece]()
    for piece in found:
        if piece.kind == "text" and not piece.text:
            continue
        if piece.kind == "text" and held and held[-1].kind == "text":
            held[-1] = Piece("text", held[-1].text + piece.text)
        elif (
            piece.kind == "variable"
            and [one.kind for one in held[-2:]] == ["variable", "text"]
            and held[-1].text == " "
        ):
            held[-2:] = [Piece("variable", f"{held[-2].text} {piece.text}")]
        else:
            held.append(piece)
    yield from held
