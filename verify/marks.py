"""What became of the sentences that no claim names itself: `sentences.toml` in a paper's folder, in its order.

    "abstract/s4" = { pin = "9c47a6922ac4debb", claims = ["regret_theorem"] }
    "sec:intro/s1" = { pin = "45744cf4196c3e74", rule = "motivation" }
    "sec:proof/s3" = { pin = "76e4dfc0dbacac06", rule = "step", of = "lemma:main" }

A sentence says again what a claim decides, and is then an anchor of that claim; or it asserts nothing of its own, by
one of the rules below.  The pin is the hash of the sentence that was read: a changed sentence is read again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from glbcheck.verify.anchors import Anchor, Index, PaperError
from glbcheck.verify.claim import Claim

FILE = "sentences.toml"
RULES = {
    "definition": "introduces a name, an assumption, a choice or a setting, and asserts nothing of it",
    "announcement": "says what the paper does, or where, or heads what follows",
    "motivation": "says why something matters or is hard, in words that no statement makes precise",
    "citation": "reports what others did, assumed or proved first, which only their papers can decide",
    "open": "a conjecture, a hope or a question for later, of which nothing is asserted",
    "step": "joins or explains what stands at another anchor, which is claimed",
}
_KINDS = ("sentence", "row")


@dataclass(frozen=True)
class Mark:
    """One sentence: the hash it had when it was read, and the claims that decide it or the rule that silences it."""

    sentence: str
    pin: str
    claims: tuple[str, ...] = ()
    rule: str = ""
    of: str = ""


def read(folder: Path) -> tuple[Mark, ...]:
    """The marks of a paper, none if it has no such file."""
    path = folder / FILE
    if not path.exists():
        return ()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise PaperError(f"{path}: cannot be read ({err})") from None
    return tuple(_mark(path, name, given) for name, given in found.items())


def attach(claims: Iterable[Claim], marks: Iterable[Mark]) -> list[Claim]:
    """The claims, each with the sentences that say the same as anchors behind its own."""
    said: dict[str, list[str]] = {}
    for mark in marks:
        for name in mark.claims:
            said.setdefault(name, []).append(mark.sentence)
    return [replace(c, anchors=tuple(dict.fromkeys((*c.anchors, *said.get(c.id, ()))))) for c in claims]


def complaints(marks: Iterable[Mark], index: Index, claims: Iterable[Claim]) -> Iterator[str]:
    """Marks that are stale, sentences that are neither claimed nor marked, and marks that contradict the claims."""
    places = {anchor.id: anchor for anchor in index.anchors}
    marks, claims = tuple(marks), tuple(claims)
    known = {claim.id for claim in claims}
    spoken = {anchor for claim in claims for anchor in claim.anchors}
    for mark in marks:
        yield from (f"{mark.sentence}: {said}" for said in _wrong(mark, places, known, spoken))
    marked = {mark.sentence for mark in marks}
    for anchor in index.anchors:
        if anchor.kind in _KINDS and anchor.id not in spoken | marked:
            yield f"{anchor.id}: neither claimed nor marked (its pin is {anchor.hash})"


def _wrong(mark: Mark, places: Mapping[str, Anchor], known: set[str], spoken: set[str]) -> Iterator[str]:
    place = places.get(mark.sentence)
    if place is None or place.kind not in _KINDS:
        yield "marked, but no sentence of the paper that may assert something"
    elif place.hash != mark.pin:
        yield f"stale: read when its hash was {mark.pin}, now it is {place.hash}"
    yield from (f"said to be decided by {name!r}, which is no claim" for name in mark.claims if name not in known)
    if mark.rule and mark.sentence in spoken:
        yield f"silenced as {mark.rule!r}, but a claim speaks about it"
    if mark.of and mark.of not in spoken:
        yield f"a step of {mark.of!r}, which no claim speaks about"


def _mark(path: Path, name: str, given: Any) -> Mark:
    """One line of the file; exactly one of `claims` and `rule`, and `of` for a step."""
    accepted = '{ pin = "...", claims = ["..."] } or { pin = "...", rule = "..." }, with of = "..." for a step'
    rule, claims = (given.get("rule", ""), given.get("claims", [])) if isinstance(given, dict) else ("", [])
    if (
        not isinstance(given, dict)
        or not {"pin"} <= given.keys() <= {"pin", "claims", "rule", "of"}
        or bool(rule) == bool(claims)
        or ("of" in given) != (rule == "step")
    ):
        raise PaperError(f"{path}: {name!r} = {given!r}: {accepted} is accepted")
    if rule and rule not in RULES:
        raise PaperError(f"{path}: {name!r}: rule = {rule!r}: accepted are {', '.join(RULES)}")
    return Mark(name, given["pin"], tuple(claims), rule, given.get("of", ""))
