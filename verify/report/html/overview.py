"""The counts: what was checked, what came out, how to read it."""

from __future__ import annotations

from glbcheck.verify.claim import Severity, Verdict
from glbcheck.verify.ledger import as_expected
from glbcheck.verify.report.counting import Tally, tally
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.index import Index
from glbcheck.verify.report.html.markup import Safe, el
from glbcheck.verify.report.html.words import SEVERITIES, VERDICTS, badge, glyph, severity_badge


def section(index: Index) -> Safe:
    """Headline counts."""
    count = tally(index.claims)
    silent = sum(not index.speaking[anchor["id"]] and not anchor.get("silent") for anchor in index.anchors)
    covered = "every one of them" if not silent else f"all but {silent} of them"
    return el(
        "section",
        el("h2", "What was checked, and what came out", id="overview-title"),
        el(
            "p",
            el("b", f"{count.claims} claims"),
            f" about {len(index.anchors)} anchors of the paper ({covered}) were decided; {count.repaired} are "
            f"repaired readings. {count.as_expected} of {count.claims} came out as declared. A tile lists its claims.",
            class_="lead",
        ),
        _surprises(index),
        _tiles(count),
        _weights(count),
        _legend(),
        id="overview",
        aria_labelledby="overview-title",
    )


def _surprises(index: Index) -> Safe | None:
    """What did not come out as declared, or was not settled: said first, or not there at all."""
    odd = [c for c in index.claims if not as_expected(c) or c["verdict"] == Verdict.UNDECIDED]
    if not odd:
        return None
    items = (
        el("li", link(c), f" expected {c['expected']} ", index.words("; ".join(c["evidence"]["problems"]))) for c in odd
    )
    return el("div", el("b", f"Not as declared, or undecided ({len(odd)})"), el("ul", items), class_="surprises")


def _tiles(count: Tally) -> Safe:
    tiles = (
        el(
            "li",
            el(
                "a",
                el("span", glyph(verdict), class_="glyph", aria_hidden="true"),
                el("b", number, data_count=verdict),
                el("span", verdict, class_="word"),
                class_=f"tile v-{verdict}",
                href="#claims",
                data_verdict=verdict,
                title=VERDICTS[Verdict(verdict)][1],
            ),
        )
        for verdict, number in count.verdicts.items()
    )
    return el("ul", tiles, class_="tiles", aria_label="Claims by verdict")


def _weights(count: Tally) -> Safe:
    """How much the refuted claims and gaps matter."""
    items = (
        el(
            "li",
            el("a", severity_badge(one), " ", el("b", number, data_count=one), href="#claims", data_severity=one),
            f" {SEVERITIES[Severity(one)][1]}",
        )
        for one, number in count.severities.items()
    )
    return el("ul", items, class_="weights", aria_label="What is wrong, by how much it matters")


def _legend() -> Safe:
    rows = ([el("dt", badge(verdict)), el("dd", meaning)] for verdict, (_, meaning) in VERDICTS.items())
    return el("details", el("summary", "How to read a verdict"), el("dl", rows), class_="legend")
