"""A search for the attack that does most harm: cross-entropy over paced attacks.

An attack is a point of a small space: the shares of the budget that the blocks of the horizon get, the size
of one push, the level of trust below which it pushes, the direction and the target.  Each generation draws a
population, beside the best of the one before, plays every candidate on the same few runs, and moves the
distribution it draws from towards the best of them; the first one also meets the simplest plans.  The winners
of all generations and the fixed attacks then meet on runs none of them has seen.  The best one there still
has to play the cell's own runs, so that what is reported is no artefact of having been chosen.

Everything follows from the seed: candidates are drawn in one place, and a run has the same name and the same
numbers whichever worker plays it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from glbcheck.core.engine.run import Outcome, run
from glbcheck.core.environment.adversary import Attack
from glbcheck.core.environment.world import World, stream
from glbcheck.core.simulation import instances
from glbcheck.core.simulation.cells import prepared, world_of
from glbcheck.core.simulation.grid import MOST_REPLICATES, Cell
from glbcheck.core.simulation.plans import Law, Plan, fixed_attacks, simplest
from glbcheck.core.theory.parameters import Parameters

# Runs are named by (phase, generation or 0, number).
_DRAWS, _SEARCH, _FINAL = range(3)


@dataclass(frozen=True)
class Settings:
    """How hard to search."""

    generations: int = 10
    population: int = 32
    elite: int = 6
    replicates: int = 3
    finals: int = 16
    blocks: int = 8


@dataclass(frozen=True)
class Found:
    """The best attack, the scores of all finalists on the same runs, and the best score of each generation.

    `plan` is None if a fixed attack won.
    """

    name: str
    plan: Plan | None
    attack: Attack
    rivals: Mapping[str, float]
    generations: tuple[float, ...]

    @property
    def score(self) -> float:
        return self.rivals[self.name]

    def plain(self) -> dict[str, Any]:
        """What was found, as plain data; scores are mean ratios over the same runs."""
        fixed = {name: self.rivals[name] for name in fixed_attacks(1.0, 1)}
        return {
            "winner": self.name,
            "plan": None if self.plan is None else asdict(self.plan),
            "score": self.score,
            "best_fixed": max(fixed, key=lambda name: fixed[name]),
            "best_fixed_score": max(fixed.values()),
            "generations": list(self.generations),
        }


def find(cell: Cell, seed: int) -> Found:
    """The attack with the largest error against the radius, on an instance that none of the runs meets."""
    world = world_of(cell, MOST_REPLICATES, seed)
    return search(Arena(prepared(cell), world, cell.T, seed), settings_of(cell))


def trials(cell: Cell) -> int:
    """How many runs the search takes, about."""
    s = settings_of(cell)
    return s.generations * (s.population * s.replicates + s.finals)


def settings_of(cell: Cell) -> Settings:
    (generations,) = instances.spec("adversaries", cell.adversary, instances.ADVERSARIES).numbers
    return Settings(generations=int(generations))


@dataclass(frozen=True)
class Arena:
    """Where attacks are tried: the runs of a phase are the same for every attack."""

    p: Parameters
    world: World
    rounds: int
    seed: int

    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        """The mean harm of an attack, and a second opinion where many attacks do the same harm.

        The worst ratio may be that of the first round, before any attack: then the ratios at later
        checkpoints tell good attacks from bad ones.
        """
        block = max(self.rounds // 16, 1)
        marks = range(block, self.rounds + 1, block)
        against = replace(self.world, attack=attack)
        runs = [run(self.p, against, self.rounds, self.seed, (*phase, number), marks) for number in range(count)]
        return _mean([o.worst_ratio for o in runs]), _mean([_largest_later(o) for o in runs])


def _largest_later(outcome: Outcome) -> float:
    return float((outcome.error_at / outcome.radius_at).max())


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def search(arena: Arena, settings: Settings) -> Found:
    """The attack with the learner's budget that harms it most in this arena."""
    C, T = arena.p.C, arena.rounds
    blocks = min(settings.blocks, T)
    law, rng = Law.initial(blocks, C, T), stream(arena.seed, (_DRAWS, 0))
    known, winners, scores = simplest(blocks, C, T), [], []
    for number in range(settings.generations):
        drawn = [law.draw(rng) for _ in range(settings.population - len(known))]
        plans = (known + drawn)[: settings.population]
        score = [arena.score(plan.attack(C, T), (_SEARCH, number), settings.replicates) for plan in plans]
        order = sorted(range(len(plans)), key=lambda i: score[i], reverse=True)
        law = law.towards([plans[i] for i in order[: settings.elite]])
        known = [plans[order[0]]]
        winners.append(plans[order[0]])
        scores.append(score[order[0]][0])
    return _finals(arena, settings, winners, scores)


def _finals(arena: Arena, settings: Settings, winners: Sequence[Plan], scores: Sequence[float]) -> Found:
    """The best of the winners and of the fixed attacks, on runs that none has seen."""
    C, T = arena.p.C, arena.rounds
    plans = {f"generation {number}": plan for number, plan in enumerate(winners, 1)}
    attacks = {name: plan.attack(C, T) for name, plan in plans.items()} | fixed_attacks(C, T)
    final = {name: arena.score(attack, (_FINAL, 0), settings.finals) for name, attack in attacks.items()}
    best = max(final, key=lambda name: final[name])
    rivals = {name: score for name, (score, _) in final.items()}
    return Found(best, plans.get(best), attacks[best], rivals, tuple(scores))
