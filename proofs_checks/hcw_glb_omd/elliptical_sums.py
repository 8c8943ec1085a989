"""Appendix C, second half: the elliptical sums S_1, S_2, S_3 and the potential behind them.

Notation of one round: n the norm of x_t in H_t^-1, p = mu'(<x_t, theta_{t+1}>) between 1/kappa and L,
w = min(1, alpha g/n), and u = (w/g) p n^2, so that det H_{t+1} = (1 + u) det H_t.

Two observations repair everything.  The printed lemma:epl holds for lambda >= 1/8 and fails below 1/9; and
the weights cap every term, u <= alpha p n <= alpha L/sqrt(lambda), so the smallest dispersion enters through
logarithms alone.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.provers import ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies

from .regret_decomposition import NEAR, nonnegative
from .technical_lemmas import potential_against_logarithm

# One round of the algorithm from its definitions, in dimension d with the linear link mu(z) = L z, for which
# R_s = 0, eta = 1 and kappa = 1/L; x has norm 1 and C = 0, so that alpha = sqrt(d).
ONE_ROUND = {
    "kappa": "1/L",
    "alpha": "sqrt(d)",
    "lam": "d/(4*S**2)",
    "n": "1/sqrt(lam)",
    "w": "min(1, alpha*g/n)",
    "u": "w/g*L*n**2",
}
PRINTED = {
    "potential": "u <= 2*d*(1 + L/g)*log(1 + L/(d*g*lam))",
    "S_1": "L*n <= 2*d*g*(1 + L/g)/alpha*log(1 + L/(d*g*lam))",
    "S_1 without g_max": "L*n <= 2*d*(1 + L/g)/alpha*log(1 + L/(d*g*lam))",
    "S_2": "n**2 <= 2*d*(kappa*g + 1)*log(1 + 1/(d*kappa*g*lam))",
    "S_3": "n**2 <= 2*d*(kappa/(sqrt(lam)*alpha) + 1)*log(1 + alpha/(d*kappa*sqrt(lam)))",
}
UNIT_SLOPE = {"d": 1, "L": 1}
# lambda = 1, where lemma:epl holds as printed; w = 3/5.
FLAT: dict[str, int | Fraction] = {"d": 9, "S": Fraction(3, 2), "L": Fraction(1, 100), "g": Fraction(1, 5)}


def one_round(bound: str, trusted: bool, **values: int | Fraction) -> Evidence:
    """A printed bound after T = 1 round, at exact parameters; `trusted` says whether w = 1 or w < 1."""
    return fails(
        ("d >= 1", "S > 0", "g > 0", "L > 0", "alpha*g > n" if trusted else "alpha*g < n"),
        PRINTED[bound],
        ONE_ROUND,
        at={**UNIT_SLOPE, **values},
    )


# --- the potential ------------------------------------------------------------------------------------


@claim(
    "lemma:decomposition/eq5",
    math=r"\sum_t \frac{w_t}{g_t} \mu'(\langle x_t, \theta_{t+1} \rangle) \lVert x_t \rVert_{H_t^{-1}}^2 \le 2 d "
    r"\left( 1 + \frac{L_\mu}{g_{\min}} \right) \log \left( 1 + \frac{L_\mu T}{d g_{\min} \lambda} \right)",
    hypotheses=("H_1 = lambda I", "w_t = min(1, alpha g_t/n_t)"),
    expected="refuted",
    control=("the same round with S = 1, so lambda = 1/4", lambda: one_round("potential", True, S=1, g=3)),
    severity="constant",
    consequence="only for lambda < 1/8, that is nearly linear links with S^2 > 2d; see the repaired bound",
)
def potential_bound() -> Evidence:
    """The sum of u_t is at most 2d(1 + L/g_min) log(1 + LT/(d g_min lambda)): false for small lambda.

    Gaussian rewards, d = T = 1, S = 3, so lambda = 1/36; g = 7 gives w = 1 and u = 5.14 against 4.15.
    """
    return one_round("potential", True, S=3, g=7)


@claim(
    "lemma:decomposition/eq5",
    "lemma:epl",
    math=r"\sum_s \lVert x_s \rVert_{V_s^{-1}}^2 \le 2 d (1 + X^2) \log \left( 1 + \frac{t X^2}{d \lambda} \right) "
    r"\text{ for } \lambda \ge \tfrac{1}{8}",
    reading="repaired",
    hypotheses=("lambda >= 1/8",),
    control=("lambda >= 1/9", sp.Rational(1, 9)),
    uses=("elliptical_potential_repaired",),
)
def printed_potential_for_large_lambda(lam: sp.Rational = sp.Rational(1, 8)) -> Evidence:
    """With lambda >= 1/8 the printed lemma and all its printed uses hold, with 2d(1 + X^2) as it stands.

    As lambda u <= X^2, one term is u <= 2(1 + lambda u) log(1 + u) <= 2(1 + X^2) log(1 + u).  It is
    enough that 14 d eta R_s^2 >= 1/8 or S^2 <= 2d.
    """
    # log(1 + u) >= u/(2(1 + lam u)): rising up to 3, falling (read backwards) to 13, rising again.
    backwards = f"log(14 - v) >= (13 - v)/(2 + ({2 * lam})*(13 - v))"
    forwards = f"log(1 + u) >= u/(2 + ({2 * lam})*u)"
    return combine(
        ladder.inequality(forwards, "u", 0, 3),
        ladder.inequality(backwards, "v", 0, 10),
        ladder.inequality(forwards, "u", 13),
    )


@claim(
    "lemma:decomposition/eq5",
    math=r"\frac{w}{g} p n^2 \le \alpha p n \le \frac{\alpha L_\mu}{\sqrt{\lambda}}",
    reading="repaired",
    hypotheses=("|x| <= 1, H >= lambda I", "0 <= p <= L", "w = min(1, alpha g/n)"),
    control=("(1 - 10^-6) alpha L/sqrt(lambda)", 1 - NEAR),
)
def weights_cap_the_terms(share: sp.Rational = sp.S.One) -> Evidence:
    """u = (w/g) p n^2 <= alpha p n <= alpha L/sqrt(lambda), for w = 1 as for w < 1, whatever the dispersion.

    Both because w/g <= alpha/n and n <= 1/sqrt(lambda).
    """
    # u <= share alpha L/sqrt(lambda), for any weight that is at most 1 and at most alpha g/n.
    return implies(
        ["n > 0", "g > 0", "A > 0", "p >= 0", "p <= L", "lam > 0", "n**2 <= 1/lam", "w > 0", "w <= 1", "w <= A*g/n"],
        f"w/g*p*n**2 <= ({share})*A*L/sqrt(lam)",
    )


@claim(
    "lemma:decomposition/eq5",
    math=r"\sum_t \frac{w_t}{g_t} \mu'(\langle x_t, \theta_{t+1} \rangle) \lVert x_t \rVert_{H_t^{-1}}^2 \le \left( 1 "
    r"+ \frac{\alpha L_\mu}{2 \sqrt{\lambda}} \right) d \log \left( 1 + \frac{L_\mu}{d \lambda} \sum_t "
    r"\frac{w_t}{g_t} \right)",
    reading="repaired",
    hypotheses=("H_1 = lambda I", "p_t <= L", "w_t = min(1, alpha g_t/n_t)"),
    control=("(1/2 - 10^-6) in place of 1/2", sp.S.Half - NEAR),
    uses=("weights_cap_the_terms", "elliptical_potential_repaired"),
)
def potential_bound_repaired(share: sp.Rational = sp.S.Half) -> Evidence:
    """sum u_t <= (1 + alpha L/(2 sqrt(lambda))) d log(1 + (L/(d lambda)) sum w_t/g_t): no factor 1/g_min.

    u <= (1 + u/2) log(1 + u), u <= alpha L/sqrt(lambda), and the logarithms sum to log det H_{T+1}/lambda^d,
    which the trace of H_{T+1} bounds as in the elliptical potential lemma.  Finally w_t/g_t <= 1/g_min.
    """
    # u <= (1 + share cap) log(1 + u) for u <= cap: one step of the log-determinant pays for u.
    monotone = implies(["u >= 0", "u <= cap", "l >= 0", f"u <= (1 + ({share})*u)*l"], f"u <= (1 + ({share})*cap)*l")
    return combine(potential_against_logarithm(share), monotone)


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
    severity="substance",
    consequence="for g_max < 1 gamma_2, hence the bound for R_s = 0, is too small; the factor must go",
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
    A, g, n, p = sp.symbols("alpha g n p", positive=True)
    return symbolic.identity(p * n, (A * g / n) / g * p * n**2 / A**power)


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
    severity="constant",
    consequence="holds for lambda >= 1/8; the repaired bound has no g_max/g_min",
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
    hypotheses=("logistic link", "<x_1, theta*> = 2, <x_1, theta_2> = 0, w_1 = 1"),
    expected="refuted",
    control=("a zero arm", 0),
    severity="slip",
    consequence="the proof bounds the sum over all rounds with w_t = 1, which is what is needed",
)
def second_sum_has_two_definitions(n: int = 1) -> Evidence:
    """S_2 over [T] (in the decomposition) equals S_2 over the rounds with dropping slope (here): false.

    A round whose slope grows belongs to the first and not to the second: then the second sum is 0.
    """
    # T = 1, w = 1, logistic link: the slope grows from theta* to the next iterate; the round counts once.
    return fails(
        ("slope_at_star < slope_at_next",),
        "over_all_rounds == over_dropping_slopes",
        {
            "slope_at_star": "exp(-star)/(1 + exp(-star))**2",
            "slope_at_next": "exp(-next)/(1 + exp(-next))**2",
            "over_all_rounds": "n**2",
            "over_dropping_slopes": "0",
        },
        at={"n": n, "star": 2, "next": 0},
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
    severity="constant",
    consequence="holds for lambda >= 1/8; in the repaired bound 1/(2 lambda) replaces 1",
)
def third_sum() -> Evidence:
    """S_3 <= 2d(kappa/(sqrt(lambda) alpha) + 1) log(1 + T alpha/(d kappa sqrt(lambda))): not if lambda < 1/8.

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
    # 1/X^2 times the factor of the repaired potential, for X^2 = sqrt(lambda) alpha/kappa.
    k, A, lam = sp.symbols("kappa alpha lambda", positive=True)
    X2 = sp.sqrt(lam) * A / k
    return symbolic.identity((1 + half * X2 / lam) / X2, k / (sp.sqrt(lam) * A) + 1 / (2 * lam))
