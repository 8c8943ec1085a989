"""What SciPy knows about our families: independent densities, written in SciPy's own parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as special
import scipy.stats as stats
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LogDensity = Callable[[Floats, float, float], Any]


def _counts(frozen: Callable[[float, float], Any]) -> LogDensity:
    """A lattice family r = g k, with k following a SciPy distribution that depends on z and g."""
    return lambda r, z, g: frozen(z, g).logpmf(np.round(r / g))


LOG_DENSITY: dict[str, LogDensity] = {
    "gaussian": lambda r, z, g: stats.norm(z, g**0.5).logpdf(r),
    "bernoulli": lambda r, z, g: stats.bernoulli(special.expit(z)).logpmf(r),
    "binomial": lambda r, z, g: stats.binom(10, special.expit(z)).logpmf(r),
    "binomial_proportion": _counts(lambda z, g: stats.binom(round(1 / g), special.expit(z))),
    "poisson": lambda r, z, g: stats.poisson(np.exp(z)).logpmf(r),
    "scaled_poisson": _counts(lambda z, g: stats.poisson(np.exp(z) / g)),
    "negative_binomial": _counts(lambda z, g: stats.nbinom(3 / g, -np.expm1(z))),
    "geometric": lambda r, z, g: stats.geom(-np.expm1(z), loc=-1).logpmf(r),
    "exponential": lambda r, z, g: stats.expon(scale=-1 / z).logpdf(r),
    "gamma": lambda r, z, g: stats.gamma(1 / g, scale=-g / z).logpdf(r),
    "inverse_gaussian": lambda r, z, g: stats.invgauss(g / np.sqrt(-2 * z), scale=1 / g).logpdf(r),
    "von_mises": lambda r, z, g: (
        np.log(2) + stats.vonmises(abs(z)).logpdf(np.arccos(np.sign(z) * r)) - np.log(1 - r**2) / 2
    ),
    "uniform": lambda r, z, g: _truncated_exponential((r + 1) / 2, 2 * z) - np.log(2),
    "continuous_bernoulli": lambda r, z, g: _truncated_exponential(r, z),
    "rademacher": lambda r, z, g: stats.bernoulli(special.expit(2 * z)).logpmf((r + 1) / 2),
    "skellam": _counts(lambda z, g: stats.skellam(np.exp(z) / (2 * g), np.exp(-z) / (2 * g))),
    "zero_truncated_poisson": lambda r, z, g: (
        stats.poisson(np.exp(z)).logpmf(r) - np.log(stats.poisson(np.exp(z)).sf(0))
    ),
    "truncated_poisson": lambda r, z, g: stats.poisson(np.exp(z)).logpmf(r) - stats.poisson(np.exp(z)).logcdf(5),
    # The hyperbolic secant is in SciPy at z = 0 and g = 1 only; tilting it is one line.
    "hyperbolic_secant": lambda r, z, g: stats.hypsecant(scale=2 / np.pi).logpdf(r) + r * z + np.log(np.cos(z)),
}


def _truncated_exponential(r: Floats, z: float) -> Any:
    rate = abs(z)
    return stats.truncexpon(b=rate, scale=1 / rate).logpdf(1 - r if z > 0 else r)
