"""What an algorithm must bring to play, and what rivals share: numbers of their own in the state, and how H grows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import REFRESH, STEEP, refresh
from glbcheck.core.engine.linear import grow, shrink
from glbcheck.core.engine.run import Agent, Outcome
from glbcheck.core.engine.state import (
    AGE,
    CURVATURE,
    LAM,
    LOGDET,
    PULL,
    ROUNDS,
    SCOUT,
    SHRINK,
    WHITE,
    H,
    W,
    set_radius,
    square,
    vector,
)  # fmt: skip
from glbcheck.core.parameters import Parameters

OWN = SCOUT  # where the numbers of a rival's own begin; none has a scout


@dataclass(frozen=True)
class Algorithm:
    """An algorithm by its rules.

    `start` is told the parameters, and of the episode what an algorithm may know beforehand; `check_applicable` raises
    `BadInput` for parameters it has no answer to.
    """

    start: Callable[[Parameters, Episode], Agent]
    check_applicable: Callable[[Parameters], object] = lambda p: None
    confident: bool = True  # has it a confidence set?
    optimistic: bool = True  # has every pull the largest index?
    estimates: bool = True  # does it look at rewards?
    one_dispersion: bool = False  # must all rewards have the same dispersion?

    def masked(self, found: Outcome) -> Outcome:
        """What has no meaning for the algorithm is NaN, or 0 where it counts rounds."""
        void: tuple[str, ...] = ()
        if not self.confident:
            void += ("worst_ratio", "radius", "radius_at")
            found = replace(found, misses=0, first_miss=0, first_informative=0)
        if not self.estimates:
            void += ("theta", "H", "corruption", "smallest_weight", "error_at", "weight_at")
            found = replace(found, record=None)
        return replace(found, **{name: getattr(found, name) * np.nan for name in void})


# --- the state of a rival -----------------------------------------------------------------------------------


def with_own(state: Floats, own: Iterable[float]) -> Floats:
    """The state, followed by numbers of the rival's own, which begin at the place `state[OWN]`."""
    longer = np.concatenate([state, np.array(list(own), dtype=float)])
    longer[OWN] = state.size
    return longer


def start_from(state: Floats, lam: float) -> None:
    """H_1 = λ I, and the first radius."""
    d = vector(state, WHITE).size
    state[LAM] = lam
    square(state, H)[:] = lam * np.eye(d)
    square(state, W)[:] = np.eye(d) / math.sqrt(lam)
    set_radius(state)


@kernel
def grow_by(state: Floats, x: Floats, c: float, q: float) -> None:
    """H becomes H + c x xᵀ, for an arm with ‖x‖² = q in H⁻¹ that `weigh` has seen; one more round."""
    grow(square(state, H), c, x)
    state[CURVATURE], state[SHRINK] = c, c / (1.0 + c * q)
    state[LOGDET] += math.log1p(c * q)
    state[ROUNDS] += 1.0
    state[AGE] += 1.0
    if state[AGE] >= REFRESH or c * q > STEEP:
        refresh(state)
    else:
        shrink(square(state, W), c, q, vector(state, WHITE), vector(state, PULL))
