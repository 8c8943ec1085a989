"""The learner for those who use it: tickets, batches, delays, warm starts, threads."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD, Scouted
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Learner
from glbcheck.core.learner.tickets import Arrived, Desk, Order

import glbcheck
from tests.helpers.learners import COIN, Frame, algorithm, arms

# --- the ten lines ------------------------------------------------------------------------------------------


def test_a_learner_says_what_it_is() -> None:
    learner = Learner(HCWGLBOMD(COIN, d=3, S=1.0, C=2.0))
    learner.reward(learner.choose([[1.0, 0.0, 0.0]]), 1.0)
    learner.choose([[1.0, 0.0, 0.0]])
    said = "<Learner HCWGLBOMD(bernoulli, d=3, S=1, C=2): 1 rewards learnt from, 1 open, no alarm>"
    assert repr(learner) == said


@pytest.mark.parametrize("horizon", [-3, 0, math.nan, math.inf])
def test_a_horizon_that_is_none_is_refused_whatever_the_constants_are(horizon: float) -> None:
    with pytest.raises(BadInput, match=r"^horizon = "):
        HCWGLBOMD(COIN, d=3, S=1.0, horizon=horizon)


def test_rewards_at_once_make_it_the_reference() -> None:
    learner, reference, rng = Learner(algorithm()), algorithm(), np.random.default_rng(1)
    for t in range(60):
        offered, reward = arms(t, K=3 + t % 4), float(rng.integers(2))
        ticket = learner.choose(offered)
        assert ticket.arm == reference.select(offered)
        learner.reward(ticket, reward)
        reference.update(offered[ticket.arm], reward)
    assert (learner.algorithm.H == reference.H).all()
    assert (learner.algorithm.theta == reference.theta).all()
    assert learner.staleness == 1.0
    bound = learner.regret_bound()
    assert bound is not None
    assert reference.parameters.choice is not None
    assert bound <= reference.parameters.choice.regret_bound(60)


def test_it_is_one_of_the_names_of_the_package() -> None:
    assert glbcheck.Learner is Learner
    assert {"Learner", "save", "restore"} <= set(glbcheck.__all__) <= set(dir(glbcheck))


@pytest.mark.parametrize("wrong", [COIN, "bernoulli", None])
def test_a_family_is_no_learner_and_a_word_is_no_family(wrong: Any) -> None:
    with pytest.raises(BadInput, match=r"^algorithm = .* such as HCWGLBOMD"):
        Learner(wrong)
    with pytest.raises(BadInput, match=r"^family = .* such as catalog.get"):
        HCWGLBOMD(str(wrong), d=3, S=1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("options", "words"), [
    ({"S": 1e6}, r"^S = 1000000.0 .* can be certified"), ({"C": 10**400}, "^C = "),
    ({"dispersions": 1.0}, "^dispersions = 1"), ({"theta0": [math.nan, 0, 0]}, "^theta0 = "),
])  # fmt: skip
def test_problems_that_are_none_are_refused_by_name(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        HCWGLBOMD(COIN, **{"d": 3, "S": 1.0, "constants": "sharpest", "horizon": 100, **options})


# --- tickets ------------------------------------------------------------------------------------------------


def test_updates_follow_the_order_of_arrival_or_of_the_pulls() -> None:
    orders: tuple[Order, ...] = ("arrival", "pulled")
    for order in orders:
        learner, reference = Learner(algorithm(C=5.0), order=order, watch=None), algorithm(C=5.0)
        tickets = [learner.choose(arms(k)) for k in range(4)]
        sequence = (2, 0, 3, 1)
        for place in sequence:
            learner.reward(tickets[place].number, float(place % 2))
        for place in sequence if order == "arrival" else range(4):
            reference.update(tickets[place].x, float(place % 2))
        assert (learner.algorithm.theta == reference.theta).all()
        assert not learner.pending


def test_in_the_order_of_pulls_a_reward_waits_and_a_ticket_that_is_given_up_lets_it_go() -> None:
    learner = Learner(algorithm(), order="pulled")
    first, second, third = learner.choose_batch(arms(), 3)
    learner.reward(second, 1.0)
    learner.reward(third, 1.0)
    assert learner.algorithm.t == 1
    assert learner.pending == (first, second, third)
    learner.forget(first)
    assert learner.algorithm.t == 3
    assert not learner.pending
    fourth = learner.choose(arms(1))
    learner.reward(fourth, 0.0)
    assert learner.algorithm.t == 4


@pytest.mark.parametrize(("ticket", "words"), [
    (0, "never issued"), (99, "never issued"), (True, "no whole number"), ("1", "no whole number"),
    (1.0, "no whole number"), (None, "no whole number"),
])  # fmt: skip
def test_no_reward_without_an_open_ticket(ticket: Any, words: str) -> None:
    learner = Learner(algorithm())
    learner.choose(arms())
    with pytest.raises(BadInput, match=rf"^ticket = .* {words}"):
        learner.reward(ticket, 1.0)


def test_a_number_may_come_from_an_array_and_a_ticket_must_be_the_one_that_was_issued() -> None:
    learner, other = Learner(algorithm()), Learner(algorithm())
    first, second = (other.choose(arms(seed)) for seed in (5, 6))
    mine = [learner.choose(arms()) for _ in range(2)]
    with pytest.raises(BadInput, match=r"^ticket = .* number 1 is another pull here"):
        learner.reward(first, 1.0)
    learner.reward(np.int64(mine[0].number), 1.0)  # type: ignore[arg-type]
    assert learner.pending == learner.awaited == (mine[1],)
    with pytest.raises(BadInput, match="number 2 is another pull"):
        learner.forget(second)


def test_what_open_tickets_will_add_is_kept_and_not_counted_anew() -> None:
    learner, rng = Learner(algorithm(C=5.0), watch=None), np.random.default_rng(0)
    for t in range(60):
        learner.choose_batch(arms(t), 2)
        for _ in range(2 if t > 5 else 0):
            one = learner.pending[int(rng.integers(len(learner.pending)))]
            learner.forget(one) if t % 3 else learner.reward(one, 1.0)
        x = np.array([one.x for one in learner.pending]).reshape(-1, 3)
        expected = x.T @ (np.array([one.curvature for one in learner.pending])[:, None] * x)
        assert np.allclose(learner.coming, expected, atol=1e-12)
    for ticket in learner.pending:
        learner.forget(ticket)
    assert (learner.coming == 0).all()


def test_a_pull_with_others_on_their_way_costs_a_scout_what_a_batch_of_one_costs() -> None:
    one, other = (Learner(Scouted(catalog.get("skellam"), 3, 1.0, C=1.0, horizon=1000), watch=None) for _ in "ab")
    for t in range(40):
        assert one.choose(arms(4)) == other.choose_batch(arms(4), 1)[0]
        assert one.algorithm.spent == other.algorithm.spent
        if t % 3 == 0:
            for learner in (one, other):
                learner.reward(learner.pending[0], 1.0)
    assert one.algorithm.spent > 0


def test_a_ticket_that_stays_open_does_not_make_every_later_pull_remembered() -> None:
    learner = Learner(algorithm(index="closed-form"), watch=None)
    forgotten = learner.choose(arms())
    for k in range(800):
        learner.reward(learner.choose(arms(k % 7)), 1.0)
    assert len(learner._moves) <= 1001
    assert np.allclose(learner.coming, forgotten.curvature * np.outer(forgotten.x, forgotten.x), atol=1e-12)


def test_rewards_in_the_order_of_their_pulls_leave_the_desk_one_by_one() -> None:
    desk = Desk("pulled")
    assert isinstance(desk.open, OrderedDict)  # a dict looks past all that have left to find its first
    for ticket in [desk.issue(0, (1.0,), 0.0) for _ in range(1000)]:
        desk.arrive(Arrived(ticket, 1.0, 1.0))
        assert [one.ticket for one in desk.ready()] == [ticket]


def test_a_second_reward_and_a_bad_one_leave_no_trace() -> None:
    learner = Learner(algorithm())
    ticket = learner.choose(arms())
    bad: list[tuple[Any, Any, str]] = [
        (math.nan, 1.0, "reward"), (1.0, 2.0, "dispersion"), (1.0, "1", "dispersion"), (1.0, 10**400, "dispersion"),
        (np.ma.masked, 1.0, "reward"), (None, 1.0, "reward"), ("1", 1.0, "reward"), (1j, 1.0, "reward"),
    ]  # fmt: skip
    for reward, dispersion, word in bad:
        with pytest.raises(BadInput, match=f"^{word} ="):
            learner.reward(ticket, reward, dispersion)
    assert learner.pending == (ticket,)
    learner.reward(ticket, 1.0)
    with pytest.raises(BadInput, match="has had its reward"):
        learner.reward(ticket, 1.0)
    with pytest.raises(BadInput, match="has had its reward"):
        learner.forget(ticket)


def test_a_batch_spreads_over_arms_that_tie_and_stays_with_the_best_later() -> None:
    learner = Learner(algorithm())
    eight = learner.choose_batch(np.concatenate([np.eye(3), -np.eye(3)]), 6)
    assert {abs(int(np.flatnonzero(ticket.x)[0])) for ticket in eight} == {0, 1, 2}
    assert {learner.choose(np.eye(3)).arm for _ in range(3)} == {0, 1, 2}  # one by one as well
    sure = Learner(algorithm(radius_scale=0.0), watch=None)
    for _ in range(20):
        sure.reward(sure.choose(np.eye(3)[:1]), 1.0)
    assert {ticket.arm for ticket in sure.choose_batch(np.eye(3), 5)} == {0}
    assert sorted(ticket.arm for ticket in sure.choose_batch(np.eye(3), 3, distinct=True)) == [0, 1, 2]


def robbed(distinct: bool, batches: int = 400) -> tuple[float, Learner]:
    """The regret of batches of two among the arms +1 and -1, where θ* is 1, and the learner that paid it."""
    gaussian = HCWGLBOMD(catalog.get("gaussian"), d=1, S=1.0, constants="sharpest", horizon=4000)
    learner, rng, regret = Learner(gaussian, watch=None), np.random.default_rng(0), 0.0
    for _ in range(batches):
        for ticket in learner.choose_batch([[1.0], [-1.0]], 2, distinct=distinct):
            regret += 1 - ticket.x[0]
            learner.reward(ticket, ticket.x[0] + float(rng.standard_normal()))
    return regret, learner


def test_distinct_batches_pay_more_than_the_regret_bound_which_says_nothing_then() -> None:
    regret, learner = robbed(distinct=True)
    state, choice = learner.algorithm.state, learner.algorithm.parameters.choice
    assert choice is not None
    assert regret == 800 > choice.regret_bound_from(state.logdet, state.rounds, learner.staleness)
    assert learner.regret_bound() is None
    assert learner.guarantee.endswith("here a distinct batch has left no bound")
    regret, learner = robbed(distinct=False)
    bound = learner.regret_bound()
    assert bound is not None
    assert regret <= bound


def test_a_distinct_batch_of_one_is_a_pull_like_any_other() -> None:
    learner = Learner(algorithm(), watch=None)
    learner.reward(learner.choose_batch(arms(), 1, distinct=True)[0], 1.0)
    assert learner.regret_bound() is not None
    assert learner.guarantee == learner.algorithm.guarantee


@pytest.mark.parametrize(("count", "distinct"), [(0, False), (True, False), (1.0, False), (9, True)])
def test_batches_of_impossible_size_are_refused(count: Any, distinct: bool) -> None:
    with pytest.raises(BadInput, match=r"^count ="):
        Learner(algorithm()).choose_batch(arms(), count, distinct=distinct)


def test_staleness_is_the_root_of_how_much_the_determinant_grew_in_between() -> None:
    learner = Learner(algorithm(), watch=None)
    late = learner.choose(arms())
    before = np.linalg.slogdet(learner.algorithm.H)[1]
    for k in range(30):
        learner.reward(learner.choose(arms(k)), 1.0)
    assert learner.staleness == 1.0
    grown = np.linalg.slogdet(learner.algorithm.H)[1] - before
    fresh = learner.regret_bound()
    learner.reward(late, 0.0)
    assert learner.staleness == pytest.approx(math.exp(grown / 2), rel=1e-9)
    assert learner.guarantee.endswith("regret_bound() says what is left")
    p = learner.algorithm.parameters
    assert p.choice is not None
    assert fresh is not None
    Q = [p.choice.regret_bound_from(3.0, 50.0, stale) for stale in (1.0, 1.5, 2.0)]
    assert Q[0] < Q[1] < Q[2] < 4 * Q[0]


def test_norms_at_the_pull_are_at_most_stale_times_those_at_the_update() -> None:
    learner, rng = Learner(algorithm(), watch=None), np.random.default_rng(3)
    open_: list[tuple[Any, float]] = []
    for t in range(120):
        ticket = learner.choose(arms(t))
        white = learner.algorithm.confidence_set.whitener @ ticket.x
        open_.append((ticket, float(np.linalg.norm(white))))
        if t % 10 == 9:
            for one, norm_then in (open_.pop(int(rng.integers(len(open_)))) for _ in range(10)):
                now = float(np.linalg.norm(learner.algorithm.confidence_set.whitener @ one.x))
                learner.reward(one, float(rng.integers(2)))
                assert now <= norm_then * (1 + 1e-12)
                assert norm_then <= learner.staleness * now * (1 + 1e-9)


def test_an_alarm_is_told_to_whoever_brings_the_reward() -> None:
    learner, warm = Learner(algorithm()), Learner(algorithm())
    alarm = learner.reward(learner.choose(arms()), 7.0)  # no coin shows it
    assert alarm is not None
    assert alarm is learner.alarm
    assert warm.learn(arms()[:2], [1.0, 7.0]) == replace(alarm, round=2)


# --- logged rows and threads ----------------------------------------------------------------------------------


def test_a_warm_start_is_the_updates_of_the_log_in_its_order() -> None:
    rng, reference = np.random.default_rng(5), algorithm()
    x, rewards = arms(3, K=50), rng.integers(0, 2, 50).astype(float)
    warm = Learner(algorithm(), columns=["a", "b", "c"])
    warm.learn(pa.table({"c": x[:, 2], "a": x[:, 0], "b": x[:, 1]}), pa.array(rewards))
    for row, reward in zip(x, rewards, strict=True):
        reference.update(row, reward)
    assert (warm.algorithm.H == reference.H).all()
    assert warm.monitor is not None
    assert warm.monitor.rounds == 50
    with pytest.raises(BadInput, match=r"^rewards = .* 50 numbers"):
        warm.learn(x, rewards[:49])
    with pytest.raises(BadInput, match=r"^rewards\[7\] = .*nan"):
        warm.learn(x, np.where(np.arange(50) == 7, math.nan, rewards))
    for odd in ([1.0] * 3, "x", np.ma.masked_equal(np.ones(50), 1.0)):
        with pytest.raises(BadInput, match=r"^dispersions? = "):
            warm.learn(x, rewards, odd)
    with pytest.raises(BadInput, match=r"^contexts\[0\] = .* finite contexts of norm at most 1"):
        warm.learn(9 * x, rewards)
    with pytest.raises(BadInput, match=r"^dispersion ="):
        warm.learn(x, rewards, dispersions=2.0)
    assert warm.algorithm.t == 51


class Labels(tuple[int, ...]):
    def equals(self, other: object) -> bool:
        return self == other


class Labelled(Frame):
    """A table or a column with labels for its rows, as pandas has them."""

    def __init__(self, labels: range, **columns: Any) -> None:
        super().__init__(columns)
        self.index = Labels(labels)


class Series:
    def __init__(self, labels: range, values: Any) -> None:
        self.index, self.values = Labels(labels), np.asarray(values)

    def to_numpy(self) -> Any:
        return self.values


def test_rewards_with_other_labels_than_their_rows_are_refused() -> None:
    table, ups = Labelled(range(2), a=[0.1, 0.2], b=[0.1, 0.2], c=[0.1, 0.2]), [1.0, 0.0]
    learner = Learner(algorithm())
    with pytest.raises(BadInput, match=r"^rewards = 'Series with another index'"):
        learner.learn(table, Series(range(1, -1, -1), ups))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"^dispersions = 'Series with another index'"):
        learner.learn(table, ups, Series(range(1, 3), [1.0, 1.0]))  # type: ignore[arg-type]
    assert learner.algorithm.t == 1
    learner.learn(table, Series(range(2), ups), [1.0, 1.0])  # type: ignore[arg-type]
    learner.learn(table, ups)
    assert learner.algorithm.t == 5


@pytest.mark.parametrize(("rewards", "words"), [
    ([2.0] * 200, "each row enters once"), (list(np.random.default_rng(0).standard_normal(200) + 2), "C covers"),
])  # fmt: skip
def test_rows_that_enter_twice_or_are_corrupted_beyond_the_budget_break_a_warm_start(
    rewards: list[float], words: str
) -> None:
    """One reward of two standard deviations, 200 times; and 200 rewards, each moved by 2: the truth is 0."""
    warm = Learner(HCWGLBOMD(catalog.get("gaussian"), 1, 1.0, constants="sharpest", horizon=1000), watch=None)
    warm.learn([[1.0]], rewards[:1])
    assert warm.algorithm.confidence_set.distance(np.zeros(1)) <= warm.algorithm.radius
    warm.learn([[1.0]] * 199, rewards[1:])
    assert warm.algorithm.confidence_set.distance(np.zeros(1)) > warm.algorithm.radius
    assert words in " ".join(str(Learner.learn.__doc__).split())


def test_threads_share_a_learner() -> None:
    learner = Learner(algorithm(), watch=None)

    def work(seed: int) -> None:
        for k in range(15):
            learner.reward(learner.choose(arms(seed * 100 + k)), 1.0)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert learner.algorithm.t == 61
    assert learner.desk.issued == 60
    assert not learner.pending
