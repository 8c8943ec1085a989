"""The ellipsoid of a window: sums of two floats, a centre, and bounds that hold whatever rounding has done.

From any point θ̄ and any matrix P, near H⁻¹ b and H⁻¹, residuals give the ellipsoid by algebra:

    ‖θ* - θ̄‖²_H <= 2 ρ,   ρ = M + log(1/δ) + C Γ + νS²/2 - F(θ̄) + ‖Hθ̄ - b‖ (S + ‖θ̄‖),
    yᵀ H⁻¹ y <= 2 yᵀv - vᵀHv + ‖y - Hv‖²/ν for every v.

Here F(θ) = Q(θ) + νθ²/2 is the minorant with a ridge.  Rounding is charged: ALLOWANCE is N u times the sizes of all
terms that were added, and the error of evaluating ρ; it is part of ρ.
"""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import likelihood_state as ls
from glbcheck.core.engine.careful import UNIT_ROUNDOFF, careful

N = 32.0  # roundings in one term of a sum: 6 of a value of m or μ, 7 of the products and sums around it, 6 at the end
REFRESH = 256.0  # rounds between two inversions of H
STEEP = 1e6  # growth of H along x beyond which an update of P loses digits


@careful
def begin_first(state: Floats) -> None:
    """The window of all rounds has all of δ, or half of it; it begins when it is first asked for."""
    if not is_open(ls.window(state, 0)):
        begin(state, 0, math.log(2.0) if state[ls.WINDOWS] > 1.0 else 0.0)


@careful
def begin(state: Floats, which: int, log_share: float) -> None:
    """A window begins: the ball, with log(1/share of δ)."""
    one, d = ls.window(state, which), int(state[ls.DIMENSION])
    for i in range(one.size):
        one[i] = 0.0
    one[ls.START], one[ls.LOG_INVERSE_SHARE] = state[ls.ROUNDS], state[ls.LOG_CONFIDENCE] + log_share
    for i in range(d):
        ls.square(one, ls.H_HIGH, d)[i, i] = ls.square(one, ls.H, d)[i, i] = state[ls.NU]
        ls.square(one, ls.P, d)[i, i] = 1.0 / state[ls.NU]
    settle(state, one)


@careful
def settle(state: Floats, one: Floats) -> None:
    """After new terms: H and b as one float each, a better centre, and ρ with all that rounding may add."""
    d, u, S_ = int(state[ls.DIMENSION]), UNIT_ROUNDOFF, state[ls.S]
    matrix, high, low = ls.square(one, ls.H, d), ls.square(one, ls.H_HIGH, d), ls.square(one, ls.H_LOW, d)
    b, theta, roots, residual = (
        ls.vector(one, ls.B, d),
        ls.vector(one, ls.CENTRE, d),
        ls.vector(one, ls.ROOTS, d),
        ls.vector(one, ls.RESIDUAL, d),
    )
    inverse = ls.square(one, ls.P, d)
    trace = 0.0
    for i in range(d):
        b[i] = ls.vector(one, ls.B_HIGH, d)[i] + ls.vector(one, ls.B_LOW, d)[i]
        for j in range(d):
            matrix[i, j] = high[i, j] + low[i, j]
        trace += matrix[i, i]
        roots[i] = math.sqrt(matrix[i, i])
    left = math.inf
    for turn in range(3):
        before, left = left, 0.0
        for i in range(d):
            total = b[i]
            for j in range(d):
                total -= matrix[i, j] * theta[j]
            residual[i] = total
            left += total * total
        if turn == 2 or not left < 0.25 * before:
            break
        for i in range(d):
            total = 0.0
            for j in range(d):
                total += inverse[i, j] * residual[j]
            theta[i] += total
    length = rounded = size = gain = right = sizes = 0.0
    for i in range(d):
        length += theta[i] * theta[i]
        gain += theta[i] * (b[i] + residual[i])
        size += roots[i] * abs(theta[i])
        sizes += abs(theta[i]) * (abs(b[i]) + abs(residual[i]))
        right += b[i] * b[i]
    length = math.sqrt(length)
    rounded = (d + 3) * u * (math.sqrt(right) + size * math.sqrt(trace))  # of the length of the residual
    evaluation = (d + 3) * u * (2.0 * sizes + size * size) + 2.0 * rounded * (S_ + length)
    constant = one[ls.CONSTANT] + one[ls.CONSTANT_LOW]
    one[ls.ALLOWANCE] = N * u * (one[ls.TERMS] + one[ls.LOG_INVERSE_SHARE] + 1.0) + evaluation
    one[ls.TRACE], one[ls.FLOOR] = trace, state[ls.NU] - 8.0 * u * (one[ls.MASS] + trace)
    one[ls.RHO] = (
        constant + one[ls.LOG_INVERSE_SHARE] + 0.5 * state[ls.NU] * S_ * S_ + 0.5 * gain
        + math.sqrt(left) * (S_ + length) + one[ls.ALLOWANCE]
    )  # fmt: skip
    if not one[ls.FLOOR] > 0.0 or not abs(one[ls.RHO]) < math.inf:
        state[ls.ENDED] = ls.ROUNDING


@careful
def solve(state: Floats, one: Floats, Y: Floats, V: Floats, E: Floats, room: Floats, K: int) -> None:
    """Columns of V near H⁻¹ Y, and E = Y - H V; a second step where the first leaves much."""
    d = int(state[ls.DIMENSION])
    matrix, inverse = ls.square(one, ls.H, d), ls.square(one, ls.P, d)
    off, value = room[0], room[1]
    for i in range(d):
        out = V[i]
        for k in range(K):
            out[k] = 0.0
        add_product(inverse[i], Y, out, 1.0, K)
    for turn in range(2):
        for k in range(K):
            off[k] = value[k] = 0.0
        for i in range(d):
            out, y, v = E[i], Y[i], V[i]
            for k in range(K):
                out[k] = y[k]
            add_product(matrix[i], V, out, -1.0, K)
            for k in range(K):
                off[k] += out[k] * out[k]
                value[k] += v[k] * y[k]
        good = True
        for k in range(K):
            good &= off[k] <= 1e-6 * state[ls.NU] * value[k]
        if good or turn == 1:
            break
        for i in range(d):
            add_product(inverse[i], E, V[i], 1.0, K)


@careful
def add_product(factors: Floats, rows: Floats, out: Floats, sign: float, K: int) -> None:
    """out + sign times the sum of factors times rows."""
    for j in range(factors.size):
        factor, row = sign * factors[j], rows[j]
        for k in range(K):
            out[k] += factor * row[k]


@careful
def residual_errors(state: Floats, one: Floats, Y: Floats, V: Floats, room: Floats, K: int, out: Floats) -> None:
    """How far, in length, rounding may have moved the columns of E = Y - H V; |H_ij| <= √(H_ii H_jj)."""
    d = int(state[ls.DIMENSION])
    roots, size, length = ls.vector(one, ls.ROOTS, d), room[0], room[1]
    for k in range(K):
        size[k] = length[k] = 0.0
    for i in range(d):
        y, v, root = Y[i], V[i], roots[i]
        for k in range(K):
            size[k] += root * abs(v[k])
            length[k] += y[k] * y[k]
    rounded, trace = (d + 3) * UNIT_ROUNDOFF, math.sqrt(one[ls.TRACE])
    for k in range(K):
        out[k] = rounded * (math.sqrt(length[k]) + size[k] * trace)


@careful
def norms(
    state: Floats, one: Floats, Y: Floats, V: Floats, E: Floats, errors: Floats, room: Floats, K: int, out: Floats
) -> None:
    """Upper bounds on ‖y‖ in H⁻¹ of the columns y of Y: 2 yᵀv - vᵀHv = vᵀ(y + e)."""
    d, u = int(state[ls.DIMENSION]), UNIT_ROUNDOFF
    value, off, sizes, length = room[0], room[1], room[2], room[3]
    for k in range(K):
        value[k] = off[k] = sizes[k] = length[k] = 0.0
    for i in range(d):
        y, v, e = Y[i], V[i], E[i]
        for k in range(K):
            value[k] += v[k] * (y[k] + e[k])
            off[k] += e[k] * e[k]
            sizes[k] += abs(v[k]) * (abs(y[k]) + abs(e[k]))
            length[k] += v[k] * v[k]
    for k in range(K):
        left = math.sqrt(off[k]) + errors[k]
        total = value[k] + left * left / one[ls.FLOOR] + math.sqrt(length[k]) * errors[k] + (d + 3) * u * sizes[k]
        out[k] = math.sqrt(max(total, 0.0)) * (1.0 + 2.0 * (d + 8) * u)


@careful
def along(state: Floats, one: Floats, Y: Floats, K: int, middle: Floats, off: Floats) -> None:
    """<y, θ̄> of the columns y of Y, and by how much rounding may have changed it."""
    d = int(state[ls.DIMENSION])
    theta = ls.vector(one, ls.CENTRE, d)
    for k in range(K):
        middle[k] = off[k] = 0.0
    for i in range(d):
        y, entry = Y[i], theta[i]
        for k in range(K):
            middle[k] += y[k] * entry
            off[k] += abs(y[k] * entry)
    for k in range(K):
        off[k] *= (d + 2) * UNIT_ROUNDOFF


@careful
def ball_lengths(state: Floats, Y: Floats, K: int, out: Floats) -> None:
    """S ‖y‖ of the columns y of Y, rounded up."""
    d = int(state[ls.DIMENSION])
    for k in range(K):
        out[k] = 0.0
    for i in range(d):
        y = Y[i]
        for k in range(K):
            out[k] += y[k] * y[k]
    for k in range(K):
        out[k] = state[ls.S] * math.sqrt(out[k]) * (1.0 + (d + 4) * UNIT_ROUNDOFF)


@careful
def radius_at(one: Floats, C: float) -> float:
    """√(2ρ) for this much corruption; negative if the set is empty."""
    spread = C * one[ls.GAMMA]
    rho = one[ls.RHO] + spread + 4.0 * UNIT_ROUNDOFF * (abs(one[ls.RHO]) + spread)
    return math.sqrt(2.0 * rho) * (1.0 + 8.0 * UNIT_ROUNDOFF) if rho >= 0.0 else -1.0


@careful
def is_open(one: Floats) -> bool:
    return bool(one[ls.START] >= 0.0)


@careful
def add(numbers: Floats, high: int, low: int, term: float) -> None:
    """A term joins a sum of two floats; what rounding takes from the first goes into the second."""
    total = numbers[high] + term
    part = total - numbers[high]
    numbers[low] += (numbers[high] - (total - part)) + (term - part)
    numbers[high] = total


@careful
def grow(state: Floats, one: Floats, x: Floats, c: float, push: float) -> None:
    """H + c x xᵀ and b + push x, and P after it."""
    d = x.size
    inverse, p = ls.square(one, ls.P, d), ls.vector(one, ls.STEP, d)
    at, rows = ls.WINDOW_SCALARS, ls.WINDOW_SCALARS + ls.WINDOW_VECTORS * d
    q = 0.0
    for i in range(d):
        add(one, at + ls.B_HIGH * d + i, at + ls.B_LOW * d + i, push * x[i])
        for j in range(d):
            add(one, rows + (ls.H_HIGH * d + i) * d + j, rows + (ls.H_LOW * d + i) * d + j, c * (x[i] * x[j]))
    for i in range(d):
        total = 0.0
        for j in range(d):
            total += inverse[i, j] * x[j]
        p[i] = total
        q += x[i] * total
    one[ls.AGE] += 1.0
    if one[ls.AGE] >= REFRESH or not 0.0 <= c * q <= STEEP:
        for i in range(d):
            for j in range(d):
                inverse[i, j] = ls.square(one, ls.H_HIGH, d)[i, j] + ls.square(one, ls.H_LOW, d)[i, j]
        invert(inverse)
        one[ls.AGE] = 0.0
        return
    shrink = c / (1.0 + c * q)
    for i in range(d):
        for j in range(d):
            inverse[i, j] -= shrink * (p[i] * p[j])


@careful
def invert(A: Floats) -> None:
    """A positive definite A becomes its inverse, by elimination in place; what comes out is checked by residuals."""
    d = A.shape[0]
    for k in range(d):
        pivot = A[k, k]
        if not pivot > 0.0:
            pivot = 1e-300
        A[k, k] = 1.0
        for j in range(d):
            A[k, j] /= pivot
        for i in range(d):
            if i != k:
                factor = A[i, k]
                A[i, k] = 0.0
                for j in range(d):
                    A[i, j] -= factor * A[k, j]
