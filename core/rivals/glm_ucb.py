"""GLM-UCB (Filippi et al. 2010; Li et al. 2017): optimism around the maximum likelihood estimate, in batches.

The norm is that of V = I + Σ x xᵀ/g.  Slopes between θ̂ and θ_* are at least 1/κ, so that ‖θ̂ - θ_*‖ in V is at most κ
times the noise √L_μ √(2 log(1/δ) + log det V), plus S for the ridge 1/κ (derived here).  That the noise is so light is
true where μ' is nowhere above L_μ, as for Gaussian and Bernoulli rewards; for counts the radius is a rule of thumb.
"""

from __future__ import annotations

import math

from glbcheck.core import link_constants
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import (
    BETA_BASE,
    BETA_SLOPE,
    HALF_SQUARED,
    USES_DETERMINANT,
    WEIGHT,
    WIDENING,
    initial,
)  # fmt: skip
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.algorithm import Algorithm, start_from
from glbcheck.core.rivals.constrained_fit import COUNT, VALUES, fit_by, place_of, score_likelihood
from glbcheck.core.rivals.refitting import (
    choose_closed,
    filled,
    first_new,
    install,
    is_due,
    measure,
    place_for,
    refitting_state,
)

REFIT = math.log(1.25)  # growth of log det V after which the likelihood is fitted again

fit = fit_by(score_likelihood)


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Note the observation; fit again when det V is a quarter above that of the latest fit."""
    q, _ = measure(state, x, dispersion)
    place = place_for(state, x)
    at = place_of(state, VALUES) + place
    state[at] += 1.0 / dispersion
    state[at + place_of(state, COUNT)] += reward / dispersion
    state[WEIGHT] = 1.0
    if is_due(state, x, 1.0 / dispersion, q):
        fit(state, first_new(state), filled(state, place))
        install(state)


def start(p: Parameters, episode: Episode) -> Agent:
    kappa = link_constants.kappa(p.family, p.S).upper
    head = initial(p)
    head[WIDENING], head[HALF_SQUARED] = p.S, 0.0
    head[BETA_BASE] = 2 * kappa**2 * p.L_mu * math.log(1 / p.delta)
    head[BETA_SLOPE], head[USES_DETERMINANT] = kappa**2 * p.L_mu, True
    start_from(head, 1.0)
    state = refitting_state(
        head, p.family, p.S, ridge=1 / kappa, places=episode.places, by_arm=episode.world.arms_stay, values=2,
        refit_growth=REFIT,
    )  # fmt: skip
    return Agent(choose_closed, observe, trust, state)


GLM_UCB = Algorithm(start)
