"""Worlds that compiled learners and the reference play together."""

from __future__ import annotations

from typing import Any

import numpy as np
from glbcheck.core import catalog
from glbcheck.core.algorithm.reference import ReferenceLearner
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import interactive
from glbcheck.core.engine import state as states
from glbcheck.core.family import Family
from glbcheck.core.theory.parameters import Parameters, parameters

TILTED = catalog.get("gamma").tilted(2)


def family(name: str) -> Family:
    return TILTED if name == "gamma" else catalog.get(name)


def told(name: str, d: int, S: float, C: float, reading: str, index: str, **more: Any) -> Parameters:
    return parameters(family(name), d, S, 0.05, C, reading=reading, index=index, **more)  # type: ignore[arg-type]


def ball(rng: np.random.Generator, K: int, d: int, shortest: float = 0.2) -> Floats:
    """Arms of norms between `shortest` and 1."""
    arms = rng.standard_normal((K, d))
    return np.asarray(arms / np.linalg.norm(arms, axis=1)[:, None] * rng.uniform(shortest, 1, (K, 1)) * (1 - 1e-12))


class Pair:
    """The reference and the compiled learner with the same parameters."""

    def __init__(self, p: Parameters, K: int, same_arms: Floats | None = None) -> None:
        self.p, self.arms = p, same_arms
        self.reference = ReferenceLearner.starting(p)
        self.state, self.room = states.initial(p), states.room_for(p, K)
        self.wrong, self.off, self.residual, self.projections = 0, 0.0, 0.0, 0

    def round(self, arms: Floats, reward: Any, g: float = 1.0) -> int:
        """Both choose and learn; what they differ by is noted.  `reward` is a function of the arm."""
        k = self.reference.choose(arms)
        self.wrong += k != interactive.CHOOSE[self.p.index](self.state, self.room, arms)
        if self.arms is not None:
            self.state[states.SAME_ARMS] = 1.0
        r = float(reward(arms[k]))
        self.reference.observe(arms[k], r, g)
        done = interactive.observe(self.state, arms[k], r, g)
        self.projections += bool(done[4])
        self.residual = max(self.residual, done[5])
        theta = states.vector(self.state, states.THETA)
        self.off = max(self.off, float(np.abs(theta - self.reference.theta).max()))
        return k


def play(p: Parameters, rounds: int, K: int = 20, seed: int = 0, *, fixed: bool = False, g: Any = None) -> Pair:
    """A world with rewards of the family, at θ_* inside the ball."""
    rng = np.random.default_rng(seed)
    theta = rng.standard_normal(p.d)
    theta *= 0.9 * p.S / np.linalg.norm(theta)
    arms = ball(rng, K, p.d)
    pair = Pair(p, K, arms if fixed else None)
    for _ in range(rounds):
        if not fixed:
            arms = ball(rng, K, p.d)
        spread = 1.0 if g is None else float(np.exp(rng.uniform(*np.log(g))))
        pair.round(arms, lambda x, spread=spread: p.family.sample(rng, x @ theta, spread), spread)
    return pair


def drift(state: Floats) -> float:
    """|WᵀWH - I|: how far W is from a square root of H⁻¹."""
    W, H = states.square(state, states.W), states.square(state, states.H)
    return float(np.abs(W.T @ W @ H - np.eye(len(H))).max())
