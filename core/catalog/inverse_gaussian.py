"""First-passage times with mean (-2z)^(-1/2) and shape 1/g."""

import numpy as np
from glbcheck.core.family import POSITIVE, Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="inverse_gaussian",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=-sp.sqrt(-2 * z),
            support=Support(sp.S.Zero, sp.oo),
            log_base=-1 / (2 * g * r) - sp.log(2 * sp.pi * g) / 2 - 3 * sp.log(r) / 2,
            domain=sp.Interval.Lopen(-sp.oo, 0),  # z = 0 is a distribution too, with infinite mean
        ),
        dispersions=POSITIVE,
        sampler=lambda rng, at, disp: rng.wald(1 / np.sqrt(-2 * at), 1 / disp),
    )
