"""The likelihood-ratio set once more, in 60 digits: from the choices of each round, its level and its ellipsoid.

Weights, nodes, anchors and curvatures are read from the engine as they are: any choice is allowed.  Everything that
follows from them is worked out anew, with links that are written out.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import likelihood_state as ls

DIGITS = 60
Number = Any

M = {"gaussian": lambda z: z * z / 2, "bernoulli": lambda z: mp.log(1 + mp.exp(z)), "poisson": mp.exp}
MU = {"gaussian": lambda z: z, "bernoulli": lambda z: 1 / (1 + mp.exp(-z)), "poisson": mp.exp}


class ExactSet:
    """Sums over the rounds, as mpmath numbers."""

    def __init__(self, link: str, d: int, S: float, delta: float) -> None:
        with mp.workdps(DIGITS):
            self.m, self.mu, self.d, self.S = M[link], MU[link], d, mp.mpf(S)
            self.nu = mp.mpf(1 / S**2)  # as the engine rounds it: any ν > 0 will do
            self.H = mp.eye(d) * self.nu
            self.b = mp.zeros(d, 1)
            self.constant = mp.log(1 / mp.mpf(delta)) + self.nu * self.S**2 / 2
            self.gamma = mp.mpf(0)

    def take(self, state: Floats, x: Floats, reward: float, g: float) -> None:
        """A round after the engine has learnt from it; `reward` lies in the support."""
        with mp.workdps(DIGITS):
            names = (ls.WEIGHT, ls.LOW, ls.HIGH, ls.FIRST_NODE, ls.SECOND_NODE, ls.ANCHOR, ls.CURVATURE)
            w, low, high, first, second, a, kappa = (mp.mpf(float(state[name])) for name in names)
            r, g = mp.mpf(reward), mp.mpf(g)
            mixed = (mp.exp((r * first - self.m(first)) / g) + mp.exp((r * second - self.m(second)) / g)) / 2
            f = w / g
            self.constant -= w * mp.log(mixed) + f * (self.m(a) - self.mu(a) * a + kappa * a * a / 2)
            point = [mp.mpf(float(entry)) for entry in x]
            push = f * (r + kappa * a - self.mu(a))
            for i in range(self.d):
                self.b[i] += push * point[i]
                for j in range(self.d):
                    self.H[i, j] += f * kappa * point[i] * point[j]
            self.gamma = max(self.gamma, f * max(high - first, second - low))

    def level(self, C: float = 0.0) -> Number:
        """ρ."""
        with mp.workdps(DIGITS):
            centre = mp.lu_solve(self.H, self.b)
            return self.constant + mp.mpf(C) * self.gamma + (self.b.T * centre)[0] / 2

    def interval(self, x: Floats, C: float = 0.0) -> tuple[Number, Number]:
        """The least and the largest <x, θ> over the ellipsoid."""
        with mp.workdps(DIGITS):
            y = mp.matrix([mp.mpf(float(entry)) for entry in x])
            v = mp.lu_solve(self.H, y)
            half = mp.sqrt(2 * self.level(C) * (y.T * v)[0])
            middle = (self.b.T * v)[0]
            return middle - half, middle + half


def collinear(rng: np.random.Generator, K: int, d: int) -> Floats:
    """Arms near two directions, some equal to 1e-9."""
    base = rng.standard_normal((2, d))
    arms = base[rng.integers(2, size=K)] + 1e-9 * rng.standard_normal((K, d))
    return np.asarray(arms / np.linalg.norm(arms, axis=1)[:, None] * (1 - 1e-12))
