"""The bet of the monitor: what alternatives to the model predict of a reward, and what they gain by it.

Each alternative predicts the natural parameter z, which Θ need not contain, from (1, x) by Newton steps that forget,
and spreads its prediction over a few points.  Whatever is predicted before a reward is seen makes a valid test; how
good the predictions are decides how soon a wrong model is found.  One flat array holds all that a round changes but the
rows.  The functions are compiled; where numba is missing they run as they stand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.extras import is_installed
from glbcheck.core.family import Family
from glbcheck.core.theory.parameters import Parameters

# What is kept of the past from one reward to the next: of all, of the last few hundred, of the last few dozen.
MEMORIES = (1.0, 0.995, 0.95)
# How far the prediction is spread, in units of 1/√(information of one reward): a spread is a larger variance.
SPREADS = (0.0, 0.7, 1.2, 2.5)
STEPS, SHARES = (-1.5, -0.75, 0.0, 0.75, 1.5), (0.15, 0.2, 0.3, 0.2, 0.15)
RIDGE = 0.5
ROUNDING = 1e-11  # of each number that is summed
LATTICE = 1e-9  # a reward this close to a point of the support, relatively, is that point
# The first of the flat array: of the family on [-top, top], of Θ, of the budget, of the support, and sums.
(
    TOP, LOWEST_MEAN, HIGHEST_MEAN, BALL, TEMPERED, COST, LOWER, UPPER, ROUNDS, SIZE, RUNNING, IMPOSSIBLE,
) = range(12)  # fmt: skip
_V = 12  # then the coefficients v, matrices G and gains of the alternatives, the θ of the latest search, and work


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


def initial(p: Parameters, within: Reach, ends: tuple[float, float]) -> tuple[Any, Floats]:
    """The link as the functions below take it, and the flat array before the first reward."""
    (link, table), n, kept = linked(p.family, within.top), p.d + 1, len(MEMORIES)
    made = np.zeros(_V + kept * (n + n * n + len(SPREADS)) + p.d + n * n + n + table.size)
    made[made.size - table.size :] = table
    made[[TOP, BALL, TEMPERED, COST]] = within.top, p.S, p.C > 0, within.influence * p.C
    made[[LOWEST_MEAN, HIGHEST_MEAN]] = p.family.mu(np.array([-within.top, within.top]))
    made[[LOWER, UPPER]] = ends
    parts(made, p.d)["G"][:] = RIDGE * np.eye(n)
    return link, made


def parts(numbers: Floats, d: int) -> dict[str, Floats]:
    """Views of what a round changes beside the sums."""
    n, kept, at, found = d + 1, len(MEMORIES), _V, {}
    for name, shape in {"v": (kept, n), "G": (kept, n, n), "logs": (kept * len(SPREADS),), "theta": (d,)}.items():
        found[name] = numbers[at : at + math.prod(shape)].reshape(shape)
        at += found[name].size
    return found


if TYPE_CHECKING or is_installed("numba"):
    from glbcheck.core.engine.compiling import NUMBER, ROOM, STATE, VECTOR, entry, kernel
    from glbcheck.core.engine.link import (
        BERNOULLI,
        GAUSSIAN,
        POISSON,
        TABLE,
        from_table,
        kind_of,
        mean_and_slope,
        tabulated,
    )  # fmt: skip

    def linked(family: Family, top: float) -> tuple[Any, Floats]:
        """What the functions below know of a family, and the table that ends the flat array."""
        link = kind_of(family)
        return link, tabulated(family, top, (1, 2, 0)) if link == TABLE else np.zeros(0)

    @kernel
    def _log_partition(numbers: Floats, link: Any, table: int, z: float) -> float:
        if link == BERNOULLI:
            return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
        if link == POISSON:
            return math.exp(z)
        return 0.5 * z * z if link == GAUSSIAN else from_table(numbers, table, 2, z)

    @kernel
    def _bet(numbers: Floats, link: Any, x: Floats, reward: float, g: float, w: float) -> float:
        """Each alternative gains by this reward, then learns; returns the size of the numbers that are summed."""
        top, kept, spreads, n = numbers[TOP], len(MEMORIES), len(SPREADS), x.size + 1
        G = _V + kept * n
        logs = G + kept * n * n
        work = logs + kept * spreads + n - 1
        table, largest_linear, largest_bend = work + n * n + n, 0.0, 0.0
        for one in range(kept):
            v = _V + one * n
            z = numbers[v]
            for j in range(n - 1):
                z += numbers[v + 1 + j] * x[j]
            z = min(max(z, -top), top)
            mean, slope = mean_and_slope(numbers, link, table, z)
            width = math.sqrt(g / max(slope, 1e-12))
            for spread in range(spreads):
                best, total = -np.inf, 0.0
                for step in range(len(STEPS) if SPREADS[spread] > 0.0 else 1):
                    point = min(max(z + width * (SPREADS[spread] * STEPS[step]), -top), top)
                    linear, bend = point * (reward / g), _log_partition(numbers, link, table, point) / g
                    largest_linear, largest_bend = max(largest_linear, abs(linear)), max(largest_bend, abs(bend))
                    gain = linear - bend
                    if gain > best:
                        total, best = total * math.exp(best - gain) + SHARES[step], gain
                    else:
                        total += SHARES[step] * math.exp(gain - best)
                gained = best + math.log(total) if SPREADS[spread] > 0.0 else best
                numbers[logs + one * spreads + spread] += w * gained
            residual = (min(max(reward, numbers[LOWEST_MEAN]), numbers[HIGHEST_MEAN]) - mean) / g
            _learn(numbers, v, G + one * n * n, work, x, residual, slope / g, MEMORIES[one])
        return largest_linear + largest_bend

    @kernel
    def _learn(
        numbers: Floats, v: int, G: int, work: int, x: Floats, residual: float, slope: float, kept: float
    ) -> None:
        """One Newton step, from a reward cut to what predictions can be; G forgets and is factored anew."""
        n = x.size + 1
        target = work + n * n
        for i in range(n):
            one = x[i - 1] if i > 0 else 1.0
            numbers[target + i] = residual * one
            for j in range(n):
                at, other = G + i * n + j, x[j - 1] if j > 0 else 1.0
                ridge = RIDGE if i == j else 0.0
                numbers[at] = kept * (numbers[at] - ridge) + ridge + slope * (one * other)
        for i in range(n):
            row = work + i * n
            for j in range(i):
                total = numbers[G + i * n + j]
                for k in range(j):
                    total -= numbers[row + k] * numbers[work + j * n + k]
                numbers[row + j] = total * numbers[work + j * n + j]
            pivot = numbers[G + i * n + i]
            for k in range(i):
                pivot -= numbers[row + k] ** 2
                numbers[target + i] -= numbers[row + k] * numbers[target + k]
            numbers[row + i] = 1.0 / math.sqrt(max(pivot, 0.5 * RIDGE))
            numbers[target + i] *= numbers[row + i]
        for i in range(n - 1, -1, -1):
            row = work + i * n
            numbers[target + i] *= numbers[row + i]
            numbers[v + i] += numbers[target + i]
            for k in range(i):
                numbers[target + k] -= numbers[row + k] * numbers[target + i]

else:
    NUMBER = ROOM = STATE = VECTOR = None

    def kernel(function: Any) -> Any:
        return function

    def entry(*_: object) -> Any:
        return kernel

    def linked(family: Family, top: float) -> tuple[Any, Floats]:
        return family, np.zeros(0)

    def _log_partition(numbers: Floats, link: Any, table: int, z: float) -> float:
        return float(link.m(z))

    def _bet(numbers: Floats, link: Any, x: Floats, reward: float, g: float, w: float) -> float:
        top, one, own = numbers[TOP], np.append(1.0, x), parts(numbers, x.size)
        z = np.clip(own["v"] @ one, -top, top)
        mean, slope = link.mu(z), link.dmu(z)
        width = np.sqrt(g / np.maximum(slope, 1e-12))
        points = np.clip(z[:, None, None] + width[:, None, None] * np.multiply.outer(SPREADS, STEPS), -top, top)
        linear, bend = points * (reward / g), link.m(points) / g
        best = (linear - bend).max(axis=2)
        own["logs"] += w * (best + np.log(np.exp(linear - bend - best[:, :, None]) @ np.array(SHARES))).ravel()
        residual = (min(max(reward, numbers[LOWEST_MEAN]), numbers[HIGHEST_MEAN]) - mean) / g
        ridge, kept = RIDGE * np.eye(one.size), np.array(MEMORIES)[:, None, None]
        own["G"][:] = kept * (own["G"] - ridge) + ridge + (slope / g)[:, None, None] * np.outer(one, one)
        own["v"] += np.linalg.solve(own["G"], residual[:, None, None] * one[:, None])[:, :, 0]
        return float(np.abs(linear).max() + np.abs(bend).max())


@entry(STATE, NUMBER, ROOM, VECTOR, NUMBER, NUMBER, NUMBER)
def take(
    numbers: Floats, link: Any, rows: Floats, x: Floats, reward: float, g: float, unit: float
) -> tuple[float, float]:
    """Learn from one reward and keep its row; returns what is impossible so far, and the evidence at the kept θ."""
    d, S, kept = x.size, numbers[BALL], len(MEMORIES)
    theta = _V + kept * ((d + 1) * (d + 2) + len(SPREADS))
    # With a budget no reward may count for more than its influence; by Jensen a power below 1 is allowed.
    w = min(1.0, g) if numbers[TEMPERED] != 0.0 else 1.0
    size, z = w * _bet(numbers, link, x, reward, g, w), 0.0
    for j in range(d):
        z += x[j] * numbers[theta + j]
    z = min(max(z, -S), S)
    here = w / g * (_log_partition(numbers, link, theta + d + (d + 1) * (d + 2), z) - reward * z)
    numbers[RUNNING] += here
    numbers[SIZE] += size + abs(here) + w / g * S * abs(reward)
    numbers[IMPOSSIBLE] += _outside(numbers, reward, unit)
    row = int(numbers[ROUNDS])
    for j in range(d):
        rows[row, j] = x[j]
    rows[row, d], rows[row, d + 1] = reward, w / g
    numbers[ROUNDS] += 1.0
    return numbers[IMPOSSIBLE], _evidence(numbers, d, numbers[RUNNING])


@entry(STATE, NUMBER, NUMBER)
def evidence(numbers: Floats, d: float, loss: float) -> float:
    """The logarithm of the evidence if this were the loss of the best θ."""
    return _evidence(numbers, int(d), loss)


@kernel
def _outside(numbers: Floats, reward: float, unit: float) -> float:
    """How far the reward is from the support, a lattice of this unit or an interval; 0 for what rounding explains."""
    nearest, origin = reward, numbers[LOWER] if numbers[LOWER] > -np.inf else 0.0
    if unit != 0.0:
        nearest = origin + unit * math.floor((reward - origin) / unit + 0.5)
    off = abs(reward - min(max(nearest, numbers[LOWER]), numbers[UPPER]))
    return off if off > LATTICE * max(1.0, abs(reward)) else 0.0


@kernel
def _evidence(numbers: Floats, d: int, loss: float) -> float:
    logs, count = _V + len(MEMORIES) * (d + 1) * (d + 2), len(MEMORIES) * len(SPREADS)
    top, total = -np.inf, 0.0
    for k in range(logs, logs + count):
        top = max(top, numbers[k])
    for k in range(logs, logs + count):
        total += math.exp(numbers[k] - top)
    # A sum of n numbers is off by at most n 2^-53 times their sizes.
    rounding = (ROUNDING + numbers[ROUNDS] * 2.0**-52) * numbers[SIZE]
    return top + math.log(total / count) + loss - numbers[COST] - rounding  # type: ignore[no-any-return]
