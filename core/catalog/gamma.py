"""Gamma rewards of shape 1/g and mean -1/z."""

import sympy as sp
from glbcheck.core.family import POSITIVE, Family, Support, g, r, z


def family() -> Family:
    return Family(
        name="gamma",
        log_partition=-sp.log(-z),
        support=Support(sp.S.Zero, sp.oo),
        log_base=(1 / g - 1) * sp.log(r) - sp.log(g) / g - sp.loggamma(1 / g),
        domain=sp.Interval.open(-sp.oo, 0),
        dispersions=POSITIVE,
        sampler=lambda rng, at, disp: rng.gamma(1 / disp, -disp / at),
    )
