"""Learners on disk: bit by bit the same after a restart, and a file that is whole or not there."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD, Scouted
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Learner, files, restore, save

from tests.helpers.learners import ARMS, LEARNERS, TILTED, serve, used

# --- the same after a restart -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEARNERS)
def test_a_restored_learner_goes_on_bit_by_bit(name: str, tmp_path: Path) -> None:
    learner = used(name, columns=["a", "b"], scales=[1.0, 1.5])
    save(learner, tmp_path / "learner.json")
    again = restore(tmp_path / "learner.json", family=TILTED if name == "local" else None)
    assert again.guarantee == learner.guarantee
    assert (again.columns, again.desk.order, again.pending) == (("a", "b"), "arrival", learner.pending)
    for one in (learner, again):
        serve(one, 25, 2)
    assert again.algorithm.theta.tobytes() == learner.algorithm.theta.tobytes()
    assert again.algorithm.H.tobytes() == learner.algorithm.H.tobytes()
    assert (again.algorithm.beta, again.algorithm.radius) == (learner.algorithm.beta, learner.algorithm.radius)
    assert (again.staleness, again.regret_bound()) == (learner.staleness, learner.regret_bound())
    assert again.monitor is not None
    assert learner.monitor is not None
    assert again.monitor.as_dict() == learner.monitor.as_dict()
    assert again.monitor.evidence == learner.monitor.evidence


def test_rewards_that_wait_and_alarms_are_kept(tmp_path: Path) -> None:
    learner = used("sharpest", order="pulled")
    learner.reward(learner.choose(ARMS), 5.0)
    for ticket in learner.pending[:-1]:
        if ticket in learner.pending and ticket.number not in learner.desk.early:
            learner.reward(ticket, 0.0)
    assert learner.alarm is not None
    learner.choose(ARMS)
    learner.reward(learner.choose(ARMS), 1.0)
    save(learner, tmp_path / "learner.json")
    again = restore(tmp_path / "learner.json")
    assert again.alarm == learner.alarm
    assert again.desk.early == learner.desk.early
    assert len(again.desk.early) == 1
    for one in (learner, again):
        one.choose(ARMS)
        one.reward(one.awaited[0], 0.0)
    assert again.coming.tobytes() == learner.coming.tobytes()
    assert [ticket.curvature for ticket in again.pending] == [ticket.curvature for ticket in learner.pending]


def test_the_algorithm_alone_is_saved_too_and_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path, one = tmp_path / "learner.json", LEARNERS["sharpest"]()
    save(one, path)
    one.update(ARMS[0], 1.0)
    save(one, path)
    again = restore(path)
    assert again.monitor is None
    assert again.algorithm.t == 2
    assert [file.name for file in tmp_path.iterdir()] == ["learner.json"]


def test_what_is_no_number_is_not_written_and_the_file_before_it_stays(tmp_path: Path) -> None:
    one, path = LEARNERS["repaired"](), tmp_path / "learner.json"
    save(one, path)
    before = path.read_text()
    told = json.loads(before)["parameters"]
    assert (told["dispersions"], told["start"]) == ([1.0, 1.0], 0.0)
    one.become(replace(one.state, logdet=math.nan))
    with pytest.raises(ValueError, match="JSON"):
        save(one, path)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_numbers_that_left_the_house_are_not_issued_again(tmp_path: Path) -> None:
    learner, path = used("sharpest"), tmp_path / "learner.json"
    save(learner, path)
    lost = learner.choose(ARMS)
    assert restore(path).choose(ARMS).number == lost.number
    again = restore(path, issued=np.int64(lost.number))  # type: ignore[arg-type]
    assert again.choose(ARMS).number == lost.number + 1
    with pytest.raises(BadInput, match="was lost in a crash"):
        again.reward(lost, 1.0)
    with pytest.raises(BadInput, match=r"^issued = -1"):
        restore(path, issued=-1)


def test_rewards_that_wait_survive_two_restarts_and_a_ticket_given_up(tmp_path: Path) -> None:
    path, arms = tmp_path / "learner.json", np.eye(2)
    learner = Learner(HCWGLBOMD(catalog.get("bernoulli"), 2, 1.0), order="pulled")
    first, *later = learner.choose_batch(arms, 4)
    for ticket in later[:2]:
        learner.reward(ticket, 1.0)
    for _ in range(2):
        save(learner, path)
        again = restore(path)
        assert (again.pending, again.coming.tolist()) == (learner.pending, learner.coming.tolist())
        learner = again
    learner.forget(first.number)
    assert learner.algorithm.t == 3  # both that had waited are learnt from
    save(learner, path)
    assert restore(path).pending == learner.pending == (later[2],)


@pytest.mark.parametrize("order", ["arrival", "pulled"])
def test_a_learner_with_a_scout_goes_on_bit_by_bit_with_rewards_on_their_way(order: Any, tmp_path: Path) -> None:
    learner = Learner(Scouted(catalog.get("skellam"), 2, 1.0, C=1.0, horizon=1000), order=order)
    serve(learner, 60, 4)
    save(learner, tmp_path / "learner.json")
    again, chosen = restore(tmp_path / "learner.json"), []
    for one in (learner, again):
        serve(one, 40, 5)
        chosen.append([ticket.arm for ticket in one.pending])
    assert chosen[0] == chosen[1]
    assert again.as_dict() == learner.as_dict()
    assert again.algorithm.spent == learner.algorithm.spent > 0


# --- the file itself --------------------------------------------------------------------------------------------


def test_what_cannot_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "learner.json"
    save(LEARNERS["repaired"](), path)
    before = path.read_bytes()
    monkeypatch.setattr(files, "LARGEST", 1000)
    with pytest.raises(BadInput, match=r"^learner = .* bytes.* watch=None"):
        save(used("repaired"), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["learner.json"]


def test_a_file_keeps_its_permissions_and_a_link_goes_on_pointing_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "learner.json", tmp_path / "now.json"
    save(LEARNERS["repaired"](), path)
    path.chmod(0o640)
    link.symlink_to(path)
    save(used("repaired"), link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert restore(path).algorithm.t > 1


def test_places_that_cannot_be_written_to_and_things_that_are_no_learner_are_refused(tmp_path: Path) -> None:
    odd: list[Any] = [tmp_path, tmp_path / "no" / "learner.json", None, 5]
    for path in odd:
        with pytest.raises(BadInput, match=r"^path = "):
            save(LEARNERS["repaired"](), path)
    thing: Any = 3
    with pytest.raises(BadInput, match=r"^learner = 3 .* Learner or"):
        save(thing, tmp_path / "learner.json")
