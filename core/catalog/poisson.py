"""Counts with mean exp(z): the Poisson bandit."""

import numpy as np
import sympy as sp
from glbcheck.core.family import Family, Support, r, z


def family() -> Family:
    return Family(
        name="poisson",
        log_partition=sp.exp(z),
        support=Support(sp.S.Zero, sp.oo, step=sp.S.One),
        log_base=-sp.loggamma(r + 1),
        sampler=lambda rng, at, disp: rng.poisson(np.exp(at)),
    )
