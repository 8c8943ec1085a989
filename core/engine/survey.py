"""Arms that do not stay are looked at once: all that a round asks about them, several arms abreast."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import in_line, specialised
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import fetch_line, largest, put_abreast, stretches
from glbcheck.core.engine.arms import (
    BEST_NATURAL,
    FIRST_NORM,
    LEADER,
    LONGEST,
    RELAXED,
    SCALE,
    TOP,
    Arms,
    lanes_of,
    only_one,
)  # fmt: skip
from glbcheck.core.engine.factor import reduce_entry
from glbcheck.core.engine.relaxation import relaxed_ball, relaxes
from glbcheck.core.engine.state import CENTRE, KEPT_D, Learner
from glbcheck.core.engine.wide import LANES, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather
from glbcheck.core.tolerances import TIE, UNIT

LINE = 8  # floats in a line of memory


EXACT = True  # is more asked than choices in closed form ask?


@in_line
def survey(learner: Learner, arms: Arms, theta_star: Floats, plainly: bool) -> bool:
    """The norms of new arms, their closed-form indices, and <x, θ_*> where means will stand.

    For exact choices squared lengths too; and where both constraints matter, unless it is asked for plainly, norms and
    indices are those of a relaxation.  Is every arm finite and in the unit ball?
    """
    K, d = arms.points.shape
    reduced, nothing = stretches(arms.scratch), spread(-np.inf)
    radius, centre, lower, inverse_d = learner.facts.radius, learner.theta, learner.lower, learner.inverse_d
    top, depth, best, longest, beyond = nothing, nothing, nothing, nothing, spread(0.0)
    if EXACT:
        arms.extremes[RELAXED] = 0.0
        if not plainly and relaxes(learner):
            arms.extremes[RELAXED] = radius = relaxed_ball(learner)
            centre, lower, inverse_d = learner.work[CENTRE], learner.kept, learner.work[KEPT_D]
    for k in range(0, arms.norm.size, LANES):
        rows = lanes_of(arms, k)
        for line in range(0, d * LANES, LINE):  # the same arms of the coming round
            fetch_line(arms.points, (K + k) * d + line)
        norm, index, natural, square = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for n in range(d):
            i = d - 1 - n
            x = gather(arms.points, rows, i)
            index += centre[i] * x
            natural += theta_star[i] * x
            square += x * x
            rest = reduce_entry(lower, reduced, n, x)
            norm += rest * rest * inverse_d[i]
        index += radius * root(norm)
        put_abreast(arms.norm, k, norm)
        put_abreast(arms.closed, k, index)
        put_abreast(arms.mean, k, natural)
        if EXACT:
            put_abreast(arms.square, k, square)
            longest = max(longest, square)
        else:
            depth = max(depth, -index)
        top, best = max(top, index), max(best, natural)
        beyond = where(square <= UNIT * UNIT, beyond, 1.0)  # also if it is not a number
    arms.notes[FIRST_NORM, 0] = -1.0
    extremes = arms.extremes
    extremes[BEST_NATURAL], extremes[TOP] = largest(best), largest(top)
    if EXACT:
        extremes[LONGEST] = largest(longest)
    else:
        extremes[SCALE] = scale = max(extremes[TOP], largest(depth))
        extremes[LEADER] = float(only_one(arms.closed, extremes[TOP] - TIE * scale))
    return not some(beyond > 0.0)


exact_survey, closed_survey = specialised(survey, EXACT=True), specialised(survey, EXACT=False)
