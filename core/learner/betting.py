"""The bet of the monitor: what alternatives to the model predict of a reward, and what they gain by it.

Each alternative predicts the natural parameter z, which Θ need not contain, from (1, x) by Newton steps that forget,
and spreads its prediction over a few points.  Whatever is predicted before a reward is seen makes a valid test; how
good the predictions are decides how soon a wrong model is found.  The functions are compiled; where numba is missing
they run as they stand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.extras import is_installed
from glbcheck.core.family import Family

# What is kept of the past from one reward to the next: of all, of the last few hundred, of the last few dozen.
MEMORIES = (1.0, 0.995, 0.95)
# How far the prediction is spread, in units of 1/√(information of one reward): a spread is a larger variance.
SPREADS = (0.0, 0.7, 1.2, 2.5)
STEPS, SHARES = (-1.5, -0.75, 0.0, 0.75, 1.5), (0.15, 0.2, 0.3, 0.2, 0.15)
RIDGE = 0.5
ROUNDING = 1e-11  # of each number that is summed
LATTICE = 1e-9  # a reward this close to a point of the support, relatively, is that point
# What `sums` holds: of the family on [-top, top], of Θ, of the budget, of the support, and what is summed.
(
    TOP, LOWEST_MEAN, HIGHEST_MEAN, BALL, TEMPERED, COST, LOWER, UPPER, ROUNDS, SIZE, RUNNING, IMPOSSIBLE,
) = range(12)  # fmt: skip


class Reach(NamedTuple):
    """Alternatives stay in [-top, top], and the model's z in [-S, S]."""

    top: float
    S: float

    @property
    def influence(self) -> float:
        """How much a unit of reward can move the logarithm of the evidence, for g = 1."""
        return self.top + self.S


def reach(family: Family, S: float, L_mu: float, corrupted: bool) -> Reach:
    """Far enough to see what is far off; nearer with a budget, of which each unit costs the influence."""
    beyond = (1.0 if corrupted else 4.0) / max(L_mu, 1e-3) ** 0.5
    room = min(family.ends[1], -family.ends[0]) - S
    return Reach(S + min(beyond, room / 2, 50.0), S)


if TYPE_CHECKING or is_installed("numba"):
    from glbcheck.core.engine import link as links
    from glbcheck.core.engine.compiling import NUMBER, ROOM, STATE, VECTOR, entry, kernel, shared
    from glbcheck.core.engine.link import from_table, mean_and_slope

    def linked(family: Family, top: float) -> tuple[Any, Floats]:
        """What the functions below know of a family: a closed form, or a table."""
        link = links.kind_of(family)
        return link, links.tabulated(family, top, (1, 2, 0)) if link == links.TABLE else np.zeros(1)

    @kernel
    def _log_partition(table: Floats, link: Any, z: float) -> float:
        if link == links.BERNOULLI:
            return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
        if link == links.POISSON:
            return math.exp(z)
        return 0.5 * z * z if link == links.GAUSSIAN else from_table(table, 0, 2, z)

else:
    NUMBER = ROOM = STATE = VECTOR = None

    def kernel(function: Any) -> Any:
        return function

    def entry(*_: object) -> Any:
        return kernel

    shared = kernel

    def linked(family: Family, top: float) -> tuple[Any, Floats]:
        return family, np.zeros(1)

    def mean_and_slope(table: Floats, link: Any, start: int, z: float) -> tuple[float, float]:
        return float(link.mu(z)), float(link.dmu(z))

    def _log_partition(table: Floats, link: Any, z: float) -> float:
        return float(link.m(z))


def alternatives(d: int) -> dict[str, Floats]:
    """Before the first reward: the coefficients v of each, its matrix G, and what it gains with each spread."""
    count, n = len(MEMORIES), d + 1
    G = np.tile(RIDGE * np.eye(n), (count, 1, 1))
    return {"v": np.zeros((count, n)), "G": G, "logs": np.zeros(count * len(SPREADS))}


@kernel
def _bet(
    sums: Floats, v: Floats, logs: Floats, first: int, table: Floats, link: Any,
    x: Floats, reward: float, g: float, w: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """One alternative gains by this reward; the sizes of the numbers that are summed, residual and slope."""
    top, z, largest_linear, largest_bend = sums[TOP], v[0], 0.0, 0.0
    for j in range(x.size):
        z += v[1 + j] * x[j]
    z = min(max(z, -top), top)
    mean, slope = mean_and_slope(table, link, 0, z)
    width = math.sqrt(g / max(slope, 1e-12))
    for spread in range(len(SPREADS)):
        best, total = -np.inf, 0.0
        for step in range(len(STEPS) if SPREADS[spread] > 0.0 else 1):
            point = min(max(z + width * (SPREADS[spread] * STEPS[step]), -top), top)
            linear, bend = point * (reward / g), _log_partition(table, link, point) / g
            largest_linear, largest_bend = max(largest_linear, abs(linear)), max(largest_bend, abs(bend))
            gain = linear - bend
            if gain > best:
                total, best = total * math.exp(best - gain) + SHARES[step], gain
            else:
                total += SHARES[step] * math.exp(gain - best)
        logs[first + spread] += w * (best + math.log(total) if SPREADS[spread] > 0.0 else best)
    residual = (min(max(reward, sums[LOWEST_MEAN]), sums[HIGHEST_MEAN]) - mean) / g
    return largest_linear, largest_bend, residual, slope / g


@kernel
def _learn(
    v: Floats, G: Floats, first: int, work: Floats, x: Floats, residual: float, slope: float, kept: float
) -> None:
    """One Newton step, from a reward cut to what predictions can be; G forgets and is eliminated anew."""
    n = v.size
    for i in range(n):
        one = x[i - 1] if i > 0 else 1.0
        work[i, n] = residual * one
        for j in range(n):
            other, ridge = x[j - 1] if j > 0 else 1.0, RIDGE if i == j else 0.0
            G[first + i, j] = kept * (G[first + i, j] - ridge) + ridge + slope * (one * other)
            work[i, j] = G[first + i, j]
    for k in range(n):
        work[k, k] = max(work[k, k], 0.5 * RIDGE)
        for i in range(k + 1, n):
            factor = work[i, k] / work[k, k]
            for j in range(k + 1, n + 1):
                work[i, j] -= factor * work[k, j]
    for i in range(n - 1, -1, -1):
        work[i, n] /= work[i, i]
        v[i] += work[i, n]
        for k in range(i):
            work[k, n] -= work[k, i] * work[i, n]


@kernel
def _outside(sums: Floats, reward: float, unit: float) -> float:
    """How far the reward is from the support, a lattice of this unit or an interval; 0 for what rounding explains."""
    nearest, origin = reward, sums[LOWER] if sums[LOWER] > -np.inf else 0.0
    if unit != 0.0:
        nearest = origin + unit * math.floor((reward - origin) / unit + 0.5)
    off = abs(reward - min(max(nearest, sums[LOWER]), sums[UPPER]))
    return off if off > LATTICE * max(1.0, abs(reward)) else 0.0


@shared
def log_evidence(sums: Floats, logs: Floats, loss: float) -> float:
    """The logarithm of the evidence if this were the loss of the best θ."""
    top, total = -np.inf, 0.0
    for k in range(logs.size):
        top = max(top, logs[k])
    for k in range(logs.size):
        total += math.exp(logs[k] - top)
    # A sum of n numbers is off by at most n 2^-53 times their sizes.
    rounding = (ROUNDING + sums[ROUNDS] * 2.0**-52) * sums[SIZE]
    return top + math.log(total / logs.size) + loss - sums[COST] - rounding  # type: ignore[no-any-return]


@entry(STATE, ROOM, ROOM, STATE, STATE, ROOM, STATE, NUMBER, ROOM, VECTOR, NUMBER, NUMBER, NUMBER)
def take(
    sums: Floats, v: Floats, G: Floats, logs: Floats, theta: Floats, work: Floats, table: Floats, link: Any,
    rows: Floats, x: Floats, reward: float, g: float, unit: float,
) -> tuple[float, float]:  # fmt: skip
    """Learn from one reward and keep its row; returns what is impossible so far, and the evidence at the kept θ."""
    d, S, z, linear, bend = x.size, sums[BALL], 0.0, 0.0, 0.0
    # With a budget no reward may count for more than its influence; by Jensen a power below 1 is allowed.
    w = min(1.0, g) if sums[TEMPERED] != 0.0 else 1.0
    for one in range(len(MEMORIES)):
        largest_linear, largest_bend, residual, slope = _bet(
            sums, v[one], logs, one * len(SPREADS), table, link, x, reward, g, w
        )
        linear, bend = max(linear, largest_linear), max(bend, largest_bend)
        _learn(v[one], G, one * (d + 1), work, x, residual, slope, MEMORIES[one])
    for j in range(d):
        z += x[j] * theta[j]
    z = min(max(z, -S), S)
    here = w / g * (_log_partition(table, link, z) - reward * z)
    sums[RUNNING] += here
    sums[SIZE] += w * (linear + bend) + abs(here) + w / g * S * abs(reward)
    sums[IMPOSSIBLE] += _outside(sums, reward, unit)
    row = int(sums[ROUNDS])
    for j in range(d):
        rows[row, j] = x[j]
    rows[row, d], rows[row, d + 1] = reward, w / g
    sums[ROUNDS] += 1.0
    return sums[IMPOSSIBLE], log_evidence(sums, logs, sums[RUNNING])
