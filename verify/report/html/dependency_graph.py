"""The graph of the claims around the theorems, as one SVG in which every claim is a link to its card.

A claim stands to the left of the claims that use it. Each column is ordered by the mean height of the neighbours, which
leaves few crossings (the method of Sugiyama). The drawing depends only on the claims and their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from glbcheck.verify.claim import Verdict
from glbcheck.verify.ledger import NOT_ASKED, ancestors
from glbcheck.verify.report import answers
from glbcheck.verify.report.html.bundle import Record
from glbcheck.verify.report.html.index import Index, plain_words
from glbcheck.verify.report.html.markup import Safe, el, part, target
from glbcheck.verify.report.html.words import COQ_SEAL, badge, glyph, reading_badge

WIDTH, HEIGHT, GAP, ROW, MARGIN = 170, 38, 44, 48, 14
SCALE = 0.9  # of the drawing on the page
PLACE, NAME = 21, 25  # characters that fit on the two lines of a node
PASSING = 0.35  # height of an edge that passes a column, in rows
SWEEPS = 12
Uses = Mapping[str, Sequence[str]]
Node = str | tuple[str, str, int]  # a claim, or the place where an edge (user, used) passes a column
Point = tuple[float, float]


def section(index: Index) -> Safe | None:
    """The drawing with its legend; nothing for a paper without theorems."""
    claims, uses, kinds = around_the_theorems(index)
    if not claims:
        return None
    return part(
        "graph",
        "What the theorems depend on",
        "Arrows point from a claim to the claims that use it. Select a claim for details.",
        _legend(),
        el("div", _svg(claims, uses, kinds, index), id="graph-theorems", class_="graph-box"),
    )


def around_the_theorems(index: Index) -> tuple[list[Record], Uses, Mapping[tuple[str, str], str]]:
    """The theorems, what is wrong on the way to their printed proofs, and the claim that corrects each theorem.

    Also what each of these claims uses, and the kind of special edges (user, used): `falls` where the printed proof of
    the user cites what is false, `mends` where the user corrects a printed theorem.
    """
    found, corrected = set[str](), dict[str, str]()
    for answer in answers.theorems(index.anchors, index.claims):
        stated = answer.statement or next(iter(answer.printed), None)
        better = [*(index.repairs(stated)[:1] if stated else ()), *answer.repaired[:1]]
        found |= {claim["id"] for claim in (*([stated] if stated else ()), *better, *answer.rests_on)}
        if stated and better:
            corrected[stated["id"]] = better[0]["id"]
    claims = [claim for claim in index.claims if claim["id"] in found]
    uses = {claim["id"]: _nearest(claim["id"], found, index.uses) for claim in claims}
    falls = [(name, claim["id"]) for claim in claims for name in claim.get("carries", ()) if name in found]
    for user, used in sorted(falls):
        uses[user] = list(dict.fromkeys([*uses[user], used]))
    mends = [(new, old) for old, new in corrected.items() if new not in ancestors(old, uses)]
    for user, used in sorted(mends):
        uses[user] = [*uses[user], used]
    return claims, uses, {**dict.fromkeys(falls, "falls"), **dict.fromkeys(mends, "mends")}


def _nearest(claim_id: str, drawn: set[str], uses: Uses) -> list[str]:
    """The drawn claims that this one uses, directly or through claims that are not drawn."""
    found, passed, stack = dict[str, None](), {claim_id}, list(reversed(uses[claim_id]))
    while stack:
        name = stack.pop()
        if name in drawn:
            found[name] = None
        elif name not in passed:
            passed.add(name)
            stack += reversed(uses.get(name, ()))
    return list(found)


def _layers(uses: Uses) -> dict[str, int]:
    """The column of each claim: as far right as its users allow. Claims that use each other share the first column."""
    order: dict[str, None] = {}
    entered: set[str] = set()
    users: dict[str, list[str]] = defaultdict(list)

    def visit(name: str) -> None:
        if name not in entered:
            entered.add(name)
            for other in uses[name]:
                users[other].append(name)
                visit(other)
            order[name] = None

    for name in uses:
        visit(name)
    layer: dict[str, int] = {}
    for name in order:
        layer[name] = 1 + max((layer.get(other, -1) for other in uses[name]), default=-1)
    for name in reversed(order):
        layer[name] = max(0, min((layer[user] - 1 for user in users[name]), default=layer[name]))
    return layer


def _groups(uses: Uses) -> list[set[str]]:
    """The connected parts of the graph, the largest first."""
    group = {name: {name} for name in uses}
    for user in uses:
        for used in uses[user]:
            if group[user] is not group[used]:
                group[user] |= group[used]
                group.update(dict.fromkeys(group[used], group[user]))
    return sorted({id(one): one for one in group.values()}.values(), key=len, reverse=True)


def _heights(uses: Uses, layer: Mapping[str, int]) -> dict[Node, float]:
    """The middle of each claim, and of each edge in the columns that it passes, in rows from the top."""
    height: dict[Node, float] = {}
    top = 0.0
    for group in _groups(uses):
        found, size = _heights_in(group, uses, layer)
        height |= {node: top + middle for node, middle in found.items()}
        top += size + (0.5 if len(group) > 1 else 0)
    return height


def _heights_in(group: set[str], uses: Uses, layer: Mapping[str, int]) -> tuple[dict[Node, float], float]:
    """The same for one connected part, and its height."""
    columns: list[list[Node]] = [[] for _ in range(1 + max(layer.values()))]
    near: dict[Node, list[Node]] = defaultdict(list)
    for user in (name for name in uses if name in group):
        columns[layer[user]].append(user)
        for used in uses[user]:
            chain = _chain(user, used, layer)
            for at, node in enumerate(chain[1:-1], start=layer[used] + 1):
                columns[at].append(node)
            for left, right in pairwise(chain):
                near[left].append(right)
                near[right].append(left)
    middle = max(map(_size, columns)) / 2
    height: dict[Node, float] = {}
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            known = {node: [height[other] for other in near[node] if other in height] for node in column}
            wish = {node: sum(at) / len(at) if at else middle for node, at in known.items()}
            column.sort(key=wish.__getitem__)
            top = middle - _size(column) / 2
            for node in column:
                height[node] = top + _size([node]) / 2
                top += _size([node])
    return height, 2 * middle


def _size(column: Sequence[Node]) -> float:
    """The height of these nodes on top of each other, in rows."""
    return sum(1.0 if isinstance(node, str) else PASSING for node in column)


def _chain(user: str, used: str, layer: Mapping[str, int]) -> list[Node]:
    """From the used claim to its user, with a place in each column between."""
    return [used, *((user, used, at) for at in range(layer[used] + 1, layer[user])), user]


def _svg(claims: Sequence[Record], uses: Uses, kinds: Mapping[tuple[str, str], str], index: Index) -> Safe:
    layer = _layers(uses)
    height = _heights(uses, layer)

    def place(node: Node) -> Point:
        column = layer[node] if isinstance(node, str) else node[2]
        return MARGIN + column * (WIDTH + GAP), MARGIN + height[node] * ROW

    edges = (
        _edge(user, used, [place(node) for node in _chain(user, used, layer)], kinds.get((user, used)))
        for user in uses
        for used in uses[user]
    )
    width = 2 * MARGIN + (1 + max(layer.values())) * (WIDTH + GAP) - GAP
    bottom = 2 * MARGIN + (0.5 + max(height.values())) * ROW
    tip = el("marker", el("path", d="M0 0L6 3L0 6z"), id="graph-arrow", refx=6, refy=3, markerWidth=6, markerHeight=6,
             orient="auto")  # fmt: skip
    return el(
        "svg",
        el("defs", tip),
        el("g", edges, class_="edges", aria_hidden="true", marker_end="url(#graph-arrow)"),
        el("g", (_node(claim, place(claim["id"]), index) for claim in claims)),
        class_="graph-drawing",
        viewbox=f"0 0 {width:.0f} {bottom:.0f}",
        width=f"{SCALE * width:.0f}",
        height=f"{SCALE * bottom:.0f}",
        role="group",
        aria_label=f"{len(claims)} claims around the theorems",
    )


def _edge(user: str, used: str, places: Sequence[Point], kind: str | None) -> Safe:
    """A smooth line from the right side of the used claim to the left side of its user."""
    (x, y), *rest = places
    line = f"M{x + WIDTH:.0f} {y:.0f}"
    for left, level in rest:
        x, half = x + WIDTH, (left - x - WIDTH) / 2
        line += f"C{x + half:.0f} {y:.0f} {left - half:.0f} {level:.0f} {left:.0f} {level:.0f}"
        x, y = left, level
        line += f"H{x + WIDTH:.0f}" if (left, level) != rest[-1] else ""
    return el("path", d=line, data_user=user, data_used=used, class_=kind)


def _node(claim: Record, at: Point, index: Index) -> Safe:
    verdict, upto = claim["verdict"], claim["holds_up_to"]
    weaker = Verdict(upto).rank > Verdict(verdict).rank
    sealed = (claim.get("coq") or NOT_ASKED)["asked"] != "no"
    place, name = index.place(claim), plain_words(claim["id"])
    spoken = f"{place}, {name}: {verdict}, {claim['reading'].replace('-', ' ')}, holds up to {upto}"
    lines = ((_cut(place, PLACE), HEIGHT / 2 - 2.5), (_cut(name, NAME), HEIGHT / 2 + 9.5))
    return el(
        "a",
        el("title", f"{spoken}, checked by Coq" if sealed else spoken),
        el("rect", width=WIDTH, height=HEIGHT, rx=6),
        el("text", glyph(verdict), x=11, y=HEIGHT / 2 + 4.5, class_="glyph"),
        el("text", (el("tspan", text, x=24, y=y) for text, y in lines), class_="label"),
        _mark(upto) if weaker else None,
        _seal() if sealed else None,
        href=f"#{target('claim', claim['id'])}",
        class_=f"node v-{verdict} r-{claim['reading']} {'weakened' if weaker else 'whole'}",
        transform=f"translate({at[0]:.0f} {at[1] - HEIGHT / 2:.1f})",
        data_id=claim["id"],
    )


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def _mark(upto: str) -> Safe:
    """In the upper corner: the weakest verdict among the dependencies."""
    inside = el("circle", r=8), el("text", glyph(upto), y=3.5)
    return el("g", inside, class_=f"flag v-{upto}", transform=f"translate({WIDTH - 4} 2)")


def _seal() -> Safe:
    """In the lower corner: Coq's kernel accepted a theorem of the claim."""
    inside = el("rect", x=-9, y=-7, width=18, height=14), el("text", COQ_SEAL, y=4)
    return el("g", inside, class_="seal", transform=f"translate(11 {HEIGHT})")


def _legend() -> Safe:
    items = (
        [el("b", "Fill"), ": verdict: ", badge("proved"), " ", badge("gap"), " ", badge("refuted"), " …"],
        [el("b", "Border"), ": reading: ", reading_badge("as-printed"), " ", reading_badge("repaired")],
        [el("b", "Thick border"), ": all dependencies have verdicts at least as strong"],
        [el("b", "Corner mark"), ": weakest verdict among the dependencies"],
        [el("b", "Dashed line"), ": from what is false or incomplete to the statements whose printed proof cites it"],
        [el("b", "Dotted line"), ": from a printed theorem to its correction"],
        [el("b", COQ_SEAL, class_="coq-seal"), ": Coq's kernel accepted its theorem"],
    )
    return el("ul", (el("li", item) for item in items), class_="graph-legend")
