"""Arms that do not stay are looked at once: all that a round asks about them, several arms abreast."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.abreast import largest, put_abreast, stretches
from glbcheck.core.engine.arms import FIRST_NORM, Arms, lanes_of
from glbcheck.core.engine.factor import reduce_entry
from glbcheck.core.engine.state import Learner
from glbcheck.core.engine.wide import LANES, root, some, spread, where
from glbcheck.core.engine.wide_memory import gather
from glbcheck.core.tolerances import UNIT


@compiled
@in_line
def survey(learner: Learner, arms: Arms, theta_star: Floats) -> bool:
    """The norms of new arms, their closed-form indices, and <x, θ_*> where means will stand; lengths for exact choices.

    Is every arm finite and in the unit ball?
    """
    d, radius, reduced = learner.theta.size, learner.facts.radius, stretches(arms.scratch)
    top, depth, best, beyond = spread(-np.inf), spread(-np.inf), spread(-np.inf), spread(0.0)
    for k in range(0, arms.norm.size, LANES):
        place = lanes_of(arms, k)
        norm, index, natural, square = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for n in range(d):
            i = d - 1 - n
            x = gather(arms.points, place, i)
            index += learner.theta[i] * x
            natural += theta_star[i] * x
            square += x * x
            rest = reduce_entry(learner.lower, reduced, n, x)
            norm += rest * rest * learner.inverse_d[i]
        index += radius * root(norm)
        put_abreast(arms.norm, k, norm)
        put_abreast(arms.closed, k, index)
        put_abreast(arms.mean, k, natural)
        if learner.facts.exact_index != 0.0:
            put_abreast(arms.length, k, root(square))
            put_abreast(arms.guess, k, spread(0.0))
        top, depth, best = max(top, index), max(depth, -index), max(best, natural)
        beyond = where(square <= UNIT * UNIT, beyond, 1.0)  # also if it is not a number
    arms.relaxed[0], arms.notes[FIRST_NORM, 0] = np.inf, -1.0
    arms.extremes[0] = largest(top)
    arms.extremes[1] = max(arms.extremes[0], largest(depth))
    arms.extremes[2] = largest(best)
    return not some(beyond > 0.0)
