"""A layered drawing of a directed acyclic graph: what is used stands to the left of what uses it.

The steps are those of Sugiyama: a layer for each node, a bend for each layer that an edge crosses, an order
within each layer by the mean of the neighbours, and heights that pull neighbours level without overlap.
Everything is deterministic, and the drawing depends on nothing but the graph and the order of its nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 12
BEND = 0.35  # the room a passing edge takes, in units of a node's row


@dataclass(frozen=True)
class Drawing:
    """Layer and height (in rows) of each node, and for each edge the points it passes, ends included."""

    places: Mapping[str, tuple[int, float]]
    edges: Mapping[tuple[str, str], Sequence[tuple[int, float]]]

    @property
    def layers(self) -> int:
        return 1 + max((layer for layer, _ in self.places.values()), default=-1)

    @property
    def rows(self) -> float:
        return 1 + max((y for _, y in self.places.values()), default=-1.0)


def components(names: Sequence[str], uses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The connected parts of the graph, largest first; the nodes of a part keep their order."""
    near: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for other in uses[name]:
            near[name].append(other)
            near[other].append(name)
    part_of: dict[str, int] = {}
    for start in names:
        stack = [] if start in part_of else [start]
        while stack:
            name = stack.pop()
            if name not in part_of:
                part_of[name] = part_of.get(start, len(part_of))
                stack += near[name]
    parts: dict[int, list[str]] = defaultdict(list)
    for name in names:
        parts[part_of[name]].append(name)
    return sorted(parts.values(), key=len, reverse=True)


def draw(names: Sequence[str], uses: Mapping[str, Sequence[str]]) -> Drawing:
    """Layers from left to right; every node stands as far right as those who use it allow."""
    layer = layering(names, uses)
    chains = {(user, used): _chain(user, used, layer) for user in names for used in uses[user]}
    nodes = [*names, *(bend for chain in chains.values() for bend in chain[1:-1])]
    place = {node: layer[node] if isinstance(node, str) else node[2] for node in nodes}
    columns: list[list[_Node]] = [[] for _ in range(1 + max(place.values(), default=0))]
    for node in nodes:
        columns[place[node]].append(node)
    near: dict[_Node, list[_Node]] = defaultdict(list)
    for chain in chains.values():
        for left, right in pairwise(chain):
            near[left].append(right)
            near[right].append(left)
    height = _heights(columns, near, place)
    return Drawing(
        {name: (layer[name], height[name]) for name in names},
        {edge: [(place[node], height[node]) for node in chain] for edge, chain in chains.items()},
    )


def layering(names: Sequence[str], uses: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The longest way to a node from the left, then everything that is used moved next to its first user."""
    order: list[str] = []
    entered: set[str] = set()
    for start in names:
        stack = [(start, False)]
        while stack:
            name, finished = stack.pop()
            if finished:
                order.append(name)
            elif name not in entered:
                entered.add(name)
                stack.append((name, True))
                stack += [(other, False) for other in uses[name]]
    layer: dict[str, int] = {}
    for name in order:
        layer[name] = 1 + max((layer.get(other, -1) for other in uses[name]), default=-1)
    users: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for other in uses[name]:
            users[other].append(name)
    for name in reversed(order):
        layer[name] = min((layer[user] - 1 for user in users[name]), default=layer[name])
    return layer


# A node is a name, a bend is (user, used, layer).
_Node = str | tuple[str, str, int]


def _chain(user: str, used: str, layer: Mapping[str, int]) -> list[_Node]:
    """From the used to the user, with a bend in each layer between."""
    return [used, *((user, used, at) for at in range(layer[used] + 1, layer[user])), user]


def _heights(
    columns: Sequence[list[_Node]], near: Mapping[_Node, Sequence[_Node]], place: Mapping[_Node, int]
) -> dict[_Node, float]:
    height: dict[_Node, float] = {}
    for column in columns:
        height.update(zip(column, _stacked(column, [0.0] * len(column)), strict=True))
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            wish: dict[_Node, float] = {}
            for node in column:
                side = [o for o in near[node] if (place[o] < place[node]) == forward] or near[node]
                wish[node] = sum(height[o] for o in side) / len(side) if side else height[node]
            column.sort(key=lambda node: (wish[node], height[node]))
            height.update(zip(column, _stacked(column, [wish[n] for n in column]), strict=True))
    for column in columns:
        wish = {n: sum(height[o] for o in near[n]) / len(near[n]) if near[n] else height[n] for n in column}
        height.update(zip(column, _stacked(column, [wish[n] for n in column]), strict=True))
    top = min(height.values(), default=0.0)
    return {node: y - top for node, y in height.items()}


def _stacked(column: Sequence[_Node], wishes: Sequence[float]) -> list[float]:
    """Heights in this order, far enough apart and nearest to the wishes in the mean square.

    With the distances taken out this is isotonic regression: neighbours that would overlap share a mean.
    """
    offsets, offset = [], 0.0
    for node in column:
        room = 1.0 if isinstance(node, str) else BEND
        offsets.append(offset + room / 2)
        offset += room
    blocks: list[tuple[float, int]] = []
    for wish, shift in zip(wishes, offsets, strict=True):
        mean, size = wish - shift, 1
        while blocks and blocks[-1][0] > mean:
            other, count = blocks.pop()
            mean, size = (mean * size + other * count) / (size + count), size + count
        blocks.append((mean, size))
    level = [mean for mean, size in blocks for _ in range(size)]
    return [mean + shift for mean, shift in zip(level, offsets, strict=True)]
