"""The index page of several papers: what the referee found about each, with a link to its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from glbcheck.verify.claim import Verdict
from glbcheck.verify.ledger import as_expected
from glbcheck.verify.report.html.markup import Child, el, table
from glbcheck.verify.report.html.page import document
from glbcheck.verify.report.html.words import badge

TITLE = "glbcheck: the papers"


def render(found: Iterable[tuple[Mapping[str, Any], str]]) -> str:
    """One row for each paper: its results, and where its page is."""
    rows = [_row(results, page) for results, page in found]
    columns = ("paper", "authors", "claims", "verdicts", "as expected")
    made = table("Papers that were refereed", columns, rows)
    return document(TITLE, None, el("section", el("p", "Each paper has a page of its own.", class_="lead"), made))


def _row(results: Mapping[str, Any], page: str) -> list[Child]:
    paper, claims = results["paper"], results["claims"]
    counts = Counter(claim["verdict"] for claim in claims)
    verdicts = [[badge(verdict), f" {counts[verdict]} "] for verdict in Verdict if counts[verdict]]
    agree = f"{sum(map(as_expected, claims))} of {len(claims)}"
    authors = ", ".join(paper.get("authors", ()))
    return [el("a", paper.get("title") or paper["name"], href=page), authors, len(claims), verdicts, agree]
