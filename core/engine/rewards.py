"""Rewards: one random number per round, common to all algorithms, made a reward of the arm that is pulled.

Where the variance is the same for all means the noise is shifted, where it is the square of the mean the reward is
scaled, and a law on a lattice is inverted: the reward is the least point up to which the law has at least the
probability that was drawn.  A family that fits none of these has a reward drawn for every arm, from its own sampler.

A law is a flat array: its kind; on a lattice then its lowest point, its step, 1/g, and the ratio of every base
weight to the one before.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.catalog import poisson, scaled_poisson
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.environment.world import Rng
from glbcheck.core.family import POSITIVE, Family, Sampler

EVERY_ARM, MEANS, SHIFTED, SCALED, LATTICE, COUNTS = range(6)
_LONGEST = 512  # points of a lattice that are summed up
_NEGLIGIBLE = 2.0**-60  # probability of what lies beyond them
EVERY = np.array([float(EVERY_ARM)])


@lru_cache(maxsize=256)
def law_of(family: Family, S: float, dispersion: float | None, noisy: bool = True) -> Floats:
    """The law of the rewards with natural parameters in [-S, S]; the dispersion is None if it changes."""
    if not noisy:
        return np.array([float(MEANS)])
    if family.sampler in (poisson.sample, scaled_poisson.sample):
        return np.array([float(COUNTS)])
    kind = family.kept(f"law on {S!r}", lambda: _variance_kind(family, S))
    if kind == EVERY_ARM and dispersion is not None:
        question = f"lattice on {S!r} with g = {dispersion!r}"
        return np.array(family.kept(question, lambda: _lattice(family, S, dispersion).tolist()))
    return np.array([float(kind)])


def _variance_kind(family: Family, S: float) -> int:
    """Constant variance makes a normal law, the square of the mean a gamma law, and no other."""
    import sympy as sp

    at = np.linspace(-S, S, 7)
    mu, dmu = family.mu(at), family.dmu(at)
    if np.ptp(dmu) < 1e-9 * dmu.max() and not sp.simplify(family.dmu_expr).free_symbols:
        return SHIFTED
    if (mu > 0).all():
        ratio = dmu / mu**2
        if np.ptp(ratio) < 1e-9 * ratio.max() and not sp.simplify(family.dmu_expr / family.mu_expr**2).free_symbols:
            return SCALED
    return EVERY_ARM


def _lattice(family: Family, S: float, g: float) -> Floats:
    """The law on a lattice with a lowest point, if it has one and is not too long."""
    from glbcheck.core.letters import g as letter

    support = family.support
    if support.step is None or not support.lower.is_finite or not family.has_base:
        return EVERY
    low, step, top = (float(end.subs(letter, g)) for end in (support.lower, support.step, support.upper))
    points: Floats = np.array([low + step * k for k in range(_LONGEST) if step * (k - 0.5) <= top - low])
    base = family.log_base_density(points, g)
    mass = np.exp((points * S - family.m(S)) / g + base)  # at S the lowest point is rarest and the last ones likeliest
    whole = points.size < _LONGEST
    fits = np.isfinite(base).all() and mass[0] > 1e-200
    if not fits or (not whole and 1 - mass.sum() > 1e-12):
        return EVERY
    kept = points.size if whole else int(np.flatnonzero(mass > _NEGLIGIBLE)[-1]) + 1
    return np.concatenate([[LATTICE, low, step, 1 / g], np.exp(np.diff(base[:kept]))])


# --- the draws of a block of rounds -------------------------------------------------------------------------


def draws_of(law: Floats, family: Family, rng: Rng, naturals: Floats, dispersions: Floats) -> Floats:
    """What the law makes rewards of: (n, 1), one number a round; or (n, K), a reward for each of these arms."""
    count, kind = dispersions.size, int(law[0])
    if kind == MEANS:
        return np.zeros((count, 1))
    if kind in (LATTICE, COUNTS):
        return rng.random((count, 1))
    if kind == EVERY_ARM:
        return draw(family, rng, np.broadcast_to(naturals, (count, naturals.shape[1])), dispersions)
    at_zero, mean = draw(family, rng, np.zeros((count, 1)), dispersions), float(family.mu(0.0))
    return at_zero - mean if kind == SHIFTED else at_zero / mean


def draw(family: Family, rng: Rng, z: Floats, dispersions: Floats) -> Floats:
    """One reward for each entry of z (n, K); row i has the dispersion number i."""
    if np.ptp(dispersions) == 0:
        return np.asarray(family.sampler(rng, z, float(dispersions[0])), dtype=float)
    if _takes_arrays(family.sampler, float(dispersions.min()), float(dispersions.max())):
        return np.asarray(family.sampler(rng, z, dispersions[:, None]), dtype=float)  # type: ignore[arg-type]
    rewards = np.empty(z.shape)
    for g in np.unique(dispersions):
        rows = dispersions == g
        rewards[rows] = family.sampler(rng, z[rows], float(g))
    return rewards


def check_dispersions(family: Family, dispersions: Floats) -> Floats:
    """Dispersions the family allows."""
    if family.dispersions is POSITIVE:
        distinct = np.array([dispersions.min(), dispersions.max()])  # also catches what is not a number
    else:
        distinct = np.unique(dispersions)
    for g in distinct:
        family.check_dispersion(float(g), "dispersions")
    return dispersions


@lru_cache(maxsize=256)
def _takes_arrays(sampler: Sampler, low: float, high: float) -> bool:
    """Does the sampler, written for one dispersion, work entry by entry for an array of them?

    It must give the same draws for an array of equal dispersions as for the number itself, and not refuse different
    ones.  Most samplers are one broadcasting call; the others are called once per dispersion.
    """
    z = np.full((2, 3), -0.125)
    try:
        for g in (low, high):
            one = sampler(np.random.default_rng(0), z, g)
            many = sampler(np.random.default_rng(0), z, np.full((2, 1), g))  # type: ignore[arg-type]
            if np.shape(many) != z.shape or not np.array_equal(one, many):
                return False
        mixed = sampler(np.random.default_rng(0), z, np.array([[low], [high]]))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return bool(np.shape(mixed) == z.shape)


# --- the reward of a round ----------------------------------------------------------------------------------


@kernel
def reward_of(law: Floats, z: float, mean: float, g: float, drawn: float) -> float:
    """The reward at natural parameter z, of this mean, that the draw of the round amounts to."""
    kind = law[0]
    if kind == 1.0:
        return mean
    if kind == 2.0:
        return mean + drawn
    if kind == 3.0:
        return mean * drawn
    if kind == 5.0:
        return g * count_at(math.exp(z) / g, drawn)
    if kind == 4.0 and law.size == 5:  # of two points the mean says how likely they are
        return float(law[1] + (law[2] if (1.0 - drawn) * law[2] <= mean - law[1] else 0.0))
    return point_at(law, z, drawn)


@kernel
def point_at(law: Floats, z: float, chance: float) -> float:
    """The first point of the lattice up to which the law has at least this probability."""
    tilt = math.exp(z * law[2] * law[3])
    weight = total = 1.0
    for k in range(4, law.size):
        weight *= tilt * law[k]
        total += weight
    left, weight, point = chance * total, 1.0, law[1]
    for k in range(4, law.size):
        left -= weight
        if left < 0.0:
            break
        weight *= tilt * law[k]
        point += law[2]
    return float(point)


@kernel
def count_at(rate: float, chance: float) -> float:
    """The first count up to which a Poisson law of this rate has more than this probability.

    The sum starts at the likeliest count and goes down for as long as terms matter, then up or down from there.
    """
    mode = float(math.floor(rate))
    top = math.exp(mode * math.log(rate) - rate - math.lgamma(mode + 1.0))
    below, mass, count = 0.0, top, mode  # below: the probability of the counts under `count`, from the mode down
    while count > 0.0 and mass > 1e-18 * top:
        mass *= count / rate
        count -= 1.0
        below += mass
    total = below + top  # up to the mode
    if chance < below:  # down
        count, mass, total = mode, top, below
        while count > 0.0:
            mass *= count / rate
            count -= 1.0
            total -= mass
            if not chance < total:
                return count
        return 0.0
    count, mass = mode, top  # up
    while not chance < total:
        count += 1.0
        mass *= rate / count
        if not total + mass > total:
            return count
        total += mass
    return count
