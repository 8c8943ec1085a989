"""MOR-UCB, readable; `core.rivals.likelihood` has the source and the constants."""

from __future__ import annotations

import numpy as np
from glbcheck.core.algorithm.checks import checked_arms, checked_reward, checked_vector
from glbcheck.core.algorithm.confidence_set import ConfidenceSet, most_uncertain
from glbcheck.core.arrays import Floats
from glbcheck.core.concordance import kappa as inverse_slope
from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import need_bounded_noise
from glbcheck.core.rivals.likelihood import Constants, constants, layer_of, radius, ridge
from glbcheck.core.theory.parameters import parameters
from glbcheck.core.theory.tuning import checked_dispersions
from glbcheck.core.tolerances import UNIT
from numpy.typing import ArrayLike

from tests.oracles.rivals.descent import minimise_on_ball
from tests.oracles.rivals.horizon import checked_round, promised

NAME = "mor-ucb"


class Layer:
    """The rounds of one layer: what was seen in them, and the set that follows from it."""

    def __init__(self, c: Constants, number: int, scale: float) -> None:
        self.c, self.number, self.scale, self.lam = c, number, scale, ridge(c, number)
        self.points: list[Floats] = []
        self.rewards: list[float] = []
        self.theta: Floats = np.zeros(c.d)
        self.H: Floats = self.lam * np.eye(c.d)

    @property
    def confidence_set(self) -> ConfidenceSet:
        rho = self.scale * radius(self.c, self.number, len(self.rewards))
        return ConfidenceSet(self.theta, self.H, rho, self.c.S, self.lam)

    def add(self, family: Family, x: Floats, reward: float) -> None:
        """θ becomes the minimiser of Σ (m(⟨x, θ⟩) - r ⟨x, θ⟩) + λ/2 ‖θ‖² over ‖θ‖ <= S."""
        self.points.append(x)
        self.rewards.append(reward)
        self.H = self.H + np.outer(x, x) / self.c.kappa
        X, r = np.array(self.points), np.array(self.rewards)

        def expand(theta: Floats) -> tuple[Floats, Floats]:
            natural = X @ theta
            slope = X.T @ (family.mu(natural) - r) + self.lam * theta
            return slope, (X.T * family.dmu(natural)) @ X + self.lam * np.eye(self.c.d)

        self.theta = minimise_on_ball(expand, self.theta, self.c.S, self.lam)


class MORUCB:
    """Algorithm 2; θ, H and the radius are those of the layer that has learnt last, since no other set has changed."""

    def __init__(
        self, family: Family, d: int, S: float, delta: float = 0.05, *, horizon: float,
        dispersions: tuple[float, float] = (1.0, 1.0), radius_scale: float = 1.0,
    ) -> None:  # fmt: skip
        need_bounded_noise(NAME, family)
        self.dispersions = low, high = checked_dispersions(dispersions)
        p = parameters(family, d, S, delta, 0.0)
        self.family, self.horizon = family, horizon
        self.constants = c = constants(p, inverse_slope(family, S).upper, high, horizon)
        numbers = range(layer_of(c, high), layer_of(c, low) + 1)
        self.layers = {number: Layer(c, number, radius_scale) for number in numbers}
        self.latest = self.layers[numbers[0]]

    @property
    def theta(self) -> Floats:
        return self.latest.theta.copy()

    @property
    def H(self) -> Floats:
        """λ I + Σ x xᵀ/κ over the rounds of the layer."""
        return self.latest.H.copy()

    @property
    def radius(self) -> float:
        return self.latest.confidence_set.radius

    def select(self, arms: ArrayLike) -> int:
        """The arm whose least upper bound over the layers is largest; of equals the one least known to the latest."""
        points = checked_arms(arms, self.constants.d)
        bounds = [layer.confidence_set.ellipsoid_values(points) for layer in self.layers.values()]
        values = np.min(bounds, axis=0)
        return most_uncertain(
            values, float(np.abs(values).max()), self.latest.confidence_set.squared_norms(points)
        )  # fmt: skip

    def weight(self, x: ArrayLike, dispersion: float = 1.0) -> float:
        return 1.0

    def update(self, x: ArrayLike, reward: float, dispersion: float = 1.0) -> None:
        """The layer of this variance learns."""
        point = checked_vector("x", x, self.constants.d, UNIT)
        checked_round(1 + sum(len(layer.rewards) for layer in self.layers.values()), self.horizon)
        self.latest = self.layers[layer_of(self.constants, promised(self.family, dispersion, self.dispersions))]
        self.latest.add(self.family, point, checked_reward(reward))
