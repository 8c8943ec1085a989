"""A learner that is not told C: base learners with the guesses 1, 2, 4, ..., drawn by lot, and a test that drops some.

In the manner of COBE (Wei, Dann and Zimmert 2022): the larger the guess, the more rarely its learner is drawn, and a
learner whose rewards fall behind by more than its own regret bound allows is dropped.  Derived here, not theirs: the
regret bound, which is read off the confidence sets (Σ 2 L_μ ρ_t ‖x_t‖), and the test.  It drops a guess G >= C with
probability at most δ whatever the adversary does, for arms that stay and families with |μ''| <= R_s μ' up to 1/R_s
beyond [-S, S].  No regret bound is claimed: against an adversary that sees the arm there is none
(claim `price_of_not_knowing_the_budget`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import log
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.run import Outcome, Stage, outcome_of
from glbcheck.core.engine.state import W, square
from glbcheck.core.environment.world import PICKS
from glbcheck.core.errors import BadInput
from glbcheck.core.names import SUFFIX
from glbcheck.core.rivals.algorithm import Algorithm
from glbcheck.core.theory.parameters import Parameters, parameters
from numpy.typing import NDArray

EVERY = 16  # rounds between two tests


@dataclass(frozen=True)
class Selection:
    """A run, the guesses, how often each was drawn, and which were dropped."""

    outcome: Outcome
    guesses: Floats
    drawn: NDArray[np.int64]
    dropped: NDArray[np.bool_]


def guesses(T: int) -> Floats:
    """1, 2, 4, ..., up to the first that is T at least."""
    return np.asarray(2.0 ** np.arange(1 + math.ceil(math.log2(max(T, 1)))))


@lru_cache(maxsize=256)
def with_budget(p: Parameters, guess: float, delta: float) -> Parameters:
    """The same learner, told this budget and this failure probability."""
    more: dict[str, Any] = {"radius_form": p.radius_form}
    if p.choice is not None:
        more = {"horizon": p.horizon, "dispersions": (p.choice.problem.g_min, p.choice.problem.g_max)}
    return parameters(p.family, p.d, p.S, delta, guess, reading=p.use.name, index=p.index, **more)


def select(
    base: Algorithm, p: Parameters, episode: Episode, checkpoints: Sequence[int], scale: float = 1.0
) -> Selection:
    """Play the episode.  A `scale` below 1 shrinks the test's bounds by hand and carries no guarantee."""
    if not episode.world.arms_stay:
        raise BadInput("arms", "arms that change", f"arms that stay: {SUFFIX} compares mean rewards")
    G = guesses(episode.rounds)
    budgets = [with_budget(p, float(guess), p.delta / (2 * G.size)) for guess in G]
    attack = episode.world.attack.numbers()
    stages = [Stage(base.start(each, episode), p, episode, attack) for each in budgets]
    test = Test(G, noise_of(p, episode, G.size), scale)
    run_log, dice = log.blank(p.d, tuple(sorted(set(checkpoints))), 1), episode.stream(PICKS)
    run_log.sums[log.FIRST_INFORMATIVE] = 1.0  # what it says is of one learner, and here are many
    arms = np.asarray(episode.world.arms, dtype=float)
    span = float(p.family.mu(p.S) - p.family.mu(-p.S))
    for done, one in enumerate(stages[0].rounds_apart()):
        k = test.draw(dice.random())
        state = stages[k].agent.state
        root = square(state, W).copy()
        stages[k].play(one, run_log)
        arm, reward, corruption, _, rho = run_log.record[0, :5]
        width = 2 * budgets[k].L_mu * float(rho) * float(np.linalg.norm(root @ arms[int(arm)]))
        test.add(k, float(reward + corruption), min(width, span))
        if done % EVERY == 0:
            test.drop()
    last = stages[int(np.flatnonzero(test.alive)[0])].agent
    return Selection(outcome_of(last.state, run_log, False), G, test.drawn, ~test.alive)


def noise_of(p: Parameters, episode: Episode, learners: int) -> Callable[[Floats], Floats]:
    """How far n rewards stray from their means in sum, in no round and for no learner, but for probability δ/2.

    log E e^{λ(r - μ)} <= e g λ² L_μ/2 while g λ R_s <= 1, without the e if R_s = 0.
    """
    g = episode.dispersion_range[1]
    variance = g * p.L_mu * (math.e if p.R_s > 0 else 1.0)

    def noise(n: Floats) -> Floats:
        level = np.log(4 * learners * n * (n + 1) / p.delta)
        return np.asarray(np.maximum(np.sqrt(2 * variance * n * level), 2 * g * p.R_s * level))

    return noise


class Test:
    """What each learner earned and may have lost; who is drawn, and who is dropped."""

    __test__ = False  # no test of ours

    def __init__(self, G: Floats, noise: Callable[[Floats], Floats], scale: float = 1.0) -> None:
        self.G, self.noise, self.scale = G, noise, scale
        self.alive, self.drawn = np.ones(G.size, dtype=bool), np.zeros(G.size, dtype=np.int64)
        self.earned, self.bound = np.zeros(G.size), np.zeros(G.size)

    def draw(self, chance: float) -> int:
        """Chances fall with the guess: those alive, in proportion to 1/G."""
        chances = np.cumsum(np.where(self.alive, 1 / self.G, 0.0))
        return int(np.searchsorted(chances / chances[-1], chance, side="right"))

    def add(self, k: int, reward: float, width: float) -> None:
        self.drawn[k] += 1
        self.earned[k] += reward
        self.bound[k] += width

    def drop(self) -> None:
        """Drop a guess G that would have to be wrong, were every adversary's budget at most G; never the last.

        Then n_k v_* is at least what k earned, less noise and G, and what the learner of G earned is at least n v_*
        less its bound, noise and G.
        """
        tried = np.flatnonzero(self.drawn)
        n = self.drawn[tried].astype(float)
        noise = self.scale * self.noise(n)
        for place, i in enumerate(tried):
            slack = self.scale * (self.bound[i] + self.G[i])
            most = (self.earned[i] + slack + noise[place]) / n[place]
            least = (self.earned[tried] - noise - self.scale * self.G[i]) / n
            if self.alive[i] and self.alive.sum() > 1 and least.max() > most:
                self.alive[i] = False
