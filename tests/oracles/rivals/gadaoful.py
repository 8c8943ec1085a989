"""GAdaOFUL, readable; `core.rivals.gadaoful` has the source and the constants."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from glbcheck.core.algorithm.checks import checked_reward, checked_vector
from glbcheck.core.arrays import Floats
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.rivals.gadaoful import Constants, derived, published, radius, sigma_squared, variance
from glbcheck.core.theory.parameters import parameters
from glbcheck.core.theory.tuning import checked_dispersions
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

from tests.oracles.rivals.descent import minimise_on_ball
from tests.oracles.rivals.horizon import checked_round, promised
from tests.oracles.rivals.refitting import RefittingRival


class GAdaOFUL(RefittingRival):
    """The learner; its interface is that of `core.algorithm.HCWGLBOMD`.

    In `tuned`, `refit_growth` > 0 keeps the estimate and its set until log det H has grown by so much, which the theory
    allows (a set once valid stays so) and the authors do not do.
    """

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, C: float = 0.0, *, horizon: float,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_scale: float | None = None,
        constants: Literal["published", "derived"] = "published",
    ) -> None:  # fmt: skip
        if constants not in ("published", "derived"):
            raise BadInput("constants", constants, "'published' or 'derived'")
        self.parameters = parameters(family, d, S, delta, C, radius_scale=radius_scale)
        self.dispersions = checked_dispersions(dispersions)
        p = self.parameters
        self.tuned(published(p, horizon) if constants == "published" else derived(p, horizon, self.dispersions))

    def tuned(self, use: Constants, refit_growth: float = 0.0) -> None:
        """Start anew, with these constants."""
        self.constants = use
        self._rows: list[tuple[Floats, float, float, float]] = []  # x, r, σ and 1/τ of every round
        self._start(use.lam, refit_growth)

    def _radius(self) -> float:
        return radius(self.constants, self._logdet, self.t - 1)

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        """What σ² leaves of the weight that an observation at x has by its variance alone."""
        length = self._length(checked_vector("x", x, self.parameters.d, UNIT))
        g = self.parameters.family.check_dispersion(dispersion)
        return variance(self.constants, g) / sigma_squared(self.constants, g, length)

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        """Learn from the (corrupted) reward of arm x."""
        p, use = self.parameters, self.constants
        checked_round(self.t, use.horizon)
        point, observed = checked_vector("x", x, p.d, UNIT), checked_reward(reward)
        g = promised(p.family, dispersion, self.dispersions)
        length = self._length(point)
        squared = sigma_squared(use, g, length)
        sigma = math.sqrt(squared)
        w = length / sigma
        self._rows.append((point, observed, sigma, w / (use.tau_0 * math.sqrt(1 + w**2))))
        self._grow(np.outer(point, point) / squared, w**2)

    def _fit(self) -> Floats:
        """The minimiser of the Huber-type loss over the ball, by Newton's method from the estimate before."""
        family, use, d = self.parameters.family, self.constants, self.parameters.d
        ridge = use.lam / use.kappa
        X, r, sigma, inverse_tau = (np.array(column) for column in zip(*self._rows, strict=True))

        def expand(theta: Floats) -> tuple[Floats, Floats]:
            natural = np.clip(X @ theta, -use.S, use.S)
            z = (r - family.mu(natural)) / sigma
            shrink = 1 / np.sqrt(1 + (z * inverse_tau) ** 2)  # Ψ = z shrink, and Ψ' = shrink³
            gradient = ridge * theta - X.T @ (z * shrink / sigma)
            curvature = shrink**3 * family.dmu(natural) / sigma**2
            return gradient, ridge * np.eye(d) + (X.T * curvature) @ X

        return minimise_on_ball(expand, self.theta, use.S, ridge)
