"""The compiled learner as an object: one flat array and the functions that Python calls with it."""

from __future__ import annotations

from typing import Any

import numpy as np
from glbcheck.core.algorithm.matrices import cholesky, inverse_factor
from glbcheck.core.algorithm.reference import Done, State
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import interactive, scout, state
from glbcheck.core.engine.compiling import Entry
from glbcheck.core.theory.parameters import Parameters


class CompiledLearner:
    """What `ReferenceLearner` is, compiled; arguments are C-contiguous arrays of floats, checked before."""

    def __init__(self, p: Parameters, numbers: Floats, room_rows: int = state.ROWS) -> None:
        self.parameters, self.numbers = p, numbers
        self.room = np.zeros((room_rows, 32))
        self._curvature: Any = None
        self.entries = _entries(p)

    @classmethod
    def with_scout(cls, p: Parameters) -> CompiledLearner:
        """The learner with a scout, whose part of the array follows its own."""
        return cls(p, scout.initial(p), 2 * state.ROWS)

    @property
    def part_of_scout(self) -> Floats:
        return scout.scout_of(self.numbers)

    def entry(self, name: str) -> Any:
        """The function itself, compiled by now."""
        return self.entries[name].ready()

    def room_of(self, K: int) -> Floats:
        """Room for so many arms."""
        if self.room.shape[1] < K:
            self.room = np.zeros((self.room.shape[0], 2 * K))
        return self.room

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_curvature": None, "entries": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self.entries = _entries(self.parameters)

    # --- at the current round -------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        return int(self.numbers[state.ROUNDS])

    @property
    def theta(self) -> Floats:
        return state.vector(self.numbers, state.THETA).copy()

    @property
    def H(self) -> Floats:
        return state.square(self.numbers, state.H).copy()

    @property
    def inverse_g(self) -> float:
        return float(self.numbers[state.INVERSE_G])

    @property
    def logdet(self) -> float:
        return float(self.numbers[state.LOGDET])

    @property
    def beta(self) -> float:
        return float(self.numbers[state.BETA])

    @property
    def radius(self) -> float:
        return float(self.numbers[state.RADIUS])

    @property
    def state(self) -> State:
        """W is made anew of H, so that a learner that takes this state over goes on with the same bits."""
        self._settle()
        return State(self.rounds, self.theta, self.H, self.inverse_g, self.logdet)

    def become(self, found: State) -> None:
        numbers = self.numbers
        state.vector(numbers, state.THETA)[:] = found.theta
        state.square(numbers, state.H)[:] = found.H
        numbers[state.ROUNDS], numbers[state.INVERSE_G], numbers[state.LOGDET] = (
            found.rounds, found.inverse_g, found.logdet,
        )  # fmt: skip
        state.set_radius(numbers)
        self._settle()

    def _settle(self) -> None:
        numbers = self.numbers
        state.square(numbers, state.W)[:] = inverse_factor(cholesky(state.square(numbers, state.H), numbers[state.LAM]))
        numbers[state.AGE], numbers[state.FOLLOWED] = 0.0, -1.0
        numbers[state.MULTIPLIER], numbers[state.CALM] = 0.0, 0.0

    @property
    def spent(self) -> float:
        return float(self.numbers[state.SPENT])

    @spent.setter
    def spent(self, cost: float) -> None:
        self.numbers[state.SPENT] = cost

    # --- one round ------------------------------------------------------------------------------------

    def choose(self, points: Floats) -> int:
        return int(self.entry("choose")(self.numbers, self.room_of(len(points)), points))

    def weight(self, x: Floats, g: float) -> float:
        return float(interactive.weight(self.numbers, x, g))

    def curvature(self, x: Floats) -> float:
        return float((self._curvature or self._curvature_ready())(self.numbers, x))

    def _curvature_ready(self) -> Any:
        self._curvature = interactive.curvature.ready()
        return self._curvature

    @property
    def tied(self) -> int:
        """How many arms tied in the latest choice."""
        return int(self.numbers[state.TIED])

    def observe(self, x: Floats, reward: float, g: float) -> Done:
        return self.entry("observe")(self.numbers, x, reward, g)  # type: ignore[no-any-return]


def _entries(p: Parameters) -> dict[str, Entry]:
    if p.scout:
        return {"choose": interactive.choose_with_scout, "observe": interactive.observe_with_scout}
    return {"choose": interactive.CHOOSE[p.index], "observe": interactive.observe}
