"""The search finds attacks that no fixed one matches, honestly and repeatably."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.engine import World, run
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters, parameters
from glbcheck.verify.simulate.attack_search import Found, Objective, Settings, fixed_attacks, search

C, ROUNDS = 40.0, 300
SMALL = Settings(generations=5, population=20, elite=5, replicates=3, finals=12, fresh=10, blocks=4)


def case() -> tuple[Parameters, World]:
    """One arm a round, x and -x in turn, and θ_* = 0.

    By construction no fixed attack can do much: every arm is the best one, so all but the mirror push the
    rewards of x and -x the same way, which cancels, and the mirror has nothing to reflect.
    """
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, C, 0.1, reading="repaired")
    signs = np.where(np.arange(ROUNDS) % 2 == 0, 1.0, -1.0)
    return p, World(np.zeros(2), signs[:, None, None] * np.array([[1.0, 0.0]]))


@cache
def found(objective: Objective = "ratio", workers: int | None = None) -> Found:
    p, world = case()
    settings = Settings(**{**SMALL.__dict__, "objective": objective})
    return search(p, world, ROUNDS, 11, settings, workers=workers)


def test_the_attack_found_beats_every_fixed_one_on_runs_neither_has_seen() -> None:
    best = found()
    assert best.plan is not None
    assert best.plan.direction == "amplify"
    rivals = [best.rivals[name] for name in fixed_attacks(C, ROUNDS)]
    assert best.score > 1.5 * max(rivals)
    p, world = case()
    fresh = [
        np.mean(
            [run(p, World(world.theta_star, world.arms, attack=a), ROUNDS, 99, (i,)).worst_ratio for i in range(20)]
        )
        for a in fixed_attacks(C, ROUNDS).values()
    ]
    assert np.mean(best.ratios) > 1.5 * max(fresh)


def test_the_winner_is_the_best_of_all_finalists() -> None:
    best = found()
    assert best.score == max(best.rivals.values()) == best.rivals[best.name]
    assert set(fixed_attacks(C, ROUNDS)) < set(best.rivals)
    assert len(best.rivals) == SMALL.generations + len(fixed_attacks(C, ROUNDS))


def test_the_attack_found_respects_the_budget_exactly() -> None:
    best = found()
    p, world = case()
    outcome = run(p, World(world.theta_star, world.arms, attack=best.attack), ROUNDS, 1, record=True)
    assert outcome.record is not None
    spent = sum((abs(Fraction(float(c))) for c in outcome.record["corruption"]), Fraction(0))
    assert 0 < spent <= Fraction(C)
    assert best.plan is not None
    assert best.attack.C == C == best.plan.attack(C, ROUNDS).C


def test_the_theorem_survives_the_search() -> None:
    best = found()
    assert case()[0].guarantee.startswith("theorem")
    assert best.ratio == max(best.ratios) < 1
    assert len(best.ratios) == len(best.regrets) == SMALL.fresh


def test_the_number_of_workers_changes_nothing() -> None:
    assert found(workers=1) == found(workers=3)


def test_another_seed_searches_elsewhere() -> None:
    p, world = case()
    quick = Settings(generations=1, population=14, elite=2, replicates=1, finals=1, fresh=1, blocks=3)
    first, second = (search(p, world, ROUNDS, seed, quick) for seed in (1, 2))
    assert first.history != second.history


def test_generations_get_better_on_the_whole() -> None:
    history = found().history
    assert len(history) == SMALL.generations
    assert history[-1].mean > history[0].mean
    assert all(generation.score >= generation.mean for generation in history)


def test_the_search_can_aim_at_the_regret() -> None:
    """With an arm to lose: the second objective is another number, and the finalists are ranked by it."""
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, C, 0.5, reading="repaired", radius_scale=0.1)
    world = World(np.array([0.6, 0.0]), np.concatenate([np.eye(2), -np.eye(2)]))
    best = search(p, world, ROUNDS, 11, Settings(**{**SMALL.__dict__, "objective": "regret"}))
    assert best.score == max(best.rivals.values()) > 1
    clean = np.mean([run(p, world, ROUNDS, 99, (i,)).regret for i in range(10)])
    assert np.mean(best.regrets) > 2 * clean


def test_a_broken_learner_is_brought_to_fall() -> None:
    """What the search is for: a radius too small that survives every fixed attack."""
    _, world = case()
    weak = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, C, 0.1, reading="repaired", radius_scale=0.2)
    for fixed in fixed_attacks(C, ROUNDS).values():
        against = World(world.theta_star, world.arms, attack=fixed)
        assert not any(run(weak, against, ROUNDS, 5, (i,)).missed for i in range(20))
    assert min(search(weak, world, ROUNDS, 11, SMALL).ratios) > 1


def test_a_game_of_fewer_rounds_than_blocks_is_searched_too() -> None:
    p, _ = case()
    short = search(p, World(np.zeros(2), np.eye(2)), 2, 3, Settings(generations=1, population=13, fresh=2))
    assert len(short.ratios) == 2
    assert all(len(generation.best.shares) == 2 for generation in short.history)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"generations": 0}, "generations"),
        ({"population": 2.5}, "population"),
        ({"elite": 21}, "elite"),
        ({"objective": "fame"}, "objective"),
    ],
)
def test_senseless_settings_are_refused(changes: dict[str, object], word: str) -> None:
    with pytest.raises(BadInput, match=word):
        Settings(**{**SMALL.__dict__, **changes})


@pytest.mark.parametrize("budget", [0.0, math.inf, -1.0])
def test_a_search_without_a_budget_is_refused(budget: float) -> None:
    p, world = case()
    with pytest.raises(BadInput, match="C"):
        search(p, world, 10, 0, SMALL, C=budget)
