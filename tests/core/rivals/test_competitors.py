"""Rivals play the same instances as the paper's learner, each as its name says."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.algorithm.confidence_set import ConfidenceSet, most_uncertain
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import run as engine
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import ARMS, Blocks, World, changing, piece, sphere, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.names import SUFFIX
from glbcheck.core.rivals import ALGORITHMS, NAMES
from glbcheck.core.rivals.likelihood import REFIT
from glbcheck.core.rivals.mirror_descent import unweighted
from glbcheck.core.theory.parameters import Parameters, parameters
from scipy import optimize, stats

D, K = 3, 5
ROUNDS, FEW = 1025, 700
ESTIMATING = [name for name in NAMES if name != "uniform"]
ANY_DISPERSION = [name for name in NAMES if not ALGORITHMS[name].one_dispersion]


def instance(name: str, C: float = 0.0, moving: bool = False, g: float | Blocks = 1.0) -> tuple[Parameters, World]:
    p = parameters(catalog.get(name), D, 1.0, 0.05, C, reading="repaired", radius_scale=0.5)
    rng = np.random.default_rng(6)
    theta = 0.8 * sphere(rng, 1, D)[0]
    arms = changing(K, D, 0.999) if moving else 0.999 * sphere(rng, K, D)
    return p, World(theta, arms, g, adversary.front_loaded(C))


def told(name: str, p: Parameters, low: float = 1.0, high: float = 1.0) -> Parameters:
    """A scout needs constants that prove a bound."""
    if name != "hcw-glb-omd-scout":
        return p
    return parameters(
        p.family, p.d, p.S, p.delta, p.C, reading="sharpest", horizon=ROUNDS, dispersions=(low, high), index=p.index
    )


def decades(rng: np.random.Generator, first: int, count: int) -> Floats:
    return np.asarray(10 ** rng.uniform(-1, 1, count))


def recorded(name: str, p: Parameters, world: World, rounds: int) -> tuple[Outcome, dict[str, Floats]]:
    outcome = rivals.run(name, p, Episode(world, rounds, 3, (2,)), record=True)
    assert outcome.record is not None
    return outcome, outcome.record


def arms_of(world: World, rounds: int) -> Floats:
    """The arms of every round, from the stream that the run has used."""
    if world.arms_stay:
        return np.broadcast_to(np.asarray(world.arms), (rounds, K, D))
    return piece(world.arms, stream(3, (2,), ARMS), 0, rounds)


def of_largest(index: Floats, squared_norms: Floats) -> int:
    return most_uncertain(index, float(np.abs(index).max()), squared_norms)


# --- the same instances -------------------------------------------------------------------------------------


@pytest.mark.parametrize("moving", [False, True])
def test_all_meet_the_same_rewards_and_dispersions(moving: bool) -> None:
    p, world = instance("gaussian", moving=moving, g=1.0 if not moving else decades)
    names = [name for name in ESTIMATING if not moving or name in ANY_DISPERSION]
    runs = [recorded(name, told(name, p, 0.1, 10.0), world, ROUNDS)[1] for name in names]
    for other in runs[1:]:
        np.testing.assert_array_equal(other["dispersion"], runs[0]["dispersion"])
        same = other["arm"] == runs[0]["arm"]  # in a round where both pull the same arm, both see the same reward
        assert same.any()
        np.testing.assert_array_equal(other["reward"][same], runs[0]["reward"][same])


@pytest.mark.parametrize("name", ANY_DISPERSION)
def test_a_run_repeats_and_its_key_names_it(name: str) -> None:
    p, world = instance("gaussian", C=20.0, moving=True, g=decades)
    first, again, other = (
        rivals.run(name, told(name, p, 0.1, 10.0), Episode(world, FEW, 5, key), checkpoints=(10, FEW))
        for key in ((1,), (1,), (2,))
    )
    assert first.regret_at.tobytes() == again.regret_at.tobytes()
    assert first.theta.tobytes() == again.theta.tobytes()
    assert first.regret != other.regret
    assert first.regret == first.regret_at[-1] > 0
    assert first.optimal_variance == again.optimal_variance > 0
    assert 0.1 <= first.g_min < first.g_max <= 10
    assert first.rounds == FEW


def test_ours_is_the_engine() -> None:
    p, world = instance("bernoulli", C=10.0)
    ours, engines = rivals.run("hcw-glb-omd", p, Episode(world, FEW, 1)), engine.run(p, world, FEW, 1)
    assert (ours.regret, ours.theta.tobytes()) == (engines.regret, engines.theta.tobytes())


def test_unknown_names_and_other_links_are_refused() -> None:
    p, world = instance("bernoulli")
    with pytest.raises(BadInput, match="ucb1"):
        rivals.run("ucb1", p, Episode(world, 10, 0))
    with pytest.raises(BadInput, match=r"cw-oful.*bernoulli"):
        rivals.run("cw-oful", p, Episode(world, 10, 0))
    for name in NAMES:
        rivals.check(name, told(name, instance("gaussian")[0]))
    with pytest.raises(BadInput, match="sharpest: a scout spends a share"):
        rivals.check("hcw-glb-omd-scout", p)


# --- without weights, and greedy ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "poisson"])
def test_tuned_glb_omd_is_the_reference_told_that_nothing_is_corrupted(name: str) -> None:
    p, world = instance(name, C=30.0)
    outcome, rows = recorded("glb-omd-tuned", p, world, ROUNDS)
    lam = unweighted(p, 1.0).lam
    alpha = 1 / math.sqrt(lam)
    assert lam == pytest.approx(p.use.lam(D, 1.0, p.eta, alpha, p.R_s, p.L_mu))  # the theorem's, at this α
    slow = HCWGLBOMD(p.family, D, 1.0, 0.05, 0.0, alpha, radius_scale=0.5, constants="repaired")
    for t in range(ROUNDS):
        assert slow.select(world.arms) == rows["arm"][t]  # type: ignore[arg-type]
        done = slow.update(np.asarray(world.arms)[int(rows["arm"][t])], rows["reward"][t] + rows["corruption"][t])
        assert done.weight == 1.0 == rows["weight"][t]
        assert done.radius == pytest.approx(rows["radius"][t], rel=1e-9)
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-9)
    assert outcome.corruption == pytest.approx(30.0)


def test_greedy_plays_the_best_arm_under_its_estimate() -> None:
    p, world = instance("poisson", moving=True)
    outcome, rows = recorded("greedy", p, world, ROUNDS)
    arms = arms_of(world, ROUNDS)
    alpha = 1 / math.sqrt(unweighted(p, 1.0).lam)
    slow = HCWGLBOMD(p.family, D, 1.0, 0.05, 0.0, alpha, constants="repaired")
    for t in range(ROUNDS):
        k = of_largest(arms[t] @ slow.theta, slow.confidence_set.squared_norms(arms[t]))
        assert k == rows["arm"][t]
        slow.update(arms[t, k], rows["reward"][t])
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-9)
    assert math.isnan(outcome.worst_ratio)
    assert outcome.misses == 0


# --- ridge regression ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("C", [0.0, 40.0])
def test_cw_oful_is_weighted_ridge_regression(moving: bool, C: float) -> None:
    rounds = ROUNDS  # with arms that move, the last block is a single round
    p, world = instance("gaussian", C=C, moving=moving, g=decades)
    outcome, rows = recorded("cw-oful", p, world, rounds)
    arms, R = arms_of(world, rounds), math.sqrt(rows["dispersion"].max())
    alpha = R * math.sqrt(D) / C if C else math.inf
    lam = R**2 / p.S**2
    Sigma, b = lam * np.eye(D), np.zeros(D)
    for t in range(rounds):
        theta = np.linalg.solve(Sigma, b)
        growth = D * math.log1p(t / (D * lam))
        radius = 0.5 * (R * math.sqrt(2 * math.log(20) + growth) + math.sqrt(lam) * p.S + (alpha * C if C else 0))
        assert radius == pytest.approx(rows["radius"][t], rel=1e-9)
        off = theta - world.theta_star
        assert math.sqrt(off @ Sigma @ off) == pytest.approx(rows["error"][t], rel=1e-6)
        norms = np.sqrt(np.einsum("kj,jk->k", arms[t], np.linalg.solve(Sigma, arms[t].T)))
        k = of_largest(arms[t] @ theta + radius * norms, norms**2)
        assert k == rows["arm"][t]
        w = min(1.0, alpha / norms[k])
        assert w == pytest.approx(rows["weight"][t], rel=1e-9)
        Sigma = Sigma + w * np.outer(arms[t, k], arms[t, k])
        b = b + w * (rows["reward"][t] + rows["corruption"][t]) * arms[t, k]
    np.testing.assert_allclose(outcome.theta, np.linalg.solve(Sigma, b), rtol=1e-8)
    np.testing.assert_allclose(outcome.H, Sigma, rtol=1e-9, atol=1e-9)
    assert (outcome.discounted > 0) == (C > 0)


def test_weights_keep_cw_oful_covered_where_the_unweighted_learner_is_fooled() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 2000.0)
    world = World(np.array([0.99, 0.0]), np.eye(2)[:1], attack=adversary.paced(2000.0, 4000, (0, 1), 2000.0, "mirror"))
    fooled = [rivals.run("glb-omd", p, Episode(world, 4000, 1, (i,))) for i in range(10)]
    sound = [
        rivals.run(name, p, Episode(world, 4000, 1, (i,))) for name in ("cw-oful", "hcw-glb-omd") for i in range(10)
    ]
    assert all(outcome.misses > 0 for outcome in fooled)
    assert not any(outcome.misses > 0 for outcome in sound)


# --- maximum likelihood -------------------------------------------------------------------------------------


def most_likely(p: Parameters, X: Floats, rewards: Floats, g: Floats, ridge: float) -> Floats:
    """SciPy's minimiser of the penalised loss over the ball."""

    def loss(theta: Floats) -> float:
        z = np.clip(X @ theta, -700, 700)
        return float(np.sum((p.family.m(z) - rewards * z) / g) + ridge / 2 * theta @ theta)

    def slope(theta: Floats) -> Floats:
        z = np.clip(X @ theta, -700, 700)
        return np.asarray(X.T @ ((p.family.mu(z) - rewards) / g) + ridge * theta)

    ball = optimize.NonlinearConstraint(lambda th: th @ th, -np.inf, p.S**2, jac=lambda th: 2 * th)
    found = optimize.minimize(
        loss, np.zeros(D), jac=slope, method="SLSQP", constraints=[ball], options={"ftol": 1e-15, "maxiter": 500}
    )
    return np.asarray(found.x)


@pytest.mark.parametrize(("name", "moving", "C", "g"), [
    ("bernoulli", False, 0.0, 1.0), ("bernoulli", True, 60.0, 1.0), ("poisson", True, 0.0, 1.0),
    ("poisson", False, 400.0, 1.0), ("gaussian", True, 0.0, decades), ("gaussian", False, 300.0, decades),
])  # fmt: skip
def test_glm_ucb_is_optimistic_around_the_constrained_maximum_likelihood_estimate(
    name: str, moving: bool, C: float, g: float | Blocks
) -> None:
    rounds = ROUNDS
    p, world = instance(name, C=C, moving=moving, g=g)
    outcome, rows = recorded("glm-ucb", p, world, rounds)
    arms = arms_of(world, rounds)
    X = arms[np.arange(rounds), rows["arm"].astype(int)]
    shown, dispersion = rows["reward"] + rows["corruption"], rows["dispersion"]
    kappa = 1 / float(p.family.dmu(np.array([-p.S, p.S])).min())
    V, frozen, theta, fits, informative = np.eye(D), np.eye(D), np.zeros(D), 0, 0
    for t in range(rounds):
        noise = kappa * math.sqrt(p.L_mu * (2 * math.log(20) + np.linalg.slogdet(frozen)[1]))
        assert 0.5 * (noise + p.S) == pytest.approx(rows["radius"][t], rel=1e-9)
        off = theta - world.theta_star
        assert math.sqrt(off @ frozen @ off) == pytest.approx(rows["error"][t], rel=1e-4, abs=1e-4)
        if informative == 0 and not ConfidenceSet(theta, frozen, rows["radius"][t], p.S, 1.0).covers_ball():
            informative = t + 1
        norms = np.sqrt(np.einsum("kj,jk->k", arms[t], np.linalg.solve(frozen, arms[t].T)))
        index = arms[t] @ theta + rows["radius"][t] * norms
        assert index[int(rows["arm"][t])] >= index.max() - 1e-5
        V = V + np.outer(X[t], X[t]) / dispersion[t]
        if np.linalg.slogdet(V)[1] - np.linalg.slogdet(frozen)[1] >= REFIT:
            theta = most_likely(p, X[: t + 1], shown[: t + 1], dispersion[: t + 1], 1 / kappa)
            frozen, fits = V, fits + 1
    assert 5 < fits < 150
    assert outcome.first_informative == informative > 0
    np.testing.assert_allclose(outcome.theta, theta, atol=1e-5)
    np.testing.assert_allclose(outcome.H, frozen, rtol=1e-9)
    assert np.linalg.norm(outcome.theta) <= p.S


def test_a_single_round_of_arms_that_move_is_fitted_where_it_was_played() -> None:
    p, _ = instance("gaussian")
    arms = np.array([[[0.1, 0, 0], [0.2, 0, 0], [0, 0.9, 0]]])
    outcome, rows = recorded("glm-ucb", p, World(np.array([0.0, 0.5, 0.0]), arms), 1)
    assert rows["arm"][0] == 2
    best = most_likely(p, arms[0, 2:], rows["reward"], np.ones(1), 1.0)
    np.testing.assert_allclose(outcome.theta, best, atol=1e-6)
    assert abs(outcome.theta[1]) > 0


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [("gaussian", "cw-oful"), *((f, a) for f in ("gaussian", "bernoulli") for a in ("glm-ucb", "glb-omd-tuned"))],
)
def test_their_own_confidence_sets_hold_without_corruption(name: str, algorithm: str) -> None:
    p = parameters(catalog.get(name), D, 1.0, 0.05, 0.0)
    world = instance(name, moving=True)[1]
    runs = [rivals.run(algorithm, p, Episode(world, 2000, 1, (i,))) for i in range(40)]
    assert sum(outcome.misses > 0 for outcome in runs) <= stats.binom(40, 0.05).isf(1e-3)
    assert all(outcome.first_informative > 0 for outcome in runs)


def test_what_a_learner_does_not_have_is_not_shown() -> None:
    p, world = instance("gaussian", C=3.0)
    for name, void in (
        ("uniform", {"worst_ratio", "radius", "radius_at", "theta", "H", "corruption", "smallest_weight", "error_at",
                     "weight_at"}),
        ("cw-oful" + SUFFIX, {"worst_ratio", "radius", "radius_at"}), ("cw-oful", set()),
    ):  # fmt: skip
        found = rivals.run(name, replace(p, radius_scale=1e-6), Episode(world, 12, 1), checkpoints=(5, 12))
        numbers = {field.name: getattr(found, field.name) for field in fields(found)[:-1]}
        assert {name for name, value in numbers.items() if np.isnan(value).any()} == void
        assert ((found.misses, found.first_miss, found.first_informative) == (0, 0, 0)) == bool(void)
    assert rivals.run("uniform", p, Episode(world, 12, 1), record=True).record is None


# --- uniform ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moving", [False, True])
def test_uniform_play_pays_the_mean_gap(moving: bool) -> None:
    p, world = instance("poisson", moving=moving)
    rounds = 20_000
    outcome = rivals.run("uniform", p, Episode(world, rounds, 3, (2,)), checkpoints=(100, rounds))
    means = p.family.mu(arms_of(world, rounds) @ world.theta_star)
    gaps = means.max(axis=1, keepdims=True) - means
    spread = math.sqrt(float(gaps.var(axis=1).sum()))
    assert abs(outcome.regret - gaps.mean(axis=1).sum()) < 4 * spread
    assert outcome.optimal_variance == pytest.approx(float(means.max(axis=1).sum()))
    assert (outcome.misses, outcome.discounted) == (0, 0)
    for value in (outcome.worst_ratio, outcome.radius, outcome.corruption, outcome.smallest_weight):
        assert math.isnan(value)
    assert np.isnan(outcome.theta).all()
    assert np.isfinite(outcome.regret_at).all()


def test_learners_beat_uniform_play_in_the_end() -> None:
    p, world = instance("gaussian", moving=True)
    slow = ("weighted-oful-plus", "mor-ucb")  # their radii are hundreds of times the error, and they explore for long
    regrets = {name: rivals.run(name, told(name, p), Episode(world, 5000, 8)).regret for name in NAMES}
    assert all(regrets[name] < (1 if name in slow else 0.2) * regrets["uniform"] for name in ESTIMATING)
