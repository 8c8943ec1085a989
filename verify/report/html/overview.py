"""The first screen: what was checked, what came out, how to read it."""

from __future__ import annotations

from collections.abc import Mapping

from glbcheck.verify.claim import Verdict
from glbcheck.verify.ledger import as_expected
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.formulas import prose
from glbcheck.verify.report.html.index import Index, counts
from glbcheck.verify.report.html.markup import Safe, el
from glbcheck.verify.report.html.words import SEVERITIES, VERDICTS, badge, glyph, severity_badge


def section(index: Index) -> Safe:
    """Headline counts."""
    claims = index.claims
    repaired = sum(c["reading"] == "repaired" for c in claims)
    agree = sum(map(as_expected, claims))
    silent = sum(not index.speaking[anchor["id"]] and not anchor.get("silent") for anchor in index.anchors)
    covered = "every one of them" if not silent else f"all but {silent} of them"
    return el(
        "section",
        el("h2", "What was checked, and what came out", id="overview-title"),
        el(
            "p",
            el("b", f"{len(claims)} claims"),
            f" about {len(index.anchors)} anchors of the paper ({covered}) were decided; {repaired} are "
            f"repaired readings. {agree} of {len(claims)} came out as declared.",
            class_="lead",
        ),
        _surprises(index),
        _tiles(counts(claims, "verdict")),
        _weights(index),
        _legend(),
        id="overview",
        aria_labelledby="overview-title",
    )


def _surprises(index: Index) -> Safe | None:
    """What did not come out as declared, or was not settled: said first, or not there at all."""
    odd = [c for c in index.claims if not as_expected(c) or c["verdict"] == Verdict.UNDECIDED]
    if not odd:
        return None
    items = (el("li", link(c), f" expected {c['expected']} ", prose("; ".join(c["evidence"]["problems"]))) for c in odd)
    return el("div", el("b", f"Not as declared, or undecided ({len(odd)})"), el("ul", items), class_="surprises")


def _tiles(found: Mapping[str, int]) -> Safe:
    tiles = (
        el(
            "li",
            el("span", glyph(verdict), class_="glyph", aria_hidden="true"),
            el("b", found[verdict], data_count=verdict),
            el("span", verdict, class_="word"),
            class_=f"tile v-{verdict}",
        )
        for verdict in Verdict
        if found.get(verdict)
    )
    return el("ul", tiles, class_="tiles", aria_label="Claims by verdict")


def _weights(index: Index) -> Safe:
    """How much the refuted claims and gaps matter."""
    found = counts(index.claims, "severity")
    items = (
        el("li", severity_badge(severity), " ", el("b", found[severity], data_count=severity), f" {meaning}")
        for severity, (_, meaning) in SEVERITIES.items()
        if found.get(severity)
    )
    return el("ul", items, class_="weights", aria_label="What is wrong, by how much it matters")


def _legend() -> Safe:
    rows = ([el("dt", badge(verdict)), el("dd", meaning)] for verdict, (_, meaning) in VERDICTS.items())
    return el("details", el("summary", "How to read a verdict"), el("dl", rows), class_="legend")
