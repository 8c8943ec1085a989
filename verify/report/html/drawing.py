"""The dependency graph of the claims as one SVG, in the manner of a blueprint.

Border says which reading, fill how strong the evidence for the claim itself is, and emphasis how far it
holds with everything it uses: a heavy border where nothing weakens it, a flag with the weakest verdict where
something does.  A dashed line leads from what is false or incomplete to what its printed proof was to carry.
Connected claims are drawn in layers; those that neither use nor are used follow in rows.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glbcheck.verify.claim import Verdict
from glbcheck.verify.report import graph
from glbcheck.verify.report.html.index import plain_words, target
from glbcheck.verify.report.html.markup import Safe, el
from glbcheck.verify.report.html.words import glyph

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 170, 38, 44, 10, 14
SCALE = 0.9  # of the drawing when the page opens
CHARACTERS = 21  # that fit on one line of a node
Claim = Mapping[str, Any]
Point = tuple[float, float]


def svg(claims: Sequence[Claim], section: Callable[[Claim], str]) -> Safe:
    """The graph; each node is a link to its claim, so it works without a script."""
    by_id = {claim["id"]: claim for claim in claims}
    falls = {(other, claim["id"]) for claim in claims for other in claim.get("carries", ()) if other in by_id}
    uses = {claim["id"]: [name for name in claim["uses"] if name in by_id] for claim in claims}
    for carried, wrong in sorted(falls):
        uses[carried] = list(dict.fromkeys([*uses[carried], wrong]))
    parts = graph.components(list(by_id), uses)
    places, edges, titles, (width, height) = _arranged(parts, uses, lambda name: section(by_id[name]))
    return el(
        "svg",
        el("defs", _arrow()),
        el("g", (_edge(ends, path, ends in falls) for ends, path in edges.items()), class_="edges", aria_hidden="true"),
        el("g", (el("text", title, x=x, y=y, class_="lane") for title, (x, y) in titles)),
        el("g", (_node(by_id[name], place, section(by_id[name])) for name, place in places.items()), class_="nodes"),
        id="graph-drawing",
        viewbox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{SCALE * width:.0f}",
        height=f"{SCALE * height:.0f}",
        role="group",
        aria_label=f"Dependency graph of {len(claims)} claims",
    )


def _arranged(
    parts: Sequence[Sequence[str]], uses: Mapping[str, Sequence[str]], section: Callable[[str], str]
) -> tuple[dict[str, Point], dict[tuple[str, str], list[Point]], list[tuple[str, Point]], Point]:
    """Corners of the nodes, bends of the edges, headings, and the size of the whole."""
    places: dict[str, Point] = {}
    edges: dict[tuple[str, str], list[Point]] = {}
    titles: list[tuple[str, Point]] = []
    widest, x, y, shelf = 0.0, float(MARGIN), float(MARGIN), 0.0
    for number, part in enumerate(part for part in parts if len(part) > 1):
        drawing = graph.draw(part, {name: uses[name] for name in part})
        room = drawing.layers * (WIDTH + GAP_X), drawing.rows * (HEIGHT + GAP_Y)
        if number == 0:
            widest = room[0]
        elif x + room[0] > widest + MARGIN or number == 1:
            x, y, shelf = float(MARGIN), y + shelf + 2 * GAP_Y, 0.0
        corner = x, y
        places |= {name: _corner(corner, at) for name, at in drawing.places.items()}
        for ends, path in drawing.edges.items():
            edges[ends] = [_corner(corner, at) for at in path]
        x, shelf = x + room[0], max(shelf, room[1])
    y += shelf + GAP_Y
    per_row = max(int(max(widest, 5 * (WIDTH + GAP_Y)) // (WIDTH + GAP_Y)), 1)
    lonely: dict[str, list[str]] = {}
    for part in parts:
        if len(part) == 1:
            lonely.setdefault(section(part[0]), []).append(part[0])
    for heading, names in lonely.items():
        titles.append((f"{heading}: stands alone ({len(names)})", (MARGIN, y + 22)))
        y += 32
        for number, name in enumerate(names):
            row, column = divmod(number, per_row)
            places[name] = MARGIN + column * (WIDTH + GAP_Y), y + row * (HEIGHT + GAP_Y)
        y += -(-len(names) // per_row) * (HEIGHT + GAP_Y)
    return places, edges, titles, (max(widest, per_row * (WIDTH + GAP_Y)) + MARGIN, y + MARGIN)


def _corner(origin: Point, place: tuple[int, float]) -> Point:
    return origin[0] + place[0] * (WIDTH + GAP_X), origin[1] + place[1] * (HEIGHT + GAP_Y)


def _edge(ends: tuple[str, str], path: Sequence[Point], falls: bool) -> Safe:
    """A smooth line from the right side of the used claim to the left side of the user, or of what falls with it."""
    user, used = ends
    middle = HEIGHT / 2
    x, y = path[0][0] + WIDTH, path[0][1] + middle
    steps = [f"M{x:.0f} {y:.1f}"]
    for bend, (left, top) in enumerate(path[1:], start=2):
        half = (left - x) / 2
        steps.append(f"C{x + half:.0f} {y:.1f} {left - half:.0f} {top + middle:.1f} {left:.0f} {top + middle:.1f}")
        x, y = left, top + middle
        if bend < len(path):
            x += WIDTH
            steps.append(f"H{x:.0f}")
    kind = "falls" if falls else None
    return el("path", d="".join(steps), data_from=used, data_to=user, class_=kind, marker_end="url(#graph-arrow)")


def _arrow() -> Safe:
    tip = el("path", d="M0 0L6 3L0 6z")
    return el("marker", tip, id="graph-arrow", refx=6, refy=3, markerWidth=6, markerHeight=6, orient="auto")


def _node(claim: Claim, corner: Point, section: str) -> Safe:
    verdict, upto = claim["verdict"], claim["holds_up_to"]
    weaker = Verdict(upto).rank > Verdict(verdict).rank
    classes = f"node v-{verdict} r-{claim['reading']} {'weakened' if weaker else 'whole'}"
    spoken = f"{plain_words(claim['id'])}: {verdict}, {claim['reading'].replace('-', ' ')}, holds up to {upto}"
    return el(
        "a",
        el("title", f"{claim['id']}: {claim['title']}"),
        el("rect", width=WIDTH, height=HEIGHT, rx=6),
        el("text", glyph(verdict), x=11, y=HEIGHT / 2 + 4.5, class_="glyph"),
        _label(claim["id"]),
        _flag(upto) if weaker else None,
        href=f"#{target('claim', claim['id'])}",
        class_=classes,
        transform=f"translate({corner[0]:.0f} {corner[1]:.1f})",
        data_id=claim["id"],
        data_section=section,
        data_verdict=verdict,
        data_uses=" ".join(claim["uses"]),
        data_carries=" ".join(claim.get("carries", ())),
        aria_label=spoken,
    )


def _label(name: str) -> Safe:
    lines = textwrap.wrap(plain_words(name), CHARACTERS, break_on_hyphens=False)
    if len(lines) > 2:
        lines = [lines[0], textwrap.shorten(" ".join(lines[1:]), CHARACTERS, placeholder="…")]
    first = HEIGHT / 2 + 3.5 - 6 * (len(lines) - 1)
    spans = (el("tspan", line, x=24, y=f"{first + 12 * k:.1f}") for k, line in enumerate(lines))
    return el("text", spans, class_="label")


def _flag(upto: str) -> Safe:
    """In the corner, the weakest verdict among what the claim rests on."""
    return el(
        "g",
        el("circle", r=8),
        el("text", glyph(upto), y=3.5),
        class_=f"flag v-{upto}",
        transform=f"translate({WIDTH - 4} 2)",
    )
