"""The uniform distribution on [-1, 1], exponentially tilted."""

import numpy as np
from glbcheck.core.catalog.continuous_bernoulli import tilted_uniform
from glbcheck.core.family import Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="uniform",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log(sp.sinh(z) / z), support=Support(-sp.S.One, sp.S.One), log_base=-sp.log(sp.S(2))
        ),
        sampler=lambda rng, at, disp: 2 * tilted_uniform(rng, 2 * np.asarray(at)) - 1,
    )
