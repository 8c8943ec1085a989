"""One card per claim: its statement, hypotheses, evidence and control, and its place in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import shorten

from glbcheck.verify.ledger import as_expected
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.facts import fact_link
from glbcheck.verify.report.html.formulas import latex, prose
from glbcheck.verify.report.html.index import Index, anchor_link, code_location, is_wrong, plain_words, target
from glbcheck.verify.report.html.markup import Child, Safe, el, part, shown
from glbcheck.verify.report.html.words import badge, reading_badge, severity_badge

FOLDED = 240  # characters of evidence that are shown without being asked for


def section(index: Index) -> Safe:
    """All cards, folded; the graph and the tables open them."""
    lead = "Folded; the graph, the findings and the table link here."
    return part("claims", "Every claim", lead, (card(claim, index) for claim in index.claims))


def card(claim: Record, index: Index) -> Safe:
    """Everything known about one claim."""
    summary = el(
        "summary",
        badge(claim["verdict"]),
        " ",
        el("span", plain_words(claim["id"]), class_="name"),
        " ",
        reading_badge(claim["reading"]),
    )
    return el(
        "details",
        summary,
        el("div", _body(claim, index), class_="card-body"),
        id=target("claim", claim["id"]),
        class_="card",
        data_claim=claim["id"],
    )


def link(claim: Record) -> Safe:
    """A link to a claim's card, with its verdict."""
    name = el("span", plain_words(claim["id"]), class_="name")
    address = f"#{target('claim', claim['id'])}"
    return el("a", badge(claim["verdict"]), " ", name, href=address, class_="claim-link")


def _body(claim: Record, index: Index) -> Iterable[Child]:
    evidence, control = claim["evidence"], claim["control"]
    yield el("p", prose(claim["title"]), class_="statement")
    if claim.get("math"):
        yield el("p", latex(claim["math"]), class_="math")
    if claim["counterexample"] and is_wrong(claim):
        there = target("finding", claim["id"])
        yield el("p", el("a", "Counterexample, with its numbers", href=f"#{there}"), class_="to-finding")
    facts: list[tuple[str, Child]] = [
        ("Assuming", _items(evidence["hypotheses"])),
        ("Discharged", _items(f"{text}: {why}" for text, why in evidence.get("discharges", {}).items())),
        ("Argument", prose(claim.get("argument", ""))),
        ("Facts used", _facts(claim.get("facts", ()))),
        ("Decided by machine", _decided(claim.get("core", ()))),
        ("Verdict", [badge(claim["verdict"]), "" if as_expected(claim) else f" (expected {claim['expected']})"]),
        ("Holds up to", [badge(claim["holds_up_to"]), " with everything it uses"]),
        ("Facts in all", _facts(claim.get("all_facts", ()))),
        ("Matters as", severity_badge(claim["severity"])),
        ("So", prose(claim["consequence"])),
        ("Prover", claim["prover"]),
        ("Kernel", _kernel(claim.get("kernel"))),
        ("Certificate", el("code", evidence["certificate"]) if evidence["certificate"] else None),
        ("Scope", prose(claim["scope"])),
        ("Evidence", _foldable(evidence["summary"])),
        ("Problem", _items(evidence["problems"])),
        ("Control", _control(control)),
        ("Falls with it", _links(claim.get("falls_with_it", ()), index)),
        ("Its printed proof rests on", _links(index.carried_by[claim["id"]], index)),
        ("Uses", _links(claim["uses"], index)),
        ("Used by", _links(index.used_by[claim["id"]], index)),
        ("Anchors", _anchors(claim)),
        ("Code", el("code", code_location(claim))),
        ("Seconds", shown(claim["seconds"])),
    ]
    yield el("dl", ([el("dt", name), el("dd", value)] for name, value in facts if value))


def _foldable(text: str) -> Safe:
    """A short text as it is; of a long one the beginning, until it is opened."""
    if len(text) <= FOLDED:
        return prose(text)
    return el("details", el("summary", shorten(text, FOLDED, placeholder=" …")), prose(text))


def _items(texts: Iterable[str]) -> Safe | None:
    made = [el("li", prose(text)) for text in texts]
    return el("ul", made) if made else None


def _facts(names: Sequence[str]) -> Safe | None:
    """Links to the textbook facts."""
    return el("ul", (el("li", fact_link(name)) for name in names), class_="links") if names else None


def _decided(statements: Sequence[str]) -> Safe | None:
    """The very statements that the certificate holds; of many the first, until they are opened."""
    made = el("ul", (el("li", el("code", text)) for text in statements)) if statements else None
    if made is None or sum(map(len, statements)) <= 2 * FOLDED:
        return made
    return el("details", el("summary", f"{len(statements)} statements"), made)


def _control(control: Record | None) -> Child:
    if control is None:
        return None
    outcome = "rejected, as it must be" if control["rejected"] else "NOT rejected"
    return [prose(control["statement"]), f": {outcome}"]


def _links(names: Iterable[str], index: Index) -> Safe | None:
    known = [link(index.by_id[name]) if name in index.by_id else el("code", name) for name in names]
    return el("ul", (el("li", one) for one in known), class_="links") if known else None


def _anchors(claim: Record) -> Safe:
    return el("ul", (el("li", anchor_link(name)) for name in claim["anchors"]), class_="links")


def _kernel(kernel: Record | None) -> Child:
    """The word that the kernel gave, and what that rests on besides exact arithmetic."""
    if kernel is None:
        return None
    rests = f", resting on {', '.join(kernel['rests_on'])}" if kernel["rests_on"] else ""
    return f"accepted as {kernel['word']}{rests}"
