"""Gamma rewards of shape 1/g and mean -1/z."""

from glbcheck.core.family import POSITIVE, Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="gamma",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=-sp.log(-z),
            support=Support(sp.S.Zero, sp.oo),
            log_base=(1 / g - 1) * sp.log(r) - sp.log(g) / g - sp.loggamma(1 / g),
            domain=sp.Interval.open(-sp.oo, 0),
        ),
        dispersions=POSITIVE,
        sampler=lambda rng, at, disp: rng.gamma(1 / disp, -disp / at),
    )
