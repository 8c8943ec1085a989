"""The default grids are a published study: what they play, in numbers, whichever algorithms accept it."""

from __future__ import annotations

import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.simulation import datasets, defaults
from glbcheck.core.simulation.grid import Block


@pytest.fixture(autouse=True)
def everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """All algorithms accept all cells, and no data are loaded."""
    monkeypatch.setattr(defaults, "accepted", lambda block, names: ("everybody",))
    monkeypatch.setattr(defaults, "is_installed", lambda name: False)
    monkeypatch.setattr(datasets, "examples", lambda name, d: None)


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


def test_a_data_set_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"^arms = 'data:tulip' .* one of data:breast_cancer"):
        defaults.on_data("tulip", smoke=True)
