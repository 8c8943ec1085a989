"""MOR-UCB: Zhao, Zhou, He and Gu 2023, "Optimal online generalized linear regression with stochastic noise and its
application to heteroscedastic bandits", Section 6.

A GLM link with slopes of at least 1/κ, noise of size at most R and of variance at most a known σ_t².  Layer l holds the
rounds with R/2^{l+1} < σ_t <= R/2^l, the last one all that are more precise; each has its own follow-the-regularised-
leader estimate and its own confidence set, and an arm is worth the least of what the layers allow.  The layers are by
variance: their regret d κ √(Σ σ²) + R κ √(dT), with √(dT) outside the variances, is what such layers give.

What the learner knows of the variance is g_t L_μ: the slope at θ_* is not shown to it (app:comparison).  The constants
of the source could not be found in public text; those here are derived, each where it stands.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from glbcheck.core import link_constants
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel, shared, vector_at, view
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust, weigh
from glbcheck.core.engine.linear import squared_norms, times
from glbcheck.core.engine.optimism import most_uncertain
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import NORM, RADIUS, RADIUS_SCALE, ROUNDS, THETA, WEIGHT, H, W, square, vector
from glbcheck.core.family import Family
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.algorithm import OWN, Algorithm, grow_by, start_from, with_own
from glbcheck.core.rivals.conditions import length_bound, need_bounded_noise, noise_bound
from glbcheck.core.rivals.constrained_fit import ARM, COUNT, VALUES, fit_by, place_of, score_likelihood
from glbcheck.core.rivals.linear import ridge_state
from glbcheck.core.rivals.refitting import filled, first_new, point_into, refitting_state
from glbcheck.core.tolerances import TIE

NAME = "mor-ucb"


class Constants(NamedTuple):
    """What the rounds need."""

    d: int
    S: float
    L_mu: float
    kappa: float
    R: float
    delta: float  # of one layer
    layers: int


def constants(
    family: Family, d: int, S: float, delta: float, slopes: tuple[float, float], g_max: float, horizon: float
) -> Constants:
    """`slopes` are L_μ and κ.  Derived here: layers down to R/√T, as the floor α of WeightedOFUL+; δ shared by them."""
    R, left = noise_bound(family, g_max, horizon, delta)
    layers = 1 + math.ceil(math.log2(horizon) / 2)
    return Constants(d, S, slopes[0], slopes[1], R, left / layers, layers)


@shared
def top_of(c: Constants, layer: int) -> float:
    """The largest variance of a layer, R²/4^l."""
    return c.R**2 / 4.0**layer


@shared
def layer_of(c: Constants, dispersion: float) -> int:
    """The last layer whose variances are at least g L_μ."""
    layer = 0
    while layer + 1 < c.layers and top_of(c, layer + 1) >= dispersion * c.L_mu:
        layer += 1
    return layer


@shared
def ridge(c: Constants, layer: int) -> float:
    """λ = κ d σ²/S² with the largest σ of the layer.

    Derived here: any λ > 0 will do, and this one makes √λ S = √κ σ √d, of the order of the noise of d directions.
    """
    return c.kappa * c.d * top_of(c, layer) / c.S**2


@shared
def radius(c: Constants, layer: int, n: float) -> float:
    """√κ (8 σ √(d log(1 + n/(d κ λ)) ℓ) + 4 R ℓ) + √λ S after n rounds, ℓ = log(4n²/δ); √λ S for n = 0.

    Derived here.  H = λ I + Σ x xᵀ/κ is at most what the loss curves by on Θ, and the estimate is its minimiser on Θ,
    so ‖θ - θ_*‖² <= ⟨Σ x ε - λ θ_*, θ - θ_*⟩, and ‖θ - θ_*‖ is at most ‖Σ x ε‖ + √λ S in the norms of H and H⁻¹.  The
    norm of H⁻¹ is √κ times that of (κ λ I + Σ x xᵀ)⁻¹, for which `bernstein` has the bound.
    """
    lam = ridge(c, layer)
    if n == 0:
        return math.sqrt(lam) * c.S
    mass, level = n / (c.d * c.kappa * lam), math.log(4 * n * n / c.delta)
    noise = length_bound(c.d, math.sqrt(top_of(c, layer)), c.R, mass, level)
    return math.sqrt(c.kappa) * noise + math.sqrt(lam) * c.S


fit = fit_by(score_likelihood)

LEAST, BOUND, NORMS, LATEST = range(4)  # rows of room: the least bound of an arm; a layer's bounds and norms
# Numbers of its own: the constants; where the layers begin, the size of one, the number of the first; the latest
# choice; how many layers there are.


@view
def layer_at(state: Floats, number: int) -> Floats:
    """The state of a layer, with its data."""
    t = int(state[OWN])
    return vector_at(state, int(state[t + 7] + number * state[t + 8]), int(state[t + 8]))


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """The layer of the variance notes the observation and fits again; the state becomes that of the layer."""
    t, number = int(state[OWN]), 0
    c = Constants(
        int(state[t]), state[t + 1], state[t + 2], state[t + 3], state[t + 4], state[t + 5], int(state[t + 6])
    )  # fmt: skip
    first = int(state[t + 9])
    number = layer_of(c, dispersion)
    layer = layer_at(state, number - first)
    layer[int(layer[OWN]) + ARM] = state[t + 10]
    q, _ = weigh(layer, x, dispersion)
    place = point_into(layer, x, int(layer[ROUNDS]))
    at = place_of(layer, VALUES) + place
    layer[at] += 1.0
    layer[at + place_of(layer, COUNT)] += reward
    grow_by(layer, x, 1.0 / c.kappa, q)
    fit(layer, first_new(layer), filled(layer, place))
    layer[RADIUS] = layer[RADIUS_SCALE] * radius(c, number, layer[ROUNDS])
    show(state, layer)
    state[NORM] = math.sqrt(q)
    state[ROUNDS] += 1.0
    state[WEIGHT] = 1.0


@kernel
def show(state: Floats, layer: Floats) -> None:
    """θ, H and the radius become those of the layer that has learnt last: no other set has changed."""
    theta, other = vector(state, THETA), vector(layer, THETA)
    for i in range(theta.size):
        theta[i] = other[i]
        for j in range(theta.size):
            square(state, H)[i, j] = square(layer, H)[i, j]
            square(state, W)[i, j] = square(layer, W)[i, j]
    state[RADIUS] = layer[RADIUS]


@kernel
def choose(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm whose least upper bound over the layers is largest; of equals the one least known to the latest layer."""
    t, K = int(state[OWN]), arms.shape[0]
    for k in range(K):
        room[LEAST, k] = np.inf
    for number in range(int(state[t + 11])):
        layer = layer_at(state, number)
        squared_norms(square(layer, W), arms, room[NORMS])
        times(arms, vector(layer, THETA), room[BOUND])
        for k in range(K):
            room[LEAST, k] = min(room[LEAST, k], room[BOUND, k] + layer[RADIUS] * math.sqrt(room[NORMS, k]))
    squared_norms(square(state, W), arms, room[LATEST])
    top, size = -np.inf, 0.0
    for k in range(K):
        top, size = max(top, room[LEAST, k]), max(size, abs(room[LEAST, k]))
    arm = most_uncertain(room[LEAST], top - TIE * size, room[LATEST], K)
    state[t + 10] = arm
    return arm


def _start(p: Parameters, episode: Episode) -> Agent:
    low, high = episode.dispersion_range
    slopes = p.L_mu, link_constants.kappa(p.family, p.S).upper
    c = constants(p.family, p.d, p.S, p.delta, slopes, high, max(episode.rounds, 1))
    numbers = range(layer_of(c, high), layer_of(c, low) + 1)
    layers = []
    for number in numbers:
        head = ridge_state(p)
        start_from(head, ridge(c, number))
        head[RADIUS] = p.radius_scale * radius(c, number, 0)
        layers.append(
            refitting_state(
                head, p.family, p.S, ridge=ridge(c, number), places=episode.places, by_arm=episode.world.arms_stay,
                values=2,
            )
        )  # fmt: skip
    first = layers[0][: int(layers[0][OWN])]
    begins = first.size + len(c) + 5
    own = [*c, begins, layers[0].size, numbers[0], 0.0, len(layers)]
    state = with_own(first, [*own, *np.concatenate(layers)])
    return Agent(choose, observe, trust, state, nested=False)


MOR_UCB = Algorithm(_start, lambda p: need_bounded_noise(NAME, p.family))
