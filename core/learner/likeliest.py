"""The least weighted loss over Θ of all rewards seen, with a lower bound that does not rest on the search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.algorithm.reference import into_ball, project
from glbcheck.core.arrays import Floats
from glbcheck.core.family import Family

STEPS, ENOUGH = 30, 1e-3


@dataclass(frozen=True, eq=False)
class Rows:
    """Contexts, rewards, and for each the factor w/g of its loss m(z) - reward z."""

    x: Floats  # (n, d)
    reward: Floats
    factor: Floats


@dataclass(frozen=True)
class Least:
    """A point of Θ, the loss there, and what no point of Θ is below."""

    theta: Floats
    value: float
    lower: float


def loss(family: Family, rows: Rows, theta: Floats, S: float) -> float:
    z = np.clip(rows.x @ theta, -S, S)
    return float(np.sum(rows.factor * (family.m(z) - rows.reward * z)))


def least(family: Family, rows: Rows, start: Floats, S: float) -> Least:
    """Newton's method with each step's quadratic minimised over the ball.

    The loss f is convex, so that f(θ) >= f(θ̂) + ⟨∇f(θ̂), θ - θ̂⟩ >= f(θ̂) - ⟨∇f(θ̂), θ̂⟩ - S ‖∇f(θ̂)‖ on all of Θ.
    """
    theta, value = start, loss(family, rows, start, S)
    lower = -np.inf
    for _ in range(STEPS):
        z = np.clip(rows.x @ theta, -S, S)
        gradient = rows.x.T @ (rows.factor * (family.mu(z) - rows.reward))
        lower = max(lower, value - float(gradient @ theta) - S * norm(gradient))
        if value - lower <= ENOUGH:
            break
        M = rows.x.T @ ((rows.factor * family.dmu(z))[:, None] * rows.x)
        floor = 1e-9 * max(float(np.trace(M)), 1e-300)
        M = M + floor * np.eye(theta.size)
        target = _minimiser(M, M @ theta - gradient, floor, S)
        theta, value, moved = _halved(family, rows, theta, value, target, S)
        if not moved:
            break
    return Least(theta, value, lower)


def _minimiser(M: Floats, c: Floats, floor: float, S: float) -> Floats:
    free: Floats = np.asarray(np.linalg.solve(M, c), dtype=float)
    return free if norm(free) <= S else project(M, c, floor, S).theta


def _halved(
    family: Family, rows: Rows, theta: Floats, value: float, target: Floats, S: float
) -> tuple[Floats, float, bool]:
    """As far towards the target as the loss falls."""
    share = 1.0
    for _ in range(40):
        there = into_ball(theta + share * (target - theta), S)
        tried = loss(family, rows, there, S)
        if tried < value:
            return there, tried, True
        share /= 2
    return theta, value, False
