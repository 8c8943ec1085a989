"""The corruption of a round for compiled rounds, with the budget in a record; `core.environment.adversary` explains."""

from __future__ import annotations

from math import inf
from typing import NamedTuple, Protocol, cast

import numpy as np
from glbcheck.core._numba import apart, compiled, record
from glbcheck.core.environment import contexts
from glbcheck.core.environment.adversary import DIRECTIONS, FLIP, MIRROR, MISLEAD, PACED, TAKE, TARGETS, THIN, Attack

show_worst = compiled(contexts.adversarial_contexts)

_MISLEAD, _MIRROR, _AMPLIFY, _UP, _DOWN = range(len(DIRECTIONS))
_ALL, _BEST, _OTHERS = range(len(TARGETS))


class Ledger(Protocol):
    """An attack as compiled code reads it; `left` and `left_low` together are what is left of `total`."""

    kind: float
    left: float
    left_low: float
    total: float
    size: float
    start: float
    below: float
    divisible: float
    direction: float
    target: float


LEDGER = record(Ledger)


def ledger_of(attack: Attack) -> Ledger:
    """The attack before its first round, nothing spent yet."""
    direction, target = DIRECTIONS.index(attack.direction), TARGETS.index(attack.target)
    entries = (attack.kind, attack.C, 0.0, attack.C, attack.size, attack.start, attack.below, attack.divisible)
    return cast(Ledger, np.array([(*entries, direction, target)], dtype=LEDGER)[0])


class Seen(NamedTuple):
    """What the adversary looks at before it corrupts round t (from 1).

    `cap` is what a paced attack may have spent by the end of the round and `chance` is uniform on [0, 1).
    `mean` is the true mean of the arm played, `mirrored` its mean under -θ_*, `error` is ⟨x_t, θ_t - θ_*⟩,
    `trust` is α g / ‖x_t‖ in H_t⁻¹, and w_t is the smaller of it and 1.
    """

    t: int
    cap: float
    chance: float
    reward: float
    mean: float
    mirrored: float
    is_best: bool
    error: float
    trust: float


@compiled
@apart
def corrupt(ledger: Ledger, seen: Seen) -> float:
    """The corruption of this round, paid for."""
    sure = seen.trust if ledger.kind == PACED else min(seen.trust, 1.0)
    unsure = sure < ledger.below or ledger.below == inf
    if ledger.left <= 0.0 or seen.t < ledger.start or not unsure:
        return 0.0
    size, c = ledger.size, 0.0
    if ledger.kind == MISLEAD:
        c = -size if seen.is_best else size
    elif ledger.kind == MIRROR:
        c = seen.mirrored - seen.mean
    elif ledger.kind == PACED:
        allowed = seen.cap - (ledger.total - ledger.left)
        c = _direction(ledger, seen) * max(min(size, allowed), 0.0)
    elif seen.is_best:
        if ledger.kind == TAKE:
            c = -size
        elif ledger.kind == FLIP:
            c = -1.0 if seen.reward == 1.0 and seen.chance < size else 0.0
        elif ledger.kind == THIN:
            c = -float(_binomial(int(seen.reward), size, seen.chance))
    return _pay(ledger, c)


@compiled
def _direction(ledger: Ledger, seen: Seen) -> float:
    """Which way a paced attack pushes: 1, -1, or 0 for not at all."""
    missed = ledger.target == _BEST and not seen.is_best
    if missed or (ledger.target == _OTHERS and seen.is_best):
        return 0.0
    if ledger.direction == _MISLEAD:
        return -1.0 if seen.is_best else 1.0
    if ledger.direction == _MIRROR:
        return float(np.sign(seen.mirrored - seen.mean))
    if ledger.direction == _AMPLIFY:
        return 1.0 if seen.error >= 0.0 else -1.0
    return 1.0 if ledger.direction == _UP else -1.0


@compiled
def _pay(ledger: Ledger, c: float) -> float:
    """c, or what is left of it, or nothing; what is left is kept twice as precisely, and never rounded up."""
    payable = ledger.left if ledger.left_low >= 0.0 else np.nextafter(ledger.left, 0.0)
    if abs(c) > payable:
        c = np.copysign(payable, c) if ledger.divisible != 0.0 else 0.0
    # The rounding error of the difference is itself a number, and joins the low part.
    left, error = _sum(ledger.left, -abs(c))
    low, lost = _sum(ledger.left_low, error)
    if lost < 0.0:
        low = np.nextafter(low, -inf)
    ledger.left, ledger.left_low = _sum(left, low)
    return float(c)


@compiled
def _sum(a: float, b: float) -> tuple[float, float]:
    """The rounded sum and, exactly, what rounding left out."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


@compiled
def _binomial(n: int, q: float, chance: float) -> int:
    """The number of successes in n trials, by inversion of its distribution function."""
    if q >= 1.0:
        return n
    k, mass = 0, (1.0 - q) ** n
    while chance >= mass and k < n:
        chance -= mass
        mass *= (n - k) / (k + 1.0) * q / (1.0 - q)
        k += 1
    return k
