"""Waiting times with mean -1/z."""

from glbcheck.core.family import Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="exponential",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=-sp.log(-z),
            support=Support(sp.S.Zero, sp.oo),
            log_base=sp.S.Zero,
            domain=sp.Interval.open(-sp.oo, 0),
        ),
        sampler=lambda rng, at, disp: rng.exponential(-1 / at),
    )
