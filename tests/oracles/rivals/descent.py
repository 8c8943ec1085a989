"""A smooth loss minimised over the ball ‖θ‖ <= S, for rivals that fit all their data again.

Each step minimises a quadratic model exactly, as it is or on the sphere, and is halved until the loss no longer rises
steeply where it ends.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from glbcheck.core.algorithm.matrices import norm
from glbcheck.core.algorithm.reference import project
from glbcheck.core.arrays import Floats

STEPS, HALVINGS = 200, 40
ENOUGH = 1e-14  # squared length of a step, in the norm of the model, that is the last one: what it leaves is its square
OVERSHOT = 0.1  # the loss may rise at this part of its first fall where a step ends


def minimise_on_ball(
    expand: Callable[[Floats], tuple[Floats, Floats]], start: Floats, S: float, floor: float
) -> Floats:
    """From θ = start; `expand` gives the gradient and a matrix M of at least `floor` for the model at a point."""
    theta = start
    gradient, M = expand(theta)
    for _ in range(STEPS):
        target = _minimiser(M, M @ theta - gradient, floor, S)
        way = target - theta
        fall = -float(gradient @ way)
        if not fall > ENOUGH:
            return target
        length, there = 1.0, target
        gradient, M = expand(there)
        while float(gradient @ way) > OVERSHOT * fall and length > 2.0**-HALVINGS:
            length /= 2
            there = theta + length * way
            gradient, M = expand(there)
        theta = there
    return theta


def _minimiser(M: Floats, c: Floats, floor: float, S: float) -> Floats:
    """Of ½ θᵀ M θ - cᵀ θ over the ball."""
    free = np.asarray(np.linalg.solve(M, c), dtype=float)
    return free if norm(free) <= S else project(M, c, floor, S).theta
