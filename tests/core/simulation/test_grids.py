"""Grids as data: what is accepted, at the very ends, and the worlds that short names stand for."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from glbcheck.core import catalog
from glbcheck.core.environment import adversary
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import grid as grids
from glbcheck.core.simulation import instances
from glbcheck.core.simulation.grid import Block, Grid, grid

GRID = Grid(3, (Block(),))
CELL = Block(families=("poisson",), C=(10.0,), T=(100,), d=(3,), S=(2.0,)).cells()[0]


# --- grids ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "accepted"), [(0, True), (2**63, True), (-1, False), (2**63 + 1, False), (1.5, False)]
)
def test_a_seed_is_a_whole_number_of_sixty_four_bits(seed: Any, accepted: bool) -> None:
    if accepted:
        assert GRID.changed({}, seed).seed == grid({"seed": seed, "blocks": [{}]}).seed == seed
        return
    words = r"^seed = .* from 0 to 9223372036854775808"
    with pytest.raises(BadInput, match=words):
        GRID.changed({}, seed)
    with pytest.raises(BadInput, match=words):
        grid({"seed": seed, "blocks": [{}]})


@pytest.mark.parametrize(("content", "words"), [("{", "a JSON file"), (None, "a readable file")])
def test_a_file_that_is_no_grid_is_refused(content: str | None, words: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "g.json").write_text(content)
    with pytest.raises(BadInput, match=rf"^--grid = .* {words}"):
        grids.read(str(tmp_path / "g.json"))


# --- instances ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "family", "accepted"), [
    ("decades:0.1:1", "gaussian", True), ("decades:0.1:1", "poisson", False), ("constant:0.5", "poisson", False),
    ("constant:1", "poisson", True), ("spikes:0.5:2:5", "gaussian", True),
    ("spikes:0.5:1:5", "binomial_proportion", True),
    ("spikes:0.4:1:5", "binomial_proportion", False), ("dyadic:1", "gaussian", True), ("dyadic:1", "poisson", False),
])  # fmt: skip
def test_a_dispersion_that_a_family_does_not_have_is_refused(text: str, family: str, accepted: bool) -> None:
    if accepted:
        instances.check_dispersions(text, catalog.get(family), 8)
        return
    with pytest.raises(BadInput, match=r"^dispersions = "):
        instances.check_dispersions(text, catalog.get(family), 8)


@pytest.mark.parametrize(("axis", "text", "accepted"), [
    ("arms", "sphere:8", True), ("arms", "sphere:0", False), ("arms", "sphere:2.5", False), ("arms", "sphere", False),
    ("arms", "sphere:8:8", False), ("arms", "basis:1", False), ("arms", "basis", True), ("arms", "data:iris", True),
    ("arms", "data:tulip", False), ("arms", "data", False), ("arms", "corruption:1.5", True),
    ("arms", "sphere:x", False), ("arms", "sphere:1", True),
    ("arms", "corruption:1.6", False), ("arms", "corruption:0", False), ("arms", "sphere:10000", True),
    ("arms", 3, False),
    ("dispersions", "spikes:0.1:4:5", True), ("dispersions", "spikes:4:0.1:5", False), ("arms", "sphere:nan", False),
    ("dispersions", "constant:0", False), ("dispersions", "decades:1:1", False), ("dispersions", "dyadic:0", False),
    ("dispersions", "decades:0:1", False), ("dispersions", "spikes:0:1:5", False),
    ("dispersions", "constant:inf", False),
    ("adversaries", "searched:1000", True), ("adversaries", "searched:0", False), ("adversaries", "mirror", True),
])  # fmt: skip
def test_short_names_are_read_or_refused(axis: str, text: Any, accepted: bool) -> None:
    forms = {"arms": instances.ARMS, "dispersions": instances.DISPERSIONS, "adversaries": instances.ADVERSARIES}[axis]
    if accepted:
        assert text.startswith(instances.spec(axis, text, forms).name)
        return
    with pytest.raises(BadInput, match=rf"^{axis} = "):
        instances.spec(axis, text, forms)


@pytest.mark.parametrize(("name", "arms", "expected"), [
    ("none", "basis", adversary.NO_ATTACK), ("searched:2", "basis", adversary.NO_ATTACK),
    ("mirror", "basis", adversary.mirror(10.0)), ("late", "basis", adversary.late(10.0, 100)),
    ("hiding", "corruption:1.0", adversary.hidden(10.0, catalog.get("poisson"), 2.0, 2.0 * math.cos(1.0) ** 2)),
    ("hiding", "two-worlds", adversary.hidden(10.0, catalog.get("poisson"), 1.58, 0.0)),
])  # fmt: skip
def test_an_adversary_is_the_one_that_is_named(name: str, arms: str, expected: Any) -> None:
    cell = replace(CELL, adversary=name, arms=arms)
    assert instances.opponent(cell, catalog.get("poisson")) == expected
    assert instances.opponent(replace(cell, C=0.0), catalog.get("poisson")) == adversary.NO_ATTACK
