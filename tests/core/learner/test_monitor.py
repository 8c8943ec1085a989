"""The monitor: silent where the model holds, with the proved rate, and loud where it does not."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog, extras
from glbcheck.core.arrays import Floats
from glbcheck.core.binomial import at_least
from glbcheck.core.environment.world import sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.learner import Monitor, betting
from glbcheck.core.learner import monitor as monitoring
from glbcheck.core.learner.betting import MEMORIES, RIDGE, SHARES, SPREADS, STEPS, reach
from glbcheck.core.learner.monitor import Alarm, least_loss
from glbcheck.core.theory.parameters import parameters
from scipy.optimize import minimize

OFFSETS = np.multiply.outer(SPREADS, STEPS)
Rewards = Callable[[np.random.Generator, float, int], float]
TRUTH = np.array([0.7, -0.5])


def watched(family: str, C: float, delta: float = 0.01) -> Monitor:
    return Monitor(parameters(catalog.get(family), 2, 1.0, 0.05, C), delta)


def first_alarm(monitor: Monitor, rewards: Rewards, rounds: int, seed: int, g: float = 1.0) -> int | None:
    """The round of the first alarm, among arms that are pulled in turn."""
    rng = np.random.default_rng(seed)
    arms = sphere(rng, 6, 2)
    for t in range(rounds):
        x = arms[int(rng.integers(6))]
        alarm = monitor.observe(x, rewards(rng, float(x @ TRUTH), t), g)
        if alarm is not None:
            return alarm.round
    return None


def sampled(family: str, g: float = 1.0) -> Rewards:
    its = catalog.get(family)
    return lambda rng, z, t: float(its.sample(rng, z, g))


def attacked(family: str, total: float, size: float) -> Rewards:
    """The first rewards are lowered by `size` each, until `total` is spent."""
    clean = sampled(family)
    return lambda rng, z, t: clean(rng, z, t) - (size if (t + 1) * size <= total else 0.0)


def loss(family: Family, rows: Floats, theta: Floats, S: float) -> float:
    z = np.clip(rows[:, :-2] @ theta, -S, S)
    return float(np.sum(rows[:, -1] * (family.m(z) - rows[:, -2] * z)))


class Alternatives:
    """The bet of the monitor in NumPy, all alternatives at once: what the compiled functions are held to."""

    def __init__(self, family: Family, d: int, top: float) -> None:
        self.family, self.top = family, top
        self.v, self.G = np.zeros((len(MEMORIES), d + 1)), np.stack([RIDGE * np.eye(d + 1)] * len(MEMORIES))

    def take(self, x: Floats, reward: float, g: float) -> tuple[Floats, float]:
        """log q(reward) of each without the base measure, and the size of the numbers in it; then they learn."""
        z = np.clip(self.v[:, 0] + self.v[:, 1:] @ x, -self.top, self.top)
        slope, one = self.family.dmu(z), np.append(1.0, x)
        points = z[:, None, None] + np.sqrt(g / np.maximum(slope, 1e-12))[:, None, None] * OFFSETS
        points = np.clip(points, -self.top, self.top)
        linear, bend = points * (reward / g), self.family.m(points) / g
        residual = (np.clip(reward, *self.family.mu(np.array([-self.top, self.top]))) - self.family.mu(z)) / g
        ridge, kept = RIDGE * np.eye(one.size), np.array(MEMORIES)[:, None, None]
        self.G = kept * (self.G - ridge) + ridge + (slope / g)[:, None, None] * np.outer(one, one)
        self.v = self.v + np.linalg.solve(self.G, residual[:, None, None] * one[:, None])[:, :, 0]
        logs = np.log(np.exp(linear - bend) @ np.array(SHARES))
        return logs.ravel(), float(np.abs(linear).max() + np.abs(bend).max())


@pytest.mark.parametrize(("name", "C", "g"), [
    ("bernoulli", 0.0, 1.0), ("poisson", 0.0, 1.0), ("gaussian", 2.0, 0.25), ("gaussian", 0.0, 2.0),
    ("skellam", 1.0, 1.0),
])  # fmt: skip
def test_the_bet_is_that_of_alternatives_in_numpy(name: str, C: float, g: float) -> None:
    family, rng = catalog.get(name), np.random.default_rng(5)
    monitor = watched(name, C)
    alternatives, logs, size, w = (
        Alternatives(family, 2, monitor.within.top),
        np.zeros(12),
        0.0,
        min(1.0, g) if C else 1.0,
    )
    for x in sphere(rng, 40, 2):
        reward = float(family.sample(rng, float(x @ TRUTH), g)) + C / 40
        monitor.observe(x, reward, g)
        gained, largest = alternatives.take(x, reward, g)
        logs, size = logs + w * gained, size + w * largest
    saved = monitor.as_dict()
    assert saved["logs"] == pytest.approx(logs, rel=1e-9, abs=1e-9)
    assert saved["rivals"]["v"] == pytest.approx(alternatives.v, rel=1e-9, abs=1e-9)
    assert saved["rivals"]["G"] == pytest.approx(alternatives.G, rel=1e-9)
    assert saved["size"] >= size * (1 - 1e-12)
    top = logs.max()
    mixture = top + math.log(float(np.exp(logs - top).mean()))
    rounding = (1e-11 + 40 * 2.0**-52) * saved["size"]
    assert monitor.evidence_for(3.0) == pytest.approx(mixture + 3.0 - monitor.cost - rounding, rel=1e-9)
    rows = np.array(saved["rows"])
    assert rows[:, -1].tolist() == [w / g] * 40
    assert saved["running"] == pytest.approx(loss(family, rows, np.array(saved["theta"]), 1.0), rel=1e-6, abs=1e-6)


def test_where_numba_is_missing_the_bet_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(name: str) -> dict[str, Any]:
        rng, monitor = np.random.default_rng(2), watched(name, 1.0)
        for x in sphere(rng, 60, 2):
            monitor.observe(x, float(catalog.get(name).sample(rng, float(x @ TRUTH), 1.0)) - 0.01)
        return monitor.as_dict() | {"evidence": monitor.evidence}

    compiled = [seen(name) for name in ("bernoulli", "skellam")]
    monkeypatch.setattr(extras, "is_installed", lambda library: False)
    plain = module_from_spec(spec := spec_from_file_location("plain_betting", betting.__file__))  # type: ignore[arg-type]
    spec.loader.exec_module(plain)  # type: ignore[union-attr]
    assert plain.kernel(seen) is seen
    monkeypatch.setattr(monitoring, "betting", plain)
    for one, name in zip(compiled, ("bernoulli", "skellam"), strict=True):
        other = seen(name)
        assert (other["rows"], other["due"], other["alarm"]) == (one["rows"], one["due"], one["alarm"])
        for key in ("logs", "size", "running", "impossible", "evidence"):
            assert other[key] == pytest.approx(one[key], rel=1e-9, abs=1e-9)


# --- false alarms -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.0, 2.0])
def test_the_evidence_at_the_truth_is_a_martingale_over_all_sequences_of_coins(C: float) -> None:
    """All 2^6 of them, exactly: the mean of the evidence is 1, but for what the budget takes off."""
    coin, arms = catalog.get("bernoulli"), sphere(np.random.default_rng(0), 6, 2)
    mean = 0.0
    for heads in product((0.0, 1.0), repeat=6):
        monitor, at_truth = watched("bernoulli", C), 0.0
        for x, reward in zip(arms, heads, strict=True):
            monitor.observe(x, reward)
            z = float(x @ TRUTH)
            at_truth += float(coin.m(z)) - reward * z
        mean += math.exp(-at_truth) * math.exp(monitor.evidence_for(at_truth) + monitor.cost)
    assert mean == pytest.approx(1, rel=1e-9)


def crossings(rng: np.random.Generator, rounds: int = 40) -> tuple[bool, bool]:
    """For coins and δ = 1/2: does the evidence at the true θ ever reach log 2, and is there an alarm?"""
    monitor = watched("bernoulli", 0.0, 0.5)
    arms, coin = sphere(rng, 6, 2), catalog.get("bernoulli")
    at_truth, crossed = 0.0, False
    for _ in range(rounds):
        x = arms[int(rng.integers(6))]
        z = float(x @ TRUTH)
        reward = float(rng.random() < coin.mu(z))
        monitor.observe(x, reward)
        at_truth += float(coin.m(z)) - reward * z
        crossed |= monitor.evidence_for(at_truth) >= math.log(2)
    return crossed, monitor.alarm is not None


def test_the_evidence_at_the_truth_crosses_as_rarely_as_proved_and_the_alarm_even_less() -> None:
    runs = [crossings(np.random.default_rng([1, run])) for run in range(40)]
    crossed = sum(one for one, _ in runs)
    assert crossed > 0
    assert at_least(40, crossed, Fraction(1, 2)) > Fraction(1, 1000)
    assert all(one or not alarm for one, alarm in runs)


@pytest.mark.parametrize(("family", "C"), [("gaussian", 0.0), ("poisson", 0.0), ("bernoulli", 4.0), ("gaussian", 4.0)])
def test_no_alarm_where_the_model_and_the_budget_hold(family: str, C: float) -> None:
    rewards = attacked(family, C, 1.0) if family == "gaussian" else sampled(family)
    alarms = sum(first_alarm(watched(family, C, 0.2), rewards, 80, seed) is not None for seed in range(6))
    assert at_least(6, alarms, Fraction(1, 5)) > Fraction(1, 1000)


def test_the_budget_is_taken_off_before_anything_is_said() -> None:
    """The same rewards, with a budget and without: the difference is at least what the budget may have moved."""
    found = []
    for C in (0.0, 3.0):
        monitor = watched("gaussian", C)
        for t in range(30):
            monitor.observe(np.array([1.0, 0.0]), 4.0 if t % 2 else -4.0)
        found.append(monitor.evidence)
    assert watched("gaussian", 3.0).cost == 3.0 * (1.0 + 2.0)  # alternatives reach 1 beyond S = 1
    assert found[0] - found[1] >= 9.0


def test_a_unit_of_reward_moves_the_evidence_by_the_influence_at_most() -> None:
    """At every θ of Θ; also for tiny dispersions, which are tempered."""
    family, points = catalog.get("gaussian"), sphere(np.random.default_rng(0), 9, 2)
    for g in (0.01, 1.0, 25.0):
        values = []
        for reward in (0.3, 0.8):
            monitor = Monitor(parameters(family, 2, 1.0, 0.05, 1.0), 0.01)
            monitor.observe(np.array([0.6, 0.8]), reward, g)
            rows = np.array(monitor.as_dict()["rows"])
            values.append([monitor.evidence_for(loss(family, rows, theta, 1.0)) for theta in points])
        assert np.abs(np.diff(values, axis=0)).max() <= 0.5 * monitor.within.influence * (1 + 1e-9)


def test_alternatives_bet_with_the_dispersion_of_the_reward() -> None:
    monitor, g, reward = Monitor(parameters(catalog.get("gaussian"), 1, 1.0, 0.05, 0.0)), 0.25, 0.6
    monitor.observe(np.array([0.5]), reward, g)
    points, saved = math.sqrt(g) * OFFSETS, monitor.as_dict()
    expected = np.log(np.exp((points * reward - points**2 / 2) / g) @ SHARES)
    assert saved["logs"] == pytest.approx(np.tile(expected, 3))
    assert saved["size"] == pytest.approx((points * reward / g).max() + (points**2 / 2 / g).max() + reward / g)


@pytest.mark.parametrize(("family", "L_mu", "corrupted", "top"), [
    ("gaussian", 1.0, False, 5.0), ("gaussian", 1.0, True, 2.0), ("bernoulli", 0.25, False, 9.0),
    ("exponential", 1.0, False, 1.5),
])  # fmt: skip
def test_alternatives_stay_in_the_domain_and_near_with_a_budget(
    family: str, L_mu: float, corrupted: bool, top: float
) -> None:
    its = catalog.get(family)
    its = its.tilted(2) if family == "exponential" else its  # ends at 2
    assert reach(its, 1.0, L_mu, corrupted).top == pytest.approx(top)


def test_alternatives_come_to_predict_what_is_linear_in_the_context_beyond_the_ball() -> None:
    monitor = Monitor(parameters(catalog.get("gaussian"), 1, 1.0, 0.05, 0.0))
    for x in [0.9, -0.9, 0.5, -0.3] * 8:
        before = monitor.as_dict()["logs"][0]
        monitor.observe(np.array([x]), 1.0 + 2 * x)
    gained = monitor.as_dict()["logs"][0] - before
    assert gained == pytest.approx(0.5 * (1.0 - 2 * 0.3) ** 2, abs=5e-3)  # the best there is: r z - z²/2 at z = r


@pytest.mark.parametrize(("C", "top", "cost"), [(0.0, 5.0, 0.0), (0.5, 2.0, 1.5), (3.0, 2.0, 9.0)])
def test_with_a_budget_alternatives_stay_near_and_every_unit_of_it_costs_the_influence(
    C: float, top: float, cost: float
) -> None:
    monitor = watched("gaussian", C)
    assert (monitor.within.top, monitor.cost) == (top, cost)
    assert monitor.threshold == pytest.approx(math.log(100))


class Searching(Monitor):
    """What is known before a search is as bad as told; what it finds never is."""

    known = math.inf

    def _decided(self, impossible: float, evidence: float) -> Alarm | None:
        return super()._decided(impossible, self.known)

    @property
    def evidence(self) -> float:
        searches.append(self.rounds)
        return -math.inf


searches: list[int] = []


@pytest.mark.parametrize("known", [-math.inf, math.inf], ids=["nothing to find", "something to find"])
def test_a_search_comes_where_it_may_find_and_then_two_percent_later(known: float) -> None:
    monitor = Searching(parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 0.0))
    monitor.known = known
    searches.clear()
    for _ in range(150):
        assert monitor.observe(np.array([0.6, 0.0]), 0.0) is None
    expected = [1]
    while expected[-1] < 150:
        expected.append(math.ceil(1.02 * expected[-1]) + 1)
    assert searches == [t for t in expected if t <= 150 and known > 0]


# --- what is found --------------------------------------------------------------------------------------------


def wide(rng: np.random.Generator, z: float, t: int) -> float:
    return z + 1.6 * float(rng.standard_normal())


def geometric(rng: np.random.Generator, z: float, t: int) -> float:
    return float(rng.geometric(1 / (1 + math.exp(z)))) - 1


def far(rng: np.random.Generator, z: float, t: int) -> float:
    return float(rng.random() < 1 / (1 + math.exp(-4 * z)))


def turning(rng: np.random.Generator, z: float, t: int) -> float:
    return (z if t < 100 else -z) + float(rng.standard_normal())


@pytest.mark.parametrize(
    ("family", "C", "rewards", "rounds"),
    [
        ("gaussian", 0.0, wide, 300),
        ("poisson", 0.0, geometric, 900),
        ("bernoulli", 0.0, far, 400),
        ("gaussian", 0.0, turning, 300),
        ("gaussian", 10.0, attacked("gaussian", 100.0, 2.0), 150),
        ("gaussian", 10.0, attacked("gaussian", 100.0, 20.0), 20),
        ("poisson", 10.0, attacked("poisson", 100.0, 1.0), 150),
    ],
    ids=["variance", "wrong family", "beyond S", "drift", "ten budgets", "ten budgets, spikes", "ten budgets, counts"],
)
def test_what_contradicts_the_model_raises_the_alarm(family: str, C: float, rewards: Rewards, rounds: int) -> None:
    found = [first_alarm(watched(family, C), rewards, rounds, seed) for seed in range(2)]
    assert None not in found


@pytest.mark.parametrize(("family", "C", "rewards", "alarm"), [
    ("bernoulli", 0.0, [0.0, 1.0, 0.5], 3), ("bernoulli", 1.0, [2.0, 0.0, 1.5], 3),
    ("bernoulli", 1.5, [2.0, 1.5], None), ("bernoulli", 0.3, [1.1, 1.1, 1.1], None), ("poisson", 0.0, [3.0, -1.0], 2),
    ("poisson", 0.0, [3.0, 1e6], 2), ("skellam", 0.0, [-2.0, 0.3], 2),
    ("gaussian", 0.0, [0.5, -0.3], None),
])  # fmt: skip
def test_rewards_outside_the_support_use_up_the_budget(
    family: str, C: float, rewards: list[float], alarm: int | None
) -> None:
    monitor = watched(family, C)
    for reward in rewards:
        monitor.observe(np.array([0.6, 0.0]), reward)
    assert (monitor.alarm and monitor.alarm.round) == alarm


@pytest.mark.parametrize("name", catalog.NAMES)
def test_what_a_family_draws_is_never_impossible(name: str) -> None:
    family = catalog.get(name)
    if not (family.domain.inf < 0 < family.domain.sup):
        family = family.tilted(2)
    drawn = family.sample(np.random.default_rng(0), 0.2, 1.0, size=40)
    monitor = Monitor(parameters(family, 2, 0.5, 0.05, 0.0, 0.1, lam=100.0))
    for reward in drawn:
        monitor.observe(np.array([0.6, 0.0]), float(reward))
    assert monitor.impossible == 0.0


@pytest.mark.parametrize(("x", "reward", "g", "word"), [
    ([0.1], 1.0, 1.0, "x"), ([2.0, 0.0], 1.0, 1.0, "x"), ([0.1, 0.1], math.nan, 1.0, "reward"),
    ([0.1, 0.1], 1.0, 2.0, "dispersion"),
])  # fmt: skip
def test_a_bad_observation_is_refused_and_leaves_no_trace(x: Any, reward: float, g: float, word: str) -> None:
    monitor = watched("bernoulli", 0.0)
    with pytest.raises(BadInput, match=f"^{word} ="):
        monitor.observe(x, reward, g)
    assert monitor.rounds == 0


def test_the_step_of_a_lattice_may_depend_on_the_dispersion() -> None:
    monitor = Monitor(parameters(catalog.get("scaled_poisson"), 2, 1.0, 0.05, 0.0), 0.01)
    assert monitor.observe(np.array([0.6, 0.0]), 0.25, 0.25) is None
    alarm = monitor.observe(np.array([0.6, 0.0]), 0.25, 0.5)
    assert alarm is not None
    assert "support" in alarm.reason


# --- the maximum over Θ -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bernoulli", "poisson", "gaussian"])
@pytest.mark.parametrize("level", [0.2, 3.0])
def test_the_least_loss_is_bracketed_and_agrees_with_another_solver(name: str, level: float) -> None:
    family, rng = catalog.get(name), np.random.default_rng(4)
    rows = np.column_stack([sphere(rng, 60, 3), level * rng.integers(0, 2, 60), rng.uniform(0.2, 1, 60)])
    theta, value, lower = least_loss(family, rows, np.zeros(3), 1.0)
    assert lower - 1e-12 <= value <= lower + 2e-3
    assert np.linalg.norm(theta) <= 1
    assert value == loss(family, rows, theta, 1.0)

    def at(v: Floats) -> float:
        return loss(family, rows, v / max(1.0, float(np.linalg.norm(v))), 1.0)

    best = min(float(minimize(at, 0.5 * start, method="Nelder-Mead").fun) for start in sphere(rng, 3, 3))
    assert lower <= best + 1e-9
    assert value <= best + 2e-3


@pytest.mark.parametrize("rewards", [[1.5], [30.0], [30.0, -2.0]], ids=["inside", "beyond", "both ways"])
@pytest.mark.parametrize("start", [[0.0, 0.0], [0.0, 0.9], [-0.6, 0.7]])
def test_the_least_loss_is_found_where_few_directions_are_known(rewards: list[float], start: list[float]) -> None:
    """Of one arm or two that differ by a sign: the least loss is that of a line."""
    poisson, signs = catalog.get("poisson"), np.array([1.0, -1.0])[: len(rewards)]
    rows = np.column_stack([np.outer(signs, [0.6, 0.8]), rewards, np.ones(len(rewards))])
    _, value, lower = least_loss(poisson, rows, np.array(start), 1.0)
    line = np.linspace(-1, 1, 20001)
    best = sum(np.exp(s * line) - r * s * line for s, r in zip(signs, rewards, strict=True)).min()
    assert lower <= best + 1e-9
    assert value == pytest.approx(best, abs=1.5e-3)
    assert value - lower <= 1e-3


@pytest.mark.parametrize("delta", [0.0, 1.0, math.nan, 1, "0.1"])
def test_a_rate_that_is_none_is_refused(delta: Any) -> None:
    with pytest.raises(BadInput, match=r"^delta = "):
        watched("bernoulli", 0.0, delta)
