"""The learner with an exploratory policy, the scout; `core.theory.scout` says what the two do.

The state is that of the learner, then the allowances by powers of two, then the state of the scout.  The room has twice
as many rows: those of the learner, then those of the scout.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import learner
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, vector_at, view
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.optimism import choose_by_closed_form, measure, most_uncertain
from glbcheck.core.engine.relaxation import INDEX, NORMS
from glbcheck.core.engine.state import table
from glbcheck.core.theory import scout
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import TIE

MOST_ROUNDS = 2**53


def initial(p: Parameters) -> Floats:
    """The learner and its scout before the first round."""
    own, other = st.initial(p), st.initial(scout.parameters_of(p))
    allowances = scout.allowances(p, MOST_ROUNDS)
    own[st.ALLOWANCES], own[st.SCOUT] = own.size, own.size + allowances.size
    return np.concatenate([own, allowances, other])


@view
def scout_of(state: Floats) -> Floats:
    """The state of the scout, as a view."""
    start = int(state[st.SCOUT])
    return vector_at(state, start, state.size - start)


@kernel
def choose(state: Floats, room: Floats, arms: Floats) -> int:
    """The scout's arm, if it has the largest index or the allowance is enough; otherwise the learner's own."""
    other = scout_of(state)
    other[st.SAME_ARMS] = state[st.SAME_ARMS]
    k = choose_by_closed_form(other, room[st.ROWS :], arms)
    top, size = measure(state, room, arms)
    state[st.TIED] = 2.0  # it does not say which rewards are on their way
    if _answers_for(state, room, k, top, size):
        return k
    return most_uncertain(room[INDEX], top - TIE * size, room[NORMS], arms.shape[0])


@kernel
def _answers_for(state: Floats, room: Floats, k: int, top: float, size: float) -> bool:
    """May this arm be pulled?  Then what it may cost is spent."""
    index = room[INDEX, k]
    if index >= top - TIE * size:
        return True
    radius, kind, at = state[st.S], state[st.LINK], table(state)
    least = index - 2.0 * state[st.RADIUS] * math.sqrt(room[NORMS, k])
    high = mean_and_slope(state, kind, at, min(max(top, -radius), radius))[0]
    low = mean_and_slope(state, kind, at, min(max(least, -radius), radius))[0]
    spent = state[st.SPENT] + (high - low)
    if spent > state[int(state[st.ALLOWANCES]) + int(math.log2(state[st.ROUNDS] + 1.0))]:
        return False
    state[st.SPENT] = spent
    return True


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Both learn from every pull."""
    learner.observe(scout_of(state), x, reward, dispersion)
    learner.observe(state, x, reward, dispersion)
