"""Learners on disk: bit by bit the same after a restart, and nothing that is not a state comes in."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.engine import World
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import play
from glbcheck.core.engine.run import Player, played
from glbcheck.core.engine.state import initial, views
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Learner, restore, save, saving
from glbcheck.core.learner.engine_state import restore_engine, save_engine
from glbcheck.core.learner.states import numbers
from glbcheck.core.parameters import parameters
from glbcheck.core.world import sphere

COIN, GAUSSIAN = catalog.get("bernoulli"), catalog.get("gaussian")
TILTED = catalog.get("exponential").tilted(2)
ARMS = sphere(np.random.default_rng(0), 6, 2)

LEARNERS: dict[str, Callable[[], HCWGLBOMD]] = {
    "sharpest": lambda: HCWGLBOMD(COIN, 2, 1.0, C=3.0, constants="sharpest", horizon=1000),
    "dispersions": lambda: HCWGLBOMD(GAUSSIAN, 2, 1.0, constants="sharpest", dispersions=(0.5, 2.0), horizon=1e3),
    "scaled, from the sphere": lambda: HCWGLBOMD(
        COIN, 2, 1.0, constants="sharpest", horizon=1000, radius_scale=0.5, theta0=[0.6, 0.8]
    ),
    "repaired": lambda: HCWGLBOMD(COIN, 2, 1.0, C=3.0, alpha=0.4, constants="repaired", index="closed-form"),
    "by hand": lambda: HCWGLBOMD(GAUSSIAN, 2, 1.0, lam=2.0, radius_scale=0.1, theta0=[0.1, 0.2]),
    "local": lambda: HCWGLBOMD(TILTED, 2, 1.0, constants="local", radius_form="determinant"),
}


def serve(learner: Learner, rounds: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for t in range(rounds):
        learner.choose(ARMS)
        if t % 3:
            waited = [ticket for ticket in learner.pending if ticket.number not in learner.desk.early]
            ticket = waited[int(rng.integers(len(waited)))]
            learner.reward(ticket, float(rng.integers(2)))


def used(name: str, **options: Any) -> Learner:
    learner = Learner(LEARNERS[name](), **options)
    serve(learner, 25, 1)
    return learner


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


def test_a_file_keeps_that_there_is_no_regret_bound_and_one_that_does_not_say_has_none(tmp_path: Path) -> None:
    path, learner = tmp_path / "learner.json", used("sharpest")
    save(learner, path)
    assert restore(path).regret_bound() == learner.regret_bound() is not None
    assert restore(edited(path, lambda doc: doc["service"].pop("optimistic"))).regret_bound() is None
    learner.choose_batch(ARMS, 2, distinct=True)
    save(learner, path)
    assert restore(path).regret_bound() is None


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
    with pytest.raises(ValueError, match="JSON"):
        saving.write(path, one.parameters, replace(one.state, logdet=math.nan))
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


# --- the engine -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ["sharpest", "repaired"])
def test_the_engine_goes_on_bit_by_bit_and_the_reference_from_its_file(reading: str, tmp_path: Path) -> None:
    p = parameters(COIN, 2, 1.0, 0.05, 3.0, reading=reading, horizon=1e3 if reading == "sharpest" else None)
    world, state = World(np.array([0.5, -0.6]), 0.999 * ARMS), initial(p)
    played(Player(play, state), p, Course(world, 200, 1, ()), (), False)
    save_engine(tmp_path / "engine.json", p, state)
    q, again = restore_engine(tmp_path / "engine.json")
    first, second = (
        played(Player(play, one), own, Course(world, 200, 2, ()), (), True) for one, own in ((state, p), (again, q))
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


# --- what is not a state ----------------------------------------------------------------------------------------


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))
    return path


def wait(document: dict[str, Any]) -> None:
    document["service"]["early"] = [[document["service"]["open"][0][0], 1.0, 1.0]]


def stale(document: dict[str, Any], share: float) -> None:
    document["service"]["staleness"] = share * math.exp(document["state"]["logdet"] / 2)


def watched_more(document: dict[str, Any]) -> None:
    monitor = document["service"]["monitor"]
    monitor["rounds"] += 1
    monitor["rows"].append(monitor["rows"][0])


def put(*keys: str | int, value: Any) -> Callable[[dict[str, Any]], object]:
    def edit(document: Any) -> object:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value
        return document

    return edit


BAD: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("another format", put("format", value="learner"), r"^path = .*\"format\""),
    ("another version", put("version", value=3), r"^version = 3 .* version 1 or 2"),
    ("no version", lambda doc: doc.pop("version"), r"^version = None"),
    ("no state", lambda doc: doc.pop("state"), r"^state = None"),
    ("indefinite H", put("state", "H", value=[[9.0, 0.0], [0.0, -9.0]]), r"^state.H = .* least eigenvalue is -9"),
    ("H below the start", put("state", "H", value=[[1e-3, 0.0], [0.0, 1e-3]]), r"^state.H = .* at least λ"),
    ("one direction below it", put("state", "H", value=[[90.0, 0.0], [0.0, 0.1]]), r"^state.H = .* at least λ"),
    ("H not symmetric", put("state", "H", value=[[90.0, 1.0], [0.0, 90.0]]), r"^state.H = .* symmetric"),
    ("H beyond what was seen", put("state", "H", value=[[1e9, 0.0], [0.0, 1e9]]), r"^state.H = .* trace"),
    ("H of another d", put("state", "H", value=[[90.0]]), r"^state.H = 'array of shape \(1, 1\)' .* \(2, 2\)"),
    ("theta outside the ball", put("state", "theta", value=[1.0, 0.1]), r"^state.theta = .* at most S = 1"),
    ("theta of another d", put("state", "theta", value=[0.0, 0.0, 0.0]), r"^state.theta = .*shape \(3,\)"),
    ("NaN", put("state", "theta", value=[math.nan, 0.0]), r"^path = .*NaN is no number"),
    ("text for a number", put("state", "theta", value=["0", "0"]), r"^state.theta = .* numbers"),
    ("more of Σ 1/g than rounds", put("state", "inverse_g", value=1e9), r"^state.inverse_g = .* rounds, from 16 to 16"),
    ("more rounds than Σ 1/g", put("state", "rounds", value=10**6), r"^state.inverse_g = "),
    ("H beyond numbers", put("state", "H", value=[[1e308, 1e308], [1e308, 1e308]]), r"^state.H = "),
    ("too large a number", put("state", "inverse_g", value=10**400), r"^state.inverse_g = "),
    ("another determinant", put("state", "logdet", value=7.0), r"^state.logdet = 7.0 .* log\(det H"),
    ("rounds without rewards", put("state", "rounds", value=0), r"^state.inverse_g = "),
    ("half a round", put("state", "rounds", value=1.5), r"^state.rounds = 1.5"),
    ("another family", put("family", "name", value="poisson"), r"^family.m = .* poisson"),
    ("a family by no name", put("family", "name", value="mine"), r"^family = 'mine' .* catalogue"),
    ("another m", put("family", "m", value="Symbol('z')"), r"^family.m = "),
    ("another d", put("parameters", "d", value=3), r"^(state|parameters)\."),
    ("λ below its floor", put("parameters", "lam", value=1e-6), r"^parameters.lam = 1e-06 .* theorem holds"),
    ("another L_mu", put("parameters", "L_mu", value=0.2), r"^parameters.L_mu = 0.2 .* 0.25"),
    ("no trust at all", put("parameters", "alpha", value=0.0), r"^parameters.alpha = 0.0 .* above 0"),
    ("half a range", put("parameters", "dispersions", value=[1.0]), r"^parameters.dispersions = \[1.0\] .* pair"),
    ("a start outside the ball", put("parameters", "start", value=1.001), r"^parameters.start = 1.001 .* S = 1"),
    ("a start below nothing", put("parameters", "start", value=-0.1), r"^parameters.start = -0.1"),
    ("constants by no name", put("parameters", "constants", value="mine"), r"^constants = 'mine'"),
    ("S beyond numbers", put("parameters", "S", value="one"), r"^parameters.S = .*one"),
    ("hands on the sharpest", put("parameters", "by_hand", value=["lam"]), r"^parameters.by_hand = "),
    ("hands on what is none", put("parameters", "by_hand", value=["S"]), r"^parameters.by_hand = "),
    ("no index", put("parameters", "index", value=None), r"^parameters.index = None"),
    ("another radius", put("parameters", "radius_form", value="sum"), r"^parameters.radius_form = 'sum'"),
    ("no round to go", put("parameters", "horizon", value=0), r"^parameters.horizon = 0"),
    ("S beyond what is certified", put("parameters", "S", value=1e9), r"^S = "),
    ("C beyond numbers", put("parameters", "C", value=1e300), r"^(constants|parameters.lam|C) = "),
    ("a number for columns", put("service", "columns", value=5), r"^columns = 5"),


    ("no service", put("service", value=[]), r"^service = \[\] .* object"),
    ("a ticket before the first", put("service", "open", value=[[0, 0, 0.0, 0.1, 0.1]]), r"^service.open = "),
    ("an arm before the first", put("service", "open", value=[[1, -1, 0.0, 0.1, 0.1]]), r"^service.open = "),
    ("half an arm", put("service", "open", value=[[1, 0.5, 0.0, 0.1, 0.1]]), r"^service.open = "),
    ("one ticket twice", put("service", "open", value=[[1, 0, 0.0, 0.1, 0.1]] * 2), r"^service.open = "),
    ("an alarm in half a round", put("service", "monitor", "alarm", value=[0.5, ""]), r"^service.monitor.alarm = 0.5"),
    ("an alarm without a reason", put("service", "monitor", "alarm", value=[1]), r"^service.monitor.alarm = \[1\]"),
    ("another order", put("service", "order", value="random"), r"^order = 'random'"),
    ("a ticket beyond those issued", put("service", "open", value=[[99, 0, 0.0, 0.1, 0.1]]), r"^service.open = "),
    ("a ticket for a long arm", put("service", "open", value=[[1, 0, 0.0, 9.0, 0.1]]), r"^service.open = "),
    ("tickets that are not in their order", lambda doc: doc["service"]["open"].reverse(), r"^service.open = .* rising"),
    ("a ticket of a later H", put("service", "open", 0, 2, value=1e9), r"^service.open = .* log\(det H\)"),
    ("a ticket of an earlier H", put("service", "open", 0, 2, value=-1.0), r"^service.open = .* log\(det H\)"),
    ("a steep ticket", put("service", "curvatures", 0, value=2.0), r"^service.curvatures = "),
    ("other sums over tickets", put("service", "coming", value=[[9.0, 0.0], [0.0, 9.0]]), r"^service.coming = "),
    ("a reward without a ticket", put("service", "early", value=[[99, 0.0, 1.0]]), r"^service.early = "),
    ("a reward that need not wait", wait, r"^service.early = .* no reward waits"),
    ("half a truth", put("service", "optimistic", value=1), r"^service.optimistic = 1 .* true or false"),
    ("more staleness than H allows", lambda doc: stale(doc, 1.01), r"^service.staleness = "),
    ("one number for two tickets", lambda doc: put("service", "open", 1, 0, value=doc["service"]["open"][0][0])(doc),
     r"^service.open = .* rising"),
    ("staleness below 1", put("service", "staleness", value=0.5), r"^service.staleness = 0.5"),
    ("a monitor with too few rows", put("service", "monitor", "rounds", value=3), r"^service.monitor.rows = "),
    ("a monitor of another rate", put("service", "monitor", "delta", value=2.0), r"^service.monitor.delta = 2.0"),
    ("a monitor without a date", put("service", "monitor", "due", value=1.5), r"^service.monitor.due = 1.5"),
    ("a monitor without a size", put("service", "monitor", "size", value="x"), r"^service.monitor.size = "),
    ("a monitor of another d", put("service", "monitor", "theta", value=[0.0]), r"^service.monitor.theta = .*\(1,\)"),
    ("a monitor of one rival", put("service", "monitor", "logs", value=[0.0]), r"^service.monitor.logs = .*\(1,\)"),
    ("a monitor without rivals", put("service", "monitor", "rivals", value=[]), r"^service.monitor.rivals = \[\]"),
    ("rivals of another d", put("service", "monitor", "rivals", "v", value=[[0.0]]), r"^service.monitor.rivals.v = "),
    ("rivals of no matrix", put("service", "monitor", "rivals", "G", value=[[0.0]]), r"^service.monitor.rivals.G = "),
    ("an alarm by no name", put("service", "monitor", "alarm", value=[1, None]), r"^service.monitor.alarm = None"),
    ("an alarm that is none", put("service", "monitor", "alarm", value="x"), r"^service.monitor.alarm = 'x' .* reason"),
    ("half an alarm", put("service", "monitor", "alarm", value=[1]), r"^service.monitor.alarm = \[1\] .* reason"),
    ("an alarm of no round", put("service", "monitor", "alarm", value=[0, "x"]), r"^service.monitor.alarm = \[0, 'x'"),
    ("an alarm to come", put("service", "monitor", "alarm", value=[99, "x"]), r"^service.monitor.alarm = \[99, 'x'\]"),
    ("a monitor that saw more", watched_more, r"^service.monitor.rounds = 17 .* at most the 16 rounds"),
    *(
        (f"a monitor's {field}", put("service", "monitor", *field.split("."), value=value), f"^service.monitor.{field}")
        for field, value in {
            "size": -1.0, "running": 1e9, "due": 19, "impossible": 1e9, "theta": [9.0, 9.0], "logs": [1e6] * 12,
            "rivals.v": [[0.0]], "rivals.G": [[[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]] * 3,
        }.items()
    ),
    ("a long arm that was watched", put("service", "monitor", "rows", 3, value=[5.0, 5.0, 1.0, 1.0]), r"rows\[3\] = "),
    ("a loss of no weight", put("service", "monitor", "rows", 3, value=[0.5, 0.5, 1.0, -1.0]), r"rows\[3\] = "),
    ("a loss without weight", put("service", "monitor", "rows", 3, value=[0.5, 0.5, 1.0, 0.0]), r"rows\[3\] = "),
    ("a loss of much weight", put("service", "monitor", "rows", 3, value=[0.5, 0.5, 1.0, 9.0]), r"rows\[3\] = "),
]  # fmt: skip


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("saved") / "learner.json"
    save(used("sharpest"), path)
    return path.read_text()


@pytest.mark.parametrize(("edit", "words"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_not_a_state_is_refused_by_name(
    edit: Callable[[dict[str, Any]], object], words: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=words):
        restore(edited(path, edit))


def test_staleness_is_at_most_what_the_determinant_allows(text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text)
    most = math.exp(json.loads(text)["state"]["logdet"] / 2)
    assert restore(edited(path, put("service", "staleness", value=most))).staleness == most
    with pytest.raises(BadInput, match=r"^service.staleness = .* that H allows"):
        restore(edited(path, put("service", "staleness", value=1.001 * most)))


def test_arrays_of_a_file_have_their_shape_even_if_they_are_empty_and_no_infinite_numbers() -> None:
    assert numbers("x", [], (-1, 2)).shape == (0, 2)
    assert numbers("x", [[1, 2]], (-1, 2)).dtype == float
    for value in ([math.inf], [math.nan]):
        with pytest.raises(BadInput, match=r"^x = .* finite numbers"):
            numbers("x", value, (1,))


def test_the_trace_of_H_is_at_most_what_the_rewards_can_give(text: str, tmp_path: Path) -> None:
    path, saved = tmp_path / "learner.json", json.loads(text)
    path.write_text(text)
    lam, most = saved["parameters"]["lam"], saved["parameters"]["L_mu"] * saved["state"]["inverse_g"]
    edited(path, put("state", "logdet", value=math.log1p(most / lam)))
    edited(path, put("service", "staleness", value=1.0))
    for name in ("open", "early", "curvatures"):
        edited(path, put("service", name, value=[]))
    edited(path, put("service", "coming", value=[[0.0, 0.0], [0.0, 0.0]]))
    again = restore(edited(path, put("state", "H", value=[[lam + most, 0.0], [0.0, lam]])))
    assert again.algorithm.H[0, 0] == lam + most
    with pytest.raises(BadInput, match=r"^state.H = .* a trace that"):
        restore(edited(path, put("state", "H", value=[[lam + 1.001 * most, 0.0], [0.0, lam]])))
    path.write_text(text)
    with pytest.raises(BadInput, match=r"^state.logdet = "):
        restore(edited(path, put("state", "logdet", value=saved["state"]["logdet"] + 1e-3)))


def test_the_first_ticket_of_all_and_a_start_on_the_sphere_are_kept(tmp_path: Path) -> None:
    learner = Learner(HCWGLBOMD(GAUSSIAN, 2, 1.0, lam=2.0, theta0=[0.6, 0.8]))
    ticket = learner.choose(ARMS)
    save(learner, tmp_path / "learner.json")
    again = restore(tmp_path / "learner.json")
    assert again.pending == (ticket,)
    assert again.algorithm.theta.tolist() == [0.6, 0.8]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_part_of_a_file_is_refused(share: float, text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text[: int(share * len(text))])
    with pytest.raises(BadInput, match="a whole file"):
        restore(path)


def test_files_that_are_none_or_huge_or_deep_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "learner.json"
    with pytest.raises(BadInput, match="can be read"):
        restore(path)
    for content in (b"\x80\x04pickle", b"[" * 100_000, b"[]", b"3"):
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"^path = "):
            restore(path)
    monkeypatch.setattr(saving, "LARGEST", 2)
    path.write_bytes(b"{}\n")
    with pytest.raises(BadInput, match="at most 2 bytes; this has 3"):
        restore(path)


@pytest.mark.parametrize(("seen", "instead"), [
    ('"theta": [', '"theta": [0.9, 0.1], "theta": ['), ('"version": ', '"version": 0, "version": '),
    ('"columns": ', '"columns": null, "columns": '),
])  # fmt: skip
def test_a_key_that_is_there_twice_is_refused(seen: str, instead: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text.replace(seen, instead, 1))
    with pytest.raises(BadInput, match=r"^path = .*a key is there twice"):
        restore(path)


def test_numbers_beyond_doubles_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    for field in ("S", "lam", "inverse_g", "staleness", "size"):
        path.write_text(text.replace(f'"{field}": ', f'"{field}": 1e400, "was": ', 1))
        with pytest.raises(BadInput, match=rf"\.{field} = inf .* finite"):
            restore(path)


def test_a_learner_whose_slope_was_given_too_small_can_read_its_own_file(tmp_path: Path) -> None:
    flat = Learner(HCWGLBOMD(COIN, 2, 1.0, L_mu=0.01, lam=0.1), watch=None)
    for k in range(30):
        flat.reward(flat.choose(ARMS), float(k % 2))
    flat.choose(ARMS)
    save(flat, tmp_path / "learner.json")
    assert restore(tmp_path / "learner.json").pending == flat.pending


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


@pytest.mark.parametrize(("field", "value"), [("due", 18), ("due", 1), ("alarm", [16, "x"]), ("alarm", [1, "x"])])
def test_what_a_monitor_of_sixteen_rewards_may_be_is_read(field: str, value: Any, text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text)
    assert restore(edited(path, put("service", "monitor", field, value=value))).monitor is not None
    assert restore(edited(path, lambda doc: stale(doc, 1.0))).staleness > 1


def test_a_learner_that_has_seen_nothing_is_read_too(tmp_path: Path) -> None:
    save(Learner(LEARNERS["sharpest"]()), tmp_path / "learner.json")
    again = restore(tmp_path / "learner.json")
    assert (again.algorithm.t, again.pending) == (1, ())
    first = again.choose(ARMS)
    save(again, tmp_path / "learner.json")
    assert restore(tmp_path / "learner.json").pending == (first,)


def test_a_file_of_before_tickets_told_what_they_add_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text)
    again = restore(edited(path, lambda doc: [doc["service"].pop(key) for key in ("curvatures", "coming")]))
    assert again.pending
    assert (again.coming == 0).all()


# --- the file itself --------------------------------------------------------------------------------------------


def test_what_cannot_be_read_again_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "learner.json"
    save(LEARNERS["repaired"](), path)
    before = path.read_bytes()
    monkeypatch.setattr(saving, "LARGEST", 1000)
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


def test_another_family_is_refused_although_it_has_the_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"^family.name = 'bernoulli' .* gaussian"):
        restore(path, family=GAUSSIAN)


def test_factors_of_another_matrix_are_refused(tmp_path: Path) -> None:
    p = parameters(COIN, 2, 1.0, 0.05, 3.0, reading="repaired")
    save_engine(tmp_path / "engine.json", p, initial(p))
    path = edited(tmp_path / "engine.json", put("engine", "lower", value=[[0.0, 0.0], [5.0, 0.0]]))
    with pytest.raises(BadInput, match=r"^engine.lower = "):
        restore_engine(path)
    with pytest.raises(BadInput, match=r"^state = "):
        save_engine(path, parameters(COIN, 3, 1.0, 0.05, 3.0), initial(p))
    with pytest.raises(BadInput, match=r"^state = "):
        save_engine(path, parameters(COIN, 2, 1.0, 0.05, 3.0), initial(p))  # another λ


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


@pytest.mark.parametrize(("edit", "word"), [
    (lambda document: document.update(engine="none"), "engine"),
    (lambda document: document["engine"].update(inverse_d=[0.0, 1.0]), "engine.inverse_d"),
    (lambda document: document["engine"].update(weight="heavy"), "engine.weight"),
    (lambda document: document["engine"].update(inverse_d=[1.01 * g for g in document["engine"]["inverse_d"]]),
     "engine.lower"),
])  # fmt: skip
def test_an_engine_that_is_none_is_refused(edit: Callable[[dict[str, Any]], object], word: str, tmp_path: Path) -> None:
    p = parameters(COIN, 2, 1.0, 0.05, 3.0, reading="repaired")
    save_engine(tmp_path / "engine.json", p, initial(p))
    with pytest.raises(BadInput, match=rf"^{word} = "):
        restore_engine(edited(tmp_path / "engine.json", edit))


def test_every_number_of_an_engine_comes_back(tmp_path: Path) -> None:
    p = parameters(COIN, 2, 1.0, 0.05, 3.0, reading="repaired")
    facts = views(state := initial(p)).facts
    facts.multiplier, facts.decided, facts.weight, facts.projected = 0.25, 3.0, 0.5, 1.0
    save_engine(tmp_path / "engine.json", p, state)
    assert restore_engine(tmp_path / "engine.json")[1].tolist() == state.tolist()
