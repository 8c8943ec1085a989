"""Runs in lockstep are the runs one by one: the same actions, the same numbers up to the order of sums."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import Outcome, World, replicate, run
from glbcheck.core.engine.wide import LANES
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import NO_ATTACK, Attack
from glbcheck.core.environment.world import sphere, stream
from glbcheck.core.parameters import Index, Parameters, RadiusForm, parameters

ROUNDS = 4500  # past the first fresh factorisation of H and past the end of a stack
TOLERANCE = 1e-9  # relative, of every number


@dataclass(frozen=True)
class Case:
    family: str
    S: float
    d: int
    scale: float = 0.1
    g: float = 1.0
    attack: Attack = NO_ATTACK
    radius_form: RadiusForm = "sum"
    alpha: float | None = None
    index: Index = "closed-form"

    def parameters(self) -> Parameters:
        return parameters(
            catalog.get(self.family), self.d, self.S, 0.05, self.attack.C, self.alpha,
            index=self.index, radius_form=self.radius_form, radius_scale=self.scale,
        )  # fmt: skip

    def world(self, rng: np.random.Generator) -> World:
        arms = 0.999 * sphere(rng, 7, self.d) * rng.uniform(0.4, 1, (7, 1))
        return World(0.9 * self.S * sphere(rng, 1, self.d)[0], arms, self.g, self.attack)


CASES = {
    "plain": Case("bernoulli", 3.0, 5, scale=0.6),
    "never informative": Case("poisson", 1.0, 4, scale=3.0, attack=adversary.mirror(30.0)),
    "discounted": Case("gaussian", 1.0, 3, g=0.1, alpha=0.01, attack=adversary.low_weight(40.0)),
    "thrown out of the ball": Case("gaussian", 0.2, 3, g=4.0, radius_form="determinant"),
    "flipped": Case("bernoulli", 2.0, 2, attack=Attack(adversary.FLIP, 50.0, 0.3, divisible=False)),
    "drawn by Python": Case("binomial", 1.0, 2, scale=0.2),
    "one dimension": Case("poisson", 0.5, 1, radius_form="determinant"),
    "exact index": Case("bernoulli", 1.0, 3, scale=0.3, index="exact", attack=adversary.mirror(20.0)),
}


def alone(case: Case, count: int, marks: range) -> list[Outcome]:
    p = case.parameters()
    return [run(p, case.world(stream(8, (n,))), ROUNDS, 8, (n,), marks) for n in range(count)]


def assert_same(ours: Outcome, theirs: Outcome) -> None:
    for field in fields(Outcome):
        a, b = getattr(ours, field.name), getattr(theirs, field.name)
        if field.type == "int":
            assert a == b, field.name
        elif a is not None:
            scale = np.abs(b).max(initial=1e-300)
            np.testing.assert_allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE * scale, err_msg=field.name)


@pytest.mark.parametrize("name", CASES)
def test_runs_in_lockstep_are_the_runs_one_by_one(name: str) -> None:
    case, count, every = CASES[name], LANES + 3, range(1, ROUNDS + 1)
    together = replicate(case.parameters(), case.world, ROUNDS, 8, count, every, workers=1)
    # Arms of a world have different means, so the regret of every round tells which arm was pulled.
    for ours, theirs in zip(together, alone(case, count, every), strict=True):
        assert_same(ours, theirs)


def test_the_cases_reach_what_is_rare() -> None:
    found = {name: alone(case, 3, range(0)) for name, case in CASES.items()}
    assert all(o.first_informative == 0 for o in found["never informative"])
    assert all(o.first_informative > 1 for o in found["plain"])
    assert all(o.discounted > 0 for o in found["discounted"])
    assert all(o.projected > 0 for o in found["thrown out of the ball"])
    assert any(o.corruption > 0 for o in found["flipped"])


def test_a_lane_does_not_look_at_its_neighbours() -> None:
    case = CASES["thrown out of the ball"]
    few, many = (replicate(case.parameters(), case.world, 2500, 8, n, (10, 2500)) for n in (3, LANES + 3))
    for a, b in zip(few, many[:3], strict=True):
        assert (a.regret, a.worst_ratio, a.radius) == (b.regret, b.worst_ratio, b.radius)
        assert a.theta.tobytes() + a.H.tobytes() == b.theta.tobytes() + b.H.tobytes()
