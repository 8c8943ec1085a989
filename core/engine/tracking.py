"""The optimistic values of arms that stay, followed from round to round without solving for them again.

Let D_t(θ) = ‖θ - θ_t‖² - ρ_t² in H_t, so that C_t is D_t <= 0 in the ball.  When a round moves θ_t by -m H_t⁻¹ x and
adds c x xᵀ to H_t, D_t grows by a function of ⟨x, θ⟩ alone: with a = ⟨x, θ_t⟩, b = ⟨x, θ_{t+1}⟩, q = ‖x‖² in H_t⁻¹, by

    2 m (⟨x, θ⟩ - a) + c (⟨x, θ⟩ - b)² + m² q - (ρ_{t+1}² - ρ_t²).

So D_t at the maximiser θ^ of an arm, found in round 0, is known for ever: the excess e.  The function is convex, hence
above its tangent at θ^, and D_t above D_0 + (e - e_0) + ⟨l, θ - θ^⟩ for the sum l of the slopes times x.  The ellipsoid
with multiplier ν of round 0, of matrix A = H_0 + ν I and radius R, then bounds the value by

    v_0 + s / (2 R) (‖l‖² / 4 - (e - e_0)),   norms and s = ‖x‖ in A⁻¹,

whose error is of second order.  Two points of C_t near θ^ bound it from below.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import EXCESS, FIRST_NORM, OWNER, PEAK, PLACE, RATE, REACH, Arms, stays
from glbcheck.core.engine.factor import dot, forward, inner_products, quadratic, squared_norm
from glbcheck.core.engine.state import POINT, PUSH, REDUCED, SOLVED, SPARE, TARGET, TRIAL, Learner
from glbcheck.core.tolerances import SLACK

_PUSHED = 2e-4  # in radii; what is lost is its square
_LEAST = 1e-300
_STEPS = 8  # of the search for a point of C_t


@compiled
@in_line
def tracks(arms: Arms) -> bool:
    """Has a value been followed since the arms were entered?"""
    return bool(arms.notes[FIRST_NORM, 0] > 0.0)


@compiled
def stop(arms: Arms) -> None:
    """No value is followed any more."""
    if stays(arms):
        arms.notes[FIRST_NORM, 0] = 0.0


@vectorised
def _begin(learner: Learner, arms: Arms) -> None:
    """From now on: no arm is followed, and nothing has been pushed."""
    learner.facts.swollen = learner.facts.followed = 0.0
    for j in range(learner.theta.size):
        learner.work[PUSH, j] = 0.0
    for k in range(arms.norm.size):
        arms.notes[PLACE, k] = -1.0
        arms.notes[FIRST_NORM, k] = max(arms.norm[k], _LEAST)


@vectorised
def track(learner: Learner, arms: Arms, k: int, nu: float) -> None:
    """Follow arm k, just solved with this multiplier; its maximiser and the relaxation are still in their rows."""
    S, rho, theta, work, x = learner.facts.S, learner.facts.radius, learner.theta, learner.work, arms.points[k]
    if not stays(arms) or not rho > 0.0:
        return
    if not tracks(arms):
        _begin(learner, arms)
    i, way, point = _place_for(learner, arms, k), work[SPARE], work[SOLVED]
    if nu > 0.0:
        point, q = work[POINT], work[TRIAL]
        s = np.sqrt(dot(x, work[SOLVED]))
        R = np.sqrt(rho * rho + nu * max(0.0, S * S - dot(theta, q)))
        value, rate = dot(x, q) + R * s, 0.5 * s / R
    elif arms.closed[k] <= S * arms.length[k]:
        value, rate = arms.closed[k], 0.5 * np.sqrt(arms.norm[k]) / rho
    else:
        value, rate = S * arms.length[k], 0.0
        for j in range(x.size):
            point[j] = S / arms.length[k] * x[j]
    for j in range(x.size):
        way[j] = point[j] - theta[j]
        arms.maximisers[j, i] = point[j]
    excess = quadratic(learner.lower, learner.inverse_d, way) - rho * rho
    arms.notes[PEAK, i], arms.notes[RATE, i], arms.notes[EXCESS, i] = value + rate * excess, rate, excess
    arms.notes[REACH, i] = _settled_push(learner, arms)


@compiled
def _place_for(learner: Learner, arms: Arms, k: int) -> int:
    """Where arm k stands among those that are followed, from now on if not before."""
    if arms.notes[PLACE, k] < 0.0:
        arms.notes[PLACE, k] = learner.facts.followed
        arms.notes[OWNER, int(learner.facts.followed)] = float(k)
        learner.facts.followed += 1.0
    return int(arms.notes[PLACE, k])


@vectorised
@in_line
def _pushed(learner: Learner) -> float:
    """A bound on the norm of the sum of all 2 m x, in the H⁻¹ of any round since the first."""
    y = learner.work[REDUCED]
    forward(learner.lower, learner.work[PUSH], y)
    return float(np.sqrt((1.0 + learner.facts.swollen) * squared_norm(learner.inverse_d, y)))


@vectorised
def _settled_push(learner: Learner, arms: Arms) -> float:
    """The same, after the sum was begun anew if it is large: then it counts for those that are followed already."""
    pushed = _pushed(learner)
    if pushed <= _PUSHED * learner.facts.radius:
        return pushed
    for i in range(int(learner.facts.followed)):
        arms.notes[REACH, i] += pushed
    for j in range(learner.theta.size):
        learner.work[PUSH, j] = 0.0
    return 0.0


@vectorised
@in_line
def follow_values(learner: Learner, arms: Arms, played: int, c: float, before: float) -> None:
    """After H has grown by c x xᵀ, with the H⁻¹ x of before in its row, and the radius was `before`."""
    facts, work, x = learner.facts, learner.work, arms.points[played]
    m, rho = facts.moved, facts.radius
    if not np.isfinite(m):  # the step was not of that form
        stop(arms)
        return
    q, b = dot(x, work[SOLVED]), dot(x, learner.theta)
    facts.swollen += c * arms.notes[FIRST_NORM, played]
    for j in range(x.size):
        work[PUSH, j] += 2.0 * m * x[j]
        work[TARGET, j] += (c * b - m) * x[j]
    inner = arms.upper[: int(facts.followed)]
    inner_products(x, arms.maximisers, inner)
    added, width = m * m * q - (rho - before) * (rho + before), np.sqrt(arms.notes[FIRST_NORM, played])
    _add(inner, arms.notes[EXCESS], arms.notes[REACH], 2.0 * m, b + m * q, c, b, added, 2.0 * c * width)


@vectorised_numbers
def _add(
    y: Floats, excess: Floats, reach: Floats, slope: float, a: float, c: float, b: float, added: float, scale: float
) -> None:
    for k in range(y.size):
        off = y[k] - b
        excess[k] += slope * (y[k] - a) + c * off * off + added
        reach[k] += scale * abs(off)


@vectorised
@in_line
def lower_to_tracked(learner: Learner, arms: Arms) -> None:
    """The upper bounds of arms that are followed."""
    pushed, upper, notes = _pushed(learner), arms.upper, arms.notes
    for i in range(int(learner.facts.followed)):
        k, length = int(notes[OWNER, i]), notes[REACH, i] + pushed
        bound = notes[PEAK, i] + notes[RATE, i] * (0.25 * length * length - notes[EXCESS, i])
        upper[k] = min(upper[k], bound)


@vectorised
@in_line
def floor_of(learner: Learner, arms: Arms, k: int) -> float:
    """A lower bound on the value of an arm that is followed, H θ_t being in the row TARGET of work.

    Both points lie on the way from θ_t to θ^, where it leaves the ellipsoid; the second is then stretched to length S.
    """
    S, rho, theta, b, x = learner.facts.S, learner.facts.radius, learner.theta, learner.work[TARGET], arms.points[k]
    point, i = learner.work[SPARE], int(arms.notes[PLACE, k])
    for j in range(x.size):
        point[j] = arms.maximisers[j, i]
    square, cross, own = dot(theta, theta), dot(theta, point), dot(point, point)
    start, end = dot(x, theta), dot(x, point)
    centre, mixed = dot(b, theta), dot(b, point) - dot(b, theta)
    reach = rho * rho + arms.notes[EXCESS, i]  # ‖θ^ - θ_t‖² in H
    if not reach > 0.0:
        return -np.inf
    way, bend = cross - square, own - 2.0 * cross + square
    part = rho / np.sqrt(reach) if arms.notes[RATE, i] > 0.0 else min(1.0, rho / np.sqrt(reach))
    found = -np.inf
    if square + part * (2.0 * way + part * bend) <= S * S * (1.0 + 2.0 * SLACK):
        found = start + part * (end - start)
    part, last_part, last = 1.0, 0.5, -rho * rho
    for _ in range(_STEPS):
        stretch = S / np.sqrt(square + part * (2.0 * way + part * bend))
        moved, more = stretch * part, stretch - 1.0
        outside = moved * moved * reach + 2.0 * moved * more * mixed + more * more * centre - rho * rho
        if outside <= 2.0 * SLACK * rho * rho:
            found = max(found, stretch * (start + part * (end - start)))
        if abs(outside) <= SLACK * rho * rho or outside == last:
            break
        step = (outside + 0.5 * SLACK * rho * rho) * (part - last_part) / (outside - last)
        last_part, last = part, outside
        part -= step
    return found
