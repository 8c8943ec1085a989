"""The search finds attacks that no fixed one matches, honestly and repeatably."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.engine.run import run
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import World
from glbcheck.core.simulation.attack_search import Arena, Found, Settings, fixed_attacks, search
from glbcheck.core.theory.parameters import parameters

C, ROUNDS = 40.0, 300
SMALL = Settings(generations=5, population=20, elite=5, replicates=3, finals=12, blocks=4)


def arena(scale: float | None = None, seed: int = 11) -> Arena:
    """One arm a round, x and -x in turn, and θ_* = 0.

    By construction no fixed attack can do much: every arm is the best one, so all but the mirror push the
    rewards of x and -x the same way, which cancels, and the mirror has nothing to reflect.
    """
    p = parameters(catalog.get("gaussian"), 2, 1.0, 0.05, C, 0.1, reading="repaired", radius_scale=scale)
    signs = np.where(np.arange(ROUNDS) % 2 == 0, 1.0, -1.0)
    return Arena(p, World(np.zeros(2), signs[:, None, None] * np.array([[1.0, 0.0]])), ROUNDS, seed)


@cache
def found() -> Found:
    return search(arena(), SMALL)


def ratios(where: Arena, attack: Attack, count: int = 20) -> list[float]:
    """The worst ratios of runs that no search has seen."""
    world = replace(where.world, attack=attack)
    return [run(where.p, world, ROUNDS, 99, (i,)).worst_ratio for i in range(count)]


def test_the_attack_found_beats_every_fixed_one_on_runs_neither_has_seen() -> None:
    best, fixed = found(), fixed_attacks(C, ROUNDS)
    assert best.plan is not None
    assert best.plan.direction == "amplify"
    assert best.score > 1.5 * max(best.rivals[name] for name in fixed)
    fresh = max(np.mean(ratios(arena(), attack)) for attack in fixed.values())
    assert np.mean(ratios(arena(), best.attack)) > 1.5 * fresh


def test_the_winner_is_the_best_of_all_finalists() -> None:
    best, fixed = found(), fixed_attacks(C, ROUNDS)
    assert best.score == max(best.rivals.values())
    assert set(fixed) < set(best.rivals)
    assert len(best.rivals) == SMALL.generations + len(fixed)
    assert len(best.generations) == SMALL.generations
    shown = best.plain()
    assert shown["best_fixed_score"] == best.rivals[shown["best_fixed"]] <= shown["score"]


def test_the_attack_found_respects_the_budget_exactly() -> None:
    where, best = arena(), found()
    record = run(where.p, replace(where.world, attack=best.attack), ROUNDS, 1, record=True).record
    assert record is not None
    spent = sum((abs(Fraction(float(c))) for c in record["corruption"]), Fraction(0))
    assert 0 < spent <= Fraction(C)


def test_the_theorem_survives_the_search() -> None:
    assert arena().p.guarantee.startswith("theorem")
    assert max(ratios(arena(), found().attack)) < 1


def test_a_search_repeats_and_another_seed_searches_elsewhere() -> None:
    quick = Settings(generations=1, population=14, elite=2, replicates=1, finals=1, blocks=3)
    first, again, other = (search(arena(seed=seed), quick) for seed in (1, 1, 2))
    assert first.plain() == again.plain()
    assert first.plain() != other.plain()


def test_a_broken_learner_is_brought_to_fall() -> None:
    """What the search is for: a radius too small that survives every fixed attack."""
    weak = arena(scale=0.2)
    assert max(max(ratios(weak, fixed)) for fixed in fixed_attacks(C, ROUNDS).values()) < 1
    assert min(ratios(weak, search(weak, SMALL).attack, 10)) > 1


def test_a_game_of_fewer_rounds_than_blocks_is_searched_too() -> None:
    short = Arena(arena().p, World(np.zeros(2), np.eye(2)), 2, 3)
    assert len(search(short, Settings(generations=1, population=13)).generations) == 1


# --- which runs it scores by, without playing any -------------------------------------------------------------


@dataclass(frozen=True)
class Ranked(Arena):
    """An arena where the size of a push is its harm, and every trial is written down."""

    trials: list[tuple[tuple[int, int], int]] = field(default_factory=list)

    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        self.trials.append((phase, count))
        return (min(attack.size, 5.0), attack.size) if attack.caps is not None else (0.5, 0.0)


class Harmless(Ranked):
    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        return (0.1, 0.0) if attack.caps is not None else (attack.size, 0.0)


def test_a_search_keeps_its_best_and_ends_on_runs_that_nobody_has_seen() -> None:
    where = Ranked(arena().p, World(np.zeros(2), np.eye(2)), ROUNDS, 11)
    best = search(where, Settings(3, 20, 4, 2, 7, 8))
    assert best.generations == tuple(sorted(best.generations))
    assert best.score == max(best.rivals.values()) == best.generations[-1] > 1.0  # more than any of the simplest
    assert best.plan is not None
    assert best.plan.size == best.attack.size  # of equal harm the second opinion decides
    phases = [phase for phase, _ in where.trials]
    assert phases == [(1, 0)] * 20 + [(1, 1)] * 20 + [(1, 2)] * 20 + [(2, 0)] * 8
    assert [count for _, count in where.trials] == [2] * 60 + [7] * 8


def test_a_fixed_attack_may_win() -> None:
    where = Harmless(arena().p, World(np.zeros(2), np.eye(2)), ROUNDS, 11)
    shown = (best := search(where, Settings(1, 20, 4, 2, 7, 8))).plain()
    assert (best.plan, shown["winner"], shown["generations"]) == (None, best.name, [0.1])
    assert (shown["best_fixed"], shown["best_fixed_score"]) == (best.name, best.score)
