"""Poisson counts, given that there are at most n."""

import numpy as np
import sympy as sp
from glbcheck.core.exact import natural
from glbcheck.core.family import Family, Floats, Support, r, z


def family(n: int = 5) -> Family:
    natural("n", n, 1)
    counts = np.arange(n + 1)
    log_weights = -np.array([float(sp.loggamma(k + 1)) for k in range(n + 1)])

    def sample(rng: np.random.Generator, at: Floats, disp: float) -> Floats:
        logits = np.multiply.outer(np.asarray(at), counts) + log_weights
        gumbel = rng.gumbel(size=logits.shape)  # the largest perturbed logit is an exact draw
        return np.asarray(np.argmax(logits + gumbel, axis=-1), dtype=float)

    return Family(
        name=f"truncated_poisson(n={n})",
        log_partition=sp.log(sp.Add(*[sp.exp(k * z) / sp.factorial(k) for k in range(n + 1)])),
        support=Support(sp.S.Zero, sp.Integer(n), step=sp.S.One),
        log_base=-sp.loggamma(r + 1),
        sampler=sample,
    )
