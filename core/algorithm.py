"""algorithm:CW-GLB-OMD: HCW-GLB-OMD in the order of the paper's pseudocode; readable numpy, the reference.

Each round: the confidence set C_t, the optimistic arm, the weight w_t of what was observed, one step of
online mirror descent, and the Hessian at the new iterate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from glbcheck.core import constants
from glbcheck.core.arrays import Floats
from glbcheck.core.constants import Reading
from glbcheck.core.errors import BadInput
from glbcheck.core.extras import note_reference
from glbcheck.core.family import Family
from glbcheck.core.observed import checked_arms, checked_reward, checked_start, checked_vector, length_of_start
from glbcheck.core.optimism import ConfidenceSet, most_uncertain
from glbcheck.core.parameters import Index, Parameters, RadiusForm, parameters
from glbcheck.core.projection import omd_step
from glbcheck.core.spd import norm
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike, NDArray

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Round:
    """What one round did: w_t, the radius of C_t, and how the step went."""

    weight: float
    norm: float  # ‖x_t‖ in H_t⁻¹
    curvature: float  # (w_t / g) μ'(⟨x_t, θ_{t+1}⟩), what x_t x_tᵀ is multiplied by in H_{t+1}
    radius: float
    projected: bool
    residual: float  # of the optimality conditions of the projection
    covers_ball: bool | None  # Θ ⊂ C_t; None unless diagnostics were asked for


@dataclass(frozen=True)
class State:
    """Everything that changes, replaced as a whole at the end of a round."""

    rounds: int
    theta: Floats
    H: Floats
    inverse_g: float  # Σ 1/g over the rounds so far
    logdet: float  # log(det H / det H_1)


class HCWGLBOMD:
    """The learner of algorithm:CW-GLB-OMD.

    Parameters are the paper's.  `R_s` and `L_mu` default to the certified constants of the family on [-S, S].
    `index="closed-form"` drops Θ from the choice of the arm, with the same bound on regret,
    `radius_form="determinant"` uses log det H_t instead of its bound, `constants` says whose λ and β_t are used;
    `local` are those of the theorem around [-S, S], and `sharpest` chooses everything that the theorems leave free by
    minimising the regret bound that is proved, for `horizon` rounds and rewards whose dispersion lies in the range
    `dispersions`; `guarantee` prints it.  `eta`, `lam` and `radius_scale` are for tuning by hand; `guarantee` then
    says that there is none.  `diagnose=True` also decides Θ ⊂ C_t in every round.

    Not for several threads at once: `update` reads the state and replaces it (`core.learner.Learner` has a lock).
    """

    def __init__(
        self,
        family: Family,
        d: int,
        S: float,
        delta: float = 0.05,
        C: float = 0.0,
        alpha: float | None = None,
        theta0: ArrayLike | None = None,
        *,
        R_s: float | None = None,
        L_mu: float | None = None,
        eta: float | None = None,
        lam: float | None = None,
        radius_scale: float | None = None,
        constants: Reading = "paper",
        index: Index | None = None,
        radius_form: RadiusForm | None = None,
        horizon: float | None = None,
        dispersions: tuple[float, float] = (1.0, 1.0),
        diagnose: bool = False,
    ) -> None:
        found = parameters(
            family, d, S, delta, C, alpha,
            R_s=R_s, L_mu=L_mu, eta=eta, lam=lam, radius_scale=radius_scale,
            reading=constants, index=index, radius_form=radius_form,
            horizon=horizon, dispersions=dispersions, start=length_of_start(theta0),
        )  # fmt: skip
        self._start(found, checked_start(theta0, d, found.S), diagnose)

    @classmethod
    def with_parameters(cls, p: Parameters) -> HCWGLBOMD:
        """The learner before its first round, from parameters that are there already; θ_1 = 0."""
        made = cls.__new__(cls)
        made._start(p, np.zeros(p.d), diagnose=False)
        return made

    def _start(self, p: Parameters, theta: Floats, diagnose: bool) -> None:
        note_reference()
        self.parameters, self.diagnose = p, diagnose
        self.become(self._first_state(theta))

    def _first_state(self, theta: Floats) -> State:
        return State(0, theta, self.parameters.lam * np.eye(self.parameters.d), 0.0, 0.0)

    # --- the state at the current round ---------------------------------------------------------------

    @property
    def t(self) -> int:
        """The number of the coming round, from 1."""
        return self._state.rounds + 1

    @property
    def theta(self) -> Floats:
        """θ_t."""
        return self._state.theta.copy()

    @property
    def H(self) -> Floats:
        """H_t."""
        return self._state.H.copy()

    @property
    def beta(self) -> float:
        """β_t(δ)."""
        return self._beta

    @property
    def radius(self) -> float:
        """β_t(δ) + 2 η α C."""
        return self._set.radius

    @property
    def guarantee(self) -> str:
        return self.parameters.guarantee

    @property
    def confidence_set(self) -> ConfidenceSet:
        """C_t(δ)."""
        return self._set

    @property
    def state(self) -> State:
        """All that a learner with these parameters needs to go on; what it holds is not to be changed."""
        return self._state

    def become(self, state: State) -> None:
        """Go on from a state that a learner with these parameters was in; `core.learner` checks what it restores."""
        p = self.parameters
        self._state = state
        self._beta = p.beta(state.inverse_g, state.logdet)
        self._set = ConfidenceSet(state.theta, state.H, p.radius(self._beta), p.S, p.lam)

    # --- one round ------------------------------------------------------------------------------------

    def select(self, arms: ArrayLike) -> int:
        """The arm of largest optimistic value; of equals the one of largest ‖x‖ in H_t⁻¹, and of these the first."""
        points = checked_arms(arms, self.parameters.d)
        proposed = self.propose(points)
        return most_uncertain(*self.index(points), self._set.squared_norms(points)) if proposed is None else proposed

    def propose(self, points: Floats, free: Flags | None = None, coming: Floats | None = None) -> int | None:
        """An arm that is pulled whatever its index; None, but for a learner with a scout (`core.scouted`)."""
        return None

    @property
    def spent(self) -> float:
        """What such pulls may have cost."""
        return 0.0

    def index(self, points: Floats) -> tuple[Floats, float]:
        """The optimistic values of checked arms, and the size that ties are measured by; any maximiser will do."""
        return self._set.values(points) if self.parameters.index == "exact" else self._set.closed_form(points)

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """eq:corrupted-loss: the w_t that an observation at x would get now."""
        p = self.parameters
        point = checked_vector("x", x, p.d, UNIT)
        g = p.family.check_dispersion(dispersion)
        return float(constants.weight(p.alpha, g, norm(self._set.whitener @ point)))

    def trust(self, x: Floats, dispersion: float) -> float:
        """α g / ‖x‖ in H_t⁻¹, which goes on where the weight stops at 1; what an adversary may look at."""
        length = norm(self._set.whitener @ x)
        return self.parameters.alpha * dispersion / length if length else math.inf

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> Round:
        """Learn from the (corrupted) reward of arm x; θ_{t+1} and H_{t+1} become the current ones."""
        p, before = self.parameters, self._state
        point = checked_vector("x", x, p.d, UNIT)
        observed = checked_reward(reward)
        g = p.promised(p.family.check_dispersion(dispersion))
        inverse_g = before.inverse_g + 1 / g
        if not math.isfinite(inverse_g):
            raise BadInput("dispersion", dispersion, "dispersions whose inverses have a finite sum")

        white = self._set.whitener @ point
        length = norm(white)
        w = float(constants.weight(p.alpha, g, length))
        z = self._natural(point, before.theta)
        step = omd_step(
            before.theta, before.H, point, white @ self._set.whitener,
            s=w / g * (float(p.family.mu(z)) - observed),
            a=w / g * float(p.family.dmu(z)),
            eta=p.eta, lam=p.lam, S=p.S,
        )  # fmt: skip
        curvature = w / g * float(p.family.dmu(self._natural(point, step.theta)))

        record = Round(
            weight=w,
            norm=length,
            curvature=curvature,
            radius=self._set.radius,
            projected=step.projected,
            residual=step.residual,
            covers_ball=self._set.covers_ball() if self.diagnose else None,
        )
        self.become(
            State(
                rounds=before.rounds + 1,
                theta=step.theta,
                H=before.H + curvature * np.outer(point, point),
                inverse_g=inverse_g,
                logdet=before.logdet + math.log1p(curvature * length**2),
            )
        )
        return record

    def _natural(self, x: Floats, theta: Floats) -> float:
        """⟨x, θ⟩, kept in [-S, S] where the family's constants hold."""
        return min(max(float(x @ theta), -self.parameters.S), self.parameters.S)
