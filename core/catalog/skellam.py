"""r = g (k1 - k2) with k1, k2 Poisson of means exp(z)/(2g) and exp(-z)/(2g), any g > 0."""

import numpy as np
from glbcheck.core.family import POSITIVE, Family, Floats, Formulas, Support, later


def _sample(rng: np.random.Generator, at: Floats, disp: float) -> Floats:
    up, down = rng.poisson(np.exp(at) / (2 * disp)), rng.poisson(np.exp(-at) / (2 * disp))
    return np.asarray(disp * (np.asarray(up, dtype=float) - down))


def family() -> Family:
    return later(
        name="skellam",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.cosh(z),
            support=Support(-sp.oo, sp.oo, step=g),
            log_base=sp.log(sp.besseli(sp.Abs(r) / g, 1 / g)),
        ),
        dispersions=POSITIVE,
        sampler=_sample,
    )
