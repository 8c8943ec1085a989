"""The compiled learner as an object: one flat array and the functions that Python calls with it."""

from __future__ import annotations

from typing import Any

import numpy as np
from glbcheck.core.algorithm.matrices import cholesky, inverse_factor
from glbcheck.core.algorithm.reference import Round, State
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import interactive, scout, state
from glbcheck.core.theory.parameters import Parameters


def _scalar(place: int) -> Any:
    return property(lambda self: float(self.numbers[place]))


class CompiledLearner:
    """What `ReferenceLearner` is, compiled; arguments are C-contiguous arrays of floats, checked before."""

    def __init__(self, p: Parameters, numbers: Floats | None = None) -> None:
        """With a scout, if the parameters say so, whose part of the array follows its own."""
        self.parameters = p
        self.numbers = numbers if numbers is not None else scout.initial(p) if p.scout else state.initial(p)
        self.room = np.zeros(((2 if p.scout else 1) * state.ROWS, 32))

    @property
    def part_of_scout(self) -> Floats:
        return scout.scout_of(self.numbers)

    def entries(self) -> tuple[Any, Any]:
        """The functions that choose and observe, compiled by now."""
        if self.parameters.scout:
            return interactive.choose_with_scout.ready(), interactive.observe_with_scout.ready()
        return interactive.CHOOSE[self.parameters.index].ready(), interactive.observe.ready()

    # --- at the current round -------------------------------------------------------------------------

    inverse_g, logdet, beta = _scalar(state.INVERSE_G), _scalar(state.LOGDET), _scalar(state.BETA)
    radius, tied = _scalar(state.RADIUS), _scalar(state.TIED)
    rounds = property(lambda self: int(self.numbers[state.ROUNDS]))
    theta = property(lambda self: state.vector(self.numbers, state.THETA).copy())
    H = property(lambda self: state.square(self.numbers, state.H).copy())

    @property
    def spent(self) -> float:
        return float(self.numbers[state.SPENT])

    @spent.setter
    def spent(self, cost: float) -> None:
        self.numbers[state.SPENT] = cost

    @property
    def state(self) -> State:
        """W is made anew of H, so that a learner that takes this state over goes on with the same bits."""
        self._settle()
        return State(self.rounds, self.theta, self.H, self.inverse_g, self.logdet)

    def become(self, found: State) -> None:
        numbers = self.numbers
        state.vector(numbers, state.THETA)[:] = found.theta
        state.square(numbers, state.H)[:] = found.H
        numbers[[state.ROUNDS, state.INVERSE_G, state.LOGDET]] = found.rounds, found.inverse_g, found.logdet
        state.set_radius(numbers)
        self._settle()

    def _settle(self) -> None:
        numbers = self.numbers
        state.square(numbers, state.W)[:] = inverse_factor(cholesky(state.square(numbers, state.H), numbers[state.LAM]))
        numbers[state.FOLLOWED] = -1.0
        numbers[[state.AGE, state.MULTIPLIER, state.CALM]] = 0.0

    # --- one round ------------------------------------------------------------------------------------

    def choose(self, points: Floats) -> int:
        if self.room.shape[1] < len(points):
            self.room = np.zeros((self.room.shape[0], 2 * len(points)))
        return int(self.entries()[0](self.numbers, self.room, points))

    def observe(self, x: Floats, reward: float, g: float) -> Round:
        return tuple.__new__(Round, self.entries()[1](self.numbers, x, reward, g))

    def learn(self, points: Floats, rewards: Floats, dispersions: Floats) -> int:
        """Learn from these rows, or from none if one is refused; which one, or -1."""
        return int(interactive.learn(self.numbers, points, rewards, dispersions))

    def weight(self, x: Floats, g: float) -> float:
        return float(interactive.weight(self.numbers, x, g))

    def curvature(self, x: Floats) -> float:
        return float(interactive.curvature(self.numbers, x))
