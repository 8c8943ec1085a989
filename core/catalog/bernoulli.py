"""Binary rewards: the logistic bandit."""

import numpy as np
import sympy as sp
from glbcheck.core.arrays import Floats, repeated
from glbcheck.core.family import Family, Support, z
from numpy.typing import NDArray


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> NDArray[np.int64]:
    """The numbers that `rng.binomial` would give, in a quarter of the time."""
    few = repeated(np.asarray(at))
    odds = np.exp(-np.abs(few))  # of the rarer outcome
    rare = rng.random(np.shape(at)) > 1 - odds / (1 + odds)
    return np.asarray(rare ^ (few > 0), dtype=np.int64)


def family() -> Family:
    return Family(
        name="bernoulli",
        log_partition=sp.log(1 + sp.exp(z)),
        support=Support(sp.S.Zero, sp.S.One, step=sp.S.One),
        log_base=sp.S.Zero,
        sampler=sample,
    )
