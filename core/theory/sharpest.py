"""The sharpest constants that the repaired theorems leave room for, one function for each quantity of the proof.

They run in floats, SymPy expressions or balls like those of `constants`, so that learner, search and claims share
them.  Symbols beside those of `constants`: `R_s` holds on the whole line and `R_local` on [-S, S], `bend` is the
largest |μ''| and `span` is μ(S) - μ(-S) there, eps the share of the moves that pays for the cubic remainder, D
log(det H_{T+1} / det H_1), `step` the most that one round adds to it, and `half` is η α C.
"""

from __future__ import annotations

from glbcheck.core.scalar import Scalar, exp, largest, log, log1p, smallest, sqrt

# --- the confidence sequence ----------------------------------------------------------------------------------


def moves_spent(eta: Scalar, S: Scalar, bend: Scalar, alpha: Scalar, lam: Scalar, g_min: Scalar) -> Scalar:
    """lemma:inverse-regret: the least eps that λ allows, by the weights or by the smallest dispersion."""
    return smallest(2 * eta * alpha * S * bend / sqrt(lam), 2 * eta * S * bend / (lam * g_min))


def lam_floor_by_weights(eta: Scalar, S: Scalar, R_s: Scalar, bend: Scalar, alpha: Scalar) -> Scalar:
    """The λ from which on (1 - eps) λ >= η R_s², for the eps that the weights allow."""
    half = eta * alpha * S * bend
    return (half + sqrt(half**2 + eta * R_s**2)) ** 2


def lam_floor_by_dispersion(eta: Scalar, S: Scalar, R_s: Scalar, bend: Scalar, g_min: Scalar) -> Scalar:
    """The λ from which on (1 - eps) λ >= η R_s², for the eps that the smallest dispersion allows."""
    return eta * R_s**2 + 2 * eta * S * bend / g_min


def mixture_reach(eta: Scalar, R_s: Scalar, eps: Scalar, lam: Scalar) -> Scalar:
    """lemma:mixture-ineq: a = R_s √(γ/λ) with γ = η/(1 - eps), at most 1."""
    return R_s * sqrt(eta / ((1 - eps) * lam))


def mixture_excess(reach: Scalar) -> Scalar:
    """lemma:mixture-ineq: the c of the coefficient c γ/2 of log det that a reach up to 1 buys."""
    return 1 + 8 * reach / 15 + 21 * reach**2 / 50


def beta_base(S: Scalar, delta: Scalar, eta: Scalar, lam: Scalar, start: Scalar) -> Scalar:
    """β_1², for θ_1 of length `start`."""
    return 2 * eta * log(1 / delta) + lam * (S + start) ** 2


def beta_slope(eta: Scalar, eps: Scalar, excess: Scalar) -> Scalar:
    """What a unit of log det adds to β_t²."""
    return excess * eta**2 / (1 - eps)


def radius(beta_squared: Scalar, half: Scalar) -> Scalar:
    """eq:CS: the radius of C_t, the root of x² = β_t² + 2 half x."""
    return sqrt(beta_squared + half**2) + half


# --- the regret -----------------------------------------------------------------------------------------------


def largest_growth(alpha: Scalar, L_mu: Scalar, lam: Scalar, g_min: Scalar) -> Scalar:
    """lemma:decomposition/eq5: the most that u_t = (w/g) μ' ‖x‖² can be, by the weights or by w <= 1."""
    return smallest(alpha * L_mu / sqrt(lam), L_mu / (lam * g_min))


def potential_ratio(growth: Scalar) -> Scalar:
    """What a unit of log(1 + u) pays for at most: u / log(1 + u) at the largest u."""
    return growth / log1p(growth)


def radii_summed(base: Scalar, slope: Scalar, half: Scalar, D: Scalar, step: Scalar) -> Scalar:
    """Σ r_{t+1}² log(1 + u_t): the radius of each round instead of the last one."""
    squares = (base + half**2) * D + slope * D * (D + step) / 2
    return (sqrt(squares) + half * sqrt(D)) ** 2


def second_order(bend: Scalar, kappa: Scalar) -> Scalar:
    """lemma:decomposition/eq6: what a unit of r² u/w g costs beyond the first order, by the largest |μ''|."""
    return 4 * bend * kappa


def second_order_near(R_local: Scalar, rho: Scalar) -> Scalar:
    """The same where r ‖x‖ <= rho, by self-concordance: no κ."""
    return 4 * R_local * exp(3 * R_local * rho)


def second_order_far(kappa: Scalar, span: Scalar, rho: Scalar) -> Scalar:
    """The same where r ‖x‖ > rho: all that a round can cost."""
    return kappa * span / rho**2


def largest_trust(alpha: Scalar, lam: Scalar, g_max: Scalar) -> Scalar:
    """The most that g/w = max(g, ‖x‖/α) can be."""
    return largest(g_max, 1 / (alpha * sqrt(lam)))


def regret_of_sums(V: Scalar, Q: Scalar, P: Scalar, inverse_alpha: Scalar, second: Scalar, trust: Scalar) -> Scalar:
    """theorem:regret, sharpest: Q bounds √Σ r_{t+1}² u_t and P bounds Σ u_t.

    `inverse_alpha` is 1/α, or 0 if no weight is ever below 1.
    """
    return 2 * Q * sqrt(V) + 2 * inverse_alpha * Q * sqrt(P) + second * trust * Q**2
