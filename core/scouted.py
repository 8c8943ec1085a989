"""The learner with a scout: readable numpy, the reference.  `core.scout` says what the two do."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from glbcheck.core import scout as scouting
from glbcheck.core.algorithm import HCWGLBOMD, Flags, Round, State
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.observed import checked_start, length_of_start
from glbcheck.core.optimism import most_uncertain
from glbcheck.core.parameters import parameters
from glbcheck.core.scout import SHARE
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

    _state: ScoutedState

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

    def _first_state(self, theta: Floats) -> ScoutedState:
        self._scout = HCWGLBOMD.with_parameters(scouting.parameters_of(self.parameters))
        return ScoutedState(**vars(super()._first_state(theta)), scout=self._scout._first_state(theta), spent=0.0)

    @property
    def state(self) -> ScoutedState:
        return self._state

    @property
    def spent(self) -> float:
        """What the proposals that were taken may have cost, if θ_* was in every C_t."""
        return self._state.spent

    def become(self, state: State) -> None:
        if not isinstance(state, ScoutedState):  # after an update of the learner's own
            state = ScoutedState(**vars(state), scout=self._scout.state, spent=self._state.spent)
        super().become(state)
        self._scout.become(state.scout)

    # --- one round ------------------------------------------------------------------------------------

    def propose(self, points: Floats, free: Flags | None = None, coming: Floats | None = None) -> int | None:
        """The scout's arm, whose cost is then spent; None if the allowance is not enough.

        It is one of the arms that are `free`, chosen as if H had grown by what is `coming`.
        """
        chosen = self._preferred(points, free, coming)
        values, scale = self._set.closed_form(points)
        if values[chosen] >= values.max() - TIE * scale:
            return chosen
        spent = self._state.spent + self.cost(points, chosen)
        if spent > scouting.allowance(self.parameters, self.t):
            return None
        self._state = replace(self._state, spent=spent)
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
        ends = self._set.ellipsoid_values(points).max(), -self._set.ellipsoid_values(-x[None])[0]
        high, low = p.family.mu(np.clip(ends, -p.S, p.S))
        return float(high - low)

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> Round:
        """Both learn."""
        record = super().update(x, reward, dispersion)
        self._scout.update(x, reward, dispersion)
        self._state = replace(self._state, scout=self._scout.state)
        return record
