"""The graph of the claims: first the theorems with what breaks their printed proofs, then everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glbcheck.verify.report import answers
from glbcheck.verify.report.html import drawing
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.index import Index
from glbcheck.verify.report.html.markup import Child, Safe, choice, el, part
from glbcheck.verify.report.html.words import COQ_SEAL, badge, reading_badge


def section(index: Index) -> Safe:
    """Two drawings with one row of tools each; the large one is folded away."""
    near, repairs = around_the_theorems(index)
    small = _view("theorems", near, index, f"{len(near)} claims around the theorems", repairs) if near else None
    large = _view("all", index.claims, index, f"Dependency graph of {len(index.claims)} claims")
    return part(
        "graph",
        "What rests on what",
        "What is used stands to the left of what uses it. Choose a claim to see all about it, with "
        "its supports and its users brought forward; in the drawing the arrow keys move, Enter opens.",
        _legend(),
        [el("h3", "The theorems, and what breaks their printed proofs"), small] if small else None,
        el("details", el("summary", f"All {len(index.claims)} claims"), large, open=not near, id="graph-everything"),
    )


def around_the_theorems(index: Index) -> tuple[list[Record], dict[str, str]]:
    """The theorems with whatever is wrong on the way to their printed proofs, and the repair that replaces each."""
    found, repairs = set[str](), dict[str, str]()
    for answer in answers.theorems(index.anchors, index.claims):
        stated = answer.statement or next(iter(answer.printed), None)
        mended = [*(index.repairs(stated)[:1] if stated else ()), *answer.repaired[:1]]
        found |= {claim["id"] for claim in (*([stated] if stated else ()), *mended, *answer.rests_on)}
        if stated and mended:
            repairs[stated["id"]] = mended[0]["id"]
    return [claim for claim in index.claims if claim["id"] in found], repairs


def _view(
    name: str, claims: Sequence[Record], index: Index, spoken: str, repairs: Mapping[str, str] | None = None
) -> Safe:
    sections = dict.fromkeys(index.section(claim) for claim in claims)
    tools: list[Child] = [
        el("label", "Find ", el("input", type="search", id=f"graph-find-{name}", autocomplete="off", data_find=True)),
        el("output", "", for_=f"graph-find-{name}", data_found=True),
        el("button", "−", type="button", data_zoom="0.8", aria_label="Smaller"),
        el("button", "+", type="button", data_zoom="1.25", aria_label="Larger"),
        el("button", "Fit width", type="button", data_zoom="fit"),
        el("label", "Bring forward ", choice(f"graph-section-{name}", "all sections", sections)),
    ]
    box = f"graph-box-{name}"
    return el(
        "div",
        el("div", tools, class_="tools", role="toolbar", aria_label=f"Graph: {spoken}", aria_controls=box),
        el("div", drawing.svg(claims, index, name, spoken, repairs), id=box, class_="graph-box", tabindex=-1),
        class_="graph-view",
        id=f"graph-{name}",
    )


def _legend() -> Safe:
    items = (
        [el("b", "fill"), " strength: ", badge("proved"), " ", badge("gap"), " ", badge("refuted"), " …"],
        [el("b", "border"), " reading: ", reading_badge("as-printed"), " ", reading_badge("repaired")],
        [el("b", "heavy border"), " nothing it uses weakens it"],
        [el("b", "flag in the corner"), " the weakest verdict among what it uses"],
        [el("b", "dashed line"), " from what is false or incomplete to the statements whose printed proof cites it"],
        [el("b", "dotted line"), " from a printed theorem to the repair of it"],
        [el("b", COQ_SEAL, class_="coq-seal"), " Coq's kernel accepted its theorem"],
    )
    return el("ul", (el("li", item) for item in items), class_="graph-legend")
