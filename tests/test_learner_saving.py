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


# --- what is not a state ----------------------------------------------------------------------------------------


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))
    return path


def put(*keys: str, value: Any) -> Callable[[dict[str, Any]], object]:
    def edit(document: dict[str, Any]) -> object:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value
        return document

    return edit


BAD: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("another format", put("format", value="learner"), r"^path = .*\"format\""),
    ("another version", put("version", value=2), r"^version = 2 .* version 1"),
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
    ("no trust at all", put("parameters", "alpha", value=0.0), r"^parameters.lam = .* theorem holds"),
    ("half a range", put("parameters", "dispersions", value=[1.0]), r"^parameters.dispersions = \[1.0\] .* pair"),
    ("a start outside the ball", put("parameters", "start", value=1.5), r"^parameters.start = 1.5 .* S = 1"),
    ("a start below nothing", put("parameters", "start", value=-0.1), r"^parameters.start = -0.1"),
    ("constants by no name", put("parameters", "constants", value="mine"), r"^constants = 'mine'"),
    ("S beyond numbers", put("parameters", "S", value="one"), r"^parameters.S = .*one"),
    ("hands on the sharpest", put("parameters", "by_hand", value=["lam"]), r"^parameters.by_hand = "),
    ("hands on what is none", put("parameters", "by_hand", value=["S"]), r"^parameters.by_hand = "),
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
    ("a reward without a ticket", put("service", "early", value=[[99, 0.0, 1.0]]), r"^service.early = "),
    ("half a truth", put("service", "optimistic", value=1), r"^service.optimistic = 1 .* true or false"),
    ("staleness below 1", put("service", "staleness", value=0.5), r"^service.staleness = 0.5"),
    ("a monitor with too few rows", put("service", "monitor", "rounds", value=3), r"^service.monitor.rows = "),
    ("a monitor without a date", put("service", "monitor", "due", value=1.5), r"^service.monitor.due = 1.5"),
    ("a monitor without a size", put("service", "monitor", "size", value="x"), r"^service.monitor.size = "),
    ("a monitor of another d", put("service", "monitor", "theta", value=[0.0]), r"^service.monitor.theta = .*\(1,\)"),
    ("a monitor of one rival", put("service", "monitor", "logs", value=[0.0]), r"^service.monitor.logs = .*\(1,\)"),
    ("a monitor without rivals", put("service", "monitor", "rivals", value=[]), r"^service.monitor.rivals = \[\]"),
    ("rivals of another d", put("service", "monitor", "rivals", "v", value=[[0.0]]), r"^service.monitor.rivals.v = "),
    ("rivals of no matrix", put("service", "monitor", "rivals", "G", value=[[0.0]]), r"^service.monitor.rivals.G = "),
    ("a monitor of another rate", put("service", "monitor", "delta", value=2.0), r"^delta = 2.0"),
    ("an alarm by no name", put("service", "monitor", "alarm", value=[1, None]), r"^service.monitor.alarm = None"),
]


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
