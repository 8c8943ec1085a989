"""r = g k with k negative binomial of size n/g: failures before the (n/g)-th success, any g > 0."""

import numpy as np
from glbcheck.core.exact import natural
from glbcheck.core.family import POSITIVE, Family, Formulas, Support, later


def family(n: int = 3) -> Family:
    natural("n", n, 1)
    return later(
        name=f"negative_binomial(n={n})",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=-n * sp.log(1 - sp.exp(z)),
            support=Support(sp.S.Zero, sp.oo, step=g),
            log_base=sp.loggamma((r + n) / g) - sp.loggamma(n / g) - sp.loggamma(r / g + 1),
            domain=sp.Interval.open(-sp.oo, 0),
        ),
        dispersions=POSITIVE,
        sampler=lambda rng, at, disp: disp * rng.negative_binomial(n / disp, -np.expm1(at)),
    )
