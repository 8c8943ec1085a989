"""Arms that do not stay are looked at once: all that a round asks about them, several arms abreast."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, in_line, specialised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import before_end, count_lanes, fetch_line, largest, put_abreast, stretches
from glbcheck.core.engine.arms import BEST_NATURAL, FIRST_NORM, LEADER, LONGEST, SCALE, TOP, WIDEST, Arms, lanes_of
from glbcheck.core.engine.factor import reduce_entry
from glbcheck.core.engine.state import Learner
from glbcheck.core.engine.wide import LANES, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather, lane_numbers
from glbcheck.core.tolerances import TIE, UNIT

LINE = 8  # floats in a line of memory


class Ranked(NamedTuple):
    """In each lane: the largest index and whose it is, the second largest, and the largest with the other sign."""

    top: float
    second: float
    place: float
    depth: float


EXACT = True  # is more asked than choices in closed form ask?


@in_line
def survey(learner: Learner, arms: Arms, theta_star: Floats) -> bool:
    """The norms of new arms, their closed-form indices, and <x, θ_*> where means will stand; for exact choices more.

    Is every arm finite and in the unit ball?
    """
    K, d = arms.points.shape
    radius, reduced, nothing = learner.facts.radius, stretches(arms.scratch), spread(-np.inf)
    top, second, place, depth, best, beyond = nothing, nothing, spread(-1.0), nothing, nothing, spread(0.0)
    longest, widest = nothing, nothing
    for k in range(0, arms.norm.size, LANES):
        rows = lanes_of(arms, k)
        for line in range(0, d * LANES, LINE):  # the same arms of the coming round
            fetch_line(arms.points, (K + k) * d + line)
        norm, index, natural, square = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for n in range(d):
            i = d - 1 - n
            x = gather(arms.points, rows, i)
            index += learner.theta[i] * x
            natural += theta_star[i] * x
            square += x * x
            if EXACT:
                put_abreast(arms.columns[i], k, x)
            rest = reduce_entry(learner.lower, reduced, n, x)
            norm += rest * rest * learner.inverse_d[i]
        index += radius * root(norm)
        put_abreast(arms.norm, k, norm)
        put_abreast(arms.closed, k, index)
        put_abreast(arms.mean, k, natural)
        if EXACT:
            length = root(square)
            longest, widest = max(longest, length), max(widest, norm)
            put_abreast(arms.length, k, length)
            put_abreast(arms.guess, k, spread(0.0))
        depth, best = max(depth, -index), max(best, natural)
        index = where(before_end(arms.norm, k), index, -np.inf)
        place, second = where(index > top, lane_numbers() + float(k), place), max(second, min(top, index))
        top = max(top, index)
        beyond = where(square <= UNIT * UNIT, beyond, 1.0)  # also if it is not a number
    arms.notes[FIRST_NORM, 0] = -1.0
    arms.extremes[BEST_NATURAL] = largest(best)
    if EXACT:
        arms.extremes[LONGEST], arms.extremes[WIDEST] = largest(longest), largest(widest)
    _note_leader(arms, Ranked(top, second, place, depth))
    return not some(beyond > 0.0)


@compiled
@in_line
def _note_leader(arms: Arms, found: Ranked) -> None:
    """The extremes of the indices, and the arm that no other ties with."""
    top = largest(found.top)
    scale = max(top, largest(found.depth))
    leads = found.top >= top - TIE * scale
    alone = count_lanes(leads) == 1 and not some(found.second >= top - TIE * scale)
    arms.extremes[TOP], arms.extremes[SCALE] = top, scale
    arms.extremes[LEADER] = largest(where(leads, found.place, -1.0)) if alone else -1.0


exact_survey, closed_survey = specialised(survey, EXACT=True), specialised(survey, EXACT=False)
