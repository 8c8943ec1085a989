"""Simulation with exact error probabilities: what a pass means, and that a sample refutes nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from glbcheck.core.binomial import (
    DIGITS,
    alarm_threshold,
    at_least,
    at_most,
    clopper_pearson_lower,
    clopper_pearson_upper,
    pass_threshold,
)
from glbcheck.core.errors import BadInput
from glbcheck.verify.claim import Verdict
from glbcheck.verify.search.montecarlo import BLOCK, bernoulli_at_most, counts
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.corpus import Entry, false_montecarlo
from tests.corpus.coins import coin

PROBABILITIES = st.fractions(F(1, 100), F(99, 100), max_denominator=100)
LEVELS = st.sampled_from([F(1, 2), F(1, 10), F(1, 20), F(1, 1000)])


@pytest.mark.parametrize("entry", false_montecarlo.ENTRIES, ids=lambda e: e.name)
def test_a_false_statement_comes_out_neither_positive_nor_refuted(entry: Entry) -> None:
    assert entry.run().verdict is Verdict.UNDECIDED


@given(st.integers(1, 40), st.integers(-1, 41), PROBABILITIES)
@settings(deadline=None)
def test_binomial_tails_agree_with_scipy_and_add_up(n: int, k: int, p: F) -> None:
    assert float(at_most(n, k, p)) == pytest.approx(stats.binom.cdf(k, n, float(p)), abs=1e-12)
    assert at_most(n, k, p) + at_least(n, k + 1, p) == 1


@given(st.integers(1, 12), PROBABILITIES)
def test_binomial_tails_agree_with_adding_every_outcome(n: int, p: F) -> None:
    for k in range(n + 1):
        assert at_most(n, k, p) == sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


@given(st.integers(1, 200), st.data(), LEVELS)
@settings(max_examples=40, deadline=None)
def test_clopper_pearson_agrees_with_scipy_and_is_rounded_outward(n: int, data: st.DataObject, alpha: F) -> None:
    k = data.draw(st.integers(0, n))
    upper, lower = clopper_pearson_upper(n, k, alpha), clopper_pearson_lower(n, k, alpha)
    grid = F(1, 10**DIGITS)
    assert lower <= F(k, n) <= upper or alpha == F(1, 2)
    if k < n:
        assert float(upper) == pytest.approx(stats.beta.ppf(1 - float(alpha), k + 1, n - k), abs=2e-6)
        assert at_most(n, k, upper) <= alpha < at_most(n, k, upper - grid)
    if k > 0:
        assert float(lower) == pytest.approx(stats.beta.ppf(float(alpha), k, n - k + 1), abs=2e-6)
        assert at_least(n, k, lower) <= alpha < at_least(n, k, lower + grid)


@given(st.integers(1, 60), PROBABILITIES, LEVELS)
@settings(max_examples=60, deadline=None)
def test_thresholds_are_the_last_counts_that_exclude(n: int, p: F, alpha: F) -> None:
    c, a = pass_threshold(n, p, alpha), alarm_threshold(n, p, alpha)
    assert at_most(n, c, p) <= alpha < at_most(n, c + 1, p)
    assert at_least(n, a, p) <= alpha < at_least(n, a - 1, p)


@given(st.integers(5, 80), PROBABILITIES, LEVELS)
@settings(max_examples=30, deadline=None)
def test_a_pass_is_the_same_as_an_upper_bound_below_the_limit(n: int, p: F, alpha: F) -> None:
    c = pass_threshold(n, p, alpha)
    for k in range(n + 1):
        assert (k <= c) == (clopper_pearson_upper(n, k, alpha) <= p) or p.denominator > 10**DIGITS or k == n


def test_the_stated_power_is_exact() -> None:
    evidence = bernoulli_at_most(coin(F(1, 50)), F(1, 10), 300, F(1, 20), F(3, 20), seed=1)
    c = evidence.certificate["trials"]["passes up to"]
    power = F(evidence.certificate["trials"]["power"])
    assert power <= 1 - at_most(300, c, F(3, 20)) < power + F(1, 10**9)
    assert float(power) == pytest.approx(stats.binom.sf(c, 300, 0.15), abs=1e-8)
    assert power >= 1 - F(1, 20)


def test_over_many_seeds_a_wrong_pass_is_as_rare_as_stated() -> None:
    """The exact wrong-pass probability at p0 itself is just below alpha = 1/4; 200 seeds agree."""
    runs = 200
    passed = sum(
        bernoulli_at_most(coin(F(1, 5)), F(1, 5), 60, F(1, 4), F(2, 5), seed=s).verdict.positive for s in range(runs)
    )
    stated = at_most(60, pass_threshold(60, F(1, 5), F(1, 4)), F(1, 5))
    assert stated <= F(1, 4)
    assert stats.binomtest(passed, runs, float(stated)).pvalue > 1e-4


def test_a_sample_against_the_statement_is_undecided_with_its_p_value() -> None:
    evidence = bernoulli_at_most(coin(F(1, 2)), F(1, 10), 200, F(1, 100), F(1, 5), seed=2)
    assert evidence.verdict is Verdict.UNDECIDED
    p_value = F(evidence.certificate["p-value"])
    assert at_least(200, evidence.certificate["failures"], F(1, 10)) <= p_value < F(1, 10**6)


def test_too_few_trials_are_said_to_be_too_few_before_any_is_run() -> None:
    def never(generator: np.random.Generator, trials: int) -> int:
        raise AssertionError("sampled")

    evidence = bernoulli_at_most(never, F(1, 1000), 100, F(1, 20), F(1, 2), seed=3)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "can never" in evidence.summary


def test_blocks_have_streams_of_their_own() -> None:
    def first_number(generator: np.random.Generator, trials: int) -> int:
        return int(generator.integers(trials))

    assert len(set(counts(first_number, 20 * BLOCK, 7))) > 10


def constant(answer: Any) -> Callable[[np.random.Generator, int], Any]:
    return lambda generator, trials: answer


@pytest.mark.parametrize(("arguments", "says"), [
    *(({"p0": p0}, "p0") for p0 in (0.05, F(0), F(3, 2))),
    *(({"alpha": alpha}, "alpha") for alpha in (0.05, F(0), F(2, 3))),
    *(({"alternative": rival}, "alternative") for rival in (0.1, F(1, 2))),
    *(({"sampler": constant(c)}, "sampler") for c in (0.5, True, np.float64(1), -1, 10**6)),
    *(({"n": n}, "n") for n in (10.0, 0)),
])  # fmt: skip
def test_floats_and_designs_that_make_no_sense_are_refused_by_name(arguments: dict[str, Any], says: str) -> None:
    given_: dict[str, Any] = {"sampler": coin(F(0)), "p0": F(1, 2), "n": 100, "alpha": F(1, 20), "alternative": F(3, 4)}
    with pytest.raises(BadInput, match=says):
        bernoulli_at_most(**(given_ | arguments), seed=1)


def test_known_corner_cases_of_the_bounds() -> None:
    for n, alpha in product((1, 10, 100), (F(1, 20), F(1, 1000))):
        assert clopper_pearson_upper(n, n, alpha) == 1
        assert clopper_pearson_lower(n, 0, alpha) == 0
        # No failure at all: (1 - p)^n = alpha.
        assert float(clopper_pearson_upper(n, 0, alpha)) == pytest.approx(1 - float(alpha) ** (1 / n), abs=2e-6)
