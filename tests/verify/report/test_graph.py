"""The drawing of the dependency graph: nothing lost, nothing on top of anything, used before user."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from glbcheck.verify.report import graph
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.report_bundle import real

Graph = dict[str, list[str]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Acyclic: a node uses nodes of smaller number only."""
    size = draw(st.integers(1, 14))
    return {
        f"n{k}": [f"n{j}" for j in draw(st.sets(st.integers(0, k - 1), max_size=4))] if k else [] for k in range(size)
    }


def paper() -> Graph:
    return {claim["id"]: claim["uses"] for claim in real().results["claims"]}


def assert_readable(uses: Graph) -> None:
    drawing = graph.draw(list(uses), uses)
    assert set(drawing.places) == set(uses)
    assert set(drawing.edges) == {(user, used) for user in uses for used in uses[user]}
    columns: dict[int, list[float]] = defaultdict(list)
    for layer, height in drawing.places.values():
        assert 0 <= layer < drawing.layers
        assert 0 <= height <= drawing.rows
        columns[layer].append(height)
    for heights in columns.values():
        assert all(after - before >= 1 - 1e-9 for before, after in pairwise(sorted(heights)))
    for (user, used), path in drawing.edges.items():
        assert path[0] == drawing.places[used]
        assert path[-1] == drawing.places[user]
        assert [layer for layer, _ in path] == list(range(path[0][0], path[-1][0] + 1))


@settings(deadline=None)
@given(graphs())
def test_a_drawing_is_readable(uses: Graph) -> None:
    assert_readable(uses)


def test_the_graph_of_the_paper_is_readable() -> None:
    uses = paper()
    for part in graph.components(list(uses), uses):
        assert_readable({name: uses[name] for name in part})


@settings(deadline=None)
@given(graphs())
def test_what_is_used_stands_next_to_its_first_user(uses: Graph) -> None:
    layer = graph.layering(list(uses), uses)
    for name in uses:
        users = [user for user in uses if name in uses[user]]
        if users:
            assert layer[name] == min(layer[user] for user in users) - 1


@given(graphs())
def test_components_are_the_connected_parts(uses: Graph) -> None:
    parts = graph.components(list(uses), uses)
    assert sorted(name for part in parts for name in part) == sorted(uses)
    part_of = {name: number for number, part in enumerate(parts) for name in part}
    assert all(part_of[user] == part_of[used] for user in uses for used in uses[user])
    for part in parts:
        reached, stack = set(), part[:1]
        while stack:
            name = stack.pop()
            reached.add(name)
            near = {*uses[name], *(user for user in part if name in uses[user])}
            stack += near - reached
        assert reached == set(part)


def test_a_drawing_depends_on_the_graph_alone() -> None:
    uses = paper()
    part = graph.components(list(uses), uses)[0]
    local = {name: uses[name] for name in part}
    assert graph.draw(part, local) == graph.draw(part, local)


def test_claims_that_rest_on_each_other_are_drawn_all_the_same() -> None:
    """A results file may hold a cycle, reported as a problem; the page must still appear."""
    assert set(graph.layering(["a", "b"], {"a": ["b"], "b": ["a"]})) == {"a", "b"}
