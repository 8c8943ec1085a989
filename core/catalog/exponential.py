"""Waiting times with mean -1/z."""

import sympy as sp
from glbcheck.core.family import Family, Support, z


def family() -> Family:
    return Family(
        name="exponential",
        log_partition=-sp.log(-z),
        support=Support(sp.S.Zero, sp.oo),
        log_base=sp.S.Zero,
        domain=sp.Interval.open(-sp.oo, 0),
        sampler=lambda rng, at, disp: rng.exponential(-1 / at),
    )
