"""The free words of a claim, compared with its steps: formulas stand in backticks, and are those of the steps.

    says="The squared error is at most `beta**2 + 2*eta*K`."

What stands in backticks is a letter of the text, a relation of its steps (premises are), one side of such a relation, a
part of one with several letters, or what a definition says.  Outside of backticks there is no number, no sign of
relation or arithmetic, and no letter that the text does not explain; `at most` and `at least` are followed by a formula
that some relation of the steps has on that side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from glbcheck.core.kernel.context import Fact
from glbcheck.core.kernel.language import parse, parse_relation
from glbcheck.core.kernel.ring import same
from glbcheck.core.kernel.terms import Rejected, Term, subterms, variable
from glbcheck.verify.claims.text import Steps
from glbcheck.verify.wording import inside, names, parts

QUOTED = re.compile(r"`([^`]*)`")
GREEK = (
    "alpha|beta|gamma|delta|epsilon|eps|eta|theta|kappa|lambda|mu|nu|pi|rho|sigma|tau|phi|chi|psi|omega|zeta"  # letters
)
_PLACE = re.compile(r"\b[a-zA-Z][\w-]*:[\w:/@-]+|\b[\w-]+/[a-z]+\d+\b|\beq\d+\b")
_NUMBER = re.compile(r"(?<![\w-])\d[\d.]*|(?i:\b(?:twice|thrice|half|halves|double|doubled|a third|a quarter)\b)")
_SIGN = re.compile(r"[<>=^*+\\]|(?<=\s)[-/](?=\s)")
_LETTER = re.compile(rf"(?<![\w'-])(?:[b-zB-HJ-Z]|{GREEK})\d*(?:_\w+)?(?![\w-])")
_BOUND = re.compile(r"\b((?i:at most|at least|no more than|no less than|less than|more than))\b(\s*`([^`]*)`)?")
ABOVE = ("at most", "no more than", "less than")
_DIFFERENTIATED = re.compile(r"\bdiff\(")
_BINDER = re.compile(r"\b(?:sum|integral)\(.*?, (\w+), [^,()]+, ")
_RELATION = re.compile(r"<=|>=|==|!=|<|>")


class Formulas:
    """Every formula of a text, as the kernel reads it."""

    def __init__(self, steps: Steps) -> None:
        self.functions = frozenset(name for name, kind in steps.kinds.items() if kind == "function")
        texts = "\n".join([*steps.relations(), *steps.definitions.values()])
        self.variables = {name: variable(name) for name in (*names(texts, set(self.functions)), *steps.definitions)}
        self.bound = {name: variable(name) for name in _BINDER.findall(texts) if name not in self.variables}
        self.letters = {*self.variables, *self.functions, *steps.letters, *self.bound}
        self.related = [parse_relation(text, self.variables, self.functions) for text in steps.relations()]
        self.definitions = {name: self.term(text) for name, text in steps.definitions.items()}
        openings = (texts[found.end() :] for found in _DIFFERENTIATED.finditer(texts))
        self.differentiated = [self.term(parts(inside(rest))[0]) for rest in openings]
        points = (block.point for block in steps.blocks if block.point)
        self.points = {(name, value) for point in points for name, value in point.items()}

    def term(self, text: str) -> Term:
        """A formula of the text, or one in words, which may speak of what a sum or an integral runs over."""
        free = {} if _BINDER.search(text) else self.bound
        return parse(text, {**self.variables, **free}, self.functions)

    @cached_property
    def sides(self) -> list[Term]:
        related = [side for left, _, right in self.related for side in (left, right)]
        return [*related, *self.definitions.values(), *self.differentiated]

    @cached_property
    def within(self) -> list[Term]:
        """Parts of sides with several letters, or which apply a function."""
        found = dict.fromkeys(part for side in self.sides for part in subterms(side))
        return [t for t in found if len(t.free) > 1 or t.op not in ("number", "variable", "+", "*", "**")]

    def holds(self, text: str) -> bool:
        """Is this formula one of the text?"""
        if text in self.letters:
            return True
        text = re.sub(r"(?<![<>=!:])=(?!=)", "==", text)
        if _RELATION.search(text):
            left, op, right = parse_relation(text, self.variables, self.functions)
            fact = Fact.of(left, op, right)
            known = (Fact.of(*one) for one in self.related)
            return any(one.op == fact.op and _equal(one.gap, fact.gap) for one in known) or self._assigned(text)
        term = self.term(text)
        plain = term.value is not None
        return not plain and any(_equal(term, one) for one in (*self.sides, *self.within))

    def _assigned(self, text: str) -> bool:
        """`name = formula`, of a definition or of the point."""
        name, _, formula = (part.strip() for part in re.sub(":=|==", "=", text).partition("="))
        defined = self.definitions.get(name)
        return (name, formula) in self.points or (defined is not None and _equal(defined, self.term(formula)))

    def bounds(self, text: str, above: bool) -> bool:
        """Has some relation this formula as its larger side (its smaller one, if not `above`)?"""
        term = self.term(text)
        sides = ((right, left) if op in ("<=", "<") else (left, right) for left, op, right in self.related)
        equal = (side for left, op, right in self.related if op == "==" for side in (left, right))
        wanted = (larger if above else smaller for larger, smaller in sides)
        return any(_equal(term, one) for one in (*wanted, *equal))


def _equal(left: Term, right: Term) -> bool:
    if left is right:
        return True
    if left.free != right.free:
        return False
    try:
        return same(left, right)
    except (Rejected, ArithmeticError):
        return False


def complaints(words: str, steps: Steps) -> Iterator[str]:
    """What the words say that the steps do not."""
    if not words:
        return
    formulas = Formulas(steps)
    for text in QUOTED.findall(words):
        try:
            known = formulas.holds(text)
        except Rejected as why:
            yield f"`{text}` is no formula of its steps: {why}"
            continue
        if not known:
            yield f"`{text}` is not in its steps: neither a relation, nor a side of one, nor a definition"
    for found in _BOUND.finditer(words):
        if found[3] is None:
            yield f"{found[0]!r} is not followed by a formula in backticks"
        elif not _RELATION.search(found[3]) and not _bounded(formulas, found[3], found[1].lower() in ABOVE):
            side = "larger" if found[1].lower() in ABOVE else "smaller"
            yield f"{found[0]!r}: no relation of its steps has that on its {side} side"
    plain = _PLACE.sub(" ", QUOTED.sub(" ", words))
    for pattern, what in ((_NUMBER, "number"), (_SIGN, "sign")):
        if outside := pattern.search(plain):
            yield f"the {what} {outside[0]!r} stands outside of a formula; write formulas of the steps in backticks"
    for letter in _LETTER.findall(plain):
        if letter not in formulas.letters:
            yield f"the letter {letter!r} is not explained; write `{letter}: words` in the steps"


def _bounded(formulas: Formulas, text: str, above: bool) -> bool:
    try:
        return formulas.bounds(text, above)
    except Rejected:
        return False


def prose(words: str) -> str:
    """The words as a reader sees them, formulas as prose has them."""
    return QUOTED.sub(lambda found: found[1].replace("**", "^").replace("*", " "), " ".join(words.split()))
