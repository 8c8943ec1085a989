"""Which dispersion: given, fixed by the family, read off the lattice of the rewards, or estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family, g
from glbcheck.core.fitting.data import Data
from glbcheck.core.fitting.likelihood import log_likelihood
from glbcheck.core.fitting.possible import lattice_step

IRREGULAR = 0.7123  # a dispersion that no lattice and no list of fractions allows
FINER = 16  # how often the step of the rewards may be divided


@dataclass(frozen=True, eq=False)
class Scatter:
    """The dispersion of every row, and how it was found."""

    values: Floats
    how: str
    estimated: bool  # from the residuals: one more parameter, and the size of the variance cannot be wrong
    parameters: int

    @property
    def single(self) -> float | None:
        """The one dispersion of all rows, if it is one."""
        return float(self.values[0]) if np.ptp(self.values) == 0 else None


def scatter(family: Family, data: Data, natural: Floats) -> Scatter:
    """The dispersions of the fit; θ does not depend on one that all rows share."""
    if data.dispersions is not None:
        return Scatter(data.dispersions, "as given", False, 0)
    if not family.dispersions.allows(0.5):
        return Scatter(np.ones(data.n), "as the family says", False, 0)
    rough = pearson_dispersion(family, data, natural)
    if family.support.step is not None and family.support.step.has(g):
        step = lattice_step(family, data)
        best = _likeliest(family, data, natural, [step / k for k in range(1, FINER + 1)])
        return Scatter(np.full(data.n, best), "from the lattice of the rewards, by likelihood", False, 1)
    if family.dispersions.allows(IRREGULAR):
        return Scatter(np.full(data.n, rough), "Pearson estimate", True, 1)
    draws = max(1.0, 1 / rough)
    best = _likeliest(family, data, natural, [1 / np.floor(draws), 1 / np.ceil(draws)])
    return Scatter(np.full(data.n, best), "the 1/n beside the Pearson estimate, by likelihood", False, 1)


def pearson_dispersion(family: Family, data: Data, natural: Floats) -> float:
    """Σ (r - μ)² / μ' over n - d."""
    squares = (data.rewards - family.mu(natural)) ** 2 / family.dmu(natural)
    return max(float(np.sum(squares)) / (data.n - data.d), 1e-300)


def _likeliest(family: Family, data: Data, natural: Floats, candidates: list[float]) -> float:
    allowed = [float(value) for value in candidates if family.dispersions.allows(float(value))]
    values = [log_likelihood(family, data.rewards, natural, np.full(data.n, value)) for value in allowed]
    return allowed[int(np.argmax(values))]
