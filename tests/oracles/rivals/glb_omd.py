"""GLB-OMD, readable; `core.rivals.mirror_descent` has the source and the constants."""

from __future__ import annotations

import numpy as np
from glbcheck.core.algorithm.checks import checked_arms, checked_reward, checked_vector
from glbcheck.core.algorithm.confidence_set import ConfidenceSet
from glbcheck.core.algorithm.reference import omd_step
from glbcheck.core.arrays import Floats
from glbcheck.core.concordance import L_mu as largest_slope
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.rivals.mirror_descent import FORMULAS, constants
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

NAME = "glb-omd"


class GLBOMD:
    """Algorithm 1."""

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, *,
        dispersion: float = 1.0, L_mu: float | None = None, radius_scale: float = 1.0,
    ) -> None:  # fmt: skip
        self.family, self.d, self.S, self.delta, self.radius_scale = family, d, float(S), delta, radius_scale
        self.g = family.check_dispersion(dispersion)
        self.L_mu = largest_slope(family, S).upper if L_mu is None else L_mu
        self.constants = constants(family, d, self.S, self.L_mu, self.g)
        _, self.eta, self.lam = self.constants
        self.rounds = 0
        self.theta: Floats = np.zeros(d)
        self.H: Floats = self.lam * np.eye(d)

    @property
    def radius(self) -> float:
        """β_t(δ)."""
        rounds = self.rounds / self.g
        return self.radius_scale * float(
            FORMULAS.beta(self.d, self.S, self.delta, self.eta, self.lam, self.L_mu, rounds)
        )  # fmt: skip

    @property
    def confidence_set(self) -> ConfidenceSet:
        return ConfidenceSet(self.theta, self.H, self.radius, self.S, self.lam)

    def select(self, arms: ArrayLike) -> int:
        """The arm of largest ⟨x, θ_t⟩ + β_t ‖x‖, as published (rule 6); of equals the most uncertain one."""
        return self.confidence_set.best_closed_form(checked_arms(arms, self.d))

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        return 1.0

    def update(self, x: ArrayLike, reward: float, dispersion: float | None = None) -> None:
        """The step of online mirror descent, then the Hessian at the new iterate."""
        if dispersion is not None and dispersion != self.g:
            raise BadInput("dispersion", dispersion, f"the one of all rewards, {self.g:g}")
        point, family, g = checked_vector("x", x, self.d, UNIT), self.family, self.g
        z = self._natural(point)
        W = self.confidence_set.whitener
        step = omd_step(
            self.theta, self.H, point, W @ point @ W,
            s=(float(family.mu(z)) - checked_reward(reward)) / g,
            a=float(family.dmu(z)) / g,
            eta=self.eta, lam=self.lam, S=self.S,
        )  # fmt: skip
        self.theta = step.theta
        self.H = self.H + float(family.dmu(self._natural(point))) / g * np.outer(point, point)
        self.rounds += 1

    def _natural(self, x: Floats) -> float:
        return min(max(float(x @ self.theta), -self.S), self.S)
