"""The adversaries of `core.adversary` inside the compiled run: r̃ = r + c, and never more than C in total.

A strategy proposes c while its window of rounds is open, where the learner's weight is below a level and,
if it says so, at the best arm only.  A proposal larger than what is left of the budget is cut down to it if
it can be divided, and dropped if not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from core import constants
from core._numba import compiled
from core.adversary import lower_bound_gap
from core.errors import BadInput
from core.family import Family

Floats = NDArray[np.float64]

# What is proposed.
NONE, SCHEDULED, MISLEAD, MIRROR, TAKE, FLIP, THIN = 0, 1, 2, 3, 4, 5, 6
# Places in the flat array.
KIND, LEFT, LEFT_LOW, SIZE, START, STOP, BELOW, DIVISIBLE = 0, 1, 2, 3, 4, 5, 6, 7


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

    def packed(self) -> Floats:
        """The strategy as the compiled rounds read it, nothing spent yet."""
        if not 0 <= self.C < inf:
            raise BadInput("C", self.C, "a finite budget C >= 0")
        return np.array(
            [self.kind, self.C, 0.0, self.size, self.start, self.stop, self.below, self.divisible],
            dtype=float,
        )


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
    w: float,
) -> float:
    """The corruption of round t (from 1), paid for.

    `mean` is the true mean of the arm played, `mirrored` its mean under -θ_*, `chance` is uniform on [0, 1).
    """
    if attack[LEFT] <= 0.0 or t < attack[START] or t > attack[STOP] or not w < attack[BELOW]:
        return 0.0
    kind, size = int(attack[KIND]), attack[SIZE]
    c = 0.0
    if kind == SCHEDULED:
        c = planned
    elif kind == MISLEAD:
        c = -size if is_best else size
    elif kind == MIRROR:
        c = mirrored - mean
    elif is_best:
        if kind == TAKE:
            c = -size
        elif kind == FLIP:
            c = -1.0 if reward == 1.0 and chance < size else 0.0
        elif kind == THIN:
            c = -float(_binomial(int(reward), size, chance))
    return _pay(attack, c)


@compiled
def _pay(attack: Floats, c: float) -> float:
    """As `core.adversary.Budget.pay`; what is left is kept to twice the precision of a number."""
    high, low = attack[LEFT], attack[LEFT_LOW]
    payable = high if low >= 0.0 else np.nextafter(high, 0.0)
    if abs(c) > payable:
        c = np.copysign(payable, c) if attack[DIVISIBLE] != 0.0 else 0.0
    # The rounding error of the difference is itself a number, and joins the low part.
    left = high - abs(c)
    other = left - high
    low += (high - (left - other)) - (abs(c) + other)
    attack[LEFT] = left + low
    attack[LEFT_LOW] = low - (attack[LEFT] - left)
    return float(c)


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
