"""GAdaOFUL (Yu, Baek, Li and Sun 2025, Theorem 4): adaptive Huber regression of a GLM, for noise of finite variance.

Rounds with ν_s² >= Var r_s are scaled by σ_s = max(ν_s, σ_min, ‖x_s‖/m_0, α √‖x_s‖), norms in H⁻¹ of before the round,
and H = λ I + Σ x xᵀ/σ².  The estimate minimises over the ball

    λ/(2κ) ‖θ‖² - Σ_s (1/σ_s) ∫_0^⟨x_s, θ⟩ Ψ_s((r_s - μ(u))/σ_s) du,      Ψ_s(z) = z / √(1 + z²/τ_s²),

a convex loss, with τ_s = τ_0 √(1 + w_s²)/w_s and w_s = ‖x_s‖/σ_s; the arm is optimistic over ‖θ - θ̂‖ <= radius and Θ.

Two sets of constants.  `published` are those of Algorithm 1, Theorem 3 and Corollary 5, with δ/3 for the δ of Theorem 3
since that fails with probability 3δ.  Their radius is 15 times the one proved here for them, or more, wherever tests
look, and with their m_0 no round adds more than a 108 log(6T²/δ)-th to det H: thousands of rounds go by before anything
is learned.  `derived` are found here, for the same algorithm; docs/refitting-rivals.md has the proof for both.  The
authors' public code uses neither: it sets m_0 = 1, τ_0 = 1, λ = 0.1 and the radius 1 by hand, and misses θ_* in most
runs (tests/core/rivals/test_refit.py).  Only g is seen, so ν² = L_μ g.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from glbcheck.core import link_constants
from glbcheck.core.arrays import Floats
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import trust
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import (
    ALPHA,
    BETA_BASE,
    BETA_SLOPE,
    HALF_SQUARED,
    OWN_ALPHA,
    USES_DETERMINANT,
    WEIGHT,
    WIDENING,
    initial,
)  # fmt: skip
from glbcheck.core.errors import BadInput
from glbcheck.core.parameters import Parameters
from glbcheck.core.rivals.algorithm import Algorithm, start_from
from glbcheck.core.rivals.conditions import checked_growth, checked_horizon, refit_growth
from glbcheck.core.rivals.constrained_fit import (
    BLOCK,
    CONSTANTS,
    COUNT,
    CURVE,
    CURVE_CELLS,
    FITTED,
    NATURAL,
    VALUES,
    along,
    fit_by,
    number,
    place_of,
)
from glbcheck.core.rivals.refitting import chooser, install, is_due, measure, place_for, refitting_state
from glbcheck.core.tuning import MARGIN, checked_dispersions

BIAS = ((1 + math.sqrt(5)) / 2) ** -2.5  # derived here: |Ψ(z) - z| <= BIAS z²/τ, with equality at z² = τ² (1+√5)/2
STEEPEST = 1.5 * 1.25**-2.5  # derived here: the largest slope of 1 - Ψ'(τ y) = 1 - (1 + y²)^(-3/2), at y = 1/2
BENNETT = (math.e**2 - 3) / 4  # derived here: e^y <= 1 + y + BENNETT y² for y <= 2
MOST_SHIFTED = 0.25  # derived here: the largest |μ(⟨x, θ⟩) - μ(⟨x, θ_*⟩)| / (σ τ) that α leaves


@dataclass(frozen=True)
class Constants:
    """What the learner is tuned to before the first round.

    The radius after t >= 1 rounds is √(base + slope log(det H/λ^d)) + widening + per_root √l + per_level l with
    l = level + 2 log t.
    """

    S: float
    L_mu: float
    kappa: float
    horizon: float
    lam: float
    sigma_min: float
    m_0: float
    tau_0: float
    alpha: float
    refit_growth: float
    base: float = 0.0
    slope: float = 0.0
    widening: float = 0.0
    level: float = 0.0
    per_root: float = 0.0
    per_level: float = 0.0

    @property
    def ridge(self) -> float:
        """As published (2): λ k, with the smallest slope k = 1/κ."""
        return self.lam / self.kappa

    @property
    def first_radius(self) -> float:
        """As published (Algorithm 1): β_0."""
        return math.sqrt(self.lam) * self.S

    def variance(self, dispersion: float) -> float:
        """max(ν², σ_min²) with ν² = L_μ g: σ² if nothing but the noise counts."""
        return max(self.L_mu * dispersion, self.sigma_min**2)

    def sigma_squared(self, dispersion: float, length: float) -> float:
        """As published (19); `length` is ‖x‖ in H⁻¹."""
        return max(self.variance(dispersion), (length / self.m_0) ** 2, self.alpha**2 * length)

    def radius(self, logdet: float, t: int) -> float:
        if t == 0:
            return self.first_radius
        level = self.level + 2 * math.log(t)
        noise = math.sqrt(self.base + self.slope * logdet)
        return noise + self.widening + self.per_root * math.sqrt(level) + self.per_level * level


def published(p: Parameters, horizon: float, dispersions: tuple[float, float], refit_growth: float = 0.0) -> Constants:
    """Those of Algorithm 1, Theorem 3 and Corollary 5, where L = 1, B = S, K = L_μ and k = 1/κ."""
    _check(horizon, dispersions, refit_growth)
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
        refit_growth=refit_growth,
    )  # fmt: skip


def derived(p: Parameters, horizon: float, dispersions: tuple[float, float], refit_growth: float = 0.0) -> Constants:
    """Those found here, for `horizon` rounds with dispersions in this range."""
    nu_min, nu_max = (math.sqrt(p.L_mu * g) for g in _check(horizon, dispersions, refit_growth))
    d, S, level = p.d, p.S, math.log(2 / p.delta)
    m_0 = 1 / (4 * math.sqrt(level))  # derived here: no observation adds more than a 16 log(2/δ)-th to det H
    lam = max(d / S**2, 1 / (m_0 * nu_max) ** 2)  # derived here: ‖x‖/m_0 is never above the largest ν
    sigma_min = max(1 / math.sqrt(horizon), nu_min)  # as published, or the smallest ν, which changes no σ
    most = d * math.log1p(horizon / (d * lam * sigma_min**2))
    tau_0 = max(1.0, math.sqrt(most / level))  # derived here: then the curvature that noise takes away stays small
    alpha_squared = max(
        S * p.L_mu * math.sqrt(42 * math.log(2 * horizon**2 / p.delta) / d),  # as published (19)
        p.C / math.sqrt(most),  # as published (19)
        _span(p) / (MOST_SHIFTED * tau_0),  # derived here, for large d
    )
    return proved(
        p,
        Constants(
            S=S, L_mu=p.L_mu, kappa=link_constants.kappa(p.family, S).upper, horizon=horizon, lam=lam,
            sigma_min=sigma_min, m_0=m_0, tau_0=tau_0, alpha=math.sqrt(alpha_squared), refit_growth=refit_growth,
        ),
    )  # fmt: skip


def proved(p: Parameters, use: Constants) -> Constants:
    """The same with the radius that is proved here."""
    most, level = _most(p, use), math.log(2 / p.delta)
    keeps = kept(p, use)
    if not keeps > 0:
        raise BadInput("constants", use, "an m_0 and an α that leave some curvature")
    stretch = use.kappa / keeps
    base, slope = noise(level, most, use.tau_0)
    widening = stretch * p.C / use.alpha**2 + math.sqrt(use.lam) * use.S / keeps
    plain = replace(use, level=0.0, per_root=0.0, per_level=0.0)
    return replace(plain, base=stretch**2 * base, slope=stretch**2 * slope, widening=widening)


def kept(p: Parameters, use: Constants) -> float:
    """Derived here: the part of the curvature of the loss that noise, corruption and the way from θ_* to θ̂ leave."""
    most, level, m, shift = _most(p, use), math.log(2 / p.delta), use.m_0**2, use.alpha**2 * use.tau_0
    by_noise = 1.5 * (math.e - 1) * m * most / use.tau_0**2 + m * level
    return 1 - by_noise - STEEPEST * (_span(p) + m * p.C) / shift


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


def _span(p: Parameters) -> float:
    return float(p.family.mu(p.S) - p.family.mu(-p.S)) * MARGIN


def _check(horizon: float, dispersions: tuple[float, float], refit_growth: float) -> tuple[float, float]:
    checked_horizon(horizon)
    checked_growth(refit_growth)
    return checked_dispersions(dispersions)


@kernel
def score(state: Floats, first: int, size: int) -> None:
    """Of the Huber-type loss: -Ψ(z)/σ and Ψ'(z) μ'/σ² at z = (r - μ)/σ."""
    base, count = place_of(state, NATURAL), place_of(state, COUNT)
    at, curve, cells = place_of(state, VALUES) + first, place_of(state, CURVE), number(state, CURVE_CELLS)
    for n in range(size):
        mu, dmu, _ = along(state, curve, cells, state[base + n])
        state[base + BLOCK + n], state[base + 2 * BLOCK + n] = mu, dmu
    for n in range(size):
        scale = state[at + count + n]
        z = (state[at + n] - state[base + BLOCK + n]) * scale
        bent = z * state[at + 2 * count + n]
        shrink = 1.0 / math.sqrt(1.0 + bent * bent)
        state[base + BLOCK + n] = -z * shrink * scale
        state[base + 2 * BLOCK + n] *= shrink * shrink * shrink * scale * scale


fit = fit_by(score)


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """Note the observation with its σ and τ; fit again when log det H has grown enough."""
    c = place_of(state, CONSTANTS)
    L_mu, variance_min, inverse_m_0, alpha_squared, tau_0 = (
        state[c],
        state[c + 1],
        state[c + 2],
        state[c + 3],
        state[c + 4],
    )
    q, _ = measure(state, x, dispersion)
    length = math.sqrt(q)
    variance = max(L_mu * dispersion, variance_min)
    sigma_squared = max(variance, (length * inverse_m_0) ** 2, alpha_squared * length)
    w = length / math.sqrt(sigma_squared)
    place, count = place_for(state, x), place_of(state, COUNT)
    at = place_of(state, VALUES) + place
    state[at] = reward
    state[at + count] = 1.0 / math.sqrt(sigma_squared)
    state[at + 2 * count] = w / (tau_0 * math.sqrt(1.0 + w * w))
    state[WEIGHT] = variance / sigma_squared
    if is_due(state, x, 1.0 / sigma_squared, q):
        fit(state, place_of(state, FITTED), place + 1)
        level = state[c + 6] + 2.0 * math.log(place + 1.0)
        state[WIDENING] = state[c + 5] + state[c + 7] * math.sqrt(level) + state[c + 8] * level
        install(state)


def agent(p: Parameters, use: Constants, rounds: int) -> Agent:
    """The learner with these constants, with room for so many rounds."""
    head = initial(p)
    head[ALPHA] = head[OWN_ALPHA] = use.L_mu / use.alpha**2  # σ² is that of the noise while α²‖x‖ <= L_μ g
    head[WIDENING], head[HALF_SQUARED] = use.first_radius, 0.0
    head[BETA_BASE] = head[BETA_SLOPE] = 0.0
    head[USES_DETERMINANT] = True
    start_from(head, use.lam)
    head[BETA_BASE], head[BETA_SLOPE] = use.base, use.slope
    state = refitting_state(
        head, p.family, p.S, ridge=use.ridge, places=max(rounds, 1), by_arm=False, values=3,
        refit_growth=use.refit_growth,
        constants=(
            use.L_mu, use.sigma_min**2, 1 / use.m_0, use.alpha**2, use.tau_0, use.widening, use.level, use.per_root,
            use.per_level,
        ),
    )  # fmt: skip
    return Agent(chooser(p.index), observe, trust, state)


def _start(p: Parameters, episode: Episode) -> Agent:
    """With the constants of its source if those of the paper are asked for, and the derived ones otherwise."""
    T, find = episode.rounds, published if p.use.name == "paper" else derived
    return agent(p, find(p, max(T, 1), episode.dispersion_range, refit_growth(T)), T)


GADAOFUL = Algorithm(_start)
