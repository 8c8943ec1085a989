"""CR-Eluder-UCB, compiled: the rounds of `core.rivals.cr_eluder_ucb`, whose docstring says what it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.curve import Curve, along, curve
from glbcheck.core.competitors.descent import CURVATURE, NATURAL, SLOPE, Descent, descent, fit_by, refit_growth
from glbcheck.core.competitors.shadow import note, places, shadow_of, take_over
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import squared_length, weight
from glbcheck.core.engine.rounds import REPLACED, Pull, rounds_by_index
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import Learner, initial, learner_in, start_from, views
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.cr_eluder_ucb import Constants, constants, noise_scale


class Memory(NamedTuple):
    """The data, by arm if the arms stay and by round if not: weights, and weighted rewards; and the shadow."""

    descent: Descent
    curve: Curve
    weight: Floats
    reward: Floats
    by_arm: bool
    shadow: Floats
    refit_growth: float


@compiled
def learn(learner: Learner, memory: Memory, link: Floats, pull: Pull) -> float:
    """Note the observation with its weight; fit again when log det H has grown enough."""
    facts, data, shadow, x = learner.facts, memory.descent, learner_in(memory.shadow), pull.x
    place, squared = pull.arm if memory.by_arm else int(facts.rounds), squared_length(shadow, x)
    w = weight(facts, pull.dispersion, squared)
    for j in range(x.size):
        data.columns[j, place] = x[j]
    memory.weight[place] += w
    memory.reward[place] += w * pull.reward
    facts.weight = w
    if note(learner, shadow, x, w, squared) < memory.refit_growth:
        return 0.0
    if memory.by_arm:
        fit(learner, memory, 0, memory.weight.size)
    else:
        fit(learner, memory, int(data.fitted[0]), place + 1)
    take_over(learner, shadow)
    return REPLACED


@vectorised
def score(memory: Memory, first: int, size: int) -> None:
    """Of half the squared loss: w (μ - r) μ' and w μ'² + w (μ - r) μ'', the last only if the Hessian may be bent."""
    room = memory.descent.room
    natural, slope, curvature = room[NATURAL], room[SLOPE], room[CURVATURE]
    bent = 1.0 if memory.descent.plain[0] == 0.0 else 0.0
    for n in range(size):
        w = memory.weight[first + n]
        mu, dmu, ddmu = along(memory.curve, natural[n])
        off = w * mu - memory.reward[first + n]
        slope[n], curvature[n] = off * dmu, w * dmu * dmu + bent * off * ddmu


fit = fit_by(score)
ROUNDS = rounds_by_index(learn)


def player(p: Parameters, use: Constants, course: Course) -> Player:
    """The learner with these constants."""
    state = initial(p)
    facts = views(state).facts
    facts.alpha = facts.own_alpha = use.trust
    facts.weighs_dispersion = False
    facts.widening, facts.half_squared = use.radius, 0.0
    facts.beta_base = facts.beta_slope = 0.0  # the radius is the same in every round
    facts.use_determinant = True
    start_from(state, use.H_1)
    count = places(course)
    memory = Memory(
        descent(p.d, count, use.ridge), curve(p.family, p.S), np.zeros(count), np.zeros(count), course.world.arms_stay,
        shadow_of(state), use.refit_growth,
    )  # fmt: skip
    return Player(ROUNDS[p.index], state, memory)


def start(p: Parameters, course: Course) -> Player:
    T = course.rounds
    return player(p, constants(p, max(T, 1), course.dispersion_range(), refit_growth(T)), course)


def _refuse(p: Parameters) -> None:
    noise_scale(p.family, 1.0)


CR_ELUDER_UCB = Competitor(start, _refuse)
