"""The uniform distribution on [0, 1], exponentially tilted."""

import numpy as np
from glbcheck.core.family import Family, Floats, Formulas, Support, later


def tilted_uniform(rng: np.random.Generator, at: Floats) -> Floats:
    """Draws with density proportional to exp(z r) on [0, 1], by inversion; z = 0 is the uniform itself."""
    u = rng.random(np.shape(at))
    size = np.abs(at)
    safe = np.where(size < 1e-8, 1.0, size)
    # For a positive tilt the mass sits near 1: measure 1 - r, which is exponential cut at 1.
    from_far_end = -np.log1p(u * np.expm1(-safe)) / safe
    from_far_end = np.where(size < 1e-8, u, from_far_end)
    return np.where(at >= 0, 1 - from_far_end, from_far_end)


def family() -> Family:
    return later(
        name="continuous_bernoulli",
        formulas=lambda sp, z, r, g: Formulas(
            log_partition=sp.log((sp.exp(z) - 1) / z), support=Support(sp.S.Zero, sp.S.One), log_base=sp.S.Zero
        ),
        sampler=lambda rng, at, disp: tilted_uniform(rng, np.asarray(at)),
    )
