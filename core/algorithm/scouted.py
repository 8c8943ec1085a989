"""The learner with an exploratory policy, its scout.  `core.theory.scout` says what the two do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from glbcheck.core.algorithm.checks import checked_start, length_of_start
from glbcheck.core.algorithm.confidence_set import most_uncertain
from glbcheck.core.algorithm.learner import HCWGLBOMD, Flags
from glbcheck.core.algorithm.reference import ReferenceLearner, Round, State, first_state
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.theory import scout as scouting
from glbcheck.core.theory.parameters import Parameters, parameters
from glbcheck.core.theory.scout import SHARE
from glbcheck.core.tolerances import TIE
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class ScoutedState(State):
    """That of the learner, that of its scout, and what the proposals that were taken may have cost."""

    scout: State
    spent: float


class Scouted(HCWGLBOMD):
    """HCW-GLB-OMD with the sharpest constants, and a scout that chooses within an allowance.

    `scout` is its share: the regret of T rounds is at most 1 + scout times the bound that is proved without it.  The
    other arguments are those of `HCWGLBOMD`.  Every `select` is a pull, and spends of the allowance.
    """

    def __init__(
        self,
        family: Family,
        d: int,
        S: float,
        delta: float = 0.05,
        C: float = 0.0,
        *,
        scout: float = SHARE,
        theta0: ArrayLike | None = None,
        horizon: float | None = None,
        dispersions: tuple[float, float] = (1.0, 1.0),
        diagnose: bool = False,
    ) -> None:
        if scout == 0:
            raise BadInput("scout", scout, "a share above 0 of the proved bound; HCWGLBOMD has no scout")
        found = parameters(
            family, d, S, delta, C, reading="sharpest", horizon=horizon, dispersions=dispersions,
            start=length_of_start(theta0), scout=scout,
        )  # fmt: skip
        self._start(found, checked_start(theta0, d, found.S), diagnose)

    def _start(self, p: Parameters, theta: Floats, diagnose: bool) -> None:
        self._scout = HCWGLBOMD.with_parameters(scouting.parameters_of(p))
        super()._start(p, theta, diagnose)
        self._share()
        if theta.any():
            self._scout.become(first_state(self._scout.parameters, theta))

    def _share(self) -> None:
        """The compiled state holds that of the scout, who looks at it there."""
        if not isinstance(self._step, ReferenceLearner):
            self._scout._step.numbers = self._step.part_of_scout  # type: ignore[union-attr]

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._share()

    @property
    def state(self) -> ScoutedState:
        return ScoutedState(**vars(self._step.state), scout=self._scout.state, spent=self.spent)

    def become(self, state: State) -> None:
        super().become(state)
        if isinstance(state, ScoutedState):
            self._scout.become(state.scout)
            self._step.spent = state.spent

    # --- one round ------------------------------------------------------------------------------------

    def _select(self, points: Floats) -> int:
        if not isinstance(self._step, ReferenceLearner):
            return super()._select(points)
        proposed = self.propose(points)
        return super()._select(points) if proposed is None else proposed

    def propose(self, points: Floats, free: Flags | None = None, coming: Floats | None = None) -> int | None:
        """The scout's arm, whose cost is then spent; None if the allowance is not enough.

        It is one of the arms that are `free`, chosen as if H had grown by what is `coming`.
        """
        chosen = self._preferred(points, free, coming)
        values, scale = self.confidence_set.closed_form(points)
        if values[chosen] >= values.max() - TIE * scale:
            return chosen
        spent = self.spent + self.cost(points, chosen)
        if spent > scouting.allowance(self.parameters, self.t):
            return None
        self._step.spent = spent
        return chosen

    def _preferred(self, points: Floats, free: Flags | None, coming: Floats | None) -> int:
        seen = self._scout.confidence_set
        if coming is not None:
            seen = replace(seen, H=seen.H + coming)
        values, scale = seen.closed_form(points)
        left = values if free is None else np.where(free, values, -np.inf)
        return most_uncertain(left, scale, seen.squared_norms(points))

    def cost(self, points: Floats, chosen: int) -> float:
        """What a pull of one of these arms costs at most, if θ_* is in C_t."""
        p, x = self.parameters, points[chosen]
        ends = self.confidence_set.ellipsoid_values(points).max(), -self.confidence_set.ellipsoid_values(-x[None])[0]
        high, low = p.family.mu(np.clip(ends, -p.S, p.S))
        return float(high - low)

    def _update(self, x: ArrayLike, reward: float, dispersion: float) -> Round:
        """Both learn."""
        record = super()._update(x, reward, dispersion)
        if isinstance(self._step, ReferenceLearner):
            self._scout._update(x, reward, dispersion)
        return record
