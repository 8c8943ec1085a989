"""r = g k with k Poisson of mean exp(z)/g: mean exp(z), variance g exp(z), any g > 0."""

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import POSITIVE, Family, Formulas, Support, later


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
    return np.asarray(dispersion * rng.poisson(np.exp(at) / dispersion))


def family() -> Family:
    return later(
        name="scaled_poisson",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.exp(z),
            support=Support(sp.S.Zero, sp.oo, step=g),
            log_base=-r / g * sp.log(g) - sp.loggamma(r / g + 1),
        ),
        dispersions=POSITIVE,
        sampler=sample,
    )
