"""One card per claim: its statement, hypotheses, evidence and control, and its place in the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import shorten

from glbcheck.verify.claim import Verdict
from glbcheck.verify.ledger import as_expected
from glbcheck.verify.report.counting import is_wrong, severity, tally
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.facts import fact_link
from glbcheck.verify.report.html.formulas import latex, prose
from glbcheck.verify.report.html.index import Index, anchor_link, code_location, plain_words
from glbcheck.verify.report.html.markup import Child, Safe, choice, el, part, shown, target
from glbcheck.verify.report.html.words import badge, reading_badge, severity_badge
from glbcheck.verify.report.typeset import plain

FOLDED = 240  # characters of evidence that are shown without being asked for


def section(index: Index) -> Safe:
    """All cards, folded, with filters; the graph, the tables and the tiles lead here."""
    lead = "Folded; the tiles, the graph, the findings and the tables link here."
    cards = el("div", (card(claim, index) for claim in index.claims), id="claim-cards")
    return part("claims", "Every claim", lead, _filters(index), cards)


def _filters(index: Index) -> Safe:
    count, readings = tally(index.claims), dict.fromkeys(claim["reading"] for claim in index.claims)
    return el(
        "form",
        el("label", "Text ", el("input", type="search", id="claim-text", autocomplete="off")),
        el("label", "Verdict ", choice("claim-verdict", "all", count.verdicts)),
        el("label", "Matters as ", choice("claim-severity", "all", count.severities)),
        el("label", "Reading ", choice("claim-reading", "all", readings)),
        el("output", f"{count.claims} of {count.claims} claims", id="claim-count", for_="claim-text"),
        class_="filters",
        role="search",
        aria_label="Filter the claims",
    )


def card(claim: Record, index: Index) -> Safe:
    """Everything known about one claim."""
    summary = el(
        "summary",
        badge(claim["verdict"]),
        " ",
        el("span", plain_words(claim["id"]), class_="name"),
        " ",
        reading_badge(claim["reading"]),
        " ",
        el("span", index.place(claim), class_="where"),
    )
    return el(
        "details",
        summary,
        el("div", _body(claim, index), class_="card-body"),
        id=target("claim", claim["id"]),
        class_="card",
        data_claim=claim["id"],
        data_verdict=claim["verdict"],
        data_severity=severity(claim) if is_wrong(claim) else None,
        data_reading=claim["reading"],
    )


def link(claim: Record) -> Safe:
    """A link to a claim's card, with its verdict."""
    name = el("span", plain_words(claim["id"]), class_="name")
    address = f"#{target('claim', claim['id'])}"
    return el("a", badge(claim["verdict"]), " ", name, href=address, class_="claim-link")


def _body(claim: Record, index: Index) -> Iterable[Child]:
    evidence, control = claim["evidence"], claim["control"]
    yield el("p", index.title(claim), class_="statement")
    if claim.get("math") and claim["title"] != claim.get("statement"):
        yield el("p", latex(claim["math"]), class_="math")
    if claim["counterexample"] and is_wrong(claim):
        there = target("finding", claim["id"])
        yield el("p", el("a", "Counterexample, with its numbers", href=f"#{there}"), class_="to-finding")
    facts: list[tuple[str, Child]] = [
        ("Assuming", _items(evidence["hypotheses"], index)),
        ("Discharged", _items((f"{text}: {why}" for text, why in evidence.get("discharges", {}).items()), index)),
        ("Argument", _argument(claim, index)),
        ("Facts used", _facts(claim.get("facts", ()))),
        ("Checked by machine", _decided(claim)),
        ("Verdict", [badge(claim["verdict"]), "" if as_expected(claim) else f" (expected {claim['expected']})"]),
        ("Holds up to", [badge(claim["holds_up_to"]), " with everything it uses"]),
        ("Facts in all", _facts(claim.get("all_facts", ()))),
        ("Matters as", severity_badge(claim["severity"]) if is_wrong(claim) else None),
        ("So", index.words(claim["consequence"])),
        ("Prover", claim["prover"]),
        ("Kernel", _kernel(claim.get("kernel"))),
        ("Certificate", el("code", evidence["certificate"]) if evidence["certificate"] else None),
        ("Scope", index.words(claim["scope"])),
        ("Evidence", _foldable(evidence["summary"], index)),
        ("Problem", _items(evidence["problems"], index)),
        ("Control", _control(control, index)),
        ("Falls with it", _links(claim.get("falls_with_it", ()), index)),
        ("Its printed proof rests on", _links(index.carried_by[claim["id"]], index)),
        ("Uses", _links(claim["uses"], index)),
        ("Used by", _links(index.used_by[claim["id"]], index)),
        ("Anchors", _anchors(claim)),
        ("Code", el("code", code_location(claim))),
        ("Seconds", shown(claim["seconds"])),
    ]
    if claim.get("coq"):
        yield _coq(claim["coq"])
    yield el("dl", ([el("dt", name), el("dd", value)] for name, value in facts if value))


def _argument(claim: Record, index: Index) -> Child:
    """What joins the machine-checked parts, or why nothing has to."""
    if claim.get("argument"):
        return index.words(claim["argument"])
    verdict = Verdict(claim["verdict"])
    if verdict.machine_checked:
        return "none is needed: what is stated is what was checked"
    return "none is written" if verdict is Verdict.ARGUED else None


def _foldable(text: str, index: Index) -> Safe:
    """A short text as it is; of a long one the beginning, until it is opened."""
    if len(text) <= FOLDED:
        return index.words(text)
    return el("details", el("summary", plain(shorten(text, FOLDED, placeholder=" …"))), index.words(text))


def _items(texts: Iterable[str], index: Index) -> Safe | None:
    made = [el("li", index.words(text)) for text in texts]
    return el("ul", made) if made else None


def _facts(names: Sequence[str]) -> Safe | None:
    """Links to the textbook facts."""
    return el("ul", (el("li", fact_link(name)) for name in names), class_="links") if names else None


def _decided(claim: Record) -> Safe | None:
    """The very statements that the certificate holds, but not a second time; of many the first, until opened."""
    statements = [] if claim.get("coq") else claim.get("core", ())
    made = el("ul", (el("li", prose(text)) for text in statements), class_="core") if statements else None
    if made is None or sum(map(len, statements)) <= 2 * FOLDED:
        return made
    return el("details", el("summary", f"{len(statements)} statements"), made)


def _control(control: Record | None, index: Index) -> Child:
    if control is None:
        return None
    outcome = "rejected, as it must be" if control["rejected"] else "NOT rejected"
    return [index.words(control["statement"]), f": {outcome}"]


def _links(names: Iterable[str], index: Index) -> Safe | None:
    known = [link(index.by_id[name]) if name in index.by_id else el("code", name) for name in names]
    return el("ul", (el("li", one) for one in known), class_="links") if known else None


def _anchors(claim: Record) -> Safe:
    return el("ul", (el("li", anchor_link(name)) for name in claim["anchors"]), class_="links")


def _coq(theorem: Record) -> Safe:
    """The statement as Coq prints it, folded, with every definition of ours behind it."""
    who = f"checked by {theorem['version']}" if theorem["ran"] else f"{theorem['version']}, not run on this machine"
    assumed = f", assuming: {'; '.join(theorem['assumes'])}" if theorem["assumes"] else ""
    axioms = ", ".join(theorem["axioms"]) or "none"
    behind = (el("pre", text) for _, text in sorted(theorem["definitions"].items()))
    return el(
        "details",
        el("summary", "Coq's statement: ", el("code", theorem["theorem"]), f", {who}{assumed}"),
        el("pre", theorem["statement"]),
        el("p", f"Axioms: {axioms}"),
        el("details", el("summary", f"{len(theorem['definitions'])} definitions behind it"), behind),
        class_="coq",
    )


def _kernel(kernel: Record | None) -> Child:
    """The word that the kernel gave, and what that rests on besides exact arithmetic."""
    if kernel is None:
        return None
    rests = f", resting on {', '.join(kernel['rests_on'])}" if kernel["rests_on"] else ""
    return f"accepted as {kernel['word']}{rests}"
