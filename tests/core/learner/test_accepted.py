"""What is accepted as a state, at the very ends of what a learner can have seen."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD, State
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Monitor, files, save
from glbcheck.core.learner.fields import Fields
from glbcheck.core.theory.parameters import Parameters, parameters

GAUSSIAN = catalog.get("gaussian")
TOLD = parameters(GAUSSIAN, 2, 1.0, 0.05, 0.0, reading="sharpest", horizon=100, dispersions=(0.5, 4.0))
NOT_TOLD = parameters(GAUSSIAN, 2, 1.0, 0.05, 0.0, reading="repaired")
COIN = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0, reading="repaired")


def checked_state(p: Parameters, saved: dict[str, Any]) -> State:
    return files._state(p, Fields("state", saved))


def state(p: Parameters, **changes: Any) -> dict[str, Any]:
    plain = {"theta": [0.0, 0.0], "H": (p.lam * np.eye(2)).tolist(), "logdet": 0.0, "rounds": 8, "inverse_g": 8.0}
    return plain | changes


def seen(p: Parameters, along: float, more: float = 0.0) -> dict[str, Any]:
    """A state whose H has grown by this much in one direction; its log determinant is off by `more`."""
    H = p.lam * np.eye(2) + np.diag([along, 0.0])
    return state(p, H=H.tolist(), logdet=math.log1p(along / p.lam) + more)


@pytest.mark.parametrize(("p", "saved"), [
    (TOLD, state(TOLD, inverse_g=2.0)), (TOLD, state(TOLD, inverse_g=16.0)),
    (NOT_TOLD, state(NOT_TOLD, inverse_g=1e-3)), (NOT_TOLD, state(NOT_TOLD, inverse_g=1e6)),
    (NOT_TOLD, state(NOT_TOLD, rounds=0, inverse_g=0.0)), (COIN, state(COIN)), (COIN, state(COIN, theta=[0.6, -0.8])),
    (COIN, seen(COIN, 2.0)), (COIN, seen(COIN, 1.9, 1e-7)),
])  # fmt: skip
def test_what_a_learner_can_have_seen_is_accepted(p: Parameters, saved: dict[str, Any]) -> None:
    found = checked_state(p, saved)
    assert (found.rounds, found.inverse_g, found.logdet) == tuple(
        saved[key] for key in ("rounds", "inverse_g", "logdet")
    )
    assert (found.theta.tolist(), found.H.tolist()) == (saved["theta"], saved["H"])


@pytest.mark.parametrize(("p", "saved", "words"), [
    (TOLD, state(TOLD, inverse_g=1.99), r"^state.inverse_g = .* 8 rounds, from 2 to 16"),
    (TOLD, state(TOLD, inverse_g=16.01), r"^state.inverse_g = .* 8 rounds, from 2 to 16"),
    (COIN, state(COIN, inverse_g=8.01), r"^state.inverse_g = .* 8 rounds, from 8 to 8"),
    (COIN, state(COIN, inverse_g=7.99), r"^state.inverse_g = "),
    (NOT_TOLD, state(NOT_TOLD, inverse_g=-1.0), r"^state.inverse_g = -1.0 .* 8 rounds, from 0 to inf"),
    (NOT_TOLD, state(NOT_TOLD, rounds=0), r"^state.inverse_g = 8.0 .* 0 rounds"),
    (NOT_TOLD, state(NOT_TOLD, inverse_g=0.0), r"^state.inverse_g = 0.0 .* 8 rounds"),
    (COIN, state(COIN, theta=[0.6, -0.801]), r"^state.theta = .* at most S = 1"),
    (COIN, state(COIN, theta=[0.0] * 3), r"^state.theta = .*\(3,\)"),
    (COIN, state(COIN, theta=[[0.0, 0.0]]), r"^state.theta = .*\(1, 2\)"),
    (COIN, seen(COIN, -0.01), r"^state.H = .* at least λ"),
    (COIN, seen(COIN, 1.9, 1e-5), r"^state.logdet = "), (COIN, seen(COIN, 1.9, -1e-5), r"^state.logdet = "),
])  # fmt: skip
def test_what_no_learner_can_have_seen_is_refused(p: Parameters, saved: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        checked_state(p, saved)


# --- the monitor of a file --------------------------------------------------------------------------------------


def monitor(rounds: int) -> Monitor:
    made = Monitor(COIN)
    for t in range(rounds):
        made.observe(np.array([0.6, -0.8]), (0.0, 1.0, 1.25)[t])
    assert made.evidence < made.threshold  # after a search
    return made


@pytest.mark.parametrize("rounds", [0, 3])
def test_a_monitor_is_accepted_as_it_was_saved_and_goes_on_as_the_one_that_was(rounds: int) -> None:
    saved = monitor(rounds).as_dict()
    again = Monitor.as_it_was(COIN, Fields("monitor", saved), rounds)
    assert again.as_dict() == saved
    assert (saved["impossible"], any(saved["theta"])) == ((0.25, True) if rounds else (0.0, False))
    first, second = again, monitor(rounds)
    for one in (first, second):
        one.observe(np.array([0.8, 0.6]), 1.0)
    assert first.as_dict() == second.as_dict()
    assert first.evidence == second.evidence


@pytest.mark.parametrize(("key", "value"), [
    ("due", -1), ("due", 1.5), ("rounds", 4), ("theta", [0.7]), ("impossible", math.nan),
    ("rows", [[0.6, 0.8, 1.0]] * 3), ("rows", [[0.6, 0.8, math.inf, 1.0]] * 3), ("size", "much"), ("logs", [0.0] * 11),
    ("running", None), ("alarm", [0, "x"]), ("alarm", [4, "x"]), ("alarm", [1, 2]), ("alarm", [1]),
])  # fmt: skip
def test_what_no_monitor_can_be_is_refused(key: str, value: object) -> None:
    saved = monitor(3).as_dict() | {key: value}
    with pytest.raises(BadInput, match=rf"monitor\.{key}"):
        Monitor.as_it_was(COIN, Fields("monitor", saved), 3)


# --- the file on disk -------------------------------------------------------------------------------------------


def test_all_of_a_file_is_on_disk_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, old = [], b"what was there"
    (tmp_path / "a").write_bytes(old)

    def synced(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        assert (tmp_path / "a").read_bytes() == old

    monkeypatch.setattr(os, "fsync", synced)
    save(HCWGLBOMD.with_parameters(COIN), tmp_path / "a")
    assert sizes == [(tmp_path / "a").stat().st_size]


def test_a_disk_that_fails_leaves_the_file_that_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError("no space left")

    (tmp_path / "a").write_bytes(b"what was there")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        save(HCWGLBOMD.with_parameters(COIN), tmp_path / "a")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a", b"what was there")]
