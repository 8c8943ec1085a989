"""One family on one data set: excluded, or fitted and tested, and the word that follows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family
from glbcheck.core.fitting.candidates import Candidate, candidate, too_large
from glbcheck.core.fitting.data import Data
from glbcheck.core.fitting.distribution import NotSummed
from glbcheck.core.fitting.goodness import DRAWS, LEVEL, Test, binned_tests, quantile_tests
from glbcheck.core.fitting.learner import norm_error, setup
from glbcheck.core.fitting.likelihood import Maximum, NoMaximum, log_likelihood, maximise
from glbcheck.core.fitting.possible import common_step, impossible
from glbcheck.core.fitting.residuals import deviance, pearson, quantile
from glbcheck.core.fitting.result import Estimate, FamilyFit, Word
from glbcheck.core.fitting.scatter import Scatter, scatter
from numpy.typing import NDArray

TESTED = 2_000  # rows that the tests look at: with very many rows every model is rejected
COARSE = 0.25  # a step of the rewards, in fitted spreads, that rounding does not explain
FEW_DRAWS = 199  # where another test has rejected already


def judged(name: str, n: int | None, data: Data, seed: int) -> FamilyFit:
    """The word for a family of the catalogue, with everything that led to it."""
    unknown = too_large(name, n, data)
    if unknown:
        family = catalog.get(name)
        no = impossible(catalog.get("poisson"), data)  # its support holds that of every n
        return FamilyFit(name, family, "excluded" if no else "undecided", str(no or unknown))
    some = data.only(tested_rows(data.n, seed))
    tried = candidate(name, n, data, lambda family: _best_likelihood(family, some))
    family = tried.family
    no = impossible(family, data)
    if no is not None:
        return FamilyFit(family.name, family, "excluded", str(no), chosen_n=tried.chosen_n)
    try:
        maximum = maximise(family, data)
    except NoMaximum as reason:
        return FamilyFit(family.name, family, "undecided", str(reason), chosen_n=tried.chosen_n)
    return _tested(tried, data, maximum, seed)


def _best_likelihood(family: Family, data: Data) -> float:
    if impossible(family, data) is not None:
        return -np.inf
    try:
        natural = maximise(family, data).natural
    except NoMaximum:
        return -np.inf
    return log_likelihood(family, data.rewards, natural, scatter(family, data, natural).values)


def _tested(tried: Candidate, data: Data, maximum: Maximum, seed: int) -> FamilyFit:
    family = tried.family
    spread = scatter(family, data, maximum.natural)
    known = data.dispersions is not None
    covariance: Floats = np.linalg.inv(maximum.information) * np.float64(1.0 if known else spread.values[0])
    estimate = _estimate(tried, data, maximum, spread, covariance)
    advice = setup(family, tried.call, data, maximum.theta, covariance, spread.single)
    rows = tested_rows(data.n, seed)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    parts = data.rewards[rows], maximum.natural[rows], spread.values[rows]
    try:
        residuals = quantile(family, *parts, rng)
    except NotSummed as problem:
        words = f"residuals: {problem}"
        return FamilyFit(family.name, family, "undecided", words, estimate, learner=advice, chosen_n=tried.chosen_n)
    normal = quantile_tests(residuals)
    draws = FEW_DRAWS if 4 * min(test.p_value for test in normal) < LEVEL else DRAWS
    others, bins = binned_tests(family, *parts, free=spread.estimated, rng=rng, most=draws)
    tests = (*_coarse_lattice(family, data, maximum, spread), *normal, *others)
    word, reason = _word(tests)
    if tried.at_limit:
        reason += f"; the likelihood still grew at n = {tried.n}, the largest tried"
    return FamilyFit(
        family.name, family, word, reason, estimate, tests, residuals, bins, advice, chosen_n=tried.chosen_n
    )


def tested_rows(n: int, seed: int) -> NDArray[np.int64]:
    if n <= TESTED:
        return np.arange(n, dtype=np.int64)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    return np.sort(rng.choice(n, TESTED, replace=False))


def _coarse_lattice(family: Family, data: Data, maximum: Maximum, spread: Scatter) -> list[Test]:
    """Rewards on a lattice have probability 0 under a density; only where the lattice is fine may they be rounded."""
    if family.support.step is not None:
        return []
    step = common_step(data.rewards)
    typical = float(np.median(np.sqrt(spread.values * family.dmu(maximum.natural))))
    if step <= COARSE * typical:
        return []
    how = f"every reward is a multiple of {step:.6g}, the fitted spread is {typical:.3g}: a density has no such steps"
    return [Test("lattice", step / typical, 0.0, how)]


def _word(tests: Sequence[Test]) -> tuple[Word, str]:
    """Bonferroni: the tests together err with probability at most LEVEL."""
    worst = min(tests, key=lambda test: test.p_value)
    if len(tests) * worst.p_value < LEVEL:
        said = worst.how if worst.p_value == 0 else f"{worst.name}: p = {worst.p_value:.2g}"
        return "contradicted", said
    return "plausible", f"smallest p of {len(tests)}: {worst.name}, {worst.p_value:.2g}"


def _estimate(tried: Candidate, data: Data, maximum: Maximum, spread: Scatter, covariance: Floats) -> Estimate:
    family, rows = tried.family, (data.rewards, maximum.natural, spread.values)
    value = log_likelihood(family, *rows)
    parameters = data.d + spread.parameters + tried.chosen_n
    residuals, deviances = pearson(family, *rows), deviance(family, *rows)
    return Estimate(
        theta=maximum.theta,
        standard_errors=np.sqrt(np.diag(covariance)),
        norm=float(np.linalg.norm(maximum.theta)),
        norm_error=norm_error(maximum.theta, covariance),
        dispersion=spread.single,
        dispersion_how=spread.how,
        parameters=parameters,
        log_likelihood=value,
        aic=2 * parameters - 2 * value,
        deviance=None if deviances is None else float(np.sum(deviances**2)),
        variance_ratio=float(np.sum(residuals**2)) / (data.n - data.d),
        natural=maximum.natural,
        pearson=residuals,
        deviances=deviances,
    )
