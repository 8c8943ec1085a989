"""A confidence set from likelihood ratios, in one pass and O(d²) memory; `docs/certificate.md` has the theorems.

Before the reward of a round comes, two nodes z± and a weight w are fixed.  The loss of the reward under their mixture
is added to M, and a quadratic minorant of its loss under θ, with anchor a and curvature κ, to Q.  With probability
1 - δ, for all t and all C that bound the corruption so far,

    Q(θ*) <= M + log(1/δ) + C Γ,    Γ the largest influence (w/g) h of a unit of reward.

`core.engine.ellipsoid` makes intervals of it.  Windows are such sets that begin later, with a share of δ each; they
share the nodes and the predictor, which is Laplace's method with implicit steps: any predictor is valid.
"""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import cumulant
from glbcheck.core.engine import likelihood_state as ls
from glbcheck.core.engine.careful import UNIT_ROUNDOFF, careful
from glbcheck.core.engine.ellipsoid import (
    N,
    add,
    along,
    ball_lengths,
    begin,
    begin_first,
    grow,
    is_open,
    norms,
    radius_at,
    residual_errors,
    settle,
    solve,
)  # fmt: skip

NEWTON = 12
FIRST_WINDOW = 6  # the first window after the whole run begins after 2^6 rounds


@careful
def interval(state: Floats, x: Floats, C: float) -> tuple[float, float]:
    """An interval that contains <x, θ*>."""
    begin_first(state)
    d = int(state[ls.DIMENSION])
    room, Y, V, E = (
        ls.columns(state, 0, ls.COLUMN),
        ls.columns(state, ls.COLUMN, d),
        ls.columns(state, ls.COLUMN + d, d),
        ls.columns(state, ls.COLUMN + 2 * d, d),
    )
    for i in range(d):
        Y[i, 0] = x[i]
    ball_lengths(state, Y, 1, room[4])
    low, high = -room[4, 0], room[4, 0]
    for which in range(int(state[ls.WINDOWS])):
        one = ls.window(state, which)
        if is_open(one):
            solve(state, one, Y, V, E, room, 1)
            along(state, one, Y, 1, room[5], room[6])
            residual_errors(state, one, Y, V, room, 1, room[8])
            norms(state, one, Y, V, E, room[8], room, 1, room[7])
            half = radius_at(one, C) * room[7, 0] + room[6, 0]
            low, high = max(low, room[5, 0] - half), min(high, room[5, 0] + half)
    return low, high


@careful
def clip(z: float, low: float, high: float) -> float:
    return min(max(z, low), high)


@careful
def observe(state: Floats, x: Floats, reward: float, g: float) -> None:
    """Learn from the reward of x, of dispersion g; after an alarm without a guarantee."""
    if state[ls.ENDED] == ls.ROUNDING:
        return
    d, kind, table = x.size, state[ls.KIND], int(state[ls.AT_LINK])
    point, P_x = ls.predictor(state, ls.POINT), ls.predictor(state, ls.PRODUCT)
    # Fixed before the reward is looked at: the interval, the nodes, the weight.
    low, high = interval(state, x, state[ls.BUDGET])
    if not low <= high:
        end(state)
        low = high = clip(0.5 * (low + high), -state[ls.S], state[ls.S])
    z0 = spread = squared = 0.0
    for i in range(d):
        total = 0.0
        for j in range(d):
            total += ls.covariance(state)[i, j] * x[j]
        P_x[i] = total
        z0 += x[i] * point[i]
        squared += x[i] * x[i]
    for i in range(d):
        spread += x[i] * P_x[i]
    spread, z0 = max(spread, 0.0), clip(z0, low, high)
    sigma = math.sqrt(spread)
    first, second = clip(z0 - sigma, -state[ls.S], state[ls.S]), clip(z0 + sigma, -state[ls.S], state[ls.S])
    influence = largest_influence(low, high, first, second)
    w = min(1.0, state[ls.OMEGA] * g / influence) if influence > 0.0 and state[ls.BUDGET] > 0.0 else 1.0
    # The reward.
    r = clip(reward, state[ls.HULL_LOW], state[ls.HULL_HIGH])
    state[ls.SEEN] += abs(reward - r)
    f = w / g
    m1, m2 = cumulant.log_partition(state, kind, table, first), cumulant.log_partition(state, kind, table, second)
    a1, a2 = (r * first - m1) / g, (r * second - m2) / g
    loss = -(max(a1, a2) + math.log1p(math.exp(-abs(a1 - a2))) - math.log(2.0))
    a = clip(implicit(state, kind, table, z0, spread * f, r, low, high), low, high)
    m_a, mu_a = cumulant.log_partition(state, kind, table, a), cumulant.mean(state, kind, table, a)
    tops = state[ls.TOPS] if kind == cumulant.TABLE else 0.0
    kappa = cumulant.least_curvature(state, kind, table, state[ls.SLACK], tops, state[ls.CONCORDANCE], a, low, high)
    constant = w * loss - f * (m_a - mu_a * a + 0.5 * kappa * a * a)
    push, c, length = f * (r + kappa * a - mu_a), f * kappa, ls.columns(state, 4, 1)[0, 0]
    # The sizes of all terms, for the charge of rounding; a table is less accurate than N roundings.
    size_m, size_mu = max(abs(m1), abs(m2), abs(m_a)), abs(mu_a)
    if kind == cumulant.TABLE:
        worse = state[ls.SLACK] / (N * UNIT_ROUNDOFF) * tops
        size_m, size_mu = size_m + worse, size_mu + worse
    size_r, size_z = abs(r), max(abs(first), abs(second))
    terms = (
        w * (1.0 + 2.0 * (size_r * size_z + size_m) / g) + f * (size_m + (size_mu + kappa * abs(a)) * abs(a))
        + f * (size_r + kappa * abs(a) + size_mu) * length + c * length * length
    )  # fmt: skip
    state[ls.WEIGHT], state[ls.LOW], state[ls.HIGH], state[ls.INFLUENCE] = w, low, high, influence
    state[ls.FIRST_NODE], state[ls.SECOND_NODE], state[ls.ANCHOR], state[ls.CURVATURE] = first, second, a, kappa
    gamma = f * max(influence, 0.0) * (1.0 + 4.0 * UNIT_ROUNDOFF)
    for which in range(int(state[ls.WINDOWS])):
        one = ls.window(state, which)
        if is_open(one):
            one[ls.TERMS] += terms * (1.0 + 2.0**-40)
            one[ls.MASS] += c * squared
            one[ls.GAMMA] = max(one[ls.GAMMA], gamma)
            add(one, ls.CONSTANT, ls.CONSTANT_LOW, constant)
            grow(state, one, x, c, push)
            settle(state, one)
    # The predictor: Laplace's method at the implicit step.
    drift = f * (cumulant.mean(state, kind, table, a) - r)
    growth = f * cumulant.slope(state, kind, table, a)
    shrink = growth / (1.0 + growth * spread)
    for i in range(d):
        point[i] -= drift * P_x[i]
        for j in range(d):
            ls.covariance(state)[i, j] -= shrink * (P_x[i] * P_x[j])
    check_levels(state)
    state[ls.ROUNDS] += 1.0
    if state[ls.WINDOWS] > 1.0:
        open_window(state)


@careful
def largest_influence(low: float, high: float, first: float, second: float) -> float:
    """h: at most so far lies the mean of the nodes from z*."""
    return max(high - first, second - low)


@careful
def implicit(
    state: Floats, kind: float, table: int, z0: float, step: float, r: float, low: float, high: float
) -> float:
    """The z in [low, high] nearest to z = z0 - step (μ(z) - r), by Newton's method in a bracket."""
    z, left, right = z0, low, high
    for _ in range(NEWTON):
        off = z - z0 + step * (cumulant.mean(state, kind, table, z) - r)
        if off > 0.0:
            right = z
        else:
            left = z
        move = off / (1.0 + step * cumulant.slope(state, kind, table, z))
        following = z - move
        if not left < following < right:
            following = 0.5 * (left + right)
        if abs(following - z) <= 1e-9 * (1.0 + abs(z)):
            return following
        z = following
    return z


@careful
def open_window(state: Floats) -> None:
    """After 2^k rounds another window begins, in the place of the oldest but the first."""
    rounds = state[ls.ROUNDS]
    k = round(math.log2(rounds))
    if k < FIRST_WINDOW or 2.0**k != rounds:
        return
    state[ls.OPENED] += 1.0
    j = state[ls.OPENED]
    which = 1 + int(j - 1.0) % (int(state[ls.WINDOWS]) - 1)
    begin(state, which, math.log(2.0 * j * (j + 1.0)))


@careful
def end(state: Floats) -> None:
    """The set is empty for the largest C, and so for all: nothing is said from now on."""
    if state[ls.ENDED] == 0.0:
        state[ls.ENDED] = ls.ALARM
    for row in range(int(state[ls.LEVELS])):
        reject(state, row)


@careful
def reject(state: Floats, row: int) -> None:
    """This much corruption was too little; so was less."""
    if ls.levels(state)[row, ls.REJECTED] == 0.0:
        ls.levels(state)[row, ls.REJECTED] = state[ls.ROUNDS] + 1.0


@careful
def check_levels(state: Floats) -> None:
    """Reject the levels of C whose set is empty, or below what rewards outside the support have shown."""
    last = int(state[ls.LEVELS]) - 1
    for row in range(last + 1):
        C = ls.levels(state)[row, ls.LEVEL]
        bad = state[ls.SEEN] * (1.0 - 2.0**-20) > C
        for which in range(int(state[ls.WINDOWS])):
            one = ls.window(state, which)
            if is_open(one) and radius_at(one, C) < 0.0:
                bad = True
        if bad and row == last:
            end(state)
        elif bad:
            reject(state, row)
