"""The ellipsoids on runs of the learner in the compiled loop: OFUL is CW-OFUL without corruption."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from glbcheck.core import catalog, rivals
from glbcheck.core.engine.episode import Episode
from glbcheck.core.environment.world import World, sphere
from glbcheck.core.theory.parameters import parameters
from glbcheck.verify.search import montecarlo
from glbcheck.verify.writing import Evidence, claim

from .setting import BOUNDED, NOISE

ROUNDS, DELTA = 300, Fraction(1, 5)


@claim(
    "thm:explicit-ellipsoid",
    reading="repaired",
    hypotheses=(NOISE, BOUNDED, "standard normal noise, eight arms of length 1, d = 2, S = 1, 300 rounds, delta = 1/5"),
    expected="stress-tested",
    control=("six tenths of the radius", 0.6),
    uses=("explicit_ellipsoid_repaired",),
)
def coverage_on_runs(share: float = 1.0) -> Evidence:
    """In runs of the compiled learner the repaired ellipsoids lose theta_* with probability at most delta.

    A miss is a run in which the error ever exceeds the radius.  Six tenths of the radius are noticed; more cannot
    be, since a bound that holds for all rounds and policies at once is not sharp in 300 rounds of one.
    """
    p = parameters(catalog.get("gaussian"), d=2, S=1.0, delta=float(DELTA), C=0.0)

    def misses(rng: np.random.Generator, count: int) -> int:
        lost = 0
        for _ in range(count):
            theta = sphere(rng, 1, 2)[0]
            world = World(theta, sphere(rng, 8, 2))
            found = rivals.run("cw-oful", p, Episode(world, ROUNDS, int(rng.integers(2**31))))
            lost += found.worst_ratio > share
        return lost

    return montecarlo.bernoulli_at_most(misses, DELTA, 400, Fraction(1, 1000), Fraction(2, 5), seed=1)
