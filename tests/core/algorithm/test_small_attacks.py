"""Attacks, arms and factors at small numbers, where each part of a formula decides once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm.checks import checked_arms, checked_reward, checked_vector
from glbcheck.core.algorithm.matrices import cholesky, norm
from glbcheck.core.algorithm.reference import into_ball
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import AdversaryView, corrupt
from glbcheck.core.environment.world import corruption_arms
from glbcheck.core.errors import BadInput
from scipy import stats

# --- attacks ----------------------------------------------------------------------------------------------------------


def seen(reward: float = 3.0, chance: float = 0.5, trust: float = 1.0) -> AdversaryView:
    return AdversaryView(1, math.inf, chance, reward, 0.0, 0.0, True, 0.0, trust)


@pytest.mark.parametrize("chance", [0.0, 0.1, 0.37, 0.8, 0.999])
def test_a_thinned_count_is_binomial(chance: float) -> None:
    family = catalog.get("poisson")
    attack = adversary.hidden(1e6, family, 1.0, math.cos(0.4) ** 2)
    q = 1 - math.exp(math.cos(0.4) ** 2 - 1)
    assert attack.size == pytest.approx(q)
    assert not attack.divisible
    assert corrupt(attack.numbers(), seen(7.0, chance)) == -stats.binom(7, q).ppf(chance + 1e-12)


def test_what_is_hidden_costs_the_difference_of_the_means_and_is_not_divided() -> None:
    taken = adversary.hidden(9.0, catalog.get("gaussian"), 0.8, 0.3)
    assert taken.size == pytest.approx(0.5)
    assert not taken.divisible
    assert not adversary.hidden(9.0, catalog.get("poisson"), 0.8, 0.3).divisible
    assert not adversary.hidden(9.0, catalog.get("bernoulli"), 0.8, 0.3).divisible


def test_an_attack_starts_and_grows_as_it_says() -> None:
    assert adversary.late(6.0, 100, 2.0).start == pytest.approx(97.0)
    grown = adversary.paced(6.0, 4, (1, 1), 0.5).times(2.0)
    assert grown.caps is not None
    assert (grown.C, grown.size, grown.caps.tolist()) == (12.0, 1.0, [6.0, 6.0, 12.0, 12.0])
    with pytest.raises(BadInput, match="factor = inf"):
        grown.times(math.inf)


@pytest.mark.parametrize(("shares", "size", "refused"), [((0, 0), 1.0, "shares"), ((1, 1), math.inf, "size")])
def test_a_pace_that_is_none_is_refused(shares: tuple[float, float], size: float, refused: str) -> None:
    with pytest.raises(BadInput, match=f"{refused} = "):
        adversary.paced(1.0, 10, shares, size)


# --- arms -------------------------------------------------------------------------------------------------------------


def test_no_arms_are_refused_and_the_length_of_one_is_told_if_it_has_one() -> None:
    with pytest.raises(BadInput, match=r"shape \(0, 2\)"):
        checked_arms(np.zeros((0, 2)), 2)
    with pytest.raises(BadInput, match="this has 5"):
        checked_arms([[3.0, 4.0]], 2)
    with pytest.raises(BadInput) as none:
        checked_arms([[math.nan, 0.0]], 2)
    assert "this has" not in str(none.value)


def test_what_is_as_large_as_is_accepted_is_accepted_and_an_arm_may_be_longer_by_rounding() -> None:
    assert checked_vector("x", [0.3, 0.4], 2, 0.5).tolist() == [0.3, 0.4]
    assert checked_reward(-1e100) == -1e100
    assert checked_arms([[1.0, 0.0], [0.6, 0.8 + 5e-10]], 2).shape == (2, 2)


@pytest.mark.parametrize(("d", "phi"), [(1, 0.5), (2, 0.0), (2, math.pi / 2), (2, 2.0)])
def test_arms_of_the_lower_bound_need_an_angle_and_two_dimensions(d: int, phi: float) -> None:
    assert corruption_arms(2, 1.5).tolist() == [[math.cos(1.5), math.sin(1.5)]]
    with pytest.raises(BadInput, match="d >= 2"):
        corruption_arms(d, phi)


# --- the ball and its factors -----------------------------------------------------------------------------------------


def test_far_outside_the_ball_the_direction_is_kept() -> None:
    inside = into_ball(np.array([6.0, 8.0]), 1.0)
    np.testing.assert_allclose(inside, [0.6, 0.8], rtol=1e-15)
    assert norm(inside) <= 1.0


@pytest.mark.parametrize("v", [(1.0, 1.0), (1.0, -1.0), (-2.0, 1.0), (0.5, 3.0)])
def test_a_matrix_that_rounding_made_singular_still_has_a_factor(v: tuple[float, float]) -> None:
    H = np.outer(v, v)
    H[1, 1] -= 1e-12
    L = cholesky(H, 1e-9)
    np.testing.assert_allclose(L @ L.T, H, atol=1e-8)
    assert (np.diag(L) > 0).all()
