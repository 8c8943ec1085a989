"""Rewards for many arms and dispersions at once, from the family's own sampler."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import POSITIVE, Family, Sampler


def draw(family: Family, rng: np.random.Generator, z: Floats, dispersions: Floats) -> Floats:
    """One reward for each entry of z (n, K); row i has the dispersion number i, or the only one that there is."""
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
    """Dispersions the family allows, copied."""
    if family.dispersions is POSITIVE:
        distinct = np.array([dispersions.min(), dispersions.max()])  # also catches what is not a number
    else:
        distinct = np.unique(dispersions)
    for g in distinct:
        family.check_dispersion(float(g), "dispersions")
    return np.array(dispersions)


@lru_cache(maxsize=256)
def _takes_arrays(sampler: Sampler, low: float, high: float) -> bool:
    """Does the sampler, written for one dispersion, work entry by entry for an array of them?

    It must give the same draws for an array of equal dispersions as for the number itself, and not refuse
    different ones.  Most samplers are one broadcasting call; the others are called once per dispersion.
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
