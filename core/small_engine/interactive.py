"""What Python calls in a single round: the kernels behind a check of their arguments."""

from __future__ import annotations

from glbcheck.core.arrays import Floats
from glbcheck.core.small_engine import learner
from glbcheck.core.small_engine.compiling import NUMBER, ROOM, STATE, VECTOR, entry, kernel
from glbcheck.core.small_engine.compiling import ROWS as ARMS
from glbcheck.core.small_engine.optimism import choose_by_closed_form, choose_exactly
from glbcheck.core.small_engine.state import DIMENSION
from glbcheck.core.tolerances import LARGEST_REWARD, UNIT

REFUSED = -1


@entry(STATE, ROOM, ARMS)
def choose_by_closed_form_checked(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm, or REFUSED: then look closer."""
    return choose_by_closed_form(state, room, arms) if _fits(state, room, arms) else REFUSED


@entry(STATE, ROOM, ARMS)
def choose_exactly_checked(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm, or REFUSED: then look closer."""
    return choose_exactly(state, room, arms) if _fits(state, room, arms) else REFUSED


@entry(STATE, VECTOR, NUMBER, NUMBER)
def observe_checked(state: Floats, x: Floats, reward: float, dispersion: float) -> int:
    """0, or REFUSED."""
    squared = 0.0
    if x.size != int(state[DIMENSION]) or not abs(reward) <= LARGEST_REWARD:
        return REFUSED
    for j in range(x.size):
        squared += x[j] * x[j]
    if not squared <= UNIT * UNIT:
        return REFUSED
    learner.observe(state, x, reward, dispersion)
    return 0


@kernel
def _fits(state: Floats, room: Floats, arms: Floats) -> bool:
    """Arms of the right dimension, at least one, no more than there is room for, all of norm at most 1."""
    if arms.shape[1] != int(state[DIMENSION]) or not 0 < arms.shape[0] <= room.shape[1]:
        return False
    longest = 0.0
    for k in range(arms.shape[0]):
        squared = 0.0
        for j in range(arms.shape[1]):
            squared += arms[k, j] * arms[k, j]
        if not squared <= UNIT * UNIT:  # also what is not a number
            return False
        longest = max(longest, squared)
    return True


CHOOSE = {"closed-form": choose_by_closed_form_checked, "exact": choose_exactly_checked}
