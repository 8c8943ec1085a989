"""Poisson counts, given that there is at least one."""

import numpy as np
from glbcheck.core.family import Family, Floats, Formulas, Support, later


def _sample(rng: np.random.Generator, at: Floats, disp: float) -> Floats:
    """The first event falls at time t of a unit interval, the rest are Poisson on what is left."""
    rate = np.exp(at)
    first = -np.log1p(rng.random(np.shape(at)) * np.expm1(-rate)) / rate
    return np.asarray(1.0 + rng.poisson(rate * np.maximum(1 - first, 0.0)))


def family() -> Family:
    return later(
        name="zero_truncated_poisson",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.exp(z) + sp.log(1 - sp.exp(-sp.exp(z))),
            support=Support(sp.S.One, sp.oo, step=sp.S.One),
            log_base=-sp.loggamma(r + 1),
        ),
        sampler=_sample,
    )
