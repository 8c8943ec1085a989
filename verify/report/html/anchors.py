"""The table of all anchors: what became of each equation, theorem and section."""

from __future__ import annotations

from glbcheck.verify.claim import Verdict
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.claims import link
from glbcheck.verify.report.html.index import Index, anchor_link, worst
from glbcheck.verify.report.html.markup import Safe, choice, el, part, target

COLUMNS = (("line", "number"), ("anchor", "text"), ("kind", "text"), ("section", "text"), ("verdicts", "number"))


def section(index: Index) -> Safe:
    """Sortable by column, filterable by section, verdict and text; each row can be linked to."""
    return part(
        "anchors",
        "Every anchor of the paper",
        "One row per label, theorem, displayed equation and sentence that may assert something; the number is the line "
        "in its source. Choose a column head to sort.",
        _filters(index),
        el("div", _table(index), class_="scroll", tabindex=0, role="group", aria_label="Table of anchors"),
    )


def _filters(index: Index) -> Safe:
    verdicts = [v for v in Verdict if any(c["verdict"] == v for c in index.claims)]
    return el(
        "form",
        el("label", "Text ", el("input", type="search", id="filter-text", autocomplete="off")),
        el("label", "Section ", choice("filter-section", "all", index.sections)),
        el("label", "Verdict ", choice("filter-verdict", "all", verdicts)),
        el("output", f"{len(index.anchors)} of {len(index.anchors)} anchors", id="filter-count", for_="filter-text"),
        class_="filters",
        role="search",
        aria_label="Filter the anchors",
    )


def _table(index: Index) -> Safe:
    heads = (
        el(
            "th",
            el("button", name, type="button", data_sort=kind),
            scope="col",
            aria_sort="ascending" if name == "line" else "none",
        )
        for name, kind in COLUMNS
    )
    return el(
        "table",
        el("caption", f"{len(index.anchors)} anchors and the claims about each"),
        el("thead", el("tr", heads)),
        el("tbody", (_row(anchor, index) for anchor in index.anchors)),
        id="anchor-table",
        class_="stacks",
    )


def _row(anchor: Record, index: Index) -> Safe:
    name, place = anchor["id"], index.section_of[anchor["id"]]
    claims = index.speaking[name]
    said = (el("li", link(claim)) for claim in claims)
    return el(
        "tr",
        el("td", anchor["line"]),
        el("th", anchor_link(name), _number(name, index), scope="row"),
        el("td", anchor["kind"]),
        el("td", place, data_key=index.sections.index(place)),
        el("td", el("ul", said, class_="links") if claims else _nothing(anchor), data_key=worst(claims)),
        id=target("anchor", name),
        tabindex=-1,
    )


def _number(name: str, index: Index) -> Safe | None:
    """The paper's own name for it, if it has one."""
    return el("span", f" {index.names[name]}", class_="where") if name in index.names else None


def _nothing(anchor: Record) -> str:
    """Why no claim speaks about it."""
    return f"asserts nothing: {anchor['silent']}" if anchor.get("silent") else "no claim"
