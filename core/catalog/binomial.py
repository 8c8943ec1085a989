"""Counts of successes in n trials."""

from typing import Any

from glbcheck.core.catalog.bernoulli import chance_of_success
from glbcheck.core.exact import natural
from glbcheck.core.family import Family, Formulas, Support, later

LARGEST_WRITTEN = 200


def family(n: int = 10) -> Family:
    natural("n", n, 1)
    return later(
        name=f"binomial(n={n})",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=n * sp.log(1 + sp.exp(z)),
            support=Support(sp.S.Zero, sp.Integer(n), step=sp.S.One),
            log_base=_log_factorial(sp, n) - sp.loggamma(r + 1) - sp.loggamma(n - r + 1),
        ),
        sampler=lambda rng, at, disp: rng.binomial(n, chance_of_success(at)),
    )


def _log_factorial(sp: Any, n: int) -> Any:
    """log n!, kept as a value of log gamma where the number itself would have thousands of digits."""
    return sp.loggamma(n + 1, evaluate=n <= LARGEST_WRITTEN)
