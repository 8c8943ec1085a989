"""What Python calls in a single round: kernels behind a check of their arguments.

The check is part of the compiled call.  Who is refused looks closer in Python, and says what is not accepted.
"""

from __future__ import annotations

import math

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import learner, optimism, scout
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import NUMBER, ROOM, STATE, VECTOR, entry, kernel, loop, part, small
from glbcheck.core.engine.compiling import ROWS as ARMS
from glbcheck.core.engine.linear import dot
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.state import table
from glbcheck.core.tolerances import LARGEST_REWARD, UNIT

_choose_exactly, _observe = part(optimism.choose_exactly), part(learner.observe)

REFUSED = -1  # instead of an arm
_NOTHING = (0.0, 0.0, 0.0, 0.0, False, 0.0, None)  # instead of a round, whose weight is above 0


@entry(STATE, ROOM, ARMS)
def choose_by_closed_form(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm, or REFUSED."""
    return optimism.choose_by_closed_form(state, room, arms) if fits(state, room, arms) else REFUSED


@entry(STATE, ROOM, ARMS)
def choose_exactly(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm, or REFUSED."""
    return _choose_exactly(state, room, arms) if fits(state, room, arms) else REFUSED


@entry(STATE, ROOM, ARMS)
def choose_with_scout(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm, or REFUSED."""
    return scout.choose(state, room, arms) if fits(state, room, arms) else REFUSED


CHOOSE = {"closed-form": choose_by_closed_form, "exact": choose_exactly}


@entry(STATE, VECTOR, NUMBER, NUMBER)
def observe(
    state: Floats, x: Floats, reward: float, dispersion: float
) -> tuple[float, float, float, float, bool, float, None]:
    """The numbers of a `Round`; all 0 if refused."""
    if not allowed(state, x, reward, dispersion):
        return _NOTHING
    radius = state[st.RADIUS]
    _observe(state, x, reward, dispersion)
    return latest(state, radius)


@entry(STATE, VECTOR, NUMBER, NUMBER)
def observe_with_scout(
    state: Floats, x: Floats, reward: float, dispersion: float
) -> tuple[float, float, float, float, bool, float, None]:
    """What `observe` returns; the scout learns too."""
    if not allowed(state, x, reward, dispersion):
        return _NOTHING
    radius = state[st.RADIUS]
    scout.observe(state, x, reward, dispersion)
    return latest(state, radius)


@small
def latest(state: Floats, radius: float) -> tuple[float, float, float, float, bool, float, None]:
    """What the latest round did; this was the radius before it."""
    projected = state[st.PROJECTED] != 0.0
    return state[st.WEIGHT], state[st.NORM], state[st.CURVATURE], radius, projected, state[st.RESIDUAL], None


@loop(STATE, ARMS, VECTOR, VECTOR)
def learn(state: Floats, points: Floats, rewards: Floats, dispersions: Floats) -> int:
    """Observe many rows, or none if one is refused: then its number is returned, else -1."""
    total = state[st.INVERSE_G]
    for n in range(rewards.size):
        total += 1.0 / dispersions[n]
        if not (allowed(state, points[n], rewards[n], dispersions[n]) and total < math.inf):
            return n
    for n in range(rewards.size):
        if state[st.SCOUT] > 0.0:
            scout.observe(state, points[n], rewards[n], dispersions[n])
        else:
            learner.observe(state, points[n], rewards[n], dispersions[n])
    return -1


@entry(STATE, VECTOR, NUMBER)
def weight(state: Floats, x: Floats, dispersion: float) -> float:
    """The weight that an observation would get now."""
    return learner.weight_at(state, x, dispersion)


@entry(STATE, VECTOR)
def curvature(state: Floats, x: Floats) -> float:
    """What a reward of dispersion 1 at x would multiply x xᵀ by in H, at the θ of now."""
    slope = mean_and_slope(state, state[st.LINK], table(state), learner.natural(state, x))[1]
    return slope * learner.weight_at(state, x, 1.0)


@kernel
def allowed(state: Floats, x: Floats, reward: float, dispersion: float) -> bool:
    """A vector of the right dimension and of norm at most 1, a finite reward, and a finite sum of 1/g."""
    if x.size != int(state[st.DIMENSION]) or not abs(reward) <= LARGEST_REWARD:
        return False
    if not (dispersion > 0.0 and state[st.INVERSE_G] + 1.0 / dispersion < math.inf):
        return False
    return dot(x, x) <= UNIT * UNIT  # not so for what is not a number


@kernel
def fits(state: Floats, room: Floats, arms: Floats) -> bool:
    """Arms of the right dimension, at least one, no more than there is room for, all of norm at most 1."""
    if arms.shape[1] != int(state[st.DIMENSION]) or not 0 < arms.shape[0] <= room.shape[1]:
        return False
    within = True
    for k in range(arms.shape[0]):
        within &= dot(arms[k], arms[k]) <= UNIT * UNIT  # not so for what is not a number
    return within
