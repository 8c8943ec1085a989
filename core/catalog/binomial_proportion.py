"""The share of successes in n = 1/g trials: logistic rewards whose dispersion shrinks with n."""

from glbcheck.core.catalog.bernoulli import chance_of_success
from glbcheck.core.family import RECIPROCAL, Family, Formulas, Support, later


def family() -> Family:
    return later(
        name="binomial_proportion",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log(1 + sp.exp(z)),
            support=Support(sp.S.Zero, sp.S.One, step=g),
            log_base=sp.loggamma(1 / g + 1) - sp.loggamma(r / g + 1) - sp.loggamma((1 - r) / g + 1),
        ),
        dispersions=RECIPROCAL,
        sampler=lambda rng, at, disp: rng.binomial(round(1 / disp), chance_of_success(at)) / round(1 / disp),
    )
