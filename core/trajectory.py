"""What a run leaves behind: sums that the claims compare with their bounds, and the full record on request.

Nothing here grows with the number of rounds, except the record and one checkpoint per doubling of t.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from numpy.typing import NDArray

if TYPE_CHECKING:
    from glbcheck.core.algorithm import Round

Floats = NDArray[np.float64]

RECORDED = np.dtype(
    [
        ("arm", np.int64),
        ("reward", np.float64),
        ("corruption", np.float64),
        ("dispersion", np.float64),
        ("weight", np.float64),
        ("norm", np.float64),
        ("beta", np.float64),
        ("radius", np.float64),
        ("error", np.float64),
        ("regret", np.float64),
        ("projected", np.bool_),
        ("covers_ball", np.bool_),
    ]
)


class Trajectory:
    """Running sums over the rounds; the names are the paper's, the meaning stands beside each."""

    def __init__(self, family: Family, theta_star: Floats, rounds_recorded: int = 0) -> None:
        self.family, self.theta_star = family, np.asarray(theta_star, dtype=float)
        self.rounds = 0
        self.regret = 0.0  # eqn:regret
        self.optimal_variance = 0.0  # Σ g μ'(⟨x_*, θ_*⟩)
        self.inverse_g = 0.0  # Σ 1/g
        self.inverse_g_before = 0.0  # the same without the last round
        self.g_min, self.g_max = math.inf, 0.0
        self.corruption = 0.0  # Σ |c_t|
        self.S_0 = self.S_1 = self.S_2 = self.S_3 = 0.0  # lemma:decomposition
        self.potential = 0.0  # Σ (w/g) μ'(⟨x, θ_{t+1}⟩) ‖x‖² in H⁻¹, what the elliptical lemma bounds
        self.distrusted = 0  # rounds with w_t < 1
        self.smallest_weight = 1.0
        self.projected = 0
        self.largest_residual = 0.0  # of the optimality conditions of a projection
        self.largest_gap = 0.0  # of the certificate of an optimistic choice
        self.covering = 0  # rounds with Θ ⊂ C_t, if diagnosed
        self.worst_ratio = 0.0  # the largest ‖θ_t - θ_*‖ in H_t over the radius
        self.first_miss: int | None = None  # the first round with θ_* outside C_t
        self.checkpoints: list[tuple[int, float]] = []  # (t, regret) at powers of two
        self.theta, self.H = np.empty(0), np.empty((0, 0))
        self._record = np.zeros(rounds_recorded, dtype=RECORDED)

    @property
    def covered(self) -> bool:
        """Was θ_* in every C_t?"""
        return self.first_miss is None

    @property
    def record(self) -> NDArray[np.void]:
        """One row per round, if it was asked for."""
        if self._record.size == 0 and self.rounds:
            raise BadInput("record", False, "a run played with record=True")
        return self._record

    def add(
        self,
        arm: int,
        z: float,
        z_best: float,
        reward: float,
        c: float,
        g: float,
        before: tuple[Floats, Floats, float],
        done: Round,
        gap: float,
    ) -> None:
        """Take in one round: the pull and its worth, (θ_t, H_t, radius) before it, what the learner did."""
        theta, H, radius = before
        slope, slope_best = self.family.dmu(np.array([z, z_best]))
        mean, mean_best = self.family.mu(np.array([z, z_best]))
        off = theta - self.theta_star
        error = math.sqrt(max(float(off @ H @ off), 0.0))

        self.rounds += 1
        self.regret += max(float(mean_best - mean), 0.0)
        self.optimal_variance += g * float(slope_best)
        self.inverse_g_before = self.inverse_g
        self.inverse_g += 1 / g
        self.g_min, self.g_max = min(self.g_min, g), max(self.g_max, g)
        self.corruption += abs(c)
        self._add_norms(done, g, float(slope))
        self.projected += done.projected
        self.largest_residual = max(self.largest_residual, done.residual)
        self.largest_gap = max(self.largest_gap, gap)
        self.covering += bool(done.covers_ball)
        self.worst_ratio = max(self.worst_ratio, error / radius if radius else math.inf)
        if error > radius and self.first_miss is None:
            self.first_miss = self.rounds
        if self.rounds & (self.rounds - 1) == 0:
            self.checkpoints.append((self.rounds, self.regret))
        if self._record.size:
            self._record[self.rounds - 1] = (
                arm, reward, c, g, done.weight, done.norm, done.beta, radius, error, self.regret,
                done.projected, bool(done.covers_ball),
            )  # fmt: skip

    def _add_norms(self, done: Round, g: float, slope: float) -> None:
        """lemma:decomposition: the four sums that bound the regret, and the elliptical potential."""
        new_slope = done.curvature * g / done.weight  # μ'(⟨x, θ_{t+1}⟩)
        self.potential += done.curvature * done.norm**2
        self.smallest_weight = min(self.smallest_weight, done.weight)
        if done.weight < 1:
            self.distrusted += 1
            self.S_1 += new_slope * done.norm
            self.S_3 += done.norm**2
        else:
            self.S_0 += math.sqrt(slope * new_slope) * done.norm
            self.S_2 += done.norm**2
