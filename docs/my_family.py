"""A template: state m(z), where it lives, where rewards lie, and their base density; audit with

    glbcheck audit docs/my_family.py:family --S 1

Here: the number of failures before the second success, with natural parameter z = log of the failure rate.
"""

import numpy as np
import sympy as sp
from glbcheck.core.family import ONE, Family, Floats, Support, r, z


def draw(rng: np.random.Generator, at: Floats, dispersion: float) -> Floats:
    """Rewards at natural parameters `at`; leave the sampler out of a first audit if you have none."""
    return np.asarray(rng.negative_binomial(2, -np.expm1(at - 2)), dtype=float)


family = Family(
    name="second success",
    log_partition=-2 * sp.log(1 - sp.exp(z - 2)),  # m(z)
    domain=sp.Interval.open(-sp.oo, 2),  # where m is finite
    support=Support(sp.S.Zero, sp.oo, step=sp.S.One),  # 0, 1, 2, ...; without step an interval
    log_base=sp.log(r + 1) - 2 * r,  # log of the base density: exp(r z - m(z) + log_base) sums to 1
    dispersions=ONE,  # g = 1 only
    sampler=draw,
)
