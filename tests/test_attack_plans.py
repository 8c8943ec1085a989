"""What the search for attacks draws, how it learns, and which runs it scores by, without playing any."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from glbcheck.core import catalog
from glbcheck.core.adversary import DIRECTIONS, TARGETS, Attack, front_loaded
from glbcheck.core.engine import World
from glbcheck.core.parameters import parameters
from glbcheck.core.simulation import attack_search
from glbcheck.core.simulation.attack_search import Arena, Settings, search
from glbcheck.core.simulation.cells import world_of
from glbcheck.core.simulation.grid import MOST_REPLICATES, Block
from glbcheck.core.simulation.plans import Law, Plan, fixed_attacks, simplest

TELL = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, 40.0, 0.1, reading="repaired")
WORLD = World(np.zeros(2), np.eye(2))


# --- plans --------------------------------------------------------------------------------------------------


def test_the_simplest_plans_spend_at_one_time_or_evenly_in_every_direction() -> None:
    plans, low = simplest(5, 40.0, 300), math.exp(-6.0)
    assert [plan.direction for plan in plans] == ["mislead", "amplify", "mirror"] * 4
    assert {(plan.below, plan.target) for plan in plans} == {(math.exp(6.0), "all")}
    assert [plan.shares for plan in plans[::3]] == [
        (1.0, low, low, low, low), (low, low, 1.0, low, low), (low, low, low, low, 1.0), (1.0,) * 5,
    ]  # fmt: skip
    assert [plan.size for plan in plans[::3]] == [1.0, 1.0, 1.0, pytest.approx(80 / 300)]


@pytest.mark.parametrize(("C", "push"), [(40.0, 1.0), (300.0, 2.0)])
def test_a_push_spends_the_budget_in_half_of_the_rounds_and_is_one_at_least(C: float, push: float) -> None:
    attacks = fixed_attacks(C, 300)
    assert [attacks[name].size for name in ("front-loaded", "late", "low-weight")] == [push] * 3


def test_a_law_without_spread_draws_its_centre() -> None:
    center = np.log([1.0, 2.0, 3.0, 0.5, 0.7])
    law = Law(center, np.zeros(5), np.array([0, 0, 0, 1.0, 0]), np.array([0, 1.0, 0]))
    plan = law.draw(np.random.default_rng(0))
    assert [*plan.shares, plan.size, plan.below] == pytest.approx([1.0, 2.0, 3.0, 0.5, 0.7])
    assert (plan.direction, plan.target) == ("up", "best")


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


class Small(Ranked):
    """An arena where the smallest push does most harm, far from where the search begins."""

    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        return (1 / attack.size, 0.0) if attack.caps is not None else (0.0, 0.0)


def test_the_law_is_drawn_towards_what_harms_most_and_the_best_is_never_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def towards(law: Law, best: Any) -> Law:
        asked.append([1 / plan.size for plan in best])
        return replace(law, center=law.center - len(asked), spread=np.zeros_like(law.spread))

    monkeypatch.setattr(Law, "towards", towards)
    found = search(Small(TELL, WORLD, 300, 11), Settings(4, 20, 4, 1, 1, 8))
    assert list(found.generations) == sorted(found.generations)
    assert found.generations == tuple(found.rivals[f"generation {n}"] for n in range(1, 5))
    assert [(len(best), best[0], best) for best in asked] == [
        (4, top, sorted(best, reverse=True)) for top, best in zip(found.generations, asked, strict=True)
    ]  # fmt: skip
    size = math.log(40.0 / math.sqrt(300)) - (1 + 2 + 3)  # all plans of the last generation, drawn without spread
    assert found.score == pytest.approx(math.exp(-size))


def test_a_best_plan_stays_until_a_better_one_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(law: Law, best: Any) -> Law:
        return replace(law, center=law.center + 9, spread=np.zeros_like(law.spread))

    monkeypatch.setattr(Law, "towards", away)
    found = search(Small(TELL, WORLD, 300, 11), Settings(3, 60, 4, 1, 1, 8))
    assert len(set(found.generations)) == 1
    assert found.score > max(1 / plan.size for plan in simplest(8, 40.0, 300))  # one that was drawn, and only once


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


def test_runs_are_scored_by_their_mean_worst_ratio_and_then_by_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[Any, ...]] = []

    def run(p: Any, world: World, rounds: int, seed: int, name: Any, marks: Iterable[int]) -> Any:
        played.append((world.attack, rounds, seed, name, list(marks)))
        later = {"error_at": np.array([1.0, 3.0, 2.0]), "radius_at": np.array([4.0, 4.0, 1.0])}
        return SimpleNamespace(worst_ratio=float(len(played)), **later)

    monkeypatch.setattr(attack_search, "run", run)
    attack = front_loaded(40.0)
    assert Arena(TELL, WORLD, 48, 3).score(attack, (1, 5), 3) == (2.0, 2.0)
    assert played == [(attack, 48, 3, (1, 5, n), list(range(3, 49, 3))) for n in range(3)]
    played.clear()
    Arena(TELL, WORLD, 5, 3).score(attack, (1, 5), 1)
    assert played[0][-1] == [1, 2, 3, 4, 5]


def test_a_cell_says_how_long_to_search() -> None:
    (cell,) = Block(C=(20.0,), adversaries=("searched:3",)).cells()
    assert attack_search.settings_of(cell) == Settings(generations=3)
    assert attack_search.trials(cell) == 3 * (32 * 3 + 16)


def test_what_is_found_for_a_cell_is_found_where_no_run_of_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    (cell,) = Block(C=(20.0,), adversaries=("searched:3",), replicates=5).cells()
    asked: list[Any] = []
    monkeypatch.setattr(attack_search, "search", lambda *given: asked.append(given))
    attack_search.find(cell, 7)
    ((arena, settings),) = asked
    assert (arena.rounds, arena.seed, settings) == (cell.T, 7, Settings(generations=3))
    for number in range(cell.replicates):
        assert not np.array_equal(arena.world.theta_star, world_of(cell, number, 7).theta_star)
    again = world_of(replace(cell, C=3.0), MOST_REPLICATES, 7)
    assert np.array_equal(arena.world.theta_star, again.theta_star)
