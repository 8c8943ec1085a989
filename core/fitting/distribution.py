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
TICKS = np.array([-30, -12, -7, -4.5, -2.5, -1, 0, 1, 2.5, 4.5, 7, 12, 30])
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
    off = np.abs(mass - 1)
    if not (off <= MASS).all():
        raise NotSummed(f"a row's density adds up to {float(mass[np.nanargmax(off)]):.6g} instead of 1")
    return mass


def _on_lattice(family: Family, rewards: Floats, natural: Floats, dispersion: float) -> tuple[Floats, Floats]:
    mean, spread = _location(family, natural, dispersion)
    step = float(family.support.step.subs(g, dispersion))  # type: ignore[union-attr]  # a lattice has a step
    low, high = float(family.support.lower), float(family.support.upper)
    origin = low if np.isfinite(low) else 0.0
    least = 0.0 if np.isfinite(low) else -np.inf
    most = np.round((high - origin) / step) if np.isfinite(high) else np.inf
    first = np.maximum(np.floor((mean - REACH * spread - origin) / step) - 8, least)
    last = np.minimum(np.ceil((mean + REACH * spread - origin) / step) + 8, most)
    width = last - first + 1
    if width.sum() > MOST_WORK:
        raise NotSummed(f"{width.sum():.3g} lattice points hold the mass, more than {MOST_WORK:g}")
    below, upto = np.empty(rewards.size), np.empty(rewards.size)
    m = family.m(natural)
    order = np.argsort(width)  # rows of like width share an array
    start = 0
    while start < order.size:
        count = order.size - start
        while count > 1 and count * width[order[start + count - 1]] > CHUNK:
            count //= 2
        rows = order[start : start + count]
        k = first[rows][:, None] + np.arange(int(width[rows].max()))
        points = origin + k * step
        logs = (points * natural[rows][:, None] - m[rows][:, None]) / dispersion
        masses = np.exp(logs + family.log_base_density(points, dispersion))
        mass = _checked(masses.sum(axis=1))
        index = np.round((rewards[rows] - origin) / step)[:, None]
        below[rows] = np.where(k < index, masses, 0.0).sum(axis=1) / mass
        upto[rows] = np.where(k <= index, masses, 0.0).sum(axis=1) / mass
        start += count
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
        # A tick outside the support has no place on the line: it falls onto an end.
        ticks, own = line.back(mean + spread * TICKS), line.back(rewards[:, None])
        fixed = np.broadcast_to(PANELS, (rewards.size, PANELS.size))
        ticks = np.where(np.isfinite(ticks), np.clip(ticks, -LIMIT, LIMIT), -LIMIT)
        own = np.clip(own, -LIMIT, LIMIT)
        edges = np.sort(np.concatenate([fixed, ticks, own], axis=1), axis=1)
        widths = np.diff(edges, axis=1)
        nodes = (edges[:, :-1, None] + widths[:, :, None] * (X + 1) / 2).reshape(rewards.size, -1)
        points = line.reward(nodes)
        logs = (points * natural[:, None] - family.m(natural)[:, None]) / dispersion + line.log_slope(nodes)
        density = np.exp(logs + family.log_base_density(points, dispersion))
    density = np.where(np.isfinite(density), density, 0.0).reshape(*widths.shape, X.size)
    masses = density @ W * widths / 2
    whole = _checked(masses.sum(axis=1))
    return np.asarray(np.where(edges[:, 1:] <= own, masses, 0.0).sum(axis=1) / whole)
