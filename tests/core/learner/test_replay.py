"""Logged decisions: what a learner would have earned, with an interval, and logs that cannot be weighed."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.binomial import at_least
from glbcheck.core.errors import BadInput
from glbcheck.core.learner import Decision, Learner, decisions, decisions_of_table, replay
from glbcheck.core.learner.replaying import BETS, Learn, log_wealth, mean_at_least, surprise

COIN = catalog.get("bernoulli")
ARMS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]])
TRUTH = np.array([1.2, -0.9])


def logged(n: int, seed: int, chances: tuple[float, ...] = (0.2, 0.5, 0.3)) -> list[Decision]:
    rng = np.random.default_rng(seed)
    pulled = rng.choice(3, size=n, p=chances)
    rewards = (rng.random(n) < COIN.mu(ARMS[pulled] @ TRUTH)).astype(float)
    return decisions([ARMS] * n, pulled.tolist(), rewards, np.array(chances)[pulled])


def learner() -> HCWGLBOMD:
    return HCWGLBOMD(COIN, 2, 1.5, constants="sharpest", horizon=1000)


def test_the_value_of_a_fixed_choice_is_found_within_the_interval() -> None:
    means = COIN.mu(ARMS @ TRUTH)
    missed = 0
    for seed in range(10):
        taught = learner()
        taught.update([1.0, 0.0], 1.0)
        chosen = taught.select(ARMS)
        found = replay(taught, logged(300, seed), rewards=(0.0, 1.0), delta=0.2, learn="nothing")
        assert found.low <= found.high
        missed += not found.low <= means[chosen] <= found.high
    assert at_least(10, missed, Fraction(1, 5)) > Fraction(1, 1000)
    assert abs(found.value - means[chosen]) < 0.3
    assert found.high - found.low < 0.75


def test_the_interval_asks_for_a_log_without_corruption_whatever_the_budget_of_the_learner() -> None:
    log = logged(2000, 0)
    robbed = [replace(one, reward=0.0) for one in log]
    taught = HCWGLBOMD(COIN, 2, 1.5, C=float(len(log)), constants="sharpest", horizon=1000)
    least = float(COIN.mu(ARMS @ TRUTH).min())
    assert replay(taught, log, rewards=(0.0, 1.0), learn="nothing").high >= least
    assert replay(taught, robbed, rewards=(0.0, 1.0), learn="nothing").high < least


def test_a_learner_that_learns_from_the_log_earns_more_than_the_log() -> None:
    found = replay(learner(), logged(1500, 1), rewards=(0.0, 1.0))
    assert found.logged < found.value
    assert found.low < float(COIN.mu(ARMS @ TRUTH).max()) + 0.02
    assert 0 < found.matched < found.rows


@pytest.mark.parametrize("learn", ["matched", "every", "nothing"])
def test_it_learns_from_the_rows_that_it_is_told_to(learn: Learn) -> None:
    one, log = learner(), logged(50, 2)
    found = replay(one, log, rewards=(0.0, 1.0), learn=learn)
    assert one.t - 1 == {"matched": found.matched, "every": 50, "nothing": 0}[learn]


def test_the_estimate_is_the_weighted_mean_and_ends_may_be_open() -> None:
    log = decisions([ARMS[:1]] * 4, [0] * 4, [1.0, 0.0, 3.0, 2.0], [0.5, 1.0, 1.0, 0.25])
    found = replay(HCWGLBOMD(catalog.get("poisson"), 2, 1.0), log, rewards=(0.0, math.inf))
    assert found.value == (2.0 + 0.0 + 3.0 + 8.0) / 4
    assert (found.matched, found.logged, found.high) == (4, 1.5, math.inf)
    assert 0 <= found.low <= found.value


def test_the_interval_is_that_of_the_distances_to_both_ends() -> None:
    rewards = np.tile([2.0, 3.0, 3.0], 40)
    log = decisions([ARMS[:1]] * 120, [0] * 120, rewards, [1.0] * 120)
    found = replay(HCWGLBOMD(catalog.get("gaussian"), 2, 1.0), log, rewards=(1.0, 5.0), delta=0.1)
    ends = 1 + mean_at_least(rewards - 1, 4.0, 0.05), 5 - mean_at_least(5 - rewards, 4.0, 0.05)
    assert (found.low, found.high) == pytest.approx(ends)
    assert 2 < found.low < 8 / 3 < found.high < 4
    half = replay(HCWGLBOMD(catalog.get("gaussian"), 2, 1.0), log, rewards=(1.0, math.inf), delta=0.1)
    assert half.low == pytest.approx(1 + mean_at_least(rewards - 1, 1.0, 0.05))
    with pytest.raises(BadInput, match=r"^rewards, row 2 = 3\.0 "):
        replay(HCWGLBOMD(catalog.get("gaussian"), 2, 1.0), log, rewards=(1.0, 2.0))
    other = replay(HCWGLBOMD(catalog.get("gaussian"), 2, 1.0), log, rewards=(-math.inf, 5.0), delta=0.1)
    assert other.low == -math.inf
    assert other.high == pytest.approx(5 - mean_at_least(5 - rewards, 1.0, 0.05))


def test_the_lower_bound_written_out_a_second_time_errs_on_the_side_of_caution() -> None:
    values, size, delta = np.tile([9.0, 0.0, 3.0, 5.0], 30), 2.5, 0.05
    squares, before = 0.0, 0.0
    for t, value in enumerate(values, 1):
        predicted = min((before + size / 2) / t, size)
        squares += ((value - predicted) / size) ** 2
        before += value
    assert surprise(values, size) == pytest.approx(squares, rel=1e-12)

    def wealth(total: float) -> float:
        bets = [0.5**k for k in range(1, 17)]
        return math.fsum(math.exp(a * total + (math.log1p(-a) + a) * squares) for a in bets) / 16

    bound = mean_at_least(values, size, delta)
    assert bound > 1
    total = (values.sum() - bound * values.size) / size
    assert 1 / delta <= wealth(total) < (1 + 1e-5) / delta
    assert log_wealth(total, squares) == pytest.approx(math.log(wealth(total)), rel=1e-12)


def test_the_lower_bound_holds_for_weights_of_any_size_and_is_not_idle() -> None:
    missed, runs, bounds = 0, 200, []
    for run in range(runs):
        rng = np.random.default_rng(run)
        values = np.where(rng.random(100) < 0.25, 1.2, 0.0)
        bounds.append(mean_at_least(values, 1.0, 0.25))
        missed += bounds[-1] > 0.3
    assert at_least(runs, missed, Fraction(1, 4)) > Fraction(1, 1000)
    assert np.median(bounds) > 0.12
    assert mean_at_least(np.full(1000, 0.5), 1.0, 0.05) > 0.47


@pytest.mark.parametrize("chance", [0.1, 0.5, 0.9])
def test_over_all_sequences_of_weighted_coins_the_wealth_is_one_at_most(chance: float) -> None:
    """Each reward is 1 and is seen with weight 1/chance, or not at all: all 2^8 sequences, exactly."""
    wealth = 0.0
    for seen in product((0.0, 1.0), repeat=8):
        values = np.array(seen) / chance
        probability = float(np.prod(np.where(values > 0, chance, 1 - chance)))
        wealth += probability * math.exp(log_wealth(float(np.sum(values - 1)), surprise(values, 1.0)))
    assert 0.8 < wealth <= 1


def test_no_bet_gains_on_average() -> None:
    """exp(a ξ - ψ(a) ξ²) <= 1 + a ξ from ξ = -1 on, which makes the product a supermartingale."""
    xi = np.concatenate([np.linspace(-1, 3, 4001), np.geomspace(3, 1e4, 500)])
    for a in BETS:
        assert (np.exp(a * xi - (-np.log1p(-a) - a) * xi**2) <= (1 + a * xi) * (1 + 1e-12)).all()
    # At ξ = -1 both sides are equal: no smaller ψ would do.
    assert log_wealth(-1.0, 1.0) == pytest.approx(math.log(float(np.mean(1 - BETS))), rel=1e-12)


def test_small_samples_say_little_and_the_bound_rises_with_the_level() -> None:
    values = np.random.default_rng(0).random(50)
    levels = [mean_at_least(values, 1.0, delta) for delta in (1e-6, 0.01, 0.2)]
    assert levels == sorted(levels)
    assert levels[-1] < values.mean()
    assert mean_at_least(np.ones(1), 1.0, 0.05) == 0.0


# --- tables and refusals ------------------------------------------------------------------------------------------

TABLE: dict[str, list[Any]] = {
    "visit": [7, 7, 9, 9, 9], "a": [1.0, 0.0, 0.5, 0.0, 0.2], "b": [0.0, 1.0, 0.5, 1.0, 0.1],
    "shown": [0, 1, 1, 0, 0], "click": [0, 1, 0, 0, 0], "chance": [0.4, 0.6, 0.2, 0.5, 0.3],
}  # fmt: skip
NAMES: dict[str, Any] = {
    "round": "visit", "pulled": "shown", "reward": "click", "propensity": "chance", "contexts": ["a", "b"],
}  # fmt: skip


def test_a_table_with_a_row_for_each_arm_is_a_log() -> None:
    first, second = decisions_of_table(pa.table(TABLE), **NAMES)
    assert (first.arms.tolist(), first.pulled, first.reward, first.propensity) == ([[1, 0], [0, 1]], 1, 1.0, 0.6)
    assert (len(second.arms), second.pulled, second.reward, second.propensity) == (3, 0, 0.0, 0.2)
    assert first.dispersion == second.dispersion == 1.0


@pytest.mark.parametrize(("column", "values", "words"), [
    ("shown", [1, 1, 1, 0, 0], r"^shown, visit 7 = 2"), ("shown", [0, 0, 1, 0, 0], r"^shown, visit 7 = 0"),
    ("chance", [0.4, 0.0, 0.2, 0.5, 0.3], r"^propensities, row 1 = 0.0"),
    ("chance", [0.4, None, 0.2, 0.5, 0.3], r"^propensities, row 1 = nan"),
    ("chance", [0.4, 0.6, 1.2, 0.5, 0.3], r"^propensities, row 2 = 1.2"),
    ("chance", [0.4, 0.6, 0.2, 0.52, 0.3], r"^chance, visit \S+ = .a sum of 1.02. is not accepted"),
    ("click", [0, None, 0, 0, 0], r"^rewards, row 1 = nan"), ("visit", [7, 7, None, 9, 9], r"^column 'visit', row 3"),
    ("b", [0.0, 1.0, math.nan, 1.0, 0.1], r"^column 'b', row 3"), ("visit", ["u"] * 5, r"^shown, visit u = 2"),
    ("a", ["x"] * 5, r"^column 'a' = "),
])  # fmt: skip
def test_tables_that_are_no_log_are_refused(column: str, values: list[Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        decisions_of_table(pa.table({**TABLE, column: values}), **NAMES)


def test_propensities_that_were_all_rounded_up_are_a_log() -> None:
    """Six shares such as 0.165, written with two digits; as doubles they sum to a little more than 1.03."""
    chances = [0.17, 0.17, 0.2, 0.17, 0.18, 0.14]
    table = {"visit": [1] * 6, "a": [0.1] * 6, "b": [0.2] * 6, "shown": [1, *[0] * 5], "click": [1] * 6}
    assert sum(chances) > 1 + 6 * 0.005
    assert decisions_of_table(pa.table({**table, "chance": chances}), **NAMES)[0].propensity == 0.17


def test_only_the_row_of_the_arm_that_was_pulled_needs_a_reward_and_rounds_may_be_words_or_large() -> None:
    gaps = {**TABLE, "click": [None, 1, 0, None, None], "chance": [None, 0.6, 0.2, None, None]}
    for keys in ([7, 7, 9, 9, 9], ["b", "b", "a", "a", "a"], [2**60, 2**60, 2**60 + 1, 2**60 + 1, 2**60 + 1]):
        first, second = decisions_of_table(pa.table({**gaps, "visit": keys}), **NAMES)
        assert (first.reward, second.reward, len(first.arms), len(second.arms)) == (1.0, 0.0, 2, 3)


@pytest.mark.parametrize(("edit", "words"), [
    ({"propensity": 0.0}, "^propensities, row 2"), ({"propensity": math.nan}, "^propensities, row 2"),
    ({"pulled": 9}, "^pulled, row 2 = 9"), ({"reward": math.nan}, "^rewards, row 2"),
    ({"arms": 9 * ARMS}, "^arms, row 2"), ({"dispersion": 2.0}, "^dispersions, row 2"),
])  # fmt: skip
def test_decisions_made_by_hand_are_checked_before_anything_is_learnt(edit: dict[str, Any], words: str) -> None:
    first, second = logged(2, 0)
    taught = learner()
    with pytest.raises(BadInput, match=words):
        replay(taught, [first, replace(second, **edit)], rewards=(0.0, 1.0), learn="every")
    assert taught.t == 1


def test_weights_of_any_size_leave_an_interval() -> None:
    for values in ([1e300, 0.0], [1e160] * 3, [1e-300] * 3, [0.0] * 3):
        assert mean_at_least(np.array(values), 1.0, 0.05) == 0.0
    one = replace(logged(1, 0)[0], propensity=1e-200, reward=1.0)
    found = replay(learner(), [one] * 5, rewards=(0.0, 1.0))
    assert (found.low, found.high) == (0.0, 1.0)


def test_a_table_without_propensities_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^table = .* has chance too"):
        decisions_of_table(pa.table({name: TABLE[name] for name in TABLE if name != "chance"}), **NAMES)


@pytest.mark.parametrize(("edit", "words"), [
    ({"propensities": [0.5]}, "^propensities = "), ({"propensities": [0.5, None]}, "^propensities, row 2"),
    ({"propensities": [0.5, -0.1]}, "^propensities, row 2"), ({"pulled": [0, 3]}, "^pulled, row 2 = 3"),
    ({"pulled": [0]}, "^pulled = "), ({"pulled": [0, 0.5]}, "^pulled, row 2 = 0.5"),
    ({"arms": [ARMS, ARMS[0]]}, "^arms, row 2"), ({"rewards": [1.0, math.inf]}, "^rewards, row 2 = inf"),
    ({"rewards": ["a", "b"]}, "^rewards = "),
])  # fmt: skip
def test_entries_that_cannot_be_are_refused_by_row(edit: dict[str, Any], words: str) -> None:
    entries: dict[str, Any] = {
        "arms": [ARMS, ARMS],
        "pulled": [0, 1],
        "rewards": [1.0, 0.0],
        "propensities": [0.5, 0.5],
    }
    with pytest.raises(BadInput, match=words):
        decisions(**{**entries, **edit})


@pytest.mark.parametrize(("options", "words"), [
    ({"rewards": (1.0, 0.0)}, "^rewards = "), ({"rewards": 5}, "^rewards = 5"),
    ({"rewards": (0.5, 1.0)}, "^rewards, row "),
    ({"rewards": (0.0, 1.0), "delta": 1.0}, "^delta = "), ({"rewards": (0.0, 1.0), "learn": "all"}, "^learn = 'all'"),
    ({"rewards": (0.0, 1.0), "delta": 0.0}, "^delta = "), ({"rewards": (1.0, 1.0)}, "^rewards = "),
])  # fmt: skip
def test_options_that_cannot_be_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        replay(learner(), logged(20, 0), **options)
    with pytest.raises(BadInput, match=r"^log = "):
        replay(learner(), [], rewards=(0.0, 1.0))
    counter: Any = Learner(learner())
    with pytest.raises(BadInput, match=r"^learner = .* `algorithm` of a Learner"):
        replay(counter, logged(20, 0), rewards=(0.0, 1.0))
