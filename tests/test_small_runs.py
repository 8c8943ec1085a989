"""Runs of a few dozen rounds against the reference, number by number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from glbcheck.core import adversary, catalog, competitors
from glbcheck.core.adversary import Attack
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.unknown_budget import Test
from glbcheck.core.engine import Outcome, World, replicate, run, state
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.tally import COUNT as SUM_COUNT
from glbcheck.core.engine.tally import SUMS, _farthest, blank_memory
from glbcheck.core.errors import BadInput
from glbcheck.core.learner.monitor import Monitor
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.parameters import Index, Parameters, parameters
from glbcheck.core.rivals.cr_eluder_ucb import SPREAD
from glbcheck.core.world import ARMS, changing, decades, piece, sphere, stream

T, D, K = 60, 3, 5
THETA = np.array([0.3, -0.5, 0.2])
SEED, KEY = 7, (1,)


def made(
    name: str = "gaussian", C: float = 0.0, index: Index = "exact", scale: float = 0.1, **more: float
) -> Parameters:
    return parameters(catalog.get(name), D, 1.0, 0.05, C, index=index, radius_scale=scale, **more)  # type: ignore[arg-type]


def played(p: Parameters, world: World, marks: tuple[int, ...] = ()) -> tuple[Outcome, dict[str, Floats]]:
    outcome = run(p, world, T, SEED, KEY, checkpoints=marks, record=True)
    assert outcome.record is not None
    return outcome, outcome.record


def arms_of(world: World) -> Floats:
    if world.arms_stay:
        return np.broadcast_to(np.asarray(world.arms), (T, K, D))
    return piece(world.arms, stream(SEED, KEY, ARMS), 0, T)


def points(seed: int = 3) -> Floats:
    rng = np.random.default_rng(seed)
    return 0.99 * sphere(rng, K, D) * rng.uniform(0.5, 1, (K, 1))


WORLDS = {
    "arms that stay": World(THETA, points(), 0.25, adversary.mirror(5.0)),
    "dispersions that change": World(THETA, points(), decades(0.05, 4.0), adversary.front_loaded(4.0, 0.5)),
    "arms that change": World(THETA, changing(K, D, 0.99), 0.25, adversary.low_weight(5.0)),
    "all changes": World(THETA, changing(K, D, 0.99), decades(0.05, 4.0), adversary.spread(5.0, T)),
    "trusted": World(1.6 * THETA, changing(K, D, 0.99), 0.5),
    "followed": World(0.95 * THETA / np.linalg.norm(THETA), points(), 0.05),
    "no noise": World(THETA, changing(K, D, 0.99), decades(0.05, 4.0), noisy=False),
}

ALPHA = {"trusted": 100.0, "no noise": 1.0}
SCALE = {"no noise": 0.075}


def parameters_for(which: str, index: Index = "exact") -> Parameters:
    return made("gaussian", 5.0, index, SCALE.get(which, 0.1), alpha=ALPHA.get(which, 0.05))


@pytest.mark.parametrize("index", ["exact", "closed-form"])
@pytest.mark.parametrize("which", WORLDS)
def test_every_number_of_a_run_is_that_of_the_reference(which: str, index: Index) -> None:
    world, p = WORLDS[which], parameters_for(which, index)
    theta = world.theta_star
    marks = (1, 7, 24, 25, T)
    outcome, rows = played(p, world, marks[::-1])
    slow = HCWGLBOMD(p.family, D, 1.0, 0.05, p.C, p.alpha, index=index, radius_scale=p.radius_scale, diagnose=True)
    arms, regret, covers, projected = arms_of(world), np.zeros(T), [], 0
    for t in range(T):
        k = slow.select(arms[t])
        assert k == rows["arm"][t]
        x, g = arms[t, k], float(rows["dispersion"][t])
        assert rows["error"][t] == pytest.approx(slow.confidence_set.distance(theta), rel=1e-9)
        done = slow.update(x, float(rows["reward"][t] + rows["corruption"][t]), g)
        assert (done.weight, done.radius) == pytest.approx((rows["weight"][t], rows["radius"][t]), rel=1e-9)
        assert done.projected == rows["projected"][t]
        assert done.residual < 1e-10
        covers.append(done.covers_ball)
        projected += done.projected
        regret[t] = (arms[t] @ theta).max() - x @ theta
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(outcome.H, slow.H, rtol=1e-9)
    assert outcome.radius == pytest.approx(slow.radius, rel=1e-9)
    assert outcome.first_informative == (covers.index(False) + 1 if False in covers else 0)
    np.testing.assert_allclose(outcome.regret_at, np.cumsum(regret)[np.array(marks) - 1], rtol=1e-9, atol=1e-12)
    check_sums(outcome, rows, marks)
    best = (arms @ theta).max(axis=1)
    assert outcome.optimal_variance == pytest.approx(float(rows["dispersion"] @ p.family.dmu(best)), rel=1e-12)
    assert outcome.projected == projected
    assert outcome.corruption == pytest.approx(np.abs(rows["corruption"]).sum(), rel=1e-12)


def check_sums(outcome: Outcome, rows: dict[str, Floats], marks: tuple[int, ...]) -> None:
    at = np.array(marks) - 1
    for name in ("radius", "error", "weight"):
        np.testing.assert_array_equal(getattr(outcome, f"{name}_at"), rows[name][at])
    missed = rows["error"] > rows["radius"]
    assert outcome.rounds == T
    assert outcome.worst_ratio == (rows["error"] / rows["radius"]).max()
    assert (outcome.misses, outcome.first_miss) == (missed.sum(), np.argmax(missed) + 1 if missed.any() else 0)
    assert outcome.discounted == np.count_nonzero(rows["weight"] < 1)
    assert outcome.smallest_weight == rows["weight"].min()
    assert (outcome.g_min, outcome.g_max) == (rows["dispersion"].min(), rows["dispersion"].max())
    assert outcome.inverse_g == pytest.approx(float((1 / rows["dispersion"]).sum()), rel=1e-12)
    assert outcome.regret == outcome.regret_at[-1]


@pytest.mark.parametrize("stays", [True, False], ids=["arms stay", "arms change"])
@pytest.mark.parametrize("name", ["bernoulli", "poisson"])
def test_rewards_regret_and_corruption_go_through_the_link_of_the_family(name: str, stays: bool) -> None:
    p, marks = made(name, 4.0, "closed-form"), range(1, T + 1)
    world = World(THETA, points() if stays else changing(K, D, 0.99), 1.0, adversary.mirror(4.0))
    outcome = run(p, world, T, SEED, KEY, checkpoints=marks, record=True)
    arms, rows, mu = arms_of(world), outcome.record or {}, p.family.mu
    means = mu(arms @ THETA)
    pulled = means[np.arange(T), rows["arm"].astype(int)]
    np.testing.assert_allclose(outcome.regret_at, np.cumsum(means.max(axis=1) - pulled), rtol=1e-9, atol=1e-12)
    best = (arms @ THETA).max(axis=1)
    assert outcome.optimal_variance == pytest.approx(float(p.family.dmu(best).sum()), rel=1e-9)
    mirrored = mu(-(arms[np.arange(T), rows["arm"].astype(int)] @ THETA))
    first = int(np.flatnonzero(rows["corruption"])[0])
    assert rows["corruption"][first] == pytest.approx((mirrored - pulled)[first], rel=1e-9)
    slow = HCWGLBOMD(p.family, D, 1.0, 0.05, 4.0, index="closed-form", radius_scale=0.1)
    for t in range(T):
        assert slow.select(arms[t]) == rows["arm"][t]
        slow.update(arms[t][int(rows["arm"][t])], float(rows["reward"][t] + rows["corruption"][t]))


def test_the_worlds_reach_what_is_rare() -> None:
    found = [played(parameters_for(which), world)[0] for which, world in WORLDS.items()]
    assert any(o.misses for o in found)
    assert any(o.discounted for o in found)
    assert any(o.projected for o in found)
    assert any(o.first_informative > 1 for o in found)


@pytest.mark.parametrize("name", ["bernoulli", "poisson"])
def test_arms_that_stay_and_the_same_arms_sent_anew_give_the_same_run(name: str) -> None:
    arms, g = points(), np.ones(T)
    worlds = [World(THETA, these, g, noisy=False) for these in (arms, np.broadcast_to(arms, (T, K, D)))]
    (_, stay), (_, anew) = (played(made(name), world) for world in worlds)
    np.testing.assert_array_equal(stay["arm"], anew["arm"])
    np.testing.assert_allclose(stay["error"], anew["error"], rtol=1e-9)
    np.testing.assert_allclose(stay["reward"], catalog.get(name).mu(arms @ THETA)[stay["arm"].astype(int)], rtol=1e-12)


def test_runs_with_worlds_of_their_own_do_not_depend_on_workers_and_are_the_runs_alone() -> None:
    p = made("bernoulli", 5.0)

    def its(rng: np.random.Generator) -> World:
        return World(sphere(rng, 1, D)[0], changing(4, D))

    one, two = (replicate(p, its, 25, 77, 3, (10, 25), workers=w) for w in (1, 2))
    for n, (a, b) in enumerate(zip(one, two, strict=True)):
        alone = run(p, its(stream(77, (n,))), 25, 77, (n,), (10, 25))
        for other in (b, alone):
            assert a.theta.tobytes() + a.H.tobytes() == other.theta.tobytes() + other.H.tobytes()
            assert a.regret_at.tobytes() == other.regret_at.tobytes()
    assert len({outcome.regret for outcome in one}) == 3


def test_the_range_of_the_dispersions_is_that_of_the_rounds() -> None:
    world = World(THETA, points(), decades(0.05, 4.0))
    _, rows = played(made(), world)
    found = Course(world, T, SEED, KEY).dispersion_range()
    assert found == (rows["dispersion"].min(), rows["dispersion"].max())


ATTACKS: dict[str, Attack] = {
    "paced": adversary.paced(6.0, T, (0.0, 1.0, 2.0), 0.5, "amplify"),
    "paced, up": adversary.paced(6.0, T, (1.0,), 0.5, "up"),
    "paced, best": adversary.paced(6.0, T, (1.0, 1.0), 0.5, "mirror", "best", 0.2),
    "late": adversary.late(6.0, T, 0.5),
}


@pytest.mark.parametrize("which", ATTACKS)
def test_the_adversary_of_the_engine_is_that_of_its_definition(which: str) -> None:
    attack, p = ATTACKS[which], made(C=6.0, alpha=0.05)
    world = World(THETA, points(), 0.25, attack)
    _, rows = played(p, world)
    slow, ledger, caps = (
        HCWGLBOMD(p.family, D, 1.0, 0.05, 6.0, 0.05, radius_scale=0.1),
        attack.ledger(),
        attack.caps_of(0, T),
    )
    arms = np.asarray(world.arms)
    naturals = arms @ THETA
    for t in range(T):
        k = int(rows["arm"][t])
        x = arms[k]
        seen = adversary.Seen(
            t + 1, caps[t], 0.0, rows["reward"][t], naturals[k], -naturals[k], naturals[k] >= naturals.max() - 1e-12,
            float(x @ (slow.theta - THETA)), slow.trust(x, 0.25),
        )  # fmt: skip
        assert adversary.corrupt(ledger, seen) == pytest.approx(rows["corruption"][t], rel=1e-9, abs=1e-12)
        slow.update(x, float(rows["reward"][t] + rows["corruption"][t]), 0.25)
    assert 0 < np.abs(rows["corruption"]).sum() <= 6.0 * (1 + 1e-12)
    assert math.isclose(6.0 - ledger.left, np.abs(rows["corruption"]).sum(), rel_tol=1e-9)


# --- single numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_farthest_point_of_the_ball_is_that_of_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = made()
    learner = state.views(state.initial(p))
    A = rng.standard_normal((D, D))
    learner.H[:] = A @ A.T + p.lam * np.eye(D)
    learner.theta[:] = 0.7 * sphere(rng, 1, D)[0] if seed else 0.0
    whole = ConfidenceSet(learner.theta.copy(), learner.H.copy(), 1.0, 1.0, p.lam)
    assert _farthest(learner, blank_memory(D)[:SUM_COUNT].view(SUMS)[0]) == pytest.approx(whole.farthest(), rel=1e-12)


def test_a_truth_outside_the_ball_is_refused() -> None:
    with pytest.raises(BadInput, match="theta_star"):
        run(made(), World(1.1 * THETA / np.linalg.norm(THETA), points()), 1, SEED)


def test_the_record_has_the_columns_that_are_filled() -> None:
    _, rows = played(made(), WORLDS["no noise"])
    assert [*rows] == ["arm", "reward", "corruption", "dispersion", "radius", "error", "weight", "projected"]


def test_of_a_run_without_an_estimate_nothing_is_said_about_one() -> None:
    found = competitors.run("uniform", made(), WORLDS["arms that stay"], 10, SEED, checkpoints=(5, 10))
    assert np.isnan([*found.theta, *found.H.ravel(), *found.error_at, *found.weight_at, found.worst_ratio]).all()
    assert math.isnan(found.corruption)
    assert (found.misses, found.record) == (0, None)


@pytest.mark.parametrize(("earned", "dropped"), [(4.5, True), (4.7, False)])
def test_a_guess_is_dropped_where_its_bound_its_budget_and_noise_do_not_explain_the_loss(
    earned: float, dropped: bool
) -> None:
    test = Test(np.array([2.0, 4.0]), lambda n: np.full(n.shape, 0.5))
    test.add(0, earned, 1.0)
    test.add(1, 10.6, 0.25)
    test.drop()  # the first may have earned up to earned + 1 + 2 + 0.5, the other at least 10.6 - 2 - 0.5
    assert test.alive.tolist() == [not dropped, True]


def test_the_size_of_noise_in_sum_grows_at_the_rate_that_is_best_for_its_bound() -> None:
    rates = np.linspace(0.5, 3, 2001)
    assert (rates / 2 + math.log(2) / rates).min() == pytest.approx(SPREAD, rel=1e-6)


def test_an_alarm_is_at_the_logarithm_of_one_over_its_chance() -> None:
    assert Monitor(made(), 0.01).threshold == pytest.approx(math.log(100))


@pytest.mark.parametrize(("name", "dispersions"), [("poisson", 1.0), ("scaled_poisson", decades(0.5, 1.0))])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_counts_of_arms_that_change_have_the_mean_of_their_arm(name: str, dispersions: Any, sign: float) -> None:
    family, S = catalog.get(name), 1.5
    world = World(np.array([S, 0.0]), np.tile([0.9 * sign, 0.0], (T, 1, 1)), dispersions)
    outcome = run(parameters(family, 2, S, 0.05, 0.0, index="closed-form"), world, T, SEED, record=True)
    assert outcome.record is not None
    mean, variance = (float(of(0.9 * sign * S)) for of in (family.mu, family.dmu))
    assert abs(outcome.record["reward"].mean() - mean) < 3 * math.sqrt(variance / T)


def test_rewards_that_a_world_brings_are_those_of_the_arms_that_are_played() -> None:
    world = World(THETA, changing(K, D), rewards=lambda rng, first, count: np.tile(np.arange(float(K)), (count, 1)))
    _, record = played(made(scale=1.0), world)
    assert (record["reward"] == record["arm"]).all()
    assert len(set(record["arm"])) == K


def test_an_arm_is_drawn_at_random_for_a_single_round_too() -> None:
    world = World(THETA, np.eye(D), noisy=False)
    assert len({competitors.run("uniform", made(), world, 1, seed).regret for seed in range(20)}) == D
