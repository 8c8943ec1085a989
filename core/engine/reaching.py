"""New arms whose bounds reach the largest value of the ball: which of them have their ends in C_t?"""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.engine.abreast import (
    abreast,
    before_end,
    entry,
    lanes_as_bits,
    largest,
    lowest_bit,
    put_abreast,
    stretches,
)
from glbcheck.core.engine.arms import LONGEST, RELAXED, Arms, first_of
from glbcheck.core.engine.ends import farthest_inside, farthest_tie, rounding
from glbcheck.core.engine.factor import dot, reduce_entry, times
from glbcheck.core.engine.optimum import BALL, BOTH
from glbcheck.core.engine.state import TARGET, Learner
from glbcheck.core.engine.wide import LANES, some, spread, where
from glbcheck.core.engine.wide_memory import gather, lane_numbers
from glbcheck.core.tolerances import TIE

NONE, UNKNOWN = -1, -2  # what is said instead of an arm

_MANY = 0.5  # of all arms: if more may reach the ball, other bounds are of no use


@compiled
@in_line
def best_of_ball(learner: Learner, arms: Arms) -> int:
    """The most uncertain of the longest arms whose ends are in C_t, unknown if another one may tie, or else none.

    The squared way times ‖x‖², ‖S x - ‖x‖ θ_t‖² in H, is compared with multiples of ‖x‖²; squares that keep their sign
    spare a root.
    """
    facts, d, longest, target = learner.facts, learner.theta.size, arms.extremes[LONGEST], learner.work[TARGET]
    count = _list_reaching(arms, (1.0 - 2.0 * TIE) * facts.S * np.sqrt(longest))
    facts.decided = BALL if count > _MANY * arms.closed.size else BOTH
    times(learner.H, learner.theta, target)
    scale, centre, doubt = facts.S * facts.S, dot(learner.theta, target), rounding(d)
    reach, far = farthest_inside(learner), farthest_tie(learner)
    shown, reduced = stretches(arms.columns), stretches(arms.scratch)
    inside, doubtful = spread(-np.inf), spread(-np.inf)
    for first in range(0, count, LANES):
        places = abreast(arms.guess, first)
        rows = places * float(d)
        square, norm, form, along = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
        for n in range(d):
            i = d - 1 - n
            shown[n] = x = gather(arms.points, rows, i)
            square += x * x
            along += target[i] * x
            pull = 0.5 * entry(learner.H, i * d + i) * x
            for m in range(n):
                pull += entry(learner.H, i * d + d - 1 - m) * shown[m]
            form += pull * x
        form, along = 2.0 * scale * form + centre * square, 4.0 * scale * square * along * abs(along)
        least, most = (1.0 + doubt) * form - reach * square, (1.0 - doubt) * form - far * square
        sure = (along >= least * abs(least)) & (square >= (1.0 - 2.0 * TIE) * longest)
        perhaps = (along >= most * abs(most)) & (square >= (1.0 - 4.0 * TIE) * longest) & ~sure
        if arms.extremes[RELAXED] == 0.0:
            norm = gather(arms.norm, places, 0)
        elif some(sure | perhaps):
            for n in range(d):
                rest = reduce_entry(learner.lower, reduced, n, shown[n])
                norm += rest * rest * learner.inverse_d[d - 1 - n]
        inside, doubtful = max(inside, where(sure, norm, -np.inf)), max(doubtful, where(perhaps, norm, -np.inf))
        put_abreast(arms.solved, first, where(sure, norm, -np.inf))
    least, other = (1.0 - TIE) * largest(inside), largest(doubtful)
    if other >= least:
        return UNKNOWN if other > -np.inf else NONE
    return int(arms.guess[first_of(arms.solved, least)])


@compiled
@in_line
def _list_reaching(arms: Arms, level: float) -> int:
    """How many arms have bounds that reach a level; their numbers are in the row `guess`, the last in whole lanes."""
    count = 0
    for k in range(0, arms.closed.size, LANES):
        bits = lanes_as_bits((abreast(arms.closed, k) >= level) & before_end(arms.closed, k))
        while bits != 0:
            arms.guess[count] = float(k + lowest_bit(bits))
            count, bits = count + 1, bits & (bits - 1)
    left = count % LANES
    if left > 0:
        listed, last = abreast(arms.guess, count - left), arms.guess[count - 1]
        put_abreast(arms.guess, count - left, where(lane_numbers() < float(left), listed, last))
    return count
