"""The rivals that fit all their data again: reference against engine, special cases, coverage, refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.arrays import Floats
from glbcheck.core.binomial import alarm_threshold
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Agent, Outcome, play
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import ARMS, Blocks, World, changing, piece, sphere, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.rivals import cr_eluder_ucb, gadaoful
from glbcheck.core.theory.parameters import Parameters, parameters
from scipy import integrate, optimize

from tests.oracles.rivals.cr_eluder_ucb import CREluderUCB
from tests.oracles.rivals.gadaoful import GAdaOFUL

Rival: TypeAlias = GAdaOFUL | CREluderUCB
D, K = 3, 5
SEED, KEY = 3, (2,)
ROUNDS = 270


def decades(rng: np.random.Generator, first: int, count: int) -> Floats:
    return np.asarray(10 ** rng.uniform(-1, 1, count))


def world_of(C: float = 0.0, moving: bool = True, g: float | Blocks = 1.0, d: int = D) -> World:
    rng = np.random.default_rng(6)
    theta = 0.8 * sphere(rng, 1, d)[0]
    arms = changing(K, d, 0.999) if moving else 0.999 * sphere(rng, K, d)
    return World(theta, arms, g, adversary.front_loaded(C))


def arms_of(world: World, rounds: int, d: int = D) -> Floats:
    if world.arms_stay:
        return np.broadcast_to(np.asarray(world.arms), (rounds, K, d))
    return piece(world.arms, stream(SEED, KEY, ARMS), 0, rounds)


def recorded(agent: Agent, p: Parameters, episode: Episode) -> tuple[Outcome, dict[str, Floats]]:
    outcome = play(agent, p, episode, (), True)
    assert outcome.record is not None
    return outcome, outcome.record


def huber(p: Parameters, episode: Episode, growth: float = 0.0, **changed: float) -> tuple[GAdaOFUL, Agent]:
    """The reference and the compiled learner, with some constants changed."""
    g = episode.dispersion_range
    T = episode.rounds
    use = gadaoful.published(p, T) if p.use.name == "paper" else gadaoful.derived(p, T, g)
    use = use._replace(**changed)
    slow = GAdaOFUL(
        p.family, p.d, p.S, p.delta, p.C, horizon=episode.rounds, dispersions=g, radius_scale=p.radius_scale
    )
    slow.tuned(use, growth)
    return slow, gadaoful.agent(p, use, episode.rounds, growth)


def eluder(p: Parameters, episode: Episode, growth: float = 0.0, **changed: float) -> tuple[CREluderUCB, Agent]:
    g = episode.dispersion_range
    use = replace(cr_eluder_ucb.constants(p, episode.rounds, g[1]), **changed)
    slow = CREluderUCB(
        p.family, p.d, p.S, p.delta, p.C, horizon=episode.rounds, dispersions=g, radius_scale=p.radius_scale
    )
    slow.tuned(use, growth)
    return slow, cr_eluder_ucb.agent(p, use, episode, growth)


MAKERS: dict[str, Callable[..., tuple[Any, Agent]]] = {
    "gadaoful": huber, "gadaoful, published": huber, "cr-eluder-ucb": eluder,
}  # fmt: skip


# --- the reference and the engine -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rival", "name", "moving", "C", "g", "growth"), [
    ("gadaoful, published", "gaussian", True, 30.0, decades, 0.0),
    ("gadaoful", "gaussian", True, 0.0, decades, 0.0), ("gadaoful", "gaussian", False, 60.0, 1.0, 0.0),
    ("gadaoful", "bernoulli", True, 30.0, 1.0, 0.0), ("gadaoful", "poisson", False, 200.0, 1.0, 0.1),
    ("gadaoful", "gaussian", False, 0.0, 1.0, 0.02),
    ("cr-eluder-ucb", "gaussian", True, 60.0, decades, 0.0), ("cr-eluder-ucb", "gaussian", False, 0.0, 1.0, 0.0),
    ("cr-eluder-ucb", "bernoulli", True, 30.0, 1.0, 0.0), ("cr-eluder-ucb", "bernoulli", False, 30.0, 1.0, 0.1),
])  # fmt: skip
def test_the_engine_plays_the_reference(
    rival: str, name: str, moving: bool, C: float, g: float | Blocks, growth: float
) -> None:
    rounds = min(ROUNDS, 160) if name == "bernoulli" else ROUNDS  # more than one block of a pass
    reading, scale = ("paper", 0.002) if rival.endswith("published") else ("repaired", 0.1)
    # So small a radius that the index has to be solved.
    p = parameters(catalog.get(name), D, 1.0, 0.05, C, reading=reading, radius_scale=scale)
    world = world_of(C, moving, g)
    episode = Episode(world, rounds, SEED, KEY)
    slow, agent = MAKERS[rival](p, episode, growth)
    outcome, rows = recorded(agent, p, episode)
    arms = arms_of(world, rounds)
    for t in range(rounds):
        k = int(rows["arm"][t])
        assert slow.select(arms[t]) == k
        assert slow.radius == pytest.approx(rows["radius"][t], rel=1e-9)
        off = slow.theta - world.theta_star
        assert math.sqrt(off @ slow.H @ off) == pytest.approx(rows["error"][t], rel=1e-9)
        assert slow.weight(arms[t, k], rows["dispersion"][t]) == pytest.approx(rows["weight"][t], rel=1e-9)
        slow.update(arms[t, k], rows["reward"][t] + rows["corruption"][t], rows["dispersion"][t])
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(outcome.H, slow.H, rtol=1e-9, atol=1e-10)


# --- the estimates ----------------------------------------------------------------------------------------------------


def observed(rows: dict[str, Floats], world: World) -> tuple[Floats, Floats]:
    """The arms played and the rewards seen."""
    rounds = len(rows["arm"])
    return arms_of(world, rounds)[np.arange(rounds), rows["arm"].astype(int)], rows["reward"] + rows["corruption"]


def test_gadaoful_with_a_wide_threshold_and_a_linear_link_is_weighted_ridge_regression() -> None:
    p = parameters(catalog.get("gaussian"), D, 1.0, 0.05, 40.0, reading="repaired")
    world = world_of(40.0, g=decades)
    episode = Episode(world, 300, SEED, KEY)
    slow, agent = huber(p, episode, tau_0=1e8)
    outcome, rows = recorded(agent, p, episode)
    X, r = observed(rows, world)
    scale = rows["weight"] / np.maximum(rows["dispersion"], slow.constants.sigma_min**2)  # 1/σ²
    H = slow.constants.lam * np.eye(D) + (X.T * scale) @ X
    ridge = np.linalg.solve(H, X.T @ (scale * r))
    assert np.linalg.norm(ridge) < p.S
    assert scale.max() > 3 * scale.min()
    np.testing.assert_allclose(outcome.theta, ridge, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(outcome.H, H, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("C", [0.0, 500.0])
def test_cr_eluder_ucb_with_a_linear_link_is_weighted_ridge_regression(C: float) -> None:
    p, world = parameters(catalog.get("gaussian"), D, 2.0, 0.05, C), world_of(C)
    episode = Episode(replace(world, attack=adversary.NO_ATTACK), 300, SEED, KEY)
    slow, agent = eluder(p, episode)
    outcome, rows = recorded(agent, p, episode)
    X, r = observed(rows, world)
    w = rows["weight"]
    assert (w.min() == 1.0) == (C == 0.0)
    ridge = np.linalg.solve(slow.constants.ridge * np.eye(D) + (X.T * w) @ X, X.T @ (w * r))
    assert np.linalg.norm(ridge) < p.S
    np.testing.assert_allclose(outcome.theta, ridge, rtol=1e-9)
    np.testing.assert_allclose(outcome.H, slow.constants.H_1 * np.eye(D) + (X.T * w) @ X, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["bernoulli", "poisson"])
def test_gadaoful_minimises_the_integral_over_the_ball(name: str) -> None:
    family, rng = catalog.get(name), np.random.default_rng(1)
    slow = GAdaOFUL(family, 2, 1.0, horizon=40, constants="derived")
    for x in sphere(rng, 12, 2):
        slow.update(x, float(rng.normal(0, 30)))
    rows, use = slow._rows, slow.constants

    def loss(theta: Floats) -> float:
        total = use.lam / use.kappa / 2 * theta @ theta
        for x, r, sigma, inverse_tau in rows:
            u = np.linspace(0, x @ theta, 201)
            z = (r - family.mu(u)) / sigma
            total -= integrate.simpson(z / np.sqrt(1 + (z * inverse_tau) ** 2), x=u) / sigma
        return float(total)

    ball = optimize.NonlinearConstraint(lambda th: th @ th, -np.inf, 1.0)
    best = optimize.minimize(loss, np.full(2, 0.1), method="SLSQP", constraints=[ball], options={"ftol": 1e-13})
    np.testing.assert_allclose(slow.theta, best.x, atol=1e-5)


def test_the_descent_of_cr_eluder_ucb_finds_the_global_minimum_although_the_loss_is_not_convex() -> None:
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        slow = CREluderUCB(catalog.get("bernoulli"), 2, 3.0, horizon=100)
        for x in sphere(rng, 25, 2):
            slow.update(x, float(rng.random() < 0.5))
        side = np.linspace(-3, 3, 25)
        grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        grid = grid[np.linalg.norm(grid, axis=1) <= 3]
        values = np.array([slow.loss(theta) for theta in grid])
        assert slow.loss(slow.theta) <= values.min() + 1e-9
        steps = np.diff(np.array([slow.loss(t * grid[values.argmax()]) for t in np.linspace(-1, 1, 201)]), 2)
        found.append(steps.min() < 0)
    assert any(found)  # somewhere the loss bends down


# --- the uncertainty --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_the_uncertainty_is_bounded_and_exact_for_a_linear_link(name: str) -> None:
    family, rng = catalog.get(name), np.random.default_rng(4)
    slow = CREluderUCB(family, D, 1.0, C=200.0, horizon=500)
    for x in sphere(rng, 40, D):
        slow.update(x, float(rng.random()))
    X, w = np.array([row[0] for row in slow._rows]), np.array([row[2] for row in slow._rows])
    x = sphere(rng, 1, D)[0]

    def uncertainty(pair: Floats) -> float:
        means = [family.mu(np.append(X, [x], axis=0) @ theta) for theta in np.split(pair, 2)]
        apart = means[0] - means[1]
        return float(abs(apart[-1]) / math.sqrt(slow.constants.lam + w @ apart[:-1] ** 2))

    u = np.linalg.solve(slow.H, x)
    u /= np.linalg.norm(u)
    aligned = uncertainty(np.concatenate([u, -u]))
    others = [uncertainty(np.concatenate(list(sphere(rng, 2, D)))) for _ in range(300)]
    assert max(others) <= slow.uncertainty(x)
    if name == "gaussian":
        assert aligned == pytest.approx(slow.uncertainty(x), rel=1e-9)
    else:
        assert 0.02 * slow.uncertainty(x) < aligned < slow.uncertainty(x)
    assert slow.weight(x) == pytest.approx(min(1, slow.constants.alpha / slow.uncertainty(x)))


# --- constants --------------------------------------------------------------------------------------------------------


def test_the_derived_numbers_are_the_suprema_they_stand_for() -> None:
    y = np.linspace(1e-4, 50, 1_000_001)
    assert ((1 - 1 / np.sqrt(1 + y**2)) / y).max() == pytest.approx(gadaoful.BIAS, rel=1e-9)
    assert (3 * y * (1 + y**2) ** -2.5).max() == pytest.approx(gadaoful.STEEPEST, rel=1e-8)
    below = np.linspace(-30, 2, 100_001)
    assert (np.exp(below) <= (1 + below + gadaoful.BENNETT * below**2) * (1 + 1e-12)).all()


@pytest.mark.parametrize("horizon", [1, 300, 10**6])
@pytest.mark.parametrize("d", [1, 40, 3000])
@pytest.mark.parametrize(("S", "C", "delta"), [(0.1, 1e4, 0.999), (3.0, 1e4, 1e-6), (1.0, 10.0, 0.05)])
def test_gadaoful_keeps_nearly_half_of_the_curvature_and_its_published_radius_is_confirmed(
    horizon: int, d: int, S: float, C: float, delta: float
) -> None:
    for name in ("gaussian", "bernoulli", "poisson"):
        p = parameters(catalog.get(name), d, S, delta, C)
        use = gadaoful.derived(p, horizon, (0.01, 100.0) if name == "gaussian" else (1.0, 1.0))
        keeps = gadaoful.kept(p, use)
        assert 0.49 < keeps < 1
        most = d * math.log1p(horizon / (d * use.lam * use.sigma_min**2))
        base, slope = gadaoful.noise(math.log(2 / delta), most, use.tau_0)
        B, rate = math.sqrt(base + slope * most), math.log(2 / delta) / base
        assert rate * (2 * use.tau_0 * B + use.tau_0**2) <= 2 * (1 + 1e-12)  # no larger than what the rate assumes
        assert rate <= 1 / (8 * gadaoful.BENNETT) * (1 + 1e-12)
        printed = gadaoful.published(p, horizon)
        most = d * math.log1p(horizon / (d * printed.lam * printed.sigma_min**2))
        ours = gadaoful.proved(p, printed)
        for t in {1, horizon}:
            assert gadaoful.radius(printed, 0.0, t) > 15 * gadaoful.radius(
                ours, min(most, t * math.log1p(printed.m_0**2)), t
            )


def test_the_bounded_score_keeps_the_gradient_small_where_rare_large_noise_does_not() -> None:
    runs, T, rare, delta = 8000, 100, 1 / 16_000, 1e-3
    use = gadaoful.derived(parameters(catalog.get("gaussian"), 1, 1.0, delta, 0.0), T, (1.0, 1.0))
    rng = np.random.default_rng(0)
    noise = (rng.random((runs, T)) < rare) * rng.choice([-1, 1], (runs, T)) / math.sqrt(rare)  # of variance 1
    H = use.lam + np.arange(1, T + 1)  # x = 1 and σ = 1 in every round
    base, slope = gadaoful.noise(math.log(2 / delta), math.log1p(T / use.lam), use.tau_0)
    bound = base + slope * np.log(H / use.lam)
    score = noise / np.sqrt(1 + noise**2 / (use.tau_0**2 * H))  # 1/τ² = q/τ_0² with q = 1/H
    alarm = alarm_threshold(runs, Fraction(1, 2000), Fraction(1, 10**6))  # half of δ is spent on this
    missed = [int(((np.cumsum(eta, axis=1) ** 2 / H) > bound).any(axis=1).sum()) for eta in (score, noise)]
    assert missed[0] < alarm <= missed[1]


# --- coverage ---------------------------------------------------------------------------------------------------------

RUNS, DELTA = 12, 0.05
ALARM = alarm_threshold(RUNS, Fraction(1, 20), Fraction(1, 10**6))  # seen so often, a miss is no accident
MIRROR = World(np.array([0.99, 0.0]), np.eye(2)[:1], attack=adversary.mirror(1000.0))


def misses(maker: Callable[..., tuple[Any, Agent]], p: Parameters, world: World, T: int, **changed: float) -> int:
    runs = [Episode(world, T, 1, (i,)) for i in range(RUNS)]
    return sum(play(maker(p, episode, **changed)[1], p, episode).misses > 0 for episode in runs)


@pytest.mark.parametrize(
    ("rival", "name"),
    [("gadaoful, published", "gaussian"), ("gadaoful", "gaussian"), ("gadaoful", "bernoulli"), ("gadaoful", "poisson"),
     ("cr-eluder-ucb", "gaussian"), ("cr-eluder-ucb", "bernoulli")],
)  # fmt: skip
def test_their_confidence_sets_hold_and_shrunken_ones_are_caught(rival: str, name: str) -> None:
    world = world_of(20.0, moving=False, d=2)
    reading, scale = ("paper", 2e-4) if rival.endswith("published") else ("repaired", 0.02)
    p = parameters(catalog.get(name), 2, 1.0, DELTA, 20.0, reading=reading)
    assert misses(MAKERS[rival], p, world, 200) < ALARM
    small = replace(p, radius_scale=scale)
    assert misses(MAKERS[rival], small, world, 200) >= ALARM


def test_gadaoful_with_the_constants_of_its_public_code_misses_the_truth() -> None:
    def cube(rng: np.random.Generator, first: int, count: int) -> Floats:
        return np.asarray(rng.uniform(-1, 1, (count, 20, 10)) / math.sqrt(10))

    p = parameters(catalog.get("gaussian"), 10, 1.0, DELTA, 0.0, reading="repaired")
    world = World(np.full(10, 0.999 / math.sqrt(10)), cube)  # the instances of that code
    by_hand = {"tau_0": 1.0, "m_0": 1.0, "lam": 0.1, "base": 0.0, "slope": 0.0, "widening": 1.0}
    assert misses(huber, p, world, 500, **by_hand) >= ALARM
    assert misses(huber, p, world, 500) < ALARM


@pytest.mark.parametrize(("rival", "without"), [
    ("gadaoful", {"widening": 10.0, "alpha": 1e-3}), ("cr-eluder-ucb", {"C": 0.0, "alpha": math.inf}),
])  # fmt: skip
def test_without_weights_an_attack_is_caught(rival: str, without: dict[str, float]) -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, DELTA, 1000.0, reading="repaired")
    assert misses(MAKERS[rival], p, MIRROR, 500) < ALARM
    assert misses(MAKERS[rival], p, MIRROR, 500, **without) >= ALARM


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rival", [GAdaOFUL, CREluderUCB])
def test_what_they_cannot_answer_is_refused(rival: type[Rival]) -> None:
    family = catalog.get("gaussian")
    with pytest.raises(BadInput, match=r"dispersions = \(2\.0, 1\.0\)"):
        rival(family, 2, 1.0, horizon=10, dispersions=(2.0, 1.0))
    if rival is GAdaOFUL:
        with pytest.raises(BadInput, match="constants = 'mine'"):
            GAdaOFUL(family, 2, 1.0, horizon=10, constants="mine")  # type: ignore[arg-type]
    learner = rival(family, 2, 1.0, horizon=1)
    with pytest.raises(BadInput, match="arms"):
        learner.select([[2.0, 0.0]])
    with pytest.raises(BadInput, match="reward"):
        learner.update([1.0, 0.0], math.nan)
    learner.update([1.0, 0.0], 0.5)
    with pytest.raises(BadInput, match=r"round = 2 .* the 1 rounds"):
        learner.update([1.0, 0.0], 0.5)


@pytest.mark.parametrize("name", ["poisson", "skellam"])
def test_cr_eluder_ucb_refuses_noise_that_is_not_sub_gaussian(name: str) -> None:
    family, S = catalog.get(name), 0.5
    with pytest.raises(BadInput, match=f"cr-eluder-ucb.*sub-Gaussian.*{name}"):
        CREluderUCB(family, 2, S, horizon=10)
    with pytest.raises(BadInput, match="sub-Gaussian"):
        rivals.check("cr-eluder-ucb", parameters(family, 2, S, 0.05, 0.0))
    GAdaOFUL(family, 2, S, horizon=10)


def test_cr_eluder_ucb_refuses_noisier_rewards_than_it_was_promised() -> None:
    learner = CREluderUCB(catalog.get("gaussian"), 2, 1.0, horizon=10, dispersions=(0.1, 2.0))
    learner.update([1.0, 0.0], 0.5, 2.0)
    with pytest.raises(BadInput, match=r"dispersion = 2\.5 .*from 0 to 2"):
        learner.update([1.0, 0.0], 0.5, 2.5)


def test_a_round_that_teaches_nothing_still_counts_in_the_radius() -> None:
    learner = GAdaOFUL(catalog.get("gaussian"), 2, 1.0, horizon=3)
    for _ in range(3):
        learner.update([0.0, 0.0], 0.5)
    assert learner.radius == pytest.approx(gadaoful.radius(learner.constants, 0.0, 3))
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0)
    assert rivals.run("gadaoful", p, Episode(World(np.zeros(2), np.zeros((1, 2))), 3, 1)).radius == learner.radius


@pytest.mark.parametrize("name", ["gadaoful", "cr-eluder-ucb"])
@pytest.mark.parametrize("rounds", [20_000, 20_001])
def test_long_runs_fit_again_only_when_H_has_changed(name: str, rounds: int) -> None:
    p, world = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0), world_of(moving=False, d=2)
    agents = [rivals.ALGORITHMS[name].start(p, Episode(world, rounds, 1)) for _ in range(4)]
    fitted = [play(agent, p, Episode(world, 300 + n, 1)).H.tobytes() for n, agent in enumerate(agents)]
    assert (len(set(fitted)) == len(agents)) == (rounds == 20_000)
