"""Learners that are not told C: what the wrapper keeps, what it drops, and what it pays in the two worlds."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.engine.episode import Episode
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import PICKS, World, changing, sphere, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.names import SUFFIX
from glbcheck.core.rivals import ALGORITHMS, unknown_budget
from glbcheck.core.rivals.unknown_budget import Selection, Test, guesses, select
from glbcheck.core.simulation import cells
from glbcheck.core.simulation.grid import Block, Cell, Grid
from glbcheck.core.simulation.instances import FIRST, HIDDEN
from glbcheck.core.theory import lower_constants
from glbcheck.core.theory.parameters import Parameters, parameters

from glbcheck.simulate import beside_known
from tests.oracles.rivals.cw_oful import CWOFUL

T = 4000
RUNS = 3
DELTA, RISE = FIRST, HIDDEN - FIRST  # the gaps of the two worlds for a linear link and S = 1


def cell(algorithm: str, C: float, family: str = "gaussian", rounds: int = T) -> Cell:
    """One of the two worlds: the clean one if C = 0."""
    (found,) = Block(
        families=(family,),
        dispersions=("constant:0.01",) if family == "gaussian" else ("constant:1",),
        adversaries=("hiding",),
        C=(C,),
        algorithms=(algorithm,),
        arms=("two-worlds",),
        T=(rounds,),
    ).cells()
    return found


def regret(algorithm: str, C: float) -> float:
    return float(np.mean([cells.play(cell(algorithm, C), number, seed=5)["regret"] for number in range(RUNS)]))


def attacked(C: float, scale: float, rounds: int = 2000) -> tuple[Selection, Parameters]:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, C, reading="repaired")
    rng = np.random.default_rng(3)
    world = World(0.9 * sphere(rng, 1, 2)[0], 0.999 * sphere(rng, 4, 2), 0.01, adversary.mirror(C))
    return select(ALGORITHMS["cw-oful"], p, Episode(world, rounds, 8), [rounds], scale), p


# --- the test ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("T", "last"), [(1, 1), (2, 2), (1000, 1024), (1025, 2048)])
def test_guesses_double_until_they_reach_the_horizon(T: int, last: int) -> None:
    G = guesses(T)
    assert G[0] == 1
    assert G[-1] == last
    assert (G[1:] == 2 * G[:-1]).all()


@pytest.mark.parametrize("C", [0.0, 8.0, 100.0])
def test_no_valid_guess_is_dropped(C: float) -> None:
    found, _ = attacked(C, 1.0)
    assert not found.dropped[found.guesses >= C].any()
    assert found.drawn.sum() == 2000


def test_a_test_without_its_slack_drops_a_valid_guess() -> None:
    """The broken wrapper that the test above must catch."""
    found, _ = attacked(8.0, 0.001)
    assert found.dropped[found.guesses >= 8.0].any()


def test_a_learner_that_falls_behind_by_more_than_its_bound_is_dropped_and_drawn_no_more() -> None:
    test = Test(guesses(1000), lambda n: 2 * np.sqrt(n))
    for _ in range(500):
        test.add(0, 0.1, 0.01)
        test.add(3, 0.9, 0.01)
    test.drop()
    assert not test.alive[0]
    assert test.alive[1:].all()
    assert all(test.draw(u) != 0 for u in np.linspace(0, 0.999, 50))


def test_what_its_own_bound_allows_drops_nobody() -> None:
    test = Test(guesses(1000), lambda n: 2 * np.sqrt(n))
    for _ in range(500):
        test.add(0, 0.1, 0.9)
        test.add(3, 0.9, 0.01)
    test.drop()
    assert test.alive.all()


def test_chances_are_in_proportion_to_one_over_the_guess() -> None:
    test = Test(guesses(8), np.sqrt)
    counts = np.bincount([test.draw(u) for u in (np.arange(15000) + 0.5) / 15000], minlength=4)
    assert counts.tolist() == [8000, 4000, 2000, 1000]


# --- the two worlds -----------------------------------------------------------------------------------------------


def test_without_a_budget_there_is_nothing_to_hide_and_nothing_better() -> None:
    assert np.count_nonzero(cells.world_of(cell("uniform", 0.0), 0, 1).theta_star) == 1
    assert np.count_nonzero(cells.world_of(cell("uniform", 9.0), 0, 1).theta_star) == 2


@pytest.mark.parametrize("family", ["gaussian", "bernoulli", "poisson"])
def test_the_hidden_arm_looks_like_the_arms_that_pay_nothing(family: str) -> None:
    law, z, n, rng = catalog.get(family), 0.8, 40_000, np.random.default_rng(1)
    budget = adversary.hidden(1e9, law, z, 0.0).numbers()
    rewards = np.asarray(law.sample(rng, np.full(n, z), 1.0), dtype=float)
    shown = [
        reward + adversary.corrupt(budget, adversary.AdversaryView(1, 0.0, chance, reward, 0.0, 0.0, True, 0.0, 1.0))
        for reward, chance in zip(rewards, rng.random(n), strict=True)
    ]
    assert np.mean(shown) == pytest.approx(float(law.mu(0.0)), abs=5 / np.sqrt(n))
    assert budget[adversary.SPENT] == pytest.approx(n * float(law.mu(z) - law.mu(0.0)), rel=0.05)


def test_who_is_told_C_escapes_linear_regret_where_who_is_not_does_not() -> None:
    C, linear = 200.0, RISE * T / 2
    assert regret("cw-oful", C) < linear < regret("cw-oful" + SUFFIX, C)


@pytest.mark.parametrize("algorithm", ["cw-oful" + SUFFIX, "hcw-glb-omd" + SUFFIX, "glb-omd"])
def test_the_price_is_paid_by_every_learner_that_is_not_told_C(algorithm: str) -> None:
    clean = regret(algorithm, 0.0)
    C = lower_constants.budget_of_linear_regret(2, DELTA, RISE, clean)
    floor = lower_constants.unknown_budget_floor(2, C, T, DELTA, RISE, clean)
    assert floor == pytest.approx(RISE * (3 * T / 4 - clean / DELTA))
    assert regret(algorithm, C) >= floor


def test_a_learner_told_C_is_another_policy_and_may_pay_less() -> None:
    """The price is for one policy in both worlds; told 0 and then C, there are two."""
    clean = regret("cw-oful", 0.0)
    C = lower_constants.budget_of_linear_regret(2, DELTA, RISE, clean)
    assert regret("cw-oful", C) < lower_constants.unknown_budget_floor(2, C, T, DELTA, RISE, clean)


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["greedy", "uniform", "hcw-glb-omd-scout"])
def test_only_learners_that_pull_by_a_confidence_set_alone_are_wrapped(name: str) -> None:
    with pytest.raises(BadInput, match="confidence set alone"):
        rivals.check(name + SUFFIX, parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, reading="sharpest"))


def test_arms_that_change_are_refused() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0)
    with pytest.raises(BadInput, match="arms that stay"):
        rivals.run("cw-oful" + SUFFIX, p, Episode(World(np.zeros(2), changing(3, 2, 0.9)), 10, 1))


def test_the_option_adds_a_wrapper_beside_each_learner_that_has_a_bound() -> None:
    fixed, moving = Block(algorithms=("cw-oful", "greedy")), Block(arms=("changing:4",))
    wrapped = beside_known(Grid(1, (fixed, moving)))
    assert wrapped.blocks[0].algorithms == ("cw-oful", "greedy", "cw-oful" + SUFFIX)
    assert wrapped.blocks[1] == moving


def test_the_same_seed_gives_the_same_run() -> None:
    one, two = (cells.play(cell("cw-oful" + SUFFIX, 20.0, rounds=300), 1, 4) for _ in range(2))
    assert one == two
    assert one["misses"] == 0


# --- one by one ---------------------------------------------------------------------------------------------------


class Noted(Test):
    """Also notes what it is told."""

    added: ClassVar[list[tuple[int, float, float]]] = []
    asked: ClassVar[list[int]] = []  # rounds before each test

    def add(self, k: int, reward: float, width: float) -> None:
        self.added.append((k, reward, width))
        super().add(k, reward, width)

    def drop(self) -> None:
        self.asked.append(len(self.added))
        super().drop()


def test_every_base_learner_plays_as_if_alone_and_is_measured_by_its_own_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown_budget, "Test", Noted)
    monkeypatch.setattr(Noted, "added", [])
    monkeypatch.setattr(Noted, "asked", [])
    rounds = 40
    found, p = attacked(3.0, 1.0, rounds)
    rng = np.random.default_rng(3)
    theta, arms = 0.9 * sphere(rng, 1, 2)[0], 0.999 * sphere(rng, 4, 2)
    alone = [CWOFUL(p.family, 2, 1.0, 0.05 / 14, guess, dispersions=(0.01, 0.01)) for guess in 2.0 ** np.arange(7)]
    dice, regret, widths = stream(8, (), PICKS), 0.0, []
    chances = np.cumsum(0.5 ** np.arange(7)) / (2 - 0.5**6)
    for k, reward, width in Noted.added:
        assert k == np.searchsorted(chances, dice.random())
        x = arms[alone[k].select(arms)]
        widths.append(min(2 * alone[k].radius * math.sqrt(x @ np.linalg.solve(alone[k].H, x)), 2.0))
        assert width == pytest.approx(widths[-1])
        regret += float((arms @ theta).max() - x @ theta)
        alone[k].update(x, reward, 0.01)
    assert min(widths) < 2.0
    assert (len(Noted.added), Noted.asked) == (rounds, [1, 17, 33])
    assert found.drawn.tolist() == np.bincount([k for k, *_ in Noted.added], minlength=7).tolist()
    assert found.outcome.regret == pytest.approx(regret)
    assert found.outcome.corruption == pytest.approx(3.0)
    np.testing.assert_allclose(found.outcome.theta, alone[0].theta)


@pytest.mark.parametrize(("family", "constant"), [("bernoulli", math.e / 4), ("gaussian", 1.0)])
def test_rewards_stray_by_their_variance_and_by_their_largest_slope(family: str, constant: float) -> None:
    p = parameters(catalog.get(family), 2, 1.0, 0.05, 0.0)
    episode = Episode(World(np.zeros(2), np.eye(2), 3.0 if family == "gaussian" else 1.0), 9, 1)
    g, n = episode.dispersion_range[1], np.array([1.0, 500.0])
    level = np.log(4 * 7 * n * (n + 1) / 0.05)
    least = 2 * g * p.R_s * level
    expected = np.maximum(np.sqrt(2 * g * constant * n * level), least)
    np.testing.assert_allclose(unknown_budget.noise_of(p, episode, 7)(n), expected)
    assert family == "gaussian" or expected[0] == least[0] > np.sqrt(2 * constant * level[0])


def test_a_guess_is_dropped_as_soon_as_the_difference_exceeds_noise_bound_and_guess() -> None:
    for earned, stays in ((22.4, True), (22.6, False)):
        test = Test(np.array([1.0, 2.0]), np.sqrt, scale=0.5)
        for _ in range(4):
            test.add(0, 0.5, 0.75)
        for _ in range(16):
            test.add(1, earned / 16, 0.0)
        # At most (2 + (3 + 1)/2 + 2/2)/4 a round by the first, at least (earned - 4/2 - 1/2)/16 by the second.
        test.drop()
        assert test.alive.tolist() == [stays, True]
