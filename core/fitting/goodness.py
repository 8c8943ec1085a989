"""Tests of a fitted law, with p-values that err towards keeping a family.

Anderson-Darling compares quantile residuals with the standard normal law, and once more after they are given mean 0
and variance 1, which finds a wrong shape that a fitted θ and g hide.  θ was fitted to the same rows, which makes
residuals fit better than they should: the first p-value is too large, the second allows for mean and variance alone.
Mean and variance are compared in bins of the fitted mean; the p-value counts draws of the fitted law that look worse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from numpy.polynomial import legendre
from numpy.typing import NDArray

LEVEL = 0.001  # of all tests of one family together
SMALLEST = 1e-12  # p-values below are not told apart
DRAWS = 4999
LEAST_DRAWS = 400  # the band of a figure needs them
BATCH = 100
ENOUGH = 30  # draws that look worse: then the p-value is known well enough
IN_A_BIN = 30
MOST_BINS = 10
X, W = legendre.leggauss(400)


@dataclass(frozen=True)
class Test:
    """One test: what it asks, its statistic, its p-value, and how that was found."""

    __test__ = False  # not a test class of pytest

    name: str
    statistic: float
    p_value: float
    how: str


@dataclass(frozen=True)
class Bin:
    """Rows of like fitted mean: mean and mean square of their Pearson residuals; 98% of draws lie from low to high."""

    fitted: float
    rows: int
    mean: float
    square: float
    low: float
    high: float


def quantile_tests(residuals: Floats) -> tuple[Test, Test]:
    """Are quantile residuals standard normal, and are they normal at all?"""
    n = residuals.size
    standard = anderson_darling(residuals)
    first = Test("quantiles", standard, anderson_darling_tail(standard), f"Anderson-Darling, {n} residuals, N(0, 1)")
    spread = float(np.std(residuals, ddof=1))
    shape = anderson_darling((residuals - np.mean(residuals)) / spread) * (1 + 0.75 / n + 2.25 / n**2) if spread else n
    how = f"Anderson-Darling, {n} residuals, normal with mean and variance estimated"
    return first, Test("shape", shape, stephens_tail(shape), how)


def anderson_darling(residuals: Floats) -> float:
    """A² against N(0, 1)."""
    import scipy.special as special

    x = np.sort(residuals)
    odd = 2 * np.arange(1, x.size + 1) - 1
    return float(-x.size - np.mean(odd * (special.log_ndtr(x) + special.log_ndtr(-x[::-1]))))


def stephens_tail(x: float) -> float:
    """P(A² > x) for a normal law with estimated mean and variance: Stephens' fit, to be trusted for p < 1/2."""
    if x < 0.34:
        return 1.0
    if x < 0.6:
        return math.exp(0.9177 - 4.279 * x - 1.38 * x * x)
    return max(math.exp(1.2937 - 5.709 * x + 0.0186 * x * x), SMALLEST) if x < 10 else SMALLEST


def anderson_darling_tail(x: float) -> float:
    """P(A² > x) in the limit of many rows, by the series of Anderson and Darling (1954)."""
    if x <= 0.05:
        return 1.0
    if x > 26:
        return SMALLEST
    total, coefficient = 0.0, 1.0
    for j in range(60):
        rate = (4 * j + 1) ** 2 * math.pi**2 / (8 * x)
        if rate > 700:
            break
        end = math.sqrt(45 / rate)
        w = end * (X + 1) / 2
        integral = float(np.exp(x / (8 * (w * w + 1)) - rate * w * w) @ W) * end / 2
        total += coefficient * (4 * j + 1) * math.exp(-rate) * integral
        coefficient *= -(j + 0.5) / (j + 1)
    return max(1 - math.sqrt(2 * math.pi) / x * total, SMALLEST)


def bins_of(fitted: Floats) -> Floats:
    """The number of each row's bin: about equally many rows in each, equal means never parted."""
    count = min(MOST_BINS, fitted.size // IN_A_BIN)
    edges = np.unique(np.quantile(fitted, np.arange(1, count) / count))
    numbers = np.searchsorted(edges, fitted, side="left")
    # Means that differ by rounding alone are one mean.
    if np.ptp(fitted) <= 1e-9 * max(1.0, float(np.abs(fitted).max())):
        numbers = np.zeros(fitted.size, dtype=int)
    return np.asarray(np.unique(numbers, return_inverse=True)[1])


@dataclass(frozen=True, eq=False)
class _Binned:
    """Pearson residuals of one data set, or of many draws, put into the bins."""

    order: NDArray[np.int64]  # (n,), rows by their bin
    starts: NDArray[np.int64]  # (bins,), where each bin begins among them
    sizes: Floats
    free: bool  # is the dispersion estimated, so that only the shape of the variance can be wrong?

    def means(self, residuals: Floats) -> Floats:
        return np.asarray(np.add.reduceat(residuals[..., self.order], self.starts, axis=-1) / self.sizes)

    def mean_statistic(self, residuals: Floats) -> Floats:
        return np.asarray(self.means(residuals) ** 2 @ self.sizes)

    def variance_statistic(self, residuals: Floats) -> Floats:
        """How far the mean squares are apart, and, where the dispersion is not estimated, how far from 1 together."""
        whole = np.log(np.mean(residuals**2, axis=-1))
        logs = np.log(np.maximum(self.means(residuals**2), 1e-300)) - whole[..., None]
        apart = logs**2 @ self.sizes / max(self.sizes.size - 1, 1)
        return np.asarray(apart if self.free else apart + self.sizes.sum() * whole**2)

    def squares(self, residuals: Floats) -> Floats:
        """Mean squares of the bins; relative to that of all rows where the dispersion is estimated."""
        squares = self.means(residuals**2)
        return squares / np.mean(residuals**2, axis=-1, keepdims=True) if self.free else squares


def binned_tests(
    family: Family,
    rewards: Floats,
    natural: Floats,
    dispersions: Floats,
    free: bool,
    rng: np.random.Generator,
    most: int,
) -> tuple[tuple[Test, ...], tuple[Bin, ...]]:
    """Mean and variance against the fitted mean, judged by at most `most` draws of the fitted law."""
    mean, spread = family.mu(natural), np.sqrt(dispersions * family.dmu(natural))
    numbers = bins_of(mean)
    sizes = np.bincount(numbers).astype(float)
    if sizes.size == 1 and free:
        return (), ()  # one bin and a free dispersion: nothing is left that could be wrong
    starts = np.concatenate([[0], np.cumsum(np.bincount(numbers))[:-1]])
    binned = _Binned(np.argsort(numbers, kind="stable").astype(np.int64), starts, sizes, free)
    own = (rewards - mean) / spread
    statistics = {"variance": binned.variance_statistic}
    if sizes.size > 1:
        statistics["mean"] = binned.mean_statistic
    seen = {name: float(function(own)) for name, function in statistics.items()}
    worse, draws, squares = dict.fromkeys(seen, 0), 0, []
    while draws < min(most, LEAST_DRAWS) or (draws < most and min(worse.values()) < ENOUGH):
        count = min(BATCH, most - draws)
        sample = (_draws(family, natural, dispersions, rng, count) - mean) / spread
        squares.append(binned.squares(sample))
        for name, function in statistics.items():
            worse[name] += int(np.sum(function(sample) >= seen[name]))
        draws += count
    how = f"{sizes.size} bins of the fitted mean, {draws} draws of the fitted law"
    tests = tuple(Test(name, seen[name], (1 + worse[name]) / (1 + draws), how) for name in seen)
    low, high = np.quantile(np.concatenate(squares), [0.01, 0.99], axis=0)
    fitted, residual_means, residual_squares = binned.means(mean), binned.means(own), binned.squares(own)
    rows = zip(fitted, sizes, residual_means, residual_squares, low, high, strict=True)
    return tests, tuple(Bin(float(a), int(b), float(c), float(d), float(e), float(f)) for a, b, c, d, e, f in rows)


def _draws(family: Family, natural: Floats, dispersions: Floats, rng: np.random.Generator, count: int) -> Floats:
    made = np.empty((count, natural.size))
    for value in np.unique(dispersions):
        own = np.flatnonzero(dispersions == value)
        made[:, own] = family.sample(rng, natural[own], float(value), size=(count, own.size))
    return made
