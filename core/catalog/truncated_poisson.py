"""Poisson counts, given that there are at most n."""

import math

import numpy as np
from glbcheck.core.exact import natural
from glbcheck.core.family import Family, Floats, Formulas, Support, later


def family(n: int = 5) -> Family:
    natural("n", n, 1)
    counts = np.arange(n + 1)
    log_weights = -np.array([math.log(math.factorial(k)) for k in range(n + 1)])

    def sample(rng: np.random.Generator, at: Floats, disp: float) -> Floats:
        logits = np.multiply.outer(np.asarray(at), counts) + log_weights
        gumbel = rng.gumbel(size=logits.shape)  # the largest perturbed logit is an exact draw
        return np.asarray(np.argmax(logits + gumbel, axis=-1), dtype=float)

    return later(
        name=f"truncated_poisson(n={n})",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log(sp.Add(*[sp.exp(k * z) / sp.factorial(k) for k in range(n + 1)])),
            support=Support(sp.S.Zero, sp.Integer(n), step=sp.S.One),
            log_base=-sp.loggamma(r + 1),
        ),
        sampler=sample,
    )
