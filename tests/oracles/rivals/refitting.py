"""What learners that fit all their rounds anew have in common: H grows with every round, the estimate now and then."""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.algorithm.checks import checked_arms
from glbcheck.core.algorithm.confidence_set import ConfidenceSet
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.arrays import Floats
from glbcheck.core.theory.parameters import Parameters
from numpy.typing import ArrayLike


class RefittingRival:
    """A learner whose set is that of its last fit; its radius and its fit are the rival's own."""

    parameters: Parameters

    def _start(self, H_1: float, refit_growth: float) -> None:
        """Before the first round H is H_1 I; a fit is due when log det H has grown by `refit_growth`."""
        d = self.parameters.d
        self.t, self._H_1, self._refit_growth = 1, H_1, refit_growth
        self._H, self._logdet = H_1 * np.eye(d), 0.0
        self._become(np.zeros(d))

    def _radius(self) -> float:
        raise NotImplementedError("a rival brings its own")

    def _fit(self) -> Floats:
        raise NotImplementedError("a rival brings its own")

    def _become(self, theta: Floats) -> None:
        p = self.parameters
        self._fitted = self._logdet
        self.confidence_set = ConfidenceSet(theta, self._H, p.radius_scale * self._radius(), p.S, self._H_1)
        self._latest = self.confidence_set  # of the same centre, with H of the current round

    @property
    def theta(self) -> Floats:
        return self.confidence_set.center.copy()

    @property
    def H(self) -> Floats:
        return self.confidence_set.H.copy()

    @property
    def radius(self) -> float:
        return self.confidence_set.radius

    def select(self, arms: ArrayLike) -> int:
        """As published: the arm of largest mean over the confidence set; μ grows, so that of largest ⟨x, θ⟩."""
        return self.confidence_set.best(checked_arms(arms, self.parameters.d))

    def _length(self, x: Floats) -> float:
        """‖x‖ in H⁻¹ of the current round."""
        return norm(self._latest.whitener @ x)

    def _grow(self, added: Floats, share: float) -> None:
        """One more round: H grows by this matrix, det H by the factor 1 + share."""
        self._H = self._H + added
        self._logdet += math.log1p(share)
        self.t += 1
        self._latest = ConfidenceSet(self.theta, self._H, self.radius, self.parameters.S, self._H_1)
        if self._logdet - self._fitted >= self._refit_growth:
            self._become(self._fit())
