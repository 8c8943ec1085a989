"""GLM-UCB: optimism around the maximum likelihood estimate, in the norm of V = I + Σ x xᵀ/g, in batches.

Slopes between θ̂ and θ_* are at least 1/κ, so that ‖θ̂ - θ_*‖ in V is at most κ times the noise
√L_μ √(2 log(1/δ) + log det V), plus S for the ridge 1/κ.  That the noise is so light is true where μ' is
nowhere above L_μ, as for Gaussian and Bernoulli rewards; for counts the radius is a rule of thumb.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from glbcheck.core import concordance
from glbcheck.core._numba import compiled, in_line
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.likelihood import Data, fit
from glbcheck.core.competitors.shadow import note, places, shadow_of, take_over
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import squared_length
from glbcheck.core.engine.rounds import REPLACED, Pull, rounds_of
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import Learner, initial, learner_in, start_from, views
from glbcheck.core.parameters import Parameters

REFIT = float(np.log(1.25))  # growth of log det V after which the likelihood is fitted again


class Batches(NamedTuple):
    """The data, by arm if the arms stay and by round if not, and the shadow."""

    data: Data
    by_arm: bool
    shadow: Floats


@compiled
@in_line
def learn(learner: Learner, batches: Batches, link: Floats, pull: Pull) -> float:
    """Note the observation; fit again when det V is a quarter above that of the latest fit."""
    facts, data, shadow = learner.facts, batches.data, learner_in(batches.shadow)
    place = pull.arm if batches.by_arm else int(facts.rounds)
    for j in range(pull.x.size):
        data.points[place, j] = pull.x[j]
    data.precision[place] += 1.0 / pull.dispersion
    data.reward[place] += pull.reward / pull.dispersion
    facts.weight = 1.0
    if note(learner, shadow, pull.x, 1.0 / pull.dispersion, squared_length(shadow, pull.x)) < REFIT:
        return 0.0
    count = data.precision.size if batches.by_arm else place + 1
    fit(learner, link, Data(data.points[:count], data.precision[:count], data.reward[:count]))
    take_over(learner, shadow)
    return REPLACED


ROUNDS = rounds_of(learn)


def start(p: Parameters, course: Course) -> Player:
    kappa = concordance.kappa(p.family, p.S).upper
    state = initial(p)
    facts = views(state).facts
    facts.widening, facts.half_squared = p.S, 0.0
    facts.beta_base = 2 * kappa**2 * p.L_mu * math.log(1 / p.delta)
    facts.beta_slope = kappa**2 * p.L_mu
    facts.use_determinant = True
    start_from(state, 1.0)
    shadow = shadow_of(state)
    facts.lam = 1 / kappa  # the ridge of the likelihood; H starts at κ times it
    count = places(course)
    data = Data(np.zeros((count, p.d)), np.zeros(count), np.zeros(count))
    return Player(ROUNDS, state, Batches(data, course.world.arms_stay, shadow))


GLM_UCB = Competitor(start)
