"""Single lines of the engine and its constants, each pinned by what would go wrong without it.

`python -m tests.engine_mutants` changes these lines one at a time and sees these tests fail.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from glbcheck.core import adversary, catalog, competitors, concordance, projection
from glbcheck.core.competitors import COMPETITORS
from glbcheck.core.enclosure import NotEnclosed
from glbcheck.core.engine import Outcome, World, link, replicate, run, state
from glbcheck.core.engine import arms as sets
from glbcheck.core.engine.factor import dot
from glbcheck.core.engine.feed import STACK, Course
from glbcheck.core.engine.mirror_descent import shorten, update
from glbcheck.core.engine.optimism import choose_staying
from glbcheck.core.engine.stacks import DEPTH
from glbcheck.core.engine.variant import Variant
from glbcheck.core.errors import BadInput
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.simulation import instances
from glbcheck.core.simulation.grid import Block
from glbcheck.core.simulation.plans import Plan
from glbcheck.core.world import REWARDS, decades, sphere, stream

# --- guarantees -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["R_s", "L_mu"])
def test_a_constant_a_twentieth_below_what_is_needed_voids_the_guarantee(name: str) -> None:
    family = catalog.get("bernoulli")
    needed = {"R_s": concordance.R_s, "L_mu": concordance.L_mu}[name](family, 2.0).upper
    for factor, tuned in ((0.95, (name,)), (1.0, ())):
        p = parameters(family, 2, 2.0, 0.05, 0.0, **{name: factor * needed})  # type: ignore[arg-type]
        assert p.tuned == tuned
        assert p.guarantee.startswith("none") == bool(tuned)


def test_the_repaired_theorem_needs_its_constant_on_the_whole_line() -> None:
    family = catalog.get("bernoulli")
    whole = concordance.R_s_global(family).upper
    for factor in (0.95, 1.0):
        p = parameters(family, 2, 2.0, 0.05, 0.0, reading="repaired", R_s=factor * whole)
        assert p.guarantee.startswith("none") == (factor < 1)


def not_enclosed(*_: Any) -> None:
    raise NotEnclosed("on purpose")


def test_what_cannot_be_enclosed_guarantees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    family, another = (replace(catalog.get("bernoulli"), name=name) for name in ("never asked", "nor this one"))
    monkeypatch.setattr(concordance, "R_s_global", not_enclosed)
    p = parameters(family, 2, 1.0, 0.05, 0.0, reading="repaired")
    assert p.guarantee.startswith("none: the repaired theorem")
    with pytest.raises(BadInput, match="self-concordant on the whole line"):
        parameters(family, 2, 1.0, 0.05, 0.0, reading="sharpest")
    by_hand = parameters(another, 2, 1.0, 0.05, 0.0, R_s=10.0, L_mu=10.0)
    monkeypatch.setattr(concordance, "R_s", not_enclosed)
    assert by_hand.tuned == ("R_s",)


def test_constants_without_a_horizon_are_promised_at_ten_thousand_rounds_with_the_index_that_was_asked_for() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 3.0, reading="sharpest", index="closed-form")
    assert p.index == "closed-form"
    assert p.choice is not None
    assert f"at most {p.choice.regret_bound(1e4):.4g} for T = 10^4 (the most possible is 2e+04)" in p.guarantee


def test_printed_constants_add_what_corruption_widens_and_take_no_root() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 3.0)
    assert (p.half, p.widening) == pytest.approx((0.0, 2 * p.eta * p.alpha * 3.0))


@pytest.mark.parametrize(("argument", "value"), [
    ("delta", 1.0), ("delta", 0.0), ("delta", "small"), ("C", "much"), ("C", math.inf),
    ("S", 1e160), ("S", 1e-170), ("lam", 1e308), ("lam", 1e300),
])  # fmt: skip
def test_the_engine_refuses_what_the_learner_refuses(argument: str, value: Any) -> None:
    chosen: dict[str, Any] = {"d": 2, "S": 1e5, "delta": 0.05, "C": 1.0, argument: value}
    with pytest.raises(BadInput, match=r"^S = .* 4 λ S²" if argument in ("S", "lam") else rf"^{argument} = "):
        parameters(catalog.get("gaussian"), **chosen)


def test_numbers_of_any_kind_become_floats() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1, np.float32(0.25), Fraction(1, 2))  # type: ignore[arg-type]
    assert [(type(number), number) for number in (p.S, p.delta, p.C)] == [(float, 1.0), (float, 0.25), (float, 0.5)]


# --- the arms' norms ------------------------------------------------------------------------------------------


def test_a_norm_of_which_little_is_left_is_computed_afresh() -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, lam=1.0)
    learner = state.views(state.initial(p, Variant(weights=False)))
    points = np.array([[1.0, 0.0], [0.6, 0.8]])
    arms = sets.views(sets.room(2, 2), points)
    sets.settle(learner, arms)
    grown = update(learner, link.pack(p.family, 1.0), points[0], 0.5, 1e-8)
    sets.follow(learner, arms, points[0], grown)
    exact = np.array([1 / (1 + 1e8), 0.36 / (1 + 1e8) + 0.64])
    np.testing.assert_allclose(arms.norm, exact, rtol=1e-12)


def in_lockstep(p: Parameters, world: World, rounds: int, seed: int) -> Outcome:
    return replicate(p, world, rounds, seed, 1)[0]


@pytest.mark.parametrize("played", [run, in_lockstep], ids=["alone", "in lockstep"])
def test_when_all_indices_are_zero_the_most_uncertain_arm_is_played(played: Callable[..., Outcome]) -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0, index="closed-form", radius_scale=0.0)
    found = played(p, World(np.array([0.5, 0.0]), np.array([[0.2, 0.0], [0.0, 0.9], [0.5, 0.0]])), 1, 0)
    assert found.regret == pytest.approx(0.25)  # of the second arm; the first has 0.15, the third none


# --- rewards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [True, False], ids=["drawn in compiled code", "drawn by Python"])
def test_an_arm_that_stays_pays_its_own_stream_in_order(compiled: bool) -> None:
    family, depth = catalog.get("gaussian"), DEPTH if compiled else STACK
    its_own = family if compiled else replace(family, sampler=lambda rng, at, g: rng.normal(at, g**0.5))
    p = parameters(its_own, 2, 1.0, 0.05, 0.0, radius_scale=2.0)
    arms, theta = np.array([[0.9, 0.0], [0.0, 0.9]]), np.array([0.3, 0.28])
    rows = run(p, World(theta, arms, 0.25), 3 * depth, 5, (7,), record=True).record
    assert rows is not None
    for k in range(2):
        seen = rows["reward"][rows["arm"] == k]
        assert seen.size > depth
        expected = stream(5, (7,), REWARDS, k).normal(arms[k] @ theta, 0.5, seen.size)
        np.testing.assert_allclose(seen, expected, rtol=1e-12)


# --- the ball -------------------------------------------------------------------------------------------------


def test_a_step_brought_back_to_the_ball_is_not_a_rounding_error_outside() -> None:
    rng, needed = np.random.default_rng(0), 0
    for _ in range(500):
        theta, S, out = rng.normal(size=3), float(rng.uniform(0.1, 3)), np.empty(3)
        length = float(np.linalg.norm(theta))
        shorten(theta, length, S, out)
        assert math.fsum(out * out) <= S * S * (1 + 2**-52)
        assert np.sqrt(out @ out) == pytest.approx(S, rel=1e-14)
        plain = theta * (S / length)
        needed += bool(dot(plain, plain) > S * S)
        assert dot(out, out) <= S * S
    assert needed > 20


def test_the_residual_of_a_projection_sees_a_wrong_multiplier() -> None:
    M, c = np.diag([2.0, 3.0]), np.array([4.0, 3.0])
    right = projection.project(M, c, 2.0, 0.5)
    assert right.residual < 1e-12
    elsewhere = 0.5 * np.array([0.0, 1.0])
    assert projection._residual(M, c, elsewhere, right.multiplier, 0.5) > 0.1


# --- exact optimism -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 2, 3, 5])
def test_no_bound_of_the_exact_choice_is_below_the_value_it_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d, S = 3, 1.0
    p = parameters(catalog.get("gaussian"), d, S, 0.05, 1.0)
    learner = state.views(state.initial(p))
    for _ in range(80):
        update(learner, link.pack(p.family, S), sphere(rng, 1, d)[0], 0.0, 0.3)
    # A centre close to the sphere, so that both constraints bind.
    learner.theta[:] = 0.9 * sphere(rng, 1, d)[0]
    learner.facts.radius = 0.3 * math.sqrt(float(np.trace(learner.H)) / d)
    whole = ConfidenceSet(learner.theta.copy(), learner.H.copy(), float(learner.facts.radius), S, p.lam)
    points = sphere(rng, 12, d) * rng.uniform(0.9, 1, (12, 1))
    best = points[whole.best(points)]
    points[::4] = (1 - 1e-6) * best + 1e-6 * sphere(rng, 3, d)  # close by, where bounds are tight
    arms = sets.views(sets.room(12, d), points)
    sets.settle(learner, arms)
    for _ in range(2):  # the second time with the multiplier of the first
        sets.closed_form(learner, arms)
        assert choose_staying(learner, arms) == whole.best(points)
        values = np.array([whole.optimum(x).value for x in points])
        assert (arms.upper >= values - 1e-10).all()
    assert learner.facts.multiplier > 0


# --- competitors and profiles ---------------------------------------------------------------------------------


def test_tuned_glb_omd_has_the_ridge_of_the_smallest_dispersion() -> None:
    p = parameters(catalog.get("scaled_poisson"), 2, 1.0, 0.05, 30.0, reading="repaired")
    course = Course(World(np.array([0.5, 0.0]), np.eye(2), decades(0.05, 5.0)), 700, 1)
    lam = float(state.views(COMPETITORS["glb-omd-tuned"].start(p, course).state).facts.lam)
    low, high = course.dispersion_range()
    assert lam > 1.1 * p.use.lam(2, 1.0, p.eta, 0.0, p.R_s, p.L_mu)  # so that the dispersion decides
    assert lam == pytest.approx(p.use.lam(2, 1.0, p.eta, 1 / (math.sqrt(lam) * low), p.R_s, p.L_mu))
    assert high > 10 * low


@pytest.mark.parametrize("C", [0.0, 25.0])
def test_cw_oful_weighs_by_its_noise_and_its_budget(C: float) -> None:
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, C)
    facts = state.views(COMPETITORS["cw-oful"].start(p, Course(World(np.zeros(2), np.eye(2), 4.0), 10, 1)).state).facts
    assert facts.alpha == facts.own_alpha == (2 * math.sqrt(2) / C if C else math.inf)


@pytest.mark.parametrize("name", ["hcw-glb-omd", "glb-omd", "cw-oful", "glm-ucb", "greedy"])
def test_a_competitor_learns_from_what_the_adversary_shows(name: str) -> None:
    p = parameters(catalog.get("gaussian"), 1, 1.0, 0.05, 400.0)
    honest, fooled = (
        competitors.run(name, p, World(np.array([0.9]), np.ones((1, 1)), 0.01, attack), 400, 1)
        for attack in (adversary.NO_ATTACK, adversary.front_loaded(400.0))
    )
    assert fooled.corruption == pytest.approx(400.0)
    assert fooled.theta[0] < honest.theta[0] - 1e-3


def test_spikes_come_at_every_multiple_of_their_period() -> None:
    profile = instances.dispersions("spikes:0.5:4:3", 10)
    assert callable(profile)
    rng = np.random.default_rng(0)
    whole = [0.5, 0.5, 4.0, 0.5, 0.5, 4.0, 0.5, 0.5, 4.0, 0.5]
    assert profile(rng, 0, 10).tolist() == whole
    assert [*profile(rng, 0, 4), *profile(rng, 4, 6)] == whole


def test_a_plan_of_the_search_is_the_paced_attack_of_its_numbers() -> None:
    plan = Plan((1.0, 3.0), 0.5, 0.7, "mirror", "best")
    found, made = plan.attack(8.0, 10), adversary.paced(8.0, 10, (1.0, 3.0), 0.5, "mirror", "best", 0.7)
    assert found.caps is not None
    assert found.caps.tolist() == [2.0] * 5 + [8.0] * 5
    assert replace(found, caps=None) == replace(made, caps=None)


@pytest.mark.parametrize(("arms", "kind"), [("corruption:0.5", adversary.FLIP), ("two-worlds", adversary.FLIP)])
def test_the_hiding_adversary_knows_its_arms(arms: str, kind: int) -> None:
    cell = Block(families=("bernoulli",), d=(3,), arms=(arms,), adversaries=("hiding",), C=(5.0,)).cells()[0]
    found = instances.opponent(cell, catalog.get("bernoulli"))
    assert (found.kind, found.C) == (kind, 5.0)
    with pytest.raises(BadInput, match="hiding"):
        instances.opponent(replace(cell, arms="sphere:4"), catalog.get("bernoulli"))


@pytest.mark.parametrize("reading", ["paper", "repaired"])
def test_the_printed_theorem_takes_its_constant_on_the_interval_and_the_repaired_one_on_the_line(reading: Any) -> None:
    family = catalog.get("bernoulli")
    local, whole = concordance.R_s(family, 1.0).upper, concordance.R_s_global(family).upper
    assert local < 0.9 * whole
    assert parameters(family, 2, 1.0, 0.05, 0.0, reading=reading).R_s == (local if reading == "paper" else whole)
