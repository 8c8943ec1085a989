"""The constants of the paper, one function per label, as printed.

Every function takes the paper's symbols and runs in floats, SymPy expressions or balls (`core.scalar`).
Where a printed formula is known to be wrong, `REPAIRED` replaces it and nothing else does, so a repair
lands in one place and reaches the algorithm, the claims and the report alike.

The two lower bounds under corruption have theirs in `lower_constants`.

Symbols: d dimension, S radius of Θ, T horizon, C corruption budget, alpha trust threshold of the weights,
R_s and L_mu the constants of the link on [-S, S], kappa one over its smallest slope, g_min and g_max the
extreme dispersions, `inverse_g` the sum of 1/g(τ_s) over the rounds before t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from glbcheck.core.errors import BadInput
from glbcheck.core.scalar import Scalar, largest, log, log1p, sqrt

Reading: TypeAlias = Literal["paper", "repaired", "local", "sharpest"]

# lemma:mixture-ineq repaired: λ >= k γ R_s² buys the coefficient c γ/2 of log det (claim `mixture_bound_sharper`).
MIXTURE_PAIRS = {Fraction(1): Fraction(49, 25), Fraction(4): Fraction(27, 20), Fraction(16): Fraction(29, 25)}
# lemma:inverse-regret: the share ε of the moves that pays for the cubic remainder; and the k that is used.
MOVES_SPENT, MIXTURE_CHOICE = Fraction(1, 3), Fraction(4)


# --- the algorithm --------------------------------------------------------------------------------------


def eta(R_s: Scalar, S: Scalar) -> Scalar:
    """theorem:confidence-sequence: the step size 1 + R_s S."""
    return 1 + R_s * S


def lam(d: Scalar, S: Scalar, eta: Scalar, alpha: Scalar, R_s: Scalar, L_mu: Scalar) -> Scalar:
    """theorem:confidence-sequence: the regularisation max(14 d η R_s², 36 η² α² R_s² S² L_μ², d / (4 S²))."""
    return largest(14 * d * eta * R_s**2, 36 * eta**2 * alpha**2 * R_s**2 * S**2 * L_mu**2, d / (4 * S**2))


def alpha(d: Scalar, C: Scalar) -> Scalar:
    """theorem:regret: √d / max(C, 1), the printed order with the constant 1."""
    return sqrt(d) / largest(C, 1)


def weight(alpha: Scalar, g: Scalar, norm: Scalar) -> Scalar:
    """eq:corrupted-loss: w_t = min(1, α g / ‖x_t‖), the norm being that of H_t⁻¹; 1 for x_t = 0."""
    trusted = alpha * g
    return trusted / largest(norm, trusted)


def growth_rate(d: Scalar, lam: Scalar, L_mu: Scalar) -> Scalar:
    """app:proof-cs/eq8: what one unit of Σ 1/g adds inside the logarithm, by the largest eigenvalue of H."""
    return L_mu / lam


def beta_from_logdet(S: Scalar, delta: Scalar, eta: Scalar, lam: Scalar, logdet: Scalar) -> Scalar:
    """eq:estimation-error with γ = 3η/2: β_t with log(det H_t / det H_1) in place of its bound."""
    return sqrt(2 * eta * log(1 / delta) + (6 * eta**2 + eta) * logdet + 4 * lam * S**2)


def lam_repaired(d: Scalar, S: Scalar, eta: Scalar, alpha: Scalar, R_s: Scalar, L_mu: Scalar) -> Scalar:
    """theorem:confidence-sequence repaired: no factor d, R_s on the whole line (claim `choice_of_the_constants`)."""
    return largest(6 * eta * R_s**2, 36 * eta**2 * alpha**2 * R_s**2 * S**2 * L_mu**2, d / (4 * S**2))


def growth_rate_repaired(d: Scalar, lam: Scalar, L_mu: Scalar) -> Scalar:
    """app:proof-cs/eq8 repaired: by the mean eigenvalue of H, which shares the sum among d directions."""
    return L_mu / (d * lam)


def beta_from_logdet_repaired(S: Scalar, delta: Scalar, eta: Scalar, lam: Scalar, logdet: Scalar) -> Scalar:
    """eq:estimation-error repaired: 81 η²/40 in place of 6 η² + η (claim `choice_of_the_constants`)."""
    return sqrt(2 * eta * log(1 / delta) + 81 * eta**2 * logdet / 40 + 4 * lam * S**2)


def spread(eta: Scalar) -> Scalar:
    """app:proof-cs: the spread γ = 3η/2 of the mixture, the least for which the moves cancel."""
    return 3 * eta / 2


def mixture_lam(d: Scalar, gamma: Scalar, R_s: Scalar) -> Scalar:
    """lemma:mixture-ineq: what λ must be at least, 64 d γ R_s²/7."""
    return 64 * d * gamma * R_s**2 / 7


def mixture_cost(gamma: Scalar) -> Scalar:
    """lemma:mixture-ineq: the coefficient 2γ + 1/2 of the logarithm of the determinants."""
    return (4 * gamma + 1) / 2


def widening(eta: Scalar, alpha: Scalar, C: Scalar) -> Scalar:
    """eq:CS: 2 η α C, what the corruption adds to β_t in the radius of C_t."""
    return 2 * eta * alpha * C


# --- whose formulas -------------------------------------------------------------------------------------


def elliptical_potential(d: Scalar, X2: Scalar, lam: Scalar, t: Scalar) -> Scalar:
    """lemma:epl as printed, for vectors with ‖x‖² at most X2; too small for small λ."""
    return 2 * d * (1 + X2) * log1p(t * X2 / (d * lam))


def elliptical_potential_repaired(d: Scalar, X2: Scalar, lam: Scalar, t: Scalar) -> Scalar:
    """lemma:epl repaired (claim `elliptical_potential_repaired`)."""
    return d * (1 + X2 / (2 * lam)) * log1p(t * X2 / (d * lam))


@dataclass(frozen=True)
class Formulas:
    """The formulas in which the printed and the repaired reading may differ."""

    name: str
    lam: Callable[..., Scalar]
    growth_rate: Callable[..., Scalar]
    beta_from_logdet: Callable[..., Scalar]

    def beta(
        self, d: Scalar, S: Scalar, delta: Scalar, eta: Scalar, lam: Scalar, L_mu: Scalar, inverse_g: Scalar
    ) -> Scalar:
        """theorem:confidence-sequence/eq2: β_t(δ) of this reading."""
        return self.beta_from_logdet(S, delta, eta, lam, self.logdet_bound(d, lam, L_mu, inverse_g))

    def logdet_bound(self, d: Scalar, lam: Scalar, L_mu: Scalar, inverse_g: Scalar) -> Scalar:
        """app:proof-cs/eq8: what log(det H_t / det H_1) is at most."""
        return d * log1p(self.growth_rate(d, lam, L_mu) * inverse_g)


PAPER = Formulas("paper", lam, growth_rate, beta_from_logdet)
REPAIRED = Formulas("repaired", lam_repaired, growth_rate_repaired, beta_from_logdet_repaired)


def formulas(reading: str) -> Formulas:
    """The formulas of one reading, `paper` or `repaired`.

    Those of `local` belong to a family (`local_constants`), those of `sharpest` to the problem (`tuning`).
    """
    for each in (PAPER, REPAIRED):
        if each.name == reading:
            return each
    raise BadInput("constants", reading, "'paper', 'repaired', 'local' or 'sharpest'")


# --- the regret bound -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """Everything the finite-T regret bound depends on, apart from the sum of g μ' at the optimal arms."""

    d: Scalar
    S: Scalar
    T: Scalar
    C: Scalar
    delta: Scalar
    alpha: Scalar
    R_s: Scalar
    L_mu: Scalar
    kappa: Scalar
    g_min: Scalar
    g_max: Scalar
    use: Formulas = PAPER

    @property
    def eta(self) -> Scalar:
        return eta(self.R_s, self.S)

    @property
    def lam(self) -> Scalar:
        return self.use.lam(self.d, self.S, self.eta, self.alpha, self.R_s, self.L_mu)

    def radius(self, inverse_g: Scalar) -> Scalar:
        """eq:CS: the radius of C_t, from the sum of 1/g over the rounds before t."""
        beta_t = self.use.beta(self.d, self.S, self.delta, self.eta, self.lam, self.L_mu, inverse_g)
        return beta_t + widening(self.eta, self.alpha, self.C)


def S_1(s: Setting) -> Scalar:
    """lemma:epl-results, first line: slopes times norms over the rounds with w_t < 1; the g_max is not derived."""
    return s.g_max / s.alpha * elliptical_potential(s.d, s.L_mu / s.g_min, s.lam, s.T)


def S_2(s: Setting) -> Scalar:
    """lemma:epl-results, second line: squared norms over the rounds with w_t = 1."""
    return s.kappa * s.g_max * elliptical_potential(s.d, 1 / (s.kappa * s.g_min), s.lam, s.T)


def S_3(s: Setting) -> Scalar:
    """lemma:epl-results, third line: squared norms over the rounds with w_t < 1."""
    scale = sqrt(s.lam) * s.alpha / s.kappa
    return elliptical_potential(s.d, scale, s.lam, s.T) / scale


def gamma_1(s: Setting, radius_T: Scalar) -> Scalar:
    """lemma:decomposition/eq6: γ_1, the factor of √(Σ g μ' + g_max R_s Reg)."""
    return 2 * radius_T * sqrt(elliptical_potential(s.d, s.L_mu / s.g_min, s.lam, s.T))


def gamma_2(s: Setting, radius_T: Scalar) -> Scalar:
    """lemma:decomposition/eq6: γ_2, what the rounds with w_t < 1 cost to first order."""
    return 2 * radius_T * S_1(s)


def gamma_3(s: Setting, radius_next: Scalar) -> Scalar:
    """lemma:decomposition/eq6: γ_3, second order of the rounds with w_t = 1; the radius is that of T + 1."""
    return 6 * s.R_s * s.L_mu * radius_next**2 * S_2(s)


def gamma_4(s: Setting, radius_next: Scalar) -> Scalar:
    """lemma:decomposition/eq6: γ_4, second order of the rounds with w_t < 1; the radius is that of T + 1."""
    return 6 * s.R_s * s.L_mu * radius_next**2 * S_3(s)


def regret_bound(s: Setting, optimal_variance: Scalar, inverse_g_T: Scalar, inverse_g_next: Scalar) -> Scalar:
    """lemma:decomposition/eq7 and eq10: the explicit finite-T bound on the regret; the printed R is read as R_s.

    `optimal_variance` is Σ g(τ_t) μ'(⟨x_{t,*}, θ_*⟩); the last two are Σ 1/g over T - 1 and over T rounds.
    """
    radius_T, radius_next = s.radius(inverse_g_T), s.radius(inverse_g_next)
    g1, g2 = gamma_1(s, radius_T), gamma_2(s, radius_T)
    if s.R_s == 0:
        return g1 * sqrt(optimal_variance) + g2
    rest = g2 + gamma_3(s, radius_next) + gamma_4(s, radius_next)
    return regret_solved(g1, optimal_variance, s.g_max * s.R_s, rest)


def regret_solved(G: Scalar, V: Scalar, B: Scalar, D: Scalar) -> Scalar:
    """lemma:decomposition/eq10: what x <= G √(V + B x) + D is printed to give for x."""
    return 2 * G * sqrt(V) + 2 * G * sqrt(B * D) + B * G**2 + D


# --- the regret bound, repaired -------------------------------------------------------------------------


def potential_repaired(d: Scalar, alpha: Scalar, lam: Scalar, L_mu: Scalar, inverse_g: Scalar) -> Scalar:
    """lemma:decomposition/eq5 repaired: P; the weights cap every term at α L_μ/√λ, so g_min is in a logarithm only."""
    return (1 + alpha * L_mu / (2 * sqrt(lam))) * REPAIRED.logdet_bound(d, lam, L_mu, inverse_g)


def low_weight_repaired(d: Scalar, T: Scalar, alpha: Scalar, lam: Scalar, kappa: Scalar) -> Scalar:
    """lemma:epl-results repaired, third line: F, the squared norms of the rounds with w_t < 1."""
    root = sqrt(lam)
    return (kappa / (root * alpha) + 1 / (2 * lam)) * (d * log1p(T * alpha / (d * kappa * root)))


def gamma_1_repaired(r: Scalar, P: Scalar) -> Scalar:
    """lemma:decomposition/eq6 repaired: γ_1, from the radius r of C_T."""
    return 2 * r * sqrt(P)


def gamma_rest_repaired(
    R_s: Scalar, L_mu: Scalar, kappa: Scalar, g_max: Scalar, alpha: Scalar, r: Scalar, q: Scalar, P: Scalar, F: Scalar
) -> Scalar:
    """lemma:decomposition/eq6 repaired: γ_2 + γ_3 + γ_4; r and q are the radii of C_T and C_{T+1}."""
    return 2 * r * P / alpha + 4 * R_s * L_mu * q**2 * (kappa * g_max * P + F)


def regret_solved_repaired(G: Scalar, V: Scalar, B: Scalar, D: Scalar) -> Scalar:
    """lemma:decomposition/eq10 repaired: what x <= G √(V + B x) + D gives for x; all constants are sharp."""
    return G * sqrt(V) + G * sqrt(B * D) + B * G**2 + D


def regret_of_sums(
    R_s: Scalar, L_mu: Scalar, kappa: Scalar, g_max: Scalar, alpha: Scalar,
    V: Scalar, r: Scalar, q: Scalar, P: Scalar, F: Scalar,
) -> Scalar:  # fmt: skip
    """theorem:regret repaired: the quadratic solved, with V the sum of g μ' at the optimal arms."""
    rest = gamma_rest_repaired(R_s, L_mu, kappa, g_max, alpha, r, q, P, F)
    return regret_solved_repaired(gamma_1_repaired(r, P), V, g_max * R_s, rest)


def regret_bound_repaired(
    s: Setting, optimal_variance: Scalar, inverse_g: Scalar, radius_T: Scalar, radius_next: Scalar
) -> Scalar:
    """theorem:regret repaired, explicit for every T (claim `regret_with_explicit_constants`).

    `inverse_g` is Σ 1/g over T rounds; the radii are those of C_T and C_{T+1}.
    """
    high = potential_repaired(s.d, s.alpha, s.lam, s.L_mu, inverse_g)
    low = low_weight_repaired(s.d, s.T, s.alpha, s.lam, s.kappa)
    return regret_of_sums(
        s.R_s, s.L_mu, s.kappa, s.g_max, s.alpha, optimal_variance, radius_T, radius_next, high, low
    )  # fmt: skip


# --- the lower bounds -----------------------------------------------------------------------------------


def number_of_bins(T: int) -> int:
    """app:proof-lower-bound: L = ⌈log₂ T⌉, exactly."""
    return (int(T) - 1).bit_length()
