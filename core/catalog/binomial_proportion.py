"""The share of successes in n = 1/g trials: logistic rewards whose dispersion shrinks with n."""

import sympy as sp
from glbcheck.core.family import RECIPROCAL, Family, Support, g, r, z


def family() -> Family:
    import scipy.special as special

    return Family(
        name="binomial_proportion",
        log_partition=sp.log(1 + sp.exp(z)),
        support=Support(sp.S.Zero, sp.S.One, step=g),
        log_base=sp.loggamma(1 / g + 1) - sp.loggamma(r / g + 1) - sp.loggamma((1 - r) / g + 1),
        dispersions=RECIPROCAL,
        sampler=lambda rng, at, disp: rng.binomial(round(1 / disp), special.expit(at)) / round(1 / disp),
    )
