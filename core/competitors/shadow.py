"""A second state, the shadow, that follows H round by round: choices are made from what was known at the latest fit."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import grow
from glbcheck.core.engine.state import Learner, own_lines, radius


def shadow_of(state: Floats) -> Floats:
    shadow = own_lines(state.size)
    shadow[:] = state
    return shadow


def places(course: Course) -> int:
    """For data: one for each arm that stays, however often it is pulled, and otherwise one for each round."""
    return len(np.asarray(course.world.arms)) if course.world.arms_stay else course.rounds


@compiled
def note(learner: Learner, shadow: Learner, x: Floats, growth: float, squared: float) -> float:
    """A round more, in which the shadow's H grows by so many x xᵀ; returns that of log det H since the latest fit."""
    grow(shadow, x, growth, squared)
    shadow.facts.rounds += 1.0
    learner.facts.rounds += 1.0
    return shadow.facts.logdet - learner.facts.logdet


@compiled
def take_over(learner: Learner, shadow: Learner) -> None:
    """H and its factors become those of the shadow."""
    for i in range(learner.theta.size):
        learner.inverse_d[i] = shadow.inverse_d[i]
        for j in range(learner.theta.size):
            learner.H[i, j] = shadow.H[i, j]
            learner.lower[i, j] = shadow.lower[i, j]
    learner.facts.logdet = shadow.facts.logdet
    learner.facts.radius = radius(learner.facts)
