"""The sharpest constants: the search stays inside the theorem, finds the least bound, and the learner runs with it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.engine.run import run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, decades, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.rivals.mirror_descent import unweighted
from glbcheck.core.theory import constants, tuning
from glbcheck.core.theory.parameters import Index, parameters
from glbcheck.core.theory.tuning import Choice, Link, Problem
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

LINKS = {
    "gaussian": Link(0.0, 0.0, 1.0, 1.0, 0.0, 2.0),
    "bernoulli": tuning.link_of(catalog.get("bernoulli"), 1.0, 1.0),
    "poisson": tuning.link_of(catalog.get("poisson"), 1.0, 1.0),
}


def problem(name: str, C: float = 0.0, g_min: float = 1.0, g_max: float = 1.0) -> Problem:
    return Problem(LINKS[name], 2, 1.0, 0.05, C, g_min, g_max)


problems = st.builds(
    problem, st.sampled_from(sorted(LINKS)), st.sampled_from([0.0, 1.0, 300.0]), st.floats(1e-3, 1), st.floats(1, 1e3)
)


def meets_the_theorem(choice: Choice) -> bool:
    """eps < 1, and λ pays for the mixture and for the cubic remainder."""
    p, eps, root = choice.problem, choice.eps, math.sqrt(choice.lam)
    cubic = 2 * p.eta * p.S * p.link.bend
    paid = cubic * choice.alpha <= eps * root * (1 + 1e-12) or cubic <= eps * choice.lam * p.g_min * (1 + 1e-12)
    return eps < 1 and paid and (1 - eps) * choice.lam >= p.eta * p.link.R_s**2


# --- the search ---------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None, derandomize=True)
@given(problems, st.floats(-20, 20), st.floats(-12, 12))
def test_no_point_of_the_search_leaves_the_theorem(its: Problem, log_alpha: float, log_more: float) -> None:
    assert meets_the_theorem(tuning.weighing(its, log_alpha, log_more))
    plain = tuning.without_weights(its, log_more)
    assert meets_the_theorem(plain)
    assert not plain.weighs


@settings(max_examples=12, deadline=None, derandomize=True)
@given(problems, st.sampled_from([1e3, 1e5]), st.integers(0, 2**32 - 1))
def test_no_sampled_choice_is_better_than_the_one_found(its: Problem, T: float, seed: int) -> None:
    found, rng = tuning.least(its, T).regret_bound(T), np.random.default_rng(seed)
    for log_alpha, log_more in rng.uniform([-14, -12], [10, 12], (400, 2)):
        assert found <= tuning.weighing(its, log_alpha, log_more).regret_bound(T) * (1 + 1e-6)
        assert found <= tuning.without_weights(its, log_more).regret_bound(T) * (1 + 1e-6)


@pytest.mark.parametrize("name", ["bernoulli", "gaussian", "poisson"])
@pytest.mark.parametrize("T", [1.0, 10.0, 100.0])
def test_a_learner_for_a_short_horizon_can_learn_if_it_is_used_for_longer(name: str, T: float) -> None:
    its = problem(name, 10.0)
    dead, found = tuning.least(its, T), tuning.tune(its, T)
    assert dead.says_nothing(T)
    assert dead.lam > its.link.L_mu * T
    assert found.lam < its.link.L_mu * 1000
    assert found == tuning.tune(its, 10 * T) or T == 100
    assert meets_the_theorem(found)


def test_a_bound_that_says_something_is_the_least() -> None:
    for name, T in (("gaussian", 26.0), ("bernoulli", 1e4)):
        assert tuning.tune(problem(name), T) == tuning.least(problem(name), T)


def test_the_search_is_deterministic_and_its_anytime_choice_is_nearly_best_everywhere() -> None:
    its = problem("bernoulli", 3.0)
    assert tuning.tune(its, 1e4) == tuning.tune(its, 1e4)
    anytime = tuning.tune(its)
    for T in tuning.DECADES:
        assert anytime.regret_bound(T) <= 1.5 * tuning.tune(its, T).regret_bound(T)


@pytest.mark.parametrize(("name", "speaks", "before"), [
    ("gaussian", 26, 1296), ("bernoulli", 2070, 132454), ("poisson", 17500, 3695209),
])  # fmt: skip
def test_the_bound_says_something_long_before_the_repaired_one(name: str, speaks: int, before: int) -> None:
    its = problem(name)
    link = its.link
    assert tuning.tune(its, speaks).regret_bound(speaks) < link.span * speaks
    assert tuning.tune(its, 0.98 * speaks).regret_bound(0.98 * speaks) > link.span * 0.98 * speaks

    def repaired(T: float) -> float:
        alpha = constants.alpha(2, 0.0)
        s = constants.Setting(
            2, 1.0, T, 0.0, 0.05, alpha, link.R_s, link.L_mu, link.kappa, 1.0, 1.0, constants.REPAIRED
        )
        return float(constants.regret_bound_repaired(s, link.L_mu * T, T, s.radius(T - 1), s.radius(T)))

    assert repaired(0.99 * before) > link.span * 0.99 * before
    assert before >= 10 * speaks


@pytest.mark.parametrize("alpha", [0.3, 0.05], ids=["weights of 1", "weights below 1"])
@pytest.mark.parametrize("stale", [1.0, 1.5])
def test_written_out_a_second_time_the_bound_is_the_same(alpha: float, stale: float) -> None:
    link = replace(LINKS["poisson"], R_s=1.5, R_local=0.7)
    its = Problem(link, 2, 1.0, 0.05, 5.0, 0.5, 2.0)
    choice, T = Choice(its, alpha, 80.0), 1e4
    eta, b = 1.7, link.bend
    eps = min(2 * eta * alpha * b / math.sqrt(80), 2 * eta * b / (80 * 0.5))
    a = 1.5 * math.sqrt(eta / ((1 - eps) * 80))
    A, B, h = 2 * eta * math.log(20) + 80, (1 + 8 * a / 15 + 0.42 * a * a) * eta**2 / (1 - eps), eta * alpha * 5
    D = 2 * math.log(1 + link.L_mu * T / 0.5 / (2 * 80))
    u = min(alpha * link.L_mu / math.sqrt(80), link.L_mu / (80 * 0.5))
    l0 = math.log(1 + u)
    calm = math.sqrt(u / l0) * math.sqrt(A * D + B * D * (D + l0) / 2)
    Q = stale * math.sqrt(u / l0) * (math.sqrt((A + h * h) * D + B * D * (D + l0) / 2) + h * math.sqrt(D))
    far = (math.e - math.exp(-1)) * math.e
    psi = brentq(lambda rho: 2.8 * math.exp(2.1 * rho) - far / rho**2, 0.1, 2, xtol=1e-14)
    psi = far / psi**2
    V, trust = link.L_mu * 2.0 * T, max(2.0, 1 / (alpha * math.sqrt(80)))
    assert choice.weighs == (alpha == 0.05)
    low = 2 * Q * math.sqrt(u / l0 * D) / alpha if choice.weighs else 0.0
    expected = 2 * Q * math.sqrt(V) + low + psi * trust * Q * Q
    assert choice.regret_bound_from(D, V, stale) == pytest.approx(expected, rel=1e-5)
    if stale == 1:
        assert choice.regret_bound(T) == pytest.approx(expected, rel=1e-5)
        terms = choice.regret_terms(D, V)
        parts = [2 * calm * math.sqrt(V), 2 * (Q - calm) * math.sqrt(V), low, psi * trust * Q * Q]
        assert [terms[name] for name in ("noise", "widening", "weights", "curvature")] == pytest.approx(parts, rel=1e-5)
    assert choice.beta_from_logdet(0.0, 0.0, 0.0, 0.0, D) ** 2 == pytest.approx(A + B * D)


# --- the learner --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("index", ["exact", "closed-form"])
@pytest.mark.parametrize(("name", "C"), [("gaussian", 0.0), ("bernoulli", 20.0), ("poisson", 0.0), ("poisson", 20.0)])
def test_the_engine_does_the_same_and_the_bound_holds(name: str, C: float, index: Index) -> None:
    rounds, rng = 1500, np.random.default_rng(2)
    p = parameters(catalog.get(name), 3, 1.0, 0.05, C, reading="sharpest", horizon=rounds, index=index)
    arms = 0.999 * sphere(rng, 8, 3)
    outcome = run(p, World(0.9 * sphere(rng, 1, 3)[0], arms, 1.0, adversary.front_loaded(C)), rounds, 5, record=True)
    rows = outcome.record
    assert rows is not None
    reference = HCWGLBOMD(p.family, 3, 1.0, 0.05, C, constants="sharpest", horizon=rounds, index=index)
    for t in range(rounds):
        assert reference.select(arms) == rows["arm"][t]
        done = reference.update(arms[int(rows["arm"][t])], float(rows["reward"][t] + rows["corruption"][t]))
        assert done.radius == pytest.approx(rows["radius"][t], rel=1e-9)
    assert p.choice is not None
    assert outcome.misses == 0
    logdet = float(np.linalg.slogdet(outcome.H / p.lam)[1])
    after = p.choice.regret_bound_from(logdet, outcome.optimal_variance)
    assert outcome.regret <= after <= p.choice.regret_bound(rounds)


def test_without_weights_the_sharpest_learner_is_tuned_as_if_nothing_were_corrupted() -> None:
    p = parameters(catalog.get("poisson"), 2, 1.0, 0.05, 30.0, reading="sharpest", horizon=1e4)
    told = unweighted(p, 1.0)
    alone = parameters(catalog.get("poisson"), 2, 1.0, 0.05, 0.0, reading="sharpest", horizon=1e4)
    assert (told.C, told.half, told.widening) == (0.0, 0.0, 0.0)
    assert told.lam == pytest.approx(alone.lam)
    assert told.alpha == p.alpha  # by which an adversary measures


def test_the_radius_is_the_root_of_its_quadratic_and_smaller_than_the_repaired_one() -> None:
    p = parameters(catalog.get("bernoulli"), 2, 1.0, 0.05, 30.0, reading="sharpest", horizon=1e4)
    beta = p.beta(0.0, 3.0)
    r = p.radius(beta)
    assert r**2 == pytest.approx(beta**2 + 2 * p.eta * p.alpha * 30.0 * r)
    assert r < beta + constants.widening(p.eta, p.alpha, 30.0)
    assert p.eta == pytest.approx(1 + math.tanh(0.5))


def test_a_start_away_from_the_origin_is_paid_for() -> None:
    origin, away = (
        HCWGLBOMD(catalog.get("bernoulli"), 2, 1.0, theta0=start, constants="sharpest", horizon=1e4)
        for start in (None, [0.6, 0.0])
    )
    first = (p := away.parameters).beta(0.0, 0.0) ** 2
    assert first == pytest.approx(2 * p.eta * math.log(20) + p.lam * 1.6**2)
    assert away.radius > origin.radius


@pytest.mark.parametrize("pair", [(0.0, 1.0), (1.0, math.inf), (2.0, 1.0), (math.nan, 1.0)])
def test_dispersions_are_a_range_of_positive_numbers(pair: tuple[float, float]) -> None:
    assert tuning.checked_dispersions((1.0, 1.0)) == (1.0, 1.0)
    with pytest.raises(BadInput, match=r"^dispersions = "):
        tuning.checked_dispersions(pair)


def test_the_guarantee_is_printed_with_its_number() -> None:
    learner = HCWGLBOMD(catalog.get("poisson"), 2, 1.0, constants="sharpest", horizon=100_000)
    assert "sharpest" in learner.guarantee
    choice = learner.parameters.choice
    assert choice is not None
    assert f"{choice.regret_bound(1e5):.4g} for T = 100000" in learner.guarantee
    assert "bounded by choice.regret_bound(T) for all T" in learner.guarantee
    scaled = HCWGLBOMD(catalog.get("poisson"), 2, 1.0, constants="sharpest", radius_scale=0.5)
    assert scaled.guarantee == "none: tuned by hand: radius_scale"


@pytest.mark.parametrize(("argument", "value"), [
    ("alpha", 0.3), ("lam", 5.0), ("eta", 2.0), ("R_s", 1.0), ("L_mu", 1.0), ("radius_form", "sum"), ("horizon", 0.5),
    ("horizon", math.inf), ("dispersions", (0.0, 1.0)), ("dispersions", (2.0, 1.0)),
])  # fmt: skip
def test_what_the_search_decides_cannot_be_given(argument: str, value: Any) -> None:
    chosen: dict[str, Any] = {argument: value}
    with pytest.raises(BadInput, match=argument):
        HCWGLBOMD(catalog.get("bernoulli"), 2, 1.0, constants="sharpest", **chosen)


def test_families_without_the_theorem_are_refused() -> None:
    with pytest.raises(BadInput, match="sharpest"):
        HCWGLBOMD(catalog.get("exponential").tilted(2), 2, 1.0, constants="sharpest")


def test_a_dispersion_outside_the_promised_range_is_refused_by_learner_and_engine() -> None:
    gaussian = catalog.get("gaussian")
    learner = HCWGLBOMD(gaussian, 2, 1.0, constants="sharpest", dispersions=(0.5, 2.0))
    for end in (0.5, 2.0):
        learner.update([0.5, 0.5], 1.0, end)
    with pytest.raises(BadInput, match="dispersion"):
        learner.update([0.5, 0.5], 1.0, 0.4)
    p = parameters(gaussian, 2, 1.0, 0.05, 0.0, reading="sharpest")
    for g in (0.5, decades(0.5, 2.0)):
        with pytest.raises(BadInput, match="dispersion"):
            run(p, World(np.array([0.5, 0.0]), np.eye(2), g), 100, 1)


@pytest.mark.parametrize("odd", [{"S": 700.0}, {"S": 300.0}, {"C": 1e200}, {"delta": 5e-324}])
def test_a_problem_beyond_ordinary_numbers_is_refused(odd: dict[str, float]) -> None:
    setting: dict[str, Any] = {"S": 1.0, "delta": 0.05, "C": 0.0, **odd}
    with pytest.raises(BadInput, match="a problem whose bound is an ordinary number"):
        parameters(catalog.get("poisson"), d=2, reading="sharpest", horizon=1e4, **setting)
