"""States of the engine on disk: bit by bit the same, and the reference reads them too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core.engine import World
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import ROUNDS
from glbcheck.core.engine.run import Player, played
from glbcheck.core.engine.state import initial, views
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import restore, save
from glbcheck.core.learner.engine_state import restore_engine, save_engine
from glbcheck.core.parameters import parameters

from tests.helpers.learners import ARMS, COIN, LEARNERS, edited, put

REPAIRED = parameters(COIN, 2, 1.0, 0.05, 3.0, reading="repaired")


@pytest.mark.parametrize("reading", ["sharpest", "repaired"])
def test_the_engine_goes_on_bit_by_bit_and_the_reference_from_its_file(reading: str, tmp_path: Path) -> None:
    p = parameters(COIN, 2, 1.0, 0.05, 3.0, reading=reading, horizon=1e3 if reading == "sharpest" else None)
    world, state = World(np.array([0.5, -0.6]), 0.999 * ARMS), initial(p)
    played(Player(ROUNDS[p.index], state), p, Course(world, 200, 1, ()), (), False)
    save_engine(tmp_path / "engine.json", p, state)
    q, again = restore_engine(tmp_path / "engine.json")
    first, second = (
        played(Player(ROUNDS[own.index], one), own, Course(world, 200, 2, ()), (), True)
        for one, own in ((state, p), (again, q))
    )
    assert first.record is not None
    assert second.record is not None
    assert all((first.record[name] == second.record[name]).all() for name in first.record)
    assert (first.H.tobytes(), first.theta.tobytes()) == (second.H.tobytes(), second.theta.tobytes())
    reference = restore(tmp_path / "engine.json").algorithm
    assert reference.t == 201
    reward = float(first.record["reward"][0] + first.record["corruption"][0])
    assert reference.select(world.arms) == first.record["arm"][0]  # type: ignore[arg-type]
    assert reference.update(world.arms[int(first.record["arm"][0])], reward).radius == pytest.approx(  # type: ignore[index]
        first.record["radius"][0], rel=1e-9
    )


def test_the_engine_goes_on_from_a_file_of_the_reference(tmp_path: Path) -> None:
    one = LEARNERS["repaired"]()
    for k in range(20):
        one.update(ARMS[k % 6], float(k % 2))
    save(one, tmp_path / "learner.json")
    _, state = restore_engine(tmp_path / "learner.json")
    engine = views(state)
    assert (engine.H == one.H).all()
    L = np.tril(engine.lower, -1) + np.eye(2)
    assert np.allclose(L.T @ (L / engine.inverse_d[:, None]), one.H, rtol=1e-13)
    assert float(engine.facts.radius) == pytest.approx(one.radius, rel=1e-12)


def test_of_an_older_version_the_reference_is_read_and_the_engine_is_refused(tmp_path: Path) -> None:
    """Version 1 had another field in place of `decided`, which is not the same question."""
    p = parameters(COIN, 2, 1.0, 0.05, 0.0)

    def older(document: dict[str, Any]) -> None:
        document["version"] = 1
        document["engine"]["screen"] = document["engine"].pop("decided")

    save_engine(tmp_path / "engine.json", p, initial(p))
    path = edited(tmp_path / "engine.json", older)
    with pytest.raises(BadInput, match=r"^version = 1 .* an engine's state of version 2; or `restore`"):
        restore_engine(path)
    assert (p.lam * np.eye(2) == restore(path).algorithm.H).all()
    save(restore(path).algorithm, path)
    assert json.loads(path.read_text())["version"] == 2
    assert (p.lam * np.eye(2) == views(restore_engine(path)[1]).H).all()


@pytest.mark.parametrize(("edit", "word"), [
    (put("engine", value="none"), "engine"),
    (put("engine", "inverse_d", value=[0.0, 1.0]), "engine.inverse_d"),
    (put("engine", "weight", value="heavy"), "engine.weight"),
    (lambda document: document["engine"].update(inverse_d=[1.01 * g for g in document["engine"]["inverse_d"]]),
     "engine.lower"),
    (put("engine", "lower", value=[[0.0, 0.0], [5.0, 0.0]]), "engine.lower"),
])  # fmt: skip
def test_an_engine_that_is_none_is_refused(edit: Callable[[dict[str, Any]], object], word: str, tmp_path: Path) -> None:
    save_engine(tmp_path / "engine.json", REPAIRED, initial(REPAIRED))
    with pytest.raises(BadInput, match=rf"^{word} = "):
        restore_engine(edited(tmp_path / "engine.json", edit))
