"""The cosine of a von Mises angle of concentration z."""

import numpy as np
from glbcheck.core.family import Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="von_mises",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log(sp.besseli(0, z)),
            support=Support(-sp.S.One, sp.S.One),
            log_base=-sp.log(sp.pi) - sp.log(1 - r**2) / 2,
        ),
        sampler=lambda rng, at, disp: np.copysign(1.0, at) * np.cos(rng.vonmises(0.0, np.abs(at))),
    )
