"""Real data as a bandit: the reduction, the labels as rewards, and regret that counts wrong classes."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import MissingLibrary
from glbcheck.core.rivals import NAMES
from glbcheck.core.simulation import cells, datasets, tables
from glbcheck.core.simulation.defaults import accepted
from glbcheck.core.simulation.grid import Block, Cell

from glbcheck.cli import main

BLOCK = Block(
    families=("bernoulli",), d=(9,), S=(4.0,), C=(20.0,), arms=("data:iris",), T=(300,), adversaries=("mirror",),
    index=("closed-form",), constants=("sharpest",), replicates=2,
)  # fmt: skip
(CELL,) = BLOCK.cells()


@pytest.mark.parametrize(("name", "K"), datasets.CLASSES.items())
def test_an_arm_has_its_features_in_its_own_coordinates_and_the_right_one_pays(name: str, K: int) -> None:
    data = datasets.examples(name, 3 * K)
    every = np.arange(data.classes.size)
    arms, labels = data.arms(every), data.labels(every)
    assert arms.shape == (every.size, K, 3 * K)
    assert (np.linalg.norm(arms, axis=2) <= 1).all()
    assert (labels.sum(axis=1) == 1).all()
    assert (labels.argmax(axis=1) == data.classes).all()
    for a in range(K):
        own = arms[:, a].reshape(-1, K, 3)
        assert np.array_equal(own[:, a], data.features)
        assert not np.delete(own, a, axis=1).any()


@pytest.mark.parametrize("family", datasets.FAMILIES)
@pytest.mark.parametrize("S", [0.5, 3.0])
def test_the_best_fixed_parameter_is_stationary_on_the_ball(family: str, S: float) -> None:
    from glbcheck.core import catalog

    data, theta = datasets.examples("wine", 9), datasets.best_fixed("wine", family, 9, S)
    every = np.arange(data.classes.size)
    points, labels = data.arms(every).reshape(-1, 9), data.labels(every).reshape(-1)
    gradient = points.T @ (labels - catalog.get(family).mu(points @ theta))
    assert np.linalg.norm(theta) <= S
    along = gradient @ theta / S**2
    if np.linalg.norm(theta) > 0.99 * S:  # on the sphere the gradient points outward
        assert along >= 0
        assert np.linalg.norm(gradient - along * theta) <= 1e-4 * max(float(np.linalg.norm(gradient)), 1.0)
    else:
        assert np.linalg.norm(gradient) <= 1e-4


def test_a_run_is_passes_over_the_data_and_regret_counts_wrong_classes() -> None:
    stream = datasets.Stream.drawn("iris", 9, 400, np.random.default_rng(0))
    assert sorted(stream.order[:150]) == list(range(150))
    assert sorted(stream.order[150:300]) == list(range(150))
    row = cells.play(CELL, 0, 1)
    assert row["regret"] == int(row["regret"])
    assert row["regret_at"] == sorted(row["regret_at"])
    assert row["regret_at"][-1] == row["regret"] <= CELL.T
    assert 0 < row["corruption"] <= CELL.C * (1 + 1e-12)
    # One class in three is right by chance.
    chance = cells.play(replace(CELL, algorithm="uniform", T=3000), 0, 1)["regret"] / 3000
    assert chance == pytest.approx(2 / 3, abs=0.04)


def test_the_labels_teach_and_no_guarantee_is_claimed() -> None:
    cell = replace(CELL, C=0.0, T=3000, algorithm="greedy")
    row = tables.summary(replace(CELL, T=300), [cells.play(CELL, n, 1) for n in range(2)], 1.0, 1)
    assert (row["guarantee"], row["alarm"], row["bound_sharpest"], row["lower_bound"]) == (None, False, None, None)
    assert row["on_data"] is True
    greedy = cells.play(cell, 0, 1)
    assert greedy["regret"] < 0.4 * 3000
    assert greedy["best_fixed"] < 0.25 * 3000


@pytest.mark.parametrize("family", datasets.FAMILIES)
def test_every_algorithm_that_accepts_the_link_plays_on_data(family: str) -> None:
    block = replace(BLOCK, families=(family,), T=(30,))
    names = accepted(block, NAMES)
    assert {"hcw-glb-omd", "glb-omd", "glm-ucb", "greedy", "uniform"} <= set(names)
    assert ("cw-oful" in names) == (family == "gaussian")
    for name in names:
        (cell,) = replace(block, algorithms=(name,)).cells()
        assert cells.play(cell, 0, 1)["regret"] <= 30


def test_the_command_takes_a_data_set_by_name(tmp_path: Path) -> None:
    arguments = ["--arms", "data:iris", "--smoke", "--T", "60", "--replicates", "2", "--C", "5", "--workers", "1"]
    options = ["--algorithms", "hcw-glb-omd,greedy", "--output", str(tmp_path / "run")]
    assert main(["simulate", "regret", *arguments, *options]) == 0
    data: dict[str, Any] = json.loads((tmp_path / "run" / "cells.json").read_text())
    played = {(row["family"], row["algorithm"], row["arms"], row["d"]) for row in data["cells"]}
    pairs = [(family, name) for family in datasets.FAMILIES for name in ("hcw-glb-omd", "greedy")]
    assert played == {(family, name, "data:iris", 12) for family, name in pairs}
    assert any("the model may be wrong" in sentence for sentence in data["conclusions"]["words"])


def test_without_scikit_learn_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    datasets.examples.cache_clear()
    with pytest.raises(MissingLibrary, match=r"glbcheck\[data\]"):
        cells.check(_fresh(CELL))
    datasets.examples.cache_clear()


def _fresh(cell: Cell) -> Cell:
    return replace(cell, d=6)


@pytest.mark.parametrize(("d", "words"), [
    (3, "a multiple of 3, from 6 on"), (7, "a multiple of 3, from 6 on"), (18, "at most 15"), (6, ""), (15, ""),
])  # fmt: skip
def test_each_class_has_two_features_at_least_and_no_more_than_there_are(d: int, words: str) -> None:
    if not words:
        datasets.check("iris", "bernoulli", d)
        assert datasets.examples("iris", d).features.shape == (150, d // 3)
        return
    with pytest.raises(BadInput, match=rf"^d = {d} .* {words}"):
        datasets.check("iris", "bernoulli", d)


def test_features_are_a_constant_and_components_of_unit_variance_in_the_unit_ball() -> None:
    features = datasets.examples("iris", 12).features
    lengths = np.linalg.norm(features, axis=1)
    assert lengths.max() <= 1
    assert np.mean(lengths < 1 - 1e-6) == pytest.approx(0.95, abs=0.01)
    free = features / features[:, :1]  # before it was shortened
    assert free[:, 1:].mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    assert free[:, 1:].std(axis=0) == pytest.approx(np.ones(3))
    assert np.corrcoef(free[:, 1:].T) == pytest.approx(np.eye(3), abs=1e-9)
    from sklearn.datasets import load_iris

    raw = load_iris().data
    scored = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    _, vectors = np.linalg.eigh(scored.T @ scored)
    for k in range(3):
        component = scored @ vectors[:, -1 - k]
        sign = np.sign(vectors[np.abs(vectors[:, -1 - k]).argmax(), -1 - k])
        assert free[:, 1 + k] == pytest.approx(sign * component / component.std())


def test_a_stream_shows_the_examples_in_its_order_and_pays_their_labels() -> None:
    stream = datasets.Stream.drawn("iris", 9, 400, np.random.default_rng(1))
    assert stream.order.size == 400
    assert sorted(stream.order[150:300].tolist()) == list(range(150))  # a pass of its own
    chosen, unused = stream.order[200:207], np.random.default_rng(0)
    assert np.array_equal(stream.arms(unused, 200, 7), stream.data.arms(chosen))
    assert np.array_equal(stream.rewards(unused, 200, 7), stream.data.labels(chosen))
