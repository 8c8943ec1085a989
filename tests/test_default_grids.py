"""The default grids are a published study: what they play, in numbers, whichever algorithms accept it."""

from __future__ import annotations

from typing import Any

import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import datasets, defaults
from glbcheck.core.simulation.grid import Block, Grid


@pytest.fixture(autouse=True)
def everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """All algorithms accept all cells, and no data are loaded."""
    monkeypatch.setattr(defaults, "accepted", lambda block, names: ("everybody",))
    monkeypatch.setattr(defaults, "is_installed", lambda name: False)
    monkeypatch.setattr(datasets, "examples", lambda name, d: None)


def axes(blocks: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(getattr(block, name) for name in names) for block in blocks]


# A changed default grid is another study: whoever changes one on purpose changes its name here too.
@pytest.mark.parametrize(("kind", "smoke", "cells", "name"), [
    ("coverage", False, 103, "480dcf9f85ad"), ("coverage", True, 91, "b668e3465785"),
    ("regret", False, 204, "abecd0062bef"), ("regret", True, 48, "848ab9d82b39"),
])  # fmt: skip
def test_a_default_grid_is_the_study_that_was_published(kind: str, smoke: bool, cells: int, name: str) -> None:
    found = defaults.grid(kind, smoke)
    assert (len(found.cells()), found.name[:12], found.seed) == (cells, name, 2026)


@pytest.mark.parametrize(("smoke", "name"), [(False, "6445b345013b"), (True, "e0979d232177")])
def test_a_data_set_is_played_by_two_models_with_four_features_for_each_class(smoke: bool, name: str) -> None:
    blocks = defaults.grid("regret", smoke, ["iris"]).blocks
    assert axes(blocks, "families", "S", "dispersions", "d", "arms") == [
        (("bernoulli",), (4.0,), ("constant:1",), (12,), ("data:iris",)),
        (("gaussian",), (2.0,), ("constant:0.25",), (12,), ("data:iris",)),
    ]
    assert Grid(1, blocks).name[:12] == name


def test_the_centre_is_the_same_for_all_and_every_axis_is_varied_alone() -> None:
    centre = defaults._centre(smoke=False)
    assert centre == Block(
        adversaries=("mirror",), constants=("sharpest",), index=("closed-form",), arms=("sphere:20",), T=(20_000,),
        replicates=20,
    )  # fmt: skip
    blocks = defaults.regret(smoke=False)
    assert {block.C for block in blocks[:3]} == {(0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)}
    assert {block.families for block in blocks[:3]} == {("gaussian",), ("bernoulli",), ("poisson",)}
    assert {block.T for block in blocks} >= {(1000, 10_000, 100_000), (5000,), (20_000,)}
    assert {block.S for block in blocks} == {(1.0,), (2.0, 4.0)}
    assert {block.d for block in blocks} == {(2,), (5, 10)}


@pytest.mark.parametrize("smoke", [False, True])
def test_where_data_can_be_loaded_one_set_is_played_after_all_else(
    smoke: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = defaults.regret(smoke)
    monkeypatch.setattr(defaults, "is_installed", lambda name: name == "scikit-learn")
    assert defaults.regret(smoke) == (*without, *defaults.on_data("breast_cancer", smoke))


def test_data_that_cannot_be_loaded_are_refused_before_anything_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, d: int) -> None:
        raise BadInput("arms", f"data:{name}, d = {d}", "scikit-learn beside it")

    monkeypatch.setattr(datasets, "examples", missing)
    with pytest.raises(BadInput, match=r"data:iris, d = 12.*scikit-learn beside it"):
        defaults.on_data("iris", smoke=True)


def test_a_data_set_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"^arms = 'data:tulip' .* one of data:breast_cancer"):
        defaults.on_data("tulip", smoke=True)
