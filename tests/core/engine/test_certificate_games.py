"""Small games in full: every policy of an adversary on a grid, every outcome; P(θ* is ever missed) stays below δ.

One arm of length at most 1, Bernoulli rewards.  In each round the adversary picks the arm, then sees the reward, then
corrupts it within what is left of C, and picks the anchor of the minorant.  It wins if θ* leaves the interval for the
corruption spent so far.  Probabilities are exact sums over outcomes, maximised over policies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import certificate

from tests.helpers.interpreted import interpreted

ARMS = (1.0, -0.6)
ANCHORS = (0.0, 0.5, 1.0)  # of the way from one end of the interval to the other
GAMES = [  # rounds, δ, C, S
    (3, 0.2, 0.0, 1.0), (3, 0.9, 0.0, 1.0), (3, 0.3, 0.0, 6.0), (3, 0.9, 0.0, 6.0), (2, 0.9, 1.0, 1.0),
    (2, 0.7, 1.0, 4.0),
]  # fmt: skip


def worst_case(m: SimpleNamespace, rounds: int, delta: float, C: float, S: float, theta: float) -> float:
    """The largest probability of a miss over all policies."""
    pushes = (0.0,) if C == 0 else (0.0, -0.5, 0.5, -1.0, 1.0)
    place = [0.0]
    m.likelihood_set.implicit = lambda state, kind, table, z0, step, r, low, high: low + place[0] * (high - low)

    def value(state: Floats, left: int, spent: float) -> float:
        if not present(m, state, theta, spent):
            return 1.0
        if left == 0:
            return 0.0
        return max(over_rewards(state, x, left, spent) for x in ARMS)

    def over_rewards(state: Floats, x: float, left: int, spent: float) -> float:
        chance, total = 1 / (1 + math.exp(-x * theta)), 0.0
        for reward, weight in ((1.0, chance), (0.0, 1 - chance)):
            best = 0.0
            for push, anchor in product(pushes, ANCHORS):
                if best < 1 and spent + abs(push) <= C and 0 <= reward + push <= 1:  # what lies outside is clipped
                    after, place[0] = state.copy(), anchor
                    m.certificate.learn(after, np.array([x]), reward + push, 1.0)
                    best = max(best, value(after, left - 1, spent + abs(push)))
            total += weight * best
        return total

    return value(m.likelihood_state.initial(catalog.get("bernoulli"), 1, S, delta, C), rounds, 0.0)


def present(m: SimpleNamespace, state: Floats, theta: float, spent: float) -> bool:
    """Is θ* in the set of the corruption so far, and that set not yet given up?"""
    if state[m.likelihood_state.ENDED]:
        return False
    low, high = m.certificate.bounds(state, np.array([1.0]), spent)
    return bool(low <= theta <= high)


def ratio(m: SimpleNamespace) -> float:
    """The largest P(miss)/δ of the games, for θ* at both ends and between."""
    return max(
        worst_case(m, rounds, delta, C, S, theta) / delta
        for rounds, delta, C, S in GAMES for theta in (-S, 0.25 * S, S)
    )  # fmt: skip


def test_no_policy_makes_the_set_miss_more_often_than_delta() -> None:
    with interpreted() as m:
        found = ratio(m)
    print(f"largest P(miss)/δ: {found:.3f}")
    assert 0.3 < found < 1, "games that are never lost would test nothing"


def test_interpreted_sets_have_the_numbers_of_compiled_ones() -> None:
    rng, x = np.random.default_rng(4), np.zeros(2)
    with interpreted() as m:
        state = m.likelihood_state.initial(catalog.get("poisson"), 2, 1.5, 0.05, 3.0, windows=2, places=4)
        room, arms = np.zeros((m.costs.rows_of_room(2, 2), 4)), rng.uniform(-0.7, 0.7, (4, 2))
        same, same_room = state.copy(), room.copy()
        for _ in range(100):
            k = m.certificate.consider(state, room, arms, -1.0, -1.0)[0]
            assert certificate.consider(same, same_room, arms, -1.0, -1.0)[0] == k
            x, reward = arms[k], float(rng.poisson(1.5))
            m.certificate.learn(state, x, reward, 0.5)
            certificate.learn(same, x, reward, 0.5)
        np.testing.assert_allclose(same, state, rtol=1e-9, atol=1e-12)
        assert certificate.regret_at_most(same, same_room, 3.0) == pytest.approx(
            m.certificate.regret_at_most(state, room, 3.0)
        )


def _no_influence(m: SimpleNamespace) -> None:
    m.likelihood_set.largest_influence = lambda *told: 0.0


def _steep_minorant(m: SimpleNamespace) -> None:
    def at_the_anchor(state: Floats, kind: float, table: int, *told: float) -> float:
        return float(m.cumulant.slope(state, kind, table, told[3]))

    m.likelihood_set.cumulant = SimpleNamespace(**{**vars(m.cumulant), "least_curvature": at_the_anchor})


@pytest.mark.parametrize("breaks", [_no_influence, _steep_minorant])
def test_broken_sets_are_caught_by_the_same_games(breaks: Callable[[SimpleNamespace], None]) -> None:
    with interpreted() as m:
        breaks(m)
        assert ratio(m) > 1
