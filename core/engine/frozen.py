"""Upper bounds on the optimistic values of arms that stay, from a round whose θ and norms were kept."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import in_line, vectorised, vectorised_numbers
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.arms import PLAIN, WIDTH, Arms
from glbcheck.core.engine.factor import quadratic
from glbcheck.core.engine.state import FROZEN, SPARE, Learner


@vectorised
@in_line
def frozen_bounds(learner: Learner, arms: Arms) -> tuple[float, float]:
    """Bounds by the ball and by a frozen round, if there is one; returns the largest, and the length of the longest.

    As H only grows, ‖θ - θ_0‖ in H_0 is at most ‖θ - θ_t‖ + ‖θ_t - θ_0‖ in H_t.  So the bounds of round 0, of the
    ellipsoid and of a relaxation, hold in round t with the radius ρ_t + ‖θ_t - θ_0‖ in place of ρ_0.
    """
    S, moved, theta = learner.facts.S, learner.work[SPARE], learner.theta
    if arms.relaxed[0] == np.inf:
        return _ball_bounds(S, arms.length, arms.upper)
    for j in range(theta.size):
        moved[j] = theta[j] - learner.work[FROZEN, j]
    rho = learner.facts.radius + np.sqrt(quadratic(learner.lower, learner.inverse_d, moved))
    R = np.sqrt(rho * rho + learner.facts.frozen)
    plain, width = arms.notes[PLAIN], arms.notes[WIDTH]
    return _least_bounds(S, arms.length, R, arms.relaxed, arms.spread, rho, plain, width, arms.upper)


@vectorised_numbers
def _ball_bounds(S: float, length: Floats, upper: Floats) -> tuple[float, float]:
    longest = 0.0
    for k in range(upper.size):
        upper[k] = S * length[k]
        longest = max(longest, length[k])
    return S * longest, longest


@vectorised_numbers
def _least_bounds(
    S: float, length: Floats, R: float, relaxed: Floats, spread: Floats, rho: float, plain: Floats, width: Floats,
    upper: Floats,
) -> tuple[float, float]:  # fmt: skip
    """The least of ball, relaxation and ellipsoid."""
    top, longest = -np.inf, 0.0
    for k in range(upper.size):
        upper[k] = min(S * length[k], min(relaxed[k] + R * spread[k], plain[k] + rho * width[k]))
        top, longest = max(top, upper[k]), max(longest, length[k])
    return top, longest
