"""What the algorithm would do with a family: its constants, when its confidence set speaks, a short run."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from glbcheck.core import concordance
from glbcheck.core.adversary import front_loaded
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.binomial import clopper_pearson_lower, clopper_pearson_upper
from glbcheck.core.constants import Reading
from glbcheck.core.environment import play
from glbcheck.core.family import Floats, Sampler
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.core.world import World, sphere
from glbcheck.verify.audit.check import Finding
from glbcheck.verify.audit.subject import Subject
from glbcheck.verify.claim import Verdict

FARTHEST = 10**18  # rounds; beyond it nobody plays
SEED = 20_240_601
READINGS: tuple[Reading, ...] = ("paper", "repaired")
BLOCK = 64
RUNS, ROUNDS = (30, 8), (300, 60)  # full, quick


def prescribed(subject: Subject, reading: Reading) -> Parameters:
    return parameters(
        subject.family,
        subject.d,
        float(subject.S),
        subject.delta,
        subject.C,
        reading=reading,
    )


def radius_at(p: Parameters, rounds: float, g: float) -> float:
    """The radius after that many rounds of dispersion g."""
    return p.radius(p.beta(rounds / g, 0.0))


def not_before(p: Parameters, g: float) -> float:
    """Before this round C_t holds all of Θ for sure: H_t <= λ + L_μ Σ1/g, and Θ has diameter 2S."""
    return _first(p, g, p.L_mu, 2 * p.S)


def surely_from(p: Parameters, g: float, kappa: float) -> float:
    """From this round on C_t has lost a part of Θ, if arms have length 1.

    As H_t >= λ every weight is at least w = min(1, α g sqrt(λ)).  So H_t has an eigenvalue of at least
    λ + (t - 1) w/(κ d g), and one of the two ends of Θ along its direction is S times its root away from θ_t,
    or farther.
    """
    weight = min(1.0, p.alpha * g * math.sqrt(p.lam))
    return _first(p, g, weight / (kappa * p.d), p.S)


def _first(p: Parameters, g: float, rate: float, reach: float) -> float:
    """The first round t with radius_t < reach sqrt(λ + rate (t - 1)/g); infinity beyond 1e18.

    No round before it and every round after it is such: the square of the radius is concave in t, the other
    side is linear, and at t = 1 the radius is larger because β_1^2 > 4 λ S^2.
    """

    def informative(past: int) -> bool:
        return radius_at(p, past, g) < reach * math.sqrt(p.lam + rate * past / g)

    low, high = 0, 1  # rounds before t: not informative after `low` of them, informative after `high`
    while not informative(high):
        low, high = high, 2 * high
        if high > FARTHEST:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if informative(middle) else (middle, high)
    return high + 1


def derived(subject: Subject) -> Finding:
    """η, λ, β_t and the radius as printed and repaired, and how long C_t contains all of Θ."""
    g, kappa = float(subject.g), concordance.kappa(subject.family, subject.S).upper
    data: dict[str, Any] = {}
    lines = []
    for reading in READINGS:
        p = prescribed(subject, reading)
        soonest, surely = not_before(p, g), surely_from(p, g, kappa)
        data[reading] = {
            "eta": p.eta,
            "lambda": p.lam,
            "alpha": p.alpha,
            "beta_1": p.beta(0.0, 0.0),
            "beta_T": p.beta(subject.T / g, 0.0),
            "radius_T": radius_at(p, subject.T, g),
            "not_before": _count(soonest),
            "surely_from": _count(surely),
            "guarantee": p.guarantee,
        }
        lines.append(
            f"{reading}: eta {p.eta:.4g}, lambda {p.lam:.4g}, beta_1 {p.beta(0.0, 0.0):.4g}, radius "
            f"{radius_at(p, subject.T, g):.4g} at T = {subject.T}; C_t holds all of Theta before t = "
            f"{_words(soonest)}, {_until(surely)}"
        )
    return Finding(Verdict.DEFINITION, ". ".join(lines), data)


def _count(t: float) -> int | None:
    return None if math.isinf(t) else int(t)


def _words(t: float) -> str:
    return f"{FARTHEST:.0e}" if math.isinf(t) else f"{t:.3g}" if t >= 1e6 else f"{t:.0f}"


def _until(surely: float) -> str:
    if math.isinf(surely):
        return f"perhaps beyond t = {FARTHEST:.0e} too"
    return f"not from t = {_words(surely)} on if arms have length 1"


def short_run(subject: Subject) -> Finding:
    """The algorithm with random arms and a misleading adversary; every run that ever loses θ* counts."""
    runs, rounds = RUNS[subject.quick], min(ROUNDS[subject.quick], subject.T)
    d, S, reading = subject.d, float(subject.S), trusted_reading(subject)
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(d,)))
    direction = sphere(rng, 1, d)[0]
    arms = np.concatenate([sphere(rng, 5, d), direction[None, :]])
    world = World(0.9 * S * direction, arms, float(subject.g), front_loaded(subject.C))
    misses, worst, regret = 0, 0.0, 0.0
    for number in range(runs):
        learner = HCWGLBOMD(
            subject.family, d=d, S=S, delta=subject.delta, C=subject.C, constants=reading, index="closed-form"
        )
        family = replace(subject.family, sampler=_in_blocks(subject.family.sampler))
        path = play(world, learner, rounds, SEED, number, family)
        misses, worst, regret = (
            misses + (not path.covered),
            max(worst, path.worst_ratio),
            regret + path.regret,
        )
    level = Fraction(1, 100)
    upper, lower = clopper_pearson_upper(runs, misses, level), clopper_pearson_lower(runs, misses, level)
    data = {
        "runs": runs,
        "rounds": rounds,
        "misses": misses,
        "miss_upper_99": float(upper),
        "worst_ratio": worst,
        "mean_regret": regret / runs,
        "constants": reading,
        "seed": SEED,
    }
    words = (
        f"{misses} of {runs} runs of {rounds} rounds ever lost theta* (chance below {float(upper):.3g} with "
        f"99% confidence, {subject.delta:g} allowed); largest error {worst:.3g} of the radius, {reading} "
        "constants"
    )
    caught = lower > Fraction(subject.delta)
    return Finding(Verdict.REFUTED if caught else Verdict.STRESS_TESTED, words, data)


def _in_blocks(sampler: Sampler) -> Sampler:
    """The same rewards in law, drawn many at a time for each z: a sampler by inversion is slow one by one."""
    waiting: dict[tuple[float, float], list[float]] = {}

    def draw(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
        rewards = waiting.setdefault((float(at), dispersion), [])
        if not rewards:
            rewards += list(sampler(rng, np.full(BLOCK, float(at)), dispersion))
        return np.asarray(rewards.pop())

    return draw


def trusted_reading(subject: Subject) -> Reading:
    """The repaired constants where their theorem applies, the printed ones otherwise."""
    return "paper" if prescribed(subject, "repaired").guarantee.startswith("none") else "repaired"
