"""What the search for attacks draws, how it learns, and which runs it scores by, without playing any."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.environment.adversary import DIRECTIONS, TARGETS, Attack
from glbcheck.core.environment.world import World
from glbcheck.core.parameters import parameters
from glbcheck.core.simulation.attack_search import Arena, Settings, search
from glbcheck.core.simulation.plans import Law, Plan, fixed_attacks

TELL = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 40.0, 0.1, reading="repaired")
WORLD = World(np.zeros(2), np.eye(2))


# --- plans --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("C", "push"), [(40.0, 1.0), (300.0, 2.0)])
def test_a_push_spends_the_budget_in_half_of_the_rounds_and_is_one_at_least(C: float, push: float) -> None:
    attacks = fixed_attacks(C, 300)
    assert [attacks[name].size for name in ("front-loaded", "late", "low-weight")] == [push] * 3


def test_a_law_moves_most_of_the_way_towards_the_best_and_gives_up_no_choice() -> None:
    old = Law.initial(3, 40.0, 300)
    best = [Plan((1.0, math.exp(2.0), math.exp(4.0)), math.exp(3.0), math.exp(s), "up", "best") for s in (-1.0, 1.0)]
    law = old.towards(best)
    assert law.center[:3] == pytest.approx([-1.4, 0.0, 1.4])  # of shares their ratio counts
    assert law.center[3:] == pytest.approx([0.3 * old.center[3] + 0.7 * 3.0, 0.3 * old.center[4]])
    assert law.spread == pytest.approx([0.6, 0.6, 0.6, 0.3 * old.spread[3], 0.3 * 2.0 + 0.7])
    up = DIRECTIONS.index("up")
    assert law.directions.sum() == pytest.approx(1)
    assert law.directions[up] == pytest.approx(0.7 + 0.3 / len(DIRECTIONS))
    assert law.targets[TARGETS.index("best")] == pytest.approx(0.7 + 0.3 / len(TARGETS))
    for _ in range(20):
        law = law.towards(best[:1])
    assert law.spread == pytest.approx([0.05] * 5)
    assert 0.018 < min(law.directions) < 0.02


# --- the search ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranked(Arena):
    """An arena where the size of a push is its harm, and every trial is written down."""

    trials: list[tuple[tuple[int, int], int]] = field(default_factory=list)

    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        self.trials.append((phase, count))
        return (min(attack.size, 5.0), attack.size) if attack.caps is not None else (0.5, 0.0)


def test_a_search_keeps_its_best_and_ends_on_runs_that_nobody_has_seen() -> None:
    arena, settings = Ranked(TELL, WORLD, 300, 11), Settings(3, 20, 4, 2, 7, 8)
    found = search(arena, settings)
    assert len(found.generations) == 3
    assert list(found.generations) == sorted(found.generations)
    assert found.score == max(found.rivals.values()) == found.generations[-1] > 1.0  # more than any of the simplest
    assert found.plan is not None
    assert found.plan.size == found.attack.size  # of equal harm the second opinion decides
    assert (found.attack.C, found.attack.caps is not None) == (40.0, True)
    assert list(found.rivals) == ["generation 1", "generation 2", "generation 3", *fixed_attacks(40.0, 300)]
    names = [phase for phase, _ in arena.trials]
    assert names == [(1, 0)] * 20 + [(1, 1)] * 20 + [(1, 2)] * 20 + [(2, 0)] * 8
    assert [count for _, count in arena.trials] == [2] * 60 + [7] * 8


@pytest.mark.parametrize(("rounds", "blocks"), [(300, 8), (5, 5)])
def test_a_plan_has_no_more_blocks_than_there_are_rounds(rounds: int, blocks: int) -> None:
    found = search(Ranked(TELL, WORLD, rounds, 11), Settings(1, 20, 4, 1, 1, 8))
    assert found.plan is not None
    assert len(found.plan.shares) == blocks


class Harmless(Ranked):
    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        return (0.1, 0.0) if attack.caps is not None else (attack.size, 0.0)


def test_a_fixed_attack_may_win() -> None:
    found = search(Harmless(TELL, WORLD, 300, 11), Settings(1, 20, 4, 2, 7, 8))
    assert found.plan is None
    told = found.plain()
    assert (told["winner"], told["plan"]) == (found.name, None)
    assert (told["best_fixed"], told["best_fixed_score"], told["score"]) == (found.name, found.score, found.score)
    assert told["generations"] == [0.1]
