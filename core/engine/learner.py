"""One update of the paper's learner: weight, mirror-descent step, projection, Hessian, radius."""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, shared, small
from glbcheck.core.engine.linear import dot, grow, root_of_inverse, shrink, times, times_transposed
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.state import set_radius, square, table, vector

REFRESH = 256.0  # rounds between two computations of W from H, against the drift of updates
STEEP = 1e6  # growth of H along x beyond which an update of W loses digits
_NEWTON = 200


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Lines of the pseudocode from the observed reward to H_{t+1} and the coming radius."""
    theta, free, u = vector(state, st.THETA), vector(state, st.TRIAL), vector(state, st.PULL)
    v = vector(state, st.WHITE)
    q, w = weigh(state, x, dispersion)
    mu, dmu = mean_and_slope(state, state[st.LINK], table(state), natural(state, x))
    trusted = w / dispersion
    slope, curvature = trusted * (mu - reward), trusted * dmu
    # eq:OMD-estimator over all of R^d, with M = H/η + a x xᵀ and M⁻¹ x = η H⁻¹ x / (1 + η a q).
    move = slope * state[st.ETA] / (1.0 + state[st.ETA] * curvature * q)
    for j in range(x.size):
        free[j] = theta[j] - move * u[j]
    state[st.PROJECTED], state[st.RESIDUAL] = 0.0, 0.0
    if dot(free, free) <= state[st.S] * state[st.S]:
        for j in range(x.size):
            theta[j] = free[j]
    else:
        _return_to_ball(state, x, slope, curvature)
    if state[st.OLD_HESSIAN] == 0.0:
        curvature = trusted * mean_and_slope(state, state[st.LINK], table(state), natural(state, x))[1]
    grow(square(state, st.H), curvature, x)
    state[st.CURVATURE], state[st.SHRINK] = curvature, curvature / (1.0 + curvature * q)
    state[st.LOGDET] += math.log1p(curvature * q)
    state[st.INVERSE_G] += 1.0 / dispersion
    state[st.ROUNDS] += 1.0
    state[st.AGE] += 1.0
    if state[st.AGE] >= REFRESH or curvature * q > STEEP:
        refresh(state)
    else:
        shrink(square(state, st.W), curvature, q, v, u)
    set_radius(state)


@kernel
def weigh(state: Floats, x: Floats, dispersion: float) -> tuple[float, float]:
    """‖x‖² in H⁻¹ and the weight of eq:corrupted-loss; leaves W x and H⁻¹ x in WHITE and PULL."""
    v = vector(state, st.WHITE)
    times(square(state, st.W), x, v)
    times_transposed(square(state, st.W), v, vector(state, st.PULL))
    q = dot(v, v)
    norm, trusted = math.sqrt(q), state[st.OWN_ALPHA] * dispersion
    state[st.NORM] = norm
    state[st.WEIGHT] = 1.0 if norm <= trusted else trusted / norm
    return q, state[st.WEIGHT]


@kernel
def norm_of(state: Floats, x: Floats) -> float:
    """‖x‖ in H⁻¹; nothing is changed but room."""
    v = vector(state, st.SPARE)
    times(square(state, st.W), x, v)
    return math.sqrt(dot(v, v))


@kernel
def weight_at(state: Floats, x: Floats, dispersion: float) -> float:
    """The weight that an observation at x would get now."""
    norm, trusted = norm_of(state, x), state[st.OWN_ALPHA] * dispersion
    return 1.0 if norm <= trusted else trusted / norm


@kernel
def trust(state: Floats, x: Floats, dispersion: float) -> float:
    """α g / ‖x‖ in H⁻¹, which goes on where the weight stops at 1."""
    norm = norm_of(state, x)
    return state[st.ALPHA] * dispersion / norm if norm > 0.0 else math.inf


@small
def natural(state: Floats, x: Floats) -> float:
    """<x, θ>, kept in [-S, S] where the constants of the family hold."""
    return min(max(dot(x, vector(state, st.THETA)), -state[st.S]), state[st.S])  # type: ignore[no-any-return]


@shared
def refresh(state: Floats) -> None:
    """W from H."""
    root_of_inverse(square(state, st.H), 0.0, state[st.LAM], square(state, st.FACTOR), square(state, st.W))
    state[st.AGE] = 0.0


@kernel
def _return_to_ball(state: Floats, x: Floats, slope: float, curvature: float) -> None:
    """The minimiser of eq:OMD-estimator over the ball, when the free one, in TRIAL, lies outside."""
    theta, b, M = vector(state, st.THETA), vector(state, st.TARGET), square(state, st.SYSTEM)
    if state[st.EUCLIDEAN] != 0.0:
        free = vector(state, st.TRIAL)
        for j in range(x.size):
            theta[j] = free[j]
        _shorten(theta, state[st.S])
        return
    for i in range(x.size):
        for j in range(x.size):
            M[i, j] = square(state, st.H)[i, j] / state[st.ETA] + curvature * (x[i] * x[j])
    times(M, theta, b)
    for j in range(x.size):
        b[j] -= slope * x[j]
    nu = _project(state, state[st.LAM] / state[st.ETA])
    state[st.PROJECTED], state[st.RESIDUAL] = 1.0, _residual(state, nu)


@kernel
def _project(state: Floats, floor: float) -> float:
    """θ becomes the minimiser on the sphere of θᵀ M θ / 2 - <b, θ>, for M in SYSTEM and b in TARGET; returns ν.

    (M + ν I) θ = b with ‖θ‖ = S.  Newton's method on 1/S - 1/‖θ(ν)‖, which is concave in ν: from the left of the root
    it climbs to it without overshooting.  b is scaled, so that rewards of any size cause no overflow.
    """
    theta, b, M = vector(state, st.THETA), vector(state, st.TARGET), square(state, st.SYSTEM)
    root = square(state, st.ROOT)
    scaled, trial, y = vector(state, st.TRIAL), vector(state, st.POINT), vector(state, st.SPARE)
    scale, trace, length = 0.0, 0.0, 0.0
    for j in range(theta.size):
        scale = max(scale, abs(b[j]))
        trace += M[j, j]
    for j in range(theta.size):
        scaled[j] = b[j] / scale
    target = state[st.S] / scale
    # ‖θ(ν)‖ >= ‖b‖ / (trace + ν), so the root lies to the right of this.
    nu = max(0.0, math.sqrt(dot(scaled, scaled)) / target - trace)
    for _ in range(_NEWTON):
        root_of_inverse(M, nu, floor + nu, square(state, st.FACTOR), root)
        times(root, scaled, y)
        times_transposed(root, y, trial)
        length = math.sqrt(dot(trial, trial))
        times(root, trial, y)
        step = (length - target) / target * length * length / dot(y, y)
        if not nu + step > nu:
            break
        nu += step
    for j in range(theta.size):
        theta[j] = trial[j] / length * state[st.S]
    _shorten(theta, state[st.S])
    return nu  # type: ignore[no-any-return]


@kernel
def _residual(state: Floats, nu: float) -> float:
    """How far (M + ν) θ = b and ‖θ‖ = S are from holding, in relative terms."""
    theta, b, M = vector(state, st.THETA), vector(state, st.TARGET), square(state, st.SYSTEM)
    y = vector(state, st.SPARE)
    largest, right, off = 0.0, 0.0, 0.0
    times(M, theta, y)
    for i in range(theta.size):
        right = max(right, abs(b[i]))
        off = max(off, abs(y[i] + nu * theta[i] - b[i]))
        for j in range(theta.size):
            largest = max(largest, abs(M[i, j]))
    radius = state[st.S]
    terms = largest * radius + nu * radius + right
    return max(off / terms, abs(math.sqrt(dot(theta, theta)) - radius) / radius)  # type: ignore[no-any-return]


@kernel
def _shorten(theta: Floats, radius: float) -> None:
    """θ, moved inside the ball; by a few units in the last place if rounding alone has left it outside."""
    squared = dot(theta, theta)
    while squared > radius * radius:
        factor = min(radius / math.sqrt(squared), 1.0 - 2.0**-53)
        for j in range(theta.size):
            theta[j] *= factor
        squared = dot(theta, theta)
