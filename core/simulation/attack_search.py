"""A search for the attack that does most harm: cross-entropy over paced attacks.

Each generation draws a population of plans, beside the best of the one before, plays every one on the same few runs,
and moves the law it draws from towards the best of them; the first one also meets the simplest plans.  The winners of
all generations and the fixed attacks then meet on runs none of them has seen.  The best one there still has to play the
cell's own runs, so that what is reported is no artefact of having been chosen.  Everything follows from the seed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.run import run
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import DIRECTIONS, TARGETS, Attack
from glbcheck.core.environment.world import Rng, World, stream
from glbcheck.core.simulation import instances
from glbcheck.core.simulation.cells import prepared, world_of
from glbcheck.core.simulation.grid import MOST_REPLICATES, Cell
from glbcheck.core.theory.parameters import Parameters

_DRAWS, _SEARCH, _FINAL = range(3)  # runs are named by (phase, generation or 0, number)
_SMOOTHING = 0.7  # weight of the best candidates against the law that drew them
_LEAST_SPREAD, _LEAST_CHANCE = 0.05, 0.02  # no choice is ever given up altogether
_ANY_TRUST = math.exp(6.0)  # a level of trust that no round with something to learn reaches


class Settings(NamedTuple):
    """How hard to search."""

    generations: int = 10
    population: int = 32
    elite: int = 6
    replicates: int = 3
    finals: int = 16
    blocks: int = 8


class Plan(NamedTuple):
    """A paced attack, as the search sees it; see `core.environment.adversary.paced`."""

    shares: tuple[float, ...]
    size: float
    below: float
    direction: str
    target: str

    def attack(self, C: float, T: int) -> Attack:
        return adversary.paced(C, T, self.shares, self.size, self.direction, self.target, self.below)


class Found(NamedTuple):
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
        best = max(fixed_attacks(1.0, 1), key=lambda name: self.rivals[name])
        return {
            "winner": self.name, "plan": None if self.plan is None else self.plan._asdict(), "score": self.score,
            "best_fixed": best, "best_fixed_score": self.rivals[best], "generations": list(self.generations),
        }  # fmt: skip


def find(cell: Cell, seed: int) -> Found:
    """The attack with the largest error against the radius, on an instance that none of the runs meets."""
    world = world_of(cell, MOST_REPLICATES, seed)
    return search(Arena(prepared(cell), world, cell.T, seed), _settings(cell))


def trials(cell: Cell) -> int:
    """How many runs the search takes, about."""
    s = _settings(cell)
    return s.generations * (s.population * s.replicates + s.finals)


def _settings(cell: Cell) -> Settings:
    return Settings(int(*instances.spec("adversaries", cell.adversary, instances.ADVERSARIES).numbers))


@dataclass(frozen=True)
class Arena:
    """Where attacks are tried: the runs of a phase are the same for every attack."""

    p: Parameters
    world: World
    rounds: int
    seed: int

    def score(self, attack: Attack, phase: tuple[int, int], count: int) -> tuple[float, float]:
        """The mean harm of an attack, and a second opinion where many attacks do the same harm.

        The worst ratio may be that of the first round, before any attack: then the ratios at later checkpoints tell
        good attacks from bad ones.
        """
        block = max(self.rounds // 16, 1)
        marks = range(block, self.rounds + 1, block)
        against = replace(self.world, attack=attack)
        runs = [run(self.p, against, self.rounds, self.seed, (*phase, number), marks) for number in range(count)]
        later = [float((o.error_at / o.radius_at).max()) for o in runs]
        return math.fsum(o.worst_ratio for o in runs) / count, math.fsum(later) / count


def search(arena: Arena, settings: Settings) -> Found:
    """The attack with the learner's budget that harms it most in this arena."""
    C, T = arena.p.C, arena.rounds
    blocks = min(settings.blocks, T)
    law, rng = Law.initial(blocks, C, T), stream(arena.seed, (_DRAWS, 0))
    known, plans, scores = simplest(blocks, C, T), dict[str, Plan](), list[float]()
    for number in range(settings.generations):
        drawn = [law.draw(rng) for _ in range(settings.population - len(known))]
        tried = (known + drawn)[: settings.population]
        harm = [arena.score(plan.attack(C, T), (_SEARCH, number), settings.replicates) for plan in tried]
        order = sorted(range(len(tried)), key=lambda i: harm[i], reverse=True)
        law = law.towards([tried[i] for i in order[: settings.elite]])
        known = [tried[order[0]]]
        plans[f"generation {number + 1}"] = known[0]
        scores.append(harm[order[0]][0])
    # The finals, on runs that none has seen.
    attacks = {name: plan.attack(C, T) for name, plan in plans.items()} | fixed_attacks(C, T)
    final = {name: arena.score(attack, (_FINAL, 0), settings.finals) for name, attack in attacks.items()}
    best = max(final, key=lambda name: final[name])
    return Found(best, plans.get(best), attacks[best], {name: score for name, (score, _) in final.items()}, (*scores,))


def fixed_attacks(C: float, T: int) -> dict[str, Attack]:
    """The attacks that are not searched for."""
    return adversary.fixed(C, T, _push(C, T))


def _push(C: float, T: int) -> float:
    """One push of an attack that does not spread: large enough to spend C in half the rounds."""
    return max(1.0, 2 * C / T)


def simplest(blocks: int, C: float, T: int) -> list[Plan]:
    """All at the start, in the middle, at the end, or spread out: in every direction, at every arm."""
    shares = np.full((4, blocks), math.exp(-6.0))
    shares[0, 0] = shares[1, blocks // 2] = shares[2, -1] = 1.0
    shares[3] = 1.0
    sizes, ways = (*[_push(C, T)] * 3, 2 * C / T), ("mislead", "amplify", "mirror")
    rows = zip(shares.tolist(), sizes, strict=True)
    return [Plan(tuple(row), size, _ANY_TRUST, way, "all") for row, size in rows for way in ways]


class Law(NamedTuple):
    """What plans are drawn from: logarithms of shares, size and level are normal, the rest are choices."""

    center: Floats
    spread: Floats
    directions: Floats
    targets: Floats

    @staticmethod
    def initial(blocks: int, C: float, T: int) -> Law:
        """Shares alike up to a factor of e², sizes between C/T and C, levels around weight 1."""
        center, spread = np.zeros(blocks + 2), np.full(blocks + 2, 2.0)
        center[-2], spread[-2] = math.log(C / math.sqrt(T)), max(math.log(T) / 4, 1.0)
        return Law(center, spread, *(np.full(len(words), 1 / len(words)) for words in (DIRECTIONS, TARGETS)))

    def draw(self, rng: Rng) -> Plan:
        *shares, size, below = np.exp(np.clip(rng.normal(self.center, self.spread), -60.0, 60.0)).tolist()
        direction, target = (int(rng.choice(chances.size, p=chances)) for chances in (self.directions, self.targets))
        return Plan(tuple(shares), size, below, DIRECTIONS[direction], TARGETS[target])

    def towards(self, best: Sequence[Plan]) -> Law:
        """The law whose moments are those of the best plans, not all the way."""
        logs = np.log([[*plan.shares, plan.size, plan.below] for plan in best])
        logs[:, :-2] -= logs[:, :-2].mean(axis=1, keepdims=True)  # only ratios of shares matter
        spread = np.maximum(_blend(self.spread, logs.std(axis=0)), _LEAST_SPREAD)
        directions = _chances(self.directions, DIRECTIONS, [plan.direction for plan in best])
        targets = _chances(self.targets, TARGETS, [plan.target for plan in best])
        return Law(_blend(self.center, logs.mean(axis=0)), spread, directions, targets)


def _blend(old: Floats, new: Floats) -> Floats:
    return np.asarray((1 - _SMOOTHING) * old + _SMOOTHING * new)


def _chances(old: Floats, words: Sequence[str], chosen: Sequence[str]) -> Floats:
    shares = np.array([chosen.count(word) / len(chosen) for word in words])
    mixed = np.maximum(_blend(old, shares), _LEAST_CHANCE)
    return np.asarray(mixed / mixed.sum())
