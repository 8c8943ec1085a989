"""What is false or incomplete as printed, most serious first: printed and repaired side by side."""

from __future__ import annotations

from glbcheck.verify.claim import Severity, Verdict
from glbcheck.verify.report.counting import severity, wrong
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.formulas import latex
from glbcheck.verify.report.html.index import Index, anchor_link, plain_words
from glbcheck.verify.report.html.markup import Child, Safe, el, part, target
from glbcheck.verify.report.html.witness import at_a_glance, witness
from glbcheck.verify.report.html.words import SEVERITIES, badge

LACKING = r"\impliedby"  # between the printed statement of a gap and the hypothesis it lacks


def section(index: Index, folder: str) -> Safe:
    """Grouped by how much it matters; a slip is one line that opens."""
    found = wrong(index.claims)
    groups = [
        _group(one, chosen, index, folder) for one in SEVERITIES if (chosen := [c for c in found if severity(c) is one])
    ]
    return part("findings", "What is false or incomplete as printed", _lead(found), groups)


def _lead(found: list[Record]) -> str:
    refuted = sum(c["verdict"] == Verdict.REFUTED for c in found)
    return (
        f"{refuted} statements are refuted by an exact counterexample and {len(found) - refuted} lack a "
        "hypothesis. Most serious first; every counterexample is decided again by its replay line."
    )


def _group(severity: Severity, chosen: list[Record], index: Index, folder: str) -> Safe:
    word, meaning = SEVERITIES[severity]
    chosen = sorted(chosen, key=lambda c: (c["verdict"] != Verdict.REFUTED, index.line(c)))
    return el(
        "section",
        el("h3", f"{word} ({len(chosen)})", el("small", f" {meaning}")),
        (finding(c, index, folder, folded=severity is Severity.SLIP) for c in chosen),
        class_=f"group s-{severity}",
        aria_label=f"{word}: {meaning}",
    )


def finding(claim: Record, index: Index, folder: str, *, folded: bool = False) -> Safe:
    """One finding; folded, it is its title alone until it is opened."""
    heading = [badge(claim["verdict"]), " ", el("span", index.title(claim), class_="finding-title")]
    body: list[Child] = [
        el("div", _printed(claim, index), _repaired(claim, index), class_="sides"),
        el("p", el("b", "So: "), index.words(claim["consequence"]), class_="consequence"),
        _falls(claim, index),
        _counterexample(claim, index, folder),
        _places(claim),
    ]
    identity = target("finding", claim["id"])
    if folded:
        return el("details", el("summary", el("h4", heading)), body, class_="finding", id=identity)
    return el("article", el("h4", heading), body, class_="finding", id=identity)


def _printed(claim: Record, index: Index) -> Safe:
    statement = claim.get("math", "").partition(LACKING)[0].strip()
    return el(
        "div",
        el("h5", el("span", "✗ " if claim["verdict"] == Verdict.REFUTED else "△ ", aria_hidden="true"), "As printed"),
        el("p", latex(statement) if statement else index.title(claim), class_="math"),
        assuming(claim, index),
        class_="side printed",
    )


def _repaired(claim: Record, index: Index) -> Safe | None:
    """The hypothesis that a gap lacks and the closest repaired reading, or nothing if there is neither."""
    lacking = claim.get("math", "").partition(LACKING)[2].strip()
    repairs = index.repairs(claim)
    parts: list[Child] = []
    if lacking:
        parts.append(el("p", "holds if ", latex(lacking), class_="math"))
    if repairs:
        closest = repairs[0]
        parts += [el("p", latex(closest["math"]), class_="math"), assuming(closest, index), el("p", link(closest))]
    if others := repairs[1:4]:
        items = (el("li", link(other)) for other in others)
        parts.append(el("div", "See also", el("ul", items, class_="links"), class_="also"))
    if not parts:
        return None
    heading = "Repaired" if repairs else "What it needs"
    return el("div", el("h5", el("span", "✓ ", aria_hidden="true"), heading), parts, class_="side repaired")


def assuming(claim: Record, index: Index) -> Safe | None:
    """The hypotheses that a claim declares, if it does."""
    hypotheses = claim["evidence"]["hypotheses"]
    return el("p", "assuming ", index.words("; ".join(hypotheses)), class_="assuming") if hypotheses else None


def _falls(claim: Record, index: Index) -> Safe | None:
    """The printed statements whose printed proof rests on this one, near or far, each with what became of it."""
    fallen = [index.by_id[name] for name in claim.get("falls_with_it", ()) if name in index.by_id]
    items = (el("li", link(other)) for other in fallen)
    return el("div", "The printed proofs of these fall with it", el("ul", items, class_="links")) if fallen else None


def _counterexample(claim: Record, index: Index, folder: str) -> Safe | None:
    if not claim["counterexample"]:
        return el("p", index.words(claim["evidence"]["summary"]), class_="assuming")
    numbers = witness(claim, index.letters, folder)
    return el("details", el("summary", at_a_glance(claim)), numbers, class_="numbers")


def _places(claim: Record) -> Safe:
    links = ([" ", anchor_link(name)] for name in claim["anchors"])
    more = el("a", plain_words(claim["id"]), href=f"#{target('claim', claim['id'])}")
    return el("p", "At", links, "; all that is known: ", more, class_="places")
