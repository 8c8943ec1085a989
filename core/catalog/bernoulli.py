"""Binary rewards: the logistic bandit."""

import sympy as sp
from glbcheck.core.family import Family, Support, z


def family() -> Family:
    import scipy.special as special

    return Family(
        name="bernoulli",
        log_partition=sp.log(1 + sp.exp(z)),
        support=Support(sp.S.Zero, sp.S.One, step=sp.S.One),
        log_base=sp.S.Zero,
        sampler=lambda rng, at, disp: rng.binomial(1, special.expit(at)),
    )
