"""Worlds, the loop in which the reference plays them, and the sums a run leaves behind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.algorithm import HCWGLBOMD, Round
from glbcheck.core.algorithm.confidence_set import ConfidenceSet
from glbcheck.core.algorithm.reference_run import play
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import World, changing, corruption_arms, decades, sphere
from glbcheck.core.errors import BadInput
from glbcheck.core.theory.parameters import parameters

BERNOULLI, POISSON, GAUSSIAN = (catalog.get(name) for name in ("bernoulli", "poisson", "gaussian"))
C, T = 5.0, 300
THETA = np.array([0.6, -0.3, 0.5])
FIXED = sphere(np.random.default_rng(0), 8, 3)
ATTACKS = {
    "none": adversary.NO_ATTACK,
    **adversary.fixed(C, T),
    "paced": adversary.paced(C, T, (1.0, 0.0, 2.0), 0.5, "amplify", below=3.0),
    "paced mirror": adversary.paced(C, T, (0.5, 1.0), 0.3, "mirror", "others", below=2.0),
    "noiseless": adversary.hidden(C, GAUSSIAN, 1.0, math.cos(0.5) ** 2),
}


@dataclass(frozen=True)
class Noted:
    """One round as the learner saw it."""

    x: Floats
    reward: float
    g: float
    before: ConfidenceSet
    done: Round


class Recorder(HCWGLBOMD):
    """The reference, taking notes."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.notes: list[Noted] = []

    def update(self, x: Any, reward: float, dispersion: float = 1.0) -> Round:
        before = self.confidence_set
        done = super().update(x, reward, dispersion)
        self.notes.append(Noted(x, reward, dispersion, before, done))
        return done


# --- the same game as the engine's --------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
@pytest.mark.parametrize("moving", [False, True])
def test_reference_and_engine_play_the_same_game(attack: Attack, moving: bool) -> None:
    """Without noise a world leaves no freedom: arms, dispersions and chances come from the same streams."""
    g = decades(1e-3, 1.0)
    world = World(THETA, changing(6, 3, 0.999) if moving else FIXED, g, attack, noisy=False)
    p = parameters(GAUSSIAN, 3, 1.0, 0.05, C, 1.0, radius_scale=0.05)
    path = play(world, HCWGLBOMD(GAUSSIAN, 3, 1.0, 0.05, C, 1.0, radius_scale=0.05), T, 7, 2)
    fast = run(p, world, T, 7, (2,))
    assert path.distrusted == fast.discounted > 0
    assert (path.first_miss or 0) == fast.first_miss
    for name in ("regret", "corruption", "worst_ratio", "optimal_variance", "inverse_g", "g_min", "g_max"):
        assert getattr(path, name) == pytest.approx(getattr(fast, name), rel=1e-9), name
    assert (fast.corruption > 0) == (attack is not adversary.NO_ATTACK)


# --- worlds -------------------------------------------------------------------------------------------------


def test_arms_of_the_corruption_bound_are_equally_far_from_each_other() -> None:
    arms = corruption_arms(5, 0.3)
    gram = arms @ arms.T
    assert np.diag(gram) == pytest.approx([1.0] * 4)
    assert gram[~np.eye(4, dtype=bool)] == pytest.approx([math.cos(0.3) ** 2] * 12)
    with pytest.raises(BadInput):
        corruption_arms(1, 0.3)


def test_while_the_budget_lasts_no_instance_of_the_corruption_bound_can_be_told_from_another() -> None:
    shown, arms = set(), corruption_arms(4, 0.3)
    for best in arms:
        learner = Recorder(GAUSSIAN, 4, 1.0, 0.05, 50.0)
        hiding = adversary.hidden(50.0, GAUSSIAN, 1.0, math.cos(0.3) ** 2)
        path = play(World(best, arms, attack=hiding, noisy=False), learner, 30, 1)
        shown.add(tuple(round(note.reward, 12) for note in learner.notes))
        wrong = sum(not np.array_equal(note.x, best) for note in learner.notes)
        assert path.regret == pytest.approx(wrong * (1.0 - math.cos(0.3) ** 2))
    assert len(shown) == 1


# --- what a run leaves behind -------------------------------------------------------------------------------


@pytest.mark.parametrize("family", [BERNOULLI, POISSON, GAUSSIAN], ids=lambda f: f.name)
def test_the_same_seed_gives_the_same_run_and_another_replicate_another(family: Any) -> None:
    world = World(THETA, changing(6, 3), attack=adversary.front_loaded(C))
    first, again, other = (Recorder(family, 3, 1.0, 0.05, C) for _ in range(3))
    for learner, number in ((first, 0), (again, 0), (other, 1)):
        path = play(world, learner, 64, 1, number)
        assert path.corruption == pytest.approx(C)
        assert path.covered
    rewards = [[note.reward for note in learner.notes] for learner in (first, again, other)]
    assert rewards[0] == rewards[1] != rewards[2]
    assert (first.theta == again.theta).all()


def test_corruption_changes_no_reward_noise() -> None:
    one_arm = FIXED[:1]
    learners = [Recorder(GAUSSIAN, 3, 1.0, 0.05, C) for _ in range(2)]
    for learner, attack in zip(learners, (adversary.NO_ATTACK, adversary.front_loaded(C)), strict=True):
        play(World(THETA, one_arm, attack=attack), learner, 20, 1)
    calm, attacked = (np.array([note.reward for note in learner.notes]) for learner in learners)
    np.testing.assert_allclose(calm - attacked, [1.0] * 5 + [0.0] * 15, atol=1e-12)


@pytest.mark.parametrize(("attack", "added"), [
    (adversary.late(2.0, 4), [0.0, 0.0, -1.0, -1.0]),
    (adversary.paced(4.0, 4, (1.0, 1.0), 2.0, "up"), [2.0, 0.0, 2.0, 0.0]),
])  # fmt: skip
def test_an_attack_on_the_reference_comes_in_the_rounds_that_it_names(attack: Attack, added: list[float]) -> None:
    learner = Recorder(GAUSSIAN, 3, 1.0, 0.05, C)
    play(World(THETA, FIXED[:1], attack=attack, noisy=False), learner, 4, 1)
    assert [note.reward - FIXED[0] @ THETA for note in learner.notes] == pytest.approx(added)


def test_sums_agree_with_the_rounds_they_summarise() -> None:
    learner = Recorder(GAUSSIAN, 3, 1.0, 0.05, C, alpha=2.0, diagnose=True)
    world = World(THETA, FIXED, decades(1e-4, 1.0), adversary.front_loaded(C))
    path = play(world, learner, T, 3)
    notes = learner.notes
    norm, weight, g = (
        np.array(values) for values in zip(*((n.done.norm, n.done.weight, n.g) for n in notes), strict=True)
    )
    low = weight < 1
    assert 0 < path.distrusted == low.sum() < T
    # The slope of the Gaussian mean is 1, so the four sums are of norms and of their squares.
    sums = [norm[~low].sum(), norm[low].sum(), (norm[~low] ** 2).sum(), (norm[low] ** 2).sum()]
    assert pytest.approx(sums) == [path.S_0, path.S_1, path.S_2, path.S_3]
    assert path.inverse_g == pytest.approx(np.sum(1 / g))
    assert path.inverse_g_before == pytest.approx(np.sum(1 / g[:-1]))
    assert (path.g_min, path.g_max, path.rounds) == (g.min(), g.max(), T)
    assert path.optimal_variance == pytest.approx(np.sum(g))
    assert path.covering == sum(bool(note.done.covers_ball) for note in notes)
    ratios = [note.before.distance(THETA) / note.before.radius for note in notes]
    assert path.worst_ratio == pytest.approx(max(ratios))
    assert path.covered == (max(ratios) <= 1)
    naturals = [note.x @ THETA for note in notes]
    assert path.regret == pytest.approx(np.sum((FIXED @ THETA).max() - naturals))


def test_a_false_confidence_set_is_noticed() -> None:
    path = play(World(THETA, FIXED), HCWGLBOMD(GAUSSIAN, 3, 1.0, 0.05, C, radius_scale=1e-3), 50, 1)
    assert path.first_miss == 1
    assert path.worst_ratio > 1
