"""How the page opens: the paper that was refereed, and from what and when."""

from __future__ import annotations

from collections.abc import Iterator

from glbcheck.verify.report.html.bundle import Bundle
from glbcheck.verify.report.html.markup import Child, Safe, el
from glbcheck.verify.report.table import checked_by

NAME = "glbcheck, a referee's report"


def title(bundle: Bundle) -> str:
    """The paper's title, or what this is if nobody knows it."""
    return str(bundle.results.get("paper", {}).get("title") or NAME)


def details(bundle: Bundle) -> Safe:
    """Authors, digest of the source, date, commit and versions; what is not known is left out."""
    paper = bundle.results.get("paper", {})
    authors = ", ".join(paper.get("authors", ()))
    facts = (el("div", el("dt", name), " ", el("dd", value)) for name, value in _facts(bundle) if value)
    return el(
        "div",
        el("p", authors, class_="authors") if authors else None,
        el("p", el("b", "A digest: "), paper["digest"], ".", class_="digest") if paper.get("digest") else None,
        el("p", NAME, ". ", el("a", "Which theorems stand", href="#answers"), class_="kind")
        if title(bundle) != NAME
        else None,
        el("dl", facts, class_="origin"),
    )


def _facts(bundle: Bundle) -> Iterator[tuple[str, Child]]:
    paper, made = bundle.results.get("paper", {}), bundle.results.get("made", {})
    digest = str(paper.get("sha256") or "")
    versions = bundle.results.get("versions", {})
    yield "Source", el("code", digest[:16], title=f"SHA-256 {digest}") if digest else None
    yield "Decided on", str(made.get("date", ""))
    yield "By commit", el("code", str(made["commit"])) if made.get("commit") else None
    named = [f"{name} {versions[name]}" for name in ("glbcheck", "python") if name in versions]
    yield "Versions", ", ".join([*named, *_coq(bundle)])


def _coq(bundle: Bundle) -> list[str]:
    """Which Coq checked the theorems, and whether in this run."""
    theorems = [one["coq"] for one in bundle.results["claims"] if one.get("coq")]
    return sorted({checked_by(one) for one in theorems if one["asked"] != "no"})
