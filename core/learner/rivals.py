"""What might be true if the model is not: predictions of the natural parameter that Θ need not contain.

Each rival predicts z from (1, x) by Newton steps that forget, and spreads its prediction over a few points.  Whatever a
rival predicts before a reward is seen makes a valid test; how good it is decides how soon a wrong model is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family

# What is kept of the past from one reward to the next: of all, of the last few hundred, of the last few dozen.
MEMORIES = (1.0, 0.995, 0.95)
# How far the prediction is spread, in units of 1/√(information of one reward): a spread is a larger variance.
SPREADS = (0.0, 0.7, 1.2, 2.5)
STEPS = np.array([-1.5, -0.75, 0.0, 0.75, 1.5])
SHARES = np.array([0.15, 0.2, 0.3, 0.2, 0.15])
OFFSETS = np.multiply.outer(SPREADS, STEPS)
KEPT = np.array(MEMORIES)[:, None, None]
RIDGE = 0.5


@dataclass(frozen=True)
class Reach:
    """Rivals stay in [-top, top], and the model's z in [-S, S]."""

    top: float
    S: float

    @property
    def influence(self) -> float:
        """How much a unit of reward can move the logarithm of the evidence, for g = 1."""
        return self.top + self.S


def reach(family: Family, S: float, L_mu: float, corrupted: bool) -> Reach:
    """Far enough to see what is far off; nearer with a budget, of which each unit costs the influence."""
    beyond = (1.0 if corrupted else 4.0) / max(L_mu, 1e-3) ** 0.5
    room = min(family.ends[1], -family.ends[0]) - S
    return Reach(S + min(beyond, room / 2, 50.0), S)


class Rivals:
    """All rivals at once: coefficients (n, d + 1) and information matrices, one for each memory."""

    def __init__(self, family: Family, d: int, within: Reach) -> None:
        self.family, self.within = family, within
        self.v = np.zeros((len(MEMORIES), d + 1))
        self.G = np.stack([RIDGE * np.eye(d + 1)] * len(MEMORIES))
        self.low, self.high = (float(mean) for mean in family.mu(np.array([-within.top, within.top])))

    @property
    def count(self) -> int:
        return len(MEMORIES) * len(SPREADS)

    def take(self, x: Floats, reward: float, g: float) -> tuple[Floats, float]:
        """log q(reward) of every rival without the base measure, and the size of the numbers in it; then they learn."""
        z = np.clip(self.v[:, 0] + self.v[:, 1:] @ x, -self.within.top, self.within.top)
        slope = self.family.dmu(z)
        points = z[:, None, None] + np.sqrt(g / np.maximum(slope, 1e-12))[:, None, None] * OFFSETS
        points = np.minimum(np.maximum(points, -self.within.top), self.within.top)
        linear, bend = points * (reward / g), self.family.m(points) / g
        self._learn(np.append(1.0, x), (min(max(reward, self.low), self.high) - self.family.mu(z)) / g, slope / g)
        logs = linear - bend
        top = logs.max(axis=2)
        values = top + np.log(np.exp(logs - top[:, :, None]) @ SHARES)
        return values.ravel(), float(np.abs(linear).max() + np.abs(bend).max())

    def _learn(self, one: Floats, residual: Floats, slope: Floats) -> None:
        """One Newton step of every rival, from a reward cut to what its predictions can be."""
        ridge = RIDGE * np.eye(one.size)
        self.G = KEPT * (self.G - ridge) + ridge + slope[:, None, None] * np.outer(one, one)
        self.v = self.v + np.linalg.solve(self.G, residual[:, None, None] * one[:, None])[:, :, 0]

    # --- saved and restored -----------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        return {"v": self.v.tolist(), "G": self.G.tolist()}

    def become(self, saved: Mapping[str, Any]) -> None:
        self.v[:], self.G[:] = saved["v"], saved["G"]
