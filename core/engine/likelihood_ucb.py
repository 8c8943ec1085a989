"""Optimism on the likelihood-ratio set, and balanced scouting.

The optimistic arm has the largest upper bound over the set of the largest C, without the ball.  A cheaper learner, the
scout, chooses as long as its certified cost Σ Δ stays below a share of that of the optimistic pulls: then the
certificate is at most 1 + share times that of the optimistic pulls.
"""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import ellipsoid
from glbcheck.core.engine import likelihood_state as ls
from glbcheck.core.engine.careful import careful
from glbcheck.core.engine.costs import INDEX, MIDDLE, NORM, WIDTH, charge, compare, cost, first_row, measure
from glbcheck.core.tolerances import TIE

SCOUT_WIDTH = 2.0  # standard deviations of the predictor in the index of the scout, by experience


@careful
def choose(state: Floats, room: Floats, arms: Floats) -> tuple[int, float]:
    """The arm of largest upper bound, or the scout's, if its share pays for it; charged, with its Δ."""
    measure(state, room, arms)
    d, C, K = int(state[ls.DIMENSION]), state[ls.BUDGET], arms.shape[0]
    for k in range(K):
        room[INDEX, k], room[WIDTH, k] = math.inf, 0.0
    for which in range(int(state[ls.WINDOWS])):
        one, row = ls.window(state, which), first_row(d, which)
        if ellipsoid.is_open(one):
            radius = max(ellipsoid.radius_at(one, C), 0.0)
            for k in range(K):
                bound = room[row + MIDDLE, k] + radius * room[row + NORM, k]
                if bound < room[INDEX, k]:
                    room[INDEX, k], room[WIDTH, k] = bound, room[row + NORM, k]
    own = widest(room, K)
    if state[ls.SHARE] > 0.0 and state[ls.ENDED] == 0.0:
        other = preferred(state, room, arms)
        if other != own:
            compare(state, room, arms.shape[0], other)
            delta = cost(state, room, arms.shape[0], other, C)
            if delta >= 0.0 and state[ls.SCOUT_COST] + delta <= state[ls.SHARE] * state[ls.OWN_COST]:
                state[ls.SCOUT_COST] += delta
                return other, charge(state, room, arms, other)
    delta = charge(state, room, arms, own)
    state[ls.OWN_COST] += delta
    return own, delta


@careful
def widest(room: Floats, K: int) -> int:
    """The arm of largest index; of equals the least known."""
    top, size = -math.inf, 0.0
    for k in range(K):
        top, size = max(top, room[INDEX, k]), max(size, abs(room[INDEX, k]))
    best = -1
    for k in range(K):
        if room[INDEX, k] >= top - TIE * size and (best < 0 or room[WIDTH, k] > room[WIDTH, best] * (1.0 + TIE)):
            best = k
    return best


@careful
def preferred(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm of the scout: the predictor's value and two of its standard deviations."""
    d, point = int(state[ls.DIMENSION]), ls.predictor(state, ls.POINT)
    best, top = 0, -math.inf
    for k in range(arms.shape[0]):
        value = spread = 0.0
        for i in range(d):
            value += arms[k, i] * point[i]
            total = 0.0
            for j in range(d):
                total += ls.covariance(state)[i, j] * arms[k, j]
            spread += arms[k, i] * total
        value += SCOUT_WIDTH * math.sqrt(max(spread, 0.0))
        if value > top:
            best, top = k, value
    return best
