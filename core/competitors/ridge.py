"""Ridge regression, compiled: OFUL, and CW-OFUL, which is OFUL with weights min(1, α / ‖x‖) and a radius that knows C.

For a linear link and noise of variance at most R² = g_max; the constants are those of `core.rivals`.
"""

from __future__ import annotations

import math

import numpy as np
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.engine.factor import dot, solve
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import grow, weight
from glbcheck.core.engine.rounds import Pull, rounds_of
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import REDUCED, SOLVED, Learner, initial, radius, start_from, views
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals import linear
from glbcheck.core.rivals.conditions import need_linear_link


@compiled
@in_line
def learn(learner: Learner, memory: tuple[()], link: Floats, pull: Pull) -> float:
    """One observation of weighted ridge regression; returns its weight."""
    q = solve(learner.lower, learner.inverse_d, pull.x, learner.work[REDUCED], learner.work[SOLVED])
    w = weight(learner.facts, pull.dispersion, q)
    absorb(learner, pull, w, q)
    learner.facts.weight = w
    learner.facts.radius = radius(learner.facts)
    return w


@compiled
@in_line
def absorb(learner: Learner, pull: Pull, c: float, q: float) -> None:
    """θ and H after an observation of weight c, given what `solve` has left in the rows of work."""
    theta, x, u = learner.theta, pull.x, learner.work[SOLVED]
    gain = c * (pull.reward - dot(x, theta)) / (1.0 + c * q)
    for j in range(x.size):
        theta[j] += gain * u[j]
    grow(learner, x, c, q)
    learner.facts.inverse_g += 1.0
    learner.facts.rounds += 1.0


ROUNDS = rounds_of(learn)


def bare(p: Parameters) -> Floats:
    """A state without anything of the paper's learner: no weights, no widening."""
    state = initial(p)
    facts = views(state).facts
    facts.own_alpha = np.inf
    facts.widening = facts.half_squared = 0.0
    return state


def start(p: Parameters, course: Course, C: float, determinant: bool) -> Player:
    g_max = course.dispersion_range()[1]
    lam = linear.ridge(g_max, p.S)
    state = bare(p)
    facts = views(state).facts
    facts.alpha, facts.own_alpha = linear.threshold(g_max, p.d, p.C), linear.threshold(g_max, p.d, C)
    facts.weighs_dispersion = False
    facts.widening = math.sqrt(lam) * p.S + linear.widening(g_max, p.d, C)
    facts.beta_base, facts.beta_slope = 2 * g_max * math.log(1 / p.delta), g_max
    facts.growth_rate = 1 / (p.d * lam)
    facts.use_determinant = determinant
    start_from(state, lam)
    return Player(ROUNDS, state)


CW_OFUL = Competitor(
    lambda p, course: start(p, course, p.C, p.radius_form == "determinant"),
    lambda p: need_linear_link("cw-oful", p.family),
)
OFUL = Competitor(
    lambda p, course: start(p, course, 0.0, True), lambda p: need_linear_link("oful", p.family)
)  # fmt: skip
