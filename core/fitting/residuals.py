"""Residuals of a fit: Pearson, deviance, and randomised quantile residuals, which are normal if the law is right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.fitting.distribution import below_and_at

SMALLEST = np.nextafter(0, 1)
FARTHEST = 1e-300  # probabilities beyond doubles give a residual of about 37, never an infinite one


def pearson(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> Floats:
    """(r - μ) / sqrt(g μ')."""
    return np.asarray((rewards - family.mu(natural)) / np.sqrt(dispersions * family.dmu(natural)))


def quantile(family: Family, rewards: Floats, natural: Floats, dispersions: Floats, rng: np.random.Generator) -> Floats:
    """Φ⁻¹(u) with u uniform between P(R < r) and P(R <= r): standard normal exactly if the law is right."""
    import scipy.special as special

    below, upto = below_and_at(family, rewards, natural, dispersions)
    u = below + rng.random(rewards.size) * (upto - below)
    return np.asarray(special.ndtri(np.clip(u, FARTHEST, 1 - 2.0**-53)))


def deviance(family: Family, rewards: Floats, natural: Floats, dispersions: Floats) -> Floats | None:
    """Signed root of twice the log-likelihood that a parameter of the row's own would gain; None for rarer laws."""
    name, _, n = family.name.rstrip(")").partition("(n=")
    if name not in LARGEST:
        return None
    best = LARGEST[name](rewards, float(n or 1))
    gained = (best - (rewards * natural - family.m(natural))) / dispersions
    return np.asarray(np.sign(rewards - family.mu(natural)) * np.sqrt(2 * np.maximum(gained, 0.0)))


def _poisson(r: Floats, n: float) -> Floats:
    import scipy.special as special

    return np.asarray(special.xlogy(r, r) - r)


def _gamma(r: Floats, n: float) -> Floats:
    return np.asarray(-n * (np.log(np.maximum(r, SMALLEST) / n) + 1))  # a density grows for ever towards 0


def _binomial(r: Floats, n: float) -> Floats:
    import scipy.special as special

    return np.asarray(special.xlogy(r, r / n) + special.xlogy(n - r, 1 - r / n))


LARGEST: dict[str, Callable[[Floats, float], Floats]] = {  # sup over z of r z - m(z)
    "gaussian": lambda r, n: r**2 / 2,
    "poisson": _poisson,
    "scaled_poisson": _poisson,
    "exponential": _gamma,
    "gamma": _gamma,
    "bernoulli": _binomial,
    "binomial": _binomial,
    "binomial_proportion": _binomial,
}
