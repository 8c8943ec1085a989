"""One interactive learner, compiled: the same choices as `core.algorithm`, a few microseconds a round."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from glbcheck.core import constants
from glbcheck.core._numba import compiled
from glbcheck.core.engine import choice, link
from glbcheck.core.engine import state as at
from glbcheck.core.engine.factor import dot, forward, squared_norm
from glbcheck.core.engine.step import update, weight
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.observed import LARGEST_REWARD, UNIT, checked_arms, checked_reward, checked_vector
from glbcheck.core.parameters import Parameters
from glbcheck.core.projection import into_ball
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_SAVED = tuple(field.name for field in fields(Parameters) if field.name not in ("family", "use"))


class CompiledLearner:
    """algorithm:CW-GLB-OMD for the given parameters; the names are those of `core.algorithm.HCWGLBOMD`."""

    def __init__(self, parameters: Parameters, theta0: ArrayLike | None = None) -> None:
        p = parameters
        theta = np.zeros(p.d)
        if theta0 is not None:
            theta = into_ball(checked_vector("theta0", theta0, p.d, UNIT * p.S), p.S)
        self.parameters = p
        self._state = at.initial(p, theta)
        self._link = link.pack(p.family, p.S)
        self._room = choice.room(1, p.d)
        self._dispersion = np.nan  # the latest one that was accepted

    @property
    def t(self) -> int:
        """The number of the coming round, from 1."""
        return int(self._state[at.ROUNDS]) + 1

    @property
    def theta(self) -> Floats:
        return np.array(at.views(self._state).theta)

    @property
    def H(self) -> Floats:
        return np.array(at.views(self._state).H)

    @property
    def beta(self) -> float:
        return float(at.beta(self._state))

    @property
    def radius(self) -> float:
        return float(at.radius(self._state))

    @property
    def guarantee(self) -> str:
        return self.parameters.guarantee

    @property
    def projected(self) -> bool:
        """Did the latest update end on the border of Θ by projection?"""
        return bool(self._state[at.LAST_PROJECTED])

    def select(self, arms: ArrayLike) -> int:
        """The index of the arm of largest optimistic value; of equals the first."""
        points = _plain(arms, 2)
        if points is None:
            points = np.array(checked_arms(arms, self.parameters.d))
        if self._room.shape[1] != len(points):
            self._room = choice.room(len(points), self.parameters.d)
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

    def save(self) -> dict[str, Any]:
        """The learner as plain numbers, words and lists; JSON keeps every bit of them."""
        p = self.parameters
        return {
            "family": p.family.name,
            "parameters": {name: getattr(p, name) for name in _SAVED},
            "constants": p.use.name,
            "state": self._state.tolist(),
        }

    @classmethod
    def restore(cls, family: Family, saved: dict[str, Any]) -> CompiledLearner:
        """The learner that `save` described, which continues bit for bit."""
        if saved["family"] != family.name:
            raise BadInput("family", family.name, f"the family of the saved learner, {saved['family']}")
        chosen = dict(saved["parameters"], by_hand=tuple(saved["parameters"]["by_hand"]))
        learner = cls(Parameters(family=family, use=constants.formulas(saved["constants"]), **chosen))
        learner._state[:] = saved["state"]
        return learner


def _plain(value: object, dimensions: int) -> Floats | None:
    """The value itself, if it is an array of the one type the kernels are compiled for."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == dimensions:
        return value if value.flags.carray else None
    return None


@compiled
def _select(state: Floats, arms: Floats, room: Floats) -> int:
    """-1 for arms of the wrong shape or outside the unit ball."""
    v = at.parts(state)
    if arms.shape[0] < 1 or arms.shape[1] != v.theta.size:
        return -1
    if not choice.enter(arms, room) <= UNIT**2:
        return -1
    return choice.select(state, v, arms, at.radius(state), room)


@compiled
def _weight(state: Floats, x: Floats, dispersion: float) -> float:
    v = at.parts(state)
    forward(v.lower, x, v.work[1])
    return weight(state[at.TRUST], dispersion, squared_norm(v.inverse_d, v.work[1]))


@compiled
def _update(state: Floats, link: Floats, x: Floats, reward: float, dispersion: float) -> bool:
    """False, with nothing changed, for input that is not accepted."""
    v = at.parts(state)
    if x.size != v.theta.size or not dot(x, x) <= UNIT**2:
        return False
    if not abs(reward) <= LARGEST_REWARD or not state[at.INVERSE_G] + 1.0 / dispersion < np.inf:
        return False
    update(state, v, link, x, reward, dispersion)
    return True
