"""A reward from one draw that belongs to the round, whichever arm is pulled: rewards are drawn for one arm only.

Where arms or dispersions change, a round brings one number made by numpy, and the law of the family turns it into the
reward of the arm: noise is shifted where the variance is constant, scaled where it is the square of the mean, and on a
lattice a uniform number is inverted.  Counts whose dispersion changes are drawn in the round, from a place of the
stream that is its own.  What fits none of these draws a reward for every arm, from the family's own sampler.

A law is a flat array: its kind; on a lattice then its lowest point, its step, 1/g, and the ratio of every base
weight to the one before.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from glbcheck.core._numba import apart, as_written, compiled
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.draws import draw
from glbcheck.core.engine.stacks import counts
from glbcheck.core.engine.streams import SIZE, Streams, leap, poisson
from glbcheck.core.engine.wide import where
from glbcheck.core.environment.world import Rng
from glbcheck.core.family import Family

EVERY_ARM, MEANS, SHIFTED, SCALED, LATTICE, COUNTED = range(6)
_LONGEST = 512  # points of a lattice that are summed up
_NEGLIGIBLE = 2.0**-60  # probability of what lies beyond them
_HEADER = 4
EVERY = np.array([float(EVERY_ARM)])  # a reward for every arm: no law of one draw


@lru_cache(maxsize=256)
def law_of(family: Family, S: float, dispersion: float | None, noisy: bool = True) -> Floats:
    """The law of the rewards with natural parameters in [-S, S]; the dispersion is None if it changes."""
    if not noisy:
        return np.array([float(MEANS)])
    kind = family.kept(f"law on {S!r}", lambda: _variance_kind(family, S))
    if kind == EVERY_ARM and dispersion is not None:
        question = f"lattice on {S!r} with g = {dispersion!r}"
        return np.array(family.kept(question, lambda: _lattice(family, S, dispersion).tolist()))
    return np.array([float(COUNTED if kind == EVERY_ARM and counts(family) else kind)])


def draws_of(law: Floats, family: Family, rng: Rng, dispersions: Floats) -> Floats:
    """What a law makes rewards of, one number a round."""
    count, kind = dispersions.size, int(law[0])
    if kind in (MEANS, COUNTED):
        return np.zeros((count, 1))
    if kind == LATTICE:
        return rng.random((count, 1))
    at_zero, mean = draw(family, rng, np.zeros((count, 1)), dispersions), float(family.mu(0.0))
    return at_zero - mean if kind == SHIFTED else at_zero / mean


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


@as_written
@apart
def count_of_round(places: Streams, z: float, g: float) -> float:
    """From the place of the round in its stream, whatever was drawn before; the first row goes on to the next."""
    for i in range(SIZE):
        places[1, i] = places[0, i]
    leap(places[0])
    return g * poisson(places[1], math.exp(z) / g)


@compiled
def reward_of(law: Floats, z: float, mean: float, drawn: float) -> float:
    """The reward at natural parameter z that a draw of the round amounts to."""
    if law[0] == MEANS:
        return mean
    if law[0] == SHIFTED:
        return mean + drawn
    if law[0] == SCALED:
        return mean * drawn
    if law.size == _HEADER + 1:  # of two points the mean says how likely they are
        return float(law[1] + where((1.0 - drawn) * law[2] <= mean - law[1], law[2], 0.0))
    return _inverted(law, z, drawn)


@compiled
def _inverted(law: Floats, z: float, chance: float) -> float:
    """The first point of the lattice up to which the law has at least this probability."""
    tilt = np.exp(z * law[2] * law[3])
    weight, total = 1.0, 1.0
    for k in range(_HEADER, law.size):
        weight *= tilt * law[k]
        total += weight
    left, weight, point = chance * total, 1.0, law[1]
    for k in range(_HEADER, law.size):
        left -= weight
        if left < 0.0:
            break
        weight *= tilt * law[k]
        point += law[2]
    return float(point)
