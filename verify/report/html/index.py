"""Who speaks about which anchor, who uses whom, and which repair belongs to which printed statement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from glbcheck.verify.claim import Reading, Verdict
from glbcheck.verify.ledger import ancestors
from glbcheck.verify.report.html.bundle import Bundle, Record
from glbcheck.verify.report.html.formulas import latex, prose
from glbcheck.verify.report.html.markup import Safe, el, target

FRONT = "front"


class Index:
    """Lookups over one bundle; nothing here decides anything."""

    def __init__(self, bundle: Bundle) -> None:
        self.anchors = sorted(bundle.anchors, key=lambda anchor: (anchor["line"], anchor["id"]))
        self.lines = {anchor["id"]: anchor["line"] for anchor in self.anchors}
        self.kind = {anchor["id"]: anchor["kind"] for anchor in self.anchors}
        self.claims: Sequence[Record] = sorted(bundle.results["claims"], key=self.line)
        self.by_id: Mapping[str, Record] = {claim["id"]: claim for claim in self.claims}
        self.section_of = _sections(self.anchors)
        self.sections = list(dict.fromkeys(self.section_of.values()))
        self.facts: Sequence[Record] = bundle.results.get("facts", ())
        self.uses = {claim["id"]: claim["uses"] for claim in self.claims}
        self.speaking: dict[str, list[Record]] = defaultdict(list)
        self.used_by: dict[str, list[str]] = defaultdict(list)
        self.carried_by: dict[str, list[str]] = defaultdict(list)
        for claim in self.claims:
            for anchor in claim["anchors"]:
                self.speaking[anchor].append(claim)
            for name in claim["uses"]:
                self.used_by[name].append(claim["id"])
            for name in claim.get("carries", ()):
                self.carried_by[name].append(claim["id"])
        self.names = {anchor["id"]: anchor["name"] for anchor in self.anchors if anchor.get("name")}
        self.letters = bundle.letters

    def name(self, anchor: str) -> str:
        """What the paper calls a place, such as Lemma 9, or Lemma 9, eq2; its label where there is no number."""
        home, _, rest = anchor.partition("/")
        named = self.names.get(anchor) or (f"{self.names[home]}, {rest}" if home in self.names else None)
        return named or anchor

    def place(self, claim: Record) -> str:
        """What the paper calls the place that the claim names first."""
        return self.name(claim["anchors"][0]) if claim["anchors"] else ""

    def words(self, text: str) -> Safe:
        """Running text, in which claims and anchors of the paper are links."""
        return prose(text, self.by_id, self.lines)

    def title(self, claim: Record) -> Safe:
        """The title; of a claim that is its own statement, that statement as a formula."""
        if claim.get("math") and claim["title"] == claim.get("statement"):
            return latex(claim["math"])
        return self.words(claim["title"])

    def line(self, claim: Record) -> int:
        """Where the paper first states it; sentences that say it again count only if nothing else does."""
        places = [a for a in claim["anchors"] if a in self.lines]
        stated = [a for a in places if self.kind[a] not in ("sentence", "row")]
        return min((self.lines[a] for a in stated or places), default=0)

    def repairs(self, claim: Record) -> list[Record]:
        """The repaired readings that replace this claim, the closest first; none if none shares its place.

        Closest is the one named after it, then those that its consequence names, then those that share
        most of its anchors, among these the one that rests on most and whose name is most alike.
        """
        found = {c["id"]: self._closeness(claim, c) for c in self.claims if _is_repair(c)}
        # A gap says itself what it lacks; a repair must be nearer to add something.
        least = 1 / 2 if claim["verdict"] == Verdict.GAP else 0
        near = [name for name, (named, meant, shared, *_) in found.items() if named or meant or shared > least]
        return [self.by_id[name] for name in sorted(near, key=found.__getitem__, reverse=True)]

    def _closeness(self, claim: Record, other: Record) -> tuple[bool, bool, float, int, int]:
        own, its = self._places(claim), self._places(other)
        return (
            other["id"] == f"{claim['id']}_repaired",
            other["id"] in re.findall(r"\w+", claim["consequence"]),
            len(own & its) / max(len(own | its), 1),
            len(ancestors(other["id"], self.uses)),
            len(set(claim["id"].split("_")) & set(other["id"].split("_"))),
        )

    def _places(self, claim: Record) -> set[str]:
        """The anchors that pin a statement down; headings, tables and sentences are too wide to count."""
        wide = ("section", "label", "sentence", "row")
        return {anchor for anchor in claim["anchors"] if self.kind.get(anchor) not in wide}


def _is_repair(claim: Record) -> bool:
    """A repaired reading that states something; runs and searches that support one do not."""
    return claim["reading"] == Reading.REPAIRED and bool(claim.get("math"))


def _sections(anchors: Sequence[Record]) -> dict[str, str]:
    """For each anchor the heading above it."""
    found, current = {}, FRONT
    for anchor in anchors:
        if anchor["kind"] == "section":
            current = anchor["id"]
        found[anchor["id"]] = current
    return found


def worst(claims: Sequence[Record]) -> int:
    """The rank of the weakest verdict, to sort by; an anchor without claims comes last."""
    return max((Verdict(c["verdict"]).rank for c in claims), default=len(Verdict))


def plain_words(identifier: str) -> str:
    """A claim's id as words."""
    return identifier.replace("_", " ")


def anchor_link(name: str) -> Safe:
    return el("a", name, href=f"#{target('anchor', name)}")


def code_location(claim: Record) -> str:
    """File and line, from the dotted module."""
    module, _, line = str(claim["evidence"]["location"]).rpartition(":")
    return f"{module.removeprefix('glbcheck.').replace('.', '/')}.py:{line}"
