"""The learner for those who use it: tables, tickets, delays, warm starts, threads."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.binomial import at_least
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Learner, Ticket, tables, tickets
from glbcheck.core.learner.tickets import Arrived, Desk, Order
from glbcheck.core.world import sphere

import glbcheck

COIN = catalog.get("bernoulli")


def algorithm(C: float = 0.0, **options: Any) -> HCWGLBOMD:
    return HCWGLBOMD(COIN, d=3, S=1.5, C=C, constants="sharpest", horizon=2000, **options)


def arms(seed: int = 0, K: int = 8) -> Floats:
    return sphere(np.random.default_rng(seed), K, 3)


class Frame:
    """What pandas and polars have in common: names, and columns that become arrays."""

    def __init__(self, data: dict[Any, Any] | None = None, **columns: Any) -> None:
        self.data = data or columns

    @property
    def columns(self) -> list[Any]:
        return list(self.data)

    def __getitem__(self, name: Any) -> Any:
        return pa.array(self.data[name])


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


# --- tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [lambda **columns: pa.table(columns), Frame], ids=["pyarrow", "duck"])
def test_columns_are_found_by_name_in_any_order(table: Any) -> None:
    x = arms()
    plain, named = Learner(algorithm()), Learner(algorithm(), columns=["age", "mobile", "one"])
    there = table(one=x[:, 2], age=x[:, 0], more=x[:, 0] * 7, mobile=x[:, 1])
    assert named.choose(there).x == plain.choose(x).x
    first = Learner(algorithm())
    first.choose(table(b=x[:, 1], a=x[:, 0], c=x[:, 2]))
    assert first.columns == ("b", "a", "c")
    assert first.choose(table(a=x[:1, 0], b=x[:1, 1], c=x[:1, 2])).x == (x[0, 1], x[0, 0], x[0, 2])


def test_numbers_may_be_names() -> None:
    numbered: dict[Any, Any] = {name: arms()[:, place] for place, name in enumerate((2, 0, 1))}
    learner = Learner(algorithm())
    assert learner.choose(Frame(numbered)).x == Learner(algorithm()).choose(arms()).x
    assert learner.columns == ("2", "0", "1")


def test_truth_values_and_scales_are_columns_too() -> None:
    learner = Learner(algorithm(), scales=[90.0, 2.0, 2.0])
    ticket = learner.choose(pa.table({"age": [45, 18], "mobile": [True, False], "one": [1.0, 1.0]}))
    assert ticket.x in {(0.5, 0.5, 0.5), (0.2, 0.0, 0.5)}


@pytest.mark.parametrize(("options", "offered", "word"), [
    ({"columns": ["a", "b", "c"]}, {"a": [0.1], "b": [0.1], "d": [0.1]}, "^arms = 'columns a, b, d' .* a, b, c"),
    ({}, {"a": [0.1], "b": [0.1]}, "^columns = "),
    ({}, {"a": [0.1], "b": [0.1], "c": ["blue"]}, "^column 'c' = "),
    ({}, {"a": [0.1], "b": [0.1], "c": [None]}, "^column 'c'"),
    ({}, {"a": [0.1, 0.1], "b": [0.1, math.nan], "c": [0.1, 0.1]}, r"^column 'b', row 2 = nan"),
    ({}, {"a": [0.1, 3.0], "b": [0.1, 4.0], "c": [0.1, 0.0]}, r"^arms\[1\] = .* norm at most 1; this has 5 .*`scales`"),
    ({"columns": ["a", "b", "cost"]}, {"a": [0.1], "b": [0.1], "Cost": [0.1]}, "did you mean Cost\\? missing: cost$"),
    ({"columns": ["a", "b", "c"]}, {"a": [0.1], **{f"n{k}": [0.1] for k in range(50)}}, "and 39 more.* missing: b, c$"),
    ({"columns": ["c1", "c2", "c17"]}, {"c1": [0.1], "c2": [0.1], "x": [0.1]}, "in any order; missing: c17$"),
    ({"scales": [1.0, 0.0, 1.0]}, None, "^scales = "), ({"scales": [1.0, 2.0]}, None, "^scales = "),
    ({"columns": ["a", "b"]}, None, "^columns = "), ({"columns": "abc"}, None, "^columns = "),
    ({"columns": ["a", "a", "b"]}, None, "^columns = .* a is there twice"), ({"order": "random"}, None, "^order = "),
    ({"columns": ["a", 1, "b"]}, None, "^columns = "),
    ({"columns": 5}, None, "^columns = 5"), ({"columns": [["a"], ["b"], ["c"]]}, None, "^columns = "),
    ({"scales": [10**400, 1, 1]}, None, "^scales = "), ({"watch": 1}, None, "^watch = "),
    ({"watch": 1.5}, None, "^watch = "),
])  # fmt: skip
def test_tables_that_do_not_fit_are_refused_by_name(options: Any, offered: Any, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        Learner(algorithm(), **options).choose(pa.table(offered))


def test_a_table_that_is_refused_names_no_columns() -> None:
    learner = Learner(algorithm())
    with pytest.raises(BadInput, match=r"^column 'b', row 1"):
        learner.choose(pa.table({"a": [0.1], "b": [math.inf], "c": [0.1]}))
    learner.choose(pa.table({"x": [0.1], "y": [0.2], "z": [0.3]}))
    assert learner.columns == ("x", "y", "z")


def test_columns_that_nobody_asked_for_may_have_one_name() -> None:
    twice = pa.table([[0.1], [0.2], [0.3], [0.4], [0.5]], names=["a", "b", "c", "more", "more"])
    assert Learner(algorithm(), columns=["a", "b", "c"]).choose(twice).x == (0.1, 0.2, 0.3)
    with pytest.raises(BadInput, match=r"^columns = 'more' .* 2 columns have this one"):
        Learner(algorithm(), columns=["a", "b", "more"]).choose(twice)


class Lazy:
    """Columns, and no rows as yet, as polars has it."""

    columns = ("a", "b", "c")

    def __getitem__(self, name: str) -> None:
        raise TypeError

    def collect_schema(self) -> None: ...


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError


def nested(depth: int = 100_000) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(("offered", "words"), [
    (Lazy(), "^table = 'Lazy' .* collect"), (Unspeakable(), "^arms = <Unspeakable without words"),
    (nested(), "^arms = <list without words: RecursionError>"), ([[10**400, 0, 0]], r"^arms = \[\[10+ \.\.\. 0+"),
    (np.ma.array([[0.1, 0.2, 0.3]], mask=[[False, True, False]]), "^arms = masked_array"),
    (np.array([[0.1, 0.2, 0.3]], dtype=object), "^arms = "), (np.array([[0.1j, 0, 0]]), "^arms = "),
    ([["0.1", "0.2", "0.3"]], "^arms = "), (np.zeros((0, 3)), r"^arms = .*\(0, 3\)"), (None, "^arms = None"),
], ids=lambda value: None if isinstance(value, str) else type(value).__name__)  # fmt: skip
@pytest.mark.parametrize("scales", [None, 2.0])
def test_what_is_no_array_of_numbers_is_refused(offered: Any, words: str, scales: float | None) -> None:
    with pytest.raises(BadInput, match=words) as refusal:
        Learner(algorithm(), scales=scales).choose(offered)
    assert len(str(refusal.value)) < 500


def test_arrays_of_truth_values_are_arms_as_columns_of_them_are() -> None:
    assert Learner(algorithm(), scales=2.0).choose(np.array([[True, False, True]])).x == (0.5, 0.0, 0.5)


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


class Lists(Frame):
    """A table whose columns are plain lists, and whose names are what it was told."""

    names: tuple[str, ...] = ("a", "b")

    @property
    def columns(self) -> list[Any]:
        return list(self.names)

    def __getitem__(self, name: Any) -> Any:
        return self.data[name]


def test_columns_may_be_lists() -> None:
    table = Lists(a=[1, 2], b=[3.0, 4.0])
    assert tables.names_of(table) == ("a", "b")
    assert tables.column(table, "b").tolist() == [3.0, 4.0]


@pytest.mark.parametrize("rows", [[1.0, 2.0, 3.0], [[1.0, 2.0]], [["x", "y", "z"]]])
def test_what_is_scaled_has_a_number_for_each_scale(rows: Any) -> None:
    with pytest.raises(BadInput, match=r"^arms = .* rows of 3 real numbers"):
        tables.scaled("arms", rows, np.ones(3))


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


# --- what stays of the theorem --------------------------------------------------------------------------------


def delay(reward: float, rng: np.random.Generator, biased: bool) -> int:
    """By chance alone, or short for heads and long for tails."""
    return (1 if reward else 12) if biased else int(rng.integers(1, 12))


def ever_large(order: Order, biased: bool, runs: int = 300) -> int:
    """Runs in which the likelihood ratio of a better coin against the true one, update by update, ever reaches 4."""
    found = 0
    for run in range(runs):
        rng, desk, ratio, top = np.random.default_rng(run), Desk(order), 1.0, 1.0
        due: dict[int, list[Arrived]] = {}
        for t in range(40):
            reward = float(rng.random() < 0.5)
            arrived = Arrived(desk.issue(0, (1.0,), 0.0), reward, 1.0)
            due.setdefault(t + delay(reward, rng, biased), []).append(arrived)
            for one in due.pop(t, []):
                desk.arrive(one)
                for ready in desk.ready():
                    ratio *= 2 * (0.75 if ready.reward else 0.25)
                    top = max(top, ratio)
        found += top >= 4
    return found


@pytest.mark.parametrize(
    ("order", "biased", "sound"),
    [("arrival", False, True), ("pulled", False, True), ("pulled", True, True), ("arrival", True, False)],
)
def test_ratios_stay_small_in_every_order_but_one_that_knows_the_rewards(
    order: Order, biased: bool, sound: bool
) -> None:
    """A supermartingale from 1 reaches 4 with probability at most 1/4; where it is none, the runs show it."""
    found = ever_large(order, biased)
    assert (at_least(300, found, Fraction(1, 4)) > Fraction(1, 10**6)) is sound


def mean_factor(given_up: Callable[[int], Fraction]) -> Fraction:
    """Of the second of two coins with heads 9 times in 10, by Laplace's prediction; exactly, over all that can happen.

    The second has come early.  `given_up` is the chance that the ticket of the first is, for what the second shows.
    """
    law, mean = {1: Fraction(9, 10), 0: Fraction(1, 10)}, Fraction(0)
    for first, second, forgotten in product((0, 1), (0, 1), (False, True)):
        desk = Desk("pulled")
        one, two = (desk.issue(0, (1.0,), 0.0) for _ in range(2))
        desk.arrive(Arrived(two, float(second), 1.0))
        assert not list(desk.ready())
        if forgotten:
            desk.forget(one)
        else:
            desk.arrive(Arrived(one, float(first), 1.0))
        heads = [int(ready.reward) for ready in desk.ready()]
        predicted = Fraction(1 + heads[:-1].count(second), 1 + len(heads))
        chance = given_up(second) if forgotten else 1 - given_up(second)
        mean += law[first] * law[second] * chance * predicted / law[second]
    return mean


def test_the_bound_is_the_theorems_or_the_most_that_rounds_can_cost() -> None:
    wide = HCWGLBOMD(catalog.get("gaussian"), 1, 1.0, constants="sharpest", horizon=1000, dispersions=(0.5, 2.0))
    learner = Learner(wide, watch=None)
    for rounds in (3, 600):
        learner.learn([[1.0]] * (rounds - wide.state.rounds), [0.5] * (rounds - wide.state.rounds), 0.5)
        assert wide.parameters.choice is not None
        theorem = wide.parameters.choice.regret_bound_from(wide.state.logdet, 2.0 * rounds)
        assert (theorem < 2 * rounds) == (rounds == 600)
        assert learner.regret_bound() == pytest.approx(min(theorem, 2 * rounds))


def test_an_alarm_is_told_to_whoever_brings_the_reward() -> None:
    learner, warm = Learner(algorithm()), Learner(algorithm())
    alarm = learner.reward(learner.choose(arms()), 7.0)  # no coin shows it
    assert alarm is not None
    assert alarm is learner.alarm
    assert warm.learn(arms()[:2], [1.0, 7.0]) == replace(alarm, round=2)


def test_a_ticket_is_not_given_up_for_what_another_reward_shows_that_waits() -> None:
    assert mean_factor(lambda second: Fraction(1, 3)) == 1
    knowing = mean_factor(lambda second: Fraction(second == 0))
    assert knowing == Fraction(17, 15)
    assert f"mean {knowing}, not at most 1" in str(tickets.__doc__)
    assert "any reward not yet learnt from" in " ".join(str(Learner.forget.__doc__).split())


@pytest.mark.parametrize(("order", "biased"), [("arrival", False), ("pulled", True)])
def test_delayed_rewards_keep_the_confidence_sequence(order: Order, biased: bool) -> None:
    """With δ = 1/2 and one dimension the sets are tight: some runs must leave them, and not too many may."""
    runs, missed, truth, gaussian = 24, 0, np.array([0.5]), catalog.get("gaussian")
    for run in range(runs):
        rng = np.random.default_rng([7, run])
        tight = HCWGLBOMD(gaussian, 1, 0.5, 0.5, constants="sharpest", horizon=1000, index="closed-form")
        learner, out = Learner(tight, order=order, watch=None), False
        due: dict[int, list[tuple[Ticket, float]]] = {}
        for t in range(60):
            ticket, noise = learner.choose([[1.0], [-1.0]]), float(rng.standard_normal())
            reward = float(np.dot(ticket.x, truth)) + noise
            due.setdefault(t + delay(float(noise > 0), rng, biased), []).append((ticket, reward))
            for ticket, reward in due.pop(t, []):
                learner.reward(ticket, reward)
                out |= tight.confidence_set.distance(truth) > tight.radius
        missed += out
    assert missed > 0
    assert at_least(runs, missed, Fraction(1, 2)) > Fraction(1, 1000)


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
