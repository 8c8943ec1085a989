"""Broken learners are broken in exactly the way their name says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm.confidence_set import most_uncertain
from glbcheck.core.algorithm.reference import omd_step
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import Outcome, run
from glbcheck.core.engine.state import Variant
from glbcheck.core.environment import adversary
from glbcheck.core.environment.world import World, sphere
from glbcheck.core.simulation.mutants import MUTANTS, OVERSPENT
from glbcheck.core.theory.parameters import Parameters, parameters

ROUNDS = 1500


class Slow:
    """The pseudocode with every variant, in numpy, factoring H anew each round; closed-form index."""

    def __init__(self, p: Parameters, variant: Variant) -> None:
        self.p, self.variant = p, variant
        self.theta, self.H, self.inverse_g = np.zeros(p.d), variant.ridge * p.lam * np.eye(p.d), 0.0

    @property
    def radius(self) -> float:
        widening = 2 * self.p.eta * self.p.alpha * self.p.C if self.variant.widening else 0.0
        return self.p.radius_scale * (self.p.beta(self.inverse_g, math.nan) + widening)

    def select(self, arms: Floats) -> int:
        norms = np.einsum("kj,jk->k", arms, np.linalg.solve(self.H, arms.T))
        index = arms @ self.theta + self.radius * np.sqrt(norms)
        return most_uncertain(index, float(np.abs(index).max()), norms)

    def update(self, x: Floats, reward: float, g: float) -> float:
        p, mu, dmu = self.p, self.p.family.mu, self.p.family.dmu
        Hinv_x = np.asarray(np.linalg.solve(self.H, x), dtype=float)
        w = min(1.0, p.alpha * g / math.sqrt(x @ Hinv_x)) if self.variant.weights else 1.0
        z = float(x @ self.theta)
        s, a = w / g * (float(mu(z)) - reward), w / g * float(dmu(z))
        if self.variant.euclidean:
            free = self.theta - np.linalg.solve(self.H / p.eta + a * np.outer(x, x), s * x)
            theta = free * min(1.0, p.S / float(np.linalg.norm(free)))
        else:
            lam = p.lam * self.variant.ridge
            theta = omd_step(self.theta, self.H, x, Hinv_x, s, a, p.eta, lam, p.S).theta
        self.theta = theta
        c = a if self.variant.old_hessian else w / g * float(dmu(float(x @ theta)))
        self.H = self.H + c * np.outer(x, x)
        self.inverse_g += 1 / g
        return w


VARIANTS = [
    Variant(), Variant(weights=False), Variant(widening=False), Variant(old_hessian=True), Variant(euclidean=True),
    Variant(ridge=7.0), Variant(False, False, True, True, 0.3),
]  # fmt: skip


def instance(name: str) -> tuple[Parameters, World]:
    """Small S and large corruptions, so that weights bind and steps leave the ball."""
    C = 300.0
    p = parameters(catalog.get(name), 3, 0.5, 0.05, C, 0.02, radius_scale=0.2, index="closed-form")
    rng = np.random.default_rng(4)
    arms = 0.999 * sphere(rng, 6, 3)
    return p, World(0.4 * sphere(rng, 1, 3)[0], arms, 1.0, adversary.front_loaded(C, 5.0))


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "poisson"])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_variant_does_what_numpy_does_with_the_same_break(name: str, variant: Variant) -> None:
    p, world = instance(name)
    outcome = run(p, world, ROUNDS, 9, record=True, variant=variant)
    rows = outcome.record
    assert rows is not None
    slow, arms = Slow(p, variant), np.asarray(world.arms)
    for t in range(ROUNDS):
        assert slow.radius == pytest.approx(rows["radius"][t], rel=1e-9)
        k = slow.select(arms)
        assert k == rows["arm"][t]
        w = slow.update(arms[k], float(rows["reward"][t] + rows["corruption"][t]), 1.0)
        assert w == pytest.approx(rows["weight"][t], rel=1e-8)
    np.testing.assert_allclose(outcome.theta, slow.theta, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(outcome.H, slow.H, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("variant", VARIANTS[1:], ids=str)
def test_every_break_shows_somewhere_in_the_run(variant: Variant) -> None:
    def left(outcome: Outcome) -> tuple[object, ...]:
        return outcome.theta.tobytes(), outcome.H.tobytes(), outcome.radius

    p, world = instance("bernoulli")
    unbroken, broken = (run(p, world, ROUNDS, 9, variant=v) for v in (Variant(), variant))
    assert unbroken.discounted > 0
    assert unbroken.projected > 0
    assert left(unbroken) != left(broken)


def test_the_adversary_measures_trust_by_the_prescribed_weights_even_if_the_learner_has_none() -> None:
    p, world = instance("gaussian")
    sly = World(world.theta_star, world.arms, 1.0, adversary.low_weight(p.C, 1.0, below=0.5))
    blind = run(p, sly, ROUNDS, 9, variant=Variant(weights=False))
    assert blind.discounted == 0
    assert blind.corruption > 0


# --- the table of mutants -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["radius-halved", "radius-tenth", "light-ridge"])
def test_a_mutant_that_tunes_a_constant_carries_no_guarantee(name: str) -> None:
    p, world = instance("gaussian")
    assert MUTANTS[name].apply(p, world)[0].guarantee.startswith("none")


def test_the_overspending_adversary_spends_what_the_learner_was_not_told() -> None:
    p, world, variant = MUTANTS["overspent"].apply(*instance("gaussian"))
    outcome = run(p, world, ROUNDS, 1, variant=variant)
    assert outcome.corruption == pytest.approx(OVERSPENT * p.C)
