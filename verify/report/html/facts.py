"""The textbook facts that the arguments use: statement, reference, and who uses each."""

from __future__ import annotations

from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.index import Index, plain_words
from glbcheck.verify.report.html.markup import Safe, el, part, target


def section(index: Index) -> Safe | None:
    """One entry per fact, or nothing if no argument names one."""
    lead = "Written arguments rest on these; each is tested numerically beside a false variant, none is proved here."
    return part("facts", "Textbook facts", lead, (_entry(fact, index) for fact in index.facts)) if index.facts else None


def fact_link(name: str) -> Safe:
    return el("a", name.replace("-", " "), href=f"#{target('fact', name)}")


def _entry(fact: Record, index: Index) -> Safe:
    users = [name for name in fact["used_by"] if name in index.by_id]
    links = (el("li", el("a", plain_words(name), href=f"#{target('claim', name)}")) for name in users)
    return el(
        "article",
        el("h3", fact["id"].replace("-", " ")),
        el("p", index.words(fact["statement"])),
        el("p", fact["reference"], class_="assuming"),
        el("details", el("summary", f"used by {len(users)} claims"), el("ul", links, class_="links")),
        id=target("fact", fact["id"]),
        class_="fact",
    )
