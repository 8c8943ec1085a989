"""CW-OFUL: confidence-weighted ridge regression, for a linear link and noise of variance at most R² = g_max.

w = min(1, α / ‖x‖) with α = R √d / C, Σ = λ I + Σ w x xᵀ with λ = R²/S², and θ_* is missed with probability
at most δ by the radius R √(2 log(1/δ) + log det Σ/λ) + √λ S + α C, where the sum form bounds the determinant.
"""

from __future__ import annotations

import math

import sympy as sp
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.engine.factor import dot, solve
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import grow, weight
from glbcheck.core.engine.rounds import Pull, rounds_of
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import REDUCED, SOLVED, Learner, initial, radius, start_from, views
from glbcheck.core.errors import BadInput
from glbcheck.core.family import z
from glbcheck.core.parameters import Parameters


@compiled
@in_line
def learn(learner: Learner, memory: tuple[()], link: Floats, pull: Pull) -> float:
    """One observation of weighted ridge regression; returns its weight."""
    facts, theta, x, u = learner.facts, learner.theta, pull.x, learner.work[SOLVED]
    q = solve(learner.lower, learner.inverse_d, x, learner.work[REDUCED], u)
    w = weight(facts, pull.dispersion, q)
    gain = w * (pull.reward - dot(x, theta)) / (1.0 + w * q)
    for j in range(x.size):
        theta[j] += gain * u[j]
    grow(learner, x, w, q)
    facts.inverse_g += 1.0
    facts.rounds += 1.0
    facts.weight = w
    facts.radius = radius(facts)
    return w


ROUNDS = rounds_of(learn)


def start(p: Parameters, course: Course) -> Player:
    g_max = course.dispersion_range()[1]
    R, lam = math.sqrt(g_max), g_max / p.S**2
    alpha = R * math.sqrt(p.d) / p.C if p.C > 0 else math.inf
    state = initial(p)
    facts = views(state).facts
    facts.alpha = facts.own_alpha = alpha
    facts.weighs_dispersion = facts.exact_index = False
    facts.widening = R + (alpha * p.C if p.C > 0 else 0.0)
    facts.beta_base, facts.beta_slope = 2 * g_max * math.log(1 / p.delta), g_max
    facts.growth_rate = 1 / (p.d * lam)
    start_from(state, lam)
    return Player(ROUNDS, state)


def _refuse_other_links(p: Parameters) -> None:
    if p.family.mu_expr != z and sp.simplify(p.family.mu_expr - z) != 0:
        accepted = f"families with the link mu(z) = z, and {p.family.name} has another"
        raise BadInput("algorithm", "cw-oful", accepted)


CW_OFUL = Competitor(start, _refuse_other_links)
