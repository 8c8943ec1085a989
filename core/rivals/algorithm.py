"""What an algorithm must bring to play, and what rivals share: a state with numbers of their own, and how H grows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import REFRESH, STEEP, refresh
from glbcheck.core.engine.linear import grow, shrink
from glbcheck.core.engine.run import Agent, Outcome
from glbcheck.core.engine.state import initial, set_radius, square, vector
from glbcheck.core.parameters import Parameters

OWN = st.SCOUT  # where the numbers of a rival's own begin; none has a scout


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


def rival_state(
    p: Parameters, lam: float, widening: float = 0.0, base: float = 0.0, slope: float = 0.0, alpha: float | None = None
) -> Floats:
    """H_1 = λ I, weights of threshold α if there are any, and the radius √(base + slope log(det H/λ^d)) + widening."""
    state = initial(p)
    state[st.OWN_ALPHA] = math.inf
    if alpha is not None:  # without weights an adversary measures trust by the α of the paper
        state[st.ALPHA] = state[st.OWN_ALPHA] = alpha
    state[st.LAM], state[st.WIDENING], state[st.HALF_SQUARED] = lam, widening, 0.0
    state[st.BETA_BASE], state[st.BETA_SLOPE], state[st.USES_DETERMINANT] = base, slope, True
    square(state, st.H)[:] = lam * np.eye(p.d)
    square(state, st.W)[:] = np.eye(p.d) / math.sqrt(lam)
    set_radius(state)
    return state


def with_own(state: Floats, own: Sequence[float] | Floats) -> Floats:
    """The state, followed by numbers of the rival's own, which begin at the place `state[OWN]`."""
    longer = np.concatenate([state, np.asarray(own, dtype=float)])
    longer[OWN] = state.size
    return longer


@kernel
def grow_by(state: Floats, x: Floats, c: float, q: float) -> None:
    """H becomes H + c x xᵀ, for an arm with ‖x‖² = q in H⁻¹ that `weigh` has seen; one more round."""
    grow(square(state, st.H), c, x)
    state[st.CURVATURE], state[st.SHRINK] = c, c / (1.0 + c * q)
    state[st.LOGDET] += math.log1p(c * q)
    state[st.ROUNDS] += 1.0
    state[st.AGE] += 1.0
    if state[st.AGE] >= REFRESH or c * q > STEEP:
        refresh(state)
    else:
        shrink(square(state, st.W), c, q, vector(state, st.WHITE), vector(state, st.PULL))
