"""Signs: +1 or -1."""

import sympy as sp
from glbcheck.core.family import Family, Support, z


def family() -> Family:
    import scipy.special as special

    return Family(
        name="rademacher",
        log_partition=sp.log(sp.cosh(z)),
        support=Support(-sp.S.One, sp.S.One, step=sp.S(2)),
        log_base=-sp.log(sp.S(2)),
        sampler=lambda rng, at, disp: 2 * rng.binomial(1, special.expit(2 * at)) - 1,
    )
