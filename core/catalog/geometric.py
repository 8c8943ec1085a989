"""Failures before the first success."""

import numpy as np
from glbcheck.core.family import Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="geometric",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=-sp.log(1 - sp.exp(z)),
            support=Support(sp.S.Zero, sp.oo, step=sp.S.One),
            log_base=sp.S.Zero,
            domain=sp.Interval.open(-sp.oo, 0),
        ),
        sampler=lambda rng, at, disp: rng.geometric(-np.expm1(at)) - 1,
    )
