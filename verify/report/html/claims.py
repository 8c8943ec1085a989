"""One card per claim: its statement, hypotheses, evidence and control, and its place in the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import shorten

from glbcheck.verify.claim import Reading, Verdict
from glbcheck.verify.ledger import as_expected
from glbcheck.verify.report.counting import is_wrong, severity, tally
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.facts import fact_link
from glbcheck.verify.report.html.formulas import latex, prose
from glbcheck.verify.report.html.index import Index, anchor_link, code_location, plain_words
from glbcheck.verify.report.html.markup import Child, Safe, choice, el, part, shown, target
from glbcheck.verify.report.html.steps import steps
from glbcheck.verify.report.html.words import badge, reading_badge, severity_badge
from glbcheck.verify.report.table import checked_by
from glbcheck.verify.report.typeset import plain

FOLDED = 240  # characters of evidence that are shown without being asked for
GLIMPSE, MOST = 90, 1200  # characters that say what is folded, and those that are there when it is opened


def section(index: Index) -> Safe:
    """All cards, folded, with filters; the graph, the tables and the tiles lead here."""
    lead = "Folded; tiles, graph, findings and tables lead here. The certificate of a claim is certificates/CLAIM.json."
    cards = el("div", (card(claim, index) for claim in index.claims), id="claim-cards")
    return part("claims", "Every claim", lead, _filters(index), cards, _definitions(index))


def _definitions(index: Index) -> Safe | None:
    """Every definition of ours behind the Coq theorems, once."""
    found = {
        name: text
        for claim in index.claims
        for name, text in ((claim.get("coq") or {}).get("definitions") or {}).items()
    }
    if not found:
        return None
    shown = (el("pre", _indented(text), id=target("coq", name)) for name, text in sorted(found.items()))
    return el("details", el("summary", f"The {len(found)} definitions behind the Coq theorems"), shown, class_="coq")


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
        plain_words(claim["id"]),
        " ",
        reading_badge(claim["reading"]) if claim["reading"] == Reading.REPAIRED else None,
        " ",
        el("span", index.place(claim), class_="where"),
    )
    return el(
        "details",
        summary,
        el("div", _body(claim, index), class_="card-body"),
        id=target("claim", claim["id"]),
        class_="card",
        data_verdict=claim["verdict"],
        data_severity=severity(claim) if is_wrong(claim) else None,
        data_reading=claim["reading"],
    )


def link(claim: Record) -> Safe:
    """A link to a claim's card, with its verdict."""
    return el("a", badge(claim["verdict"]), " ", plain_words(claim["id"]), href=f"#{target('claim', claim['id'])}")


def _body(claim: Record, index: Index) -> Iterable[Child]:
    evidence, control = claim["evidence"], claim["control"]
    yield el("p", index.title(claim), class_="statement")
    if is_wrong(claim):
        there = target("finding", claim["id"])
        yield el(
            "p", el("a", "The printed and the repaired formula, and the numbers", href=f"#{there}"), class_="to-finding"
        )
    elif claim.get("math") and claim["title"] != claim.get("statement"):
        yield el("p", latex(claim["math"]), class_="math")
    facts: list[tuple[str, Child]] = [
        ("Assuming", _items(evidence["hypotheses"], index)),
        ("Discharged", _items((f"{text}: {why}" for text, why in evidence.get("discharges", {}).items()), index)),
        ("Argument", _argument(claim, index)),
        ("Facts used", _facts(claim.get("facts", ()))),
        ("Letters", _items((f"{name}: {words}" for name, words in claim.get("letters", {}).items()), index)),
        ("Steps", steps(claim["steps"], claim["chain"]) if claim.get("steps") else None),
        ("Checked by machine", _decided(claim)),
        ("Verdict", [badge(claim["verdict"]), "" if as_expected(claim) else f" (expected {claim['expected']})"]),
        ("With all it uses", badge(claim["holds_up_to"]) if claim["holds_up_to"] != claim["verdict"] else None),
        ("Facts in all", ", ".join(claim.get("all_facts", ())).replace("-", " ")),
        ("Matters as", severity_badge(claim["severity"]) if is_wrong(claim) else None),
        ("So", index.words(claim["consequence"])),
        ("Scope", _plainly(claim["scope"], index)),
        ("Evidence", _foldable(evidence["summary"], index)),
        ("Problem", _items(evidence["problems"], index)),
        ("Control", _control(control, index)),
        ("Falls with it", _links(claim.get("falls_with_it", ()), index)),
        ("Its printed proof rests on", _links(index.carried_by[claim["id"]], index)),
        ("Uses", _links(claim["uses"], index)),
        ("Used by", _links(index.used_by[claim["id"]], index)),
        ("Anchors", _anchors(claim)),
        ("Decided by", _origin(claim)),
    ]
    if claim.get("coq"):
        yield _coq(claim["coq"])
    yield el("dl", ([el("dt", name), el("dd", value)] for name, value in facts if value))


def _argument(claim: Record, index: Index) -> Child:
    """What joins the machine-checked parts, or why nothing has to."""
    if claim.get("argument"):
        return _plainly(claim["argument"], index)
    verdict = Verdict(claim["verdict"])
    if verdict.machine_checked:
        return "none is needed: what is stated is what was checked"
    return "none is written" if verdict is Verdict.ARGUED else None


def _foldable(text: str, index: Index) -> Safe:
    """A short text as it is; of a long one the beginning, until it is opened."""
    if len(text) <= FOLDED:
        return _plainly(text, index)
    told = shorten(text, MOST, placeholder=" … (the rest is in results.json)")
    return el("details", el("summary", plain(shorten(text, GLIMPSE, placeholder=" …"))), _plainly(told, index))


def _plainly(text: str, index: Index) -> Safe:
    """Long text, in which variables stay upright to keep the page small."""
    return prose(text, index.by_id, index.lines, plain=("variable",))


def _items(texts: Iterable[str], index: Index) -> Safe | None:
    made = [el("li", _plainly(text, index)) for text in texts]
    return el("ul", made) if made else None


def _facts(names: Sequence[str]) -> Safe | None:
    """Links to the textbook facts."""
    return el("ul", (el("li", fact_link(name)) for name in names), class_="links") if names else None


def _decided(claim: Record) -> Safe | None:
    """The very statements that the certificate holds, but not a second time; of many the first, until opened."""
    elsewhere = claim.get("coq") or claim.get("statement") or claim.get("steps")
    statements = [] if elsewhere else claim.get("core", ())
    made = (
        el("ul", (el("li", prose(text, plain=("variable", "name"))) for text in statements), class_="core")
        if statements
        else None
    )
    if made is None or sum(map(len, statements)) <= 2 * FOLDED:
        return made
    return el("details", el("summary", f"{len(statements)} statements"), made)


def _control(control: Record | None, index: Index) -> Child:
    if control is None:
        return None
    outcome = "rejected, as it must be" if control["rejected"] else "NOT rejected"
    return [_plainly(control["statement"], index), f": {outcome}"]


def _links(names: Iterable[str], index: Index) -> Safe | None:
    known = [link(index.by_id[name]) if name in index.by_id else el("code", name) for name in names]
    return el("ul", (el("li", one) for one in known), class_="links") if known else None


def _anchors(claim: Record) -> list[Child]:
    return [[" ", anchor_link(name)] for name in claim["anchors"]]


def _coq(theorem: Record) -> Safe:
    """The statement as Coq prints it, folded, with a link to every definition of ours behind it."""
    assumed = f", assuming: {'; '.join(theorem['assumes'])}" if theorem["assumes"] else ""
    axioms = ", ".join(theorem["axioms"]) or "none"
    names = (el("li", el("a", name, href=f"#{target('coq', name)}")) for name in sorted(theorem["definitions"]))
    return el(
        "details",
        el("summary", "Coq's statement: ", el("code", theorem["theorem"]), f", {checked_by(theorem)}{assumed}"),
        el("pre", _indented(theorem["statement"])),
        el("p", f"Axioms: {axioms}"),
        el("details", el("summary", f"{len(theorem['definitions'])} definitions behind it"), el("ul", names)),
        class_="coq",
    )


def _indented(text: str) -> str:
    """What Coq prints, its deep indentation made shallow."""
    return re.sub(r"\n {2,}", "\n  ", text)


def _origin(claim: Record) -> list[Child]:
    """Who found the evidence and who accepted it, how long it took, and where it is declared."""
    said = [claim["prover"], _kernel(claim.get("kernel")), f"{shown(claim['seconds'])} s"]
    return ["; ".join(filter(None, said)), " ", el("code", code_location(claim))]


def _kernel(kernel: Record | None) -> str:
    """The word that the kernel gave, and what that rests on besides exact arithmetic."""
    if kernel is None:
        return ""
    rests = f", resting on {', '.join(kernel['rests_on'])}" if kernel["rests_on"] else ""
    return f"the kernel accepts it as {kernel['word']}{rests}"
