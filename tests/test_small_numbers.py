"""Single numbers of the learner, its rivals and the simulations, by formulas written out a second time."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from operator import index

import numpy as np
import pytest
from glbcheck.core import adversary, catalog, letters, lower_constants, tuning
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors import COMPETITORS
from glbcheck.core.competitors import cr_eluder_ucb as compiled
from glbcheck.core.engine import World, run, state
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.laws import EVERY_ARM, law_of
from glbcheck.core.engine.rounds import trust_in
from glbcheck.core.errors import BadInput
from glbcheck.core.informative import radius_at, surely_from
from glbcheck.core.learner import Learner
from glbcheck.core.learner.fields import Fields
from glbcheck.core.learner.tables import checked_scales
from glbcheck.core.learner.tickets import Desk
from glbcheck.core.local_constants import Surroundings, beta_from_logdet_local
from glbcheck.core.parameters import parameters
from glbcheck.core.rivals import cr_eluder_ucb, gadaoful
from glbcheck.core.simulation import cells, instances, mutants, tables
from glbcheck.core.simulation.attack_search import Arena, Settings, search
from glbcheck.core.simulation.grid import Block
from glbcheck.core.world import basis, sphere

GAUSSIAN = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 5.0, radius_scale=0.1)


@pytest.mark.parametrize("S", [0.3, 3.0])
def test_a_step_out_of_a_ball_of_any_size_ends_where_that_of_the_reference_does(S: float) -> None:
    p = parameters(catalog.get("gaussian"), 3, S, 0.05, 0.0, lam=0.01)
    rng = np.random.default_rng(2)
    world = World(0.99 * S * sphere(rng, 1, 3)[0], 0.99 * sphere(rng, 6, 3), 4.0)
    found = run(p, world, 12, 3, record=True)
    assert found.record is not None
    slow = HCWGLBOMD(p.family, 3, S, lam=0.01)
    for arm, reward in zip(found.record["arm"], found.record["reward"], strict=True):
        slow.update(np.asarray(world.arms)[int(arm)], float(reward), 4.0)
    assert found.projected > 0
    np.testing.assert_allclose(found.theta, slow.theta, rtol=1e-9)


def test_the_range_of_dispersions_has_the_first_and_the_last_round() -> None:
    g = np.array([0.1, *[1.0] * 50, 9.0])
    assert Course(World(np.zeros(2), basis(2), g), 52, 1).dispersion_range() == (0.1, 9.0)


def test_the_range_of_dispersions_is_asked_of_the_rounds_of_the_run_and_no_others() -> None:
    asked = []

    def profile(rng: np.random.Generator, first: int, count: int) -> Floats:
        asked.append(count)
        return np.full(count, 0.5)

    assert Course(World(np.zeros(2), basis(2), profile), 1030, 1).dispersion_range() == (0.5, 0.5)
    assert sum(asked) == 1030
    assert Course(World(np.zeros(2), basis(2), 0.3), 5, 1).dispersion_range() == (0.3, 0.3)


def test_trust_is_alpha_times_the_dispersion_over_the_norm_where_weights_look_at_it() -> None:
    facts = state.views(state.initial(GAUSSIAN)).facts
    facts.alpha = 3.0
    assert trust_in(facts, 0.5, 4.0) == pytest.approx(0.75)
    facts.weighs_dispersion = 0.0
    assert trust_in(facts, 0.5, 4.0) == pytest.approx(1.5)


@pytest.mark.parametrize("name", ["uniform", "skellam", "von_mises"])
def test_a_law_without_a_lowest_lattice_point_draws_for_every_arm(name: str) -> None:
    assert law_of(catalog.get(name), 1.0, 1.0)[0] == EVERY_ARM


def test_tickets_are_numbered_from_one() -> None:
    desk = Desk("arrival")
    assert [index(desk.issue(0, (1.0,), 0.0)) for _ in range(3)] == [1, 2, 3]
    assert list(desk.open) == [1, 2, 3]
    del desk.open[1]
    with pytest.raises(BadInput, match="has had its reward, was given up"):
        desk.find(1)


def test_scales_below_one_are_scales() -> None:
    scales = checked_scales(0.5, 2)
    assert scales is not None
    assert scales.tolist() == [0.5, 0.5]


def test_the_monitor_of_a_learner_sees_what_it_learns_from() -> None:
    learner = Learner(HCWGLBOMD(catalog.get("gaussian"), 2, 1.0))
    assert learner.monitor is not None
    learner.reward(learner.choose(np.eye(2)), 0.3)
    assert learner.monitor.rounds == 1


# --- rivals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 300])
def test_the_rival_by_uncertainty_is_told_the_horizon_of_its_course(T: int) -> None:
    course = Course(World(np.zeros(2), basis(2)), T, 1)
    started, told = (
        state.views(player.state).facts
        for player in (
            COMPETITORS["cr-eluder-ucb"].start(GAUSSIAN, course),
            compiled.player(GAUSSIAN, cr_eluder_ucb.constants(GAUSSIAN, T, (1.0, 1.0), 0.0), course),
        )
    )
    assert (started.radius, started.alpha, started.lam) == (told.radius, told.alpha, told.lam)
    another = cr_eluder_ucb.constants(GAUSSIAN, 2, (1.0, 1.0), 0.0)
    assert state.views(compiled.player(GAUSSIAN, another, course).state).facts.radius != started.radius


def test_trust_is_alpha_over_kappa_and_the_largest_slope() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 5.0)
    c = cr_eluder_ucb.constants(p, 100, (1.0, 1.0), 0.0)
    assert c.trust * c.kappa * c.L_mu == pytest.approx(c.alpha)


def test_gadaoful_as_published_has_the_numbers_of_its_source() -> None:
    c, T, d = gadaoful.published(GAUSSIAN, 100, (1.0, 1.0)), 100, 2
    level = math.log(2 * T * T / (0.05 / 3))
    most = d * math.log(1 + T * T / (d * c.lam))
    assert (c.lam, c.sigma_min) == pytest.approx((d, 1 / math.sqrt(T)))
    assert c.m_0 == pytest.approx(1 / (6 * math.sqrt(3 * level)))
    assert c.tau_0 == pytest.approx(max(math.sqrt(2 * most), 2 * math.sqrt(d)) / math.sqrt(level))
    assert c.per_root == pytest.approx(32 * math.sqrt(most))


# --- constants ----------------------------------------------------------------------------------------------------


def test_the_local_radius_and_what_it_asks_of_the_ridge() -> None:
    found = beta_from_logdet_local(2.0, 0.1, 3.0, 5.0, 7.0)
    assert float(found) == pytest.approx(math.sqrt(6 * math.log(10) + 729 * 9 * 7 / 350 + 4 * 5 * 4))
    assert Surroundings(Fraction(1, 2), 0.01).demand == pytest.approx(36)


def test_the_span_of_a_link_is_the_most_that_a_round_can_cost() -> None:
    span = tuning.link_of(catalog.get("bernoulli"), 1.0, 1.0).span
    assert span == pytest.approx(math.tanh(0.5), rel=1e-8)


# --- simulations --------------------------------------------------------------------------------------------------


def test_the_floor_of_normal_rewards_is_that_of_noise_that_is_the_same_for_all_arms() -> None:
    cell = Block(families=("gaussian",), d=(3,), C=(50.0,), T=(1000,)).cells()[0]
    expected = lower_constants.corruption_regret_floor(3, 50.0, 1000, cell.S, arm_free_noise=True)
    assert cells.regret_floor(cell) == pytest.approx(expected)
    assert not cells.is_data(cell)


def test_a_broken_learner_is_broken_as_it_says() -> None:
    world = World(np.zeros(2), basis(2), 1.0, adversary.mirror(5.0))
    light, _, _ = mutants._light_ridge(GAUSSIAN, world)
    assert light.lam == pytest.approx(GAUSSIAN.lam / mutants.FIRM)
    assert light.lam < GAUSSIAN.lam


def test_a_short_search_names_its_generations_and_returns_the_best_of_all() -> None:
    arena = Arena(GAUSSIAN, World(np.array([0.6, 0.3]), basis(2)), 8, 3)
    found = search(arena, Settings(generations=2, population=2, elite=1, replicates=1, finals=1, blocks=2))
    assert {"generation 1", "generation 2"} < set(found.rivals)
    assert found.score == max(found.rivals.values())
    assert len(found.generations) == 2


def test_thinning_a_count_inverts_the_binomial_law() -> None:
    chances, q, n = (0.0, 0.1, 0.5, 0.9, 0.999), 0.3, 3
    masses = np.cumsum([math.comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)])
    expected = [int(np.searchsorted(masses, chance, side="right")) for chance in chances]
    assert [adversary._binomial(n, q, chance) for chance in chances] == expected
    assert (adversary._binomial(1, 0.5, 0.5 - 1e-16), adversary._binomial(1, 0.5, 0.5)) == (0, 1)
    last = math.nextafter(1.0, 0.0)
    assert all(adversary._binomial(n, q, last) <= n for n in range(1, 20) for q in (0.1, 0.3, 0.5, 0.7, 0.9))


def test_what_runs_on_data_says_so() -> None:
    cell = Block(families=("bernoulli",)).cells()[0]
    assert cells.is_data(replace(cell, arms=f"{instances.DATA}:anything"))


def test_the_share_of_informative_runs_is_a_share() -> None:
    rows = [{"worst_ratio": 0.5, "misses": 0, "first_informative": at} for at in (0, 3, 7, 9)]
    assert tables._coverage(rows)["informative_share"] == 0.75


def test_from_the_round_that_is_promised_on_the_radius_is_too_small_for_the_ball() -> None:
    p, g, kappa = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 1.0, 0.05), 0.25, 3.0
    t = surely_from(p, g, kappa)
    w = min(1.0, p.alpha * g * math.sqrt(p.lam))
    assert w < 1
    lost = [radius_at(p, at, g) < math.sqrt(p.lam + (at - 1) * w / (kappa * 2 * g)) for at in (t - 1, t)]
    assert lost == [False, True]


def test_the_letters_of_formulas_stand_for_real_numbers_and_a_dispersion_for_a_positive_one() -> None:
    assert letters.z.is_real
    assert letters.r.is_real
    assert letters.g.is_positive


def test_what_is_not_a_number_or_not_an_object_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="lam"):
        parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, lam="much")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="tickets"):
        Fields("tickets", [])
