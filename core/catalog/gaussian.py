"""Normal rewards with mean z and variance g: the linear bandit."""

import sympy as sp
from glbcheck.core.family import POSITIVE, Family, Support, g, r, z


def family() -> Family:
    return Family(
        name="gaussian",
        log_partition=z**2 / 2,
        support=Support(-sp.oo, sp.oo),
        log_base=-(r**2) / (2 * g) - sp.log(2 * sp.pi * g) / 2,
        dispersions=POSITIVE,
        sampler=lambda rng, at, disp: rng.normal(at, disp**0.5),
    )
