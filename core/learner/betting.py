"""The bet of the monitor, compiled: predictions of all alternatives, what they gain, and the evidence so far.

One flat array holds all that a round changes but the rows: scalars, the coefficients v and information matrices G of
the alternatives, their gains, the θ of the latest search, the table of the family.  `core.learner.rivals` says what an
alternative is and `core.learner.monitor` what is summed; both do the same in NumPy where numba is missing.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import NUMBER, ROOM, STATE, VECTOR, entry, kernel, matrix_at, vector_at
from glbcheck.core.engine.link import BERNOULLI, GAUSSIAN, POISSON, TABLE, from_table, kind_of, tabulated
from glbcheck.core.family import Family
from glbcheck.core.learner.rivals import MEMORIES, OFFSETS, RIDGE, SHARES, SPREADS

(
    SIZE_OF_X, TOP, BALL, LOWEST_MEAN, HIGHEST_MEAN, KIND,  # of the family on [-top, top], and of Θ
    TEMPERED, COST, ROUNDING,
    LOWER, UPPER, ORIGIN, UNIT, UNIT_PER_G,  # of the support
    ROUNDS, SIZE, RUNNING, IMPOSSIBLE,
) = range(18)  # fmt: skip
_SCALARS, _KEPT, _SPREAD = 18, len(MEMORIES), len(SPREADS)
_MEMORIES, _STEPS, _SHARES = tuple(MEMORIES), OFFSETS.shape[1], SHARES
NOT_A_LATTICE = math.nan


def parts(numbers: Floats, d: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Views of v, G, the gains and θ."""
    n, at = d + 1, _SCALARS
    v = numbers[at : at + _KEPT * n].reshape(_KEPT, n)
    at += _KEPT * n
    G = numbers[at : at + _KEPT * n * n].reshape(_KEPT, n, n)
    at += _KEPT * n * n
    return v, G, numbers[at : at + _KEPT * _SPREAD], numbers[at + _KEPT * _SPREAD : at + _KEPT * _SPREAD + d]


def initial(family: Family, d: int, top: float, S: float) -> Floats:
    """The array before the first reward."""
    n, kind = d + 1, kind_of(family)
    numbers = np.zeros(0) if kind != TABLE else tabulated(family, top, (0, 1, 2))
    made = np.zeros(_SCALARS + _KEPT * (n + n * n + _SPREAD) + d + n * n + n + numbers.size)
    made[made.size - numbers.size :] = numbers
    made[SIZE_OF_X], made[TOP], made[BALL], made[KIND] = d, top, S, kind
    made[[LOWEST_MEAN, HIGHEST_MEAN]] = family.mu(np.array([-top, top]))
    parts(made, d)[1][:] = RIDGE * np.eye(n)
    return made


@kernel
def _log_partition(numbers: Floats, kind: float, table: int, z: float) -> float:
    if kind == BERNOULLI:
        return max(z, 0.0) + math.log1p(math.exp(-abs(z)))
    if kind == POISSON:
        return math.exp(z)
    return 0.5 * z * z if kind == GAUSSIAN else from_table(numbers, table, 0, z)


@kernel
def _moments(numbers: Floats, kind: float, table: int, z: float) -> tuple[float, float]:
    if kind == BERNOULLI:
        odds = math.exp(-abs(z))
        chance = 1.0 / (1.0 + odds)
        return (chance if z > 0.0 else odds * chance), odds * chance * chance
    if kind == POISSON:
        return math.exp(z), math.exp(z)
    if kind == GAUSSIAN:
        return z, 1.0
    return from_table(numbers, table, 1, z), from_table(numbers, table, 2, z)


@entry(STATE, ROOM, VECTOR, NUMBER, NUMBER)
def take(numbers: Floats, rows: Floats, x: Floats, reward: float, g: float) -> tuple[float, float]:
    """Learn from one reward and keep its row; returns what is impossible so far, and the evidence at the kept θ."""
    d, kind, top, S = int(numbers[SIZE_OF_X]), numbers[KIND], numbers[TOP], numbers[BALL]
    n = d + 1
    first = _SCALARS + _KEPT * n
    logs = vector_at(numbers, first + _KEPT * n * n, _KEPT * _SPREAD)
    theta = vector_at(numbers, first + _KEPT * n * n + logs.size, d)
    work = first + _KEPT * n * n + logs.size + d
    factor, target, table = matrix_at(numbers, work, n, n), vector_at(numbers, work + n * n, n), work + n * n + n
    # With a budget no reward may count for more than its influence; by Jensen a power below 1 is allowed.
    w = min(1.0, g) if numbers[TEMPERED] != 0.0 else 1.0
    largest_linear, largest_bend = 0.0, 0.0
    for one in range(_KEPT):
        v, G = vector_at(numbers, _SCALARS + one * n, n), matrix_at(numbers, first + one * n * n, n, n)
        z = v[0]
        for j in range(d):
            z += v[j + 1] * x[j]
        z = min(max(z, -top), top)
        mean, slope = _moments(numbers, kind, table, z)
        width = math.sqrt(g / max(slope, 1e-12))
        for spread in range(_SPREAD):
            best, total = -np.inf, 0.0
            for step in range(_STEPS if OFFSETS[spread, 0] != 0.0 else 1):
                point = min(max(z + width * OFFSETS[spread, step], -top), top)
                linear, bend = point * (reward / g), _log_partition(numbers, kind, table, point) / g
                largest_linear, largest_bend = max(largest_linear, abs(linear)), max(largest_bend, abs(bend))
                gain = linear - bend
                if gain > best:
                    total = total * math.exp(best - gain) + _SHARES[step]
                    best = gain
                else:
                    total += _SHARES[step] * math.exp(gain - best)
            logs[one * _SPREAD + spread] += w * (best + (math.log(total) if OFFSETS[spread, 0] != 0.0 else 0.0))
        residual = (min(max(reward, numbers[LOWEST_MEAN]), numbers[HIGHEST_MEAN]) - mean) / g
        _learn(v, G, x, residual, slope / g, _MEMORIES[one], factor, target)
    z = 0.0
    for j in range(d):
        z += x[j] * theta[j]
    z = min(max(z, -S), S)
    here = w / g * (_log_partition(numbers, kind, table, z) - reward * z)
    numbers[RUNNING] += here
    numbers[SIZE] += w * (largest_linear + largest_bend) + abs(here) + w / g * S * abs(reward)
    if numbers[UNIT] == numbers[UNIT]:  # it is known how the lattice moves with g
        numbers[IMPOSSIBLE] += _outside(numbers, reward, g)
    row = rows[int(numbers[ROUNDS])]
    for j in range(d):
        row[j] = x[j]
    row[d], row[d + 1] = reward, w / g
    numbers[ROUNDS] += 1.0
    return numbers[IMPOSSIBLE], _evidence(numbers, logs)


@kernel
def _learn(
    v: Floats, G: Floats, x: Floats, residual: float, slope: float, kept: float, factor: Floats, target: Floats
) -> None:
    """One Newton step, from a reward cut to what the predictions can be; G forgets, and its Cholesky factor is new."""
    n = v.size
    for i in range(n):
        one = x[i - 1] if i > 0 else 1.0
        target[i] = residual * one
        for j in range(n):
            other = x[j - 1] if j > 0 else 1.0
            ridge = RIDGE if i == j else 0.0
            G[i, j] = kept * (G[i, j] - ridge) + ridge + slope * (one * other)
    for i in range(n):
        for j in range(i):
            total = G[i, j]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            factor[i, j] = total * factor[j, j]
        pivot = G[i, i]
        for k in range(i):
            pivot -= factor[i, k] * factor[i, k]
        factor[i, i] = 1.0 / math.sqrt(max(pivot, 0.5 * RIDGE))
        for k in range(i):
            target[i] -= factor[i, k] * target[k]
        target[i] *= factor[i, i]
    for m in range(n):
        i = n - 1 - m
        target[i] *= factor[i, i]
        for k in range(i):
            target[k] -= factor[i, k] * target[i]
    for j in range(n):
        v[j] += target[j]


@kernel
def _outside(numbers: Floats, reward: float, g: float) -> float:
    """How far the reward is from the support; 0 for what rounding explains."""
    nearest, unit, origin = reward, numbers[UNIT] + numbers[UNIT_PER_G] * g, numbers[ORIGIN]
    if unit != 0.0:
        nearest = origin + unit * math.floor((reward - origin) / unit + 0.5)
    off = abs(reward - min(max(nearest, numbers[LOWER]), numbers[UPPER]))
    return off if off > 1e-9 * max(1.0, abs(reward)) else 0.0


@kernel
def _evidence(numbers: Floats, logs: Floats) -> float:
    """The logarithm of the evidence if the loss of the best θ were the one kept, as in `Monitor._evidence`."""
    top, total = -np.inf, 0.0
    for k in range(logs.size):
        top = max(top, logs[k])
    for k in range(logs.size):
        total += math.exp(logs[k] - top)
    rounding = (numbers[ROUNDING] + numbers[ROUNDS] * 2.0**-52) * numbers[SIZE]
    return top + math.log(total / logs.size) + numbers[RUNNING] - numbers[COST] - rounding  # type: ignore[no-any-return]
