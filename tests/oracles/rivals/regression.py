"""Weighted ridge regression with a confidence set around it: what the linear rivals have in common."""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.algorithm.checks import checked_arms, checked_reward, checked_vector
from glbcheck.core.algorithm.confidence_set import ConfidenceSet
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.arrays import Floats
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike


class WeightedRidge:
    """θ = H⁻¹ b with H = λ I + Σ c x xᵀ and b = Σ c r x; the radius is the rival's own and is set by it."""

    def __init__(self, d: int, S: float, lam: float) -> None:
        self.d, self.S, self.lam = d, S, lam
        self.rounds = 0
        self.H: Floats = lam * np.eye(d)
        self.b: Floats = np.zeros(d)
        self.theta: Floats = np.zeros(d)
        self.logdet = 0.0  # log(det H / λ^d)
        self.radius = math.inf

    @property
    def confidence_set(self) -> ConfidenceSet:
        return ConfidenceSet(self.theta, self.H, self.radius, self.S, self.lam)

    def best(self, arms: ArrayLike) -> int:
        """The arm of largest ⟨x, θ⟩ + radius ‖x‖; of equals the most uncertain one."""
        return self.confidence_set.best_closed_form(checked_arms(arms, self.d))

    def length(self, x: ArrayLike) -> float:
        """‖x‖ in H⁻¹."""
        return norm(self.confidence_set.whitener @ checked_vector("x", x, self.d, UNIT))

    def add(self, x: ArrayLike, reward: float, c: float) -> None:
        """One more observation, of weight c."""
        point = checked_vector("x", x, self.d, UNIT)
        self.logdet += math.log1p(c * self.length(point) ** 2)
        self.H = self.H + c * np.outer(point, point)
        self.b = self.b + c * checked_reward(reward) * point
        self.theta = np.asarray(np.linalg.solve(self.H, self.b), dtype=float)
        self.rounds += 1


class LinearRival:
    """What a learner that rests on a weighted ridge regression shows of it."""

    _ridge: WeightedRidge

    @property
    def theta(self) -> Floats:
        return self._ridge.theta.copy()

    @property
    def H(self) -> Floats:
        """λ I and the sum of the x xᵀ, each with its weight."""
        return self._ridge.H.copy()

    @property
    def radius(self) -> float:
        return self._ridge.radius

    def select(self, arms: ArrayLike) -> int:
        """The optimistic arm."""
        return self._ridge.best(arms)
