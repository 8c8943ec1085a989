"""The page: one HTML text with its style and its script inside; it asks nothing of the network."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from glbcheck.verify.report.html import (
    anchors,
    answers,
    audits,
    claims,
    drawing,
    environment,
    facts,
    findings,
    overview,
    simulations,
)
from glbcheck.verify.report.html.bundle import Bundle
from glbcheck.verify.report.html.index import Index
from glbcheck.verify.report.html.markup import Child, Safe, choice, el, part
from glbcheck.verify.report.html.words import COQ_SEAL, badge, reading_badge

TITLE = "glbcheck: what the referee found"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
NAMES = {
    "overview": "Overview",
    "answers": "Theorems",
    "findings": "What is false",
    "graph": "Graph",
    "anchors": "Anchors",
    "facts": "Facts",
    "audits": "Families",
    "simulations": "Simulations",
    "environment": "Environment",
    "claims": "Claims",
}


def render(bundle: Bundle) -> str:
    """The whole report; the same bundle gives the same text."""
    index = Index(bundle)
    parts: dict[str, Safe | None] = {
        "overview": overview.section(index),
        "answers": answers.section(index),
        "findings": findings.section(index, bundle.folder),
        "graph": _graph(index),
        "anchors": anchors.section(index),
        "facts": facts.section(index),
        "audits": audits.section(bundle.audits),
        "simulations": simulations.section(bundle.simulations),
        "environment": environment.section(bundle),
        "claims": claims.section(index),
    }
    there = [name for name, part in parts.items() if part]
    beside = [
        _panel(),
        el("footer", el("p", "A view of results.json; nothing on this page was decided by it.")),
        el("script", Safe(_asset("page.js"))),
    ]
    return document(TITLE, _navigation(there), list(parts.values()), beside)


def document(title: str, navigation: Child, main: Child, beside: Child = None) -> str:
    """A page of ours that stands alone."""
    body = el(
        "body",
        el("a", "Skip to the content", href="#content", class_="skip"),
        el("header", el("h1", title), navigation),
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
        el("style", Safe(_asset("page.css"))),
    )


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _navigation(there: list[str]) -> Safe:
    links = (el("li", el("a", NAMES[name], href=f"#{name}")) for name in there)
    return el("nav", el("ul", links), aria_label="Parts of the report")


def _graph(index: Index) -> Safe:
    """The drawing in a box that scrolls, with buttons to zoom and a section to bring forward."""
    sections = dict.fromkeys(index.section(claim) for claim in index.claims)
    tools: list[Child] = [
        el("button", "−", type="button", data_zoom="0.8", aria_label="Smaller"),
        el("button", "+", type="button", data_zoom="1.25", aria_label="Larger"),
        el("button", "Fit width", type="button", data_zoom="fit"),
        el("label", "Bring forward ", choice("graph-section", "all sections", sections)),
    ]
    return part(
        "graph",
        "What rests on what",
        "What is used stands to the left of what uses it. Choose a claim to see all about it, with "
        "its supports and its users brought forward; in the drawing the arrow keys move, Enter opens.",
        _graph_legend(),
        el("div", tools, class_="tools", role="toolbar", aria_label="Graph", aria_controls="graph-box"),
        el("div", drawing.svg(index.claims, index.section), id="graph-box", tabindex=-1),
    )


def _graph_legend() -> Safe:
    items = (
        [el("b", "fill"), " strength: ", badge("proved"), " ", badge("gap"), " ", badge("refuted"), " …"],
        [el("b", "border"), " reading: ", reading_badge("as-printed"), " ", reading_badge("repaired")],
        [el("b", "heavy border"), " nothing it uses weakens it"],
        [el("b", "flag in the corner"), " the weakest verdict among what it uses"],
        [el("b", "dashed line"), " from what is false or incomplete to the statements whose printed proof cites it"],
        [el("b", COQ_SEAL, class_="coq-seal"), " Coq's kernel accepted its theorem on this machine"],
    )
    return el("ul", (el("li", item) for item in items), class_="graph-legend")


def _panel() -> Safe:
    return el(
        "aside",
        el(
            "div",
            el("h2", "", id="panel-title", tabindex=-1),
            el("button", "Close", type="button", id="panel-close"),
            class_="panel-head",
        ),
        el("p", el("button", "Show in the graph", type="button", id="panel-locate")),
        el("div", id="panel-body"),
        id="panel",
        hidden=True,
        aria_labelledby="panel-title",
    )
