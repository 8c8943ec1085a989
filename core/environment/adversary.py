"""Corruption: r̃ = r + c, chosen after everything else in the round is known, never more than C in total.

An attack proposes c from its first round on, where the learner's weight is below a level and, if it says so,
at the best arm only.  A proposal larger than what is left of the budget is cut down to it if it can be
divided, and dropped if not.  Three attacks are the paper's: they make the best arm look exactly like the
others for as long as the budget lasts.  A paced attack is the one to search over: how much may be spent by
when, how much at a time, in which direction, at which arms, and where the learner is how sure.

Another adversary chooses contexts: of a round's arms it shows the learner two.  One it expects the learner to play, by
its optimistic index in closed form, and one that is better by as much as possible.  If no arm would be missed it shows
a single one, that which teaches least.  It knows θ_*, and moves after C_t is computed and before the learner chooses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.theory import lower_constants

# What is proposed: nothing, a push of some size, the mean under -θ_*, or one of the paper's.
NONE, PUSH, MIRROR, TAKE, FLIP, THIN = range(6)

# Which way a push goes: the best arm down and the others up; towards the mean under -θ_*; further the way ⟨x, θ_t⟩
# already errs; always up; always down.  And at which arms.
DIRECTIONS = ("mislead", "mirror", "amplify", "up", "down")
TARGETS = ("all", "best", "others")

# What compiled code reads of an attack, one number each; the first is what it has paid so far.
SPENT, KIND, BUDGET, SIZE, START, BELOW, DIVISIBLE, DIRECTION, TARGET = range(9)

CLOSE = 1e-9  # indices as close as this are not told apart


class AdversaryView(NamedTuple):
    """What the adversary looks at before it corrupts round t (from 1).

    `cap` is what a push may have spent by the end of the round and `chance` is uniform on [0, 1).
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
    caps: Floats | None = None  # on what is spent by the end of each round

    def numbers(self) -> Floats:
        """The attack before its first round, as `corrupt` reads it."""
        if not 0 <= self.C < inf:
            raise BadInput("C", self.C, "a finite budget C >= 0")
        direction, target = DIRECTIONS.index(self.direction), TARGETS.index(self.target)
        entries = (0.0, self.kind, self.C, self.size, self.start, self.below, self.divisible, direction, target)
        return np.array(entries, dtype=float)

    def caps_of(self, first: int, count: int) -> Floats:
        """The caps of `count` rounds from `first` (from 0) on; after the last one nothing may be spent."""
        if self.caps is None:
            return np.full(count, inf)
        known = self.caps[first : first + count]
        return np.append(known, np.zeros(count - known.size))

    def times(self, factor: float) -> Attack:
        """The same strategy with `factor` times the budget, pushing harder by as much where it can."""
        if not 0 < factor < inf:
            raise BadInput("factor", factor, "a finite factor > 0")
        size = self.size * factor if self.kind == PUSH else self.size
        caps = None if self.caps is None else self.caps * factor
        return replace(self, C=self.C * factor, size=size, caps=caps)


NO_ATTACK = Attack(NONE, 0.0)


def front_loaded(C: float, size: float = 1.0) -> Attack:
    """Mislead from the first round on, by `size` each time: the best arm looks worse, the others better."""
    return Attack(PUSH, C, size)


def spread(C: float, T: int) -> Attack:
    """The same small corruption in every round."""
    return Attack(PUSH, C, C / T)


def late(C: float, T: int, size: float = 1.0) -> Attack:
    """Nothing, until just enough rounds are left to spend C."""
    return Attack(PUSH, C, size, start=math.nextafter(T - C / size, inf))


def low_weight(C: float, size: float = 1.0, below: float = 1.0) -> Attack:
    """Corrupt only what the learner itself distrusts: rounds of weight under `below`."""
    return Attack(PUSH, C, size, below=below)


def mirror(C: float) -> Attack:
    """Make the rewards look as if the parameter were -θ_*."""
    return Attack(MIRROR, C)


def fixed(C: float, T: int, size: float = 1.0) -> dict[str, Attack]:
    """The attacks above by name."""
    pushes = {"front-loaded": front_loaded(C, size), "spread": spread(C, T), "late": late(C, T, size)}
    return pushes | {"low-weight": low_weight(C, size), "mirror": mirror(C)}


def hidden(C: float, family: Family, z: float, shown: float) -> Attack:
    """Make the best arm, of natural parameter z, look like one of parameter `shown`, in the manner of the family.

    app:logistic turns a one into a zero with probability q = Δ/μ(z), app:poisson drops every count with that
    probability, and for other families Δ is taken off (app:lower-bound-corruption, without noise).
    """
    cost, mean = float(family.mu(z) - family.mu(shown)), float(family.mu(z))
    if family.name in ("bernoulli", "poisson"):
        share = min(float(lower_constants.flip_probability(cost, mean)), 1.0 - 2.0**-53)
        return Attack(FLIP if family.name == "bernoulli" else THIN, C, share, divisible=False)
    return Attack(TAKE, C, cost, divisible=False)


def paced(
    C: float, T: int, shares: Sequence[float] | Floats, size: float, direction: str = "amplify", target: str = "all",
    below: float = inf,
) -> Attack:  # fmt: skip
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
    return Attack(PUSH, C, size, below=below, direction=direction, target=target, caps=spent[block])


def corrupt(attack: Floats, view: AdversaryView) -> float:
    """The corruption of this round, paid for; one function without callees, so that a compiled loop can take it.

    What is spent is rounded up if its sum is not a floating-point number, so the budget is never overspent.
    """
    kind, size, spent, budget = attack[KIND], attack[SIZE], attack[SPENT], attack[BUDGET]
    if spent >= budget or view.t < attack[START] or not (view.trust < attack[BELOW] or attack[BELOW] == inf):
        return 0.0
    c = 0.0
    if kind == MIRROR:
        c = view.mirrored - view.mean
    elif kind == PUSH:
        apart, mirror = -1.0 if view.is_best else 1.0, float(np.sign(view.mirrored - view.mean))
        ways = (apart, mirror, 1.0 if view.error >= 0.0 else -1.0, 1.0, -1.0)
        if attack[TARGET] == 0.0 or view.is_best == (attack[TARGET] == 1.0):
            c = ways[int(attack[DIRECTION])] * max(min(size, view.cap - spent), 0.0)
    elif view.is_best:
        if kind == TAKE:
            c = -size
        elif kind == FLIP:
            c = -1.0 if view.reward == 1.0 and view.chance < size else 0.0
        elif kind == THIN:  # the number of successes in so many trials, by inversion of its distribution function
            n, k, chance, mass = int(view.reward), 0, view.chance, (1.0 - size) ** int(view.reward)
            while chance >= mass and k < n:
                chance -= mass
                mass *= (n - k) / (k + 1.0) * size / (1.0 - size)
                k += 1
            c = -float(k)
    left = budget - spent
    if budget - left < spent:  # exact where `left` was rounded: never up
        left = np.nextafter(left, 0.0)
    if abs(c) > left:
        c = np.copysign(left, c) if attack[DIVISIBLE] != 0.0 else 0.0
    total, larger, smaller = spent + abs(c), max(spent, abs(c)), min(spent, abs(c))
    attack[SPENT] = np.nextafter(total, inf) if total - larger < smaller else total
    return float(c)


def adversarial_contexts(points: Floats, index: Floats, value: Floats, norm: Floats) -> tuple[int, int]:
    """Arms (K, d) changed in place: row 0 is the arm to be played, all others the better one that it hides.

    `index` is ⟨x, θ_t⟩ + radius ‖x‖, `value` is ⟨x, θ_*⟩ and `norm` is ‖x‖², the norms in H_t⁻¹.  Returns which arms
    these two were.  One function without callees, so that a compiled loop can take it.
    """
    K, d = points.shape
    played, better, most = 0, 0, 0.0
    for k in range(K):
        for j in range(K):
            if index[k] - index[j] > CLOSE and value[j] - value[k] > most:
                played, better, most = k, j, value[j] - value[k]
    if most == 0.0:
        for k in range(K):
            if norm[k] < (1.0 - CLOSE) * norm[played]:
                played, better = k, k
    for i in range(d):
        shown, hidden = points[played, i], points[better, i]
        points[0, i] = shown
        for k in range(1, K):
            points[k, i] = hidden
    return played, better


def shown(arms: Floats, theta: Floats, theta_star: Floats, H: Floats, radius: float) -> Floats:
    """The arms of a round as the learner gets to see them."""
    offered = np.array(arms, order="C")
    norm = np.einsum("ki,ki->k", offered, np.linalg.solve(H, offered.T).T)
    adversarial_contexts(offered, offered @ theta + radius * np.sqrt(norm), offered @ theta_star, norm)
    return offered
