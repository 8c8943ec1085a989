"""What a pull leaves behind at the counter: its ticket, whether a bound is left, and what others have taught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.environment.world import sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Learner, restore, save

from tests.helpers.learners import edited

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
    edited(path, lambda document: document["service"].pop("taught"))
    assert restore(path).taught == 3
