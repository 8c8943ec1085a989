"""Signs: +1 or -1."""

from glbcheck.core.catalog.bernoulli import chance_of_success
from glbcheck.core.family import Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="rademacher",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log(sp.cosh(z)),
            support=Support(-sp.S.One, sp.S.One, step=sp.S(2)),
            log_base=-sp.log(sp.S(2)),
        ),
        sampler=lambda rng, at, disp: 2 * rng.binomial(1, chance_of_success(2 * at)) - 1,
    )
