"""Residuals of a fit: Pearson, deviance, and randomised quantile residuals, which are normal if the law is right."""

from __future__ import annotations

from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.fitting.distribution import below_and_at
from glbcheck.core.fitting.likelihood import natural_ends

FARTHEST = 1e-300  # probabilities beyond doubles give a residual of about 37, never an infinite one
HALVINGS = 80


def pearson(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> Floats:
    """(r - μ) / sqrt(g μ')."""
    return np.asarray((rewards - family.mu(natural)) / np.sqrt(dispersions * family.dmu(natural)))


def quantile(family: Family, rewards: Floats, natural: Floats, dispersions: Floats, rng: np.random.Generator) -> Floats:
    """Φ⁻¹(u) with u uniform between P(R < r) and P(R <= r): standard normal exactly if the law is right."""
    import scipy.special as special

    below, upto = below_and_at(family, rewards, natural, dispersions)
    u = below + rng.random(rewards.size) * (upto - below)
    return np.asarray(special.ndtri(np.clip(u, FARTHEST, 1 - 2.0**-53)))


def deviance(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> Floats:
    """Signed root of twice the log-likelihood that a parameter of the row's own would gain."""
    best = _saturated(family, rewards, natural, dispersions)
    gained = best - (rewards * natural - family.m(natural)) / dispersions
    return np.asarray(np.sign(rewards - family.mu(natural)) * np.sqrt(2 * np.maximum(gained, 0.0)))


def _saturated(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> Floats:
    """sup over z of (r z - m(z)) / g; at an end of the support it is a limit."""
    low, high = float(family.support.lower), float(family.support.upper)
    best = np.full(rewards.size, np.inf)  # a density grows for ever towards an end, a mass tends to 1
    ends = (rewards == low) | (rewards == high)
    if family.support.step is not None:
        best[ends] = -family.log_base_density(rewards[ends], dispersions[ends])
    inner = ~ends
    if inner.any():
        z = _inverse_mean(family, rewards[inner], natural[inner])
        known = np.where(np.isnan(z), natural[inner], z)
        found = rewards[inner] * known - family.m(known)
        found[np.isnan(z)] = _beyond(family, rewards[inner][np.isnan(z)])
        best[inner] = found / dispersions[inner]
    return best


def _beyond(family: Family, rewards: Floats) -> list[float]:
    """sup over z of r z - m(z) for rewards whose z is beyond the numbers that m is tabulated for."""
    import mpmath
    import sympy as sp
    from glbcheck.core.letters import z

    m, mean = (sp.lambdify(z, part, "mpmath") for part in (family.log_partition, sp.diff(family.log_partition, z)))
    found = []
    with mpmath.workdps(120):  # more than the digits of a reward, so that a mean near an end of the domain reaches it
        ends = [sp.lambdify((), end, "mpmath")() for end in (family.domain.inf, family.domain.sup)]
        for r in map(mpmath.mpf, rewards.tolist()):
            low, high = map(mpmath.mpf, natural_ends(family))
            while mean(low) > r:
                low, high = _farther(low, ends[0]), low
            while mean(high) < r:
                low, high = high, _farther(high, ends[1])
            for _ in range(HALVINGS):  # a stationary point: half of its digits give all of those of the value
                middle = (low + high) / 2
                low, high = (middle, high) if mean(middle) < r else (low, middle)
            found.append(float(r * low - m(low)))
    return found


def _farther(z: Any, end: Any) -> Any:
    """Twice as far out, or half as far from an end."""
    return 2 * z if abs(end) == np.inf else (z + end) / 2


def _inverse_mean(family: Family, rewards: Floats, near: Floats) -> Floats:
    """The z with μ(z) = r: Newton inside a bracket that is widened from a point nearby; nan if it is out of reach."""
    low_end, high_end = natural_ends(family)
    low, high = near.copy(), near.copy()
    reach = np.full(near.size, 0.25)
    for _ in range(60):
        short, long = family.mu(low) > rewards, family.mu(high) < rewards
        if not (short | long).any():
            break
        low = np.where(short, np.maximum(low - reach, low + 0.75 * (low_end - low)), low)
        high = np.where(long, np.minimum(high + reach, high + 0.75 * (high_end - high)), high)
        reach = np.where(short | long, reach * 2, reach)
    reached = (family.mu(low) <= rewards) & (family.mu(high) >= rewards)
    z = (low + high) / 2
    for _ in range(HALVINGS):
        gap = family.mu(z) - rewards
        low, high = np.where(gap < 0, z, low), np.where(gap < 0, high, z)
        newton = z - gap / family.dmu(z)
        moved = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
        if np.all(np.abs(moved - z) <= 1e-13 * np.maximum(1e-3, np.abs(z))):
            break
        z = moved
    return np.where(reached, z, np.nan)
