"""The words of a fit: its tests of goodness, what follows from them, and the learner that is advised."""

from __future__ import annotations

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
from glbcheck.core.fitting.data import Data, checked_data
from glbcheck.core.fitting.goodness import Test
from glbcheck.core.fitting.likelihood import maximise
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


def test_tails_fall_without_jumps_and_end_where_p_values_are_not_told_apart() -> None:
    for tail in (goodness.stephens_tail, goodness.anderson_darling_tail):
        values = [tail(x) for x in np.linspace(0.35, 9.9, 400)]
        assert all(later <= earlier * 1.02 for earlier, later in pairwise(values))
        assert tail(0.04) == 1.0
        assert tail(30.0) == tail(1e6) == 1e-12
    assert 1 - 1e-6 < goodness.anderson_darling_tail(0.06) < 1.0
    assert goodness.anderson_darling_tail(25.0) == pytest.approx(1e-11, abs=1e-10)


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


# --- the word -------------------------------------------------------------------------------------------------------


def with_p(*p_values: float) -> list[Test]:
    return [Test(f"test {k}", 1.0, p, f"how {k}") for k, p in enumerate(p_values)]


def parts(family: Any, data: Data) -> Any:
    found = maximise(family, data)
    return found, scatter(family, data, found.natural)


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
