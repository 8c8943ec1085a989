"""Adversaries never overspend, and each does what its name says."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.environment import adversary as a
from glbcheck.core.errors import BadInput
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

BERNOULLI, POISSON, GAUSSIAN = (catalog.get(name) for name in ("bernoulli", "poisson", "gaussian"))
S, PHI = 1.2, 0.5
LOW = S * math.cos(PHI) ** 2  # what the best arm must look like


def seen(**changes: Any) -> a.AdversaryView:
    return a.AdversaryView(1, math.inf, 0.5, 1.0, 0.5, -0.5, True, 0.0, 2.0)._replace(**changes)


def paid(attack: a.Attack, *rounds: a.AdversaryView) -> list[float]:
    """What the attack does in these rounds, one after the other."""
    budget = attack.numbers()
    return [a.corrupt(budget, one) for one in rounds]


def spent(corruptions: list[float]) -> Fraction:
    return sum((abs(Fraction(c)) for c in corruptions), Fraction(0))


# --- the budget ---------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(0, 1e6), st.lists(st.floats(-1e5, 1e5) | st.floats(-1e-9, 1e-9), max_size=60), st.booleans())
def test_no_budget_is_ever_overspent_not_even_by_rounding(C: float, wishes: list[float], divisible: bool) -> None:
    attack = replace(a.mirror(C), divisible=divisible)
    found = paid(attack, *(seen(mean=0.0, mirrored=wish) for wish in wishes))
    assert spent(found) <= Fraction(C)
    assert all(c == wish or divisible or c == 0 for c, wish in zip(found, wishes, strict=True))
    assert all(c * wish >= 0 for c, wish in zip(found, wishes, strict=True))


@settings(max_examples=60, deadline=None)
@given(
    C=st.floats(1e-3, 1e6), shares=st.lists(st.floats(0, 1e3), min_size=1, max_size=9).filter(lambda s: sum(s) > 0),
    size=st.floats(1e-6, 1e6), factor=st.floats(0.01, 100.0),
)  # fmt: skip
@example(C=79581.0, shares=[1.1125369292536007e-308, 1.0], size=4681.79124151665, factor=7.0)
def test_no_paced_attack_overspends_not_even_when_multiplied(
    C: float, shares: list[float], size: float, factor: float
) -> None:
    attack = a.paced(C, 40, shares, size).times(factor)
    found = paid(attack, *(seen(t=t + 1, cap=cap) for t, cap in enumerate(attack.caps_of(0, 50))))
    assert C * factor == attack.C
    assert 0 < spent(found) <= Fraction(attack.C)
    assert max(map(abs, found)) <= size * factor
    assert not any(found[40:])


def test_a_budget_that_is_a_multiple_of_the_price_is_spent_to_the_end() -> None:
    whole = replace(a.front_loaded(3.0), divisible=False)
    assert paid(whole, *[seen()] * 5) == [-1.0, -1.0, -1.0, 0.0, 0.0]
    assert paid(a.front_loaded(2.5), *[seen(is_best=False)] * 4) == [1.0, 1.0, 0.5, 0.0]


@pytest.mark.parametrize("C", [-1.0, math.inf, math.nan])
def test_impossible_budgets_are_refused(C: float) -> None:
    with pytest.raises(BadInput, match="C"):
        a.mirror(C).numbers()


# --- the strategies -----------------------------------------------------------------------------------------

HUNDRED = [seen(t=t) for t in range(1, 101)]


def test_front_loading_spends_first_and_misleads() -> None:
    rounds = [seen(t=t, is_best=t % 2 == 0) for t in range(1, 6)]
    assert paid(a.front_loaded(5.0, 2.0), *rounds) == [2.0, -2.0, 1.0, 0.0, 0.0]
    assert paid(a.NO_ATTACK, *rounds) == [0.0] * 5
    assert a.NO_ATTACK.C == 0.0


def test_spreading_spends_the_same_in_every_round_and_the_late_adversary_waits_and_both_spend_all() -> None:
    found, waited = paid(a.spread(7.0, 100), *HUNDRED), paid(a.late(10.0, 100), *HUNDRED)
    assert max(map(abs, found)) == pytest.approx(0.07)
    assert float(spent(found)) == pytest.approx(7.0)
    assert waited[:90] == [0.0] * 90
    assert spent(waited) == 10


def test_the_targeted_adversary_touches_only_what_is_distrusted() -> None:
    assert paid(a.low_weight(10.0), seen(trust=5.0), seen(trust=1.0), seen(trust=0.3)) == [0.0, 0.0, -1.0]


@pytest.mark.parametrize("family", [BERNOULLI, POISSON, GAUSSIAN], ids=lambda f: f.name)
def test_the_mirror_shows_the_mean_of_the_opposite_parameter(family: Any) -> None:
    mean, mirrored = float(family.mu(0.7)), float(family.mu(-0.7))
    (c,) = paid(a.mirror(1e9), seen(mean=mean, mirrored=mirrored))
    assert mean + c == pytest.approx(mirrored)


@pytest.mark.parametrize(("direction", "facts", "sign"), [
    ("mislead", {"is_best": True}, -1), ("mislead", {"is_best": False}, 1), ("mirror", {"mirrored": 3.0}, 1),
    ("amplify", {"error": 0.1}, 1), ("amplify", {"error": -0.1}, -1), ("up", {}, 1), ("down", {}, -1),
    ("amplify", {"error": 0.0}, 1),
])  # fmt: skip
def test_a_paced_attack_pushes_as_far_as_its_cap_allows(direction: str, facts: dict[str, Any], sign: int) -> None:
    attack = a.paced(12.0, 4, [1.0, 2.0], 3.0, direction)
    rounds = [seen(t=t + 1, cap=cap, **facts) for t, cap in enumerate(attack.caps_of(0, 4))]
    assert paid(attack, *rounds) == [sign * c for c in (3.0, 1.0, 3.0, 3.0)]


def test_a_paced_attack_spares_other_arms_and_sure_rounds() -> None:
    rounds = [seen(cap=9.0, is_best=best, trust=t) for best in (True, False) for t in (1.5, 2.5)]
    for target, hit in (("all", (1, 0, 1, 0)), ("best", (1, 0, 0, 0)), ("others", (0, 0, 1, 0))):
        attack = a.paced(9.0, 4, [1.0], 1.0, "up", target, below=2.0)
        assert paid(attack, *rounds) == list(map(float, hit))


@pytest.mark.parametrize(("word", "changes"), [
    ("T", {"T": 2}), ("shares", {"shares": [0.0, 0.0, 0.0]}), ("shares", {"shares": [1.0, -1.0, 1.0]}),
    ("size", {"size": 0.0}), ("size", {"size": math.nan}), ("below", {"below": 0.0}),
    ("direction", {"direction": "sideways"}), ("target", {"target": "none"}),
])  # fmt: skip
def test_a_paced_attack_that_makes_no_sense_is_refused(word: str, changes: dict[str, Any]) -> None:
    sound: dict[str, Any] = {"C": 1.0, "T": 9, "shares": [1.0, 1.0, 1.0], "size": 1.0}
    a.paced(**sound)
    with pytest.raises(BadInput, match=f"^{word} ="):
        a.paced(**{**sound, **changes})
    for factor in (0.0, math.inf):
        with pytest.raises(BadInput, match="factor"):
            a.mirror(1.0).times(factor)


# --- the paper's adversaries --------------------------------------------------------------------------------


def test_without_noise_every_pull_looks_suboptimal_exactly_as_often_as_the_paper_says() -> None:
    Delta = S * (1 - math.cos(PHI) ** 2)
    found = paid(a.hidden(5.0, GAUSSIAN, S, LOW), seen(is_best=False), *[seen(reward=S)] * 60)
    hidden = sum(S + c == pytest.approx(S * math.cos(PHI) ** 2) for c in found)
    assert hidden == 5.0 // Delta
    assert found == pytest.approx([0.0, *[-Delta] * hidden, *[0.0] * (60 - hidden)])


@pytest.mark.parametrize(("nudge", "flipped"), [(-1e-9, -1.0), (1e-9, 0.0)])
def test_the_probability_of_a_flip_is_the_gap_over_the_mean(nudge: float, flipped: float) -> None:
    def mu(z: float) -> float:
        return 1 / (1 + math.exp(-z))

    chance = 1 - mu(S * math.cos(PHI) ** 2) / mu(S) + nudge
    flip = a.hidden(9.0, BERNOULLI, S, LOW)
    assert paid(flip, seen(chance=chance)) == [flipped]
    assert paid(flip, seen(chance=0.0, reward=0.0), seen(chance=0.0, is_best=False)) == [0.0, 0.0]


def test_thinning_makes_the_best_arm_poisson_with_the_suboptimal_mean() -> None:
    rng = np.random.default_rng(2)
    rewards = POISSON.sample(rng, S, size=20_000)
    rounds = [seen(reward=float(r), chance=u) for r, u in zip(rewards, rng.random(20_000), strict=True)]
    shown = rewards + np.array(paid(a.hidden(1e9, POISSON, S, LOW), *rounds))
    assert (shown >= 0).all()
    law = stats.poisson(float(POISSON.mu(S * math.cos(PHI) ** 2)))
    counts = np.bincount(np.minimum(shown, 8).astype(int), minlength=9)
    expected = np.append(law.pmf(np.arange(8)), law.sf(7)) * shown.size
    assert stats.chisquare(counts, expected).pvalue > 1e-3
    assert sum(paid(a.hidden(3.0, POISSON, S, LOW), *[seen(chance=0.999)] * 300)) == -3.0
