"""OFUL, CW-OFUL, WeightedOFUL+, GLB-OMD and MOR-UCB: references and engine agree, and each is what its source says."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog, rivals
from glbcheck.core.arrays import Floats
from glbcheck.core.binomial import at_least
from glbcheck.core.bracket import Constant
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import ARMS, World, basis, changing, piece, sphere, stream
from glbcheck.core.errors import BadInput
from glbcheck.core.rivals import algorithm, likelihood, linear
from glbcheck.core.rivals import mirror_descent as glb_omd
from glbcheck.core.theory import link_constants
from glbcheck.core.theory.parameters import Parameters, parameters
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.oracles.rivals.cr_eluder_ucb import CREluderUCB
from tests.oracles.rivals.cw_oful import CWOFUL
from tests.oracles.rivals.gadaoful import GAdaOFUL
from tests.oracles.rivals.glb_omd import GLBOMD
from tests.oracles.rivals.mor_ucb import MORUCB
from tests.oracles.rivals.oful import OFUL
from tests.oracles.rivals.weighted_oful_plus import WeightedOFULPlus

D, K, T, SCALE = 3, 5, 150, 0.02
Make = Callable[[Parameters, tuple[float, float]], Any]

REFERENCES: dict[str, Make] = {
    "oful": lambda p, g: OFUL(p.family, p.d, p.S, p.delta, dispersions=g, radius_scale=p.radius_scale),
    "cw-oful": lambda p, g: CWOFUL(p.family, p.d, p.S, p.delta, p.C, dispersions=g, radius_scale=p.radius_scale),
    "weighted-oful-plus": lambda p, g: WeightedOFULPlus(
        p.family, p.d, p.S, p.delta, horizon=T, dispersions=g, radius_scale=p.radius_scale
    ),
    "glb-omd": lambda p, g: GLBOMD(p.family, p.d, p.S, p.delta, dispersion=g[0], radius_scale=p.radius_scale),
    "mor-ucb": lambda p, g: MORUCB(
        p.family, p.d, p.S, p.delta, horizon=T, dispersions=g, radius_scale=p.radius_scale
    ),
}  # fmt: skip


def decades(family: str) -> float | Floats:
    """Dispersions over decades where the family has them."""
    rng = np.random.default_rng(1)
    if family == "gaussian":
        return np.asarray(10 ** rng.uniform(-2, 1, T))
    return 1.0 / rng.integers(1, 60, T) if family == "binomial_proportion" else 1.0


def recorded(
    name: str, family: str, moving: bool, g: float | Floats, C: float = 0.0
) -> tuple[Parameters, World, Floats, Outcome]:
    """A recorded run with radii small enough for choices to depend on the estimate, and the arms of its rounds."""
    rng = np.random.default_rng(6)
    p = parameters(catalog.get(family), D, 1.0, 0.05, C, radius_scale=SCALE)
    arms = changing(K, D, 0.999) if moving else 0.999 * sphere(rng, K, D)
    world = World(0.8 * sphere(rng, 1, D)[0], arms, g, adversary.front_loaded(C))
    shown = piece(arms, stream(3, (2,), ARMS), 0, T) if moving else np.broadcast_to(np.asarray(arms), (T, K, D))
    return p, world, shown, rivals.run(name, p, Episode(world, T, 3, (2,)), record=True)


# --- the reference and the engine ---------------------------------------------------------------------------


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize(("name", "family", "C"), [
    ("oful", "gaussian", 30.0), ("cw-oful", "gaussian", 0.0), ("cw-oful", "gaussian", 30.0),
    ("weighted-oful-plus", "gaussian", 0.0), ("glb-omd", "gaussian", 0.0), ("glb-omd", "bernoulli", 30.0),
    ("glb-omd", "poisson", 0.0), ("mor-ucb", "gaussian", 0.0), ("mor-ucb", "bernoulli", 30.0),
    ("mor-ucb", "binomial_proportion", 0.0), ("mor-ucb", "binomial", 0.0),
])  # fmt: skip
def test_the_engine_plays_the_reference(name: str, family: str, C: float, moving: bool) -> None:
    g = 1.0 if name == "glb-omd" else decades(family)
    p, _, arms, outcome = recorded(name, family, moving, g, C)
    rows, each = outcome.record, np.broadcast_to(g, T)
    assert rows is not None
    slow = REFERENCES[name](p, (float(each.min()), float(each.max())))
    for t in range(T):
        k = int(rows["arm"][t])
        assert slow.select(arms[t]) == k
        assert slow.radius == pytest.approx(rows["radius"][t], rel=1e-9)
        assert slow.weight(arms[t, k], each[t]) == pytest.approx(rows["weight"][t], rel=1e-9)
        slow.update(arms[t, k], rows["reward"][t] + rows["corruption"][t], each[t])
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(outcome.H, slow.H, rtol=1e-9, atol=1e-9)
    assert outcome.radius == pytest.approx(slow.radius, rel=1e-9)
    assert not moving or len(np.unique(rows["arm"])) > 1


# --- the constants of the sources ---------------------------------------------------------------------------


def test_radii_and_weights_are_the_published_ones() -> None:
    assert linear.threshold(4.0, 9, 5.0) == pytest.approx(2 * 3 / 5)
    c = linear.Constants(d=3, alpha=0.1, gamma=1.5, lam=0.75, S=2.0, R=4.0, delta=0.05)
    ell = math.log(32 * (math.log(22.5) + 1) * 49 / 0.05)
    root = math.sqrt(3 * math.log(1 + 7 / (0.01 * 3 * 0.75)) * ell)
    assert linear.radius(c, 7) == pytest.approx(12 * root + 30 * ell * 4 / 2.25 + math.sqrt(3))
    plus = WeightedOFULPlus(catalog.get("gaussian"), 3, 2.0, horizon=100, dispersions=(0.5, 1.0))
    a, gamma = plus.constants.alpha, plus.constants.gamma
    x = np.array([0.0, 0.6, 0.0])
    lengths = max(math.sqrt(0.5), a, gamma * math.sqrt(0.6 / math.sqrt(0.75)))
    assert plus.deviation(x, 0.5) == pytest.approx(lengths)
    R, left = algorithm.noise_bound(catalog.get("gaussian"), 1.0, 100, 0.05)
    assert plus.constants == pytest.approx((3, R / 10, math.sqrt(R) / 3**0.25, 0.75, 2.0, R, left))


def test_glb_omd_divides_by_the_dispersion_of_its_rewards() -> None:
    slow = GLBOMD(catalog.get("gaussian"), 1, 1.0, 0.05, dispersion=0.25)
    assert slow.constants == (0.0, 1.0, 0.25)
    slow.update([0.5], 0.1)
    assert slow.H.tolist() == [[0.25 + 0.25 / 0.25]]
    assert slow.theta == pytest.approx([0.1 * 0.5 / 0.25 / 1.25])
    assert slow.radius == pytest.approx(glb_omd.FORMULAS.beta(1, 1.0, 0.05, 1.0, 0.25, 1.0, 1 / 0.25))


def test_the_published_bernstein_bound_has_its_two_terms() -> None:
    expected = 8 * 0.5 * math.sqrt(3 * math.log(8) * 4) + 4 * 2 * 4
    assert algorithm.length_bound(3, 0.5, 2.0, 7.0, 4.0) == pytest.approx(expected)


def test_a_family_whose_constant_cannot_be_enclosed_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = Constant(None, math.inf, math.inf, "not enclosed")
    monkeypatch.setattr(link_constants, "whole_line", lambda family: unknown)
    with pytest.raises(BadInput, match=r"^algorithm = 'it' .* on the whole line"):
        algorithm.whole_line_concordance("it", catalog.get("poisson"))


@pytest.mark.parametrize(("family", "R", "lam"), [
    ("bernoulli", 1.0, 14 * D * 2), ("poisson", 1.0, 14 * D * 2), ("gaussian", 0.0, D / 4), ("rademacher", 2.0, 504.0),
])  # fmt: skip
def test_glb_omd_has_the_step_and_the_ridge_of_its_theorem(family: str, R: float, lam: float) -> None:
    slow = GLBOMD(catalog.get(family), D, 1.0, 0.05)
    assert slow.constants == pytest.approx((R, 1 + R, lam))
    slow.rounds, eta = 7, 1 + R
    growth = D * math.log(1 + 7 * slow.L_mu / lam)
    assert slow.radius**2 == pytest.approx(4 * lam + 2 * eta * math.log(20) + (6 * eta**2 + eta) * growth)


@given(st.integers(1, 50), st.integers(1, 10**7), st.floats(1e-6, 1.0), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_published_bernstein_radii_are_above_the_derived_one(d: int, n: int, delta: float, M: float, D_: float) -> None:
    a, b = 2 + math.sqrt(7), (2 + math.sqrt(19)) / 3  # docs/rivals.md
    assert (a * (a - 4), b * (b - 4 / 3)) == pytest.approx((3, 5 / 3))
    level = math.log(4 * n * n / delta)
    derived = a * math.sqrt(d * math.log1p(D_) * level) + b * M * level
    assert algorithm.length_bound(d, 1.0, M, D_, level) >= derived
    c = linear.Constants(d=d, alpha=1.0, gamma=M**-0.5, lam=n / (d * D_), S=1.0, R=1.0, delta=delta)
    assert linear.radius(c, n) >= derived


@given(st.integers(0, 10**6))
def test_the_square_of_the_length_grows_as_the_derivation_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((3, 3))
    Z, s, x, noise = (
        A @ A.T + 0.1 * np.eye(3),
        rng.standard_normal(3),
        rng.standard_normal(3),
        3 * rng.standard_normal(),
    )
    w2, cross = x @ np.linalg.solve(Z, x), x @ np.linalg.solve(Z, s)
    after = s + noise * x
    grown = after @ np.linalg.solve(Z + np.outer(x, x), after) - s @ np.linalg.solve(Z, s)
    assert grown <= (2 * noise * cross + noise**2 * w2) / (1 + w2) + 1e-9


# --- special cases ------------------------------------------------------------------------------------------


def test_cw_oful_without_corruption_is_oful() -> None:
    p = parameters(catalog.get("gaussian"), D, 1.0, 0.05, 0.0, radius_form="determinant")
    world = World(np.array([0.5, 0.0, 0.0]), changing(K, D, 0.9), decades("gaussian"))
    one, other = (rivals.run(name, p, Episode(world, T, 1), record=True) for name in ("oful", "cw-oful"))
    assert (one.regret, one.radius, one.worst_ratio) == (other.regret, other.radius, other.worst_ratio)
    np.testing.assert_array_equal(one.theta, other.theta)
    np.testing.assert_array_equal(one.H, other.H)


@pytest.mark.parametrize("name", ["oful", "cw-oful", "glm-ucb", "weighted-oful-plus", "glb-omd", "mor-ucb"])
def test_they_keep_their_radius_whatever_constants_our_learner_runs_with(name: str) -> None:
    radii = []
    for reading in ("paper", "sharpest"):
        p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 9.0, reading=reading, radius_form=None)
        world = World(np.zeros(2), basis(2))
        radii.append(rivals.run(name, p, Episode(world, 1, 1), record=True).record["radius"][0])  # type: ignore[index]
    assert radii[0] == pytest.approx(radii[1])  # before the first round the determinant is its bound


def test_mor_ucb_with_one_layer_and_a_linear_link_is_ridge_regression() -> None:
    S = 20.0  # the ball does not bind
    p = parameters(catalog.get("gaussian"), D, S, 0.05, 0.0)
    world = World(np.array([0.5, 0.0, 0.0]), basis(D))
    outcome = rivals.run("mor-ucb", p, Episode(world, T, 1), record=True)
    slow = MORUCB(p.family, D, S, 0.05, horizon=T)
    assert len(slow.layers) == 1
    rows, (layer,) = outcome.record, slow.layers.values()
    assert rows is not None
    X = basis(D)[rows["arm"].astype(int)]
    H = layer.lam * np.eye(D) + X.T @ X
    np.testing.assert_allclose(outcome.H, H, rtol=1e-12)
    np.testing.assert_allclose(outcome.theta, np.linalg.solve(H, X.T @ rows["reward"]), rtol=1e-9)


def test_every_layer_of_mor_ucb_is_at_its_optimum_and_holds_its_own_variances() -> None:
    p, _, arms, outcome = recorded("mor-ucb", "binomial_proportion", True, decades("binomial_proportion"))
    g, rows = np.asarray(decades("binomial_proportion")), outcome.record
    assert rows is not None
    slow = REFERENCES["mor-ucb"](p, (float(g.min()), float(g.max())))
    for t in range(T):
        slow.update(arms[t, int(rows["arm"][t])], rows["reward"][t], g[t])
    c = slow.constants
    assert len(slow.layers) > 2
    assert sum(len(layer.rewards) for layer in slow.layers.values()) == T
    for number, layer in slow.layers.items():
        X, r = np.array(layer.points), np.array(layer.rewards)
        slope = X.T @ (p.family.mu(X @ layer.theta) - r) + layer.lam * layer.theta
        inward = -slope @ layer.theta / p.S**2 if np.linalg.norm(layer.theta) > p.S * (1 - 1e-12) else 0.0
        assert inward >= 0
        np.testing.assert_allclose(slope + inward * layer.theta, 0, atol=1e-9)
        of_layer = g[[likelihood.layer_of(c, each) == number for each in g]] * c.L_mu
        assert len(of_layer) == len(r)
        assert (of_layer <= likelihood.top_of(c, number)).all()
        assert (of_layer > likelihood.top_of(c, number + 1)).all() or number == c.layers - 1
    assert (g * c.L_mu > likelihood.top_of(c, max(slow.layers))).any()  # one layer for all would break its premise


# --- what they refuse ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "family", "words"), [
    ("oful", "bernoulli", r"oful.*bernoulli"), ("cw-oful", "poisson", r"cw-oful.*poisson"),
    ("weighted-oful-plus", "bernoulli", r"weighted-oful-plus.*link"), ("mor-ucb", "poisson", r"bounded.*poisson"),
    ("mor-ucb", "negative_binomial", "bounded"), ("glb-omd", "gamma", "whole line"),
])  # fmt: skip
def test_a_family_outside_the_hypotheses_is_refused_by_engine_and_reference(name: str, family: str, words: str) -> None:
    chosen = catalog.get(family)
    if family in ("gamma", "negative_binomial"):
        chosen = chosen.tilted(3)
    p = parameters(chosen, D, 1.0, 0.05, 0.0)
    with pytest.raises(BadInput, match=words):
        rivals.check(name, p)
    with pytest.raises(BadInput, match=words):
        REFERENCES[name](p, (1.0, 1.0))


def test_glb_omd_needs_one_dispersion() -> None:
    p = parameters(catalog.get("gaussian"), D, 1.0, 0.05, 0.0)
    with pytest.raises(BadInput, match="dispersion"):
        rivals.run("glb-omd", p, Episode(World(np.zeros(D), basis(D), np.linspace(0.5, 1, T)), T, 1))
    with pytest.raises(BadInput, match="dispersion"):
        GLBOMD(p.family, D, 1.0).update(np.zeros(D), 0.0, 0.5)
    rivals.run("glb-omd-tuned", p, Episode(World(np.zeros(D), basis(D), np.linspace(0.5, 1, T)), T, 1))


def test_no_family_has_a_linear_link_and_bounded_rewards_so_normal_noise_is_bounded_with_high_probability() -> None:
    bounded = {n for n in catalog.NAMES if algorithm.has_bounded_rewards(catalog.get(n))}
    assert bounded == {
        "bernoulli", "binomial", "binomial_proportion", "continuous_bernoulli", "rademacher", "truncated_poisson",
        "uniform", "von_mises",
    }  # fmt: skip
    assert algorithm.has_linear_link(catalog.get("gaussian"))
    assert not any(algorithm.has_linear_link(catalog.get(n)) for n in bounded - {"truncated_poisson", "von_mises"})
    R, left = algorithm.noise_bound(catalog.get("gaussian"), 2.5, 1000, 0.1)
    assert 1000 * 2 * stats.norm.sf(R / math.sqrt(2.5)) <= 0.05 == left
    assert algorithm.noise_bound(catalog.get("rademacher"), 1.0, 1000, 0.1) == (2.0, 0.1)


# --- their confidence sets ----------------------------------------------------------------------------------

RUNS, DELTA = 50, 0.2


def surprise(name: str, family: str, scale: float) -> Fraction:
    """The probability of as many runs that miss θ_* = 0 as there were, did each miss it with probability δ."""
    p = parameters(catalog.get(family), 2, 1.0, DELTA, 0.0, radius_scale=scale)
    world = World(np.zeros(2), basis(2))
    missed = sum(rivals.run(name, p, Episode(world, T, 5, (i,))).misses > 0 for i in range(RUNS))
    return at_least(RUNS, missed, Fraction(1, 5))


@pytest.mark.parametrize(("name", "family", "broken"), [
    ("oful", "gaussian", 1 / 2), ("cw-oful", "gaussian", 1 / 2), ("glb-omd", "gaussian", 1 / 4),
    ("glb-omd", "bernoulli", 1 / 16), ("weighted-oful-plus", "gaussian", 1 / 500), ("mor-ucb", "gaussian", 1 / 150),
    ("mor-ucb", "bernoulli", 1 / 150),
])  # fmt: skip
def test_their_sets_hold_and_a_fraction_of_the_radius_is_noticed(name: str, family: str, broken: float) -> None:
    """How small the fraction must be says how much larger than necessary the published radius is."""
    assert surprise(name, family, 1.0) > Fraction(1, 1000)
    assert surprise(name, family, broken) < Fraction(1, 1000)


def test_cw_oful_without_its_weights_is_fooled() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, DELTA, 1000.0)
    attack = adversary.paced(1000.0, 2000, (0, 1), 1000.0, "mirror")
    world = World(np.array([0.99, 0.0]), np.eye(2)[:1], attack=attack)
    missed = {name: rivals.run(name, p, Episode(world, 2000, 1)).misses > 0 for name in ("oful", "cw-oful")}
    assert missed == {"oful": True, "cw-oful": False}


@pytest.mark.parametrize("weighs", [True, False])
def test_the_weights_of_weighted_oful_plus_keep_the_noise_as_small_as_its_radius_assumes(weighs: bool) -> None:
    """|ε| ‖x‖/σ̄² <= R/γ² and σ̄ >= max(σ, α) in every round; with 1/σ² for a weight the first fails."""
    p, world, arms, outcome = recorded("weighted-oful-plus", "gaussian", True, g := np.full(T, 1e-4))
    rows = outcome.record
    assert rows is not None
    plus = REFERENCES["weighted-oful-plus"](p, (1e-4, 1e-4))
    plus.constants = c = plus.constants if weighs else plus.constants._replace(gamma=1e-9)
    gamma = linear.constants(p.family, D, 1.0, 0.05, 1e-4, T).gamma
    largest = 0.0
    for t in range(T):
        x = arms[t, int(rows["arm"][t])]
        bar = plus.deviation(x, g[t])
        assert bar >= max(math.sqrt(g[t]), c.alpha)
        noise = abs(rows["reward"][t] - x @ world.theta_star)
        assert noise <= c.R
        largest = max(largest, c.R * plus._ridge.length(x) / bar**2)
        plus.update(x, rows["reward"][t], g[t])
    assert (largest <= c.R / gamma**2 * (1 + 1e-12)) == weighs


ALL = (OFUL, CWOFUL, WeightedOFULPlus, MORUCB, CREluderUCB, GAdaOFUL)


@pytest.mark.parametrize("rival", ALL)
def test_dispersions_and_rounds_beyond_those_stated_are_refused(rival: Any) -> None:
    made_for = {} if rival in (OFUL, CWOFUL) else {"horizon": 2}
    learner = rival(catalog.get("gaussian"), 2, 1.0, dispersions=(0.5, 2.0), **made_for)
    for _ in range(2):
        learner.update([1.0, 0.0], 0.3, 2.0)
    with pytest.raises(BadInput, match="dispersion"):
        rival(catalog.get("gaussian"), 2, 1.0, dispersions=(0.5, 2.0), **made_for).update([1.0, 0.0], 0.3, 100.0)
    if made_for:
        with pytest.raises(BadInput, match="round"):
            learner.update([1.0, 0.0], 0.3, 2.0)
