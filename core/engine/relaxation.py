"""One relaxation is kept over many rounds: its bounds leave few new arms to look at.

For every ν >= 0 the two constraints imply one, see `core.engine.optimum`, and so they do with an earlier H in its
place, as H only grows.  The factors of A = H + ν I are therefore made anew now and then only; the centre and the radius
are those of the round.  The ν that leaves the fewest arms is about the median of those that solve the leading arms.
"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import apart, compiled, in_line, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import abreast_within, put_within, total
from glbcheck.core.engine.ends import rounding, trace
from glbcheck.core.engine.factor import factorise, product, solve
from glbcheck.core.engine.optimum import BOTH, ELLIPSOID
from glbcheck.core.engine.state import CENTRE, KEPT_D, REDUCED, SPARE, Learner
from glbcheck.core.engine.wide import LANES, spread

_WIDE, _NARROW, _LEAST = 16.0, 2e-3, 2e-4  # multipliers, in traces of H: the largest, one to begin with, the smallest
_STEP = 1.25  # towards the median
_AGE = 61  # rounds; arms that come back after a power of two are not always the same then


@compiled
@in_line
def relaxes(learner: Learner) -> bool:
    """Is there a relaxation to be used, where both constraints matter?"""
    facts = learner.facts
    if not (facts.decided == BOTH and facts.kept > 0.0):
        return False
    if facts.outdated != 0.0:
        renew(learner, facts.kept)
    return True


@vectorised
@apart
def renew(learner: Learner, nu: float) -> None:
    """The relaxation with this multiplier, for the H of now."""
    unit, reduced, inverse = learner.work[CENTRE], learner.work[REDUCED], learner.kept_inverse
    learner.facts.kept, learner.facts.outdated = nu, 0.0
    factorise(learner.H, nu, learner.facts.lam + nu, learner.kept, learner.work[KEPT_D])
    for i in range(unit.size):
        for j in range(unit.size):
            unit[j] = 1.0 if i == j else 0.0
        solve(learner.kept, learner.work[KEPT_D], unit, reduced, inverse[i])


@compiled
@in_line
def relaxed_ball(learner: Learner) -> float:
    """The centre q, into its row of work; returns the radius R."""
    facts, theta, q, bent = learner.facts, learner.theta, learner.work[CENTRE], spread(0.0)
    for k in range(0, theta.size, LANES):
        own = abreast_within(theta, k)
        centre = own - facts.kept * product(learner.kept_inverse, theta, k)
        put_within(q, k, centre)
        bent += own * centre
    return float(np.sqrt(facts.radius**2 + facts.kept * max(0.0, facts.S * facts.S - total(bent))))


@compiled
@in_line
def value_within(learner: Learner, x: Floats, ratio: float) -> float:
    """<x, θ> at the farthest point of C_t and the ball that θ_t and the maximiser of the relaxation lead to.

    That is q + R A⁻¹ x / ‖x‖, where `ratio` is R over the norm of x in A⁻¹.
    """
    facts, theta, q, way = learner.facts, learner.theta, learner.work[CENTRE], learner.work[SPARE]
    length, across, middle, gain, room = spread(0.0), spread(0.0), spread(0.0), spread(0.0), spread(0.0)
    for k in range(0, x.size, LANES):
        own, arm = abreast_within(theta, k), abreast_within(x, k)
        step = ratio * product(learner.kept_inverse, x, k) + (abreast_within(q, k) - own)
        put_within(way, k, step)
        length, across, room = length + step * step, across + step * own, room + own * own
        middle, gain = middle + arm * own, gain + arm * step
    reach = spread(0.0)
    for k in range(0, x.size, LANES):
        reach += product(learner.H, way, k) * abreast_within(way, k)
    squared, slope, spare = total(length), total(across), max(0.0, facts.S * facts.S - total(room))
    farthest = total(reach) + rounding(x.size) * trace(learner) * squared
    to_ellipsoid = facts.radius / np.sqrt(farthest)
    to_ball = (np.sqrt(slope * slope + squared * spare) - slope) / squared
    return float(total(middle) + min(to_ellipsoid, to_ball) * total(gain))


@compiled
@in_line
def is_due(learner: Learner) -> bool:
    """Is it time to look whether another multiplier does better?"""
    return int(learner.facts.rounds) % _AGE == 0


@compiled
def begin_relaxing(learner: Learner, decided: float) -> None:
    """What decided before, one constraint alone, has not decided now."""
    facts, nu = learner.facts, learner.facts.kept
    if decided == ELLIPSOID:
        nu = _NARROW * trace(learner)
    elif nu == 0.0:
        nu = _WIDE * trace(learner)
    renew(learner, nu)
    facts.decided = BOTH


@compiled
def adapt(learner: Learner, nu: float) -> None:
    """A step towards the multiplier of an arm that leads; if there is hardly one left the ellipsoid decides."""
    facts, most = learner.facts, trace(learner)
    renew(learner, min(facts.kept * _STEP, _WIDE * most) if nu > facts.kept else facts.kept / _STEP)
    if facts.kept < _LEAST * most:
        facts.decided = ELLIPSOID
