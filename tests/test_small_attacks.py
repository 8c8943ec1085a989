"""Attacks, arms and factors at small numbers, where each part of a formula decides once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import adversary, catalog
from glbcheck.core.adversary import Seen, corrupt
from glbcheck.core.contexts import show_worst
from glbcheck.core.errors import BadInput
from glbcheck.core.observed import checked_arms, checked_reward, checked_vector
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.projection import _residual, into_ball, omd_step
from glbcheck.core.spd import cholesky, norm, secular_root
from glbcheck.core.world import basis, corruption_arms
from scipy import stats

# --- attacks ----------------------------------------------------------------------------------------------------------


def seen(reward: float = 3.0, chance: float = 0.5, trust: float = 1.0) -> Seen:
    return Seen(1, 0.0, chance, reward, 0.0, 0.0, True, 0.0, trust)


@pytest.mark.parametrize("chance", [0.0, 0.1, 0.37, 0.8, 0.999])
def test_a_thinned_count_is_binomial(chance: float) -> None:
    family = catalog.get("poisson")
    attack = adversary.poisson_thin(1e6, family, 1.0, 0.4)
    q = 1 - math.exp(math.cos(0.4) ** 2 - 1)
    assert attack.size == pytest.approx(q)
    assert not attack.divisible
    assert corrupt(attack.ledger(), seen(7.0, chance)) == -stats.binom(7, q).ppf(chance + 1e-12)
    everything = adversary.Attack(adversary.THIN, 1e6, 1.0, divisible=False)
    assert corrupt(everything.ledger(), seen(7.0, chance)) == -7.0


def test_what_is_hidden_costs_the_difference_of_the_means_and_is_not_divided() -> None:
    taken = adversary.hidden(9.0, catalog.get("gaussian"), 0.8, 0.3)
    assert taken.size == pytest.approx(0.5)
    assert not taken.divisible
    assert not adversary.hidden(9.0, catalog.get("poisson"), 0.8, 0.3).divisible
    assert not adversary.logistic_flip(9.0, catalog.get("bernoulli"), 1.0, 0.4).divisible


def test_an_attack_starts_and_grows_as_it_says() -> None:
    assert adversary.late(6.0, 100, 2.0).start == pytest.approx(97.0)
    grown = adversary.paced(6.0, 4, (1, 1), 0.5).times(2.0)
    assert grown.caps is not None
    assert (grown.C, grown.size, grown.caps.tolist()) == (12.0, 1.0, [6.0, 6.0, 12.0, 12.0])
    with pytest.raises(BadInput, match="factor = inf"):
        grown.times(math.inf)


def test_all_of_a_budget_may_be_spent_in_the_end_whatever_the_shares() -> None:
    for count in range(1, 60):
        attack = adversary.paced(0.7, 100, np.full(count, 0.1), 0.5)
        assert attack.caps is not None
        assert attack.caps[-1] == 0.7


@pytest.mark.parametrize(("shares", "size", "refused"), [((0, 0), 1.0, "shares"), ((1, 1), math.inf, "size")])
def test_a_pace_that_is_none_is_refused(shares: tuple[float, float], size: float, refused: str) -> None:
    with pytest.raises(BadInput, match=f"{refused} = "):
        adversary.paced(1.0, 10, shares, size)


def test_weights_end_at_one_and_so_does_what_an_attack_on_them_sees() -> None:
    assert corrupt(adversary.low_weight(9.0, below=1.2).ledger(), seen(trust=1.3)) == -1.0


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


def test_a_basis_has_both_directions() -> None:
    assert basis(2).tolist() == [[1, 0], [0, 1], [-1, 0], [0, -1]]


@pytest.mark.parametrize(("d", "phi"), [(1, 0.5), (2, 0.0), (2, math.pi / 2), (2, 2.0)])
def test_arms_of_the_lower_bound_need_an_angle_and_two_dimensions(d: int, phi: float) -> None:
    assert corruption_arms(2, 1.5).tolist() == [[math.cos(1.5), math.sin(1.5)]]
    with pytest.raises(BadInput, match="d >= 2"):
        corruption_arms(d, phi)


@pytest.mark.parametrize(("norms", "played"), [((1.0, 1.2), 0), ((1.0, 1.0), 0), ((1.0, 0.9), 1)])
def test_where_no_arm_would_be_missed_the_one_that_teaches_least_is_shown(
    norms: tuple[float, float], played: int
) -> None:
    assert show_worst(np.eye(2), np.ones(2), np.ones(2), np.array(norms)) == (played, played)


# --- the ball and its factors -----------------------------------------------------------------------------------------


def test_the_residual_is_relative_to_the_terms_and_to_the_radius() -> None:
    M, c = np.diag([2.0, 4.0]), np.array([5.0, 6.0])
    assert _residual(M, c, np.array([0.5, 0.5]), 3.0, 2.0) == pytest.approx(1 - math.sqrt(0.5) / 2)
    assert _residual(M, c, np.array([2.0, 0.0]), 3.0, 2.0) == pytest.approx(6 / (8 + 6 + 6))


def test_a_step_that_goes_nowhere_from_the_sphere_ends_where_it_began_and_one_past_it_is_projected() -> None:
    theta, H, x = np.array([0.6, 0.8]), np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([0.5, 0.0])
    still, pushed = (omd_step(theta, H, x, np.linalg.solve(H, x), s, 0.7, 1.3, 1.0, 1.0) for s in (0.0, -0.2))
    assert (still.theta.tolist(), still.residual, still.projected) == ([0.6, 0.8], 0.0, False)
    assert 0 < pushed.multiplier < 1
    assert pushed.projected


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


def test_a_small_root_of_the_secular_equation_is_found() -> None:
    assert secular_root(np.array([3.0]), np.array([2.0]), 1.4) == pytest.approx(3 / 1.4 - 2)
    assert secular_root(np.zeros(2), np.ones(2), 1.0) == 0.0


def test_distances_and_ties_of_a_confidence_set_are_measured_from_its_centre_and_by_its_ball() -> None:
    known = ConfidenceSet(np.array([0.5, 0.25]), np.diag([4.0, 9.0]), 0.3, 2.5, 1.0)
    assert known.distance(np.array([1.0, 1.25])) == pytest.approx(math.sqrt(4 * 0.25 + 9))
    assert known.values(np.array([[0.5, 0.0], [0.0, 0.25]]))[1] == pytest.approx(1.25)
    assert (known.optimum(np.zeros(2)).value, known.optimum(np.zeros(2)).gap) == (0.0, 0.0)
