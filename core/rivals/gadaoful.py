"""GAdaOFUL (Yu, Baek, Li and Sun 2025, Theorem 4): adaptive Huber regression of a GLM, for noise of finite variance.

Rounds with ν_s² >= Var r_s are scaled by σ_s = max(ν_s, σ_min, ‖x_s‖/m_0, α √‖x_s‖), norms in H⁻¹ of before the round,
and H = λ I + Σ x xᵀ/σ².  The estimate minimises over the ball

    λ/(2κ) ‖θ‖² - Σ_s (1/σ_s) ∫_0^⟨x_s, θ⟩ Ψ_s((r_s - μ(u))/σ_s) du,      Ψ_s(z) = z / √(1 + z²/τ_s²),

a convex loss, with τ_s = τ_0 √(1 + w_s²)/w_s and w_s = ‖x_s‖/σ_s; the arm is optimistic over ‖θ - θ̂‖ <= radius and Θ.

`published` are the constants of Algorithm 1, Theorem 3 and Corollary 5, with δ/3 for the δ of Theorem 3 since that
fails with probability 3δ.  `derived` are found here, for the same algorithm: docs/refitting-rivals.md has the proof for
both, and says why the published ones learn nothing for thousands of rounds.  The authors' public code uses neither: it
sets m_0 = 1, τ_0 = 1, λ = 0.1 and the radius 1 by hand, and misses θ_* in most runs (tests/core/rivals/test_refit.py).
Only g is seen, so ν² = L_μ g.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from glbcheck.core.arrays import Floats
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel, shared, vector_at
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust, weigh
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import table
from glbcheck.core.errors import BadInput
from glbcheck.core.rivals import constrained_fit as fits
from glbcheck.core.rivals.algorithm import OWN, Algorithm, rival_state
from glbcheck.core.theory import link_constants
from glbcheck.core.theory.parameters import Parameters
from glbcheck.core.theory.tuning import MARGIN

BIAS = ((1 + math.sqrt(5)) / 2) ** -2.5  # derived here: |Ψ(z) - z| <= BIAS z²/τ, with equality at z² = τ² (1+√5)/2
STEEPEST = 1.5 * 1.25**-2.5  # derived here: the largest slope of 1 - Ψ'(τ y) = 1 - (1 + y²)^(-3/2), at y = 1/2
BENNETT = (math.e**2 - 3) / 4  # derived here: e^y <= 1 + y + BENNETT y² for y <= 2
MOST_SHIFTED = 0.25  # derived here: the largest |μ(⟨x, θ⟩) - μ(⟨x, θ_*⟩)| / (σ τ) that α leaves


class Constants(NamedTuple):
    """What the learner is tuned to before the first round; numbers only, for compiled code."""

    S: float
    L_mu: float
    kappa: float
    horizon: float
    lam: float
    sigma_min: float
    m_0: float
    tau_0: float
    alpha: float
    base: float = 0.0  # of the radius, as those below
    slope: float = 0.0
    widening: float = 0.0
    level: float = 0.0
    per_root: float = 0.0
    per_level: float = 0.0


@shared
def variance(c: Constants, dispersion: float) -> float:
    """max(ν², σ_min²) with ν² = L_μ g: σ² if nothing but the noise counts."""
    return max(c.L_mu * dispersion, c.sigma_min**2)


@shared
def sigma_squared(c: Constants, dispersion: float, length: float) -> float:
    """As published (19); `length` is ‖x‖ in H⁻¹."""
    return max(variance(c, dispersion), (length / c.m_0) ** 2, c.alpha**2 * length)


@shared
def radius(c: Constants, logdet: float, t: float) -> float:
    """After t rounds: √(base + slope log(det H/λ^d)) + widening + per_root √l + per_level l with l = level + 2 log t.

    For t = 0 β_0 = √λ S, as published (Algorithm 1).
    """
    if t == 0.0:
        return math.sqrt(c.lam) * c.S
    level = c.level + 2.0 * math.log(t)
    return math.sqrt(c.base + c.slope * logdet) + c.widening + c.per_root * math.sqrt(level) + c.per_level * level


def published(p: Parameters, horizon: float) -> Constants:
    """Those of Algorithm 1, Theorem 3 and Corollary 5, where L = 1, B = S, K = L_μ and k = 1/κ."""
    d, kappa, delta = p.d, link_constants.kappa(p.family, p.S).upper, p.delta / 3
    level = math.log(2 * horizon**2 / delta)
    lam, sigma_min = d / p.S**2, 1 / math.sqrt(horizon)
    most = d * math.log1p(horizon / (d * lam * sigma_min**2))  # the κ of the source
    tau_0 = max(math.sqrt(2 * most), 2 * math.sqrt(d)) / math.sqrt(level)
    corrupted = 4 * math.sqrt(most) if p.C else 0.0  # Theorem 2 has none
    return Constants(
        S=p.S, L_mu=p.L_mu, kappa=kappa, horizon=horizon, lam=lam, sigma_min=sigma_min,
        m_0=1 / (6 * math.sqrt(3 * level)), tau_0=tau_0,
        alpha=math.sqrt(max(p.S * p.L_mu * math.sqrt(42 * level / d), p.C / math.sqrt(most))),
        widening=kappa * (corrupted + 32 * most / tau_0) + 5 * math.sqrt(lam) * p.S,
        level=math.log(2 / delta), per_root=32 * kappa * math.sqrt(most), per_level=32 * kappa * tau_0,
    )  # fmt: skip


def derived(p: Parameters, horizon: float, dispersions: tuple[float, float]) -> Constants:
    """Those found here, for `horizon` rounds with dispersions in this range."""
    nu_min, nu_max = (math.sqrt(p.L_mu * g) for g in dispersions)
    d, S, level = p.d, p.S, math.log(2 / p.delta)
    m_0 = 1 / (4 * math.sqrt(level))  # derived here: no observation adds more than a 16 log(2/δ)-th to det H
    lam = max(d / S**2, 1 / (m_0 * nu_max) ** 2)  # derived here: ‖x‖/m_0 is never above the largest ν
    sigma_min = max(1 / math.sqrt(horizon), nu_min)  # as published, or the smallest ν, which changes no σ
    most = d * math.log1p(horizon / (d * lam * sigma_min**2))
    tau_0 = max(1.0, math.sqrt(most / level))  # derived here: then the curvature that noise takes away stays small
    alpha_squared = max(
        S * p.L_mu * math.sqrt(42 * math.log(2 * horizon**2 / p.delta) / d),  # as published (19)
        p.C / math.sqrt(most),  # as published (19)
        float(p.family.mu(S) - p.family.mu(-S)) * MARGIN / (MOST_SHIFTED * tau_0),  # derived here, for large d
    )
    kappa, alpha = link_constants.kappa(p.family, S).upper, math.sqrt(alpha_squared)
    return proved(p, Constants(S, p.L_mu, kappa, horizon, lam, sigma_min, m_0, tau_0, alpha))


def proved(p: Parameters, use: Constants) -> Constants:
    """The same with the radius that is proved here."""
    most, level = _most(p, use), math.log(2 / p.delta)
    keeps = kept(p, use)
    if not keeps > 0:
        raise BadInput("constants", use, "an m_0 and an α that leave some curvature")
    stretch = use.kappa / keeps
    base, slope = noise(level, most, use.tau_0)
    widening = stretch * p.C / use.alpha**2 + math.sqrt(use.lam) * use.S / keeps
    return Constants(*use[:9], base=stretch**2 * base, slope=stretch**2 * slope, widening=widening)


def kept(p: Parameters, use: Constants) -> float:
    """Derived here: the part of the curvature of the loss that noise, corruption and the way from θ_* to θ̂ leave."""
    most, level, m, shift = _most(p, use), math.log(2 / p.delta), use.m_0**2, use.alpha**2 * use.tau_0
    by_noise = 1.5 * (math.e - 1) * m * most / use.tau_0**2 + m * level
    span = float(p.family.mu(p.S) - p.family.mu(-p.S)) * MARGIN
    return 1 - by_noise - STEEPEST * (span + m * p.C) / shift


def noise(level: float, most: float, tau_0: float) -> tuple[float, float]:
    """Derived here: base and slope with ‖Σ x Ψ(ε/σ)/σ‖² in H⁻¹ <= base + slope log(det H/λ^d), in all rounds.

    The bound at the horizon, B², must be what the rate of its exponential supermartingale assumes.
    """

    def bound(B: float) -> tuple[float, float]:
        rate = min(2 / (2 * tau_0 * B + tau_0**2), 1 / (8 * BENNETT))
        return level / rate, 1 + 4 * BIAS**2 / tau_0**2 + 3 * BENNETT * rate * tau_0**2

    B = 1.0
    while bound(B)[0] + bound(B)[1] * most > B**2:
        B *= 1.001
    return bound(B)


def _most(p: Parameters, use: Constants) -> float:
    """As published: what log(det H/λ^d) is at most."""
    return p.d * math.log1p(use.horizon / (p.d * use.lam * use.sigma_min**2))


@kernel
def score(state: Floats, at: int, z: float) -> tuple[float, float]:
    """Of the Huber-type loss: -Ψ(z)/σ and Ψ'(z) μ'/σ² at z = (r - μ)/σ, for the values r, 1/σ and 1/τ."""
    mu, dmu = mean_and_slope(state, state[st.LINK], table(state), z)
    scale = state[at + 1]
    off = (state[at] - mu) * scale
    bent = off * state[at + 2]
    shrink = 1.0 / math.sqrt(1.0 + bent * bent)
    return -off * shrink * scale, dmu * shrink * shrink * shrink * scale * scale


fit = fits.fit_by(score)


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Note the observation with its σ and τ; fit again when log det H has grown enough."""
    now = fits.current(state)
    k = vector_at(now, int(now[OWN]) + fits.CONSTANTS, 15)
    c = Constants(
        k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8], k[9], k[10], k[11], k[12], k[13], k[14]
    )  # fmt: skip
    q, _ = weigh(now, x, dispersion)
    squared = sigma_squared(c, dispersion, math.sqrt(q))
    w = math.sqrt(q / squared)
    at = fits.values_at(now, x)
    now[at], now[at + 1] = reward, 1.0 / math.sqrt(squared)
    now[at + 2] = w / (c.tau_0 * math.sqrt(1.0 + w * w))
    if fits.is_due(state, x, variance(c, dispersion) / squared, 1.0 / squared, q):
        fit(now)
        fits.show(state, now)
        state[st.RADIUS] = state[st.RADIUS_SCALE] * radius(c, state[st.LOGDET], state[st.ROUNDS])


def agent(p: Parameters, use: Constants, rounds: int, growth: float = 0.0) -> Agent:
    """The learner with these constants, with room for so many rounds; it fits when log det H has grown by so much."""
    # σ² is that of the noise while α²‖x‖ <= L_μ g.
    head = rival_state(p, use.lam, radius(use, 0.0, 0.0), alpha=use.L_mu / use.alpha**2)
    state = fits.refitting_state(
        head, use.lam / use.kappa, max(rounds, 1), 3, False, growth, use
    )  # as published (2): λ k
    return Agent(fits.chooser(p.index), observe, trust, state)


def _start(p: Parameters, episode: Episode) -> Agent:
    """With the constants of its source if those of the paper are asked for, and the derived ones otherwise."""
    T = max(episode.rounds, 1)
    use = published(p, T) if p.use.name == "paper" else derived(p, T, episode.dispersion_range)
    return agent(p, use, episode.rounds, fits.refit_growth(T))


GADAOFUL = Algorithm(_start)
