"""What the bounds say: when C_t begins to speak, and how far the upper bound on regret lies above the lower one.

C_t begins to speak between the last round in which it surely holds all of Θ, and the first in which it surely does not.
The gap is between the sharpest repaired upper bound and the repaired lower bound, by family and horizon, for no
corruption and g = 1.  Both speak of the worst instance with these d and S: the upper bound takes the largest slope at
every optimal arm, the lower one the best hypercube around theta_* = 0 (claim `heteroskedastic_lower_bound_glm`, n = d).
The first holds with probability 1 - delta, the second in expectation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from glbcheck.core import catalog, concordance
from glbcheck.core.family import Family
from glbcheck.core.theory import lower_constants, tuning
from glbcheck.core.theory.parameters import Parameters, sharpest_problem

FARTHEST = 10**18  # rounds; beyond it nobody plays
FAMILIES = ("gaussian", "bernoulli", "poisson")
HORIZONS = tuple(10**k for k in range(1, 13))
SIZES = 400  # how many sizes of the hypercube are tried for each horizon


def radius_at(p: Parameters, rounds: float, g: float) -> float:
    """The radius after that many rounds of dispersion g; where it follows the determinant, what it is at most."""
    return p.radius(float(p.use.beta(p.d, p.S, p.delta, p.eta, p.lam, p.L_mu, rounds / g)))


def not_before(p: Parameters, g: float) -> float:
    """Before this round C_t holds all of Θ for sure: H_t <= λ + L_μ Σ1/g, and Θ has diameter 2S.

    Not where the radius follows the determinant, which may be smaller.
    """
    return _first(p, g, p.L_mu, 2 * p.S)


def surely_from(p: Parameters, g: float, kappa: float) -> float:
    """From this round on C_t has lost a part of Θ, if arms have length 1.

    As H_t >= λ every weight is at least w = min(1, α g sqrt(λ)).  So H_t has an eigenvalue of at least
    λ + (t - 1) w/(κ d g), and one of the two ends of Θ along its direction is S times its root away from θ_t or more.
    """
    weight = min(1.0, p.alpha * g * math.sqrt(p.lam))
    return _first(p, g, weight / (kappa * p.d), p.S)


def _first(p: Parameters, g: float, rate: float, reach: float) -> float:
    """The first round t with radius_t < reach sqrt(λ + rate (t - 1)/g); infinity beyond 1e18.

    No round before it and every round after it is such: the square of the radius is concave in t, the other
    side is linear, and at t = 1 the radius is larger because β_1^2 > 4 λ S^2.
    """

    def informative(past: int) -> bool:
        return radius_at(p, past, g) < reach * math.sqrt(p.lam + rate * past / g)

    low, high = 0, 1  # rounds before t: not informative after `low` of them, informative after `high`
    while not informative(high):
        low, high = high, 2 * high
        if high > FARTHEST:
            return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if informative(middle) else (middle, high)
    return high + 1


@dataclass(frozen=True)
class Gap:
    """Both bounds on the regret after T rounds, and what no play exceeds."""

    family: str
    d: int
    S: float
    delta: float
    T: int
    upper: float
    lower: float
    trivial: float

    @property
    def ratio(self) -> float:
        return min(self.upper, self.trivial) / self.lower


def gaps(families: Sequence[str] = FAMILIES, d: int = 2, S: float = 1.0, delta: float = 0.05) -> Iterator[Gap]:
    """One row for each family and horizon."""
    for name in families:
        family = catalog.get(name)
        trivial = float(family.mu(S) - family.mu(-S))
        for T in HORIZONS:
            upper, lower = upper_bound(family, d, S, delta, T), lower_bound(family, d, S, T)
            yield Gap(name, d, S, delta, T, upper, lower, trivial * T)


def upper_bound(family: Family, d: int, S: float, delta: float, T: int) -> float:
    """theorem:regret with the sharpest constants, chosen for this T (claim `sharpest_regret_bound`)."""
    problem = sharpest_problem(family, d, S, delta, 0.0, (1.0, 1.0), 0.0)
    return tuning.least(problem, T).regret_bound(T)


def lower_bound(family: Family, d: int, S: float, T: int) -> float:
    """The largest floor of a hypercube of size w <= S around theta_* = 0, over a grid of sizes."""
    R_s = float(concordance.R_s(family, S).upper)
    slope = float(family.dmu(0.0))
    best = float(lower_constants.cube_radius(d, slope, 1.0, 1.0, T))
    sizes = min(best, S) * np.linspace(1 / SIZES, 1, SIZES)
    return max(float(lower_constants.cube_floor(d, float(w), slope, float(np.exp(R_s * w)), 1.0, T)) for w in sizes)
