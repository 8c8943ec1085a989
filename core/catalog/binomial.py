"""Counts of successes in n trials."""

import sympy as sp
from glbcheck.core.exact import natural
from glbcheck.core.family import Family, Support, r, z

LARGEST_WRITTEN = 200


def family(n: int = 10) -> Family:
    import scipy.special as special

    natural("n", n, 1)
    return Family(
        name=f"binomial(n={n})",
        log_partition=n * sp.log(1 + sp.exp(z)),
        support=Support(sp.S.Zero, sp.Integer(n), step=sp.S.One),
        log_base=_log_factorial(n) - sp.loggamma(r + 1) - sp.loggamma(n - r + 1),
        sampler=lambda rng, at, disp: rng.binomial(n, special.expit(at)),
    )


def _log_factorial(n: int) -> sp.Expr:
    """log n!, kept as a value of log gamma where the number itself would have thousands of digits."""
    return sp.loggamma(n + 1, evaluate=n <= LARGEST_WRITTEN)
