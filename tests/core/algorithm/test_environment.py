"""Worlds, what attacks do in them, and what a run leaves behind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import Outcome, run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import World, changing, corruption_arms, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import parameters

BERNOULLI, POISSON, GAUSSIAN = (catalog.get(name) for name in ("bernoulli", "poisson", "gaussian"))
C = 5.0
THETA = np.array([0.6, -0.3, 0.5])
FIXED = sphere(np.random.default_rng(0), 8, 3)


def played(
    world: World, rounds: int, family: Any = GAUSSIAN, d: int = 3, budget: float = C, key: int = 0, **more: Any
) -> tuple[Outcome, dict[str, Floats]]:
    outcome = run(parameters(family, d, 1.0, 0.05, budget, **more), world, rounds, 1, (key,), record=True)
    assert outcome.record is not None
    return outcome, outcome.record


def test_arms_of_the_corruption_bound_are_equally_far_from_each_other() -> None:
    arms = corruption_arms(5, 0.3)
    gram = arms @ arms.T
    assert np.diag(gram) == pytest.approx([1.0] * 4)
    assert gram[~np.eye(4, dtype=bool)] == pytest.approx([math.cos(0.3) ** 2] * 12)
    with pytest.raises(BadInput):
        corruption_arms(1, 0.3)


def test_while_the_budget_lasts_no_instance_of_the_corruption_bound_can_be_told_from_another() -> None:
    shown, arms = set(), corruption_arms(4, 0.3)
    for best in range(len(arms)):
        hiding = adversary.hidden(50.0, GAUSSIAN, 1.0, math.cos(0.3) ** 2)
        found, rows = played(World(arms[best], arms, attack=hiding, noisy=False), 30, d=4, budget=50.0)
        shown.add(tuple(np.round(rows["reward"] + rows["corruption"], 12)))
        wrong = np.count_nonzero(rows["arm"] != best)
        assert found.regret == pytest.approx(wrong * (1.0 - math.cos(0.3) ** 2))
    assert len(shown) == 1


@pytest.mark.parametrize("family", [BERNOULLI, POISSON, GAUSSIAN], ids=lambda f: f.name)
def test_the_same_seed_gives_the_same_run_and_another_replicate_another(family: Any) -> None:
    world = World(THETA, changing(6, 3), attack=adversary.front_loaded(C))
    (first, one), (again, same), (_, other) = (played(world, 64, family, key=number) for number in (0, 0, 1))
    assert first.corruption == pytest.approx(C)
    assert first.misses == 0
    assert one["reward"].tolist() == same["reward"].tolist() != other["reward"].tolist()
    assert (first.theta == again.theta).all()


def test_corruption_changes_no_reward_noise() -> None:
    attacks = (adversary.NO_ATTACK, adversary.front_loaded(C))
    (_, calm), (_, attacked) = (played(World(THETA, FIXED[:1], attack=attack), 20) for attack in attacks)
    assert calm["reward"].tolist() == attacked["reward"].tolist()
    np.testing.assert_allclose(attacked["corruption"], [-1.0] * 5 + [0.0] * 15, atol=1e-12)


@pytest.mark.parametrize(("attack", "added"), [
    (adversary.late(2.0, 4), [0.0, 0.0, -1.0, -1.0]),
    (adversary.paced(4.0, 4, (1.0, 1.0), 2.0, "up"), [2.0, 0.0, 2.0, 0.0]),
])  # fmt: skip
def test_an_attack_comes_in_the_rounds_that_it_names(attack: Attack, added: list[float]) -> None:
    _, rows = played(World(THETA, FIXED[:1], attack=attack, noisy=False), 4)
    assert rows["corruption"] == pytest.approx(added)
    assert rows["reward"] == pytest.approx([FIXED[0] @ THETA] * 4)
    assert rows["natural"] == pytest.approx([FIXED[0] @ THETA] * 4)


def test_a_false_confidence_set_is_noticed() -> None:
    found, _ = played(World(THETA, FIXED), 50, radius_scale=1e-3)
    assert found.first_miss == 1
    assert found.worst_ratio > 1
