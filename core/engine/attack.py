"""Corruption inside the compiled run: small strategies that never spend more than their budget.

A strategy wishes for a corruption c of the reward, and gets it clipped to what a round and the budget allow, while
its window of rounds is open, only at the best arm if it says so, and only where the weight is at most a level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._numba import compiled
from core.errors import BadInput

Floats = NDArray[np.float64]

# Strategies.
NONE, SCHEDULE, MIRROR, REPLACE, SHIFT, THIN = 0, 1, 2, 3, 4, 5
NAMES = ("none", "schedule", "mirror", "replace", "shift", "thin")
# Places in the flat array.
KIND, BUDGET, SPENT, CAP, START, STOP, BEST_ONLY, LEVEL, TARGET = 0, 1, 2, 3, 4, 5, 6, 7, 8
SIZE = 9


@dataclass(frozen=True)
class Attack:
    """A strategy: what it wishes for, its budget, and when it acts.

    `schedule` adds the given numbers, `mirror` moves the mean to where -θ* would put it, `replace` makes the reward the
    target, `shift` adds the target, `thin` removes the fraction `target` of the reward.
    """

    strategy: str = "none"
    budget: float = 0.0
    target: float = 0.0
    cap: float = np.inf  # of |c| in one round
    start: int = 1
    stop: float = np.inf
    best_only: bool = False
    level: float = np.inf  # acts only where w_t is at most this
    schedule: Floats | None = None

    def packed(self) -> Floats:
        """The strategy as the compiled rounds read it, nothing spent yet."""
        if self.strategy not in NAMES:
            raise BadInput("strategy", self.strategy, "one of " + ", ".join(NAMES))
        if not 0 <= self.budget < np.inf:
            raise BadInput("budget", self.budget, "a finite budget >= 0")
        if (self.schedule is not None) != (self.strategy == "schedule"):
            raise BadInput("schedule", self.schedule, "numbers for the strategy 'schedule' and for no other")
        packed = np.zeros(SIZE)
        packed[[KIND, BUDGET, CAP, START, STOP]] = (
            NAMES.index(self.strategy), self.budget, self.cap, self.start, self.stop,
        )  # fmt: skip
        packed[[BEST_ONLY, LEVEL, TARGET]] = self.best_only, self.level, self.target
        return packed


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
