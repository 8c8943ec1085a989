"""Counts with mean exp(z): the Poisson bandit."""

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family, Formulas, Support, later
from numpy.typing import NDArray


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> NDArray[np.int64]:
    return rng.poisson(np.exp(at))


def family() -> Family:
    return later(
        name="poisson",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.exp(z), support=Support(sp.S.Zero, sp.oo, step=sp.S.One), log_base=-sp.loggamma(r + 1)
        ),
        sampler=sample,
    )
