"""The words of a fit: its tests of goodness, what follows from them, and the learner that is advised."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.stats as stats
from glbcheck.core import catalog, fitting
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting import goodness, judge, learner
from glbcheck.core.fitting.candidates import Candidate
from glbcheck.core.fitting.data import Data, checked_data
from glbcheck.core.fitting.goodness import Test
from glbcheck.core.fitting.likelihood import log_likelihood, maximise
from glbcheck.core.fitting.residuals import deviance, pearson
from glbcheck.core.fitting.result import Estimate, FamilyFit, Fit
from glbcheck.core.fitting.scatter import scatter

GAUSSIAN, POISSON, EXPONENTIAL = (catalog.get(name) for name in ("gaussian", "poisson", "exponential"))
RNG = np.random.default_rng(3)
X = np.column_stack([RNG.uniform(-0.7, 0.7, 90), np.full(90, 0.7)])
COUNTS = RNG.poisson(np.exp(X @ [1.0, 0.8])).astype(float)
DATA = checked_data(COUNTS, X)


# --- tests of goodness --------------------------------------------------------------------------------------------


def test_anderson_and_darlings_statistic_is_that_of_its_formula() -> None:
    values = np.random.default_rng(1).normal(0.3, 2.0, 30)
    first, shape = goodness.quantile_tests(values)
    for test, scaled, factor in (
        (first, values, 1.0), (shape, stats.zscore(values, ddof=1), 1 + 0.75 / 30 + 2.25 / 900),
    ):  # fmt: skip
        x, i = np.sort(scaled), np.arange(1, 31)
        logs = stats.norm.logcdf(x) + stats.norm.logsf(x[::-1])
        assert test.statistic == pytest.approx(factor * (-30 - np.sum((2 * i - 1) * logs) / 30))
    assert first.p_value == goodness.anderson_darling_tail(first.statistic) < 0.02
    assert shape.p_value == goodness.stephens_tail(shape.statistic) > 0.01
    assert (first.name, shape.name) == ("quantiles", "shape")


def test_residuals_that_are_all_alike_are_of_no_normal_shape() -> None:
    _, shape = goodness.quantile_tests(np.zeros(20))
    assert (shape.statistic, shape.p_value) == (20, 1e-12)


@pytest.mark.parametrize(("x", "p"), [(0.3, 1.0), (0.561, 0.15), (0.631, 0.10), (0.752, 0.05), (1.035, 0.01)])
def test_stephens_tail_has_its_published_values(x: float, p: float) -> None:
    assert goodness.stephens_tail(x) == pytest.approx(p, abs=3e-3)


def test_tails_fall_without_jumps_and_end_where_p_values_are_not_told_apart() -> None:
    for tail in (goodness.stephens_tail, goodness.anderson_darling_tail):
        values = [tail(x) for x in np.linspace(0.35, 9.9, 400)]
        assert all(later <= earlier * 1.02 for earlier, later in pairwise(values))
        assert tail(0.04) == 1.0
        assert tail(30.0) == tail(1e6) == 1e-12
    assert 1 - 1e-6 < goodness.anderson_darling_tail(0.06) < 1.0
    assert goodness.anderson_darling_tail(25.0) == pytest.approx(1e-11, abs=1e-10)


@pytest.mark.parametrize(("n", "bins"), [(29, 1), (60, 2), (299, 9), (300, 10), (900, 10)])
def test_bins_have_about_equally_many_rows(n: int, bins: int) -> None:
    numbers = goodness.bins_of(np.random.default_rng(n).permutation(n).astype(float))
    sizes = np.bincount(numbers)
    assert (sizes.size, sizes.sum()) == (bins, n)
    assert np.ptp(sizes) <= 1 + (n % bins > 0)
    assert numbers[np.argmin(numbers)] == 0


def test_equal_means_are_never_parted_nor_are_those_that_differ_by_rounding() -> None:
    means = np.repeat([1.0, 2.0, 5.0], [70, 10, 20])
    numbers = goodness.bins_of(means)
    assert all(np.ptp(numbers[means == mean]) == 0 for mean in (1.0, 2.0, 5.0))
    assert (goodness.bins_of(1e3 + 1e-7 * np.random.default_rng(0).random(90)) == 0).all()
    assert goodness.bins_of(np.linspace(0.0, 1e-5, 90)).max() == 2


@pytest.mark.parametrize("free", [True, False])
def test_statistics_of_bins_are_those_of_plain_loops(free: bool) -> None:
    numbers = np.repeat([0, 1, 2], [20, 30, 40])
    sizes = np.array([20.0, 30.0, 40.0])
    binned = goodness._Binned((numbers[:, None] == np.arange(3)) / sizes, sizes, free)
    own = np.random.default_rng(2).normal(size=90)
    parts = [own[numbers == k] for k in range(3)]
    assert binned.mean_statistic(own) == pytest.approx(sum(part.size * part.mean() ** 2 for part in parts))
    whole = np.log(np.mean(own**2))
    apart = sum(part.size * (np.log(np.mean(part**2)) - whole) ** 2 for part in parts) / 2
    assert binned.variance_statistic(own) == pytest.approx(apart if free else apart + 90 * whole**2)
    squares = np.array([np.mean(part**2) for part in parts])
    assert binned.squares(own) == pytest.approx(squares / np.mean(own**2) if free else squares)
    assert binned.variance_statistic(np.stack([own, -own])).shape == (2,)


def binned(rewards: Floats, free: bool = False, most: int = 199) -> tuple[tuple[Test, ...], tuple[Any, ...]]:
    z, rng = X @ np.array([1.0, 0.8]), np.random.default_rng(5)
    return goodness.binned_tests(POISSON, rewards, z, np.ones(90), free, rng, most)


def test_the_bins_of_a_true_law_look_like_its_draws() -> None:
    tests, bins = binned(COUNTS)
    assert [test.name for test in tests] == ["variance", "mean"]
    assert all(test.p_value > 0.01 for test in tests)
    assert [one.rows for one in bins] == [30, 30, 30]
    assert [one.fitted for one in bins] == sorted(one.fitted for one in bins)
    assert all(one.low < one.square < one.high for one in bins)
    mean = np.exp(X @ np.array([1.0, 0.8]))
    lowest = np.argsort(mean)[:30]
    assert bins[0].fitted == pytest.approx(mean[lowest].mean())
    own = (COUNTS - mean) / np.sqrt(mean)
    assert (bins[0].mean, bins[0].square) == pytest.approx((own[lowest].mean(), (own[lowest] ** 2).mean()))


def test_a_law_that_no_draw_looks_like_has_the_least_p_value_that_the_draws_allow() -> None:
    tests, _ = binned(5 * COUNTS)
    assert [test.p_value for test in tests] == [1 / 200, 1 / 200]
    assert all("3 bins of the fitted mean, 199 draws" in test.how for test in tests)


@pytest.mark.parametrize(("factor", "most"), [(1.0, 300), (1.0, 4999), (1.6, 1250)])
def test_draws_end_when_p_values_are_known_well_enough_but_not_before_a_band_can_be_drawn(
    factor: float, most: int
) -> None:
    mean = np.exp(X @ np.array([1.0, 0.8]))
    tests, _ = binned(mean + factor * (COUNTS - mean), most=most)
    draws = int(tests[0].how.split()[-6])
    counts = [test.p_value * (1 + draws) - 1 for test in tests]
    assert counts == pytest.approx(np.round(counts), abs=1e-9)
    assert draws == most if most < 4999 else 400 <= draws < most
    assert min(counts) >= 30 or draws == most
    if draws > 400 and draws < most:
        assert min(counts) < 30 + 100  # the batch before was not enough


def test_with_one_bin_only_a_known_dispersion_can_be_wrong() -> None:
    rng, z = np.random.default_rng(5), np.zeros(20)
    assert goodness.binned_tests(GAUSSIAN, z, z, np.ones(20), True, rng, 99) == ((), ())
    tests, bins = goodness.binned_tests(GAUSSIAN, rng.normal(size=20), z, np.ones(20), False, rng, 99)
    assert ([test.name for test in tests], len(bins)) == (["variance"], 1)


def test_rows_are_drawn_with_their_own_dispersion() -> None:
    g = np.where(np.arange(90) % 2, 0.01, 4.0)
    made = goodness._draws(GAUSSIAN, X @ np.array([1.0, 0.8]), g, np.random.default_rng(1), 400)
    assert made.shape == (400, 90)
    assert made.mean(axis=0) == pytest.approx(X @ np.array([1.0, 0.8]), abs=0.5)
    assert made.std(axis=0) == pytest.approx(np.sqrt(g), rel=0.2)


# --- the word -------------------------------------------------------------------------------------------------------


def with_p(*p_values: float) -> list[Test]:
    return [Test(f"test {k}", 1.0, p, f"how {k}") for k, p in enumerate(p_values)]


@pytest.mark.parametrize(("p_values", "word", "reason"), [
    ((0.5, 0.2), "plausible", "smallest p of 2: test 1, 0.2"), ((0.00026, 0.2, 0.3, 0.4), "plausible", "test 0"),
    ((0.9, 0.00024, 0.3, 0.4), "contradicted", "test 1: p = 0.00024"), ((0.0, 0.5), "contradicted", "how 0"),
])  # fmt: skip
def test_the_tests_together_err_as_rarely_as_one(p_values: tuple[float, ...], word: str, reason: str) -> None:
    found = judge._word(with_p(*p_values))
    assert found[0] == word
    assert reason in found[1]


def test_of_many_rows_some_are_tested_and_the_seed_says_which() -> None:
    assert judge._tested_rows(2000, 1).tolist() == list(range(2000))
    rows = judge._tested_rows(2500, 1)
    assert (rows.size, np.unique(rows).size, rows.tolist()) == (2000, 2000, sorted(rows.tolist()))
    assert (rows == judge._tested_rows(2500, 1)).all()
    assert (rows != judge._tested_rows(2500, 2)).any()


def parts(family: Any, data: Data) -> Any:
    found = maximise(family, data)
    return found, scatter(family, data, found.natural)


@pytest.mark.parametrize(("digits", "coarse"), [(0, True), (2, False)])
def test_steps_that_rounding_does_not_explain_speak_against_a_density(digits: int, coarse: bool) -> None:
    data = checked_data(np.round(np.random.default_rng(16).normal(5.0, 1.0, 60), digits))
    found = judge._coarse_lattice(GAUSSIAN, data, *parts(GAUSSIAN, data))
    assert [(test.name, test.p_value) for test in found] == ([("lattice", 0.0)] if coarse else [])
    if coarse:
        assert found[0].statistic == pytest.approx(1 / np.std(data.rewards, ddof=1))
    assert judge._coarse_lattice(POISSON, DATA, *parts(POISSON, DATA)) == []


def test_an_estimate_says_what_the_fit_has_found() -> None:
    maximum, spread = parts(GAUSSIAN, DATA)
    covariance = np.diag([0.04, 0.09])
    tried = Candidate(GAUSSIAN, "", chosen_n=True)
    one = judge._estimate(tried, DATA, maximum, spread, covariance)
    rows = DATA.rewards, maximum.natural, spread.values
    assert one.standard_errors == pytest.approx([0.2, 0.3])
    assert (one.parameters, one.dispersion) == (4, spread.single)
    assert one.log_likelihood == log_likelihood(GAUSSIAN, *rows)
    assert one.aic == pytest.approx(8 - 2 * one.log_likelihood)
    assert one.deviance == pytest.approx(float(np.sum(deviance(GAUSSIAN, *rows) ** 2)))
    assert one.variance_ratio == pytest.approx(float(np.sum(pearson(GAUSSIAN, *rows) ** 2)) / 88) == pytest.approx(1.0)
    assert one.norm == pytest.approx(float(np.linalg.norm(maximum.theta)))


def test_a_family_is_excluded_or_undecided_before_anything_is_tested() -> None:
    large = checked_data([0.0, 2001.0, 5.0, 0.5])
    assert judge.judged("binomial", None, checked_data([0.0, 2001.0, 5.0]), 0).word == "undecided"
    assert judge.judged("binomial", None, large, 0).word == "excluded"
    assert judge.judged("bernoulli", None, DATA, 0).word == "excluded"
    assert judge.judged("poisson", None, checked_data([0.0, 0.0, 0.0]), 0).word == "undecided"
    n = judge.judged("binomial", None, checked_data([0.0, 1.0, 3.0, 2.0, 1.0, 0.0]), 0)
    assert (n.chosen_n, n.name.partition("(")[0]) == (True, "binomial")


def test_a_family_that_is_fitted_says_everything_and_repeats_itself() -> None:
    one, again = (judge.judged("poisson", None, DATA, 7) for _ in range(2))
    assert one.word == "plausible"
    assert {test.name for test in one.tests} == {"quantiles", "shape", "variance", "mean"}
    assert one.as_dict() == again.as_dict()
    assert one.estimate is not None
    assert one.learner is not None
    told = one.as_dict()
    assert (told["density"], told["theta"]) == ("mass function", one.estimate.theta.tolist())
    assert told["learner"]["code"] == list(one.learner.code)
    assert told["tests"][0]["p_value"] == one.tests[0].p_value
    information = maximise(POISSON, DATA).information
    assert one.estimate.standard_errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(information))))
    free = judge.judged("gaussian", None, DATA, 7)
    assert free.estimate is not None
    expected = np.sqrt(np.diag(np.linalg.inv(X.T @ X)) * free.estimate.dispersion)
    assert free.estimate.standard_errors == pytest.approx(expected)
    known = judge.judged("gaussian", None, checked_data(COUNTS, X, 4.0), 7)
    assert known.estimate is not None
    assert known.estimate.standard_errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(X.T @ X / 4.0))))


# --- ranks, twins and notes -----------------------------------------------------------------------------------------


def fitted(name: str, word: Any = "plausible", aic: float = 0.0, value: float | None = 0.0, **more: Any) -> FamilyFit:
    zero = np.zeros(1)
    estimate = None if value is None else Estimate(
        zero, zero, 0.0, 0.0, 1.0, "", 1, value, aic, 0.0, 1.0, zero, zero, zero
    )  # fmt: skip
    return FamilyFit(name, catalog.get(name), word, "because", estimate, **more)


def test_families_rank_by_word_then_kind_then_aic() -> None:
    ones = [
        fitted("poisson", aic=5.0), fitted("geometric", aic=4.0), fitted("binomial", aic=-4.0, chosen_n=True),
        fitted("gaussian", aic=-99.0), fitted("skellam", "undecided", value=None), fitted("uniform", "contradicted"),
        fitted("gamma", "excluded"),
    ]  # fmt: skip
    order = ["geometric", "poisson", "binomial", "gaussian", "skellam", "uniform", "gamma"]
    assert [one.name for one in sorted(ones, key=lambda one: fitting._rank(one, True))] == order
    first = min(ones, key=lambda one: fitting._rank(one, False))
    assert first.name == "gaussian"


def test_a_family_of_the_same_probabilities_says_which_it_repeats() -> None:
    ones = [
        fitted("poisson", value=-7.0), fitted("geometric", value=-7.0 + 5e-8), fitted("skellam", value=-7.1),
        fitted("gamma", "contradicted", value=-7.0), fitted("uniform", "undecided", value=None),
        fitted("gaussian", value=-7.0 - 2e-7),
    ]  # fmt: skip
    reasons = [one.reason for one in fitting._twins(ones)]
    assert reasons == ["because", "here the same law as poisson", *["because"] * 4]


@pytest.mark.parametrize(("rows", "words"), [(99, "99 rows are few"), (100, ""), (2000, ""), (2001, "to all 2001")])
def test_few_rows_and_many_are_said(rows: int, words: str) -> None:
    data = replace(checked_data(np.zeros(rows)), contexts=np.ones((rows, 1)))
    notes = list(fitting._notes(data, []))
    assert ([words in note for note in notes] or [words == ""]) == [True]


def test_notes_say_what_to_know_before_believing() -> None:
    scaled = checked_data(COUNTS, 3 * X[:, :1])
    notes = " ".join(fitting._notes(scaled, [fitted("poisson"), fitted("gaussian"), fitted("binomial", chosen_n=True)]))
    for words in ("scaled into the unit ball", "no constant is among", "masses with masses", "rank first: binomial"):
        assert words in notes
    quiet = " ".join(fitting._notes(DATA, [fitted("poisson"), fitted("gaussian", "excluded")]))
    for words in ("scaled", "no constant", "masses", "rank first"):
        assert words not in quiet


def test_a_result_is_found_by_its_name_and_told_in_plain_data() -> None:
    ones = (fitted("binomial", "undecided"), fitted("gaussian"), fitted("poisson"))
    found = Fit(3, 2, ("a",), (1.0,), 0, ones, ("note",))
    assert (found["gaussian"], found.best) == (ones[1], ones[1])
    assert found["binomial"].name == "binomial"
    assert replace(found, families=ones[:1]).best is None
    told = found.as_dict()
    assert (told["best"], told["rows"], told["tested_rows"], told["columns"]) == ("gaussian", 3, 2, ["a"])
    assert [one["family"] for one in told["families"]] == ["binomial", "gaussian", "poisson"]


@pytest.mark.parametrize("seed", [-1, 0.5, True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(BadInput, match=r"^seed = "):
        fitting.fit([1.0, 2.0], seed=seed)


# --- the learner ------------------------------------------------------------------------------------------------------


def test_errors_of_a_norm_and_of_the_worst_direction() -> None:
    covariance = np.array([[0.04, 0.0], [0.0, 0.25]])
    assert learner.norm_error(np.array([3.0, 0.0]), covariance) == pytest.approx(0.2)
    assert learner.norm_error(np.array([3.0, 4.0]), covariance) == pytest.approx(math.sqrt(9 * 0.04 + 16 * 0.25) / 5)
    assert learner.norm_error(np.zeros(2), covariance) == learner.worst_error(covariance) == pytest.approx(0.5)


@pytest.mark.parametrize(("value", "up", "down"), [
    (1.0, 1.0, 1.0), (1.01, 1.1, 1.0), (0.0123, 0.013, 0.012), (99.1, 100.0, 99.0), (345.0, 350.0, 340.0),
    (0.3, 0.3, 0.3),
])  # fmt: skip
def test_numbers_are_rounded_to_two_digits_outwards(value: float, up: float, down: float) -> None:
    assert (learner._round_up(value), learner._round_down(value)) == (up, down)
    assert learner._two_digits(345.0) == 340


def advice(family: Any, data: Data, theta: list[float], error: float, g: float | None = 1.0) -> learner.Setup:
    return learner.setup(family, "FAMILY", data, np.array(theta), error**2 * np.eye(len(theta)), g)


def test_a_radius_holds_theta_with_three_standard_errors() -> None:
    found = advice(POISSON, DATA, [0.6, 0.8], 0.1)
    assert (found.S, found.tilt) == (1.3, "0")
    assert found.code[1:] == ("family = FAMILY", "learner = Scouted(family, d=2, S=1.3, C=0.0)")
    assert advice(POISSON, DATA, [0.0, 0.0], 0.0).S == 0.01
    narrow = advice(catalog.get("hyperbolic_secant"), DATA, [0.6, 1.4], 0.1)
    assert (narrow.S, narrow.code) == (None, ())
    assert "would leave the domain" in narrow.usage


def test_a_shift_leaves_the_most_room_and_moves_nothing() -> None:
    constant = checked_data(np.ones(5), np.column_stack([np.linspace(-0.3, 0.3, 5), np.full(5, 0.9)]))
    theta = [0.2, -2.0]
    found = advice(EXPONENTIAL, constant, theta, 0.05)
    assert found.S is not None
    a = float(found.tilt)
    assert constant.constant is not None
    shifted = np.array(theta) + a * constant.constant
    assert np.linalg.norm(shifted) + 0.15 <= found.S < a
    assert found.S / a < 0.4
    assert f'family = FAMILY.tilted("{found.tilt}")' == found.code[1]
    without = advice(EXPONENTIAL, checked_data(np.ones(4), [[0.1], [0.2], [0.3], [0.4]]), [-1.0], 0.1)
    assert (without.S, without.code) == (None, ())
    assert "needs a constant column" in without.usage
    vague = advice(EXPONENTIAL, constant, theta, 9.0)
    assert vague.S is None
    assert "no shift leaves room" in vague.usage


@pytest.mark.parametrize(("g", "words"), [
    (1.0, ""), (0.123, ", dispersions=(0.12, 0.13)"), (None, ", dispersions=(0.5, 2.2)"),
])  # fmt: skip
def test_the_dispersions_that_the_constants_are_for(g: float | None, words: str) -> None:
    rows = checked_data(COUNTS, X, np.linspace(0.5, 2.12, 90))
    assert learner._learner(GAUSSIAN, rows, g) == ("Scouted", words)
    local = learner._learner(catalog.get("exponential").tilted(2), rows, 1.0)
    assert local == ("HCWGLBOMD", ', constants="local"')


def test_usage_says_what_a_context_is() -> None:
    scaled = checked_data(COUNTS, 3 * X[:, :1], intercept=True, columns=["age"])
    words = learner._usage(scaled, 0.25)
    assert words.startswith("x is (age, 1) divided by (")
    assert "dispersion=0.25" in words
    words = learner._usage(DATA, None)
    assert words.startswith("x is (x1, x2); learner.select(arms) pulls a row")
    assert "learner.update(x, reward, dispersion=the row's g)" in words
