"""The text of a claim: letters with their meaning, definitions, premises with their reasons, conclusions in a chain.

    n: the norm of x_s in the inverse of H_s; e: <x_s, theta_new - theta_*>
    k: integer, the number of rounds
    w := min(1, alpha*g/n)
    alpha > 0, g > 0, n >= 0               [eq:corrupted-loss]
    e**2 <= n**2*old**2                    [cauchy-schwarz]
    old >= 0, X >= old                     [assumed: the error does not fall]
    => w*n <= alpha*g
    => abs(e) <= n*X                       [in e, n, old, X]

A conclusion follows from everything above it in its block; `[in a, b]` leaves only what has no other letters.  A line
indented deeper goes on.  A blank line ends a block: the next one has premises of its own.  `[above]` says that a
premise was concluded before, `[above with w = formula]` that it was with the formula for w.  Letters and definitions
belong to all blocks.  `case: words` opens blocks whose premises need not hold together with those of other cases.

A reason is a textbook fact, the id of a claim, a place of the paper, `assumed: words`, `meaning` (of the letters) or
`above`; several are separated by `;`, and a line of reasons alone says what else the words rest on.  `fact with u = e,
v = 2*n` names the instance.  `fails at S = 1, x = 2` ends a block whose last conclusion is false there.  `always`,
`first` and `then` before relations make an invariant: NAME_next is the value one step later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import dedent
from typing import Any

from glbcheck.core.kernel.check import read_statement
from glbcheck.core.kernel.ring import same
from glbcheck.verify.edits import renamed
from glbcheck.verify.facts import FACTS
from glbcheck.verify.wording import names, parts

KINDS = ("integer", "function")
TIMES = ("always", "first", "then")
ABOVE, MEANING, ASSUMED = "above", "meaning", "assumed:"
_TAG = re.compile(r"(?:^|\s)\[([^\[\]]*)\]$")
_LETTERS = re.compile(r"\w+(?:, \w+)*: ")
_NEXT_LETTER = re.compile(r";\s*(?=\w+(?:, \w+)*: )")
_DEFINED = re.compile(r"(\w+) := (.+)")
_RELATION = re.compile(r"<=|>=|==|!=|<|>")
Data = dict[str, Any]


class TextError(ValueError):
    """A text that is no claim; the message says which line and what is accepted there."""


@dataclass(frozen=True)
class Reason:
    """Why a premise holds: `kind` is fact, claim, place, assumed, meaning or above; `instance` by letter."""

    kind: str
    name: str = ""
    instance: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Premise:
    """One relation, and why it holds."""

    relation: str
    reasons: tuple[Reason, ...]
    time: str = ""


@dataclass(frozen=True)
class Link:
    """A conclusion, the premises that it follows from, and the conclusions above it that help to show that.

    `near` are the premises among `given` that are not only there for what is in `known`.
    """

    given: tuple[str, ...]
    conclusion: str
    known: tuple[Link, ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Block:
    """Premises and what follows from them, one after the other; `point` refutes the last conclusion."""

    premises: tuple[Premise, ...]
    links: tuple[Link, ...]
    point: Mapping[str, str] | None = None
    case: str = ""

    @property
    def invariant(self) -> bool:
        return any(premise.time for premise in self.premises)


@dataclass(frozen=True)
class Steps:
    """The text of a claim, read; `shown` is it as it was written."""

    shown: str
    letters: Mapping[str, str]
    kinds: Mapping[str, str]
    definitions: Mapping[str, str]
    blocks: tuple[Block, ...]
    beside: tuple[Reason, ...] = ()

    def reasons(self) -> Iterator[Reason]:
        yield from (r for block in self.blocks for premise in block.premises for r in premise.reasons)
        yield from self.beside

    def named(self, kind: str) -> tuple[str, ...]:
        """The facts, claims, places or assumptions that the text names, each once."""
        return tuple(dict.fromkeys(reason.name for reason in self.reasons() if reason.kind == kind))

    def relations(self) -> list[str]:
        """Every relation of the text."""
        found = [p.relation for block in self.blocks for p in block.premises]
        return [*found, *(link.conclusion for block in self.blocks for link in block.links)]

    def data(self, given: tuple[str, ...], conclusion: str) -> Data:
        """A statement as the kernel reads it, with the letters and the definitions that occur in it."""
        texts = [*given, conclusion]
        used: dict[str, str] = {}
        for name, formula in reversed(list(self.definitions.items())):
            if _occurs(name, texts):
                used[name] = formula
                texts.append(formula)
        defined = dict(reversed(used.items()))
        kinds = {name: kind for name, kind in self.kinds.items() if _occurs(name, texts)}
        real = dict.fromkeys(names("\n".join(texts), {*kinds, *defined}), "real")
        named = {"definitions": defined} if defined else {}
        return {"variables": {**kinds, **real}, **named, "hypotheses": list(given), "conclusion": conclusion}

    def statements(self) -> list[Data]:
        """Every implication that the text claims; an invariant is none of them."""
        return [self.data(link.given, link.conclusion) for b in self.blocks if not b.invariant for link in b.links]


def read(text: str, letters: Mapping[str, str] | None = None) -> Steps:
    """The text read; `letters` are those that it shares with another text."""
    found = Steps(dedent(text).strip(), dict(letters or {}), {}, {}, ())
    case = ""
    for chunk in re.split(r"\n\s*\n", found.shown):
        reader = _Reader(found, case)
        for line in _lines(chunk):
            reader.line(line)
        found, case = reader.steps(), reader.case
    if not any(block.links for block in found.blocks):
        raise TextError(f"{text!r}: no conclusion; premises => conclusion is accepted")
    return _checked(found)


def _lines(chunk: str) -> list[str]:
    """The lines, each with those that are indented deeper."""
    found: list[str] = []
    for line in chunk.splitlines():
        if line.startswith((" ", "\t")) and found:
            found[-1] += " " + line.strip()
        else:
            found.append(line.strip())
    return found


class _Reader:
    """One block, line by line."""

    def __init__(self, before: Steps, case: str) -> None:
        self.before, self.case = before, case
        self.letters, self.kinds = dict(before.letters), dict(before.kinds)
        self.definitions, self.beside = dict(before.definitions), list(before.beside)
        self.premises, self.links = list[Premise](), list[Link]()
        self.point: Mapping[str, str] | None = None

    def line(self, line: str) -> None:
        if line.startswith("case: "):
            self.case = line.removeprefix("case: ")
        elif line.startswith("fails at"):
            self.point = _assignments(line, line.removeprefix("fails at"))
        elif found := _DEFINED.fullmatch(line):
            self.definitions[found[1]] = found[2]
        elif _LETTERS.match(line) and "=>" not in line:
            for one in _NEXT_LETTER.split(line):
                self._letter(one)
        else:
            self._relations(line)

    def _letter(self, line: str) -> None:
        letters, words = line.split(": ", 1)
        kind, _, rest = words.partition(", ")
        for name in letters.split(", "):
            if kind.strip() in KINDS:
                self.kinds[name], self.letters[name] = kind.strip(), rest.strip()
            else:
                self.letters[name] = words.strip()

    def _relations(self, line: str) -> None:
        tag = _TAG.search(line)
        body = line[: tag.start()] if tag else line
        before, *conclusions = body.split("=>")
        inside = tag[1] if tag and conclusions and tag[1].startswith("in ") else None
        reasons = tuple(map(_reason, tag[1].split(";"))) if tag and inside is None else ()
        if tag and inside is None and conclusions and not before.strip():
            raise TextError(f"{line!r}: a conclusion has no reason; `[in letters]` or nothing is accepted")
        if not body.strip():
            self.beside += reasons
        time = next((time for time in TIMES if before.startswith(f"{time} ")), "")
        self.premises += [Premise(text, reasons, time) for text in _relations(line, before.removeprefix(time))]
        for claimed in conclusions:
            letters = None if inside is None else {name.strip() for name in inside.removeprefix("in ").split(",")}
            above = [link for link in self.links if self._within(link.conclusion, letters)]
            near = [p.relation for p in self.premises if self._within(p.relation, letters)]
            needed = {*near, *(text for link in above for text in link.given)}
            given = tuple(dict.fromkeys(p.relation for p in self.premises if p.relation in needed))
            self.links += [Link(given, text, tuple(above), tuple(near)) for text in _relations(line, claimed)]

    @staticmethod
    def _within(text: str, letters: set[str] | None) -> bool:
        return letters is None or {*names(text, set())} <= letters

    def steps(self) -> Steps:
        block = Block(tuple(self.premises), tuple(self.links), self.point, self.case)
        return replace(
            self.before,
            letters=self.letters,
            kinds=self.kinds,
            definitions=self.definitions,
            beside=tuple(self.beside),
            blocks=(*self.before.blocks, *([block] if block.premises or block.links else [])),
        )


def _relations(line: str, text: str) -> list[str]:
    found = parts(text)
    if strange := next((one for one in found if not _RELATION.search(one)), None):
        raise TextError(f"{line!r}: {strange!r} is no relation with <=, <, >=, >, == or !=")
    return found


def _reason(text: str) -> Reason:
    text = text.strip()
    if text in (MEANING, ABOVE):
        return Reason(text)
    if text.startswith(f"{ABOVE} with "):
        return Reason(ABOVE, "", _assignments(text, text.removeprefix(f"{ABOVE} with ")))
    if text.startswith(ASSUMED):
        return Reason("assumed", text.removeprefix(ASSUMED).strip())
    name, _, instance = text.partition(" with ")
    kind = "fact" if name in FACTS else "claim" if name.isidentifier() else "place"
    if not re.fullmatch(r"[\w:/@.-]+", name):
        raise TextError(f"[{text}]: a fact, the id of a claim, a place, assumed: words, meaning or above is accepted")
    return Reason(kind, name, _assignments(text, instance) if instance else {})


def _assignments(line: str, text: str) -> dict[str, str]:
    found = {}
    for one in parts(text):
        name, equals, value = one.partition("=")
        if not equals or not value.strip():
            raise TextError(f"{line!r}: {one!r}: name = value is accepted")
        found[name.strip()] = value.strip()
    return found


def _occurs(name: str, texts: list[str]) -> bool:
    """Is the name in one of the texts, as it is or, for a function, as a derivative such as mu_1?"""
    return any(re.search(rf"(?<![\w.]){name}(?:(?!\w)|(?=_\d+\())", text) for text in texts)


def _concluded(steps: Steps, relation: str, names_of: Mapping[str, str], concluded: set[str]) -> bool:
    """Was the relation concluded, with what its letters are names of written out?"""
    if not names_of:
        return relation in concluded
    written = renamed(relation, {name: f"({formula})" for name, formula in names_of.items()})
    goal, *known = (read_statement(steps.data((), text))[1] for text in (written, *sorted(concluded)))
    return any(goal.op == one.op and goal.gap.free == one.gap.free and same(goal.gap, one.gap) for one in known)


def _checked(steps: Steps) -> Steps:
    """The same, unless a block ends without conclusion or a premise `[above]` is none."""
    concluded = set[str]()
    for block in steps.blocks:
        if not block.links:
            raise TextError(f"{block.premises[0].relation!r} opens a block without a conclusion")
        if block.point is not None and len(block.links) > 1:
            raise TextError(f"a block that fails at a point has one conclusion, not {len(block.links)}")
        for premise in block.premises:
            for reason in premise.reasons:
                if reason.kind == ABOVE and not _concluded(steps, premise.relation, reason.instance, concluded):
                    raise TextError(f"{premise.relation!r} [above]: no block above concludes it")
        if block.point is None:
            concluded |= {link.conclusion for link in block.links}
    return steps
