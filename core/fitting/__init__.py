"""Which families of the catalogue fit a data set, and how a learner is set up for them.

    found = fit(rewards, contexts)
    found.best.name, found.best.estimate.theta, found.best.learner.code

The model is the paper's: r has natural parameter ⟨x, θ⟩ with the canonical link.  A fit is never a proof: a family
that is not contradicted may still be wrong in a way that these rows do not show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.errors import BadInput
from glbcheck.core.fitting.candidates import read_names
from glbcheck.core.fitting.data import Data, checked_data
from glbcheck.core.fitting.judge import TESTED, judged
from glbcheck.core.fitting.result import TWIN, WORDS, Estimate, FamilyFit, Fit
from numpy.typing import ArrayLike

__all__ = ["Estimate", "FamilyFit", "Fit", "fit"]

FEW = 100
CHOSEN = 10.0  # of AIC: an n that is the largest reward gains more likelihood by chance than a parameter is priced at
TIED = 0.05  # share of repeated rewards above which rewards count as discrete


def fit(
    rewards: ArrayLike,
    contexts: ArrayLike | None = None,
    *,
    dispersion: ArrayLike | None = None,
    families: Sequence[str] | None = None,
    intercept: bool = False,
    columns: Sequence[str] | None = None,
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> Fit:
    """Every family tried on the data, best first.

    `dispersion` is a number or one per row where it is known; `intercept` adds a constant to every context; `seed`
    fixes the randomised residuals, the rows that are tested and the draws they are compared with.  `progress` is told
    each family before its turn, how many went before it and how many there are.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise BadInput("seed", seed, "a whole number of at least 0")
    names = read_names(catalog.NAMES if families is None else families)
    data = checked_data(rewards, contexts, dispersion, columns=columns, intercept=intercept)
    tied = bool(1 - np.unique(data.rewards).size / data.n > TIED)
    found = []
    for done, (name, n) in enumerate(names):
        if progress is not None:
            progress(name, done, len(names))
        found.append(judged(name, n, data, seed))
    found.sort(key=lambda one: _rank(one, tied))
    notes = tuple(_notes(data, found))
    return Fit(
        data.n, min(data.n, TESTED), data.columns, tuple(data.scales.tolist()), seed, tuple(_twins(found)), notes
    )


def _twins(found: Sequence[FamilyFit]) -> Iterator[FamilyFit]:
    """A family that gives these rows the same probabilities as one before it says so."""
    seen: list[tuple[str, float]] = []
    for one in found:
        value = None if one.estimate is None else one.estimate.log_likelihood
        twin = next((name for name, other in seen if value is not None and abs(value - other) <= 1e-7), None)
        if one.word == "plausible" and value is not None and twin is None:
            seen.append((one.name, value))
        yield one if twin is None or one.word != "plausible" else replace(one, reason=f"{TWIN} {twin}")


def _rank(one: FamilyFit, tied: bool) -> tuple[int, bool, float]:
    """By word; then laws of the data's own kind, since a mass and a density are not comparable; then by AIC."""
    aic = np.inf if one.estimate is None else one.estimate.aic + CHOSEN * one.chosen_n
    return WORDS.index(one.word), one.discrete != tied, aic


def _notes(data: Data, found: Sequence[FamilyFit]) -> Iterator[str]:
    """What a reader should know before believing a word of it."""
    if data.n < FEW:
        yield f"{data.n} rows are few: the tests would miss much"
    if data.n > TESTED:
        yield f"θ is fitted to all {data.n} rows; the tests look at {TESTED} of them, chosen by the seed"
    if (data.scales != 1).any():
        yield "contexts were scaled into the unit ball, column by column; θ and S are in these units"
    if data.constant is None:
        yield "no constant is among the contexts: at x = 0 every family has z = 0 (--intercept adds one)"
    if len({one.discrete for one in found if one.word == "plausible"}) == 2:
        yield "AIC compares masses with masses and densities with densities, not one kind with the other"
    sized = [one.name for one in found if one.chosen_n and one.word == "plausible"]
    if sized:
        yield f"n was chosen by likelihood, which must gain {CHOSEN:g} of AIC to rank first: {', '.join(sized)}"
