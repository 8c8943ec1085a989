"""Corruption inside the compiled run: small strategies that never spend more than their budget.

A strategy wishes for a corruption c of the reward, and gets it clipped to what a round and the budget allow, while
its window of rounds is open, only at the best arm if it says so, and only where the weight is at most a level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core._numba import compiled

Floats = NDArray[np.float64]

# Strategies.
NONE, SCHEDULE, MIRROR, REPLACE, SHIFT, THIN = 0, 1, 2, 3, 4, 5
# Places in the flat array.
KIND, BUDGET, SPENT, CAP, START, STOP, BEST_ONLY, LEVEL, TARGET = 0, 1, 2, 3, 4, 5, 6, 7, 8
SIZE = 9


@compiled
def corrupt(
    attack: Floats, t: int, scheduled: float, reward: float, mean: float, mirrored: float, is_best: bool, w: float
) -> float:
    """The corruption of round t (from 1); what it costs is taken from the budget.

    `mean` is the true mean of the arm played, `mirrored` its mean under -θ*.
    """
    kind = int(attack[KIND])
    if kind == NONE or t < attack[START] or t > attack[STOP]:
        return 0.0
    if (attack[BEST_ONLY] != 0.0 and not is_best) or w > attack[LEVEL]:
        return 0.0
    if kind == SCHEDULE:
        wish = scheduled
    elif kind == MIRROR:
        wish = mirrored - mean
    elif kind == REPLACE:
        wish = attack[TARGET] - reward
    elif kind == SHIFT:
        wish = attack[TARGET]
    else:
        wish = -attack[TARGET] * reward
    limit = min(attack[CAP], attack[BUDGET] - attack[SPENT])
    c = min(max(wish, -limit), limit)
    attack[SPENT] = min(attack[SPENT] + abs(c), attack[BUDGET])
    return c
