"""lemma:epl-results: the elliptical sums S_1, S_2, S_3, in the notation of `weighted_potential`."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import constants
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, fails, implies, nonnegative

from .regret_decomposition import NEAR
from .weighted_potential import FLAT, one_round

# --- S_1 -------------------------------------------------------------------------------------------------


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    "lemma:epl-results/eq2",
    math=r"S_1 \le \frac{2 d g_{\max}}{\alpha} \left( 1 + \frac{L_\mu}{g_{\min}} \right) \log \left( 1 + \frac{T "
    r"L_\mu}{d g_{\min} \lambda} \right)",
    hypotheses=("H_1 = lambda I", "w_t < 1 on the rounds of S_1"),
    expected="refuted",
    control=("the same round without the factor g_max", lambda: one_round("S_1 without g_max", False, **FLAT)),
    coq="HCW.PrintedFirstSum.printed_first_sum_false",
    severity="substance",
    consequence="for g_max < 1 gamma_2, hence the bound for R_s = 0, is too small; the factor must go",
    carries=("explicit_inequality",),
)
def first_sum() -> Evidence:
    """S_1 <= 2d g_max (1 + L/g_min)/alpha log(1 + TL/(d g_min lambda)): g_max is not in the derivation.

    The steps before the last hold; the last multiplies by g_max, wrong if g_max < 1.  Here lambda = 1, so
    lemma:epl is not to blame: d = 9, C = 0, S = 3/2, linear link of slope 1/100, g = 1/5; one
    round gives S_1 = 0.01 against 0.00698.
    """
    return one_round("S_1", False, **FLAT)


@claim(
    "lemma:epl-results/eq2",
    math=r"S_1 \le \frac{2 d}{\alpha} \left( 1 + \frac{L_\mu}{g_{\min}} \right) \log \left( 1 + \frac{T L_\mu}{d "
    r"g_{\min} \lambda} \right)",
    hypotheses=("H_1 = lambda I", "w_t < 1 on the rounds of S_1", "the factor g_max left out"),
    expected="refuted",
    control=("the same round with S = 1", lambda: one_round("S_1 without g_max", False, S=1, g=1)),
    severity="constant",
    consequence="for lambda < 1/8 the factor 1 + L/g_min must become 1 + alpha L/(2 sqrt(lambda))",
    carries=("explicit_inequality",),
)
def first_sum_with_small_lambda() -> Evidence:
    """Without g_max the bound is still false for small lambda: Gaussian, d = T = 1, S = 100, g = 1."""
    return one_round("S_1 without g_max", False, S=100, g=1)


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    "lemma:epl-results/eq2",
    math=r"S_1 \le \frac{1}{\alpha} \left( 1 + \frac{\alpha L_\mu}{2 \sqrt{\lambda}} \right) \log \frac{\det "
    r"H_{T+1}}{\lambda^d}",
    reading="repaired",
    hypotheses=("w_t = alpha g_t/n_t < 1 on the rounds of S_1",),
    control=("u/alpha^2", 2),
    uses=("potential_bound_repaired",),
)
def first_sum_repaired(power: int = 1) -> Evidence:
    """S_1 <= (1/alpha)(1 + alpha L/(2 sqrt(lambda))) log det H_{T+1}/lambda^d.

    S_1 is the sum of u_t/alpha over w_t < 1: the printed equalities, then the repaired potential.
    """
    # p n = u/alpha^power for the weight w = alpha g/n.
    printed = f"(alpha*g/n)/g*p*n**2/alpha**{power}"
    return symbolic.identity("p*n", printed, variables=["alpha", "g", "n", "p"])


# --- S_2 -------------------------------------------------------------------------------------------------


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    "lemma:epl-results/eq3",
    math=r"S_2 \le 2 d \left( \kappa g_{\max} + \frac{g_{\max}}{g_{\min}} \right) \log \left( 1 + \frac{T}{d \kappa "
    r"g_{\min} \lambda} \right)",
    hypotheses=("H_1 = lambda I", "w_t = 1 on the rounds of S_2"),
    expected="refuted",
    control=("the same round with S = 1", lambda: one_round("S_2", True, S=1, g=3)),
    coq="HCW.PrintedSums.printed_second_sum_false",
    severity="constant",
    consequence="holds for lambda >= 1/8; the repaired bound has no g_max/g_min",
    carries=("explicit_inequality",),
)
def second_sum() -> Evidence:
    """S_2 <= 2d(kappa g_max + g_max/g_min) log(1 + T/(d kappa g_min lambda)): false for small lambda.

    Gaussian rewards, d = T = 1, S = 10, g = 21: the single term is 400 against 132.
    """
    return one_round("S_2", True, S=10, g=21)


@claim(
    "lemma:epl-results/eq1",
    math=r"\sum_{w_t = 1} \lVert x_t \rVert_{H_t^{-1}}^2 = \sum_{w_t = 1, \; \text{slope drops}} \lVert x_t "
    r"\rVert_{H_t^{-1}}^2",
    hypotheses=("logistic link, d = T = 1", "S = 2 = theta*, theta_1 = 0, x_1 = 1, r_1 = 1, C = 0"),
    expected="refuted",
    control=("a zero arm", 0),
    severity="slip",
    consequence="the proof bounds the sum over all rounds with w_t = 1, which is what is needed",
    carries=("explicit_inequality",),
)
def second_sum_has_two_definitions(x: int = 1) -> Evidence:
    """S_2 over [T] (in the decomposition) equals S_2 over the rounds with dropping slope (here): false.

    A round whose slope grows belongs to the first and not to the second: then the second sum is 0.  The first
    round of logistic rewards with theta_* = S = 2 and theta_1 = 0: lambda = 81, theta_2 = 2/109, w = 1.
    """
    # One round with R_s = 1, L = 1/4, alpha = 1: the slope grows from theta* to theta_2; the round counts once.
    return fails(
        ("S > 0", "star == S", "abs(x) <= 1", "abs(next) <= S", "alpha > n", "slope_at_star < slope_at_next"),
        "over_all_rounds == over_dropping_slopes",
        {
            "alpha": "1",
            "eta": "1 + S",
            "lam": "max(14*eta, 36*eta**2*alpha**2*S**2/16, 1/(4*S**2))",
            "n": "x/sqrt(lam)",
            "next": "x/2/(x**2/4 + lam/eta)",
            "slope_at_star": "exp(-star)/(1 + exp(-star))**2",
            "slope_at_next": "exp(-x*next)/(1 + exp(-x*next))**2",
            "over_all_rounds": "n**2",
            "over_dropping_slopes": "0",
        },
        at={"S": 2, "star": 2, "x": x},
    )


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    "lemma:epl-results/eq3",
    math=r"S_2 \le \kappa g_{\max} \left( 1 + \frac{\alpha L_\mu}{2 \sqrt{\lambda}} \right) \log \frac{\det "
    r"H_{T+1}}{\lambda^d}",
    reading="repaired",
    hypotheses=("w_t = 1 on the rounds of S_2, which are any rounds of [T]", "p_t >= 1/kappa"),
    control=("(1 - 10^-6) kappa g_max", 1 - NEAR),
    uses=("potential_bound_repaired",),
)
def second_sum_repaired(share: sp.Rational = sp.S.One) -> Evidence:
    """S_2 <= kappa g_max (1 + alpha L/(2 sqrt(lambda))) log det H_{T+1}/lambda^d: no g_max/g_min.

    n^2 = (g/p) u <= kappa g_max u directly, with the Hessian's own potential.
    """
    # n^2 <= share kappa g_max u for w = 1, u = (p/g) n^2, p >= 1/kappa, g <= g_max.
    return implies(["k > 0", "g > 0", "g <= G", "n >= 0", "p >= 1/k", "u == p/g*n**2"], f"n**2 <= ({share})*k*G*u")


# --- S_3 -------------------------------------------------------------------------------------------------


@claim(
    "lemma:epl-results/eq4",
    hypotheses=("w_t = alpha g_t/n_t on the rounds t_j", "p_t >= 1/kappa", "|x_t| <= 1, H_t >= lambda I"),
    control=("(1 + 10^-6) sqrt(lambda) alpha/kappa", 1 + NEAR),
    facts=("loewner-order",),
)
def hessian_dominates_low_weight_rounds(share: sp.Rational = sp.S.One) -> Evidence:
    """H_{t_i} >= A_i: the rounds with w < 1 alone, each giving at least (sqrt(lambda) alpha/kappa) x x^T.

    Dropped terms are positive semi-definite; the kept coefficients are bounded one by one.
    """
    # (w/g) p = alpha p/n >= share sqrt(lambda) alpha/kappa for n <= 1/sqrt(lambda), p >= 1/kappa.
    return implies(
        ["k > 0", "A > 0", "lam > 0", "n > 0", "n**2 <= 1/lam", "p >= 1/k"], f"A*p/n >= ({share})*sqrt(lam)*A/k"
    )


@claim(
    "lemma:epl-results/eq5",
    hypotheses=("H_{t_i} >= A_i",),
    control=("the sign of the rank-one correction flipped", -1),
    uses=("hessian_dominates_low_weight_rounds",),
    facts=("sherman-morrison", "cauchy-schwarz"),
)
def third_sum_in_the_smaller_matrix(sign: int = 1) -> Evidence:
    """S_3, re-indexed over the rounds with w < 1, is at most the sum of |x|^2 in A_i^-1.

    H - A is a sum of terms c y y^T, and each shortens x in the inverse (Sherman-Morrison).
    """
    # Adding c y y^T does not lengthen x in the inverse; m, n, i are |y|^2, |x|^2, <x, y> there.
    return implies([*nonnegative("m", "n", "c"), "i**2 <= m*n"], f"n - ({sign})*c*i**2/(1 + c*m) <= n")


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    "lemma:epl-results/eq6",
    math=r"S_3 \le 2 d \left( \frac{\kappa}{\sqrt{\lambda} \alpha} + 1 \right) \log \left( 1 + \frac{T \alpha}{d "
    r"\kappa \sqrt{\lambda}} \right)",
    hypotheses=("H_1 = lambda I", "w_t < 1 on the rounds of S_3"),
    expected="refuted",
    control=("the same round with S = 1", lambda: one_round("S_3", False, S=1, g=1)),
    coq="HCW.PrintedSums.printed_third_sum_false",
    severity="constant",
    consequence="holds for lambda >= 1/8; in the repaired bound 1/(2 lambda) replaces 1",
    carries=("explicit_inequality",),
)
def third_sum() -> Evidence:
    """S_3 <= 2d(kappa/(sqrt(lambda) alpha) + 1) log(1 + T alpha/(d kappa sqrt(lambda))): false for small lambda.

    Gaussian rewards, d = T = 1, S = 10, g = 1: 400 against 128.
    """
    return one_round("S_3", False, S=10, g=1)


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    "lemma:epl-results/eq6",
    math=r"S_3 \le d \left( \frac{\kappa}{\sqrt{\lambda} \alpha} + \frac{1}{2 \lambda} \right) \log \left( 1 + "
    r"\frac{T \alpha}{d \kappa \sqrt{\lambda}} \right)",
    reading="repaired",
    hypotheses=("w_t < 1 on the rounds of S_3",),
    control=("1/3 in place of 1/2 in the potential", sp.Rational(1, 3)),
    uses=("third_sum_in_the_smaller_matrix", "elliptical_potential_repaired"),
)
def third_sum_repaired(half: sp.Rational = sp.S.Half) -> Evidence:
    """S_3 <= d (kappa/(sqrt(lambda) alpha) + 1/(2 lambda)) log(1 + T alpha/(d kappa sqrt(lambda)))."""
    # 1/X^2 times the repaired potential, for X^2 = sqrt(lambda) alpha/kappa.
    d, k, A, T, root = sp.symbols("d kappa alpha T root", positive=True)
    X2 = root * A / k
    potential = constants.elliptical_potential_repaired(d, 2 * half * X2, root**2, T / (2 * half))
    return symbolic.identity(potential / X2, constants.low_weight_repaired(d, T, A, root**2, k))
