"""eq:OMD-estimator: one step of online mirror descent, in closed form, with an exact projection onto Θ.

The step minimises, over ‖θ‖ <= S,

    ⟨s x, θ - θ_t⟩ + ½ ‖θ - θ_t‖² in the norm M,      M = H_t / η + a x xᵀ,

where s x is the gradient and a x xᵀ the Hessian of the weighted loss at θ_t.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.spd import eigen, norm, secular_root


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
