"""What a pull leaves behind at the counter: its ticket, whether a bound is left, and what others have taught."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Decision, Learner, replay, restore, save, tables
from glbcheck.core.parameters import parameters
from glbcheck.core.scouted import Scouted
from glbcheck.core.world import sphere

ARMS = sphere(np.random.default_rng(0), 8, 3)
COIN = catalog.get("bernoulli")


def learner(**options: object) -> Learner:
    told = {"constants": "sharpest", "horizon": 2000, "C": 3.0} | options
    return Learner(HCWGLBOMD(COIN, 3, 1.5, **told))  # type: ignore[arg-type]


def test_a_ticket_knows_about_what_its_pull_will_add_to_H() -> None:
    one = learner(theta0=[0.9, -0.6, 0.3])
    ticket = one.choose(ARMS)
    x, algorithm = np.array(ticket.x), one.algorithm
    assert 0.1 < abs(x @ algorithm.theta) < 1.4
    assert ticket.curvature == pytest.approx(float(COIN.dmu(x @ algorithm.theta)) * algorithm.weight(x))
    assert one.coming == pytest.approx(ticket.curvature * np.outer(x, x))


@pytest.mark.parametrize(("count", "left"), [(1, True), (2, False)])
def test_a_bound_is_left_as_long_as_every_pull_had_the_largest_index(count: int, left: bool) -> None:
    one = learner()
    one.choose_batch(ARMS, count, distinct=True)
    assert (one.regret_bound() is not None) is left


class Frame:
    """What polars has: a schema, and, unless it is lazy, rows."""

    columns = ("a", "b", "c")

    def collect_schema(self) -> None: ...

    def __getitem__(self, name: str) -> object:
        return ARMS[:, self.columns.index(name)]


class Collected(Frame):
    def to_numpy(self) -> object:
        return ARMS


def test_a_lazy_table_must_be_collected_first() -> None:
    assert learner().choose(Collected()).x == learner().choose(ARMS).x
    with pytest.raises(BadInput, match=r"^table = 'Frame' .* collect\(\) it first"):
        learner().choose(Frame())


def test_a_dozen_columns_are_named_and_of_more_how_many() -> None:
    assert tables.listed(list("abcdefghijkl")) == "a, b, c, d, e, f, g, h, i, j, k, l"
    assert tables.listed(list("abcdefghijklm")).endswith(", l and 1 more")


def test_a_log_is_made_of_decisions() -> None:
    with pytest.raises(BadInput, match=r"(?s)^log, row 2 = .* a Decision"):
        replay(learner().algorithm, [Decision(ARMS, 0, 1.0, 0.5), (ARMS, 0, 1.0, 0.5)], rewards=(0, 1))  # type: ignore[list-item]


def test_rows_of_others_are_counted() -> None:
    one = learner()
    for rows in (2, 3):
        one.learn(ARMS[:rows], [1.0] * rows)
    assert (one.taught, one.algorithm.state.rounds) == (5, 5)


def test_a_file_keeps_how_many_rows_were_others_and_one_that_does_not_say_may_have_had_no_other(tmp_path: Path) -> None:
    one, path = learner(), tmp_path / "a.json"
    one.learn(ARMS[:2], [1.0, 0.0])
    one.reward(one.choose(ARMS), 1.0)
    save(one, path)
    assert restore(path).taught == 2
    document = json.loads(path.read_text())
    document["service"]["taught"] = 4
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match=r"^service.taught = 4 .* up to 3"):
        restore(path)
    del document["service"]["taught"]
    path.write_text(json.dumps(document))
    assert restore(path).taught == 3


def test_a_replay_takes_back_what_a_proposal_would_have_spent() -> None:
    p = parameters(COIN, 3, 1.0, 0.05, 5.0, reading="sharpest", horizon=300, scout=1.0)
    scouted = Scouted.with_parameters(p)
    assert isinstance(scouted, Scouted)
    sent = replace(scouted.state.scout, rounds=10**4, theta=-ARMS[0] / 2, H=1e4 * np.eye(3))
    before = replace(scouted.state, rounds=10**4, theta=ARMS[0] / 2, H=1e6 * np.eye(3), scout=sent)
    scouted.become(before)
    pulled = scouted.select(ARMS)
    assert scouted.spent > 0  # the two do not agree
    scouted.become(before)
    for learn in ("nothing", "matched"):
        replay(scouted, [Decision(ARMS, (pulled + 1) % 8, 1.0, 0.5)], rewards=(0.0, 1.0), learn=learn)
        assert scouted.state is before
