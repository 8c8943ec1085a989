"""The compiled engine does what the reference does, on every family, and survives hostile worlds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm.reference import ReferenceLearner, first_state
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import Blocks, World, decades, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import Index, Parameters, RadiusForm, parameters

ROUNDS = 5000  # several blocks, and many a square root made anew


# --- the same actions, the same state -----------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One configuration; `scale` below 1 shrinks the radius so that the arms are not all alike for ever."""

    family: str
    S: float
    d: int
    tilt: int = 0
    g: str = "1"
    C: float = 0.0
    attack: str = "none"
    index: Index = "closed-form"
    radius_form: RadiusForm = "sum"
    scale: float = 1.0
    arms: str = "fixed"
    alpha: float | None = None

    def __str__(self) -> str:
        words = (f"d{self.d}", f"g:{self.g}", f"{self.attack}{self.C:g}", self.index, self.radius_form)
        return "-".join((self.family, *words, self.arms))

    def parameters(self) -> Parameters:
        family = catalog.get(self.family)
        return parameters(
            family.tilted(self.tilt) if self.tilt else family, self.d, self.S, 0.05, self.C, self.alpha,
            index=self.index, radius_form=self.radius_form, radius_scale=self.scale,
        )  # fmt: skip


G: dict[str, float | Blocks] = {
    "1": 1.0,
    "decades": decades(0.01, 10.0),
    "spikes": lambda rng, first, count: np.where(np.arange(first, first + count) % 50 == 0, 20.0, 0.05),
    "1/n": lambda rng, first, count: 1 / rng.integers(1, 9, count),
}
EASY = [
    Case("gaussian", 2.0, 3, g="decades"), Case("bernoulli", 3.0, 5),
    Case("binomial", 1.5, 2, C=30.0, attack="mirror"), Case("binomial_proportion", 2.0, 4, g="1/n"),
    Case("poisson", 1.5, 3), Case("scaled_poisson", 1.0, 4, g="decades"), Case("negative_binomial", 1.0, 2, tilt=2),
    Case("geometric", 1.0, 3, tilt=2), Case("exponential", 1.0, 4, tilt=2, C=20.0, attack="front_loaded"),
    Case("gamma", 1.0, 2, tilt=2, g="spikes"), Case("inverse_gaussian", 1.0, 3, tilt=2, g="decades"),
    Case("von_mises", 2.0, 5), Case("uniform", 3.0, 1), Case("continuous_bernoulli", 3.0, 2),
    Case("rademacher", 1.0, 6, C=50.0, attack="late"), Case("skellam", 1.0, 3, g="spikes"),
    Case("zero_truncated_poisson", 1.0, 4), Case("truncated_poisson", 1.0, 2), Case("hyperbolic_secant", 1.0, 3),
]  # fmt: skip
FORMS: tuple[RadiusForm, RadiusForm] = ("determinant", "sum")
HARD = [
    replace(case, C=max(case.C, 40.0), attack=("spread", "low_weight", "mirror")[i % 3], arms="iid",
            radius_form=FORMS[i % 2], scale=0.05, d=case.d + i % 3, alpha=0.002 if i % 3 == 1 else None)
    for i, case in enumerate(EASY[:14])
]  # fmt: skip
HARD.append(Case("gaussian", 0.2, 3, g="decades", arms="iid"))  # the noise throws θ out of the ball
EXACT = [
    replace(EASY[1], index="exact", scale=0.3, S=1.0),
    replace(EASY[0], index="exact", scale=0.1, C=100.0, attack="mirror"),
    replace(EASY[4], index="exact", scale=0.1, arms="iid", d=2),
    replace(EASY[0], index="exact", scale=0.02, g="spikes", d=8, arms="iid"),
]


def exact_sum(corruptions: Floats) -> Fraction:
    return sum((abs(Fraction(float(c))) for c in corruptions), Fraction(0))


def world(case: Case, rng: np.random.Generator) -> World:
    direction = sphere(rng, 1, case.d)[0]
    arms = 0.999 * sphere(rng, 8, case.d) * rng.uniform(0.3, 1, (8, 1))
    moving = sphere(rng, ROUNDS * 6, case.d).reshape(ROUNDS, 6, case.d) * 0.9
    opponent = adversary.NO_ATTACK
    if case.attack != "none":
        horizon = (ROUNDS,) if case.attack in ("late", "spread") else ()
        opponent = getattr(adversary, case.attack)(case.C, *horizon)
    return World(0.8 * case.S * direction, arms if case.arms == "fixed" else moving, G[case.g], opponent)


def reference_of(p: Parameters) -> ReferenceLearner:
    return ReferenceLearner(p, first_state(p, np.zeros(p.d)))


def recorded(p: Parameters, its: World, rounds: int, seed: int) -> dict[str, Floats]:
    record = run(p, its, rounds, seed, record=True).record
    assert record is not None
    return record


@pytest.mark.parametrize("case", EASY + HARD + EXACT, ids=str)
def test_actions_and_state_are_those_of_the_reference(case: Case) -> None:
    p = case.parameters()
    its = world(case, np.random.default_rng(11))
    outcome = run(p, its, ROUNDS, seed=5, record=True)
    rows = outcome.record
    assert rows is not None
    reference = reference_of(p)
    arms = np.asarray(its.arms)
    weights, radii, actions = np.empty(ROUNDS), np.empty(ROUNDS), np.empty(ROUNDS, dtype=int)
    for t in range(ROUNDS):
        now = arms if arms.ndim == 2 else arms[t]
        actions[t] = reference.choose(now)
        weights[t], _, _, radii[t], *_ = reference.observe(
            now[actions[t]], float(rows["reward"][t] + rows["corruption"][t]), float(rows["dispersion"][t])
        )
    np.testing.assert_array_equal(actions, rows["arm"])
    np.testing.assert_allclose(rows["weight"], weights, rtol=1e-9)
    np.testing.assert_allclose(rows["radius"], radii, rtol=1e-9)
    assert np.abs(outcome.theta - reference.theta).max() <= 1e-9 * np.abs(reference.theta).max()
    assert np.abs(outcome.H - reference.H).max() <= 1e-9 * np.abs(reference.H).max()
    assert outcome.discounted == np.count_nonzero(weights < 1)
    assert exact_sum(rows["corruption"]) <= case.C
    if case.attack != "none":
        assert np.abs(rows["corruption"]).sum() > 0


@pytest.mark.parametrize("lengths", ["equal", "two"])
@pytest.mark.parametrize("index", ["exact", "closed-form"])
def test_ties_go_to_the_most_uncertain_arm_in_engine_and_reference_alike(index: Index, lengths: str) -> None:
    p = parameters(catalog.get("bernoulli"), 5, 5.0, 0.05, 0.0, index=index)
    rng = np.random.default_rng(1)
    arms = 0.999 * sphere(rng, 20, 5)
    if lengths == "two":
        arms[::2] *= 0.5
    rows = recorded(p, World(5 * sphere(rng, 1, 5)[0], arms), 2000, 3)
    reference = reference_of(p)
    for t in range(2000):
        assert reference.choose(arms) == rows["arm"][t]
        reference.observe(arms[int(rows["arm"][t])], float(rows["reward"][t]), 1.0)
    # Θ ⊂ C_t in every round, so the exact index of all long arms is the same, and none of them is pulled for ever.
    assert reference.confidence_set.covers_ball()
    if index == "exact":
        counts = np.bincount(rows["arm"].astype(int), minlength=20)
        long = counts[1::2] if lengths == "two" else counts
        assert counts.sum() == long.sum()
        assert long.max() <= 8 * 2000 / len(long)
        assert np.count_nonzero(long) >= 5  # a basis at least


def test_the_configurations_leave_the_trivial_regime() -> None:
    outcomes = [run(c.parameters(), world(c, np.random.default_rng(11)), ROUNDS, 5, record=True) for c in HARD]
    assert sum(o.discounted > 0 for o in outcomes) >= 3
    assert sum(o.projected > 0 for o in outcomes) >= 1
    assert sum(o.first_informative > 0 for o in outcomes) >= 10
    assert all(o.record is not None and len(set(o.record["arm"])) > 1 for o in outcomes)


@pytest.mark.parametrize("index", ["exact", "closed-form"])
def test_arms_that_stay_and_the_same_arms_sent_anew_give_the_same_run(index: Index) -> None:
    p = parameters(catalog.get("bernoulli"), 4, 2.0, 0.05, 0.0, index=index, radius_scale=0.1)
    rng = np.random.default_rng(0)
    arms, theta = sphere(rng, 9, 4), np.array([1.0, -1.0, 0.5, 0.0])
    g = np.ones(3000)
    stay, anew = (
        recorded(p, World(theta, these, g, noisy=False), 3000, 1)
        for these in (arms, np.broadcast_to(arms, (3000, 9, 4)))
    )
    np.testing.assert_array_equal(stay["arm"], anew["arm"])
    np.testing.assert_allclose(stay["error"], anew["error"], rtol=1e-9)


def test_diagnostics_are_those_of_the_reference() -> None:
    p = parameters(catalog.get("bernoulli"), 3, 1.0, 0.05, 0.0, index="closed-form", radius_scale=0.4)
    rng = np.random.default_rng(3)
    arms, theta = sphere(rng, 6, 3), np.array([0.3, -0.5, 0.2])
    outcome = run(p, World(theta, arms), 4000, 7, checkpoints=(10, 4000), record=True)
    assert outcome.record is not None
    slow = reference_of(p)
    covering, ratio = [], 0.0
    for arm, reward in zip(outcome.record["arm"], outcome.record["reward"], strict=True):
        covering.append(slow.confidence_set.covers_ball())
        ratio = max(ratio, slow.confidence_set.distance(theta) / slow.radius)
        slow.observe(arms[int(arm)], float(reward), 1.0)
    assert not all(covering)
    assert outcome.first_informative == covering.index(False) + 1
    assert outcome.worst_ratio == pytest.approx(ratio, rel=1e-9)
    means = p.family.mu(arms @ theta)
    regret = np.cumsum(means.max() - means[outcome.record["arm"].astype(int)])
    np.testing.assert_allclose(outcome.regret_at, regret[[9, 3999]], rtol=1e-9)
    assert outcome.regret == outcome.regret_at[-1]


# --- rewards and adversaries --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bernoulli", "poisson"])
def test_the_hiding_adversaries_make_the_best_arm_look_like_the_others(name: str) -> None:
    family, S, phi = catalog.get(name), 1.0, 0.7
    arms = np.array([[math.cos(phi), math.sin(phi), 0.0], [math.cos(phi), 0.0, math.sin(phi)]])
    p = parameters(family, 3, S, 0.05, 0.0)
    hiding = adversary.hidden(1e9, family, S, S * math.cos(phi) ** 2)
    rows = recorded(p, World(S * arms[0], arms[:1], 1.0, hiding), 40_000, 2)
    shown = rows["reward"] + rows["corruption"]
    others = float(family.mu(S * arms[0] @ arms[1]))
    assert abs(shown.mean() - others) < 5 * shown.std() / math.sqrt(shown.size)
    assert (shown >= 0).all()
    assert (rows["corruption"] == np.round(rows["corruption"])).all()


# --- what a run leaves behind -------------------------------------------------------------------------


@pytest.mark.parametrize("moving", [False, True])
def test_sums_and_checkpoints_are_those_of_the_record(moving: bool) -> None:
    p = parameters(catalog.get("scaled_poisson"), 3, 1.0, 0.05, 20.0, 0.01, radius_scale=0.1)
    rng = np.random.default_rng(3)
    arms, theta = 0.99 * sphere(rng, 4 * 900, 3).reshape(900, 4, 3), np.array([0.3, -0.5, 0.2])
    if not moving:
        arms = np.broadcast_to(arms[0], arms.shape)
    marks = (1, 7, 512, 513, 900)
    its = World(theta, arms if moving else arms[0], G["decades"], adversary.mirror(20.0))
    outcome = run(p, its, 900, 7, checkpoints=marks[::-1], record=True)
    rows = outcome.record
    assert rows is not None
    at_marks = np.array(marks) - 1
    np.testing.assert_array_equal(outcome.radius_at, rows["radius"][at_marks])
    np.testing.assert_array_equal(outcome.error_at, rows["error"][at_marks])
    np.testing.assert_array_equal(outcome.weight_at, rows["weight"][at_marks])
    assert outcome.worst_ratio == (rows["error"] / rows["radius"]).max()
    assert outcome.misses == np.count_nonzero(rows["error"] > rows["radius"])
    assert outcome.smallest_weight == rows["weight"].min() < 1
    assert (outcome.g_min, outcome.g_max) == (rows["dispersion"].min(), rows["dispersion"].max())
    assert outcome.inverse_g == pytest.approx(float((1 / rows["dispersion"]).sum()), rel=1e-12)
    best = (arms @ theta).max(axis=1)
    assert outcome.optimal_variance == pytest.approx(float(rows["dispersion"] @ p.family.dmu(best)), rel=1e-12)


# --- what a run refuses -------------------------------------------------------------------------------


@pytest.mark.parametrize("arms", [[[2.0, 0.0]], [[np.nan, 0.0]], [[1.0]], [1.0, 0.0], np.zeros((0, 2))])
def test_a_run_refuses_arms_of_another_shape_or_length(arms: Any) -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 0.0)
    with pytest.raises(BadInput, match="arms"):
        run(p, World(np.zeros(2), np.array(arms, dtype=float)), 1, 0)


def test_a_run_refuses_dispersions_of_another_family() -> None:
    p = parameters(catalog.get("bernoulli"), 1, 1.0, 0.05, 0.0)
    for g in (2.0, np.array([1.0, 2.0])):
        with pytest.raises(BadInput, match="dispersion"):
            run(p, World(np.zeros(1), np.ones((1, 1)), g), 2, 0)
