"""WeightedOFUL+, compiled: ridge regression with weights 1/σ̄², σ̄ = max(σ, α, γ √‖x‖), and a Bernstein-type radius."""

from __future__ import annotations

import numpy as np
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.ridge import absorb, bare
from glbcheck.core.engine.factor import solve
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import weight
from glbcheck.core.engine.rounds import Pull, rounds_of
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import REDUCED, SOLVED, Learner, start_from, views
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals import linear as weighted_oful_plus
from glbcheck.core.rivals.conditions import need_linear_link
from glbcheck.core.rivals.linear import LINEAR, ROOT, Constants, level


@compiled
@in_line
def learn(learner: Learner, memory: tuple[Constants, float], link: Floats, pull: Pull) -> float:
    """One observation; returns 1/σ̄².

    g/σ̄² without the floor α is min(1, g / (γ² ‖x‖)), a weight of the paper's form.
    """
    facts, g = learner.facts, pull.dispersion
    constants, first_level = memory
    q = solve(learner.lower, learner.inverse_d, pull.x, learner.work[REDUCED], learner.work[SOLVED])
    c = min(weight(facts, g, q) / g, 1.0 / constants.alpha**2)
    absorb(learner, pull, c, q)
    facts.weight = c * g
    facts.radius = facts.radius_scale * _radius(constants, first_level, facts.rounds + 1.0)
    return c


@compiled
def _radius(c: Constants, first_level: float, k: float) -> float:
    """`core.rivals.linear.radius`, given its level in the first round."""
    ell = first_level + 2.0 * np.log(k)
    root = np.sqrt(c.d * np.log1p(k / (c.alpha**2 * c.d * c.lam)) * ell)
    return float(ROOT * root + LINEAR * ell * c.R / c.gamma**2 + np.sqrt(c.lam) * c.S)


ROUNDS = rounds_of(learn)


def start(p: Parameters, course: Course) -> Player:
    g_max = course.dispersion_range()[1]
    c = weighted_oful_plus.constants(p.family, p.d, p.S, p.delta, g_max, course.rounds)
    state = bare(p)
    facts = views(state).facts
    facts.alpha = facts.own_alpha = 1 / c.gamma**2
    start_from(state, c.lam)
    facts.radius = p.radius_scale * weighted_oful_plus.radius(c, 1)
    return Player(ROUNDS, state, (c, level(c, 1)))


WEIGHTED_OFUL_PLUS = Competitor(start, lambda p: need_linear_link("weighted-oful-plus", p.family))
