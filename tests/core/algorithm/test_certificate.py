"""LikelihoodUCB and its certificate: above the true regret, below what random play costs, and off when it must be."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm.certificate import Certificate, RegretCertifier
from glbcheck.core.algorithm.likelihood_ucb import LikelihoodUCB
from glbcheck.core.arrays import Floats
from glbcheck.core.environment.world import sphere
from glbcheck.core.errors import BadInput

COIN = catalog.get("bernoulli")
THETA = np.array([1.2, -0.9, 0.5])


def played(
    learner: LikelihoodUCB, rounds: int, seed: int = 0, spent: float = 0.0, changing: bool = False
) -> tuple[float, float, int]:
    """The regret of these rounds, that of random play, and how often an interval missed; `spent` is for an adversary.

    It flips rewards to what they would be under -θ*, for as long as it can.
    """
    rng = np.random.default_rng(seed)
    arms, regret, random, missed = sphere(rng, 10, 3), 0.0, 0.0, 0
    for _ in range(rounds):
        if changing:
            arms = sphere(rng, 10, 3)
        naturals = arms @ THETA
        means = learner.family.mu(naturals)
        k = learner.select(arms)
        regret, random = regret + float(means.max() - means[k]), random + float(means.max() - means.mean())
        reward, wanted = float(learner.family.sample(rng, naturals[k])), float(naturals[k] < 0)
        if spent >= 1 and reward != wanted:
            reward, spent = wanted, spent - 1
        learner.update(arms[k], reward)
        low, high = learner.interval(arms[k])
        missed += not low <= naturals[k] <= high
    return regret, random, missed


@pytest.mark.parametrize("name", ["bernoulli", "poisson", "gaussian", "skellam"])
@pytest.mark.parametrize("changing", [False, True])
def test_the_certificate_is_above_the_regret_and_soon_below_that_of_random_play(name: str, changing: bool) -> None:
    learner = LikelihoodUCB(catalog.get(name), 3, 2.0)
    regret, random, missed = played(learner, 1500, changing=changing)
    found = learner.certificate()
    assert found.regret_at_most is not None
    assert regret <= found.regret_at_most < random < found.largest_possible
    assert not missed
    assert (found.rounds, found.confidence, found.C, found.alarm) == (1500, 0.95, 0.0, None)
    assert f"{found.regret_at_most:,.6g}" in str(found)


def test_certificates_of_more_corruption_are_larger_and_each_names_its_own() -> None:
    learner = LikelihoodUCB(COIN, 3, 2.0, C=40.0)
    played(learner, 800)
    found = [learner.certificate(c) for c in (0, 3, 5, 20, 40)]
    most = [one.regret_at_most or 0.0 for one in found]
    assert min(most) > 0
    assert most == sorted(most)
    assert most[0] < most[-1]
    assert [one.C for one in found] == [0, 3, 5, 20, 40]
    assert learner.certificate() == found[-1]
    with pytest.raises(BadInput, match=r"C = 41.*from 0 to 40"):
        learner.certificate(41)


def test_sets_that_know_of_an_attack_hold_and_those_that_are_told_of_none_miss() -> None:
    told: list[bool] = []
    untold: list[bool] = []
    for seed in range(10):
        for C, misses in ((40.0, told), (0.0, untold)):
            learner = LikelihoodUCB(COIN, 3, 2.0, C=C)
            regret, _, missed = played(learner, 200, seed, spent=40.0)
            most = learner.certificate().regret_at_most
            misses.append(missed > 0 or most is None or regret > most)
    assert not any(told)
    assert sum(untold) >= 8


def test_rewards_outside_the_support_are_corruption() -> None:
    learner = LikelihoodUCB(COIN, 1, 1.0, C=1.0)
    for reward in (1.4, 1.3):  # 0.7 too much in all
        learner.select([[1.0]])
        learner.update([1.0], reward)
    assert [learner.certificate(c).alarm for c in (0.0, 0.5, 1.0)] == [1, 2, None]


@pytest.mark.parametrize("restarts", [False, True])
def test_one_arm_costs_nothing(restarts: bool) -> None:
    learner = LikelihoodUCB(COIN, 2, 1.0, restarts=restarts)
    for _ in range(200):
        learner.update([[0.6, 0.0]][learner.select([[0.6, 0.0]])], 1.0)
    assert learner.certificate().regret_at_most == 0.0


def test_restarts_are_named_and_change_the_certificate_only() -> None:
    learner = LikelihoodUCB(COIN, 3, 2.0, restarts=True)
    regret, _, _ = played(learner, 1200)
    found = learner.certificate()
    assert found.theorem == "T4 to T6"
    assert found.regret_at_most is not None
    assert found.regret_at_most >= regret


def test_a_balanced_learner_certifies_its_regret_too() -> None:
    learner = LikelihoodUCB(COIN, 3, 2.0, share=3.0)
    regret, random, _ = played(learner, 1500, 3)
    assert regret <= (learner.certificate().regret_at_most or 0.0) < random


# --- which calls leave the certificate on -------------------------------------------------------------------------

X, Y = np.array([0.6, 0.0]), np.array([0.0, 0.6])
ARMS = np.stack([X, X])  # whichever is selected, it is X


def selected_and_updated(learner: LikelihoodUCB) -> None:
    learner.select(ARMS)
    learner.update(X, 1.0)


def told_before(learner: LikelihoodUCB) -> None:
    learner.select(ARMS, dispersion=1.0)
    learner.update(X, 1.0, dispersion=1.0)


def reward_that_never_comes(learner: LikelihoodUCB) -> None:
    learner.select(ARMS)
    learner.select(ARMS)
    learner.update(X, 1.0)


def never_selected(learner: LikelihoodUCB) -> None:
    learner.update(X, 1.0)


def updated_twice(learner: LikelihoodUCB) -> None:
    selected_and_updated(learner)
    learner.update(X, 1.0)


def another_arm(learner: LikelihoodUCB) -> None:
    learner.select(ARMS)
    learner.update(Y, 1.0)


def another_dispersion(learner: LikelihoodUCB) -> None:
    learner.select(ARMS, dispersion=1.0)
    learner.update(X, 1.0, dispersion=0.5)


def refused(learner: LikelihoodUCB) -> None:
    learner.select(ARMS)
    with pytest.raises(BadInput):
        learner.update(X, float("nan"))
    learner.update(X, 1.0)


CALLS: dict[Any, str | None] = {
    selected_and_updated: None, told_before: None, reward_that_never_comes: None, refused: None,
    never_selected: "without a pull", updated_twice: "without a pull", another_arm: "of another arm",
    another_dispersion: "told as 1 before the reward",
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_calls_have_the_effect_of_the_table(call: Any) -> None:
    learner = LikelihoodUCB(catalog.get("gaussian"), 2, 1.0)
    call(learner)
    found, words = learner.certificate(), CALLS[call]
    assert (found.regret_at_most is None) == (words is not None)
    if words is not None:
        assert found.reason is not None
        assert words in found.reason
        selected_and_updated(learner)  # and it stays off
        assert learner.certificate().regret_at_most is None


@pytest.mark.parametrize(
    ("name", "reward", "g", "C", "on"),
    [
        ("bernoulli", 0.3, 1.0, 0.0, True), ("rademacher", 0.3, 1.0, 0.0, True), ("gaussian", 0.3, 0.1, 0.0, True),
        ("binomial_proportion", 0.4, 0.2, 0.0, True), ("binomial_proportion", 0.3, 0.2, 0.0, False),
        ("binomial_proportion", 0.3, 0.2, 1.0, True), ("binomial_proportion", 0.3, 1.0, 0.0, True),
        ("poisson", 0.5, 1.0, 0.0, False), ("scaled_poisson", 0.5, 0.25, 0.0, True), ("skellam", 0.3, 0.2, 0.0, False),
    ],
)  # fmt: skip
def test_without_corruption_rewards_must_be_those_of_the_law(
    name: str, reward: float, g: float, C: float, on: bool
) -> None:
    learner = LikelihoodUCB(catalog.get(name), 2, 1.0, C=C)
    learner.select(ARMS)
    learner.update(X, reward, dispersion=g)
    assert (learner.certificate().regret_at_most is not None) is on


def test_a_certificate_is_frozen_and_a_learner_can_be_copied() -> None:
    learner = LikelihoodUCB(COIN, 3, 2.0)
    played(learner, 50)
    found = learner.certificate()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.rounds = 3  # type: ignore[misc]
    copy = pickle.loads(pickle.dumps(learner._certifier.state))
    np.testing.assert_array_equal(copy, learner._certifier.state)


@pytest.mark.parametrize(("argument", "value"), [("d", 0), ("S", -1.0), ("delta", 1.0), ("C", -1.0), ("share", -0.5)])
def test_refusals_name_argument_and_value(argument: str, value: float) -> None:
    told: dict[str, Any] = {"d": 2, "S": 1.0, argument: value}
    with pytest.raises(BadInput, match=f"^{argument} = {value}"):
        LikelihoodUCB(COIN, **told)


def test_a_certifier_charges_whatever_another_learner_pulls() -> None:
    rng = np.random.default_rng(6)
    arms = sphere(rng, 10, 3)
    means, regret = COIN.mu(arms @ THETA), 0.0
    certifier = RegretCertifier(COIN, 3, 2.0, 0.05, 0.0)
    for _ in range(2000):
        k = int(rng.integers(10))
        certifier.charge(arms, k)
        certifier.learn(arms[k], float(COIN.sample(rng, arms[k] @ THETA)), 1.0)
        regret += float(means.max() - means[k])
    found: Certificate = certifier.certificate()
    assert found.regret_at_most is not None
    assert regret <= found.regret_at_most <= 1.6 * regret  # much is known of arms that are pulled at random


def test_every_interval_holds_the_truth_in_the_end() -> None:
    learner = LikelihoodUCB(COIN, 3, 2.0, C=5.0)
    played(learner, 600, 8, spent=5.0)
    points: Floats = sphere(np.random.default_rng(1), 20, 3)
    for x in points:
        low, high = learner.interval(x)
        assert low <= x @ THETA <= high
        assert learner.interval(x, 0.0)[1] <= high
