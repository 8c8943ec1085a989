"""Edits of a statement: one number, relation, sign or hypothesis at a time, the nearest first.

An edit is found again by its label, so that a record of it cannot speak of another statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
_RELATION = re.compile(r"<=|>=|==|!=|<|>")
_SIGN = re.compile(r"(?<=[\w)])\s*([+-])\s*(?=[\w(])")
STRICT = {"<=": "<", ">=": ">"}
FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "!=", "!=": "=="}
TINY, SMALL, LARGE = "10**-6", ("1/100", "1/10"), ("1/2", "9/10", "99")


@dataclass(frozen=True)
class Edit:
    """What was changed, in words, and the statement that this makes."""

    label: str
    statement: Data


def edits(data: Mapping[str, Any]) -> Iterator[Edit]:
    """All edits, nearest first: constants by a millionth, equality, constants by more, hypotheses, then the rest."""
    yield from _constants(data, TINY)
    yield from _relation(data, STRICT, "made strict")
    for share in SMALL:
        yield from _constants(data, share)
    yield from _dropped(data)
    yield from _exponents(data)
    for share in LARGE:
        yield from _constants(data, share)
    yield from _steps(data)
    yield from _signs(data)
    yield from _exchanged(data)
    yield from _relation(data, FLIPPED, "turned around")


def labelled(data: Mapping[str, Any], label: str) -> Data | None:
    """The statement that the edit of this label makes."""
    return next((edit.statement for edit in edits(data) if edit.label == label), None)


def claim_edits(claim: str) -> Iterator[tuple[str, str]]:
    """Edits of a bare comparison such as `<= 3/4`, nearest first, with their labels."""
    found = next(_RELATION.finditer(claim))
    relation, value = found[0], claim[found.end() :].strip()
    if relation in STRICT:
        yield "made strict", f"{STRICT[relation]} {value}"
    for share in (TINY, *SMALL, *LARGE):
        for sign in _signs_of(share):
            yield f"the value {sign} {share}", f"{relation} {value} {sign} {share}"
            yield f"the value times 1 {sign} {share}", f"{relation} ({value})*(1 {sign} {share})"
    yield "turned around", f"{FLIPPED[relation]} {value}"


def labelled_claim(claim: str, label: str) -> str | None:
    return dict(claim_edits(claim)).get(label)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The formula with these variables renamed, all at once."""
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w.])({pattern})\b(?!\s*\()", lambda found: names[found[1]], text)


def _formulas(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The places that hold formulas: the conclusion, then the definitions, then the hypotheses."""
    yield "the conclusion", data["conclusion"]
    yield from ((f"the definition of {name}", text) for name, text in data.get("definitions", {}).items())
    yield from ((f"hypothesis {i}", text) for i, text in enumerate(data.get("hypotheses", ()), 1))


def _with(data: Mapping[str, Any], place: str, text: str) -> Data:
    if place == "the conclusion":
        return {**data, "conclusion": text}
    if place.startswith("hypothesis "):
        index = int(place.split()[1])
        return {**data, "hypotheses": [text if i == index else h for i, h in enumerate(data["hypotheses"], 1)]}
    return {**data, "definitions": {**data["definitions"], place.rsplit(" ", 1)[1]: text}}


def _exponent(text: str, start: int) -> bool:
    return text[:start].rstrip(" (-").endswith("**")


def _signs_of(share: str) -> str:
    """Down and up; a constant is not taken below zero."""
    return "+" if share.isdigit() else "-+"


def _constants(data: Mapping[str, Any], share: str) -> Iterator[Edit]:
    yield from _scaled(data, share)
    yield from _numbers(data, share)
    yield from _shifted(data, share)


def _numbers(data: Mapping[str, Any], share: str) -> Iterator[Edit]:
    """Each number that is no exponent, a share larger or smaller."""
    for place, text in _formulas(data):
        for i, found in enumerate(_NUMBER.finditer(text), 1):
            same = _exponent(text, found.start()) or found[0] == "0"  # a share of nothing is nothing
            for sign in _signs_of(share) if not same else "":
                new = f"{text[: found.start()]}({found[0]}*(1 {sign} {share})){text[found.end() :]}"
                yield Edit(f"number {i} of {place} times 1 {sign} {share}", _with(data, place, new))


def _steps(data: Mapping[str, Any]) -> Iterator[Edit]:
    """Each number that is no exponent, one up or down."""
    yield from _stepped(data, exponents=False)


def _exponents(data: Mapping[str, Any]) -> Iterator[Edit]:
    yield from _stepped(data, exponents=True)


def _stepped(data: Mapping[str, Any], exponents: bool) -> Iterator[Edit]:
    for place, text in _formulas(data):
        for i, found in enumerate(_NUMBER.finditer(text), 1):
            for sign in "-+" if _exponent(text, found.start()) is exponents else "":
                new = f"{text[: found.start()]}({found[0]} {sign} 1){text[found.end() :]}"
                yield Edit(f"number {i} of {place} {sign} 1", _with(data, place, new))


def _scaled(data: Mapping[str, Any], share: str) -> Iterator[Edit]:
    """The constant 1 before the right side, a share away."""
    left, relation, right = sides(data["conclusion"])
    for sign in _signs_of(share):
        new = f"{left} {relation} (1 {sign} {share})*({right})"
        yield Edit(f"the right side times 1 {sign} {share}", {**data, "conclusion": new})


def _shifted(data: Mapping[str, Any], share: str) -> Iterator[Edit]:
    """The constant 0 beside the right side, a share away."""
    left, relation, right = sides(data["conclusion"])
    for sign in _signs_of(share):
        new = f"{left} {relation} {right} {sign} {share}"
        yield Edit(f"the right side {sign} {share}", {**data, "conclusion": new})


def _relation(data: Mapping[str, Any], instead: Mapping[str, str], words: str) -> Iterator[Edit]:
    left, relation, right = sides(data["conclusion"])
    if relation in instead:
        yield Edit(f"the conclusion {words}", {**data, "conclusion": f"{left} {instead[relation]} {right}"})


def _dropped(data: Mapping[str, Any]) -> Iterator[Edit]:
    given = list(data.get("hypotheses", ()))
    for i, text in enumerate(given):
        yield Edit(f"without {text}", {**data, "hypotheses": given[:i] + given[i + 1 :]})


def _signs(data: Mapping[str, Any]) -> Iterator[Edit]:
    for place, text in _formulas(data):
        for i, found in enumerate(_SIGN.finditer(text), 1):
            new = f"{text[: found.start()]} {'-' if found[1] == '+' else '+'} {text[found.end() :]}"
            yield Edit(f"sign {i} of {place} changed", _with(data, place, new))


def _exchanged(data: Mapping[str, Any]) -> Iterator[Edit]:
    """Two variables of the conclusion, each in place of the other."""
    text = data["conclusion"]
    names = [n for n, kind in data["variables"].items() if kind != "function" and re.search(rf"\b{n}\b", text)]
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            new = renamed(text, {first: second, second: first})
            yield Edit(f"{first} and {second} exchanged in the conclusion", {**data, "conclusion": new})


def sides(relation: str) -> tuple[str, str, str]:
    """Left side, relation, right side; brackets hold no relation."""
    found = next(_RELATION.finditer(relation))
    return relation[: found.start()].strip(), found[0], relation[found.end() :].strip()
