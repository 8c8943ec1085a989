"""The plans that `attack_search` chooses from, the law it draws them from, and the attacks it must beat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.environment import adversary
from glbcheck.core.environment.adversary import DIRECTIONS, TARGETS, Attack

_SMOOTHING = 0.7  # weight of the best candidates against the distribution that drew them
_LEAST_SPREAD, _LEAST_CHANCE = 0.05, 0.02  # no choice is ever given up altogether
_ANY_TRUST = math.exp(6.0)  # a level of trust that no round with something to learn reaches


@dataclass(frozen=True)
class Plan:
    """A paced attack, as the search sees it; see `core.environment.adversary.paced`."""

    shares: tuple[float, ...]
    size: float
    below: float
    direction: str
    target: str

    def attack(self, C: float, T: int) -> Attack:
        return adversary.paced(C, T, self.shares, self.size, self.direction, self.target, self.below)


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
    sizes = (*[_push(C, T)] * 3, 2 * C / T)
    return [
        Plan(tuple(map(float, row)), size, _ANY_TRUST, direction, "all")
        for row, size in zip(shares, sizes, strict=True)
        for direction in ("mislead", "amplify", "mirror")
    ]


@dataclass(frozen=True)
class Law:
    """What plans are drawn from: logarithms of shares, size and level are normal, the rest are choices."""

    center: Floats
    spread: Floats
    directions: Floats
    targets: Floats

    @staticmethod
    def initial(blocks: int, C: float, T: int) -> Law:
        """Shares alike up to a factor of e², sizes between C/T and C, levels around weight 1."""
        center = np.zeros(blocks + 2)
        spread = np.full(blocks + 2, 2.0)
        center[-2], spread[-2] = math.log(C / math.sqrt(T)), max(math.log(T) / 4, 1.0)
        return Law(
            center, spread, np.full(len(DIRECTIONS), 1 / len(DIRECTIONS)), np.full(len(TARGETS), 1 / len(TARGETS))
        )

    def draw(self, rng: np.random.Generator) -> Plan:
        values = np.exp(np.clip(rng.normal(self.center, self.spread), -60.0, 60.0))
        return Plan(
            shares=tuple(float(share) for share in values[:-2]),
            size=float(values[-2]),
            below=float(values[-1]),
            direction=DIRECTIONS[int(rng.choice(len(DIRECTIONS), p=self.directions))],
            target=TARGETS[int(rng.choice(len(TARGETS), p=self.targets))],
        )

    def towards(self, best: Sequence[Plan]) -> Law:
        """The law whose moments are those of the best plans, not all the way."""
        logs = np.log([[*plan.shares, plan.size, plan.below] for plan in best])
        logs[:, :-2] -= logs[:, :-2].mean(axis=1, keepdims=True)  # only ratios of shares matter
        center = _blend(self.center, logs.mean(axis=0))
        spread = np.maximum(_blend(self.spread, logs.std(axis=0)), _LEAST_SPREAD)
        return Law(
            center,
            spread,
            _chances(self.directions, DIRECTIONS, [plan.direction for plan in best]),
            _chances(self.targets, TARGETS, [plan.target for plan in best]),
        )


def _blend(old: Floats, new: Floats) -> Floats:
    return np.asarray((1 - _SMOOTHING) * old + _SMOOTHING * new)


def _chances(old: Floats, words: Sequence[str], chosen: Sequence[str]) -> Floats:
    shares = np.array([chosen.count(word) / len(chosen) for word in words])
    mixed = np.maximum(_blend(old, shares), _LEAST_CHANCE)
    return np.asarray(mixed / mixed.sum())
