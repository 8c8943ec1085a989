"""A look at one arm: an upper and a lower bound on its exact value max <x, θ> over C_t ∩ Θ, until they decide.

If one constraint alone binds, its maximiser lies within the other: the value is known.  Otherwise let y = θ_t + e be
the maximiser over a relaxation H + ν I, and g = (H + ν I)⁻¹ θ_t.

- Above, any α >= 0 gives α S ‖y‖ + <x - α y, θ_t> + ρ ‖x - α y‖ in H⁻¹.  Its error is the square of y's.
- Below, a point of C_t ∩ Θ: y is moved onto both surfaces at once within the plane of e and dy/dν, by Newton's method
  for two scalars.  Then it is improved by steps (H + ν I)⁻¹ r / β along the residual r = x - α y - β H e.

If that does not decide, a new relaxation is made at the ν of a Newton step for ‖y‖ = S, inside a bracket that shrinks.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, part
from glbcheck.core.engine.linear import dot, times, times_transposed
from glbcheck.core.engine.relaxation import (
    INDEX,
    LENGTHS,
    NATURAL,
    NORMS,
    SETTLED,
    UPPER,
    inner_room,
    largest,
    limit_by_relaxation,
    mean_eigenvalue,
    relax,
)
from glbcheck.core.engine.state import square, vector
from glbcheck.core.tolerances import SLACK

RELAXATIONS_OF_A_LOOK = 100
STEPS = 12  # along residuals, for one relaxation
_PLANE_STEPS = 8
_TIE_OVER_MEET = 100.0  # bounds that are closer than a tie by this factor are the value


@kernel
def look(state: Floats, room: Floats, arms: Floats, k: int, tie: float, pending: bool) -> tuple[float, bool]:
    """Tighten the bound of arm k until its value is known, or below `rest`, the largest bound of another, or above.

    Returns a value that the arm attains (-inf if none was looked for), and whether both constraints bind.
    """
    x, natural, meet, best = arms[k], room[NATURAL, k], tie / _TIE_OVER_MEET, -np.inf
    rest = -np.inf if pending else largest(room[UPPER], arms.shape[0], k)
    kept = state[st.MULTIPLIER] > 0.0
    # Where both constraints have bound so far, they are tried first; where one has, that one.
    tried = kept and state[st.CALM] == 0.0 and room[NORMS, k] > 0.0 and state[st.RADIUS] > 0.0
    times(square(state, st.W), x, vector(state, st.WHITE_ARM))
    low, high, scale = 0.0, np.inf, mean_eigenvalue(state)
    following = scale
    for turn in range(RELAXATIONS_OF_A_LOOK):
        if turn == (1 if tried else 0) and _one_binds(state, room, x, k):
            if pending:
                limit_by_relaxation(state, room, arms, room[UPPER, k] - tie)
            return room[UPPER, k], False
        fresh = turn > 0 or not kept
        if fresh:
            relax(state, following)
        nu = state[st.MULTIPLIER]
        excess, bound = _maximise(state, x)
        if fresh:
            room[UPPER, k] = min(room[UPPER, k], natural + bound)
            if excess > 0.0:
                low = nu
            else:
                high = nu
        gap = np.inf
        for step in range(STEPS):
            upper, alpha, beta = _split(state, x)
            room[UPPER, k] = min(room[UPPER, k], natural + upper)
            if room[UPPER, k] < rest - tie:
                return best, True
            best = max(best, natural + _drawn_back(state, x))
            if pending:
                limit_by_relaxation(state, room, arms, best - tie)
                rest, pending = largest(room[UPPER], arms.shape[0], k), False
                if room[UPPER, k] < rest - tie:
                    return best, True
            if best > rest + tie:
                return best, True
            if step == 0:
                _turn(state)
                following = _newton(state, nu, excess, scale)
            best = max(best, natural + _attained(state, x))
            if best > rest + tie:
                return best, True
            if room[UPPER, k] - best <= meet:
                room[SETTLED, k] = 1.0
                return best, True
            if not beta > 0.0 or not room[UPPER, k] - best < 0.5 * gap:
                break
            gap = room[UPPER, k] - best
            _improve(state, x, alpha, beta)
        if not low < following < high or turn % 3 == 2:
            following = _between(low, high, nu)
        if not low < following < high or (fresh and following == nu):  # an older relaxation is made anew at the same ν
            break
    room[SETTLED, k] = 1.0  # the bracket is empty: the upper bound is the value, up to rounding
    return best, True


@part
def _newton(state: Floats, nu: float, excess: float, scale: float) -> float:
    """Where ‖y‖² - S² vanishes, by one step of Newton's method after `_turn`.

    Where ν is small the length of y is nearly linear in ν, where it is large ν (‖y‖² - S²) in 1/ν.
    """
    y = vector(state, st.POINT)
    slope = 2.0 * dot(y, vector(state, st.TURN))
    if nu <= scale:
        squared = dot(y, y)
        return nu - 2.0 * squared * (math.sqrt(squared) / state[st.S] - 1.0) / slope  # type: ignore[no-any-return]
    return nu * (excess + nu * slope) / (2.0 * excess + nu * slope)


@part
def _between(low: float, high: float, nu: float) -> float:
    """A multiplier inside the bracket."""
    if high == np.inf:
        return 8.0 * max(nu, low)
    return math.sqrt(low * high) if low > 0.0 else 0.125 * high


@part
def _one_binds(state: Floats, room: Floats, x: Floats, k: int) -> bool:
    """Does one constraint alone decide?  Then its bound is the arm's value."""
    index, ball = room[INDEX, k], state[st.S] * room[LENGTHS, k]
    theta, v, point = vector(state, st.THETA), vector(state, st.SPARE), vector(state, st.POINT)
    if room[NORMS, k] <= 0.0 or state[st.RADIUS] == 0.0:
        room[UPPER, k], room[SETTLED, k] = index, 1.0
        return True
    if index <= ball * (1.0 + SLACK):
        times(square(state, st.W), x, v)
        times_transposed(square(state, st.W), v, point)
        scale = state[st.RADIUS] / math.sqrt(dot(v, v))
        for j in range(x.size):
            point[j] = theta[j] + scale * point[j]
        if math.sqrt(dot(point, point)) <= state[st.S] * (1.0 + SLACK):
            room[UPPER, k], room[SETTLED, k] = index, 1.0
            return True
    if index >= ball * (1.0 - SLACK):
        scale = state[st.S] / room[LENGTHS, k]
        for j in range(x.size):
            point[j] = scale * x[j] - theta[j]
        times(square(state, st.H), point, v)
        if math.sqrt(max(dot(point, v), 0.0)) <= state[st.RADIUS] * (1.0 + SLACK):
            room[UPPER, k], room[SETTLED, k] = ball, 1.0
            return True
    return False


@part
def _maximise(state: Floats, x: Floats) -> tuple[float, float]:
    """e = y - θ into TRIAL; returns ‖y‖² - S², and what y gains over θ: a bound by duality."""
    drift, e, radius = vector(state, st.DRIFT), vector(state, st.TRIAL), state[st.RELAXED_RADIUS]
    v, p, nu = vector(state, st.SPARE), vector(state, st.WORK), state[st.MULTIPLIER]
    times(square(state, st.W_NU), x, v)
    times_transposed(square(state, st.W_NU), v, p)
    width = math.sqrt(dot(v, v))
    ratio = radius / width
    for j in range(x.size):
        e[j] = ratio * p[j] - nu * drift[j]
    state[st.RATIO], state[st.RELAXED_WIDTH] = ratio, width
    return dot(e, e) + 2.0 * dot(vector(state, st.THETA), e) - inner_room(state), radius * width - nu * dot(x, drift)


@part
def _turn(state: Floats) -> None:
    """dy/dν into TURN and H dy/dν into H_TURN, after `_maximise` and `_split`.

    It is f p - (H + ν)⁻¹ y for a number f, with p = (H + ν)⁻¹ x in WORK.
    """
    theta, drift, turn = vector(state, st.THETA), vector(state, st.DRIFT), vector(state, st.TURN)
    p = vector(state, st.WORK)
    v, nu, radius = vector(state, st.SPARE), state[st.MULTIPLIER], state[st.RELAXED_RADIUS]
    width = state[st.RELAXED_WIDTH]
    # dR²/dν = S² - ‖q‖² for the centre q = θ - ν g, and ds²/dν = -‖p‖².
    squared = dot(theta, theta) - 2.0 * nu * dot(theta, drift) + nu * nu * dot(drift, drift)
    rates = (state[st.S] * state[st.S] - squared) / (radius * radius) + dot(p, p) / (width * width)
    times(square(state, st.W_NU), vector(state, st.POINT), v)
    times_transposed(square(state, st.W_NU), v, turn)
    for j in range(theta.size):
        turn[j] = 0.5 * state[st.RATIO] * rates * p[j] - turn[j]
    times(square(state, st.H), turn, vector(state, st.H_TURN))


@part
def _split(state: Floats, x: Floats) -> tuple[float, float, float]:
    """The least bound over α for y = θ + e: its gain over <x, θ>, α, and β = ‖x - α y‖ / ρ."""
    theta, e, a = vector(state, st.THETA), vector(state, st.TRIAL), vector(state, st.WHITE_ARM)
    b = vector(state, st.WHITE_POINT)
    y, rho = vector(state, st.POINT), state[st.RADIUS]
    for j in range(x.size):
        y[j] = theta[j] + e[j]
    times(square(state, st.W), y, b)
    length = math.sqrt(dot(y, y))
    # S ‖y‖ - <y, θ>, without cancellation if y is close to θ.
    inside = inner_room(state) - 2.0 * dot(theta, e) - dot(e, e)
    cost = dot(y, e) + length * inside / (state[st.S] + length)
    squared = dot(b, b)
    alpha = dot(a, b) / squared
    off = 0.0
    for j in range(x.size):
        off += (a[j] - alpha * b[j]) ** 2
    steep = cost / (rho * math.sqrt(squared))
    alpha = alpha - steep * math.sqrt(off / (squared * (1.0 - steep * steep))) if steep < 1.0 else 0.0
    alpha = max(alpha, 0.0)
    off = 0.0
    for j in range(x.size):
        off += (a[j] - alpha * b[j]) ** 2
    off = math.sqrt(off)
    return alpha * cost + rho * off, alpha, off / rho


@part
def _attained(state: Floats, x: Floats) -> float:
    """Move e onto both surfaces within the plane of e and dy/dν; returns what that point of C_t gains over θ."""
    e, w, h_e, h_w = vector(state, st.TRIAL), vector(state, st.TURN), vector(state, st.H_STEP), vector(state, st.H_TURN)
    theta, room, squared = vector(state, st.THETA), inner_room(state), state[st.RADIUS] * state[st.RADIUS]
    ee, ew, ww, te, tw = dot(e, e), dot(e, w), dot(w, w), dot(theta, e), dot(theta, w)
    hee, hew, hww = dot(e, h_e), dot(e, h_w), dot(w, h_w)
    s, t = 1.0, 0.0
    for _ in range(_PLANE_STEPS):
        ball = s * s * ee + 2.0 * (s * t * ew + s * te + t * tw) + t * t * ww - room
        ellipsoid = s * s * hee + 2.0 * s * t * hew + t * t * hww - squared
        by_s, by_t = 2.0 * (s * ee + t * ew + te), 2.0 * (s * ew + t * ww + tw)
        of_s, of_t = 2.0 * (s * hee + t * hew), 2.0 * (s * hew + t * hww)
        determinant = by_s * of_t - by_t * of_s
        if determinant == 0.0:
            break
        ds, dt = (ball * of_t - by_t * ellipsoid) / determinant, (by_s * ellipsoid - ball * of_s) / determinant
        s, t = s - ds, t - dt
        if abs(ds) <= 1e-15 * abs(s) and abs(dt * dt * ww) <= 1e-30 * ee:
            break
    if not (0.5 < s < 2.0 and t * t * ww < ee):
        s, t = 1.0, 0.0
    for j in range(x.size):
        e[j] = s * e[j] + t * w[j]
        h_e[j] = s * h_e[j] + t * h_w[j]
    return _gain(state, x)


@kernel
def _drawn_back(state: Floats, x: Floats) -> float:
    """H e into H_STEP; returns what the point of C_t on the way from θ to y gains over θ."""
    times(square(state, st.H), vector(state, st.TRIAL), vector(state, st.H_STEP))
    return _gain(state, x)


@kernel
def _gain(state: Floats, x: Floats) -> float:
    """What e gains, shortened until it ends in C_t: towards θ, which lies in both sets, nothing that holds is lost."""
    e, theta, room, squared = vector(state, st.TRIAL), vector(state, st.THETA), inner_room(state), state[st.RADIUS] ** 2
    size, ee, te, d = dot(e, vector(state, st.H_STEP)), dot(e, e), dot(theta, e), x.size
    shrink = min(1.0, math.sqrt(squared / size) if size > 0.0 else 1.0)
    if ee + 2.0 * te > room and ee > 0.0:
        root = math.sqrt(te * te + ee * room)
        shrink = min(shrink, room / (te + root) if te > 0.0 else (root - te) / ee)
    gain = dot(x, e)
    rounding = 2.0 * d * d * 2.0**-53 * mean_eigenvalue(state) * ee / squared
    return shrink * gain - abs(gain) * rounding  # type: ignore[no-any-return]


@part
def _improve(state: Floats, x: Floats, alpha: float, beta: float) -> None:
    """e moves by (H + ν)⁻¹ r / β along the residual r = x - α y - β H e."""
    theta, e, h_e = vector(state, st.THETA), vector(state, st.TRIAL), vector(state, st.H_STEP)
    r, v = vector(state, st.WORK), vector(state, st.SPARE)
    for j in range(x.size):
        r[j] = x[j] - alpha * (theta[j] + e[j]) - beta * h_e[j]
    times(square(state, st.W_NU), r, v)
    times_transposed(square(state, st.W_NU), v, r)
    for j in range(x.size):
        e[j] += r[j] / beta
