"""The index page of several papers: what the referee found about each, with a link to its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from glbcheck.verify.report.counting import tally
from glbcheck.verify.report.html.markup import Safe, el
from glbcheck.verify.report.html.page import document
from glbcheck.verify.report.html.words import badge, severity_badge

TITLE = "glbcheck: the papers"


def render(found: Iterable[tuple[Mapping[str, Any], str]]) -> str:
    """One part for each paper: its results, and where its page is."""
    papers = [_paper(results, page) for results, page in found]
    lead = el("p", f"{len(papers)} papers were refereed. Each has a page of its own.", class_="lead")
    return document(TITLE, None, [lead, el("ul", papers, class_="shelf")])


def _paper(results: Mapping[str, Any], page: str) -> Safe:
    """Title and authors, what is wrong with it, how its claims came out, and when."""
    paper, count, made = results["paper"], tally(results["claims"]), results.get("made", {})
    wrong = [[severity_badge(one), f" {number} "] for one, number in count.severities.items()]
    verdicts = [[badge(verdict), f" {number} "] for verdict, number in count.verdicts.items()]
    decided = [f"{count.as_expected} of {count.claims} claims as expected", made.get("date"), made.get("commit")]
    return el(
        "li",
        el("h2", el("a", paper.get("title") or paper["name"], href=page)),
        el("p", ", ".join(paper.get("authors", ())), class_="authors"),
        el("p", "A digest: ", paper["digest"], ".", class_="assuming") if paper.get("digest") else None,
        el("p", "False or incomplete: ", wrong or "nothing that was found"),
        el("p", "Claims: ", verdicts),
        el("p", "; ".join(str(fact) for fact in decided if fact), class_="assuming"),
    )
