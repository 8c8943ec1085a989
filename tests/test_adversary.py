"""Adversaries never overspend, and each does what its name says."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import adversary as a
from glbcheck.core import catalog, constants
from glbcheck.core.errors import BadInput
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

BERNOULLI, POISSON, GAUSSIAN = (catalog.get(name) for name in ("bernoulli", "poisson", "gaussian"))


def seen(**changes: Any) -> a.Seen:
    facts: dict[str, Any] = {
        "t": 1,
        "T": 100,
        "x": np.array([1.0, 0.0]),
        "is_best": True,
        "natural": 0.5,
        "reward": 1.0,
        "dispersion": 1.0,
        "weight": 1.0,
        "family": GAUSSIAN,
        "rng": np.random.default_rng(0),
    }
    return a.Seen(**{**facts, **changes})


# --- the budget ---------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.floats(0, 1e6),
    st.lists(st.floats(-1e5, 1e5) | st.floats(-1e-9, 1e-9), max_size=60),
    st.booleans(),
)
def test_no_budget_is_ever_overspent_not_even_by_rounding(C: float, wishes: list[float], divisible: bool) -> None:
    budget = a.Budget(C)
    paid = [budget.pay(c, divisible) for c in wishes]
    assert sum((abs(Fraction(c)) for c in paid), Fraction(0)) <= Fraction(C)
    assert all(c == wish or divisible or c == 0 for c, wish in zip(paid, wishes, strict=True))
    assert all(c * wish >= 0 for c, wish in zip(paid, wishes, strict=True))
    assert 0 <= budget.spent <= C


def test_a_budget_that_is_a_multiple_of_the_price_is_spent_to_the_end() -> None:
    budget = a.Budget(3.0)
    assert [budget.pay(-1.0, False) for _ in range(5)] == [-1.0, -1.0, -1.0, 0.0, 0.0]
    assert budget.remaining == 0
    part = a.Budget(2.5)
    assert [part.pay(1.0, True) for _ in range(4)] == [1.0, 1.0, 0.5, 0.0]


@pytest.mark.parametrize("C", [-1.0, math.inf, math.nan])
def test_impossible_budgets_are_refused(C: float) -> None:
    with pytest.raises(BadInput, match="C"):
        a.Budget(C)


# --- the strategies -----------------------------------------------------------------------------------------


def test_front_loading_spends_first_and_misleads() -> None:
    opponent = a.Adversary(a.front_loaded(2.0), 5.0)
    assert [opponent.corrupt(seen(t=t, is_best=t % 2 == 0)) for t in range(1, 6)] == [
        2.0,
        -2.0,
        1.0,
        0.0,
        0.0,
    ]


def test_spreading_spends_the_same_in_every_round_and_all_in_the_end() -> None:
    opponent = a.Adversary(a.spread(7.0), 7.0)
    paid = [opponent.corrupt(seen(t=t)) for t in range(1, 101)]
    assert max(map(abs, paid)) == pytest.approx(0.07)
    assert sum(map(abs, paid)) == pytest.approx(7.0)


def test_the_late_adversary_waits_and_still_spends_everything() -> None:
    opponent = a.Adversary(a.late(10.0), 10.0)
    paid = [opponent.corrupt(seen(t=t)) for t in range(1, 101)]
    assert paid[:90] == [0.0] * 90
    assert sum(map(abs, paid)) == 10.0


def test_the_targeted_adversary_touches_only_what_is_distrusted() -> None:
    opponent = a.Adversary(a.low_weight(), 10.0)
    assert opponent.corrupt(seen(weight=1.0)) == 0.0
    assert opponent.corrupt(seen(weight=0.3)) == -1.0


@pytest.mark.parametrize("family", [BERNOULLI, POISSON, GAUSSIAN], ids=lambda f: f.name)
def test_the_mirror_shows_the_mean_of_the_opposite_parameter(family: Any) -> None:
    opponent = a.Adversary(a.mirror(), 1e9)
    mean = float(family.mu(0.7))
    assert mean + opponent.corrupt(seen(family=family, natural=0.7, reward=mean)) == pytest.approx(
        float(family.mu(-0.7))
    )


# --- the paper's adversaries --------------------------------------------------------------------------------

S, PHI = 1.2, 0.5


def test_without_noise_every_pull_looks_suboptimal_exactly_as_often_as_the_paper_says() -> None:
    Delta = a.lower_bound_gap(GAUSSIAN, S, PHI)
    opponent = a.Adversary(a.noiseless(GAUSSIAN, S, PHI), 5.0)
    shown = [S + opponent.corrupt(seen(natural=S, reward=S)) for _ in range(60)]
    hidden = sum(r == pytest.approx(S * math.cos(PHI) ** 2) for r in shown)
    assert hidden == constants.sustained_pulls(5.0, Delta)
    assert shown[hidden:] == [S] * (60 - hidden)
    assert opponent.corrupt(seen(is_best=False)) == 0.0


def test_flipping_makes_the_best_arm_bernoulli_with_the_suboptimal_mean() -> None:
    opponent = a.Adversary(a.logistic_flip(BERNOULLI, S, PHI), 1e9)
    rng = np.random.default_rng(1)
    n = 20_000
    rewards = BERNOULLI.sample(rng, S, size=n)
    shown = [r + opponent.corrupt(seen(reward=float(r), rng=rng)) for r in rewards]
    assert set(shown) == {0.0, 1.0}
    target = float(BERNOULLI.mu(S * math.cos(PHI) ** 2))
    assert stats.binomtest(int(sum(shown)), n, target).pvalue > 1e-3
    assert stats.binomtest(int(rewards.sum()), n, target).pvalue < 1e-6


@pytest.mark.parametrize(("nudge", "flipped"), [(-1e-9, -1.0), (1e-9, 0.0)])
def test_the_probability_of_a_flip_is_the_gap_over_the_mean(nudge: float, flipped: float) -> None:
    def mu(z: float) -> float:
        return 1 / (1 + math.exp(-z))

    class Chance:
        def random(self) -> float:
            return 1 - mu(S * math.cos(PHI) ** 2) / mu(S) + nudge

    assert a.logistic_flip(BERNOULLI, S, PHI).propose(seen(rng=Chance())) == flipped


def test_thinning_makes_the_best_arm_poisson_with_the_suboptimal_mean() -> None:
    opponent = a.Adversary(a.poisson_thin(POISSON, S, PHI), 1e9)
    rng = np.random.default_rng(2)
    rewards = POISSON.sample(rng, S, size=20_000)
    shown = np.array([r + opponent.corrupt(seen(reward=float(r), rng=rng)) for r in rewards])
    assert (shown >= 0).all()
    law = stats.poisson(float(POISSON.mu(S * math.cos(PHI) ** 2)))
    counts = np.bincount(np.minimum(shown, 8).astype(int), minlength=9)
    expected = np.append(law.pmf(np.arange(8)), law.sf(7)) * shown.size
    assert stats.chisquare(counts, expected).pvalue > 1e-3


@pytest.mark.parametrize("make", [a.logistic_flip, a.poisson_thin])
def test_when_the_budget_is_gone_the_truth_is_shown(make: Any) -> None:
    family = BERNOULLI if make is a.logistic_flip else POISSON
    opponent = a.Adversary(make(family, S, PHI), 3.0)
    rng = np.random.default_rng(3)
    paid = [opponent.corrupt(seen(reward=1.0, rng=rng)) for _ in range(300)]
    assert sum(paid) == -3.0
