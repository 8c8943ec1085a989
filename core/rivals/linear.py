"""Three rivals around one ridge regression; all for a linear link: OFUL, CW-OFUL and WeightedOFUL+.

`oful`: Abbasi-Yadkori, Pál and Szepesvári 2011, "Improved algorithms for linear stochastic bandits".  R-sub-Gaussian
noise; normal noise of dispersion g is √g-sub-Gaussian, so R² = g_max.  It is not told C and has no weights.

`cw-oful`: He, Zhou, Zhang and Gu 2022, "Nearly optimal algorithms for linear contextual bandits with adversarial
corruptions".  The same noise, corruption of size C in all.  At C = 0 it is OFUL.

`weighted-oful-plus`: Zhou and Gu 2022, "Computationally efficient horizon-free reinforcement learning for linear
mixture MDPs", Section 4.  Noise of known variance σ_t² = g_t and of size at most R.  No canonical family has both
(`noise_bound`): for normal rewards R is what all T noises stay below but for probability δ/2, and the rest of δ is the
theorem's.  That the set holds does not rest on the printed constants: the radius is above the one derived in
docs/rivals.md.  It is hundreds of times the error, so the set is not informative for many thousand rounds.

"As published" is, for the last two, what the theorem is known to say; its displays were not at hand to be compared.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, shared, vector_at
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust, weigh
from glbcheck.core.engine.linear import dot
from glbcheck.core.engine.optimism import choose_by_closed_form
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import set_radius, vector
from glbcheck.core.family import Family
from glbcheck.core.rivals.algorithm import OWN, Algorithm, grow_by, need_linear_link, noise_bound, rival_state, with_own
from glbcheck.core.theory.parameters import Parameters


def ridge(g_max: float, S: float) -> float:
    """λ = R²/S².  Derived here: Theorem 2 holds for every λ > 0; this one makes √λ S = R, one unit of noise."""
    return g_max / S**2


def threshold(g_max: float, d: int, C: float) -> float:
    """α = R √d / C, as published (CW-OFUL, Theorem 4.2); without corruption every weight is 1."""
    return math.sqrt(g_max * d) / C if C > 0 else math.inf


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """One observation of ridge regression with weights min(1, α / ‖x‖), as published (CW-OFUL, Algorithm 1)."""
    q, w = weigh(state, x, 1.0)
    absorb(state, x, reward, w, q)
    set_radius(state)


@kernel
def absorb(state: Floats, x: Floats, reward: float, c: float, q: float) -> None:
    """θ and H after an observation of weight c, of an arm with ‖x‖² = q in H⁻¹ that `weigh` has seen."""
    theta, u = vector(state, st.THETA), vector(state, st.PULL)
    gain = c * (reward - dot(x, theta)) / (1.0 + c * q)
    for j in range(x.size):
        theta[j] += gain * u[j]
    grow_by(state, x, c, q)
    state[st.INVERSE_G] += 1.0


@kernel
def trust_alone(state: Floats, x: Floats, dispersion: float) -> float:
    """α / ‖x‖ in H⁻¹: these weights do not look at the dispersion."""
    return trust(state, x, 1.0)


def _start(p: Parameters, episode: Episode, C: float, determinant: bool) -> Agent:
    """The radius is R √(log(det V/det λI) + 2 log(1/δ)) + √λ S, as published (OFUL, Theorem 2, first part), and α C.

    Also as published (CW-OFUL, Theorem 4.2): w_s ‖x_s‖ <= α, so what C adds to Σ w_s c_s x_s is at most α C long.
    The second part of OFUL's theorem, R √(d log((1 + t/λ)/δ)), is too small for d = 1 (claim `explicit_ellipsoid` of
    the paper `oful`), and CW-OFUL is published with that error.  Derived here: log det in its place, or the bound
    d log(1 + t/(dλ)) on it; weights at most 1 keep the noise √w ε R-sub-Gaussian and Σ w x xᵀ below Σ x xᵀ.
    """
    g_max = episode.dispersion_range[1]
    lam, alpha = ridge(g_max, p.S), threshold(g_max, p.d, C)
    wider = math.sqrt(lam) * p.S + (alpha * C if C > 0 else 0.0)
    state = rival_state(p, lam, wider, 2 * g_max * math.log(1 / p.delta), g_max, alpha)
    state[st.ALPHA] = threshold(g_max, p.d, p.C)
    state[st.GROWTH_RATE], state[st.USES_DETERMINANT] = 1 / (p.d * lam), determinant
    return Agent(choose_by_closed_form, observe, trust_alone, state)


OFUL = Algorithm(lambda p, episode: _start(p, episode, 0.0, True), lambda p: need_linear_link("oful", p.family))
CW_OFUL = Algorithm(
    lambda p, episode: _start(p, episode, p.C, p.radius_form == "determinant"),
    lambda p: need_linear_link("cw-oful", p.family),
)


class Constants(NamedTuple):
    """What the rounds need; numbers only, for compiled code."""

    d: int
    alpha: float  # the least σ̄
    gamma: float  # σ̄ is at least γ √‖x‖
    lam: float
    S: float
    R: float
    delta: float


def constants(family: Family, d: int, S: float, delta: float, g_max: float, horizon: float) -> Constants:
    """γ = √R / d^{1/4} and λ = d/S², as published (after Theorem 4.1); α and R derived here.

    α = R/√T: the published order 1/√T, made independent of the unit that rewards are measured in.
    """
    R, left = noise_bound(family, g_max, horizon, delta)
    return Constants(d, R / math.sqrt(horizon), math.sqrt(R) / d**0.25, d / S**2, S, R, left)


@shared
def radius(c: Constants, k: float) -> float:
    """12 √(d log(1 + k/(α² d λ)) ℓ) + 30 ℓ R/γ² + √λ S in round k, as published (Theorem 4.1), with ‖x‖ <= 1.

    ℓ = log(32 (log(γ²/α) + 1) k²/δ), as published; γ² is taken as α where it is below (derived here).  |ε|/σ̄ times the
    length of x/σ̄ is at most R/γ², which is the M of `length_bound`, and x/σ̄ is at most 1/α long.
    """
    mass = k / (c.alpha**2 * c.d * c.lam)
    ell = math.log(32.0 * (math.log(max(c.gamma**2 / c.alpha, 1.0)) + 1) * k * k / c.delta)
    return 12.0 * math.sqrt(c.d * math.log1p(mass) * ell) + 30.0 * ell * c.R / c.gamma**2 + math.sqrt(c.lam) * c.S


@kernel
def observe_weighted(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """One observation of weight 1/σ̄², σ̄ = max(σ, α, γ √‖x‖), as published (eq. 4.1).

    g/σ̄² without the floor α is min(1, g / (γ² ‖x‖)), a weight of the paper's form.
    """
    k = vector_at(state, int(state[OWN]), 7)
    c = Constants(int(k[0]), k[1], k[2], k[3], k[4], k[5], k[6])
    q, w = weigh(state, x, dispersion)
    precision = min(w / dispersion, 1.0 / c.alpha**2)
    absorb(state, x, reward, precision, q)
    state[st.WEIGHT] = precision * dispersion
    state[st.RADIUS] = state[st.RADIUS_SCALE] * radius(c, state[st.ROUNDS] + 1.0)


def _start_weighted(p: Parameters, episode: Episode) -> Agent:
    c = constants(p.family, p.d, p.S, p.delta, episode.dispersion_range[1], max(episode.rounds, 1))
    state = with_own(rival_state(p, c.lam, radius(c, 1), alpha=1 / c.gamma**2), c)
    return Agent(choose_by_closed_form, observe_weighted, trust, state)


WEIGHTED_OFUL_PLUS = Algorithm(_start_weighted, lambda p: need_linear_link("weighted-oful-plus", p.family))
