"""Normal rewards with mean z and variance g: the linear bandit."""

import numpy as np
import sympy as sp
from glbcheck.core.arrays import Floats
from glbcheck.core.family import POSITIVE, Family, Support, g, r, z


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
    return rng.normal(at, dispersion**0.5)


def family() -> Family:
    return Family(
        name="gaussian",
        log_partition=z**2 / 2,
        support=Support(-sp.oo, sp.oo),
        log_base=-(r**2) / (2 * g) - sp.log(2 * sp.pi * g) / 2,
        dispersions=POSITIVE,
        sampler=sample,
    )
