"""Two rivals around the maximum likelihood estimate over the ball: GLM-UCB and MOR-UCB.

`glm-ucb`: Filippi et al. 2010; Li et al. 2017.  Optimism around the estimate, which is fitted in batches.  The norm is
that of V = I + Σ x xᵀ/g.  Slopes between θ̂ and θ_* are at least 1/κ, so that ‖θ̂ - θ_*‖ in V is at most κ times the
noise √L_μ √(2 log(1/δ) + log det V), plus S for the ridge 1/κ (derived here).  That the noise is so light is true where
μ' is nowhere above L_μ, as for Gaussian and Bernoulli rewards; for counts the radius is a rule of thumb.

`mor-ucb`: Zhao, Zhou, He and Gu 2023, "Optimal online generalized linear regression with stochastic noise and its
application to heteroscedastic bandits", Section 6.  A GLM link with slopes of at least 1/κ, noise of size at most R and
of variance at most a known σ_t².  Layer l holds the rounds with R/2^{l+1} < σ_t <= R/2^l, the last one all that are
more precise; each has its own follow-the-regularised-leader estimate and its own confidence set, and an arm is worth
the least of what the layers allow.  The layers are by variance: their regret d κ √(Σ σ²) + R κ √(dT), with √(dT)
outside the variances, is what such layers give.  What the learner knows of the variance is g_t L_μ: the slope at θ_* is
not shown to it (app:comparison).  The constants of the source could not be found in public text; those here are
derived, each where it stands.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, shared, vector_at, view
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust, weigh
from glbcheck.core.engine.linear import squared_norms, times
from glbcheck.core.engine.optimism import choose_by_closed_form, most_uncertain
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import set_radius, square, vector
from glbcheck.core.rivals import algorithm
from glbcheck.core.rivals import constrained_fit as fits
from glbcheck.core.rivals.algorithm import OWN, Algorithm, grow_by, rival_state, with_own
from glbcheck.core.theory import link_constants
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.tolerances import TIE

REFIT = math.log(1.25)  # growth of log det V after which GLM-UCB fits again


@kernel
def observe_in_batches(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Note the observation; fit again when det V is a quarter above that of the latest fit."""
    now = fits.current(state)
    q, _ = weigh(now, x, dispersion)
    at = fits.values_at(now, x)
    now[at] += 1.0 / dispersion
    now[at + 1] += reward / dispersion
    if fits.is_due(state, x, 1.0, 1.0 / dispersion, q):
        fits.fit_likelihood(now)
        fits.show(state, now)
        set_radius(state)


def _start_in_batches(p: Parameters, episode: Episode) -> Agent:
    kappa = link_constants.kappa(p.family, p.S).upper
    slope = kappa**2 * p.L_mu
    head = rival_state(p, 1.0, p.S, 2 * slope * math.log(1 / p.delta), slope)
    state = fits.refitting_state(head, 1 / kappa, episode.places, 2, episode.world.arms_stay, REFIT)
    return Agent(choose_by_closed_form, observe_in_batches, trust, state)


GLM_UCB = Algorithm(_start_in_batches)


class Constants(NamedTuple):
    """What the rounds need."""

    d: int
    S: float
    L_mu: float
    kappa: float
    R: float
    delta: float  # of one layer
    layers: int


def constants(p: Parameters, kappa: float, g_max: float, horizon: float) -> Constants:
    """Derived here: layers down to R/√T, as the floor α of WeightedOFUL+; they share δ."""
    R, left = algorithm.noise_bound(p.family, g_max, horizon, p.delta)
    layers = 1 + math.ceil(math.log2(horizon) / 2)
    return Constants(p.d, p.S, p.L_mu, kappa, R, left / layers, layers)


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
    norm of H⁻¹ is √κ times that of (κ λ I + Σ x xᵀ)⁻¹, for which `length_bound` is the bound.
    """
    lam = ridge(c, layer)
    if n == 0:
        return math.sqrt(lam) * c.S
    mass, level = n / (c.d * c.kappa * lam), math.log(4 * n * n / c.delta)
    noise = algorithm.length_bound(c.d, math.sqrt(top_of(c, layer)), c.R, mass, level)
    return math.sqrt(c.kappa) * noise + math.sqrt(lam) * c.S


LEAST, BOUND, NORMS, LATEST = range(4)  # rows of room: the least bound of an arm; a layer's bounds and norms
SIZE, FIRST, COUNT, LAYERS = range(7, 11)  # after the constants: of a layer, the number of the first, how many, where


@view
def layer_at(state: Floats, place: int) -> Floats:
    """The state of a layer, with its data."""
    t = int(state[OWN])
    size = int(state[t + SIZE])
    return vector_at(state, t + LAYERS + place * size, size)


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """The layer of the variance notes the observation and fits again; the state becomes that of the layer."""
    t = int(state[OWN])
    k = vector_at(state, t, SIZE)
    c = Constants(int(k[0]), k[1], k[2], k[3], k[4], k[5], int(k[6]))
    number = layer_of(c, dispersion)
    layer = layer_at(state, number - int(state[t + FIRST]))
    q, _ = weigh(layer, x, dispersion)
    at = fits.values_at(layer, x)
    layer[at] += 1.0
    layer[at + 1] += reward
    grow_by(layer, x, 1.0 / c.kappa, q)
    fits.fit_likelihood(layer)
    layer[st.RADIUS] = layer[st.RADIUS_SCALE] * radius(c, number, layer[st.ROUNDS])
    fits.show(state, layer)  # the layer that has learnt last: no other set has changed
    state[st.RADIUS], state[st.NORM], state[st.WEIGHT] = layer[st.RADIUS], math.sqrt(q), 1.0


@kernel
def choose(state: Floats, room: Floats, arms: Floats) -> int:
    """The arm whose least upper bound over the layers is largest; of equals the one least known to the latest layer."""
    K, top, size = arms.shape[0], -np.inf, 0.0
    for k in range(K):
        room[LEAST, k] = np.inf
    for place in range(int(state[int(state[OWN]) + COUNT])):
        layer = layer_at(state, place)
        squared_norms(square(layer, st.W), arms, room[NORMS])
        times(arms, vector(layer, st.THETA), room[BOUND])
        for k in range(K):
            room[LEAST, k] = min(room[LEAST, k], room[BOUND, k] + layer[st.RADIUS] * math.sqrt(room[NORMS, k]))
    squared_norms(square(state, st.W), arms, room[LATEST])
    for k in range(K):
        top, size = max(top, room[LEAST, k]), max(size, abs(room[LEAST, k]))
    return most_uncertain(room[LEAST], top - TIE * size, room[LATEST], K)


def _start(p: Parameters, episode: Episode) -> Agent:
    low, high = episode.dispersion_range
    c = constants(p, link_constants.kappa(p.family, p.S).upper, high, max(episode.rounds, 1))
    numbers, states = range(layer_of(c, high), layer_of(c, low) + 1), []
    for number in numbers:
        lam = ridge(c, number)
        state = rival_state(p, lam, radius(c, number, 0))
        states.append(fits.fitting_state(state, lam, episode.places, 2, episode.world.arms_stay))
    own = [*c, states[0].size, numbers[0], len(states)]
    first = rival_state(p, ridge(c, numbers[0]), radius(c, numbers[0], 0))
    return Agent(choose, observe, trust, with_own(first, np.concatenate([own, *states])), nested=False)


MOR_UCB = Algorithm(_start, lambda p: algorithm.need_bounded_noise("mor-ucb", p.family))
