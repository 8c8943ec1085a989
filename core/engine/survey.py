"""Arms that do not stay are looked at once: all that a round asks about them, several arms abreast."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import in_line, specialised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import fetch_line, largest, put_abreast, stretches
from glbcheck.core.engine.arms import BEST_NATURAL, CLOSE, FIRST_NORM, LEADER, SCALE, TOP, Arms, lanes_of, only_one
from glbcheck.core.engine.factor import reduce_entry
from glbcheck.core.engine.optimum import BOTH
from glbcheck.core.engine.state import Learner
from glbcheck.core.engine.wide import LANES, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather
from glbcheck.core.tolerances import TIE, UNIT

LINE = 8  # floats in a line of memory


EXACT = True  # is more asked than choices in closed form ask?


@in_line
def survey(learner: Learner, arms: Arms, theta_star: Floats) -> bool:
    """The norms of new arms, their closed-form indices, and <x, θ_*> where means will stand; for exact choices more.

    Is every arm finite and in the unit ball?
    """
    K, d = arms.points.shape
    radius, reduced, nothing = learner.facts.radius, stretches(arms.scratch), spread(-np.inf)
    closer = learner.facts.decided == BOTH
    top, depth, best, beyond = nothing, nothing, nothing, spread(0.0)
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
            if EXACT and closer:
                put_abreast(arms.columns[i], k, x)
            rest = reduce_entry(learner.lower, reduced, n, x)
            norm += rest * rest * learner.inverse_d[i]
        index += radius * root(norm)
        put_abreast(arms.norm, k, norm)
        put_abreast(arms.closed, k, index)
        put_abreast(arms.mean, k, natural)
        if EXACT:
            put_abreast(arms.square, k, square)
        top, depth, best = max(top, index), max(depth, -index), max(best, natural)
        beyond = where(square <= UNIT * UNIT, beyond, 1.0)  # also if it is not a number
    arms.notes[FIRST_NORM, 0] = -1.0
    extremes = arms.extremes
    extremes[BEST_NATURAL], extremes[CLOSE] = largest(best), where(closer, 1.0, 0.0)
    extremes[TOP] = highest = largest(top)
    extremes[SCALE] = scale = max(highest, largest(depth))
    extremes[LEADER] = float(only_one(arms.closed, highest - TIE * scale))
    return not some(beyond > 0.0)


exact_survey, closed_survey = specialised(survey, EXACT=True), specialised(survey, EXACT=False)
