"""The dependency graph of the claims as one SVG, in the manner of a blueprint.

Border says which reading, fill how strong the evidence for the claim itself is, and emphasis how far it
holds with everything it uses: a heavy border where nothing weakens it, a flag with the weakest verdict where
something does.  A dashed line leads from what is false or incomplete to what its printed proof was to carry.
A node is named as the paper names its place, and below that by the claim.  A seal at the lower left says that Coq
checked a theorem of the claim on this machine.
Connected claims are drawn in layers; those that neither use nor are used follow in rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glbcheck.verify.claim import Verdict
from glbcheck.verify.ledger import NOT_ASKED, ancestors
from glbcheck.verify.report import graph
from glbcheck.verify.report.html.index import Index, plain_words
from glbcheck.verify.report.html.markup import Safe, el, target
from glbcheck.verify.report.html.words import COQ_SEAL, glyph

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 170, 38, 44, 10, 14
SCALE = 0.9  # of the drawing when the page opens
PLACE, NAME = 21, 25  # characters that fit on the two lines of a node
Claim = Mapping[str, Any]
Point = tuple[float, float]


def svg(
    claims: Sequence[Claim], index: Index, name: str, spoken: str, repairs: Mapping[str, str] | None = None
) -> Safe:
    """The graph of these claims; each node is a link to its claim, so it works without a script.

    `repairs` leads from printed statements to the claims that replace them, which stand to their right.
    """
    by_id = {claim["id"]: claim for claim in claims}
    falls = {(other, claim["id"]) for claim in claims for other in claim.get("carries", ()) if other in by_id}
    uses = {claim_id: _nearest(claim_id, by_id, index.uses) for claim_id in by_id}
    for carried, wrong in sorted(falls):
        uses[carried] = list(dict.fromkeys([*uses[carried], wrong]))
    mended = {(new, old) for old, new in (repairs or {}).items() if new not in ancestors(old, uses)}
    for new, old in sorted(mended):
        uses[new] = [*uses[new], old]
    kinds = {**dict.fromkeys(falls, "falls"), **dict.fromkeys(mended, "mends")}
    parts = graph.components(list(by_id), uses)
    places, edges, titles, (width, height) = _arranged(parts, uses, lambda one: index.section(by_id[one]))
    arrow = f"graph-arrow-{name}"
    number = {one: str(at) for at, one in enumerate(places)}
    lines = (_edge((number[a], number[b]), path, kinds.get((a, b))) for (a, b), path in edges.items())
    return el(
        "svg",
        el("defs", _arrow(arrow)),
        el("g", lines, class_="edges", aria_hidden="true", marker_end=f"url(#{arrow})"),
        el("g", (el("text", title, x=x, y=y, class_="lane") for title, (x, y) in titles)),
        el("g", (_node(by_id[one], place, index) for one, place in places.items()), class_="nodes"),
        class_="graph-drawing",
        viewbox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{SCALE * width:.0f}",
        height=f"{SCALE * height:.0f}",
        role="group",
        aria_label=spoken,
    )


def _nearest(claim_id: str, drawn: Mapping[str, Claim], uses: Mapping[str, Sequence[str]]) -> list[str]:
    """The drawn claims that this one uses, directly or by way of claims that are not drawn."""
    found, passed, stack = dict[str, None](), {claim_id}, list(reversed(uses[claim_id]))
    while stack:
        name = stack.pop()
        if name in drawn:
            found[name] = None
        elif name not in passed:
            passed.add(name)
            stack += reversed(uses.get(name, ()))
    return list(found)


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


def _edge(ends: tuple[str, str], path: Sequence[Point], kind: str | None) -> Safe:
    """A smooth line from the right side of the used claim to the left side of the user, or of what falls with it.

    Its ends are the places of both among the nodes of the drawing.
    """
    user, used = ends
    middle = HEIGHT / 2
    x, y = path[0][0] + WIDTH, path[0][1] + middle
    steps = [f"M{x:.0f} {y:.0f}"]
    for bend, (left, top) in enumerate(path[1:], start=2):
        half = (left - x) / 2
        steps.append(f"C{x + half:.0f} {y:.0f} {left - half:.0f} {top + middle:.0f} {left:.0f} {top + middle:.0f}")
        x, y = left, top + middle
        if bend < len(path):
            x += WIDTH
            steps.append(f"H{x:.0f}")
    return el("path", d="".join(steps), data_ends=f"{used} {user}", class_=kind)


def _arrow(name: str) -> Safe:
    tip = el("path", d="M0 0L6 3L0 6z")
    return el("marker", tip, id=name, refx=6, refy=3, markerWidth=6, markerHeight=6, orient="auto")


def _node(claim: Claim, corner: Point, index: Index) -> Safe:
    verdict, upto = claim["verdict"], claim["holds_up_to"]
    weaker = Verdict(upto).rank > Verdict(verdict).rank
    classes = f"node v-{verdict} r-{claim['reading']} {'weakened' if weaker else 'whole'}"
    place = index.place(claim)
    spoken = f"{place}, {plain_words(claim['id'])}: {verdict}, {claim['reading'].replace('-', ' ')}, holds up to {upto}"
    sealed = (claim.get("coq") or NOT_ASKED)["asked"] != "no"
    return el(
        "a",
        el("rect", width=WIDTH, height=HEIGHT, rx=6),
        el("text", glyph(verdict), x=11, y=HEIGHT / 2 + 4.5, class_="glyph"),
        _label(place, claim["id"]),
        _flag(upto) if weaker else None,
        _seal() if sealed else None,
        href=f"#{target('claim', claim['id'])}",
        class_=classes,
        transform=f"translate({corner[0]:.0f} {corner[1]:.1f})",
        data_id=claim["id"],
        data_section=index.section(claim),
        aria_label=f"{spoken}, checked by Coq" if sealed else spoken,
    )


def _label(place: str, claim_id: str) -> Safe:
    """The paper's name of the place, then the claim's, each on one line."""
    said = _cut(place, PLACE), _cut(plain_words(claim_id), NAME)
    spans = (el("tspan", text, x=24, y=f"{HEIGHT / 2 - 2.5 + 12 * k:.1f}") for k, text in enumerate(said))
    return el("text", spans, class_="label")


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def _flag(upto: str) -> Safe:
    """In the corner, the weakest verdict among what the claim rests on."""
    return el(
        "g",
        el("circle", r=8),
        el("text", glyph(upto), y=3.5),
        class_=f"flag v-{upto}",
        transform=f"translate({WIDTH - 4} 2)",
    )


def _seal() -> Safe:
    """In the lower corner: Coq's kernel accepted the theorem."""
    return el(
        "g", el("rect", x=-9, y=-7, width=18, height=14), el("text", COQ_SEAL, y=4), class_="seal",
        transform=f"translate(11 {HEIGHT})",
    )  # fmt: skip
