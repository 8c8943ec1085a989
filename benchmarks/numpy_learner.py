"""The yardstick: one-pass online mirror descent in numpy with nothing wasted, for Bernoulli rewards, closed-form index.

The published one-pass algorithm is GLB-OMD (Zhang, Xu, Zhao and Sugiyama 2025; `core.rivals` has the source).
In a round it plays the arm of largest <x, θ_t> + β_t ‖x‖ in H_t⁻¹, goes to the minimiser over the ball of the loss
expanded to second order around θ_t plus ‖θ - θ_t‖² / (2 η) in H_t, and adds to H_t the loss's curvature at the new
iterate.  This is that, written from its description, with `weighs=False` and the parameters of
`core.rivals.mirror_descent.published`; the learner of the paper under review is the same with weights and with
constants of its own, which are the defaults here.  No code of another implementation is in it.

Where the references factor H anew, check their input and record every round, this keeps H⁻¹ by Sherman–Morrison,
trusts its input, evaluates the link with `math` and writes into its own arrays.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core.algorithm.reference import omd_step
from glbcheck.core.arrays import Floats
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import TIE


class NumpyLearner:
    def __init__(self, p: Parameters, weighs: bool = True) -> None:
        self.p, self.alpha = p, p.alpha if weighs else math.inf
        self.theta, self.H, self.inverse = np.zeros(p.d), p.lam * np.eye(p.d), np.eye(p.d) / p.lam
        self.inverse_g = 0.0
        self.rho = p.radius(p.beta(0.0, 0.0))
        self._start = p.beta(0.0, 0.0) ** 2
        self._slope = p.d * (6 * p.eta**2 + p.eta)

    def select(self, arms: Floats) -> int:
        norms = np.einsum("kj,kj->k", arms @ self.inverse, arms)
        index = np.sqrt(norms)
        index *= self.rho
        index += arms @ self.theta
        top = index.max()
        tied = index >= top - TIE * max(top, -index.min())
        return int((tied & (norms >= (1 - TIE) * norms[tied].max())).argmax())

    def update(self, x: Floats, reward: float, g: float = 1.0) -> None:
        p = self.p
        u = self.inverse @ x
        q = float(x @ u)
        length = math.sqrt(q)
        w = 1.0 if length <= self.alpha * g else self.alpha * g / length
        mu = 1 / (1 + math.exp(-float(x @ self.theta)))
        s, a = w / g * (mu - reward), w / g * mu * (1 - mu)
        free = self.theta - (s * p.eta / (1 + p.eta * a * q)) * u
        if float(free @ free) > p.S**2:
            free = omd_step(self.theta, self.H, x, u, s, a, p.eta, p.lam, p.S).theta
        self.theta = free
        mu = 1 / (1 + math.exp(-float(x @ free)))
        c = w / g * mu * (1 - mu)
        self.H += np.multiply.outer(c * x, x)
        self.inverse -= np.multiply.outer((c / (1 + c * q)) * u, u)
        self.inverse_g += 1 / g
        beta = math.sqrt(self._start + self._slope * math.log1p(p.L_mu * self.inverse_g / p.lam))
        self.rho = p.radius_scale * (beta + p.widening)


def whole_run(
    p: Parameters, theta_star: Floats, arms: Floats, outcomes: Floats, weighs: bool = True
) -> tuple[list[int], float, float]:
    """Actions, regret and worst ratio of a run; `arms` is (K, d) or (T, K, d), `outcomes` (T, K)."""
    learner = NumpyLearner(p, weighs)
    actions, regret, worst = [], 0.0, 0.0
    for t in range(len(outcomes)):
        now = arms if arms.ndim == 2 else arms[t]
        off = learner.theta - theta_star
        worst = max(worst, math.sqrt(float(off @ learner.H @ off)) / learner.rho)
        k = learner.select(now)
        naturals = now @ theta_star
        regret += 1 / (1 + math.exp(-naturals.max())) - 1 / (1 + math.exp(-naturals[k]))
        learner.update(now[k], outcomes[t, k])
        actions.append(k)
    return actions, regret, worst
