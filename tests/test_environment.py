"""Worlds, the loop that plays them, and the sums a run leaves behind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from glbcheck.core import adversary, catalog, constants
from glbcheck.core import environment as env
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.errors import BadInput
from glbcheck.core.trajectory import Trajectory

BERNOULLI, POISSON, GAUSSIAN = (catalog.get(name) for name in ("bernoulli", "poisson", "gaussian"))
RNG = np.random.default_rng(0)

ARMS = {
    "sphere": env.fixed(env.sphere(RNG, 8, 3)),
    "basis": env.fixed(env.basis(3)),
    "collinear": env.fixed(env.collinear(RNG, 7, 3)),
    "tiny": env.fixed(env.tiny(RNG, 5, 3)),
    "with zero": env.fixed(env.with_zero(env.sphere(RNG, 4, 3))),
    "iid": env.iid(6, 3),
    "least explored": env.least_explored(5, 3),
}
DISPERSIONS = {
    "constant": env.constant(0.5),
    "decades": env.decades(1e-3, 1e2),
    "spikes": env.spikes(0.01, 10.0, 7),
    "dyadic": env.dyadic(64),
    "adaptive": env.adaptive(1e-3, 1.0),
    "listed": env.listed(np.linspace(0.1, 1, 64)),
}
STRATEGIES = {
    "none": adversary.none(),
    "front-loaded": adversary.front_loaded(),
    "spread": adversary.spread(5.0),
    "late": adversary.late(5.0),
    "low-weight": adversary.low_weight(),
    "mirror": adversary.mirror(),
}
THETA = np.array([0.6, -0.3, 0.5])


def learner(family: Any = GAUSSIAN, **options: Any) -> HCWGLBOMD:
    return HCWGLBOMD(family, 3, 1.0, 0.05, 5.0, **options)


def played(world: env.World, T: int = 64, seed: int = 1, **options: Any) -> Trajectory:
    return env.play(world, learner(world.family), T, 5.0, seed, **options)


@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("dispersion", DISPERSIONS)
def test_every_arm_set_meets_every_dispersion(arms: str, dispersion: str) -> None:
    path = played(env.World(GAUSSIAN, THETA, ARMS[arms], DISPERSIONS[dispersion], adversary.mirror()))
    assert path.rounds == 64
    assert path.regret >= 0
    assert path.corruption <= 5.0
    assert path.covered
    assert path.largest_gap <= 1e-10


@pytest.mark.parametrize("family", [BERNOULLI, POISSON, GAUSSIAN], ids=lambda f: f.name)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_family_meets_every_adversary(family: Any, strategy: str) -> None:
    path = played(env.World(family, THETA, ARMS["sphere"], strategy=STRATEGIES[strategy]), record=True)
    record = path.record
    assert np.abs(record["corruption"]).sum() <= 5.0 + 1e-12
    assert path.corruption == pytest.approx(np.abs(record["corruption"]).sum())
    if strategy not in ("none", "low-weight"):
        assert path.corruption > 0


# --- arms and dispersions -------------------------------------------------------------------------------


def test_arm_sets_stay_in_the_unit_ball_and_have_their_shape() -> None:
    who = learner()
    for make in ARMS.values():
        arms = make(1, np.random.default_rng(3), who)
        assert arms.shape[1] == 3
        assert (np.linalg.norm(arms, axis=1) <= 1 + 1e-12).all()
    assert np.linalg.matrix_rank(env.collinear(RNG, 5, 4)) == 1
    assert not env.with_zero(env.basis(2))[0].any()
    assert np.linalg.norm(env.tiny(RNG, 3, 2, 1e-4), axis=1) == pytest.approx([1e-4] * 3)


def test_the_adversarial_set_offers_the_direction_known_least() -> None:
    who = learner()
    for _ in range(50):
        who.update([1.0, 0.0, 0.0], 0.0)
        who.update([0.0, 1.0, 0.0], 0.0)
    first, second = ARMS["least explored"](1, np.random.default_rng(0), who)[:2]
    assert abs(first[2]) == pytest.approx(1.0)
    assert (first == -second).all()


def test_dyadic_dispersions_visit_every_bin() -> None:
    g = np.array([DISPERSIONS["dyadic"](t, THETA, RNG, learner()) for t in range(1, 65)])
    assert set(constants.dyadic_bins(g).tolist()) == set(range(7))


def test_the_adaptive_dispersion_looks_at_the_learner() -> None:
    trusting, wary = learner(alpha=1e4), learner(alpha=1e-4)
    x = np.array([1.0, 0.0, 0.0])
    assert DISPERSIONS["adaptive"](1, x, RNG, trusting) == 1.0
    assert DISPERSIONS["adaptive"](1, x, RNG, wary) == 1e-3


# --- the instances of the lower bounds ------------------------------------------------------------------


def test_arms_of_the_corruption_bound_are_equally_far_from_each_other() -> None:
    arms = env.corruption_arms(5, 0.3)
    gram = arms @ arms.T
    assert np.diag(gram) == pytest.approx([1.0] * 4)
    assert gram[~np.eye(4, dtype=bool)] == pytest.approx([math.cos(0.3) ** 2] * 12)
    with pytest.raises(BadInput):
        env.corruption_arms(1, 0.3)


@pytest.mark.parametrize(("family", "noisy"), [(GAUSSIAN, False), (BERNOULLI, True), (POISSON, True)])
def test_regret_in_the_corruption_instance_is_the_gap_per_wrong_pull(family: Any, noisy: bool) -> None:
    S, phi = 1.5, 0.4
    world = env.corruption_instance(family, 4, S, phi, 2, noisy)
    path = env.play(world, HCWGLBOMD(family, 4, S, 0.05, 3.0), 40, 3.0, seed=1, record=True)
    wrong = int((path.record["arm"] != 2).sum())
    assert path.regret == pytest.approx(wrong * adversary.lower_bound_gap(family, S, phi))
    assert path.corruption <= 3.0


def test_while_the_budget_lasts_no_instance_can_be_told_from_another() -> None:
    shown = set()
    for best in range(3):
        world = env.corruption_instance(GAUSSIAN, 4, 1.0, 0.3, best, noisy=False)
        path = env.play(world, HCWGLBOMD(GAUSSIAN, 4, 1.0, 0.05, 50.0), 30, 50.0, seed=1, record=True)
        record = path.record
        shown.add(
            tuple(zip(record["arm"].tolist(), np.round(record["reward"] + record["corruption"], 12), strict=True))
        )
    assert len(shown) == 1


def test_unsuitable_corruption_instances_are_refused() -> None:
    with pytest.raises(BadInput, match="best"):
        env.corruption_instance(BERNOULLI, 3, 1.0, 0.3, 2)
    with pytest.raises(BadInput, match="family"):
        env.corruption_instance(GAUSSIAN, 3, 1.0, 0.3, 0, noisy=True)


def test_in_the_block_instance_bins_never_meet() -> None:
    g = np.array([1.0, 0.5, 0.25, 0.25, 1.0, 0.6, 0.1, 0.01])  # T = 8: four blocks
    theta = np.arange(8.0) / 20
    make = env.block_arms(g, theta, 4)
    bins = constants.dyadic_bins(g)
    for t in range(1, 9):
        arms = make(t, np.random.default_rng(t), learner())
        block = slice(2 * bins[t - 1], 2 * bins[t - 1] + 2)
        assert np.linalg.norm(arms[:, block], axis=1) == pytest.approx([1.0] * 4)
        assert np.linalg.norm(arms, axis=1) == pytest.approx([1.0] * 4)
        assert (arms @ theta).max() == pytest.approx(float(np.linalg.norm(theta[block])))
    with pytest.raises(BadInput, match="theta_star"):
        env.block_arms(g, np.zeros(7), 4)


# --- what a run leaves behind ---------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_run_and_another_replicate_another() -> None:
    world = env.World(BERNOULLI, THETA, ARMS["iid"], strategy=adversary.front_loaded())
    first, again, other = (played(world, record=True, replicate=k) for k in (0, 0, 1))
    assert (first.record == again.record).all()
    assert (first.theta == again.theta).all()
    assert not (first.record == other.record).all()


def test_streams_are_independent_so_that_corruption_changes_no_reward_noise() -> None:
    shared = ARMS["tiny"], env.constant(1.0)
    calm = played(env.World(GAUSSIAN, THETA, *shared), record=True)
    attacked = played(env.World(GAUSSIAN, THETA, *shared, adversary.front_loaded()), record=True)
    same = calm.record["arm"] == attacked.record["arm"]
    assert same.any()
    assert calm.record["reward"][same] == pytest.approx(attacked.record["reward"][same])


def test_sums_agree_with_the_record_they_summarise() -> None:
    world = env.World(GAUSSIAN, THETA, ARMS["sphere"], env.decades(1e-4, 1.0), adversary.front_loaded())
    path = env.play(world, learner(alpha=2.0, diagnose=True), 300, 5.0, 3, record=True)
    record = path.record
    low = record["weight"] < 1
    assert 0 < low.sum() < 300
    assert path.distrusted == low.sum()
    assert path.smallest_weight == record["weight"].min()
    # The slope of the Gaussian mean is 1, so the four sums are of norms and of their squares.
    trusted, distrusted = record["norm"][~low], record["norm"][low]
    found = [path.S_0, path.S_1, path.S_2, path.S_3]
    assert found == pytest.approx([trusted.sum(), distrusted.sum(), (trusted**2).sum(), (distrusted**2).sum()])
    curvature = record["weight"] / record["dispersion"]
    assert path.potential == pytest.approx(np.sum(curvature * record["norm"] ** 2))
    assert path.inverse_g == pytest.approx(np.sum(1 / record["dispersion"]))
    assert path.inverse_g_before == pytest.approx(np.sum(1 / record["dispersion"][:-1]))
    assert (path.g_min, path.g_max) == (record["dispersion"].min(), record["dispersion"].max())
    assert path.optimal_variance == pytest.approx(np.sum(record["dispersion"]))
    assert path.regret == record["regret"][-1]
    assert path.covering == record["covers_ball"].sum()
    assert path.worst_ratio == pytest.approx((record["error"] / record["radius"]).max())
    assert path.covered == bool((record["error"] <= record["radius"]).all())
    assert path.checkpoints == [(2**k, record["regret"][2**k - 1]) for k in range(9)]


def test_regret_is_that_of_the_definition() -> None:
    arms = env.sphere(np.random.default_rng(8), 6, 3)
    path = played(env.World(BERNOULLI, THETA, env.fixed(arms)), record=True)
    means = BERNOULLI.mu(arms @ THETA)
    assert path.regret == pytest.approx(np.sum(means.max() - means[path.record["arm"]]))


def test_nothing_grows_unless_it_is_asked_for() -> None:
    short, long = (played(env.World(GAUSSIAN, THETA, ARMS["basis"]), T) for T in (64, 512))
    with pytest.raises(BadInput, match="record"):
        _ = long.record
    assert len(long.checkpoints) == len(short.checkpoints) + 3


def test_a_false_confidence_set_is_noticed() -> None:
    world = env.World(GAUSSIAN, THETA, ARMS["sphere"])
    path = env.play(world, learner(radius_scale=1e-3), 50, 0.0, 1)
    assert path.first_miss == 1
    assert path.worst_ratio > 1


def test_the_regret_decomposition_holds_along_a_covered_run() -> None:
    world = env.World(BERNOULLI, THETA, ARMS["sphere"], strategy=adversary.mirror())
    who = learner(BERNOULLI)
    path = env.play(world, who, 400, 5.0, 2)
    assert path.covered
    p = who.parameters
    rho = who.radius
    assert path.regret <= 2 * rho * (path.S_0 + path.S_1) + 6 * p.R_s * p.L_mu * rho**2 * (path.S_2 + path.S_3)
