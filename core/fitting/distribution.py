"""P(R < r) and P(R <= r) row by row, from the density alone: sums on a lattice, quadrature on an interval.

On an interval the line is mapped onto the support as in `core.inversion`, with panels cut at the row's mean, at
multiples of its spread and at the reward itself.  The whole mass is computed too; where it is not 1 the row is refused.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family, g
from glbcheck.core.inversion import LIMIT, W, X, substitution

REACH = 40.0  # spreads on either side of the mean that are added up on a lattice
MOST_WORK = 40_000_000  # lattice points, all rows together
CHUNK = 2_000_000  # density values held at a time
MASS = 1e-6  # accepted error of the whole mass
TICKS = np.linspace(-12, 12, 9)  # spreads from the mean
PANELS = np.linspace(-LIMIT, LIMIT, 41)


class NotSummed(Exception):
    """The distribution function could not be computed; the words say why."""


def below_and_at(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> tuple[Floats, Floats]:
    """P(R < r) and P(R <= r) for every row."""
    below, upto = np.empty(rewards.size), np.empty(rewards.size)
    one = _on_interval if family.support.step is None else _on_lattice
    for value in np.unique(dispersions):
        own = np.flatnonzero(dispersions == value)
        below[own], upto[own] = one(family, rewards[own], natural[own], float(value))
    return below, upto


def _location(family: Family, natural: Floats, dispersion: float) -> tuple[Floats, Floats]:
    return family.mu(natural), np.sqrt(dispersion * family.dmu(natural))


def _checked(mass: Floats) -> Floats:
    wrong = ~(np.abs(mass - 1) <= MASS)
    if wrong.any():
        raise NotSummed(f"a row's density adds up to {mass[wrong][0]:.9g} instead of 1")
    return mass


def _on_lattice(family: Family, rewards: Floats, natural: Floats, dispersion: float) -> tuple[Floats, Floats]:
    mean, spread = _location(family, natural, dispersion)
    step = float(family.support.step.subs(g, dispersion))  # type: ignore[union-attr]  # a lattice has a step
    low, high = float(family.support.lower), float(family.support.upper)
    origin = low if np.isfinite(low) else 0.0
    reach = REACH * spread + 8 * step
    first = np.floor((np.maximum(mean - reach, low) - origin) / step)
    last = np.ceil((np.minimum(mean + reach, high) - origin) / step)
    width = last - first + 1
    if width.sum() > MOST_WORK:
        raise NotSummed(f"{width.sum():.3g} lattice points hold the mass, more than {MOST_WORK:g}")
    below, upto = np.empty(rewards.size), np.empty(rewards.size)
    m = family.m(natural)
    order = np.argsort(-width)  # rows of like width share an array; the first is its widest
    while order.size:
        rows, order = np.split(order, [1 + int(CHUNK / width[order[0]])])
        k = first[rows][:, None] + np.arange(int(width[rows].max()))
        points = np.asarray(origin + k * step, dtype=float)
        logs = (points * natural[rows][:, None] - m[rows][:, None]) / dispersion
        masses = np.exp(logs + family.log_base_density(points, dispersion))
        mass = _checked(masses.sum(axis=1))
        index = np.round((rewards[rows] - origin) / step)[:, None]
        below[rows] = np.where(k < index, masses, 0.0).sum(axis=1) / mass
        upto[rows] = np.where(k <= index, masses, 0.0).sum(axis=1) / mass
    return below, upto


def _on_interval(family: Family, rewards: Floats, natural: Floats, dispersion: float) -> tuple[Floats, Floats]:
    values = np.empty(rewards.size)
    count = CHUNK // ((PANELS.size + TICKS.size) * X.size)
    for start in range(0, rewards.size, count):
        rows = slice(start, start + count)
        values[rows] = _integrated(family, rewards[rows], natural[rows], dispersion)
    return values, values


def _integrated(family: Family, rewards: Floats, natural: Floats, dispersion: float) -> Floats:
    mean, spread = (column[:, None] for column in _location(family, natural, dispersion))
    line = substitution(float(family.support.lower), float(family.support.upper), mean, spread)
    with np.errstate(all="ignore"):
        cuts = line.back(np.hstack([mean + spread * TICKS, rewards[:, None]]))
        # What is outside the support has no place on the line: it falls onto an end.
        cuts = np.fmin(np.fmax(cuts, -LIMIT), LIMIT)
        fixed = np.broadcast_to(PANELS, (rewards.size, PANELS.size))
        edges = np.sort(np.hstack([fixed, cuts]))
        widths = np.diff(edges)
        nodes = edges[:, :-1, None] + widths[:, :, None] * (X + 1) / 2
        nodes = nodes.reshape(rewards.size, -1)
        points = line.reward(nodes)
        logs = (points * natural[:, None] - family.m(natural)[:, None]) / dispersion + line.log_slope(nodes)
        density = np.exp(logs + family.log_base_density(points, dispersion))
    density = np.where(np.isfinite(density), density, 0.0).reshape(*widths.shape, X.size)
    masses = density @ W * widths / 2
    whole = _checked(masses.sum(axis=1))
    return np.asarray(np.where(edges[:, 1:] <= cuts[:, -1:], masses, 0.0).sum(axis=1) / whole)
