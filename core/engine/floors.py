"""Lower bounds on the optimistic value of an arm whose upper bound is followed, see `core.engine.tracking`.

Both points of C_t that are tried lie on the way from θ_t to the maximiser θ^ of its relaxation, where it leaves the
ellipsoid; the second is stretched to length S.  Of the better one, and of one that lies deeper in the ellipsoid, the
value and the excess are kept.  While the arm is pulled again and again both remain known, and D_t, being convex, is at
most what lies between them: so is a lower bound, by a division a round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, in_line, vectorised
from glbcheck.core.engine.arms import EXCESS, RATE, Arms
from glbcheck.core.engine.factor import dot
from glbcheck.core.engine.state import SPARE, TARGET, Facts, Learner
from glbcheck.core.engine.tracking import count_reaching
from glbcheck.core.tolerances import SLACK

_STEPS = 8  # of the search for a point of C_t
_DEEPER = 0.875  # of the way from θ_t


class Way(NamedTuple):
    """From θ_t to θ^: what lengths, norms in H and values of points on it are made of."""

    square: float  # ‖θ_t‖²
    along: float
    bend: float
    reach: float  # ‖θ^ - θ_t‖² in H
    mixed: float
    centre: float  # ‖θ_t‖² in H
    start: float
    rise: float
    S: float
    rho: float


@vectorised
def floor_of(learner: Learner, arms: Arms, k: int) -> float:
    """A lower bound on the value of an arm, H θ_t being in the row TARGET of work; what it rests on goes into facts."""
    facts, theta, b, x = learner.facts, learner.theta, learner.work[TARGET], arms.points[k]
    point, rho = learner.work[SPARE], learner.facts.radius
    for j in range(x.size):
        point[j] = arms.maximisers[j, k]
    square, cross, centre, start = dot(theta, theta), dot(theta, point), dot(b, theta), dot(x, theta)
    way = Way(
        square, cross - square, dot(point, point) - 2.0 * cross + square, rho * rho + arms.notes[EXCESS, k],
        dot(b, point) - centre, centre, start, dot(x, point) - start, facts.S, rho,
    )  # fmt: skip
    facts.high = facts.low = -np.inf
    if way.reach > 0.0:
        part = rho / np.sqrt(way.reach)
        part = part if arms.notes[RATE, k] > 0.0 else min(1.0, part)
        length = square + part * (2.0 * way.along + part * way.bend)
        if length <= facts.S * facts.S * (1.0 + 2.0 * SLACK):
            facts.high, facts.high_excess = start + part * way.rise, part * part * way.reach - rho * rho
        _find_stretched(facts, way)
    return float(facts.high)


@compiled
@in_line
def _stretched(way: Way, part: float) -> tuple[float, float]:
    """The value and the excess of a point of the way that is stretched to length S."""
    stretch = way.S / np.sqrt(way.square + part * (2.0 * way.along + part * way.bend))
    moved, more = stretch * part, stretch - 1.0
    excess = moved * moved * way.reach + 2.0 * moved * more * way.mixed + more * more * way.centre - way.rho * way.rho
    return stretch * (way.start + part * way.rise), excess


@compiled
def _find_stretched(facts: Facts, way: Way) -> None:
    """The better point, by secants, and the one that is deeper."""
    square = way.rho * way.rho
    part, last_part, last = 1.0, 0.5, -square
    for _ in range(_STEPS):
        value, excess = _stretched(way, part)
        if excess <= 2.0 * SLACK * square and value > facts.high:
            facts.high, facts.high_excess = value, excess
        if abs(excess) <= SLACK * square or excess == last:
            break
        step = (excess + 0.5 * SLACK * square) * (part - last_part) / (excess - last)
        last_part, last = part, excess
        part -= step
    if facts.high == -np.inf:
        return
    facts.low = way.start + _DEEPER * (facts.high - way.start)
    facts.low_excess = _DEEPER * _DEEPER * (facts.high_excess + square) - square
    value, excess = _stretched(way, _DEEPER * part)
    cost, other_cost = facts.high - facts.low, facts.high - value
    # The less it costs to go deeper the better.
    if other_cost * (facts.high_excess - facts.low_excess) < cost * (facts.high_excess - excess):
        facts.low, facts.low_excess = value, excess


@compiled
@in_line
def held_arm(learner: Learner, arms: Arms) -> int:
    """The arm that was chosen before if it is above all others still, or else -1."""
    facts = learner.facts
    if facts.held < 0.0 or facts.held != facts.run:
        return -1
    A, B, C = facts.square, facts.linear, facts.constant
    over = facts.high_excess + (A * facts.high + B) * facts.high + C
    under = facts.low_excess + (A * facts.low + B) * facts.low + C
    if not under < 0.0:
        return -1
    floor = facts.high - (facts.high - facts.low) * max(0.0, over) / (max(0.0, over) - under)
    return int(facts.held) if count_reaching(facts, arms, floor - facts.tie) == 1 else -1
