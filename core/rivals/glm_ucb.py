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
from glbcheck.core.engine.learner import trust, weigh
from glbcheck.core.engine.optimism import choose_by_closed_form
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import set_radius
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.algorithm import Algorithm, rival_state
from glbcheck.core.rivals.constrained_fit import current, fit_likelihood, is_due, refitting_state, show, values_at

REFIT = math.log(1.25)  # growth of log det V after which the likelihood is fitted again


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Note the observation; fit again when det V is a quarter above that of the latest fit."""
    now = current(state)
    q, _ = weigh(now, x, dispersion)
    at = values_at(now, x)
    now[at] += 1.0 / dispersion
    now[at + 1] += reward / dispersion
    if is_due(state, x, 1.0, 1.0 / dispersion, q):
        fit_likelihood(now)
        show(state, now)
        set_radius(state)


def _start(p: Parameters, episode: Episode) -> Agent:
    kappa = link_constants.kappa(p.family, p.S).upper
    slope = kappa**2 * p.L_mu
    head = rival_state(p, 1.0, p.S, 2 * slope * math.log(1 / p.delta), slope)
    state = refitting_state(head, 1 / kappa, episode.places, 2, episode.world.arms_stay, REFIT)
    return Agent(choose_by_closed_form, observe, trust, state)


GLM_UCB = Algorithm(_start)
