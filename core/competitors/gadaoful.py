"""GAdaOFUL, compiled: the rounds of `core.rivals.gadaoful`, whose docstring says what it is and where it comes from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core._numba import compiled, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.curve import Curve, along, curve
from glbcheck.core.competitors.descent import CURVATURE, NATURAL, SLOPE, Descent, descent, fit_by, refit_growth
from glbcheck.core.competitors.shadow import note, shadow_of, take_over
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import squared_length
from glbcheck.core.engine.rounds import REPLACED, Pull, rounds_by_index
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import Learner, initial, learner_in, start_from, views
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.gadaoful import Constants, derived, published


class Memory(NamedTuple):
    """All rounds, the shadow, and the constants that the rounds need."""

    descent: Descent
    curve: Curve
    reward: Floats
    inverse_sigma: Floats
    inverse_tau: Floats
    shadow: Floats
    L_mu: float
    variance_min: float
    inverse_m_0: float
    alpha_squared: float
    tau_0: float
    widening: float
    level: float
    per_root: float
    per_level: float
    refit_growth: float


@compiled
def learn(learner: Learner, memory: Memory, link: Floats, pull: Pull) -> float:
    """Note the observation with its σ and τ; fit again when log det H has grown enough."""
    facts, shadow, x = learner.facts, learner_in(memory.shadow), pull.x
    place, squared = int(facts.rounds), squared_length(shadow, x)
    length = np.sqrt(squared)
    variance = max(memory.L_mu * pull.dispersion, memory.variance_min)
    sigma_squared = max(variance, (length * memory.inverse_m_0) ** 2, memory.alpha_squared * length)
    w = length / np.sqrt(sigma_squared)
    for j in range(x.size):
        memory.descent.columns[j, place] = x[j]
    memory.reward[place] = pull.reward
    memory.inverse_sigma[place] = 1.0 / np.sqrt(sigma_squared)
    memory.inverse_tau[place] = w / (memory.tau_0 * np.sqrt(1.0 + w * w))
    facts.weight = variance / sigma_squared
    if note(learner, shadow, x, 1.0 / sigma_squared, squared) < memory.refit_growth:
        return 0.0
    fit(learner, memory, int(memory.descent.fitted[0]), place + 1)
    level = memory.level + 2.0 * np.log(facts.rounds)
    facts.widening = memory.widening + memory.per_root * np.sqrt(level) + memory.per_level * level
    take_over(learner, shadow)
    return REPLACED


@vectorised
def score(memory: Memory, first: int, size: int) -> None:
    """Of the Huber-type loss: -Ψ(z)/σ and Ψ'(z) μ'/σ² at z = (r - μ)/σ."""
    room = memory.descent.room
    natural, slope, curvature = room[NATURAL], room[SLOPE], room[CURVATURE]
    for n in range(size):
        slope[n], curvature[n], _ = along(memory.curve, natural[n])
    for n in range(size):
        scale = memory.inverse_sigma[first + n]
        z = (memory.reward[first + n] - slope[n]) * scale
        bent = z * memory.inverse_tau[first + n]
        shrink = 1.0 / np.sqrt(1.0 + bent * bent)
        slope[n] = -z * shrink * scale
        curvature[n] *= shrink * shrink * shrink * scale * scale


fit = fit_by(score)
ROUNDS = rounds_by_index(learn)


def player(p: Parameters, use: Constants, rounds: int) -> Player:
    """The learner with these constants, with room for so many rounds."""
    state = initial(p)
    facts = views(state).facts
    facts.alpha = facts.own_alpha = use.L_mu / use.alpha**2  # σ² is that of the noise while α²‖x‖ <= L_μ g
    facts.widening, facts.half_squared = use.first_radius, 0.0
    facts.beta_base = facts.beta_slope = 0.0
    facts.use_determinant = True
    start_from(state, use.lam)
    facts.beta_base, facts.beta_slope = use.base, use.slope
    memory = Memory(
        descent(p.d, rounds, use.ridge), curve(p.family, p.S), np.zeros(rounds), np.zeros(rounds), np.zeros(rounds),
        shadow_of(state), use.L_mu, use.sigma_min**2, 1 / use.m_0, use.alpha**2, use.tau_0,
        use.widening, use.level, use.per_root, use.per_level, use.refit_growth,
    )  # fmt: skip
    return Player(ROUNDS[p.index], state, memory)


def start(p: Parameters, course: Course) -> Player:
    """With the constants of its source if those of the paper are asked for, and the derived ones otherwise."""
    T, find = course.rounds, published if p.use.name == "paper" else derived
    return player(p, find(p, max(T, 1), course.dispersion_range(), refit_growth(T)), T)


GADAOFUL = Competitor(start)
