"""Counts with mean exp(z): the Poisson bandit."""

import numpy as np
import sympy as sp
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family, Support, r, z
from numpy.typing import NDArray


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> NDArray[np.int64]:
    return rng.poisson(np.exp(at))


def family() -> Family:
    return Family(
        name="poisson",
        log_partition=sp.exp(z),
        support=Support(sp.S.Zero, sp.oo, step=sp.S.One),
        log_base=-sp.loggamma(r + 1),
        sampler=sample,
    )
