"""The ten things an author must fix, most pressing first: what is wrong, what repairs it, and what hangs on it."""

from __future__ import annotations

from glbcheck.verify.report.fixes import A_THEOREM, PER_STATEMENT, PER_THEOREM, POINTS, Fix, fixes
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.findings import assuming
from glbcheck.verify.report.html.formulas import latex
from glbcheck.verify.report.html.index import Index
from glbcheck.verify.report.html.markup import Child, Safe, el, part, target
from glbcheck.verify.report.html.words import badge, severity_badge

NUMBERS = ("", "One thing", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def section(index: Index) -> Safe | None:
    """A numbered list; nothing where nothing is wrong."""
    found = fixes(
        index.anchors, index.claims, lambda claim: _repair(claim, index)["id"] if index.repairs(claim) else ""
    )
    if not found:
        return None
    title = f"{NUMBERS[len(found)]} things an author must fix" if len(found) > 1 else "One thing an author must fix"
    points = ", ".join(f"{n} if {severity}" for severity, n in POINTS.items() if n)
    lead = (
        f"Computed, not chosen. Points: {points}, {A_THEOREM} if a theorem itself is wrong, {PER_THEOREM} for each "
        f"theorem that it touches and {PER_STATEMENT} for each other printed statement whose proof falls with it. "
        "What the same repair replaces is one thing."
    )
    return part("fix", title, lead, el("ol", (_item(one, index) for one in found), class_="fixes"))


def _repair(claim: Record, index: Index) -> Record:
    return index.repairs(claim)[0]


def _item(fix: Fix, index: Index) -> Safe:
    claim = fix.claim
    heading = [badge(claim["verdict"]), " ", severity_badge(claim["severity"]), " ", el("b", index.place(claim)), ": "]
    repairs = index.repairs(claim)
    return el(
        "li",
        el("h3", heading, el("a", index.title(claim), href=f"#{target('finding', claim['id'])}")),
        el("p", el("b", "So: "), index.words(claim["consequence"])),
        el("p", el("b", "Instead: "), latex(repairs[0]["math"]), " ", link(repairs[0]), class_="math")
        if repairs
        else None,
        assuming(repairs[0], index) if repairs else None,
        _also(fix, index),
        el("p", _hanging(fix, index), class_="assuming"),
    )


def _also(fix: Fix, index: Index) -> Safe | None:
    """The other statements that the same repair replaces."""
    if not fix.others:
        return None
    links = ([", " if number else "", _finding(one, index)] for number, one in enumerate(fix.others))
    return el("p", "The same repair is for: ", links)


def _finding(claim: Record, index: Index) -> Safe:
    return el(
        "a", index.place(claim), " (", claim["id"].replace("_", " "), ")", href=f"#{target('finding', claim['id'])}"
    )


def _hanging(fix: Fix, index: Index) -> list[Child]:
    """What hangs on it, and the points that makes."""
    named = ", ".join(map(index.name, fix.theorems))
    parts = [f"touches {named}"] if named else []
    if fix.statements:
        parts.append(f"{len(fix.statements)} other printed statements fall with it")
    return ["; ".join(parts), "; " if parts else "", f"{fix.weight} points"]
