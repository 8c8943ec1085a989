"""The hyperbolic secant density, and averages of n = 1/g draws from it."""

import numpy as np
from glbcheck.core.family import RECIPROCAL, Family, Floats, Formulas, Support, later


def _sample(rng: np.random.Generator, at: Floats, disp: float) -> Floats:
    """log(A/B)/pi with A, B gamma of shapes 1/2 + z/pi and 1/2 - z/pi has transform cos z / cos(z + t)."""
    draws = round(1 / disp)
    total = np.zeros(np.shape(at))
    for _ in range(draws):
        total += _log_gamma(rng, 0.5 + at / np.pi) - _log_gamma(rng, 0.5 - at / np.pi)
    return total / (np.pi * draws)


def _log_gamma(rng: np.random.Generator, shape: Floats) -> Floats:
    """log of a gamma draw, which underflows for small shapes: one of shape + 1 times U^(1/shape), U uniform."""
    return np.log(rng.gamma(shape + 1)) - rng.standard_exponential(np.shape(shape)) / shape


def family() -> Family:
    return later(
        name="hyperbolic_secant",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=-sp.log(sp.cos(z)),
            support=Support(-sp.oo, sp.oo),
            log_base=(1 / g - 2) * sp.log(2)
            - sp.log(sp.pi * g)
            - sp.loggamma(1 / g)
            + sp.loggamma((1 + sp.I * r) / (2 * g))
            + sp.loggamma((1 - sp.I * r) / (2 * g)),
            domain=sp.Interval.open(-sp.pi / 2, sp.pi / 2),
        ),
        dispersions=RECIPROCAL,
        sampler=_sample,
    )
