"""MOR-UCB: Zhao, Zhou, He and Gu 2023, "Optimal online generalized linear regression with stochastic noise and its
application to heteroscedastic bandits", Section 6.

A GLM link with slopes of at least 1/κ, noise of size at most R and of variance at most a known σ_t².  Layer l holds the
rounds with R/2^{l+1} < σ_t <= R/2^l, the last one all that are more precise; each has its own follow-the-regularised-
leader estimate and its own confidence set, and an arm is worth the least of what the layers allow.  The layers are by
variance: their regret d κ √(Σ σ²) + R κ √(dT), with √(dT) outside the variances, is what such layers give.

What the learner knows of the variance is g_t L_μ: the slope at θ_* is not shown to it (app:comparison).  The constants
of the source could not be found in public text; those here are derived, each where it stands.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.concordance import L_mu as largest_slope
from glbcheck.core.concordance import kappa as inverse_slope
from glbcheck.core.family import Family
from glbcheck.core.observed import checked_arms, checked_reward, checked_vector
from glbcheck.core.optimism import ConfidenceSet, most_uncertain
from glbcheck.core.rivals.bernstein import length_bound
from glbcheck.core.rivals.descent import minimise_on_ball
from glbcheck.core.rivals.horizon import checked_round, promised
from glbcheck.core.rivals.hypotheses import need_bounded_noise, noise_bound
from glbcheck.core.tolerances import UNIT
from glbcheck.core.tuning import checked_dispersions
from numpy.typing import ArrayLike

NAME = "mor-ucb"


class Constants(NamedTuple):
    """What the rounds need."""

    d: int
    S: float
    L_mu: float
    kappa: float
    R: float
    delta: float  # of one layer
    layers: int


def constants(
    family: Family, d: int, S: float, delta: float, slopes: tuple[float, float], g_max: float, horizon: float
) -> Constants:
    """`slopes` are L_μ and κ.  Derived here: layers down to R/√T, as the floor α of WeightedOFUL+; δ shared by them."""
    R, left = noise_bound(family, g_max, horizon, delta)
    layers = 1 + math.ceil(math.log2(horizon) / 2)
    return Constants(d, S, slopes[0], slopes[1], R, left / layers, layers)


def top_of(c: Constants, layer: int) -> float:
    """The largest variance of a layer, R²/4^l."""
    return c.R**2 / 4.0**layer


def layer_of(c: Constants, dispersion: float) -> int:
    """The last layer whose variances are at least g L_μ."""
    layer = 0
    while layer + 1 < c.layers and top_of(c, layer + 1) >= dispersion * c.L_mu:
        layer += 1
    return layer


def ridge(c: Constants, layer: int) -> float:
    """λ = κ d σ²/S² with the largest σ of the layer.

    Derived here: any λ > 0 will do, and this one makes √λ S = √κ σ √d, of the order of the noise of d directions.
    """
    return c.kappa * c.d * top_of(c, layer) / c.S**2


def radius(c: Constants, layer: int, n: int) -> float:
    """√κ (8 σ √(d log(1 + n/(d κ λ)) ℓ) + 4 R ℓ) + √λ S after n rounds, ℓ = log(4n²/δ); √λ S for n = 0.

    Derived here.  H = λ I + Σ x xᵀ/κ is at most what the loss curves by on Θ, and the estimate is its minimiser on Θ,
    so ‖θ - θ_*‖² <= ⟨Σ x ε - λ θ_*, θ - θ_*⟩, and ‖θ - θ_*‖ is at most ‖Σ x ε‖ + √λ S in the norms of H and H⁻¹.  The
    norm of H⁻¹ is √κ times that of (κ λ I + Σ x xᵀ)⁻¹, for which `bernstein` has the bound.
    """
    lam = ridge(c, layer)
    if n == 0:
        return math.sqrt(lam) * c.S
    mass, level = n / (c.d * c.kappa * lam), math.log(4 * n * n / c.delta)
    noise = length_bound(c.d, math.sqrt(top_of(c, layer)), c.R, mass, level)
    return math.sqrt(c.kappa) * noise + math.sqrt(lam) * c.S


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
        slopes = largest_slope(family, S).upper, inverse_slope(family, S).upper
        self.family, self.horizon = family, horizon
        self.constants = c = constants(family, d, float(S), delta, slopes, high, horizon)
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
