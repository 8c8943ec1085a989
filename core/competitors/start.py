"""The competitors' states and parameters before the first round."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import sympy as sp
from glbcheck.core.engine import state as at
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family, z
from glbcheck.core.parameters import Parameters
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_GRID, _BISECTIONS = 2001, 100


def unweighted(p: Parameters, g_min: float) -> Parameters:
    """The paper's learner for C = 0, with the least λ for which no weight is ever below 1.

    Without corruption α is free.  With α = 1/(√λ g_min) every weight is 1, since ‖x‖ <= 1/√λ; λ is largest
    where α is, so the α at which both formulas hold is found by bisection.  A λ given by hand stays.  The α
    of `p` stays too: here it is only what an adversary measures by.
    """
    if "lam" in p.by_hand:
        return replace(p, C=0.0)

    def lam(alpha: float) -> float:
        return float(p.use.lam(p.d, p.S, p.eta, alpha, p.R_s, p.L_mu))

    low, high = 0.0, 1 / (math.sqrt(lam(0.0)) * g_min)
    for _ in range(_BISECTIONS):
        alpha = 0.5 * (low + high)
        low, high = (alpha, high) if alpha * g_min * math.sqrt(lam(alpha)) < 1 else (low, alpha)
    return replace(p, C=0.0, lam=lam(high))


def check_linear(family: Family) -> None:
    """Refuse every link but μ(z) = z."""
    if family.mu_expr != z and sp.simplify(family.mu_expr - z) != 0:
        raise BadInput("algorithm", "cw-oful", f"families with the link mu(z) = z, and {family.name} has another")


def cw_oful(p: Parameters, g_max: float) -> Floats:
    """Confidence-weighted ridge regression for noise of variance at most R² = g_max.

    w = min(1, α / ‖x‖) with α = R √d / C, Σ = λ I + Σ w x xᵀ with λ = R²/S², and θ_* is missed with
    probability at most δ by the radius R √(2 log(1/δ) + log det Σ/λ) + √λ S + α C, where the sum form bounds
    the determinant.
    """
    R = math.sqrt(g_max)
    lam = g_max / p.S**2
    state = at.initial(p, np.zeros(p.d))
    alpha = R * math.sqrt(p.d) / p.C if p.C > 0 else math.inf
    state[at.ALPHA] = state[at.TRUST] = alpha
    state[at.WIDENING] = R + (alpha * p.C if p.C > 0 else 0.0)
    state[at.BETA_BASE], state[at.BETA_SLOPE] = 2 * g_max * math.log(1 / p.delta), g_max
    state[at.GROWTH_RATE] = 1 / (p.d * lam)
    return _started(state, lam)


def glm_ucb(p: Parameters) -> Floats:
    """Optimism around the maximum likelihood estimate, in the norm of V = I + Σ x xᵀ/g.

    Slopes between θ̂ and θ_* are at least 1/κ, so that ‖θ̂ - θ_*‖ in V is at most κ times the noise
    √L_μ √(2 log(1/δ) + log det V), plus S for the ridge 1/κ.  That the noise is so light is true where μ' is
    nowhere above L_μ, as for Gaussian and Bernoulli rewards; for counts the radius is a rule of thumb.
    """
    kappa = 1 / float(p.family.dmu(np.linspace(-p.S, p.S, _GRID)).min())
    state = at.initial(p, np.zeros(p.d))
    state[at.WIDENING] = p.S
    state[at.BETA_BASE] = 2 * kappa**2 * p.L_mu * math.log(1 / p.delta)
    state[at.BETA_SLOPE] = kappa**2 * p.L_mu
    state[at.USE_DETERMINANT] = 1.0
    _started(state, 1.0)
    state[at.LAM] = 1 / kappa  # the ridge of the likelihood; H starts at κ times it
    return state


def following(state: Floats) -> Floats:
    """A second state for the V of every round, beside the one of the latest fit."""
    shadow = at.own_lines(state.size)
    shadow[:] = state
    shadow[at.LAM] = 1.0
    return shadow


def _started(state: Floats, lam: float) -> Floats:
    state[at.EXACT] = 0.0
    at.start_from(state, np.zeros(int(state[at.D])), lam)
    return state
