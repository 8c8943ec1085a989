"""Counts with mean exp(z): the Poisson bandit."""

import numpy as np
from glbcheck.core.family import Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="poisson",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.exp(z), support=Support(sp.S.Zero, sp.oo, step=sp.S.One), log_base=-sp.loggamma(r + 1)
        ),
        sampler=lambda rng, at, disp: rng.poisson(np.exp(at)),
    )
