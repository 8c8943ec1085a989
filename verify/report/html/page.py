"""The page: one HTML text with its style and its script inside; it asks nothing of the network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from glbcheck.verify.report.html import (
    anchors,
    audits,
    claims,
    dependency_graph,
    environment,
    facts,
    findings,
    fixing,
    opening,
    overview,
    simulations,
    theorems,
)
from glbcheck.verify.report.html.bundle import Bundle
from glbcheck.verify.report.html.index import Index
from glbcheck.verify.report.html.markup import Child, Safe, el
from glbcheck.verify.report.html.words import badge_styles

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
NAMES = {
    "answers": "Theorems",
    "fix": "To fix",
    "overview": "Counts",
    "graph": "Graph",
    "findings": "What is false",
    "abstract": "Abstract",
    "audits": "Families",
    "simulations": "Simulations",
    "anchors": "Anchors",
    "facts": "Facts",
    "claims": "Claims",
    "environment": "Environment",
}


def render(bundle: Bundle) -> str:
    """The whole report; the same bundle gives the same text."""
    index = Index(bundle)
    parts: dict[str, Safe | None] = {
        "answers": theorems.section(index),
        "fix": fixing.section(index),
        "overview": overview.section(index),
        "graph": dependency_graph.section(index),
        "findings": findings.section(index, bundle.folder),
        "abstract": theorems.abstract(index),
        "audits": audits.section(bundle.audits),
        "simulations": simulations.section(bundle.simulations),
        "anchors": anchors.section(index),
        "facts": facts.section(index),
        "claims": claims.section(index),
        "environment": environment.section(bundle),
    }
    there = [name for name, part in parts.items() if part]
    beside = [
        _panel(),
        el("footer", el("p", "A view of results.json; nothing on this page was decided by it.")),
        el("script", Safe(_asset("page.js"))),
    ]
    header = opening.details(bundle)
    return document(opening.title(bundle), header, list(parts.values()), beside, _navigation(there))


def document(title: str, header: Child, main: Child, beside: Child = None, navigation: Child = None) -> str:
    """A page of ours that stands alone; the navigation is beside the header, so that it can stay in view."""
    body = el(
        "body",
        el("a", "Skip to the content", href="#content", class_="skip"),
        el("header", el("h1", title), header),
        navigation,
        el("main", main, id="content", tabindex=-1),
        beside,
    )
    return "<!doctype html>\n" + el("html", _head(title), body, lang="en") + "\n"


def _head(title: str) -> Safe:
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("title", title),
        el("style", Safe(_asset("page.css") + badge_styles())),
    )


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _navigation(there: list[str]) -> Safe:
    links = (el("li", el("a", NAMES[name], href=f"#{name}")) for name in there)
    return el("nav", el("ul", links), aria_label="Parts of the report")


def _panel() -> Safe:
    return el(
        "aside",
        el(
            "div",
            el("h2", "", id="panel-title", tabindex=-1),
            el("button", "Close", type="button", id="panel-close"),
            class_="panel-head",
        ),
        el("div", id="panel-body"),
        id="panel",
        hidden=True,
        aria_labelledby="panel-title",
    )
