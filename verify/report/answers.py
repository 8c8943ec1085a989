"""The short answer: is this statement true as printed, true as repaired, or false, and by which evidence?

Read off the rows of `results.json`; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glbcheck.verify.claim import Reading, Verdict
from glbcheck.verify.ledger import ancestors
from glbcheck.verify.report.counting import gravity, is_wrong
from glbcheck.verify.report.table import wrap

Row = Mapping[str, Any]
THEOREMS = ("theorem", "corollary", "proposition")
ABSTRACT = "abstract/"
STANDS = "true as printed"
_LEVELS = {
    Verdict.PROVED: "accepted by the kernel",
    Verdict.CERTIFIED: "certified by engines",
    Verdict.CERTIFIED_ON_BOX: "certified on a box",
    Verdict.ARGUED: "argued, calculations checked",
    Verdict.STRESS_TESTED: "tested, not proved",
    Verdict.UNDECIDED: "undecided",
    Verdict.CONTRADICTED: "contradicted by numbers",
    Verdict.GAP: "an example without the missing hypothesis",
    Verdict.REFUTED: "an exact counterexample",
}


@dataclass(frozen=True)
class Answer:
    """What became of one anchor: the claims about it as printed and as repaired, the most telling first.

    `rests_on` are false or incomplete statements that the printed proof uses, the most serious first; `silent` says
    why nothing is asserted.
    """

    anchor: str
    words: str
    printed: tuple[Row, ...]
    repaired: tuple[Row, ...]
    rests_on: tuple[Row, ...]
    silent: str = ""

    @property
    def stands(self) -> bool:
        """True as it is printed: what is claimed in another reading is no repair of it."""
        return self.words.startswith(STANDS)

    @property
    def statement(self) -> Row | None:
        """The claim as printed that is the statement itself: a formula about the anchor and its own displays."""

        def own(claim: Row) -> int:
            return sum(name == self.anchor or name.startswith(f"{self.anchor}/eq") for name in claim["anchors"])

        return max((claim for claim in self.printed if claim.get("math")), key=own, default=None)


def theorems(anchors: Sequence[Row], claims: Sequence[Row]) -> list[Answer]:
    """One answer for each theorem of the paper, in its order."""
    return [about(anchor, claims) for anchor in anchors if anchor["kind"] in THEOREMS]


def abstract(anchors: Sequence[Row], claims: Sequence[Row]) -> list[Answer]:
    """One answer for each sentence of the abstract."""
    return [about(anchor, claims) for anchor in anchors if anchor["id"].startswith(ABSTRACT)]


def evidence(claim: Row) -> str:
    """By which means a claim was decided, in a few words."""
    verdict, coq = Verdict(claim["verdict"]), claim.get("coq")
    level = _LEVELS.get(verdict, str(verdict))
    if not coq or coq["asked"] == "no":
        return level
    when = "" if coq["asked"] == "here" else f", check recorded {coq['date']}"
    assumed = f", assuming: {'; '.join(coq['assumes'])}" if coq["assumes"] else ""
    return {
        Verdict.PROVED: f"Coq{when}{assumed}",
        Verdict.REFUTED: f"{level}, and the negation proved by Coq{when}{assumed}",
        Verdict.GAP: f"{level}; false without it by Coq{when}{assumed}",
    }.get(verdict, level)


def uses_facts(claim: Row) -> bool:
    """A claim that holds, and rests on textbook facts, its ancestors' included."""
    return bool(claim.get("all_facts")) and Verdict(claim["verdict"]).positive


def lines(anchors: Sequence[Row], claims: Sequence[Row]) -> Iterator[str]:
    """The answers for a terminal; what a proof rests on only for the theorems."""
    found = theorems(anchors, claims)
    for answer in (*found, *abstract(anchors, claims)):
        yield from told(answer, proof=answer in found)


def told(answer: Answer, proof: bool) -> Iterator[str]:
    """One answer: true or not, by which claims, and with `proof` what is wrong in the printed one."""
    yield from wrap("", f"{answer.anchor}: {answer.words}", indent=4)
    for claim in (*answer.printed[:1], *answer.repaired[:1]):
        other = "besides" if answer.stands else "repaired"
        reading = other if claim["reading"] == Reading.REPAIRED else "as printed"
        facts = f"; facts: {', '.join(claim['all_facts'])}" if uses_facts(claim) else ""
        yield from wrap(f"  {reading}: ", f"{claim['verdict']} {claim['id']} ({evidence(claim)}{facts})", indent=4)
    if answer.rests_on and proof:
        yield from wrap("  printed proof rests on ", ", ".join(one["id"] for one in answer.rests_on), indent=4)


def digest_line(paper: Mapping[str, Any]) -> list[str]:
    """That the source is a digest of the paper, if it is one."""
    return wrap("a digest: ", paper["digest"], indent=4) if paper.get("digest") else []


def about(anchor: Row, claims: Sequence[Row]) -> Answer:
    """What became of one place of the paper."""
    name = anchor["id"]
    about = [c for c in claims if name in c["anchors"] and not Verdict(c["verdict"]).nothing_to_decide]
    printed = sorted(
        (c for c in about if c["reading"] == Reading.AS_PRINTED), key=lambda c: -Verdict(c["verdict"]).rank
    )
    repaired = sorted((c for c in about if c["reading"] == Reading.REPAIRED), key=_strength)
    rests_on = _rests_on({c["id"] for c in printed}, claims)
    silent = anchor.get("silent", "")
    return Answer(name, _words(printed, repaired, silent), tuple(printed), tuple(repaired), tuple(rests_on), silent)


def _rests_on(printed: set[str], claims: Sequence[Row]) -> list[Row]:
    """What is wrong and used, near or far, by one of these: along `uses`, and along what each wrong one carries."""
    uses = {c["id"]: c["uses"] for c in claims}
    used = {name for one in printed for name in ancestors(one, uses)} - printed
    found = [
        c
        for c in claims
        if is_wrong(c)
        and c["id"] not in printed
        and (c["id"] in used or printed & {*c.get("carries", ()), *c.get("falls_with_it", ())})
    ]
    return sorted(found, key=gravity)


def _strength(claim: Row) -> tuple[int, bool]:
    """Strongest first; among equals a statement in formulas before runs and searches."""
    return Verdict(claim["verdict"]).rank, not claim.get("math")


def _words(printed: Sequence[Row], repaired: Sequence[Row], silent: str) -> str:
    """True, incomplete or false as printed, and whether a repair holds."""
    verdicts = [Verdict(c["verdict"]) for c in printed]
    holds = any(Verdict(c["verdict"]).positive for c in repaired)
    if not verdicts:
        return "true as repaired" if holds else f"asserts nothing: {silent}" if silent else "not decided"
    worst = max(verdicts, key=lambda verdict: verdict.rank)
    said = {
        Verdict.REFUTED: "false as printed",
        Verdict.GAP: "incomplete as printed: true under a hypothesis it lacks",
        Verdict.CONTRADICTED: "contradicted as printed",
        Verdict.UNDECIDED: "undecided as printed",
    }.get(worst)
    if said is None:
        return STANDS if worst is not Verdict.STRESS_TESTED else f"{STANDS}, as far as tested"
    return f"{said}; true as repaired" if holds else said
