"""What rivals that keep their data and fit them again share: the state, and a round.

There are two confidence sets.  The state is that of the latest fit, from which the rival chooses; a second state, of
the current round, follows H.  The data are one column for each fixed arm, however often it is pulled, or one for each
round.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import NUMBER, STATE, entry, kernel, vector_at, view
from glbcheck.core.engine.learner import weigh
from glbcheck.core.engine.loops import Choose
from glbcheck.core.engine.optimism import choose_by_closed_form, choose_exactly
from glbcheck.core.engine.state import (
    AGE,
    CURVATURE,
    DIMENSION,
    FOLLOWED,
    LOGDET,
    NORM,
    ROUNDS,
    THETA,
    H,
    W,
    initial,
    set_radius,
    square,
    vector,
)  # fmt: skip
from glbcheck.core.family import Family
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.algorithm import OWN, grow_by
from glbcheck.core.rivals.constrained_fit import (
    ARM,
    BLOCK,
    BY_ARM,
    COLUMNS,
    CONSTANTS,
    COUNT,
    CURRENT,
    CURVE,
    CURVE_CELLS,
    FITTED,
    GRADIENT,
    HEADER,
    MODEL,
    NATURAL,
    OLD,
    REFIT_GROWTH,
    RIDGE,
    VALUES,
    curve,
    fit_by,
    number,
    place_of,
    score_likelihood,
)  # fmt: skip


def refitting_state(
    head: Floats, family: Family, S: float, *, ridge: float, places: int, by_arm: bool, values: int,
    refit_growth: float = 0.0, constants: tuple[float, ...] = (),
) -> Floats:  # fmt: skip
    """The state of a rival that fits again; `head` is its first confidence set, `values` counts rows of data."""
    d, pieces = int(head[DIMENSION]), curve(family, S)
    parts = {
        CURVE: pieces.ravel(), GRADIENT: np.zeros(d), MODEL: np.zeros(d * d), OLD: np.zeros(3 * d),
        NATURAL: np.zeros(3 * BLOCK), COLUMNS: np.zeros(d * places), VALUES: np.zeros(values * places),
        CURRENT: head, CONSTANTS: np.array(constants),
    }  # fmt: skip
    header, start = np.zeros(HEADER), head.size + HEADER
    header[[RIDGE, COUNT, BY_ARM, REFIT_GROWTH, CURVE_CELLS]] = ridge, places, by_arm, refit_growth, len(pieces)
    for which, part in parts.items():
        header[which] = start
        start += part.size
    state = np.concatenate([head, header, *parts.values()])
    state[OWN] = head.size
    return state


# --- a round of a refitting rival ---------------------------------------------------------------------------


@view
def current(state: Floats) -> Floats:
    """The state of the current round."""
    return vector_at(state, place_of(state, CURRENT), int(state[OWN]))


@kernel
def measure(state: Floats, x: Floats, dispersion: float) -> tuple[float, float]:
    """‖x‖² in H⁻¹ of the current round, and the weight."""
    q, w = weigh(current(state), x, dispersion)
    state[NORM] = math.sqrt(q)
    return q, w


@kernel
def place_for(state: Floats, x: Floats) -> int:
    """Where the data of this round go; its point is entered."""
    return point_into(state, x, int(current(state)[ROUNDS]))


@kernel
def point_into(state: Floats, x: Floats, round_number: int) -> int:
    """The place of the arm, or of the round (from 0); the point is entered there."""
    place = place_of(state, ARM) if number(state, BY_ARM) != 0.0 else round_number
    for j in range(x.size):
        state[place_of(state, COLUMNS) + j * place_of(state, COUNT) + place] = x[j]
    return place


@kernel
def is_due(state: Floats, x: Floats, c: float, q: float) -> bool:
    """H of the current round grows by c x xᵀ; has log det H grown enough since the latest fit for another one?"""
    now = current(state)
    grow_by(now, x, c, q)
    state[CURVATURE] = c
    return now[LOGDET] - state[LOGDET] >= number(state, REFIT_GROWTH)  # type: ignore[no-any-return]


@kernel
def install(state: Floats) -> None:
    """H, after a fit, becomes that of the current round, and the radius with it."""
    now = current(state)
    for which in (H, W):
        mine, other = square(state, which), square(now, which)
        for i in range(mine.shape[0]):
            for j in range(mine.shape[0]):
                mine[i, j] = other[i, j]
    state[LOGDET] = now[LOGDET]
    state[ROUNDS] = now[ROUNDS]
    state[AGE], state[FOLLOWED] = 0.0, -1.0
    set_radius(state)


@kernel
def choose_closed(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm of largest index in closed form, remembered."""
    arm = choose_by_closed_form(state, room, arms)
    state[int(state[OWN]) + ARM] = arm
    return arm


@kernel
def choose_exact(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm of largest exact index, remembered."""
    arm = choose_exactly(state, room, arms)
    state[int(state[OWN]) + ARM] = arm
    return arm


def chooser(index: str) -> Choose:
    return choose_exact if index == "exact" else choose_closed


@kernel
def first_new(state: Floats) -> int:
    """The first of the data that the latest gradient has not seen: the first of all if a place is an arm."""
    return 0 if number(state, BY_ARM) != 0.0 else place_of(state, FITTED)


@kernel
def filled(state: Floats, place: int) -> int:
    """How many places may hold data, after the round that filled this one."""
    return place_of(state, COUNT) if number(state, BY_ARM) != 0.0 else place + 1


_fit_likelihood = fit_by(score_likelihood)


@entry(STATE, NUMBER)
def _fit_all(state: Floats, count: float) -> None:
    _fit_likelihood(state, 0, int(count))


def constrained_mle(p: Parameters, points: Floats, rewards: Floats, ridge: float) -> Floats:
    """The maximum likelihood estimate over the ball, from all data at once, with this ridge."""
    state = refitting_state(initial(p), p.family, p.S, ridge=ridge, places=len(points), by_arm=False, values=2)
    d, n, t = p.d, len(points), int(state[OWN])
    columns, values = int(state[t + COLUMNS]), int(state[t + VALUES])
    state[columns : columns + d * n] = points.T.ravel()
    state[values : values + n], state[values + n : values + 2 * n] = 1.0, rewards
    _fit_all(state, float(n))
    return np.array(vector(state, THETA))
