"""Draws from a density by inverting its distribution function: a sampler for a family that has none.

One uniform number makes one draw.  On a lattice the weights are added up; on an interval the line is
mapped onto the support by a double-exponential substitution, which flattens integrable singularities at the
ends, and the density is interpolated on panels that are halved until it fits.  Tables are kept for the
last few (z, g), so a run with few arms builds each of them once.

These are floats for simulation: the distribution function is right to about 1e-10, except that a
singularity (r - a)^rho at an end a other than 0 is resolved only down to |r - a| ~ 1e-16, where the mass
left out is about 1e-16 to the power 1 + rho (1e-8 for an inverse square root), and that for a tiny g the
terms of the log-density cancel, which costs about 1e-17 |r z|/g of relative accuracy.
The weights are normalised by their own sum, so a wrong constant in log_base goes unnoticed here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, Floats, Sampler, g
from numpy.polynomial import legendre

Quantile = Callable[[Floats], Floats]

CACHED = 256  # tables kept for each sampler
NODES = 12  # Gauss points on a panel
DEEPEST = 30  # halvings of a panel
MOST_PANELS = 2048
FIT = 1e-13  # accepted error of a panel, as a share of the whole mass
NEGLIGIBLE = -50.0  # log of a weight, relative to the largest, that is left out
MOST_POINTS = 20_000_000
FARTHEST = 1 << 62  # numbers of lattice points: as far as they can be counted


def sampler_from_density(family: Family) -> Sampler:
    """A sampler (rng, natural parameters, dispersion) for any family with a support and a base density."""
    tables: OrderedDict[tuple[float, float], Quantile] = OrderedDict()

    def quantile(at: float, dispersion: float) -> Quantile:
        key = at, dispersion
        if key not in tables:
            tables[key] = _quantile(family, at, dispersion)
            if len(tables) > CACHED:
                tables.popitem(last=False)
        tables.move_to_end(key)
        return tables[key]

    def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
        points = np.asarray(at, dtype=float)
        uniform = rng.random(points.shape)
        flat, where = np.unique(points.ravel(), return_inverse=True)
        draws, order = np.empty(points.size), np.argsort(where, kind="stable")
        ends = np.searchsorted(where[order], np.arange(flat.size + 1))
        for i, value in enumerate(flat):
            mine = order[ends[i] : ends[i + 1]]
            draws[mine] = quantile(float(value), dispersion)(uniform.ravel()[mine])
        return draws.reshape(points.shape)

    return sample


def _quantile(family: Family, at: float, dispersion: float) -> Quantile:
    lower, upper = (float(end.subs(g, dispersion)) for end in (family.support.lower, family.support.upper))
    mean, spread = _location(family, at, dispersion, lower, upper)
    if family.support.step is None:
        return _interval(family, at, dispersion, (lower, upper), (mean, spread))
    step = float(family.support.step.subs(g, dispersion))
    return _lattice(family, at, dispersion, (lower, upper, step), (mean, spread))


def _location(family: Family, at: float, dispersion: float, lower: float, upper: float) -> tuple[float, float]:
    """Mean and spread as m gives them, or something usable if that makes no sense for this support."""
    mean, variance = float(family.mu(at)), dispersion * float(family.dmu(at))
    spread = variance**0.5 if np.isfinite(variance) and variance > 0 else 1.0
    if not (np.isfinite(mean) and lower <= mean <= upper):
        mean = min(max(0.0, lower), upper)
    return mean, spread


# --- lattices ---------------------------------------------------------------------------------------


def _lattice(
    family: Family, at: float, dispersion: float, support: tuple[float, float, float], location: tuple[float, float]
) -> Quantile:
    """Weights from the mean outward, until on both sides they are negligible."""
    lower, upper, step = support
    mean, spread = location
    origin = lower if np.isfinite(lower) else 0.0
    least = 0 if np.isfinite(lower) else -FARTHEST
    most = round((upper - origin) / step) if np.isfinite(upper) else FARTHEST
    center = min(max(round((mean - origin) / step), least), most)
    reach = int(8 * spread / step) + 16
    while True:
        k = np.arange(max(center - reach, least), min(center + reach, most) + 1)
        logs = family.log_density(origin + k * step, at, dispersion)
        logs = logs - logs.max()
        done_left = k[0] == least or logs[0] < NEGLIGIBLE
        done_right = k[-1] == most or logs[-1] < NEGLIGIBLE
        if done_left and done_right:
            break
        if k.size > MOST_POINTS:
            raise BadInput("z", at, f"natural parameters where {MOST_POINTS} lattice points hold the mass")
        reach *= 2
    total = np.cumsum(np.exp(logs))
    rewards = origin + k * step

    def invert(u: Floats) -> Floats:
        index = np.searchsorted(total, u * total[-1], side="right")
        return np.asarray(rewards[np.minimum(index, rewards.size - 1)])

    return invert


# --- intervals --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Map:
    """The line onto the support: r(t), log r'(t), and the t of given rewards."""

    reward: Callable[[Floats], Floats]
    log_slope: Callable[[Floats], Floats]
    back: Callable[[Floats], Floats]


def substitution(lower: float, upper: float, mean: float | Floats, spread: float | Floats) -> Map:
    """Double-exponential substitutions with s = (pi/2) sinh t; mean and spread may be columns, one per row."""
    half_pi = np.pi / 2

    def s(t: Floats) -> Floats:
        return np.asarray(half_pi * np.sinh(t))

    def log_ds(t: Floats) -> Floats:
        return np.asarray(np.log(half_pi * np.cosh(t)))

    def t_of(value: Floats) -> Floats:
        return np.asarray(np.arcsinh(value / half_pi))

    if np.isfinite(lower) and np.isfinite(upper):
        length = upper - lower

        def bounded(t: Floats) -> Floats:
            # Measured from the nearer end, so that neither end loses digits to the other.
            far = np.exp(-2 * np.abs(s(t)))
            near = far / (1 + far)
            return np.asarray(np.where(t < 0, lower + length * near, upper - length * near))

        return Map(
            bounded,
            lambda t: np.log(2 * length) - 2 * np.logaddexp(s(t), -s(t)) + log_ds(t),
            lambda x: t_of(np.log((x - lower) / (upper - x)) / 2),
        )
    if np.isfinite(lower) or np.isfinite(upper):
        end, sign = (lower, 1.0) if np.isfinite(lower) else (upper, -1.0)
        scale = np.where(mean == end, spread, np.abs(mean - end))
        return Map(
            lambda t: end + sign * scale * np.exp(s(t)),
            lambda t: np.log(scale) + s(t) + log_ds(t),
            lambda x: t_of(np.log(sign * (x - end) / scale)),
        )
    return Map(
        lambda t: mean + spread * np.sinh(s(t)),
        lambda t: np.log(spread) + np.logaddexp(s(t), -s(t)) - np.log(2) + log_ds(t),
        lambda x: t_of(np.arcsinh((x - mean) / spread)),
    )


LIMIT = 6.79  # (pi/2) sinh(6.79) is just below 700: exp of it is a double
X, W = legendre.leggauss(NODES)


def _interval(
    family: Family, at: float, dispersion: float, support: tuple[float, float], location: tuple[float, float]
) -> Quantile:
    lower, upper = support
    line = substitution(lower, upper, *location)
    ticks = location[0] + location[1] * np.array([-30, -10, -5, -2.5, -1, 0, 1, 2.5, 5, 10, 30])
    inside = line.back(ticks[(ticks > lower) & (ticks < upper)])
    edges = np.unique(np.clip(np.concatenate([np.linspace(-LIMIT, LIMIT, 55), inside]), -LIMIT, LIMIT))

    def log_density(t: Floats) -> Floats:
        rewards = line.reward(t)
        with np.errstate(all="ignore"):
            values = family.log_density(rewards, at, dispersion) + line.log_slope(t)
        usable = (rewards > lower) & (rewards < upper) & np.isfinite(values)
        return np.where(usable, values, -np.inf)

    top = _largest(log_density, edges)
    panels = _panels(lambda t: np.exp(log_density(t) - top), edges)
    return _inverse(*panels, line.reward, (lower, upper))


def _nodes(left: Floats, right: Floats) -> Floats:
    return np.asarray(left[:, None] + (right - left)[:, None] * (X + 1) / 2)


def _largest(log_density: Callable[[Floats], Floats], edges: Floats) -> float:
    top = float(log_density(_nodes(edges[:-1], edges[1:])).max())
    if not np.isfinite(top):
        raise BadInput("log_base", top, "a density that is finite somewhere near its mean")
    return top


def _panels(density: Callable[[Floats], Floats], edges: Floats) -> tuple[Floats, Floats, Floats]:
    """Panels on which twelve points hold the density: left ends, widths, values at the points."""
    left, right = edges[:-1], edges[1:]
    values = density(_nodes(left, right))
    total = float(np.sum(values @ W * (right - left) / 2))
    kept: list[tuple[Floats, Floats, Floats]] = []
    for depth in range(DEEPEST + 1):
        middle = (left + right) / 2
        halves = [density(_nodes(left, middle)), density(_nodes(middle, right))]
        whole = values @ W * (right - left) / 2
        split = (halves[0] @ W + halves[1] @ W) * (right - left) / 4
        total = max(total, float(split.sum()) + sum(float((v @ W * w / 2).sum()) for _, w, v in kept))
        # Where rounding in the density itself forbids the fit, ever more panels would not help.
        last = depth == DEEPEST or left.size > MOST_PANELS
        good = (np.abs(whole - split) <= FIT * total) | last
        kept.append((left[good], (right - left)[good], values[good]))
        if good.all():
            break
        bad = ~good
        left, right = np.concatenate([left[bad], middle[bad]]), np.concatenate([middle[bad], right[bad]])
        values = np.concatenate([halves[0][bad], halves[1][bad]])
    starts, widths, rows = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    order = np.argsort(starts)
    return starts[order], widths[order], rows[order]


def _inverse(
    starts: Floats, widths: Floats, rows: Floats, reward: Callable[[Floats], Floats], ends: tuple[float, float]
) -> Quantile:
    """From a uniform number to its panel, and there to the root of the integrated interpolant."""
    cumulative = np.concatenate([[0.0], np.cumsum(rows @ W * widths / 2)])
    vander = legendre.legvander(X, NODES - 1)
    scale = (2 * np.arange(NODES) + 1) / 2
    coefficients = (rows * W) @ vander * scale  # Legendre coefficients of the density on each panel
    integral = legendre.legint(coefficients, axis=1, lbnd=-1)
    halves = widths / 2

    def invert(u: Floats) -> Floats:
        target = u * cumulative[-1]
        index = np.clip(np.searchsorted(cumulative, target, side="right") - 1, 0, starts.size - 1)
        x = _root(integral[index].T, coefficients[index].T, (target - cumulative[index]) / halves[index])
        return np.clip(reward(starts[index] + widths[index] * (x + 1) / 2), *ends)

    return invert


def _root(integral: Floats, density: Floats, target: Floats) -> Floats:
    """The x in [-1, 1] where the integral of the interpolant is the target: Newton kept inside a bracket."""
    low, high = np.full(target.shape, -1.0), np.full(target.shape, 1.0)
    x = np.zeros(target.shape)
    for _ in range(60):
        gap = legendre.legval(x, integral, tensor=False) - target
        low, high = np.where(gap < 0, x, low), np.where(gap < 0, high, x)
        slope = legendre.legval(x, density, tensor=False)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = x - gap / slope
        inside = (newton > low) & (newton < high)
        moved = np.where(inside, newton, (low + high) / 2)
        if np.all(np.abs(moved - x) <= 1e-14):
            break
        x = moved
    return x
