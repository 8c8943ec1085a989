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
from typing import NamedTuple

import numpy as np
from glbcheck.core import lower_constants
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family

# What is proposed.
NONE, MISLEAD, MIRROR, TAKE, FLIP, THIN, PACED = range(7)

# Which way a paced attack pushes: the best arm down and the others up; towards the mean under -θ_*; further
# the way ⟨x, θ_t⟩ already errs; always up; always down.
DIRECTIONS = ("mislead", "mirror", "amplify", "up", "down")
_MISLEAD, _MIRROR, _AMPLIFY, _UP = range(4)
# Where it pushes.
TARGETS = ("all", "best", "others")
_BEST, _OTHERS = 1, 2


# What compiled code reads of an attack, one number each; the first is what it has paid so far.
SPENT, KIND, BUDGET, SIZE, START, BELOW, DIVISIBLE, DIRECTION, TARGET = range(9)


class AdversaryView(NamedTuple):
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

    def numbers(self) -> Floats:
        """The attack before its first round, as `corrupt` reads it."""
        if not 0 <= self.C < inf:
            raise BadInput("C", self.C, "a finite budget C >= 0")
        direction, target = DIRECTIONS.index(self.direction), TARGETS.index(self.target)
        entries = (0.0, self.kind, self.C, self.size, self.start, self.below, self.divisible, direction, target)
        return np.array(entries, dtype=float)

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


def corrupt(attack: Floats, view: AdversaryView) -> float:
    """The corruption of this round, paid for; one function without callees, so that a compiled loop can take it.

    What is spent is rounded up if its sum is not a floating-point number, so the budget is never overspent.
    """
    kind, size, left = attack[KIND], attack[SIZE], attack[BUDGET] - attack[SPENT]
    sure = view.trust if kind == PACED else min(view.trust, 1.0)
    if left <= 0.0 or view.t < attack[START] or not (sure < attack[BELOW] or attack[BELOW] == inf):
        return 0.0
    c = 0.0
    if kind == MISLEAD:
        c = -size if view.is_best else size
    elif kind == MIRROR:
        c = view.mirrored - view.mean
    elif kind == PACED:
        missed = attack[TARGET] == _BEST and not view.is_best
        if not (missed or (attack[TARGET] == _OTHERS and view.is_best)):
            if attack[DIRECTION] == _MISLEAD:
                way = -1.0 if view.is_best else 1.0
            elif attack[DIRECTION] == _MIRROR:
                way = float(np.sign(view.mirrored - view.mean))
            elif attack[DIRECTION] == _AMPLIFY:
                way = 1.0 if view.error >= 0.0 else -1.0
            else:
                way = 1.0 if attack[DIRECTION] == _UP else -1.0
            c = way * max(min(size, view.cap - attack[SPENT]), 0.0)
    elif view.is_best:
        if kind == TAKE:
            c = -size
        elif kind == FLIP:
            c = -1.0 if view.reward == 1.0 and view.chance < size else 0.0
        elif kind == THIN:  # the number of successes in so many trials, by inversion of its distribution function
            n, k = int(view.reward), 0
            if size >= 1.0:
                k = n
            else:
                chance, mass = view.chance, (1.0 - size) ** n
                while chance >= mass and k < n:
                    chance -= mass
                    mass *= (n - k) / (k + 1.0) * size / (1.0 - size)
                    k += 1
            c = -float(k)
    # What is left, never rounded up: c is paid, or cut down to it, or dropped.
    spent, budget = attack[SPENT], attack[BUDGET]
    other = left - budget
    if (budget - (left - other)) + (-spent - other) < 0.0:  # the rounding error of left
        left = np.nextafter(left, 0.0)
    if abs(c) > left:
        c = np.copysign(left, c) if attack[DIVISIBLE] != 0.0 else 0.0
    total = spent + abs(c)
    other = total - spent
    if (spent - (total - other)) + (abs(c) - other) > 0.0:
        total = np.nextafter(total, inf)
    attack[SPENT] = total
    return float(c)
