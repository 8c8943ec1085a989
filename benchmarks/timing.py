"""What the benchmarks of the engine share: instances, clocks in turn, and ratios.

The two sides of a ratio are timed in turn, so that other work on the machine hits both alike, and the best time of each
counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import World
from glbcheck.core.environment.world import sphere
from glbcheck.core.parameters import Index, Parameters, parameters

S, ROUNDS, TURNS = 3.0, 2000, 5
FAMILY = catalog.get("bernoulli")


@dataclass(frozen=True)
class Ratio:
    """`ours` and `theirs` are microseconds a round; `factor` is what was gained, `wanted` what was hoped for."""

    what: str
    ours: float
    against: str
    theirs: float
    factor: float
    wanted: str

    def __str__(self) -> str:
        return (
            f"  {self.what:44s} {self.ours:8.3f}   {self.against} {self.theirs:8.3f} = {self.factor:6.2f}x"
            f"   wanted {self.wanted}"
        )


def ratio(what: str, ours: float, against: str, theirs: float, rounds: int, wanted: str) -> Ratio:
    micro = 1e6 / rounds
    return Ratio(what, micro * ours, against, micro * theirs, theirs / ours, wanted)


def multiple(what: str, ours: float, against: str, theirs: float, rounds: int, most: float) -> Ratio:
    """Of what takes as long as the other side at best: the factor is how many times as long."""
    return replace(ratio(what, ours, against, theirs, rounds, f"at most {most}x"), factor=ours / theirs)


class Instance:
    """A set of arms that stays, sets that change, and the rewards of all of them."""

    def __init__(self, d: int, K: int) -> None:
        rng = np.random.default_rng(d)
        self.d, self.K = d, K
        self.theta = 2.0 * sphere(rng, 1, d)[0]
        self.staying = (1 - 1e-9) * sphere(rng, K, d)
        self.changing = (1 - 1e-9) * sphere(rng, K * ROUNDS, d).reshape(ROUNDS, K, d)
        self._chance = rng.random((ROUNDS, K))

    def arms(self, change: bool) -> Floats:
        return self.changing if change else self.staying

    def rewards(self, arms: Floats) -> Floats:
        means = np.broadcast_to(FAMILY.mu(arms @ self.theta), self._chance.shape)
        return (self._chance < means).astype(float)

    def parameters(self, index: Index = "closed-form") -> Parameters:
        return parameters(FAMILY, self.d, S, 0.05, 0.0, index=index)

    def world(self, change: bool = False) -> World:
        """The arms of a block of rounds, over and over, if they change: no time goes into making them."""
        return World(self.theta, (lambda rng, first, count: self.changing[:count]) if change else self.staying)


def in_turn(
    *sides: Callable[[], object], turns: int = TURNS, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Seconds of each side, the best of a few turns; one turn before them is not counted."""
    best = [float("inf")] * len(sides)
    for turn in range(turns + 1):
        for i, side in enumerate(sides):
            start = clock()
            side()
            if turn:
                best[i] = min(best[i], clock() - start)
    return best
