"""GLB-OMD: Zhang, Xu, Zhao and Sugiyama 2025, "Generalized linear bandits: almost optimal regret with one-pass update".

Rewards of one family that all have the same dispersion g, with |μ''| <= R μ' on the whole line (their Assumption 3):
the mixture of their proof puts mass on all of R^d, so R on [-S, S] would not do.  They list the exponential law with
R = 0; it has |μ''|/μ' = 2/|z|, which is unbounded, and is refused here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.concordance import L_mu as largest_slope
from glbcheck.core.constants import PAPER
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.observed import checked_arms, checked_reward, checked_vector
from glbcheck.core.optimism import ConfidenceSet
from glbcheck.core.projection import omd_step
from glbcheck.core.rivals.hypotheses import whole_line_concordance
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

NAME = "glb-omd"

# β² = 4λS² + 2η log(1/δ) + (6η² + η) log det, as published: the coefficients follow from Lemmas 4 to 6 with α = 3η/2.
# The bound d log(1 + L_μ t/(g λ)) on log det is derived here, by the largest eigenvalue of H: their display was not at
# hand.  Both are what the paper under review prints, so its formulas serve.
FORMULAS = PAPER


class Constants(NamedTuple):
    """R, and what Theorem 1 makes of it."""

    R: float
    eta: float
    lam: float


def need_concordance(family: Family) -> None:
    whole_line_concordance(NAME, family)


def constants(family: Family, d: int, S: float, L_mu: float, g: float) -> Constants:
    """η = 1 + R S and λ = max(14 d η R², 6 η R S L_μ/g), as published (Theorem 1, and again Theorem 2).

    For a linear link this λ is 0 and H_1 has no inverse; every λ > 0 is then in accord with the theorem, and d/(4S²),
    which makes 4λS² = d, is taken (derived here).
    """
    R = whole_line_concordance(NAME, family)
    eta = 1 + R * S
    lam = max(14 * d * eta * R**2, 6 * eta * R * S * L_mu / g)
    return Constants(R, eta, lam if lam > 0 else d / (4 * S**2))


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
        self.rounds = 0
        self.theta: Floats = np.zeros(d)
        self.H: Floats = self.constants.lam * np.eye(d)

    @property
    def radius(self) -> float:
        """β_t(δ)."""
        c, rounds = self.constants, self.rounds / self.g
        return self.radius_scale * float(
            FORMULAS.beta(self.d, self.S, self.delta, c.eta, c.lam, self.L_mu, rounds)
        )  # fmt: skip

    @property
    def confidence_set(self) -> ConfidenceSet:
        return ConfidenceSet(self.theta, self.H, self.radius, self.S, self.constants.lam)

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
            eta=self.constants.eta, lam=self.constants.lam, S=self.S,
        )  # fmt: skip
        self.theta = step.theta
        self.H = self.H + float(family.dmu(self._natural(point))) / g * np.outer(point, point)
        self.rounds += 1

    def _natural(self, x: Floats) -> float:
        return min(max(float(x @ self.theta), -self.S), self.S)
