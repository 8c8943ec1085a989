"""A search for the attack that does most harm: cross-entropy over paced attacks.

An attack is a point of a small space: the shares of the budget that the blocks of the horizon get, the size
of one push, the level of trust below which it pushes, the direction and the target.  Each generation draws a
population, beside the best of the one before, plays every candidate on the same few runs, and moves the
distribution it draws from towards the best of them; the first one also meets the simplest plans.  The winners
of all generations and the fixed attacks then meet on runs none of them has seen, and the best one there is
measured on fresh runs once more, so that its score is no artefact of having been chosen.

Everything follows from the seed: candidates are drawn in one place, and a run has the same name and the same
numbers whichever worker plays it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
from glbcheck.core.engine import Attack, Outcome, Variant, World, link, run
from glbcheck.core.errors import BadInput
from glbcheck.core.exact import natural
from glbcheck.core.parameters import Parameters
from glbcheck.verify.simulate.plans import Law, Plan, fixed_attacks, simplest

__all__ = ["DEFAULT", "Found", "Generation", "Objective", "Plan", "Settings", "fixed_attacks", "search"]

Objective: TypeAlias = Literal["ratio", "regret"]

# Runs are named by (phase, generation or 0, number).
_DRAWS, _SEARCH, _FINAL, _FRESH = range(4)


@dataclass(frozen=True)
class Generation:
    """The best candidate of a generation, its score, and the mean score of all."""

    best: Plan
    score: float
    mean: float


@dataclass(frozen=True)
class Found:
    """The best attack, and what it does.

    `plan` is None if a fixed attack won; `rivals` are the scores of all finalists on the same runs.  `ratios`
    and `regrets` come from fresh runs, one each.
    """

    name: str
    plan: Plan | None
    attack: Attack = field(compare=False)  # the name or the plan says which
    score: float
    rivals: Mapping[str, float]
    ratios: tuple[float, ...]
    regrets: tuple[float, ...]
    history: tuple[Generation, ...]

    @property
    def ratio(self) -> float:
        """The largest ‖θ_t - θ_*‖ / radius_t over all fresh runs."""
        return max(self.ratios)


@dataclass(frozen=True)
class Settings:
    """How hard to search."""

    generations: int = 10
    population: int = 32
    elite: int = 6
    replicates: int = 3
    finals: int = 16
    fresh: int = 20
    blocks: int = 8
    objective: Objective = "ratio"

    def __post_init__(self) -> None:
        for name in ("generations", "population", "elite", "replicates", "finals", "fresh", "blocks"):
            natural(name, getattr(self, name), 1)
        if self.elite > self.population:
            raise BadInput("elite", self.elite, f"at most the population, {self.population}")
        if self.objective not in get_args(Objective):
            raise BadInput("objective", self.objective, " or ".join(map(repr, get_args(Objective))))


DEFAULT = Settings()


def search(
    p: Parameters,
    world: World,
    rounds: int,
    seed: int,
    settings: Settings = DEFAULT,
    C: float | None = None,
    variant: Variant | None = None,
    workers: int | None = None,
) -> Found:
    """The attack of budget C (the learner's, unless given) that harms the learner most in this world."""
    budget = p.C if C is None else C
    if not 0 < budget < math.inf:
        raise BadInput("C", budget, "a finite budget C > 0, or there is nothing to search")
    link.pack(p.family, p.S)  # builds the table once, before the threads ask for it
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        arena = _Arena(p, world, rounds, seed, variant or Variant(), pool)
        return _search(arena, settings, budget)


class _Arena:
    """Where attacks are tried: the runs of a phase are the same for every attack."""

    def __init__(
        self, p: Parameters, world: World, rounds: int, seed: int, variant: Variant, pool: ThreadPoolExecutor
    ) -> None:
        self.p, self.world, self.rounds, self.seed = p, world, rounds, seed
        self._variant, self._pool = variant, pool
        blocks = max(rounds // 16, 1)
        self._checkpoints = range(blocks, rounds + 1, blocks)

    def outcomes(self, attacks: Sequence[Attack], phase: tuple[int, int], count: int) -> list[list[Outcome]]:
        """For each attack its runs number 0, ..., count - 1 of the phase."""
        jobs = [(a, number) for a in attacks for number in range(count)]

        def one(job: tuple[Attack, int]) -> Outcome:
            against = replace(self.world, attack=job[0])
            return run(
                self.p, against, self.rounds, self.seed, (*phase, job[1]), self._checkpoints,
                variant=self._variant,
            )  # fmt: skip

        done = list(self._pool.map(one, jobs))
        return [done[i : i + count] for i in range(0, len(done), count)]


def _scores(outcomes: Sequence[Sequence[Outcome]], objective: Objective) -> list[tuple[float, float]]:
    """The mean harm of each attack, and a second opinion where many attacks do the same harm.

    The worst ratio may be that of the first round, before any attack: then the ratios at later checkpoints
    tell good attacks from bad ones.
    """

    def mean(values: Sequence[float]) -> float:
        return math.fsum(values) / len(values)

    if objective == "regret":
        return [(mean([o.regret for o in runs]), 0.0) for runs in outcomes]
    return [
        (mean([o.worst_ratio for o in runs]), mean([float((o.error_at / o.radius_at).max()) for o in runs]))
        for runs in outcomes
    ]


def _search(arena: _Arena, settings: Settings, C: float) -> Found:
    blocks = min(settings.blocks, arena.rounds)
    law = Law.initial(blocks, C, arena.rounds)
    rng = np.random.default_rng(np.random.SeedSequence(arena.seed, spawn_key=(_DRAWS, 0)))
    history: list[Generation] = []
    known = simplest(blocks, C, arena.rounds)
    for number in range(settings.generations):
        drawn = [law.draw(rng) for _ in range(settings.population - len(known))]
        plans = (known + drawn)[: settings.population]
        attacks = [plan.attack(C, arena.rounds) for plan in plans]
        played = arena.outcomes(attacks, (_SEARCH, number), settings.replicates)
        scores = _scores(played, settings.objective)
        order = sorted(range(len(plans)), key=lambda i: scores[i], reverse=True)
        law = law.towards([plans[i] for i in order[: settings.elite]])
        mean = math.fsum(score for score, _ in scores) / len(scores)
        known = [plans[order[0]]]
        history.append(Generation(plans[order[0]], scores[order[0]][0], mean))
    return _finals(arena, settings, C, history)


def _finals(arena: _Arena, settings: Settings, C: float, history: Sequence[Generation]) -> Found:
    """The best of the winners and of the fixed attacks, on runs that none has seen."""
    plans = {f"generation {number}": generation.best for number, generation in enumerate(history, 1)}
    attacks = {name: plan.attack(C, arena.rounds) for name, plan in plans.items()}
    attacks |= fixed_attacks(C, arena.rounds)
    names = list(attacks)
    played = arena.outcomes([attacks[name] for name in names], (_FINAL, 0), settings.finals)
    scores = dict(zip(names, _scores(played, settings.objective), strict=True))
    winner = max(names, key=lambda name: scores[name])
    (fresh,) = arena.outcomes([attacks[winner]], (_FRESH, 0), settings.fresh)
    return Found(
        name=winner,
        plan=plans.get(winner),
        attack=attacks[winner],
        score=scores[winner][0],
        rivals={name: score for name, (score, _) in scores.items()},
        ratios=tuple(o.worst_ratio for o in fresh),
        regrets=tuple(o.regret for o in fresh),
        history=tuple(history),
    )
