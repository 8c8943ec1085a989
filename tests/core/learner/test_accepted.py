"""What is accepted as a monitor, and a file that is on disk before it takes the place of another."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Monitor, save
from glbcheck.core.learner.fields import Fields
from glbcheck.core.theory.parameters import parameters

COIN = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0, reading="repaired")


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
    again = Monitor.as_it_was(COIN, Fields("monitor", saved))
    assert again.as_dict() == saved
    assert (saved["impossible"], any(saved["theta"])) == ((0.25, True) if rounds else (0.0, False))
    first, second = again, monitor(rounds)
    for one in (first, second):
        one.observe(np.array([0.8, 0.6]), 1.0)
    assert first.as_dict() == second.as_dict()
    assert first.evidence == second.evidence


@pytest.mark.parametrize(("key", "value"), [
    ("due", -1), ("due", 1.5), ("theta", [0.7]), ("impossible", math.nan),
    ("rows", [[0.6, 0.8, 1.0]] * 3), ("rows", [[0.6, 0.8, math.inf, 1.0]] * 3), ("size", "much"), ("logs", [0.0] * 11),
    ("running", None),
])  # fmt: skip
def test_what_no_monitor_can_be_is_refused(key: str, value: object) -> None:
    saved = monitor(3).as_dict() | {key: value}
    with pytest.raises(BadInput, match=rf"monitor\.{key}"):
        Monitor.as_it_was(COIN, Fields("monitor", saved))


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
