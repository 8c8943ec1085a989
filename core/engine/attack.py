"""The adversaries of `core.adversary` inside the compiled run: r̃ = r + c, and never more than C in total.

A strategy proposes c while its window of rounds is open, where the learner's weight is below a level and,
if it says so, at the best arm only.  A proposal larger than what is left of the budget is cut down to it if
it can be divided, and dropped if not.

A paced strategy is the one to search over: how much may be spent by when, how much at a time, in which
direction, at which arms, and where the learner is how sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from glbcheck.core import constants
from glbcheck.core._numba import compiled
from glbcheck.core.adversary import lower_bound_gap
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# What is proposed.
NONE, SCHEDULED, MISLEAD, MIRROR, TAKE, FLIP, THIN, PACED = 0, 1, 2, 3, 4, 5, 6, 7
# Places in the flat array.
KIND, LEFT, LEFT_LOW, SIZE, START, STOP, BELOW, DIVISIBLE = 0, 1, 2, 3, 4, 5, 6, 7
TOTAL, DIRECTION, TARGET = 8, 9, 10

# Which way a paced attack pushes: the best arm down and the others up; towards the mean under -θ_*; further
# the way ⟨x, θ_t⟩ already errs; always up; always down.
DIRECTIONS = ("mislead", "mirror", "amplify", "up", "down")
# Where it pushes.
TARGETS = ("all", "best", "others")
_MISLEAD, _MIRROR, _AMPLIFY, _UP, _DOWN = range(len(DIRECTIONS))
_ALL, _BEST, _OTHERS = range(len(TARGETS))


@dataclass(frozen=True)
class Attack:
    """A strategy with its budget; made by the functions below."""

    kind: int
    C: float
    size: float = 0.0
    start: float = 1
    stop: float = inf
    below: float = inf
    divisible: bool = True
    schedule: Floats | None = None
    direction: str = "mislead"
    target: str = "all"

    def packed(self) -> Floats:
        """The strategy as the compiled rounds read it, nothing spent yet."""
        if not 0 <= self.C < inf:
            raise BadInput("C", self.C, "a finite budget C >= 0")
        return np.array(
            [
                self.kind, self.C, 0.0, self.size, self.start, self.stop, self.below, self.divisible,
                self.C, DIRECTIONS.index(self.direction), TARGETS.index(self.target),
            ],
            dtype=float,
        )  # fmt: skip

    def times(self, factor: float) -> Attack:
        """The same strategy with `factor` times the budget, pushing harder by as much where it can."""
        if not 0 < factor < inf:
            raise BadInput("factor", factor, "a finite factor > 0")
        size = self.size * factor if self.kind in (MISLEAD, PACED) else self.size
        schedule = None if self.schedule is None else self.schedule * factor
        return replace(self, C=self.C * factor, size=size, schedule=schedule)


def none() -> Attack:
    return Attack(NONE, 0.0)


def scheduled(C: float, c: Floats) -> Attack:
    """Corruptions written down in advance, one per round."""
    return Attack(SCHEDULED, C, schedule=np.asarray(c, dtype=float))


def front_loaded(C: float, size: float = 1.0) -> Attack:
    """Mislead from the first round on, by `size` each time: the best arm looks worse, the others better."""
    return Attack(MISLEAD, C, size)


def spread(C: float, T: int) -> Attack:
    """The same small corruption in every round."""
    return Attack(MISLEAD, C, C / T)


def late(C: float, T: int, size: float = 1.0) -> Attack:
    """Nothing, until just enough rounds are left to spend C."""
    return Attack(MISLEAD, C, size, start=np.nextafter(T - C / size, inf))


def low_weight(C: float, size: float = 1.0, below: float = 1.0) -> Attack:
    """Corrupt only what the learner itself distrusts: rounds of weight under `below`."""
    return Attack(MISLEAD, C, size, below=below)


def mirror(C: float) -> Attack:
    """Make the rewards look as if the parameter were -θ_*."""
    return Attack(MIRROR, C)


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
    parts = _checked_shares(shares)
    if parts.size > T:
        raise BadInput("T", T, f"at least as many rounds as shares, here {parts.size}")
    if not 0 < size < inf:
        raise BadInput("size", size, "a finite size > 0")
    if not below > 0:
        raise BadInput("below", below, "a level > 0")
    for argument, word, accepted in (("direction", direction, DIRECTIONS), ("target", target, TARGETS)):
        if word not in accepted:
            raise BadInput(argument, word, " or ".join(map(repr, accepted)))
    caps = C * np.minimum(np.cumsum(parts) / parts.sum(), 1.0)
    caps[-1] = C  # not a rounding error less
    block = np.arange(T) * parts.size // T
    return Attack(PACED, C, size, below=below, schedule=caps[block], direction=direction, target=target)


def _checked_shares(shares: ArrayLike) -> Floats:
    parts = np.asarray(shares, dtype=float)
    if parts.ndim != 1 or not (np.isfinite(parts).all() and (parts >= 0).all() and parts.sum() > 0):
        raise BadInput("shares", shares, "finite shares >= 0, one for each block, not all 0")
    return parts


def noiseless(C: float, family: Family, S: float, phi: float) -> Attack:
    """app:lower-bound-corruption: take Δ off every pull of the best arm."""
    return Attack(TAKE, C, lower_bound_gap(family, S, phi), divisible=False)


def logistic_flip(C: float, family: Family, S: float, phi: float) -> Attack:
    """app:logistic: turn a one of the best arm into a zero with probability q = Δ / μ(S)."""
    return Attack(FLIP, C, _flip_probability(family, S, phi), divisible=False)


def poisson_thin(C: float, family: Family, S: float, phi: float) -> Attack:
    """app:poisson: drop every count of the best arm with probability q = Δ / μ(S)."""
    return Attack(THIN, C, _flip_probability(family, S, phi), divisible=False)


def _flip_probability(family: Family, S: float, phi: float) -> float:
    return float(constants.flip_probability(lower_bound_gap(family, S, phi), float(family.mu(S))))


@compiled
def corrupt(
    attack: Floats,
    t: int,
    planned: float,
    chance: float,
    reward: float,
    mean: float,
    mirrored: float,
    is_best: bool,
    error: float,
    trust: float,
) -> float:
    """The corruption of round t (from 1), paid for.

    `mean` is the true mean of the arm played, `mirrored` its mean under -θ_*, `chance` is uniform on [0, 1),
    `error` is ⟨x_t, θ_t - θ_*⟩, `trust` is α g / ‖x_t‖ in H_t⁻¹, and w_t is the smaller of it and 1.
    """
    kind, size = int(attack[KIND]), attack[SIZE]
    sure = trust if kind == PACED else min(trust, 1.0)
    unsure = sure < attack[BELOW] or attack[BELOW] == inf
    if attack[LEFT] <= 0.0 or t < attack[START] or t > attack[STOP] or not unsure:
        return 0.0
    c = 0.0
    if kind == SCHEDULED:
        c = planned
    elif kind == MISLEAD:
        c = -size if is_best else size
    elif kind == MIRROR:
        c = mirrored - mean
    elif kind == PACED:
        allowed = planned - (attack[TOTAL] - attack[LEFT])
        c = _direction(attack, mirrored - mean, is_best, error) * max(min(size, allowed), 0.0)
    elif is_best:
        if kind == TAKE:
            c = -size
        elif kind == FLIP:
            c = -1.0 if reward == 1.0 and chance < size else 0.0
        elif kind == THIN:
            c = -float(_binomial(int(reward), size, chance))
    return _pay(attack, c)


@compiled
def _direction(attack: Floats, mirror: float, is_best: bool, error: float) -> float:
    """Which way a paced attack pushes: 1, -1, or 0 for not at all."""
    rule, target = int(attack[DIRECTION]), int(attack[TARGET])
    if (target == _BEST and not is_best) or (target == _OTHERS and is_best):
        return 0.0
    if rule == _MISLEAD:
        return -1.0 if is_best else 1.0
    if rule == _MIRROR:
        return float(np.sign(mirror))
    if rule == _AMPLIFY:
        return 1.0 if error >= 0.0 else -1.0
    return 1.0 if rule == _UP else -1.0


@compiled
def _pay(attack: Floats, c: float) -> float:
    """As `core.adversary.Budget.pay`; what is left is kept to twice the precision, and never rounded up."""
    high, low = attack[LEFT], attack[LEFT_LOW]
    payable = high if low >= 0.0 else np.nextafter(high, 0.0)
    if abs(c) > payable:
        c = np.copysign(payable, c) if attack[DIVISIBLE] != 0.0 else 0.0
    # The rounding error of the difference is itself a number, and joins the low part.
    left, error = _sum(high, -abs(c))
    low, lost = _sum(low, error)
    if lost < 0.0:
        low = np.nextafter(low, -inf)
    attack[LEFT], attack[LEFT_LOW] = _sum(left, low)
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
