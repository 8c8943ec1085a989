"""The arm of largest optimistic value max <x, θ> over C_t ∩ Θ, exactly: an ellipsoid and a ball.

For every ν >= 0 the two constraints together imply one, ‖θ - θ_t‖²_H + ν ‖θ‖² <= ρ² + ν S², again an
ellipsoid, with matrix A = H + ν I, centre q = A⁻¹ H θ_t and radius R, R² = ρ² + ν (S² - <θ_t, q>).  Its
closed form <x, q> + R ‖x‖_{A⁻¹} is an upper bound, and the least of them over ν is the value.  It is
reached where the maximiser θ(ν) has length S, unless one of the two constraints alone decides.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import EXCESS, RATE, REACH, Arms, closed_form, most_uncertain_of, stays, top_of
from glbcheck.core.engine.factor import dot, factorise, forward, quadratic, solve, solve_pair, squared_norm, times
from glbcheck.core.engine.floors import floor_of, held_arm
from glbcheck.core.engine.state import BEFORE, POINT, REDUCED, SHIFTED_D, SOLVED, TARGET, TRIAL, Facts, Learner
from glbcheck.core.engine.tracking import begin, stop, track, tracks, update_bounds
from glbcheck.core.tolerances import SLACK, TIE

_ACCURACY = 1e-9  # relative gain of a step that need not be taken: what it leaves is its power 3/2
_ITERATIONS = 80
_WIDEST = 1e30
_SINGLE = 2  # steps after each of which it is looked whether an arm needs another one
_CALM = 8.0  # solutions in turn without a touching arm after which the ellipsoid is trusted to decide
_HELD = 0.5  # how many of them a round makes up for that needs none

BALL, ELLIPSOID, BOTH = 0.0, 1.0, 2.0  # which constraint decided the value of the latest choice


@vectorised
@in_line
def select(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the arms whose optimistic value ties with the largest; their norms are known."""
    if learner.facts.exact_index == 0.0:
        top, scale = closed_form(learner, arms)
        return most_uncertain_of(arms.closed, top - TIE * scale, arms.norm)
    return select_exactly(learner, arms)


@vectorised
@in_line
def select_exactly(learner: Learner, arms: Arms) -> int:
    """The constraint that decided the round before is tried alone; what it finds is exact if the other one holds."""
    facts = learner.facts
    if tracks(arms):
        for j in range(learner.theta.size):
            learner.work[BEFORE, j] = learner.theta[j]
        k = held_arm(learner, arms)
        if k < 0:
            return _choose_followed(learner, arms)
        facts.calm = max(0.0, facts.calm - _HELD)
        return k
    if facts.decided == BALL:
        top, longest = ball_bounds(facts.S, arms.length, arms.upper)
        k = most_uncertain_of(arms.upper, top - TIE * facts.S * longest, arms.norm)
        if _reaches_ball(learner, arms, k):
            return k
    elif facts.decided == ELLIPSOID:
        top, _ = closed_form(learner, arms)
        k = most_uncertain_of(arms.closed, top - TIE * facts.S * top_of(arms.length), arms.norm)
        if arms.closed[k] <= facts.S * arms.length[k] and _stays_inside(learner, arms, k):
            return k
    if stays(arms) and facts.radius > 0.0:
        begin(learner, arms)
        return _choose_followed(learner, arms)
    return _solve_in_turn(learner, arms)


@vectorised_numbers
def ball_bounds(S: float, length: Floats, upper: Floats) -> tuple[float, float]:
    """The bounds of the ball; returns the largest, and the length of the longest."""
    longest = 0.0
    for k in range(upper.size):
        upper[k] = S * length[k]
        longest = max(longest, length[k])
    return S * longest, longest


@compiled
def _choose_followed(learner: Learner, arms: Arms) -> int:
    """The arm of largest value, found anew."""
    top = update_bounds(learner, arms)
    learner.facts.held = -1.0
    k = most_uncertain_of(arms.upper, top - learner.facts.tie, arms.norm)
    return k if _is_on_ball(learner.facts, arms, k) else _improve_bounds(learner, arms, k)


@compiled
def _improve_bounds(learner: Learner, arms: Arms, k: int) -> int:
    """The bounds of arms, k being first among them, are improved until that of one is above all others, or exact."""
    facts, upper, solved, touching, improved = learner.facts, arms.upper, arms.solved, False, False
    for i in range(upper.size):
        solved[i] = 0.0
    times(learner.H, learner.theta, learner.work[TARGET])
    while not (solved[k] == np.inf or _is_on_ball(facts, arms, k)):
        floor = floor_of(learner, arms, k)
        own, upper[k] = upper[k], -np.inf
        rest = top_of(upper)
        other = most_uncertain_of(upper, rest, arms.norm)
        upper[k] = own
        if rest < floor - facts.tie:
            facts.held = float(k)
            break
        doubt = facts.pushed + arms.notes[REACH, other]
        tight = own - floor <= 0.25 * arms.notes[RATE, other] * doubt * doubt
        if solved[other] < solved[k] or (solved[other] == solved[k] and tight):
            k = other
        touching, improved = _improve(learner, arms, k) > 0.0 or touching, True
        k = most_uncertain_of(upper, top_of(upper) - facts.tie, arms.norm)
    if improved:
        facts.calm = 0.0 if touching else facts.calm + 1.0
        if facts.calm >= _CALM:
            facts.decided = ELLIPSOID
            stop(arms)
    return k


@compiled
@in_line
def _is_on_ball(facts: Facts, arms: Arms, k: int) -> bool:
    """Is it known that the maximiser over the ball is inside the ellipsoid?"""
    on_ball = arms.notes[RATE, k] == 0.0 and arms.upper[k] == facts.S * arms.length[k]
    return bool(on_ball and arms.notes[EXCESS, k] <= 2.0 * SLACK * facts.radius * facts.radius)


@vectorised
def _improve(learner: Learner, arms: Arms, k: int) -> float:
    """A better upper bound: a step of Newton's method is mostly enough.  Returns its multiplier."""
    facts, guess, solved = learner.facts, arms.guess, arms.solved
    arms.closed[k] = dot(arms.points[k], learner.theta) + facts.radius * np.sqrt(arms.norm[k])
    if not guess[k] > 0.0:
        guess[k] = facts.multiplier
    value, nu, following = _value_of(learner, arms, k, 1 if solved[k] < _SINGLE else _ITERATIONS)
    arms.upper[k] = value
    solved[k] = np.inf if following == nu else solved[k] + 1.0
    if arms.norm[k] > 0.0:
        track(learner, arms, k, nu)
    if nu > 0.0:
        facts.multiplier = guess[k] = following
    return nu


@compiled
def _solve_in_turn(learner: Learner, arms: Arms) -> int:
    """Of the arms whose bound ties with the largest the most uncertain is solved, until it is one solved before.

    Each solution tightens the bounds of the others.  So few are solved, each from its latest multiplier or that of
    the latest arm.
    """
    facts, upper, guess = learner.facts, arms.upper, arms.guess
    closed_form(learner, arms)
    _, longest = ball_bounds(facts.S, arms.length, upper)
    for k in range(upper.size):
        upper[k] = min(upper[k], arms.closed[k])
        arms.solved[k] = 0.0
    times(learner.H, learner.theta, learner.work[TARGET])
    tie, best, touching = TIE * facts.S * longest, -np.inf, False
    k = most_uncertain_of(upper, top_of(upper) - tie, arms.norm)
    while arms.solved[k] == 0.0:
        if not guess[k] > 0.0:
            guess[k] = facts.multiplier
        value, nu = optimistic_value(learner, arms, k)
        upper[k], arms.solved[k] = value, 1.0
        best = max(best, value)
        if nu > 0.0:
            touching = True
            facts.multiplier = guess[k] = nu
            _tighten(learner, arms, nu, best - tie)
        k = most_uncertain_of(upper, top_of(upper) - tie, arms.norm)
    _note_what_decided(learner, arms, k, touching)
    return k


@compiled
def _note_what_decided(learner: Learner, arms: Arms, k: int, touching: bool) -> None:
    """What the rounds to come shall try first."""
    facts = learner.facts
    facts.calm = 0.0 if touching else facts.calm + 1.0
    if arms.upper[k] == facts.S * arms.length[k]:
        facts.decided = BALL
    elif touching:
        facts.decided = BOTH
    elif facts.calm >= _CALM:
        facts.decided = ELLIPSOID


@vectorised
@in_line
def _reaches_ball(learner: Learner, arms: Arms, k: int) -> bool:
    """Is the maximiser over the ball inside the ellipsoid?"""
    x, point, rho = arms.points[k], learner.work[SOLVED], learner.facts.radius
    scale = learner.facts.S / arms.length[k] if arms.length[k] > 0.0 else 0.0
    for j in range(x.size):
        point[j] = scale * x[j] - learner.theta[j]
    return quadratic(learner.lower, learner.inverse_d, point) <= rho * rho * (1.0 + 2.0 * SLACK)


@vectorised
@in_line
def _stays_inside(learner: Learner, arms: Arms, k: int) -> bool:
    """Is the maximiser over the ellipsoid inside the ball?"""
    S, x, point = learner.facts.S, arms.points[k], learner.work[SOLVED]
    solve(learner.lower, learner.inverse_d, x, learner.work[REDUCED], point)
    scale = learner.facts.radius / np.sqrt(arms.norm[k]) if arms.norm[k] > 0.0 else 0.0
    for j in range(x.size):
        point[j] = learner.theta[j] + scale * point[j]
    return dot(point, point) <= S * S * (1.0 + 2.0 * SLACK)


@vectorised
def optimistic_value(learner: Learner, arms: Arms, k: int) -> tuple[float, float]:
    """The exact value of one arm, and the multiplier ν if both constraints bind (0 otherwise)."""
    value, nu, _ = _value_of(learner, arms, k, _ITERATIONS)
    return value, nu


@vectorised
def _value_of(learner: Learner, arms: Arms, k: int, steps: int) -> tuple[float, float, float]:
    """The value of one arm, its multiplier, and the next one: the same if the value is exact, else it is a bound."""
    index, ball = arms.closed[k], learner.facts.S * arms.length[k]
    if arms.norm[k] <= 0.0:
        return 0.0, 0.0, 0.0
    if index <= ball:
        if _stays_inside(learner, arms, k):
            return index, 0.0, 0.0
    elif _reaches_ball(learner, arms, k):
        return ball, 0.0, 0.0
    return _both_bind(learner, arms.points[k], min(index, ball), arms.guess[k], steps)


@vectorised
def _both_bind(learner: Learner, x: Floats, bound: float, guess: float, steps: int) -> tuple[float, float, float]:
    """The value and its ν, by Newton's method between safeguards, and the ν of the step that would follow.

    With h = ‖θ(ν)‖² - S² the bound falls at the rate s h / (2 R), and the other constraint is violated by
    -ν h.  Where ν is small the root of the length is nearly linear in ν, where it is large the root of the
    violation in 1/ν.  The search ends when another step could not change the value.
    """
    S, d, work = learner.facts.S, x.size, learner.work
    theta, p, q, y = work[POINT], work[SOLVED], work[TRIAL], work[REDUCED]
    scale = 0.0
    for j in range(d):
        scale += learner.H[j, j] / d
    low, high = 0.0, np.inf
    nu = guess if guess > 0.0 else scale
    value, used = bound, nu
    for _ in range(steps):
        used = nu
        R = _relax(learner, x, nu)
        s = np.sqrt(dot(x, p))
        ratio = R / s
        for j in range(d):
            theta[j] = q[j] + ratio * p[j]
        value = min(value, dot(x, q) + R * s)
        squared = dot(theta, theta)
        h = squared - S * S
        if h > 0.0:
            low = nu
        else:
            high = nu
        forward(learner.shifted, theta, y)
        turn = 0.5 * ratio * ((S * S - dot(q, q)) / (R * R) + dot(p, p) / (s * s))
        slope = 2.0 * (turn * dot(theta, p) - squared_norm(work[SHIFTED_D], y))  # of h
        if nu <= scale:
            following = nu - 2.0 * squared * (np.sqrt(squared) / S - 1.0) / slope
        else:
            following = nu * (h + nu * slope) / (2.0 * h + nu * slope)
        if slope < 0.0 and low < following < high:
            gain = 0.25 * abs(h * (following - nu)) * s / R
            if gain <= _ACCURACY * bound:
                # What the step would still have gained, correct to the third order.
                return value - gain, used, used
        else:
            following = 8.0 * nu if high == np.inf else np.sqrt(low * high) if low > 0.0 else 0.125 * high
            if not low < following < high or nu > _WIDEST * scale:
                return value, used, used
        nu = following
    return value, used, nu


@vectorised
def _relax(learner: Learner, x: Floats, nu: float) -> float:
    """A⁻¹ x and the centre q, into the rows SOLVED and TRIAL of work; returns the radius R."""
    work = learner.work
    factorise(learner.H, nu, learner.facts.lam + nu, learner.shifted, work[SHIFTED_D])
    solve_pair(learner.shifted, work[SHIFTED_D], x, work[TARGET], work[SOLVED], work[TRIAL])
    return _relaxed_radius(learner, nu)


@vectorised
def _relaxed_radius(learner: Learner, nu: float) -> float:
    S, rho = learner.facts.S, learner.facts.radius
    return float(np.sqrt(rho * rho + nu * max(0.0, S * S - dot(learner.theta, learner.work[TRIAL]))))


@vectorised
def _tighten(learner: Learner, arms: Arms, nu: float, level: float) -> None:
    """The bound of the multiplier just found, for every arm still above the best value."""
    q, y, upper = learner.work[TRIAL], learner.work[REDUCED], arms.upper
    R = _relaxed_radius(learner, nu)
    for k in range(upper.size):
        if upper[k] >= level and arms.solved[k] == 0.0:
            x = arms.points[k]
            forward(learner.shifted, x, y)
            bound = dot(x, q) + R * np.sqrt(squared_norm(learner.work[SHIFTED_D], y))
            upper[k] = min(upper[k], bound)
