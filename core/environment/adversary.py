"""Corruption: r̃ = r + c, chosen after everything else in the round is known, never more than C in total.

An attack proposes c from its first round on, where the learner's weight is below a level and, if it says so,
at the best arm only.  A proposal larger than what is left of the budget is cut down to it if it can be
divided, and dropped if not.  Three attacks are the paper's: they make the best arm look exactly like the
others for as long as the budget lasts.  A paced attack is the one to search over: how much may be spent by
when, how much at a time, in which direction, at which arms, and where the learner is how sure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple, Protocol, cast

import numpy as np
from glbcheck.core import lower_constants
from glbcheck.core._numba import apart, compiled, record
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family

# What is proposed.
NONE, MISLEAD, MIRROR, TAKE, FLIP, THIN, PACED = range(7)

# Which way a paced attack pushes: the best arm down and the others up; towards the mean under -θ_*; further
# the way ⟨x, θ_t⟩ already errs; always up; always down.
DIRECTIONS = ("mislead", "mirror", "amplify", "up", "down")
_MISLEAD, _MIRROR, _AMPLIFY, _UP, _DOWN = range(len(DIRECTIONS))
# Where it pushes.
TARGETS = ("all", "best", "others")
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


@dataclass(frozen=True)
class Attack:
    """A strategy with its budget; made by the functions below."""

    kind: int
    C: float
    size: float = 0.0
    start: float = 1.0
    below: float = inf
    divisible: bool = True
    direction: str = "mislead"
    target: str = "all"
    caps: Floats | None = None  # of a paced attack, one for each round

    def ledger(self) -> Ledger:
        """The attack before its first round, nothing spent yet."""
        if not 0 <= self.C < inf:
            raise BadInput("C", self.C, "a finite budget C >= 0")
        direction, target = DIRECTIONS.index(self.direction), TARGETS.index(self.target)
        entries = (self.kind, self.C, 0.0, self.C, self.size, self.start, self.below, self.divisible)
        return cast(Ledger, np.array([(*entries, direction, target)], dtype=LEDGER)[0])

    def caps_of(self, first: int, count: int) -> Floats:
        """The caps of `count` rounds from `first` (from 0) on; none after the last."""
        caps = np.zeros(count)
        if self.caps is not None:
            known = self.caps[first : first + count]
            caps[: known.size] = known
        return caps

    def times(self, factor: float) -> Attack:
        """The same strategy with `factor` times the budget, pushing harder by as much where it can."""
        if not 0 < factor < inf:
            raise BadInput("factor", factor, "a finite factor > 0")
        size = self.size * factor if self.kind in (MISLEAD, PACED) else self.size
        caps = None if self.caps is None else self.caps * factor
        return replace(self, C=self.C * factor, size=size, caps=caps)


NO_ATTACK = Attack(NONE, 0.0)


def front_loaded(C: float, size: float = 1.0) -> Attack:
    """Mislead from the first round on, by `size` each time: the best arm looks worse, the others better."""
    return Attack(MISLEAD, C, size)


def spread(C: float, T: int) -> Attack:
    """The same small corruption in every round."""
    return Attack(MISLEAD, C, C / T)


def late(C: float, T: int, size: float = 1.0) -> Attack:
    """Nothing, until just enough rounds are left to spend C."""
    return Attack(MISLEAD, C, size, start=math.nextafter(T - C / size, inf))


def low_weight(C: float, size: float = 1.0, below: float = 1.0) -> Attack:
    """Corrupt only what the learner itself distrusts: rounds of weight under `below`."""
    return Attack(MISLEAD, C, size, below=below)


def mirror(C: float) -> Attack:
    """Make the rewards look as if the parameter were -θ_*."""
    return Attack(MIRROR, C)


def fixed(C: float, T: int, size: float = 1.0) -> dict[str, Attack]:
    """The attacks above by name."""
    return {
        "front-loaded": front_loaded(C, size),
        "spread": spread(C, T),
        "late": late(C, T, size),
        "low-weight": low_weight(C, size),
        "mirror": mirror(C),
    }


def noiseless(C: float, family: Family, S: float, phi: float) -> Attack:
    """app:lower-bound-corruption: take Δ off every pull of the best arm."""
    return Attack(TAKE, C, lower_bound_gap(family, S, phi), divisible=False)


def logistic_flip(C: float, family: Family, S: float, phi: float) -> Attack:
    """app:logistic: turn a one of the best arm into a zero with probability q = Δ / μ(S)."""
    return Attack(FLIP, C, _flip_probability(family, S, phi), divisible=False)


def poisson_thin(C: float, family: Family, S: float, phi: float) -> Attack:
    """app:poisson: drop every count of the best arm with probability q = Δ / μ(S)."""
    return Attack(THIN, C, _flip_probability(family, S, phi), divisible=False)


def hidden(C: float, family: Family, z: float, shown: float) -> Attack:
    """Make the best arm, of natural parameter z, look like one of parameter `shown`, in the manner of the family."""
    cost, mean = float(family.mu(z) - family.mu(shown)), float(family.mu(z))
    if family.name in ("bernoulli", "poisson"):
        share = float(lower_constants.flip_probability(cost, mean))
        return Attack(FLIP if family.name == "bernoulli" else THIN, C, share, divisible=False)
    return Attack(TAKE, C, cost, divisible=False)


def lower_bound_gap(family: Family, S: float, phi: float) -> float:
    """app:lower-bound-corruption: Δ for the link of this family."""
    return float(lower_constants.gap(lambda z: float(family.mu(z)), S, math.cos(phi)))


def _flip_probability(family: Family, S: float, phi: float) -> float:
    return float(lower_constants.flip_probability(lower_bound_gap(family, S, phi), float(family.mu(S))))


def paced(
    C: float,
    T: int,
    shares: Sequence[float] | Floats,
    size: float,
    direction: str = "amplify",
    target: str = "all",
    below: float = inf,
) -> Attack:
    """Push by up to `size` a round, having spent no more than its share of C by the end of each block.

    The rounds 1, ..., T fall into as many equal blocks as there are shares, which are rescaled to sum to 1;
    what a block leaves over may be spent later.  `below` is the level under which α g / ‖x_t‖ must lie: for
    levels up to 1 that is the weight, and above 1 it goes on to tell apart the rounds of weight 1.
    """
    parts = np.asarray(shares, dtype=float)
    if parts.ndim != 1 or not (np.isfinite(parts).all() and (parts >= 0).all() and parts.sum() > 0):
        raise BadInput("shares", shares, "finite shares >= 0, one for each block, not all 0")
    if parts.size > T:
        raise BadInput("T", T, f"at least as many rounds as shares, here {parts.size}")
    if not 0 < size < inf:
        raise BadInput("size", size, "a finite size > 0")
    if not below > 0:
        raise BadInput("below", below, "a level > 0")
    for argument, word, accepted in (("direction", direction, DIRECTIONS), ("target", target, TARGETS)):
        if word not in accepted:
            raise BadInput(argument, word, " or ".join(map(repr, accepted)))
    spent = C * np.minimum(np.cumsum(parts) / parts.sum(), 1.0)
    spent[-1] = C  # not a rounding error less
    block = np.arange(T) * parts.size // T
    return Attack(PACED, C, size, below=below, direction=direction, target=target, caps=spent[block])


# --- one round ------------------------------------------------------------------------------------------


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
