"""Normal rewards with mean z and variance g: the linear bandit."""

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import POSITIVE, Family, Formulas, Support, later


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
    return rng.normal(at, dispersion**0.5)


def family() -> Family:
    return later(
        name="gaussian",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=z**2 / 2,
            support=Support(-sp.oo, sp.oo),
            log_base=-(r**2) / (2 * g) - sp.log(2 * sp.pi * g) / 2,
        ),
        dispersions=POSITIVE,
        sampler=sample,
    )
