"""The first tables: is each theorem, and each sentence of the abstract, true as printed, true as repaired, or false?"""

from __future__ import annotations

from collections.abc import Sequence

from glbcheck.verify.report import answers
from glbcheck.verify.report.answers import Answer
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.facts import fact_link
from glbcheck.verify.report.html.findings import LACKING
from glbcheck.verify.report.html.formulas import latex, prose
from glbcheck.verify.report.html.index import Index, anchor_link, is_wrong
from glbcheck.verify.report.html.markup import Child, Safe, el, part, table

SHOWN = 2  # claims in a cell before the rest is folded


def section(index: Index) -> Safe | None:
    """Both tables; nothing for a paper without theorems and abstract."""
    theorems = answers.theorems(index.anchors, index.claims)
    abstract = answers.abstract(index.anchors, index.claims)
    if not theorems and not abstract:
        return None
    return part(
        "answers",
        "Is it true?",
        "Each theorem and each sentence of the abstract: true as printed, true as repaired, or false, and by which "
        "evidence. A theorem is repaired by the statement shown, under the hypotheses listed with its claim.",
        _theorems(theorems, index) if theorems else None,
        _abstract(abstract) if abstract else None,
    )


def _theorems(found: Sequence[Answer], index: Index) -> Safe:
    columns = ("theorem", "answer", "as printed", "as repaired", "its printed proof rests on")
    rows = (
        (
            anchor_link(one.anchor),
            el("b", one.words),
            _claims(one.printed),
            _repaired(one, index),
            _folded([link(claim) for claim in one.rests_on]) or "nothing that was found wrong",
        )
        for one in found
    )
    return table("Theorems", columns, rows, class_="answers")


def _abstract(found: Sequence[Answer]) -> Safe:
    columns = ("sentence of the abstract", "answer", "as printed", "as repaired")
    rows = ((anchor_link(one.anchor), el("b", one.words), _claims(one.printed), _claims(one.repaired)) for one in found)
    return table("The abstract, sentence by sentence", columns, rows, class_="answers")


def _repaired(answer: Answer, index: Index) -> Child:
    """The repair of the worst printed claim first, as a formula, then the others."""
    wrong = next((claim for claim in answer.printed if is_wrong(claim)), None)
    nearest = [claim for claim in index.repairs(wrong) if claim in answer.repaired] if wrong else []
    ordered = list({claim["id"]: claim for claim in (*nearest[:1], *answer.repaired)}.values())
    formula = next((claim["math"] for claim in ordered if claim.get("math")), "")
    return [el("p", latex(formula), class_="math") if formula else None, _claims(ordered)]


def _claims(claims: Sequence[Record]) -> Child:
    return _folded([_claim(claim) for claim in claims])


def _claim(claim: Record) -> Safe:
    """A claim with its title, what it lacks if it is a gap, and how it was decided."""
    facts = claim["all_facts"] if answers.uses_facts(claim) else ()
    named = el("ul", (el("li", fact_link(name)) for name in facts), class_="links")
    folded = el("details", el("summary", f"textbook facts: {len(facts)}"), named, class_="assuming") if facts else None
    lacking = claim.get("math", "").partition(LACKING)[2].strip()
    needs = el("p", "holds if ", latex(lacking), class_="math") if lacking else None
    said = el("p", prose(claim["title"])), needs, el("p", answers.evidence(claim), class_="assuming")
    return el("div", link(claim), said, folded)


def _folded(items: Sequence[Child]) -> Child:
    """The first few; the others until they are opened."""
    if not items:
        return None
    first = el("ul", (el("li", item) for item in items[:SHOWN]), class_="links")
    rest = items[SHOWN:]
    more = el("ul", (el("li", item) for item in rest), class_="links")
    return [first, el("details", el("summary", f"{len(rest)} more"), more) if rest else None]
