"""Upper bounds on the optimistic values of arms that stay, followed from round to round without solving again.

Let D_t(θ) = ‖θ - θ_t‖² - ρ_t² in H_t, so that C_t is D_t <= 0 in the ball.  When a round moves θ_t by -m H_t⁻¹ x and
adds c x xᵀ to H_t, D_t grows by a function of ⟨x, θ⟩ alone: with a = ⟨x, θ_t⟩, b = ⟨x, θ_{t+1}⟩, q = ‖x‖² in H_t⁻¹, by

    2 m (⟨x, θ⟩ - a) + c (⟨x, θ⟩ - b)² + m² q - (ρ_{t+1}² - ρ_t²).

So D_t at the maximiser θ^ over a relaxation of round 0 is known for ever: the excess e.  The function is convex, hence
above its tangent at θ^, and D_t above D_0 + (e - e_0) + ⟨l, θ - θ^⟩ for the sum l of the slopes times x.  The
relaxation of multiplier ν, an ellipsoid of matrix A = H_0 + ν I and radius R, then bounds the value by

    v_0 + s / (2 R) (‖l‖² / 4 - (e - e_0)),   norms and s = ‖x‖ in A⁻¹,

whose error is of second order.  Norms in A⁻¹ are bounded by those in the H⁻¹ of some round, see `_measure_anew`.
Before an arm is solved its relaxation is the ball.  While one arm, the run, is pulled again and again, these functions
add up to three numbers, and nothing else need be touched: neither the excess of any arm, nor its norm in H⁻¹.  `fold`
brings both up to date.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import (
    ALONG,
    BEND,
    BENT,
    DRIFT,
    EPS,
    EXCESS,
    FIRST_NORM,
    PEAK,
    RATE,
    REACH,
    Arms,
    remeasure,
    top_of,
)
from glbcheck.core.engine.factor import dot, inner_products, quadratic, times
from glbcheck.core.engine.state import BEFORE, POINT, PUSH, SOLVED, SPARE, TRIAL, Facts, Learner
from glbcheck.core.engine.wide import where
from glbcheck.core.tolerances import TIE

_PUSHED = 2e-4  # in radii; what is lost is its square
_LEAST = 1e-300
_SWOLLEN = 1.0


@compiled
@in_line
def tracks(arms: Arms) -> bool:
    """Are values followed?"""
    return bool(arms.notes[FIRST_NORM, 0] > 0.0)


@vectorised
@apart
def begin(learner: Learner, arms: Arms) -> None:
    """From now on the values of all arms are followed, for the time being with the ball for their relaxation."""
    facts, S = learner.facts, learner.facts.S
    facts.swollen = facts.squared_push = facts.push_along = facts.pushed = 0.0
    facts.held = facts.run = -1.0
    facts.tie = TIE * S * top_of(arms.length)
    facts.square = facts.linear = facts.constant = facts.push = 0.0
    for j in range(learner.theta.size):
        learner.work[PUSH, j], learner.work[BEFORE, j] = 0.0, learner.theta[j]
    for k in range(arms.norm.size):
        arms.notes[FIRST_NORM, k] = max(arms.norm[k], _LEAST)
        _track_on_ball(learner, arms, k)


@vectorised
def _track_on_ball(learner: Learner, arms: Arms, k: int) -> None:
    S, x, point = learner.facts.S, arms.points[k], learner.work[POINT]
    scale = S / arms.length[k] if arms.length[k] > 0.0 else S
    for j in range(x.size):
        point[j] = scale * x[j]
    _anchor(learner, arms, k, point, S * arms.length[k], 0.0)


@vectorised
def track(learner: Learner, arms: Arms, k: int, nu: float) -> None:
    """Follow arm k with this multiplier, whose maximiser and relaxation are still in their rows; nothing is pending."""
    S, rho, work, x = learner.facts.S, learner.facts.radius, learner.work, arms.points[k]
    if nu > 0.0:
        q, s = work[TRIAL], np.sqrt(dot(x, work[SOLVED]))
        R = np.sqrt(rho * rho + nu * max(0.0, S * S - dot(learner.theta, q)))
        _anchor(learner, arms, k, work[POINT], dot(x, q) + R * s, 0.5 * s / R)
    elif arms.closed[k] <= S * arms.length[k]:
        _anchor(learner, arms, k, work[SOLVED], arms.closed[k], 0.5 * np.sqrt(arms.norm[k]) / rho)
    else:
        _track_on_ball(learner, arms, k)


@vectorised
def _anchor(learner: Learner, arms: Arms, k: int, point: Floats, value: float, rate: float) -> None:
    """The relaxation of arm k has this maximiser and value from now on."""
    facts, way, notes = learner.facts, learner.work[SPARE], arms.notes
    for j in range(way.size):
        way[j] = point[j] - learner.theta[j]
        arms.maximisers[j, k] = point[j]
    excess = quadratic(learner.lower, learner.inverse_d, way) - facts.radius * facts.radius
    if facts.pushed > _PUSHED * facts.radius:
        _push_anew(learner, arms)
    notes[PEAK, k], notes[RATE, k], notes[EXCESS, k] = value + rate * excess, rate, excess
    notes[BEND, k], notes[REACH, k] = 0.25 * rate, facts.pushed
    if facts.run >= 0.0:
        notes[ALONG, k] = dot(arms.points[int(facts.run)], point)


@vectorised
def _push_anew(learner: Learner, arms: Arms) -> None:
    """The sum of all 2 m x begins anew; so far it counts for those that are followed already."""
    facts = learner.facts
    for k in range(arms.norm.size):
        arms.notes[REACH, k] += facts.pushed
    for j in range(learner.theta.size):
        learner.work[PUSH, j] = 0.0
    facts.pushed = facts.squared_push = facts.push_along = 0.0


@vectorised
def _measure_anew(learner: Learner, arms: Arms) -> None:
    """From now on slopes are measured in the present H⁻¹, of which the one before was at most a multiple."""
    facts, notes = learner.facts, arms.notes
    _push_anew(learner, arms)
    for k in range(arms.norm.size):
        notes[BEND, k] *= 1.0 + facts.swollen
        notes[REACH, k] /= np.sqrt(1.0 + facts.swollen)
        notes[FIRST_NORM, k] = max(arms.norm[k], _LEAST)
    facts.swollen = 0.0


@vectorised
@in_line
def follow_values(learner: Learner, arms: Arms, played: int, c: float, before: float) -> None:
    """After H has grown by c x xᵀ, with the H⁻¹ x of before in its row, and the radius was `before`."""
    facts, x, m = learner.facts, arms.points[played], learner.facts.moved
    if not np.isfinite(m):
        _leap(learner, arms, x, c)
        m = 0.0
    if (c > 0.0 or m != 0.0) and facts.run != played:
        _turn_to(learner, arms, played)
    b, q = dot(x, learner.theta), dot(x, learner.work[SOLVED])
    facts.swollen += c * arms.notes[FIRST_NORM, played]
    facts.square += c
    facts.push += 2.0 * m
    facts.linear += 2.0 * (m - c * b)
    facts.constant += c * b * b - m * (2.0 * b + m * q) - (facts.radius - before) * (facts.radius + before)
    if facts.run == played:
        arms.norm[played] = facts.norm / (1.0 + facts.square * facts.norm)


@vectorised
@in_line
def _turn_to(learner: Learner, arms: Arms, played: int) -> None:
    """Another arm is pulled, H having grown already; it was chosen by `update_bounds`, so nothing is pending."""
    facts, x, u = learner.facts, arms.points[played], learner.work[SOLVED]
    facts.run, facts.norm, facts.push_along = float(played), dot(x, u), dot(learner.work[PUSH], u)
    inner_products(x, arms.maximisers, arms.notes[ALONG])
    inner_products(u, arms.columns, arms.notes[BENT])


@vectorised
def _leap(learner: Learner, arms: Arms, x: Floats, c: float) -> None:
    """After a move of θ that is not along H⁻¹ x: D_t grows by ⟨2 H v, θ - θ_t⟩ + ‖v‖², for v from the new θ to θ_t."""
    facts, way, pull, before = learner.facts, learner.work[SPARE], learner.work[POINT], learner.work[BEFORE]
    for j in range(x.size):
        way[j] = before[j] - learner.theta[j]
    times(learner.H, way, pull)
    along = c * dot(x, way)
    for j in range(x.size):
        pull[j] = 2.0 * (pull[j] - along * x[j])
    squared = 0.5 * dot(pull, way)
    added, far = squared - dot(pull, before), 2.0 * np.sqrt((1.0 + facts.swollen) * squared)
    inner_products(pull, arms.maximisers, arms.upper)
    for k in range(arms.norm.size):
        arms.notes[EXCESS, k] += arms.upper[k] + added
        arms.notes[REACH, k] += far
    facts.held = -1.0  # the points that it rests on were not followed


@vectorised
@in_line
def fold(learner: Learner, arms: Arms) -> float:
    """The rounds of the run so far are counted for every arm; returns 1 if a norm has lost too much of its accuracy."""
    facts, notes = learner.facts, arms.notes
    x, push, shrink = arms.points[int(facts.run)], facts.push, 1.0 / (1.0 + facts.square * facts.norm)
    for j in range(x.size):
        learner.work[PUSH, j] += push * x[j]
    along = facts.push_along + push * facts.norm
    added = push * (facts.push_along + along) - facts.square * shrink * along * along
    facts.squared_push, facts.push_along = max(0.0, facts.squared_push + added), along * shrink
    facts.pushed = np.sqrt((1.0 + facts.swollen) * facts.squared_push)
    arms.norm[int(facts.run)] = facts.norm
    scale, facts.norm = facts.square * shrink, facts.norm * shrink
    lost = _lower_norms(arms.norm, arms.drift, notes[BENT], scale, shrink)
    _add_excess(facts, notes, np.sqrt(notes[FIRST_NORM, int(facts.run)]))
    facts.square = facts.linear = facts.constant = facts.push = 0.0
    return lost


@vectorised_numbers
@in_line
def _add_excess(facts: Facts, notes: Floats, width: float) -> None:
    y, excess, reach = notes[ALONG], notes[EXCESS], notes[REACH]
    A, B, C, slope = facts.square, facts.linear, facts.constant, facts.linear - facts.push
    for k in range(y.size):
        excess[k] += (A * y[k] + B) * y[k] + C
        reach[k] += width * abs(2.0 * A * y[k] + slope)


@vectorised_numbers
@in_line
def _lower_norms(norm: Floats, drift: Floats, bent: Floats, scale: float, shrink: float) -> float:
    lost = 0.0
    for k in range(norm.size):
        drift[k] += 2.0 * EPS * norm[k]
        norm[k] -= scale * bent[k] * bent[k]
        bent[k] *= shrink
        lost = where(drift[k] <= DRIFT * norm[k], lost, 1.0)
    return lost


@vectorised
@in_line
def update_bounds(learner: Learner, arms: Arms) -> float:
    """The upper bounds of all arms, and their norms to full accuracy; returns the largest.  Nothing remains pending."""
    if learner.facts.run >= 0.0 and fold(learner, arms) > 0.0:
        for k in range(arms.norm.size):
            remeasure(learner, arms, k)
    if learner.facts.swollen > _SWOLLEN:
        _measure_anew(learner, arms)
    return _bounds(learner.facts, arms.notes, arms.length, arms.upper)


@vectorised_numbers
@in_line
def _bounds(facts: Facts, notes: Floats, length: Floats, upper: Floats) -> float:
    peak, rate, excess, bend, reach = notes[PEAK], notes[RATE], notes[EXCESS], notes[BEND], notes[REACH]
    S, pushed, top = facts.S, facts.pushed, -np.inf
    for k in range(upper.size):
        far = reach[k] + pushed
        upper[k] = min(S * length[k], peak[k] + bend[k] * far * far - rate[k] * excess[k])
        top = max(top, upper[k])
    return top


@vectorised_numbers
@in_line
def count_reaching(facts: Facts, arms: Arms, level: float) -> int:
    """How many arms have an upper bound of at least this, what is pending included."""
    notes, length, width = arms.notes, arms.length, np.sqrt(arms.notes[FIRST_NORM, int(facts.run)])
    peak, rate, excess, bend, reach = notes[PEAK], notes[RATE], notes[EXCESS], notes[BEND], notes[REACH]
    y, S, A, B, C, pushed = notes[ALONG], facts.S, facts.square, facts.linear, facts.constant, facts.pushed
    count = 0
    for k in range(length.size):  # rows of notes are longer
        tilt = A * y[k]
        far = reach[k] + pushed + width * abs(2.0 * tilt + B)
        bound = peak[k] + bend[k] * far * far - rate[k] * (excess[k] + C + y[k] * (tilt + B))
        count += min(S * length[k], bound) >= level
    return count
