"""Binary rewards: the logistic bandit."""

import numpy as np
from glbcheck.core.arrays import Floats, repeated
from glbcheck.core.family import Family, Formulas, Support, later
from numpy.typing import NDArray


def chance_of_success(at: Floats) -> Floats:
    """1/(1 + exp(-z)), without overflow."""
    odds = np.exp(-np.abs(at))  # of the rarer outcome
    return np.asarray(np.where(np.asarray(at) > 0, 1.0, odds) / (1 + odds))


def sample(rng: np.random.Generator, at: Floats, dispersion: float) -> NDArray[np.int64]:
    """The numbers that `rng.binomial` would give, in a quarter of the time."""
    few = repeated(np.asarray(at))
    odds = np.exp(-np.abs(few))  # of the rarer outcome
    rare = rng.random(np.shape(at)) > 1 - odds / (1 + odds)
    return np.asarray(rare ^ (few > 0), dtype=np.int64)


def family() -> Family:
    return later(
        name="bernoulli",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log(1 + sp.exp(z)), support=Support(sp.S.Zero, sp.S.One, step=sp.S.One), log_base=sp.S.Zero
        ),
        sampler=sample,
    )
