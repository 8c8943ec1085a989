"""Random instances of the textbook facts: how well each fact holds on one, and a planted variant that does not.

    @instance("markov")
    def markov(rng: Generator, planted: bool) -> float:
        '''The right side minus the left for a random law.'''

The number is negative where the fact fails.  With `planted` the function looks at a false variant instead, so that
the test of the fact is known to be able to fail.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

Slack = Callable[[Generator, bool], float]
INSTANCES: dict[str, Slack] = {}
ROUNDING = 1e-7
TRIALS = 200


def instance(fact: str) -> Callable[[Slack], Slack]:
    """Enter the function as the instances of this fact."""

    def declare(slack: Slack) -> Slack:
        if fact in INSTANCES:
            raise ValueError(f"fact {fact!r}: instances of it exist already")
        INSTANCES[fact] = slack
        return slack

    return declare


def least_slack(fact: str, planted: bool = False, trials: int = TRIALS, seed: int = 1) -> float:
    """The smallest slack over random instances; a true fact stays above -ROUNDING."""
    rng = np.random.default_rng(seed)
    return min(INSTANCES[fact](rng, planted) for _ in range(trials))
