"""MOR-UCB, compiled: one state per layer of variances, each refitted to all its data in the rounds that are its own.

The engine looks at one state, which is that of the layer that has learnt last: no other set has changed.  Fits start
from the estimate before and, if the arms stay, see an arm once however often it was pulled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from glbcheck.core import concordance
from glbcheck.core._numba import compiled, vectorised
from glbcheck.core.arrays import Floats
from glbcheck.core.competitors.competitor import Competitor
from glbcheck.core.competitors.likelihood import Data, fit
from glbcheck.core.competitors.ridge import bare
from glbcheck.core.competitors.shadow import places
from glbcheck.core.engine.arms import Arms, most_uncertain_of, show, stays
from glbcheck.core.engine.factor import inner_products, inverse_norms
from glbcheck.core.engine.feed import Course
from glbcheck.core.engine.mirror_descent import grow, squared_length
from glbcheck.core.engine.rounds import REPLACED, Pull, rounds_of
from glbcheck.core.engine.run import Player
from glbcheck.core.engine.state import Learner, learner_in, own_lines, start_from, views
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.conditions import VECTOR, need_bounded_noise
from glbcheck.core.rivals.mor_ucb import NAME, Constants, constants, layer_of, radius, ridge, top_of
from glbcheck.core.tolerances import TIE


class Layers(NamedTuple):
    """Of each layer its state, its largest variance, and its data, by arm if the arms stay."""

    constants: Constants
    states: Floats
    tops: Floats
    data: Data  # with the layers as the first axis
    by_arm: bool


@compiled
def learn(learner: Learner, layers: Layers, link: Floats, pull: Pull) -> float:
    """The layer of the variance notes the observation and fits again."""
    c, data, number = layers.constants, layers.data, 0
    while number + 1 < layers.tops.size and layers.tops[number + 1] >= pull.dispersion * c.L_mu:
        number += 1
    layer = learner_in(layers.states[number])
    place = pull.arm if layers.by_arm else int(layer.facts.rounds)
    for j in range(pull.x.size):
        data.points[number, place, j] = pull.x[j]
    data.precision[number, place] += 1.0
    data.reward[number, place] += pull.reward
    grow(layer, pull.x, 1.0 / c.kappa, squared_length(layer, pull.x))
    layer.facts.rounds += 1.0
    count = data.precision.shape[1] if layers.by_arm else place + 1
    fit(
        layer, link,
        Data(data.points[number, :count], data.precision[number, :count], data.reward[number, :count]),
    )  # fmt: skip
    layer.facts.radius = layer.facts.radius_scale * _radius(c, layers.tops[number], layer.facts.lam, layer.facts.rounds)
    _show(learner, layer)
    learner.facts.rounds += 1.0
    learner.facts.weight = 1.0
    return REPLACED


@compiled
def _radius(c: Constants, top: float, lam: float, n: float) -> float:
    """`core.rivals.mor_ucb.radius` after the first round of a layer."""
    level = np.log(4.0 * n * n / c.delta)
    root = np.sqrt(c.d * np.log1p(n / (c.d * c.kappa * lam)) * level * top)
    return float(np.sqrt(c.kappa) * (VECTOR[0] * root + VECTOR[1] * c.R * level) + np.sqrt(lam) * c.S)


@compiled
def _show(learner: Learner, layer: Learner) -> None:
    """The state that the engine looks at becomes that of the layer."""
    for i in range(learner.theta.size):
        learner.theta[i] = layer.theta[i]
        learner.inverse_d[i] = layer.inverse_d[i]
        for j in range(learner.theta.size):
            learner.H[i, j] = layer.H[i, j]
            learner.lower[i, j] = layer.lower[i, j]
    learner.facts.radius = layer.facts.radius


@vectorised
def choose(learner: Learner, layers: Layers, arms: Arms, pick: int) -> int:
    """The arm whose least upper bound over the layers is largest; of equals the one least known to the latest layer."""
    least, bound, norm = arms.upper, arms.closed, arms.solved
    if not stays(arms):
        show(arms)
    for k in range(least.size):
        least[k] = np.inf
    for number in range(layers.tops.size):
        layer = learner_in(layers.states[number])
        inverse_norms(layer.lower, layer.inverse_d, arms.columns, arms.scratch, norm)
        inner_products(layer.theta, arms.columns, bound)
        for k in range(least.size):
            least[k] = min(least[k], bound[k] + layer.facts.radius * np.sqrt(norm[k]))
    top, scale = -np.inf, 0.0
    for k in range(least.size):
        top, scale = max(top, least[k]), max(scale, abs(least[k]))
    return most_uncertain_of(least, top - TIE * scale, arms.norm)


ROUNDS = rounds_of(learn, choose)


def start(p: Parameters, course: Course) -> Player:
    low, high = course.dispersion_range()
    slopes = p.L_mu, concordance.kappa(p.family, p.S).upper
    c = constants(p.family, p.d, p.S, p.delta, slopes, high, course.rounds)
    numbers = range(layer_of(c, high), layer_of(c, low) + 1)
    states = own_lines(len(numbers), bare(p).size)
    for state, number in zip(states, numbers, strict=True):
        state[:] = bare(p)
        start_from(state, ridge(c, number))
        views(state).facts.radius = p.radius_scale * radius(c, number, 0)
    stay = course.world.arms_stay
    shape = (len(numbers), places(course))
    data = Data(np.zeros((*shape, p.d)), np.zeros(shape), np.zeros(shape))
    tops = np.array([top_of(c, number) for number in numbers])
    return Player(ROUNDS, own_lines(states.shape[1]) + states[0], Layers(c, states, tops, data, stay))


MOR_UCB = Competitor(start, lambda p: need_bounded_noise(NAME, p.family))
