"""What a run of the reference leaves behind: the sums that the claims compare with their bounds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family

if TYPE_CHECKING:
    from glbcheck.core.algorithm import Round
    from glbcheck.core.algorithm.confidence_set import ConfidenceSet


class Trajectory:
    """Running sums over the rounds; the names are the paper's, the meaning stands beside each."""

    def __init__(self, family: Family, theta_star: Floats) -> None:
        self.family, self.theta_star = family, np.asarray(theta_star, dtype=float)
        self.rounds = 0
        self.regret = 0.0  # eqn:regret
        self.optimal_variance = 0.0  # Σ g μ'(⟨x_*, θ_*⟩)
        self.inverse_g = 0.0  # Σ 1/g
        self.inverse_g_before = 0.0  # the same without the last round
        self.g_min, self.g_max = math.inf, 0.0
        self.corruption = 0.0  # Σ |c_t|
        self.S_0 = self.S_1 = self.S_2 = self.S_3 = 0.0  # lemma:decomposition
        self.distrusted = 0  # rounds with w_t < 1
        self.covering = 0  # rounds with Θ ⊂ C_t, if diagnosed
        self.worst_ratio = 0.0  # the largest ‖θ_t - θ_*‖ in H_t over the radius
        self.first_miss: int | None = None  # the first round with θ_* outside C_t

    @property
    def covered(self) -> bool:
        """Was θ_* in every C_t?"""
        return self.first_miss is None

    def add(self, z: float, z_best: float, c: float, g: float, before: ConfidenceSet, done: Round) -> None:
        """Take in one round: the pull and its worth, C_t before it, and what the learner did."""
        slope, slope_best = self.family.dmu(np.array([z, z_best]))
        mean, mean_best = self.family.mu(np.array([z, z_best]))
        off = before.center - self.theta_star
        error = math.sqrt(max(float(off @ before.H @ off), 0.0))

        self.rounds += 1
        self.regret += max(float(mean_best - mean), 0.0)
        self.optimal_variance += g * float(slope_best)
        self.inverse_g_before = self.inverse_g
        self.inverse_g += 1 / g
        self.g_min, self.g_max = min(self.g_min, g), max(self.g_max, g)
        self.corruption += abs(c)
        self._add_norms(done, g, float(slope))
        self.covering += bool(done.covers_ball)
        self.worst_ratio = max(self.worst_ratio, error / before.radius if before.radius else math.inf)
        if error > before.radius and self.first_miss is None:
            self.first_miss = self.rounds

    def _add_norms(self, done: Round, g: float, slope: float) -> None:
        """lemma:decomposition: the four sums that bound the regret."""
        new_slope = done.curvature * g / done.weight  # μ'(⟨x, θ_{t+1}⟩)
        if done.weight < 1:
            self.distrusted += 1
            self.S_1 += new_slope * done.norm
            self.S_3 += done.norm**2
        else:
            self.S_0 += math.sqrt(slope * new_slope) * done.norm
            self.S_2 += done.norm**2
