"""Counts of successes in n trials."""

import sympy as sp
from glbcheck.core.exact import natural
from glbcheck.core.family import Family, Support, r, z


def family(n: int = 10) -> Family:
    import scipy.special as special

    natural("n", n, 1)
    return Family(
        name=f"binomial(n={n})",
        log_partition=n * sp.log(1 + sp.exp(z)),
        support=Support(sp.S.Zero, sp.Integer(n), step=sp.S.One),
        log_base=sp.loggamma(n + 1) - sp.loggamma(r + 1) - sp.loggamma(n - r + 1),
        sampler=lambda rng, at, disp: rng.binomial(n, special.expit(at)),
    )
