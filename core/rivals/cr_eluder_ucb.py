"""CR-Eluder-UCB (Ye, Xiong, Gu and Zhang 2023, Theorem 4.1) for the class x -> μ(⟨x, θ⟩), ‖θ‖ <= S: sub-Gaussian noise.

Rounds are weighted by 1/σ_s² with σ_s² = max(1, D_s/α), where D_s is the uncertainty

    sup over f of  |f(x_s) - f̂(x_s)| / √(λ + Σ_{i<s} (f(x_i) - f̂(x_i))²/σ_i²),

the estimate f̂ is the weighted least squares one, and the arm is optimistic over all f whose weighted distance from f̂ on
the arms played is at most β.  As published (Theorem 4.1), for C > 0: γ = 1/(T C) covers the class with N functions,
λ = log N, α = √(log N)/C, and β is c (α C + √log(N/δ) + ...) with an absolute constant c that is not stated.

What our setting asks for is derived here and proved in docs/refitting-rivals.md: units in which the noise has scale R,
C = 0, the constant in β, and the search over f, which is not convex.  D is bounded by κ L_μ ‖x‖ in H⁻¹ with
H = κ²λ/(4S²) I + Σ x xᵀ/σ², which only lowers weights, and the set becomes ‖θ - θ̂‖ <= κ √(λ + β²) in H.  The least
squares problem is not convex either unless the link is linear.  Theorem 4.1 takes a global minimiser for granted; here
it is the end of a descent from the estimate before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from glbcheck.core.arrays import Floats
from glbcheck.core.closed_forms import is_constant
from glbcheck.core.engine import state as st
from glbcheck.core.engine.compiling import kernel
from glbcheck.core.engine.episode import Episode
from glbcheck.core.engine.learner import weigh
from glbcheck.core.engine.link import mean_and_slope
from glbcheck.core.engine.run import Agent
from glbcheck.core.engine.state import set_radius, table
from glbcheck.core.errors import BadInput
from glbcheck.core.family import Family
from glbcheck.core.rivals import constrained_fit as fits
from glbcheck.core.rivals.algorithm import OWN, Algorithm, rival_state
from glbcheck.core.rivals.linear import trust_alone
from glbcheck.core.theory import link_constants
from glbcheck.core.theory.parameters import Parameters

NAME = "cr-eluder-ucb"
SPREAD = math.sqrt(2 * math.log(2))  # derived here: Σ |ε_s| over t rounds is below R (SPREAD t + log(1/δ)/SPREAD)
STEP = 2.0**-17  # of the difference that stands for μ'': what it is off by slows a fit down, and changes no estimate


@dataclass(frozen=True)
class Constants:
    """What the learner is tuned to before the first round."""

    S: float
    C: float
    R: float
    L_mu: float
    kappa: float
    horizon: float
    gamma: float
    log_cover: float
    lam: float
    alpha: float
    excess: float

    @property
    def ridge(self) -> float:
        """Derived here: R²/S² picks one minimiser where the data leave many; adds R² to the loss at most."""
        return self.R**2 / self.S**2

    @property
    def H_1(self) -> float:
        """Derived here: ‖θ - θ'‖ <= 2S, so this share of λ is a norm."""
        return self.kappa**2 * self.lam / (4 * self.S**2)

    @property
    def trust(self) -> float:
        """Derived here: α over κ L_μ, by which D exceeds ‖x‖ in H⁻¹ at most."""
        return self.alpha / (self.kappa * self.L_mu)

    @property
    def radius(self) -> float:
        """Derived here: κ y for the largest y = √(λ + Q) with Q <= ½ (√Q + b)² + excess + 2 α C y, b = γ √T."""
        b = self.gamma * math.sqrt(self.horizon)
        half = b + (2 * self.alpha * self.C if self.C else 0.0)
        return self.kappa * (half + math.sqrt(half**2 + self.lam + b**2 + 2 * self.excess))


def noise_scale(family: Family, g_max: float) -> float:
    """R with log E e^{s(r - μ)} <= R² s²/2 whatever θ_* is: √g times the root of the largest slope on the whole line.

    Derived here.  That log is (m(z + gs) - m(z) - gs μ(z))/g.  Rewards in [a, b] have variance at most (b - a)²/4,
    which at g = 1 is the slope.
    """
    if is_constant(family.dmu_expr):
        return math.sqrt(g_max * float(family.dmu(0.0)))
    low, high = family.support.lower, family.support.upper
    if not (family.has_base and low.is_finite and high.is_finite and family.dispersions.allows(1.0)):
        accepted = f"families with sub-Gaussian rewards (normal or bounded ones), and those of {family.name} are not"
        raise BadInput("algorithm", NAME, accepted)
    return math.sqrt(g_max) * float(high - low) / 2


def constants(p: Parameters, horizon: float, g_max: float) -> Constants:
    """All of them, for `horizon` rounds with dispersions up to g_max."""
    R = noise_scale(p.family, g_max)
    # As published (Theorem 4.1) 1/(T C); derived here: in units of R, and R/T for C < R.
    gamma = R / (horizon * max(p.C / R, 1.0))
    log_cover = p.d * math.log1p(2 * p.S * p.L_mu / gamma)  # lemma:covering
    return Constants(
        S=p.S, C=p.C, R=R, L_mu=p.L_mu, kappa=link_constants.kappa(p.family, p.S).upper, horizon=horizon,
        gamma=gamma, log_cover=log_cover,
        lam=R**2 * log_cover,  # as published (Theorem 4.1), in units of R²
        alpha=R * math.sqrt(log_cover) / p.C if p.C else math.inf,  # as published (Theorem 4.1), in units of R
        excess=(  # derived here: noise at the points of the cover, noise between them, ridge
            4 * R**2 * (log_cover + math.log(2 / p.delta))
            + 2 * gamma * R * (SPREAD * horizon + math.log(2 / p.delta) / SPREAD)
            + R**2
        ),
    )  # fmt: skip


@kernel
def score(state: Floats, at: int, z: float) -> tuple[float, float]:
    """Of half the squared loss: w (μ - r) μ' and w μ'² + w (μ - r) μ'', the last only if the Hessian may be bent."""
    mu, dmu = mean_and_slope(state, state[st.LINK], table(state), z)
    w, off = state[at], state[at] * mu - state[at + 1]
    bend = 0.0
    if state[int(state[OWN]) + fits.PLAIN] == 0.0:
        above = mean_and_slope(state, state[st.LINK], table(state), z + STEP)[1]
        below = mean_and_slope(state, state[st.LINK], table(state), z - STEP)[1]
        bend = off * (above - below) / (2.0 * STEP)
    return off * dmu, w * dmu * dmu + bend


fit = fits.fit_by(score)


@kernel
def observe(state: Floats, x: Floats, reward: float, dispersion: float) -> None:
    """As published (8): weight min(1, α/D); a new estimate when log det H has grown enough."""
    now = fits.current(state)
    q, w = weigh(now, x, 1.0)
    at = fits.values_at(now, x)
    now[at] += w
    now[at + 1] += w * reward
    if fits.is_due(state, x, w, w, q):
        fit(now)
        fits.show(state, now)
        set_radius(state)


def agent(p: Parameters, use: Constants, episode: Episode, growth: float = 0.0) -> Agent:
    """The learner with these constants, which fits again when log det H has grown by so much."""
    head = rival_state(p, use.H_1, use.radius, alpha=use.trust)
    state = fits.refitting_state(head, use.ridge, episode.places, 2, episode.world.arms_stay, growth)
    return Agent(fits.chooser(p.index), observe, trust_alone, state)


def _start(p: Parameters, episode: Episode) -> Agent:
    T = episode.rounds
    return agent(p, constants(p, max(T, 1), episode.dispersion_range[1]), episode, fits.refit_growth(T))


CR_ELUDER_UCB = Algorithm(_start, lambda p: noise_scale(p.family, 1.0))
