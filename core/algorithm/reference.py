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
from typing import NamedTuple

import numpy as np
from glbcheck.core.algorithm.confidence_set import ConfidenceSet
from glbcheck.core.algorithm.matrices import eigen, norm, secular_root
from glbcheck.core.arrays import Floats
from glbcheck.core.theory import constants
from glbcheck.core.theory.parameters import Parameters


class Round(NamedTuple):
    """What one round did: w_t, the radius of C_t, and how the step went."""

    weight: float
    norm: float  # ‖x_t‖ in H_t⁻¹
    curvature: float  # (w_t / g) μ'(⟨x_t, θ_{t+1}⟩), what x_t x_tᵀ is multiplied by in H_{t+1}
    radius: float
    projected: bool
    residual: float  # of the optimality conditions of the projection
    covers_ball: bool | None = None  # Θ ⊂ C_t; None unless diagnostics were asked for


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

    rounds = property(lambda self: self.state.rounds)
    theta = property(lambda self: self.state.theta)
    H = property(lambda self: self.state.H)
    inverse_g = property(lambda self: self.state.inverse_g)
    logdet = property(lambda self: self.state.logdet)
    radius = property(lambda self: self.confidence_set.radius)

    @property
    def beta(self) -> float:
        """β_t(δ)."""
        return self.parameters.beta(self.state.inverse_g, self.state.logdet)

    @cached_property
    def confidence_set(self) -> ConfidenceSet:
        """eq:CS: C_t(δ)."""
        p = self.parameters
        return ConfidenceSet(self.state.theta, self.state.H, p.radius(self.beta), p.S, p.lam)

    # --- one round ------------------------------------------------------------------------------------

    def choose(self, arms: Floats) -> int:
        """The arm of largest optimistic value; of equals the most uncertain, and of these the first."""
        seen = self.confidence_set
        return seen.best(arms) if self.parameters.index == "exact" else seen.best_closed_form(arms)

    def weight(self, x: Floats, g: float) -> float:
        """eq:corrupted-loss: w_t."""
        return float(constants.weight(self.parameters.alpha, g, norm(self.confidence_set.whitener @ x)))

    def curvature(self, x: Floats) -> float:
        """What a reward of dispersion 1 at x would multiply x xᵀ by in H, at the θ of now."""
        return float(self.parameters.family.dmu(self._natural(x, self.state.theta))) * self.weight(x, 1.0)

    def observe(self, x: Floats, reward: float, g: float) -> Round:
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
        done = Round(w, length, curvature, self.radius, step.projected, step.residual)
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


class Step(NamedTuple):
    """Where the step ends, the multiplier ν of the ball, and how well the optimality conditions hold.

    `residual` is the larger of (M + ν) θ - (M θ_t - s x) relative to its terms and of ‖θ‖ - S relative to S;
    zero for a step that stays inside, which is in closed form.
    """

    theta: Floats
    multiplier: float = 0.0
    residual: float = 0.0

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
        return Step(free)
    M = H / eta + a * np.outer(x, x)
    return project(M, M @ theta - s * x, lam / eta, S)


def project(M: Floats, c: Floats, floor: float, S: float) -> Step:
    """The minimiser over ‖θ‖ <= S of ½ θᵀ M θ - cᵀ θ, when the free one, M⁻¹ c, lies outside."""
    values, Q = eigen(M, floor)
    rotated = c @ Q
    nu = secular_root(rotated, values, S)
    theta = into_ball(Q @ (rotated / (values + nu)), S)
    terms = float(np.abs(M).max()) * S + nu * S + float(np.abs(c).max())
    stationarity = float(np.abs(M @ theta + nu * theta - c).max()) / terms
    return Step(theta, nu, max(stationarity, abs(norm(theta) - S) / S))


def into_ball(theta: Floats, S: float) -> Floats:
    """θ, moved by a few units in the last place if rounding has left it outside the ball."""
    while norm(theta) > S:
        theta = theta * min(S / norm(theta), 1 - 2.0**-53)
    return theta
