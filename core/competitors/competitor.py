"""What a learner must bring to play: how it starts, whom it suits, and what its run says about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.run import Outcome, Player
from glbcheck.core.parameters import Parameters


@dataclass(frozen=True)
class Competitor:
    """A learner by its rules.

    `start` is told the parameters, and of the course what the learner may know beforehand; `refuse` raises
    `BadInput` for parameters it has no answer to.
    """

    start: Callable[[Parameters, Course], Player]
    refuse: Callable[[Parameters], object] = lambda p: None
    confident: bool = True  # has it a confidence set?
    optimistic: bool = True  # has every pull the largest index?
    estimates: bool = True  # does it look at rewards?
    one_dispersion: bool = False  # must all rewards have the same dispersion?

    def honest(self, found: Outcome) -> Outcome:
        """What has no meaning for the learner is NaN, or 0 where it counts rounds."""
        void: tuple[str, ...] = ()
        if not self.confident:
            void += ("worst_ratio", "radius", "radius_at")
            found = replace(found, misses=0, first_miss=0, first_informative=0)
        if not self.estimates:
            void += ("theta", "H", "corruption", "smallest_weight", "error_at", "weight_at")
            found = replace(found, record=None)
        return replace(found, **{name: getattr(found, name) * np.nan for name in void})
