"""What stays of the theorem when rewards come late, in which order of updates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.binomial import at_least
from glbcheck.core.learner import Learner, Ticket
from glbcheck.core.learner.tickets import Arrived, Desk, Order


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


def test_a_ticket_is_not_given_up_for_what_another_reward_shows_that_waits() -> None:
    assert mean_factor(lambda second: Fraction(1, 3)) == 1
    knowing = mean_factor(lambda second: Fraction(second == 0))
    assert knowing == Fraction(17, 15)
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
