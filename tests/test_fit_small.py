"""Single functions of a fit at the borders of what they accept, each in a few hundredths of a second."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog, fitting
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.fitting import candidates, goodness, judge, learner, possible, scatter
from glbcheck.core.fitting.candidates import Candidate
from glbcheck.core.fitting.data import checked_data
from glbcheck.core.fitting.distribution import NotSummed
from glbcheck.core.fitting.likelihood import log_likelihood, maximise
from glbcheck.core.fitting.residuals import quantile
from glbcheck.core.fitting.result import Fit

from tests.test_fit_words import COUNTS, DATA, EXPONENTIAL, GAUSSIAN, POISSON, advice, fitted, parts, with_p

# --- what is possible -------------------------------------------------------------------------------------------------


def test_a_value_at_the_limit_of_rounding_does_not_keep_the_search_for_a_step_going() -> None:
    """The second is 45 times the first, and as far from it as rounding may be, to the last bit."""
    assert possible.common_step(np.array([0.3650434993895252, 16.42695748895559])) == 0.3650434993895252


@pytest.mark.parametrize(("rewards", "row"), [
    ([math.sqrt(0.5)] * 3, 1), ([0.5, 0.25, math.sqrt(0.5), 0.5, 1.0], 3), ([0.0, 0.0, 0.1, 3e-7, 0.1], 4),
])  # fmt: skip
def test_the_row_is_named_at_which_proportions_have_no_common_step(rewards: list[float], row: int) -> None:
    """A proportion is a multiple of 1/n, so that 1 is a multiple of their step too."""
    found = possible.impossible(catalog.get("binomial_proportion"), checked_data(rewards))
    assert found is not None
    assert (found.row, found.value) == (row, rewards[row - 1])


@pytest.mark.parametrize(("name", "rewards", "g", "row"), [
    ("von_mises", [0.5, 0.2, 1.0], None, 3), ("gamma", [0.5, 0.0, 1.0], [2.0, 0.5, 0.5], 2),
    ("inverse_gaussian", [0.5, 1.0, 0.0], None, 3), ("exponential", [0.5, 1.0, 0.0], None, None),
])  # fmt: skip
def test_an_end_at_which_a_density_is_zero_or_infinite_is_never_taken(
    name: str, rewards: list[float], g: Any, row: int | None
) -> None:
    found = possible.impossible(catalog.get(name), checked_data(rewards, dispersion=g))
    assert (None if found is None else found.row) == row


def test_a_lattice_without_ends_holds_zero_whatever_its_step() -> None:
    skellam = catalog.get("skellam")
    assert possible.impossible(skellam, checked_data([-0.3, 0.6, 0.9], dispersion=0.3)) is None
    assert possible.impossible(skellam, checked_data([-0.3, 0.7, 0.9], dispersion=0.3)) is not None


def test_the_first_row_of_a_dispersion_that_no_such_law_has_is_named() -> None:
    found = possible.impossible(POISSON, checked_data([1.0, 2.0, 3.0, 4.0], dispersion=[1.0, 2.0, 2.0, 1.0]))
    assert found is not None
    assert str(found) == "row 2: 2 is no dispersion of it: g = 1"


# --- the dispersion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("likes", "divided"), [(1.0, 1), (-1.0, 16)])
def test_the_step_of_the_rewards_may_be_divided_by_up_to_sixteen(
    likes: float, divided: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scatter, "log_likelihood", lambda family, rewards, natural, values: likes * values[0])
    seen = checked_data([0.5, 1.0, 2.0])
    assert scatter.scatter(catalog.get("scaled_poisson"), seen, np.zeros(3)).single == 0.5 / divided


def only_fractions() -> Family:
    gamma = catalog.get("gamma")
    return replace(gamma, dispersions=replace(gamma.dispersions, words="g = 1/n", allows=lambda g: (1 / g) % 1 == 0))


def test_a_fraction_is_at_most_one_though_another_may_be_likelier() -> None:
    """One reward far out makes the estimate larger than 1, and the others would rather have 1/2."""
    rewards, z = np.append(np.ones(39), 8.0), np.full(40, -1.0)
    assert scatter.pearson_dispersion(catalog.get("gamma"), checked_data(rewards), z) > 1
    halves, ones = (log_likelihood(catalog.get("gamma"), rewards, z, np.full(40, g)) for g in (0.5, 1.0))
    assert halves > ones
    assert scatter.scatter(only_fractions(), checked_data(rewards), z).single == 1.0


@pytest.mark.parametrize(("likes", "draws"), [(1.0, 3), (-1.0, 4)])
def test_the_fractions_on_both_sides_of_the_estimate_are_compared(
    likes: float, draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scatter, "log_likelihood", lambda family, rewards, natural, values: likes * values[0])
    z, away = np.full(4, -2.0), math.sqrt(0.3 * 3 / 4) / 2  # mean 1/2 and slope 1/4
    data = checked_data(0.5 + away * np.array([1.0, -1.0, 1.0, -1.0]))
    assert scatter.pearson_dispersion(catalog.get("gamma"), data, z) == pytest.approx(0.3)
    assert scatter.scatter(only_fractions(), data, z).single == 1 / draws


def test_rows_that_are_fitted_exactly_have_a_dispersion_all_the_same() -> None:
    assert scatter.pearson_dispersion(GAUSSIAN, checked_data([1.0, 1.0]), np.ones(2)) == 1e-300


# --- tests of goodness ------------------------------------------------------------------------------------------------


def test_anderson_and_darlings_tail_is_that_of_its_characteristic_function() -> None:
    """φ(t)² = -2πit / cos(½π √(1 + 8it)), and the formula of Gil-Pelaez, with midpoints up to where φ is 1e-12."""
    h = 0.01
    t = np.arange(h / 2, 400.0, h)
    root = np.sqrt(1 + 8j * t) * math.pi / 2
    log_cosine = np.log1p(np.exp(2j * root)) - 1j * root - math.log(2)
    log_phi = (np.log(-2j * math.pi * t) - log_cosine) / 2
    for x in (0.1, 0.5, 2.5, 6.0, 12.0):
        tail = 0.5 + h / math.pi * float(np.sum(np.exp(log_phi.real) * np.sin(log_phi.imag - t * x) / t))
        assert goodness.anderson_darling_tail(x) == pytest.approx(tail, rel=1e-6, abs=1e-11)


@pytest.mark.parametrize(("x", "p", "digits"), [
    (0.341, 0.5, 0.01), (0.470, 0.25, 0.02), (0.561, 0.15, 0.025), (0.631, 0.1, 0.002), (0.752, 0.05, 0.01),
    (1.159, 0.005, 0.001),
])  # fmt: skip
def test_stephens_tail_has_the_points_of_his_table(x: float, p: float, digits: float) -> None:
    assert goodness.stephens_tail(x) == pytest.approx(p, rel=digits)


def test_the_band_of_a_bin_leaves_a_hundredth_of_the_draws_on_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    roots = np.sqrt(np.arange(1.0, 101.0))[:, None]
    monkeypatch.setattr(goodness, "_draws", lambda *parts: np.broadcast_to(roots, (100, 20)))
    z, rng = np.zeros(20), np.random.default_rng(1)
    rewards = np.full(20, math.sqrt(4.5))  # their square is nearer to 1 than that of 96 in a hundred draws
    (variance,), (only,) = goodness.binned_tests(GAUSSIAN, rewards, z, np.ones(20), False, rng, 9999)
    assert (only.low, only.high) == pytest.approx((1.99, 99.01))
    assert variance.how == "1 bins of the fitted mean, 400 draws of the fitted law"
    assert variance.p_value == (1 + 4 * 96) / 401


def test_a_bin_without_residuals_is_far_from_the_others_and_no_error() -> None:
    binned = goodness._Binned(np.repeat(np.eye(2), 3, axis=0) / 3, np.full(2, 3.0), False)
    assert 1e5 < float(binned.variance_statistic(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 1.0]))) < 1e7


def test_how_far_two_bins_are_apart_is_not_halved() -> None:
    binned = goodness._Binned(np.repeat(np.eye(2), 3, axis=0) / 3, np.full(2, 3.0), False)
    apart, together = 3 * (math.log(0.4) ** 2 + math.log(1.6) ** 2), 6 * math.log(2.5) ** 2
    found = float(binned.variance_statistic(np.array([1.0, -1.0, 1.0, 2.0, 2.0, -2.0])))
    assert found == pytest.approx(apart + together)


def test_a_draw_that_looks_just_as_bad_counts_and_two_bins_have_means_to_compare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bins of 32 rows with residuals of 1 and -1, so that nothing is rounded."""
    z = np.repeat([0.0, 64.0], 32)
    rewards = z + np.tile([1.0, 1.0, 1.0, -1.0], 16)
    monkeypatch.setattr(goodness, "_draws", lambda *parts: np.broadcast_to(rewards, (100, 64)))
    found, bins = goodness.binned_tests(GAUSSIAN, rewards, z, np.ones(64), False, np.random.default_rng(1), 100)
    assert [(test.name, test.p_value) for test in found] == [("variance", 1.0), ("mean", 1.0)]
    assert [one.fitted for one in bins] == [0.0, 64.0]


# --- the word ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "coarse"), [(0.9, True), (0.6, False)])
def test_a_step_of_a_quarter_of_the_fitted_spread_is_coarse(step: float, coarse: bool) -> None:
    data = checked_data(step * np.round(np.random.default_rng(16).normal(5.0, 3.0, 60) / step))
    assert bool(judge._coarse_lattice(GAUSSIAN, data, *parts(GAUSSIAN, data))) is coarse


def test_tests_that_err_just_as_often_as_they_may_do_not_speak_against_a_family() -> None:
    assert judge._word(with_p(0.0005, 0.5))[0] == "plausible"


@pytest.mark.parametrize(("p", "draws"), [(0.00024, 499), (0.00026, 4999)])
def test_few_draws_are_enough_where_another_of_four_tests_has_rejected(
    p: float, draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def drawn(*parts: object, most: int, **more: object) -> tuple[tuple[()], tuple[()]]:
        asked.append(most)
        return (), ()

    monkeypatch.setattr(judge, "quantile_tests", lambda residuals: with_p(0.5, p))
    monkeypatch.setattr(judge, "binned_tests", drawn)
    found = judge.judged("poisson", None, DATA, 0)
    assert asked == [draws]
    tried = Candidate(POISSON, "", n=64, at_limit=True)
    limit = judge._tested(tried, DATA, maximise(POISSON, DATA), 0)
    assert limit.reason == f"{found.reason}; the likelihood still grew at n = 64, the largest tried"


def test_rows_and_residuals_are_drawn_by_the_first_two_children_of_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, residuals = (np.random.default_rng(child) for child in np.random.SeedSequence(7).spawn(2))
    assert judge._tested_rows(2500, 7).tolist() == sorted(rows.choice(2500, 2000, replace=False).tolist())
    monkeypatch.setattr(judge, "binned_tests", lambda *parts, **more: ((), ()))
    found = judge.judged("poisson", None, DATA, 7)
    expected = quantile(POISSON, COUNTS, maximise(POISSON, DATA).natural, np.ones(90), residuals)
    assert found.quantile_residuals is not None
    assert found.quantile_residuals.tolist() == expected.tolist()


def test_a_law_that_cannot_be_summed_is_fitted_and_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*parts: object) -> None:
        raise NotSummed("too many points")

    monkeypatch.setattr(judge, "quantile", refuses)
    found = judge.judged("poisson", None, DATA, 0)
    assert (found.word, found.reason, found.tests) == ("undecided", "residuals: too many points", ())
    assert found.estimate is not None
    assert found.learner is not None


def test_why_a_family_was_not_tested_is_said() -> None:
    large, broken = checked_data([0.0, 2001.0, 5.0]), checked_data([0.0, 2001.0, 5.0, 0.5])
    assert judge.judged("binomial", None, large, 0).reason.startswith("a reward above 2000")
    assert judge.judged("binomial", None, broken, 0).reason.startswith("row 4: 0.5 ")
    assert judge.judged("bernoulli", None, checked_data([0.0, 1.0, 3.0]), 0).reason.startswith("row 3: 3 ")
    assert judge.judged("poisson", None, checked_data([0.0, 0.0, 0.0]), 0).reason.startswith("separation")


def test_the_likelihood_of_what_is_impossible_or_has_no_maximum_is_none() -> None:
    seen = checked_data([0.0, 1.0, 3.0, 2.0])
    assert judge._best_likelihood(catalog.get("binomial", n=2), seen) == -np.inf
    assert judge._best_likelihood(POISSON, checked_data([0.0, 1.0, 3.0, 2.0], dispersion=2.0)) == -np.inf
    assert judge._best_likelihood(POISSON, checked_data([0.0, 0.0, 0.0])) == -np.inf
    expected = log_likelihood(POISSON, seen.rewards, np.full(4, math.log(1.5)), np.ones(4))
    assert judge._best_likelihood(POISSON, seen) == pytest.approx(expected)


# --- all of them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("repeated", "first"), [(4, "gaussian"), (6, "poisson")])
def test_laws_on_a_lattice_come_first_where_more_than_a_twentieth_of_the_rewards_repeat(
    repeated: int, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "judged", lambda name, n, data, seed: fitted(name))
    rewards = np.append(np.arange(100.0 - repeated), np.zeros(repeated))
    for order in (["poisson", "gaussian"], ["gaussian", "poisson"]):
        found = fitting.fit(rewards, families=order, seed=0)
        assert (found.families[0].name, found.rows, found.tested_rows) == (first, 100, 100)
    assert fitting.fit(np.arange(2001.0), families=["poisson"]).tested_rows == 2000
    assert {one.name for one in fitting.fit(rewards).families} == set(catalog.NAMES)


def test_a_family_is_found_without_its_n_and_tells_its_bins() -> None:
    sized = replace(fitted("binomial"), name="binomial(n=7)", bins=(goodness.Bin(1.0, 30, 0.1, 1.2, 0.5, 1.5),))
    found = Fit(3, 2, ("a",), (1.0,), 0, (fitted("poisson"), sized), ())
    assert found["binomial"] is found["binomial(n=7)"] is sized
    told = {"fitted": 1.0, "rows": 30, "mean": 0.1, "square": 1.2, "low": 0.5, "high": 1.5}
    assert sized.as_dict()["bins"] == [told]


@pytest.mark.parametrize("rows", [100, 2000])
def test_a_hundred_rows_are_not_few_and_two_thousand_are_all_tested(rows: int) -> None:
    assert list(fitting._notes(checked_data(np.zeros(rows)), [])) == []


def test_an_n_that_was_chosen_must_gain_ten_of_aic() -> None:
    plain, sized = fitted("poisson", aic=0.0), [fitted("binomial", aic=aic, chosen_n=True) for aic in (-11.0, -9.0)]
    better, worse = (fitting._rank(one, True) < fitting._rank(plain, True) for one in sized)
    assert (better, worse) == (True, False)


# --- the learner ------------------------------------------------------------------------------------------------------


def test_a_variance_that_rounding_made_negative_is_none() -> None:
    assert learner.norm_error(np.array([1.0, 0.0]), np.diag([-1e-20, 1.0])) == 0.0


def test_a_domain_with_a_little_room_needs_no_shift_and_its_end_is_outside() -> None:
    narrow = EXPONENTIAL.tilted("1/2")
    inside, beyond = advice(narrow, DATA, [0.3, 0.0], 0.05), advice(narrow, DATA, [0.5, 0.0], 0.0)
    assert (inside.S, inside.tilt) == (0.45, "0")
    assert (beyond.S, beyond.code) == (None, ())
    assert "S = 0.5 would leave the domain" in beyond.usage


def test_a_shift_that_moves_theta_to_zero_still_leaves_a_ball() -> None:
    constant = checked_data(np.ones(5), np.column_stack([np.linspace(-0.3, 0.3, 5), np.full(5, 0.9)]))
    found = advice(EXPONENTIAL, constant, [0.0, -1 / 0.9], 0.0)
    assert (found.S, found.tilt) == (0.01, "1")


def test_a_ball_that_would_reach_to_the_end_of_the_shifted_domain_is_none() -> None:
    """Three errors are as long as θ, so that the radius is the shift itself."""
    assert advice(EXPONENTIAL, checked_data(np.ones(5)), [-3.0], 1.0).S is None
    assert advice(EXPONENTIAL, checked_data(np.ones(5)), [-3.0], 0.9).S is not None


# --- data -------------------------------------------------------------------------------------------------------------


def test_the_largest_reward_is_accepted_and_a_single_one_is_too_few() -> None:
    assert checked_data([1e100, 0.0, -1e100]).rewards.tolist() == [1e100, 0.0, -1e100]
    with pytest.raises(BadInput, match="1 columns and 1 rows"):
        checked_data([1.0])


@pytest.mark.parametrize(("rewards", "words"), [
    ([], "no rows"), (["1", "2", "3"], "a sequence of numbers"), ([[1.0], [2.0, 3.0]], "a sequence of numbers"),
])  # fmt: skip
def test_what_is_no_sequence_of_numbers_is_refused(rewards: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        checked_data(rewards)


def test_contexts_on_the_border_of_the_unit_ball_stay_as_they_are() -> None:
    assert checked_data([1.0, 2.0, 3.0], [[0.6, 0.8], [0.1, 0.2], [0.3, 0.1]]).scales.tolist() == [1.0, 1.0]


# --- candidates -------------------------------------------------------------------------------------------------------


def test_the_likeliest_n_is_found_between_others_that_are_impossible() -> None:
    assert candidates._likeliest(lambda n: float(n) if n <= 9 else -math.inf, 5, 100) == 9
    assert candidates._likeliest(lambda n: -float(n) if 8 <= n <= 12 else -math.inf, 5, 100) == 8


def test_the_likeliest_n_may_be_the_largest_and_none_beyond_is_asked_for() -> None:
    asked: list[int] = []

    def value(n: int) -> float:
        asked.append(n)
        return float(n)

    assert candidates._likeliest(value, 3, 100) == 100
    assert max(asked) == 100


def test_a_name_that_is_none_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(BadInput, match="did you mean poisson"):
        candidates.read_names(["gaussian", "poison"])
