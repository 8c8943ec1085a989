"""One interactive learner, compiled: the same choices as `core.algorithm`, a few microseconds a round."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.engine import link
from glbcheck.core.engine.arms import arms_in, enter, measure, room
from glbcheck.core.engine.factor import dot, forward, squared_norm
from glbcheck.core.engine.mirror_descent import update, weight
from glbcheck.core.engine.optimism import select
from glbcheck.core.engine.state import REDUCED, Learner, beta, initial, learner_in, views
from glbcheck.core.errors import BadInput
from glbcheck.core.observed import checked_arms, checked_reward, checked_start, checked_vector
from glbcheck.core.parameters import Parameters
from glbcheck.core.tolerances import LARGEST_REWARD, UNIT
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class CompiledLearner:
    """algorithm:CW-GLB-OMD for the given parameters; the names are those of `core.algorithm.HCWGLBOMD`."""

    def __init__(self, parameters: Parameters, theta0: ArrayLike | None = None) -> None:
        self.parameters = p = parameters
        self._state = initial(p, checked_start(theta0, p.d, p.S))
        self._parts: Learner = views(self._state)
        self._link = link.pack(p.family, p.S)
        self._room = room(1, p.d)
        self._dispersion = np.nan  # the latest one that was accepted

    @property
    def t(self) -> int:
        """The number of the coming round, from 1."""
        return int(self._parts.facts.rounds) + 1

    @property
    def theta(self) -> Floats:
        return np.array(self._parts.theta)

    @property
    def H(self) -> Floats:
        return np.array(self._parts.H)

    @property
    def beta(self) -> float:
        return float(beta(self._parts.facts))

    @property
    def radius(self) -> float:
        return float(self._parts.facts.radius)

    @property
    def guarantee(self) -> str:
        return self.parameters.guarantee

    @property
    def projected(self) -> bool:
        """Did the latest update end on the border of Θ by projection?"""
        return bool(self._parts.facts.projected)

    def select(self, arms: ArrayLike) -> int:
        """The index of the arm of largest optimistic value; of equals the first."""
        points = _plain(arms, 2)
        if points is None:
            points = np.array(checked_arms(arms, self.parameters.d))
        if self._room.shape[1] != len(points):
            self._room = room(len(points), self.parameters.d)
        chosen = int(_select(self._state, points, self._room))
        if chosen < 0:
            checked_arms(points, self.parameters.d)
        return chosen

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """eq:corrupted-loss: the w_t that an observation at x would get now."""
        point = np.array(checked_vector("x", x, self.parameters.d, UNIT))
        g = self.parameters.family.check_dispersion(dispersion)
        return float(_weight(self._state, point, g))

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        """Learn from the (corrupted) reward of arm x."""
        p = self.parameters
        point = _plain(x, 1)
        if point is None:
            point = np.array(checked_vector("x", x, p.d, UNIT))
        observed = reward if type(reward) is float else checked_reward(reward)
        if dispersion != self._dispersion:
            self._dispersion = p.family.check_dispersion(dispersion)
        if not _update(self._state, self._link, point, observed, self._dispersion):
            checked_vector("x", point, p.d, UNIT)
            checked_reward(observed)
            raise BadInput("dispersion", dispersion, "dispersions whose inverses have a finite sum")


def _plain(value: object, dimensions: int) -> Floats | None:
    """The value itself, if it is an array of the one type the kernels are compiled for."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == dimensions:
        return value if value.flags.carray else None
    return None


@compiled
def _select(state: Floats, points: Floats, room: Floats) -> int:
    """-1 for arms of the wrong shape or outside the unit ball."""
    learner = learner_in(state)
    if points.shape[0] < 1 or points.shape[1] != learner.theta.size:
        return -1
    arms = arms_in(room, points)
    if not enter(arms) <= UNIT**2:
        return -1
    measure(learner, arms)
    return select(learner, arms)


@compiled
def _weight(state: Floats, x: Floats, dispersion: float) -> float:
    learner = learner_in(state)
    reduced = learner.work[REDUCED]
    forward(learner.lower, x, reduced)
    return weight(learner.facts, dispersion, squared_norm(learner.inverse_d, reduced))


@compiled
def _update(state: Floats, link: Floats, x: Floats, reward: float, dispersion: float) -> bool:
    """False, with nothing changed, for input that is not accepted."""
    learner = learner_in(state)
    if x.size != learner.theta.size or not dot(x, x) <= UNIT**2:
        return False
    if not abs(reward) <= LARGEST_REWARD or not learner.facts.inverse_g + 1.0 / dispersion < np.inf:
        return False
    update(learner, link, x, reward, dispersion)
    return True
