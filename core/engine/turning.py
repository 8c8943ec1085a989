"""The end of an arm, the maximiser over the ball, turned towards θ_t until it is in C_t: nearly the maximiser there."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import in_line, vectorised
from glbcheck.core.engine.arms import Arms
from glbcheck.core.engine.factor import dot, quadratic, times
from glbcheck.core.engine.state import POINT, SPARE, TARGET, Learner
from glbcheck.core.tolerances import SLACK

_LEAST = 1e-300
_STEPS = 3  # of the search for a point of C_t
_INSIDE = 1e-4  # how far in it is looked for, in squared radii


@vectorised
@in_line
def is_inside(learner: Learner) -> bool:
    """Is the point that was turned in C_t and in the ball?  Nothing else that is known of it is relied on."""
    S, rho, point = learner.facts.S, learner.facts.radius, learner.work[POINT]
    reach = quadratic(learner.lower, learner.inverse_d, learner.work[SPARE])
    return bool(reach <= rho * rho and dot(point, point) <= S * S * (1.0 + 2.0 * SLACK))


@vectorised
@in_line
def turn_to_centre(learner: Learner, arms: Arms, k: int) -> float:
    """The end of an arm, turned towards θ_t until it is just in C_t, as far as a few steps tell; returns a multiplier.

    That is the point's own in the plane of the turn.  H θ_t is in the row TARGET; the point goes into POINT, the way to
    it from θ_t into SPARE.
    """
    S, rho, theta, x, b = learner.facts.S, learner.facts.radius, learner.theta, arms.points[k], learner.work[TARGET]
    point, way, scale = learner.work[POINT], learner.work[SPARE], 1.0 / arms.length[k]
    along, centre = scale * dot(theta, x), dot(theta, b)
    across = 1.0 / np.sqrt(max(dot(theta, theta) - along * along, _LEAST))
    # The products of H with the unit vectors along x and, towards θ_t, across.
    bx = scale * dot(x, b)
    by = across * (centre - along * bx)
    times(learner.H, x, point)
    xx = scale * scale * dot(x, point)
    xy = across * (bx - along * xx)
    yy = across * (by - along * xy)
    # The excess of S (cos, sin) is known up to the square of the sine; then by Newton's method.
    first, second, third = S * (S * xx - 2.0 * bx) + centre - rho * rho, S * (S * xy - by), S * (S * (yy - xx) + bx)
    sine = first / (np.sqrt(max(0.0, second * second - first * third)) - second)
    for _ in range(_STEPS):
        cosine = np.sqrt(max(1.0 - sine * sine, _LEAST))
        pull_x, pull_y = S * (xx * cosine + xy * sine) - bx, S * (xy * cosine + yy * sine) - by
        excess = S * (cosine * (pull_x - bx) + sine * (pull_y - by)) + centre - rho * rho
        sine -= (excess + _INSIDE * rho * rho) * cosine / (2.0 * S * (pull_y * cosine - pull_x * sine))
    cosine = np.sqrt(max(1.0 - sine * sine, 0.0))
    for j in range(x.size):
        unit = scale * x[j]
        point[j] = S * (cosine * unit + sine * across * (theta[j] - along * unit))
        way[j] = point[j] - theta[j]
    return float((by - S * (xy * cosine + yy * sine)) / (S * sine))
