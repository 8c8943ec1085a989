"""The steps of a claim that is a text: premises with their reasons, conclusions, and whether they reach the anchors."""

from __future__ import annotations

from collections.abc import Iterator

from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.formulas import prose
from glbcheck.verify.report.html.markup import Child, Safe, el

REACHED = {
    True: "Decided as a whole: the last conclusion is what stands at the anchors.",
    False: "Decided step by step: that these are the steps of what stands at the anchors is said in words.",
}


def steps(text: Record, chain: bool) -> Safe:
    """Every block as a table, under what its letters abbreviate."""
    named = [_row("where", _plain(f"{name} = {said}"), "") for name, said in text["definitions"].items()]
    rests = [_row("rests on", prose("; ".join(text["beside"])), "")] if text["beside"] else []
    parts = [rows for rows in (named, *(list(_block(block)) for block in text["blocks"]), rests) if rows]
    table = el("table", el("caption", REACHED[chain]), (el("tbody", rows) for rows in parts), class_="steps")
    return el("div", table, class_="scroll", tabindex=0)


def _block(block: Record) -> Iterator[Safe]:
    if block["case"]:
        yield _row("case", prose(block["case"]), "")
    for premise in block["premises"]:
        yield _row(premise["time"] or "given", _plain(premise["relation"]), prose("; ".join(premise["because"])))
    for conclusion in block["conclusions"]:
        yield _row("so" if block["fails_at"] is None else "fails", _plain(conclusion), "")
    if block["fails_at"] is not None:
        yield _row("at", _plain(", ".join(f"{name} = {text}" for name, text in block["fails_at"].items())), "")


def _plain(text: str) -> Safe:
    """A relation with its letters upright, to keep the page small."""
    return prose(text, plain=("variable", "name"))


def _row(kind: str, what: Child, why: Child) -> Safe:
    return el("tr", el("th", kind, scope="row"), el("td", what), el("td", why))
