"""Runs of the learner with the local constants on the families whose natural domain ends near [-S, S]."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from glbcheck.core import adversary, catalog, environment
from glbcheck.core.algorithm import HCWGLBOMD
from glbcheck.core.family import Family
from glbcheck.core.world import World, basis
from glbcheck.verify.search import montecarlo
from glbcheck.verify.writing import Evidence, claim

from .local_confidence import LOCAL
from .unprinted import BUDGET, NORMALISED

ENDING = ("exponential", "gamma", "geometric", "negative_binomial", "inverse_gaussian", "hyperbolic_secant")
S, BUDGET_OF_A_RUN, ROUNDS = 0.5, 2.0, 600


def moved(name: str) -> Family:
    """The family with [-S, S] well inside its domain."""
    family = catalog.get(name)
    return family.tilted(2) if family.domain.sup == 0 else family


def run_misses(name: str, scale: float | None, seed: int) -> bool:
    """One run against an adversary that mirrors theta_*; was theta_* ever outside C_t?

    The first iterate lies opposite to theta_*, and alpha is small enough not to count in lambda.  A run in which C_t
    stays Theta would show nothing and counts as a miss.
    """
    learner = HCWGLBOMD(
        moved(name), d=1, S=S, delta=0.2, C=BUDGET_OF_A_RUN, alpha=0.12, theta0=[-S],
        constants="local", radius_scale=scale, diagnose=True,
    )  # fmt: skip
    if scale is None and learner.guarantee.startswith("none"):
        return True
    world = World(np.array([S]), basis(1), attack=adversary.mirror(BUDGET_OF_A_RUN))
    path = environment.play(world, learner, ROUNDS, seed)
    return path.first_miss is not None or path.covering == path.rounds


def coverage(scale: float | None) -> Evidence:
    """Misses among 40 runs, the six families in turn, at delta = 1/5."""

    def misses(rng: np.random.Generator, trials: int) -> int:
        seeds = (int(seed) for seed in rng.integers(1 << 30, size=trials))
        return sum(run_misses(ENDING[i % len(ENDING)], scale, seed) for i, seed in enumerate(seeds))

    return montecarlo.bernoulli_at_most(misses, Fraction(1, 5), 40, Fraction(1, 1000), Fraction(1, 2), seed=7)


@claim(
    "theorem:confidence-sequence",
    "eq:CS",
    reading="repaired",
    hypotheses=("the six families of the catalogue with an end of the domain near [-S, S]", NORMALISED, LOCAL, BUDGET),
    expected="stress-tested",
    control=("four fifths of the radius", lambda: coverage(0.8)),
    uses=("local_confidence_sequence",),
)
def local_confidence_sequence_holds() -> Evidence:
    """theta_* lies in every C_t of runs with the local constants, for the families whose domain ends.

    Here on runs where C_t becomes smaller than Theta; the proof is as good as what it uses.
    """
    return coverage(None)
