"""Nothing that is not a state comes in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from glbcheck.core import files as core_files
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import restore, save

from tests.helpers.learners import GAUSSIAN, edited, put, used

BAD: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("another format", put("format", value="learner"), r"^path = .*\"format\""),
    ("another version", put("version", value=4), r"^version = 4 .* version 1, 2 or 3"),
    ("no version", lambda doc: doc.pop("version"), r"^version = None"),
    ("no state", lambda doc: doc.pop("state"), r"^state = None"),
    ("indefinite H", put("state", "H", value=[[9.0, 0.0], [0.0, -9.0]]), r"^state.H = .* least eigenvalue is -9"),
    ("H below the start", put("state", "H", value=[[1e-3, 0.0], [0.0, 1e-3]]), r"^state.H = .* at least λ"),
    ("one direction below it", put("state", "H", value=[[90.0, 0.0], [0.0, 0.1]]), r"^state.H = .* at least λ"),
    ("H not symmetric", put("state", "H", value=[[90.0, 1.0], [0.0, 90.0]]), r"^state.H = .* symmetric"),
    ("H of another d", put("state", "H", value=[[90.0]]), r"^state.H = 'array of shape \(1, 1\)' .* \(2, 2\)"),
    ("theta outside the ball", put("state", "theta", value=[1.0, 0.1]), r"^state.theta = .* at most S = 1"),
    ("theta of another d", put("state", "theta", value=[0.0, 0.0, 0.0]), r"^state.theta = .*shape \(3,\)"),
    ("text for a number", put("state", "theta", value=["0", "0"]), r"^state.theta = .* finite numbers"),
    ("more of Σ 1/g than rounds", put("state", "inverse_g", value=1e9), r"^state.inverse_g = .* rounds, from 16 to 16"),
    ("more rounds than Σ 1/g", put("state", "rounds", value=10**6), r"^state.inverse_g = "),
    ("H beyond numbers", put("state", "H", value=[[1e308, 1e308], [1e308, 1e308]]), r"^state.H = "),
    ("too large a number", put("state", "inverse_g", value=10**400), r"^state.inverse_g = "),
    ("another determinant", put("state", "logdet", value=7.0), r"^state.logdet = 7.0 .* log\(det H"),
    ("rounds without rewards", put("state", "rounds", value=0), r"^state.inverse_g = "),
    ("a matrix of words", put("state", "H", value=[["9", "0"], ["0", "9"]]), r"^state.H = .* finite numbers"),
    ("half a round", put("state", "rounds", value=1.5), r"^state.rounds = 1.5"),
    ("another family", put("family", "name", value="poisson"), r"^family.m = .* poisson"),
    ("a family by no name", put("family", "name", value="mine"), r"^family = 'mine' .* catalogue"),
    ("another m", put("family", "m", value="Symbol('z')"), r"^family.m = "),
    ("another d", put("parameters", "d", value=3), r"^(state|parameters)\."),
    ("λ below its floor", put("parameters", "lam", value=1e-6), r"^parameters.lam = 1e-06 .* theorem holds"),
    ("another L_mu", put("parameters", "L_mu", value=0.2), r"^parameters.L_mu = 0.2 .* 0.25"),
    ("no trust at all", put("parameters", "alpha", value=0.0), r"^parameters.alpha = 0.0 .* above 0"),
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
    ("another order", put("service", "order", value="random"), r"^order = 'random'"),
    ("a reward without a ticket", put("service", "early", value=[[99, 0.0, 1.0]]), r"^service.early = "),
    ("a monitor with too few rows", put("service", "monitor", "rounds", value=3), r"^service.monitor.rows = "),
    ("a monitor of another rate", put("service", "monitor", "delta", value=2.0), r"^service.monitor.delta = 2.0"),
    ("a monitor without a date", put("service", "monitor", "due", value=1.5), r"^service.monitor.due = 1.5"),
    ("a monitor without a size", put("service", "monitor", "size", value="x"), r"^service.monitor.size = "),
    ("a monitor of another d", put("service", "monitor", "theta", value=[0.0]), r"^service.monitor.theta = .*\(1,\)"),
    ("a monitor of one rival", put("service", "monitor", "logs", value=[0.0]), r"^service.monitor.logs = .*\(1,\)"),
    ("a monitor without rivals", put("service", "monitor", "rivals", value=[]), r"^service.monitor.rivals = \[\]"),
    ("rivals of no matrix", put("service", "monitor", "rivals", "G", value=[[0.0]]), r"^service.monitor.rivals.G = "),
    ("an alarm that is none", put("service", "monitor", "alarm", value=5), r"^service = .* what `save` writes"),
    ("what is impossible beyond numbers", put("service", "monitor", "impossible", value=10**400),
     r"^service.monitor.impossible = "),
    ("other shapes", put("service", "monitor", "rivals", "v", value=[[0.0]]), r"^service.monitor"),
]  # fmt: skip


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("saved") / "learner.json"
    save(used("sharpest"), path)
    return path.read_text()


@pytest.fixture
def path(text: str, tmp_path: Path) -> Path:
    """A file that the test may edit."""
    found = tmp_path / "learner.json"
    found.write_text(text)
    return found


@pytest.mark.parametrize(("edit", "words"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_not_a_state_is_refused_by_name(
    edit: Callable[[dict[str, Any]], object], words: str, path: Path
) -> None:
    with pytest.raises(BadInput, match=words):
        restore(edited(path, edit))


@pytest.mark.parametrize("old", [1, 2])
def test_what_is_not_a_state_is_refused_by_name_in_files_without_a_seal_too(old: int, path: Path) -> None:
    document = json.loads(path.read_text())
    del document["seal"]
    document["version"] = old
    path.write_text(json.dumps(document))
    assert restore(path).algorithm.t == 17
    for edit, words in (BAD[4][1:], BAD[12][1:], (put("state", "logdet", value=9.0), r"^state.logdet")):
        wrong = json.loads(json.dumps(document))
        edit(wrong)
        path.write_text(json.dumps(wrong))
        with pytest.raises(BadInput, match=words):
            restore(path)


# --- the seal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edit", [
    put("service", "monitor", "size", value=1.0), put("service", "monitor", "rows", 3, 0, value=0.125),
    put("service", "monitor", "alarm", value=[3, "none"]), put("service", "curvatures", 0, value=0.2),
    put("service", "coming", value=[[9.0, 0.0], [0.0, 9.0]]), put("service", "issued", value=99),
    put("state", "theta", 0, value=0.001), put("parameters", "horizon", value=1001), put("version", value=2),
    put("service", "columns", value=["a", "b"]), put("more", value=[1e999]), lambda document: document.pop("service"),
    put("seal", value=None), lambda document: document.pop("seal"), put("seal", value="0" * 64),
])  # fmt: skip
def test_an_edit_that_leaves_a_state_is_refused_by_the_seal(edit: Callable[[Any], object], path: Path) -> None:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match=r"^seal = .* this file is not as `save` wrote it$"):
        restore(path)


def test_a_bit_that_flips_is_refused_or_changes_nothing(text: str, path: Path) -> None:
    before, rng = restore(path), np.random.default_rng(0)
    for place in rng.choice(len(text), size=120, replace=False):
        damaged = bytearray(text.encode())
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            again = restore(path)
        except BadInput:
            continue
        assert (again.as_dict(), again.algorithm.H.tolist()) == (before.as_dict(), before.algorithm.H.tolist())


def test_the_order_of_keys_and_spaces_say_nothing(text: str, path: Path) -> None:
    document = json.loads(text)
    path.write_text(json.dumps(dict(reversed(document.items())), indent=1))
    assert restore(path).pending


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_part_of_a_file_is_refused(share: float, text: str, path: Path) -> None:
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
    monkeypatch.setattr(core_files, "LARGEST", 2)
    path.write_bytes(b"{}\n")
    with pytest.raises(BadInput, match="larger than 2 bytes"):
        restore(path)


@pytest.mark.parametrize(("seen", "instead"), [
    ('"theta": [', '"theta": [0.9, 0.1], "theta": ['), ('"version": ', '"version": 0, "version": '),
])  # fmt: skip
def test_a_key_that_is_there_twice_is_refused(seen: str, instead: str, text: str, path: Path) -> None:
    path.write_text(text.replace(seen, instead, 1))
    with pytest.raises(BadInput, match=r"^path = .* is given twice"):
        restore(path)


def test_numbers_beyond_doubles_are_refused(text: str, path: Path) -> None:
    for field in ("S", "lam", "inverse_g", "staleness", "size"):
        path.write_text(text.replace(f'"{field}": ', f'"{field}": 1e400, "was": ', 1))
        with pytest.raises(BadInput, match=rf"\.{field} = inf .* finite"):
            restore(path)


def test_another_family_is_refused_although_it_has_the_name(path: Path) -> None:
    with pytest.raises(BadInput, match=r"^family.name = 'bernoulli' .* gaussian"):
        restore(path, family=GAUSSIAN)
