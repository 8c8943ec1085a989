"""How far the sharpest repaired upper bound on regret lies above the repaired lower bound, by family and horizon.

No corruption and g = 1.  Both speak of the worst instance with these d and S: the upper bound takes the largest slope
at every optimal arm, the lower one the best hypercube around theta_* = 0 (claim `heteroskedastic_lower_bound_glm`,
n = d).  The first holds with probability 1 - delta, the second in expectation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from glbcheck.core import catalog, concordance, lower_constants, tuning
from glbcheck.core.family import Family
from glbcheck.core.parameters import sharpest_problem

FAMILIES = ("gaussian", "bernoulli", "poisson")
HORIZONS = tuple(10**k for k in range(1, 13))
SIZES = 400  # how many sizes of the hypercube are tried for each horizon


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
