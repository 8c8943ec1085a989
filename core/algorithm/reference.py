"""algorithm:CW-GLB-OMD: HCW-GLB-OMD in the order of the paper's pseudocode; readable NumPy, without checks.

Each round: the confidence set C_t, the optimistic arm, the weight w_t of what was observed, one step of online mirror
descent with an exact projection onto Θ, and the Hessian at the new iterate.  `HCWGLBOMD` stands on this where numba is
not installed, and the tests hold the compiled step to it.

The step of eq:OMD-estimator minimises, over ‖θ‖ <= S,

    ⟨s x, θ - θ_t⟩ + ½ ‖θ - θ_t‖² in the norm M,      M = H_t / η + a x xᵀ,

where s x is the gradient and a x xᵀ the Hessian of the weighted loss at θ_t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from glbcheck.core.algorithm.confidence_set import ConfidenceSet, most_uncertain
from glbcheck.core.algorithm.matrices import eigen, norm, secular_root
from glbcheck.core.arrays import Floats
from glbcheck.core.theory import constants
from glbcheck.core.theory.parameters import Parameters

Done = tuple[float, ...]  # weight, norm, curvature, radius, projected, residual: the numbers of `Round`


@dataclass(frozen=True)
class State:
    """Everything that changes, replaced as a whole at the end of a round."""

    rounds: int
    theta: Floats
    H: Floats
    inverse_g: float  # Σ 1/g over the rounds so far
    logdet: float  # log(det H / det H_1)


def first_state(p: Parameters, theta: Floats) -> State:
    """Before the first round: θ_1 and H_1 = λ I."""
    return State(0, theta, p.lam * np.eye(p.d), 0.0, 0.0)


@dataclass
class ReferenceLearner:
    """The learner with these parameters in this state; arguments are trusted."""

    parameters: Parameters
    state: State
    spent: float = 0.0  # on proposals of a scout, if there is one

    @classmethod
    def starting(cls, p: Parameters, theta: Floats | None = None) -> ReferenceLearner:
        """Before the first round, at this θ_1 or at 0."""
        return cls(p, first_state(p, np.zeros(p.d) if theta is None else theta))

    def become(self, state: State) -> None:
        self.state = state
        self.__dict__.pop("confidence_set", None)

    # --- at the current round -------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        return self.state.rounds

    @property
    def theta(self) -> Floats:
        return self.state.theta

    @property
    def H(self) -> Floats:
        return self.state.H

    @property
    def inverse_g(self) -> float:
        return self.state.inverse_g

    @property
    def logdet(self) -> float:
        return self.state.logdet

    @property
    def beta(self) -> float:
        """β_t(δ)."""
        return self.parameters.beta(self.state.inverse_g, self.state.logdet)

    @property
    def radius(self) -> float:
        return self.confidence_set.radius

    @cached_property
    def confidence_set(self) -> ConfidenceSet:
        """eq:CS: C_t(δ)."""
        p = self.parameters
        return ConfidenceSet(self.state.theta, self.state.H, p.radius(self.beta), p.S, p.lam)

    # --- one round ------------------------------------------------------------------------------------

    def index(self, points: Floats) -> tuple[Floats, float]:
        """The optimistic values, and the size that ties are measured by; any maximiser will do."""
        seen = self.confidence_set
        return seen.values(points) if self.parameters.index == "exact" else seen.closed_form(points)

    def choose(self, points: Floats) -> int:
        """The arm of largest optimistic value; of equals the one of largest ‖x‖ in H_t⁻¹, and of these the first."""
        return most_uncertain(*self.index(points), self.confidence_set.squared_norms(points))

    def weight(self, x: Floats, g: float) -> float:
        """eq:corrupted-loss: w_t."""
        return float(constants.weight(self.parameters.alpha, g, norm(self.confidence_set.whitener @ x)))

    def curvature(self, x: Floats) -> float:
        """What a reward of dispersion 1 at x would multiply x xᵀ by in H, at the θ of now."""
        return float(self.parameters.family.dmu(self._natural(x, self.state.theta))) * self.weight(x, 1.0)

    def observe(self, x: Floats, reward: float, g: float) -> Done:
        """From the observed reward to θ_{t+1} and H_{t+1}."""
        p, before, whitener = self.parameters, self.state, self.confidence_set.whitener
        white = whitener @ x
        length = norm(white)
        w = float(constants.weight(p.alpha, g, length))
        z = self._natural(x, before.theta)
        step = omd_step(
            before.theta, before.H, x, white @ whitener,
            s=w / g * (float(p.family.mu(z)) - reward),
            a=w / g * float(p.family.dmu(z)),
            eta=p.eta, lam=p.lam, S=p.S,
        )  # fmt: skip
        curvature = w / g * float(p.family.dmu(self._natural(x, step.theta)))
        done = (w, length, curvature, self.radius, float(step.projected), step.residual)
        self.become(
            State(
                rounds=before.rounds + 1,
                theta=step.theta,
                H=before.H + curvature * np.outer(x, x),
                inverse_g=before.inverse_g + 1 / g,
                logdet=before.logdet + math.log1p(curvature * length**2),
            )
        )
        return done

    def _natural(self, x: Floats, theta: Floats) -> float:
        """⟨x, θ⟩, kept in [-S, S] where the family's constants hold."""
        return min(max(float(x @ theta), -self.parameters.S), self.parameters.S)


# --- eq:OMD-estimator, in closed form, with an exact projection onto Θ ----------------------------------------


@dataclass(frozen=True)
class Step:
    """Where the step ends, the multiplier ν of the ball, and how well the optimality conditions hold.

    `residual` is the larger of (M + ν) θ - (M θ_t - s x) relative to its terms and of ‖θ‖ - S relative to S;
    zero for a step that stays inside, which is in closed form.
    """

    theta: Floats
    multiplier: float
    residual: float

    @property
    def projected(self) -> bool:
        return self.multiplier > 0


def omd_step(
    theta: Floats, H: Floats, x: Floats, Hinv_x: Floats, s: float, a: float, eta: float, lam: float, S: float
) -> Step:
    """One step from θ_t; `Hinv_x` is H_t⁻¹ x, and H_t is at least λ."""
    # Sherman-Morrison: M⁻¹ x = η H⁻¹ x / (1 + η a ‖x‖² in H⁻¹).
    free = theta - (s * eta / (1 + eta * a * float(x @ Hinv_x))) * Hinv_x
    if norm(free) <= S:
        return Step(free, 0.0, 0.0)
    M = H / eta + a * np.outer(x, x)
    return project(M, M @ theta - s * x, lam / eta, S)


def project(M: Floats, c: Floats, floor: float, S: float) -> Step:
    """The minimiser over ‖θ‖ <= S of ½ θᵀ M θ - cᵀ θ, when the free one, M⁻¹ c, lies outside."""
    values, Q = eigen(M, floor)
    rotated = c @ Q
    nu = secular_root(rotated, values, S)
    theta = into_ball(Q @ (rotated / (values + nu)), S)
    return Step(theta, nu, _residual(M, c, theta, nu, S))


def _residual(M: Floats, c: Floats, theta: Floats, nu: float, S: float) -> float:
    """How far (M + ν) θ = c and ‖θ‖ = S are from holding, in relative terms."""
    terms = float(np.abs(M).max()) * S + nu * S + float(np.abs(c).max())
    stationarity = float(np.abs(M @ theta + nu * theta - c).max()) / terms
    return max(stationarity, abs(norm(theta) - S) / S)


def into_ball(theta: Floats, S: float) -> Floats:
    """θ, moved by a few units in the last place if rounding has left it outside the ball."""
    while norm(theta) > S:
        theta = theta * min(S / norm(theta), 1 - 2.0**-53)
    return theta
