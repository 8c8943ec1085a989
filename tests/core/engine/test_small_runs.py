"""Runs of a few dozen rounds against the reference, number by number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import Outcome, World, replicate, run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import ARMS, changing, decades, piece, sphere, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Index, Parameters, parameters

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
    slow, budget, caps = (
        HCWGLBOMD(p.family, D, 1.0, 0.05, 6.0, 0.05, radius_scale=0.1),
        attack.numbers(),
        attack.caps_of(0, T),
    )
    arms = np.asarray(world.arms)
    naturals = arms @ THETA
    for t in range(T):
        k = int(rows["arm"][t])
        x = arms[k]
        seen = adversary.AdversaryView(
            t + 1, caps[t], 0.0, rows["reward"][t], naturals[k], -naturals[k], naturals[k] >= naturals.max() - 1e-12,
            float(x @ (slow.theta - THETA)), slow.trust(x, 0.25),
        )  # fmt: skip
        assert adversary.corrupt(budget, seen) == pytest.approx(rows["corruption"][t], rel=1e-9, abs=1e-12)
        slow.update(x, float(rows["reward"][t] + rows["corruption"][t]), 0.25)
    assert 0 < np.abs(rows["corruption"]).sum() <= 6.0 * (1 + 1e-12)
    assert math.isclose(budget[adversary.SPENT], np.abs(rows["corruption"]).sum(), rel_tol=1e-9)


# --- single numbers -------------------------------------------------------------------------------------------


def test_a_truth_outside_the_ball_is_refused() -> None:
    with pytest.raises(BadInput, match="theta_star"):
        run(made(), World(1.1 * THETA / np.linalg.norm(THETA), points()), 1, SEED)


def test_rewards_that_a_world_brings_are_those_of_the_arms_that_are_played() -> None:
    world = World(THETA, changing(K, D), rewards=lambda rng, first, count: np.tile(np.arange(float(K)), (count, 1)))
    _, record = played(made(scale=1.0), world)
    assert (record["reward"] == record["arm"]).all()
    assert len(set(record["arm"])) == K
