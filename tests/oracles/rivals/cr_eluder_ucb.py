"""CR-Eluder-UCB, readable; `core.rivals.cr_eluder_ucb` has the source and the constants."""

from __future__ import annotations

import numpy as np
from glbcheck.core.algorithm.checks import checked_reward, checked_vector
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.rivals.cr_eluder_ucb import Constants, constants
from glbcheck.core.theory.parameters import parameters
from glbcheck.core.theory.tuning import checked_dispersions
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

from tests.oracles.rivals.descent import minimise_on_ball
from tests.oracles.rivals.horizon import checked_round, promised
from tests.oracles.rivals.refitting import RefittingRival

NAME = "cr-eluder-ucb"


class CREluderUCB(RefittingRival):
    """The learner; its interface is that of `core.algorithm.HCWGLBOMD`.

    In `tuned`, `refit_growth` > 0 keeps the estimate and its set until log det H has grown by so much, which the theory
    allows (a set once valid stays so) and the authors do not do.
    """

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, C: float = 0.0, *, horizon: float,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_scale: float | None = None,
    ) -> None:  # fmt: skip
        self.parameters = parameters(family, d, S, delta, C, radius_scale=radius_scale)
        self.dispersions = 0.0, checked_dispersions(dispersions)[1]  # smaller ones are treated alike
        self.tuned(constants(self.parameters, horizon, dispersions[1]))

    def tuned(self, use: Constants, refit_growth: float = 0.0) -> None:
        """Start anew, with these constants."""
        self.constants = use
        self._rows: list[tuple[Floats, float, float]] = []  # x, r and 1/σ² of every round
        self._start(use.H_1, refit_growth)

    def _radius(self) -> float:
        return self.constants.radius

    def uncertainty(self, x: ArrayLike) -> float:
        """The bound on D of this round, at x."""
        length = self._length(checked_vector("x", x, self.parameters.d, UNIT))
        return self.constants.kappa * self.constants.L_mu * length

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """1/σ² of an observation at x; every dispersion up to that of R is treated alike."""
        promised(self.parameters.family, dispersion, self.dispersions)
        return min(1.0, self.constants.alpha / self.uncertainty(x)) if np.any(x) else 1.0

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        """Learn from the (corrupted) reward of arm x."""
        checked_round(self.t, self.constants.horizon)
        point, observed = checked_vector("x", x, self.parameters.d, UNIT), checked_reward(reward)
        w = self.weight(point, dispersion)
        self._rows.append((point, observed, w))
        self._grow(w * np.outer(point, point), w * self._length(point) ** 2)

    def loss(self, theta: Floats) -> float:
        """Σ (r - μ(⟨x, θ⟩))²/σ² + ridge ‖θ‖², of all rounds so far."""
        X, r, w = (np.array(column) for column in zip(*self._rows, strict=True))
        means = self.parameters.family.mu(np.clip(X @ theta, -self.constants.S, self.constants.S))
        return float(w @ (r - means) ** 2 + self.constants.ridge * theta @ theta)

    def _fit(self) -> Floats:
        """Weighted least squares over the ball, by Newton's method from the estimate before.

        Where the Hessian is not positive definite, what the bend of μ adds to it is left out (Gauss and Newton).
        """
        family, use, d = self.parameters.family, self.constants, self.parameters.d
        X, r, w = (np.array(column) for column in zip(*self._rows, strict=True))

        def expand(theta: Floats) -> tuple[Floats, Floats]:
            natural = np.clip(X @ theta, -use.S, use.S)
            off, slope = w * (family.mu(natural) - r), family.dmu(natural)
            plain = use.ridge * np.eye(d) + (X.T * (w * slope**2)) @ X
            hessian = plain + (X.T * (off * family.ddmu(natural))) @ X
            positive = np.linalg.eigvalsh(hessian)[0] > 0.01 * use.ridge
            return use.ridge * theta + X.T @ (off * slope), hessian if positive else plain

        return minimise_on_ball(expand, self.theta, use.S, 0.01 * use.ridge)
