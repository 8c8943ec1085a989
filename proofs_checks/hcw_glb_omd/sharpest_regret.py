"""The regret bound of the learner with the sharpest constants.

Notation of `regret_decomposition` and `weighted_potential`, with a* = mu'(z*), D = z* - z, m = |z - y| for
y = <x, theta_{t+1}>, q the radius of C_{t+1}, u = (w/g) b n^2, l = log(1 + u) and Lambda = log(det H_{T+1}/det H_1).
Four things are new.  The mean slope between z and z* is compared with sqrt(a* b) directly, so that no quadratic in the
regret is left to solve; every round has its own radius; the rounds with w < 1 need no matrix of their own; and rounds
far from the truth are bounded by what a round can cost at all.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import sharpest
from glbcheck.verify.search import algebra, ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies, nonnegative, text_of

from .regret_decomposition import cauchy_schwarz
from .sharpest_confidence import EPS, LOCAL, NEAR
from .unprinted import BUDGET, COMPACT, CURVED, GROWTH, NORMALISED

v, z, y = sp.symbols("v z y", real=True)
EVENT = "theta* in every C_t up to t = T + 1"
SETTING = (
    NORMALISED, GROWTH, BUDGET, COMPACT, CURVED, *LOCAL, "g_min <= g_t <= g_max", EPS, "(1 - eps) lambda >= eta R_s^2",
)  # fmt: skip


# --- one round ----------------------------------------------------------------------------------------------


@claim(
    "sec:regret-decompostion-proof/eq1",
    reading="repaired",
    hypotheses=("theta* in C_t", "the index is at most <x, theta_t> + r |x|, and at least <x, theta*>"),
    control=("(2 - 10^-6) r n", 2 - NEAR),
    facts=("cauchy-schwarz",),
)
def any_maximiser_will_do(twice: sp.Rational = sp.S(2)) -> Evidence:
    """Whichever arm of largest index is pulled, by whatever rule among equals, z* - z <= 2 r n.

    The index over C_t, with Theta or without it, is at least <x, theta*> for every arm, as theta* is in C_t, and at
    most <x, theta_t> + r |x| in H_t^-1.  Nothing else about the pulled arm is used anywhere in the proof.  An arm
    whose index is short of the largest by tau, as rounding may have it, has z* - z <= 2 r n + tau.
    """
    # At the best arm the index is at least z*; at the pulled one it is at most c + r n with c = <x, theta_t>.
    facts = ["r >= 0", "n >= 0", "best <= index_best", "index_best <= index + tau", "index <= c + r*n", "c - z <= r*n"]
    return implies(facts, f"best - z <= ({twice})*r*n + tau")


def mean_slope() -> Evidence:
    """mu(z*) - mu(z) is D times the mean slope, and the mean distance to z on the way is D/2."""
    step = y - z
    slope = symbolic.smooth("mu", 1)(z + v * step)
    return combine(
        symbolic.taylor_remainder("mu", 0, slope * step, v, z + v * step, z, y, (0, 1)),
        symbolic.integral(v, v**2 / 2, v, 0, 1, sp.S.Half),
    )


@claim(
    "lemma:decomposition",
    "lemma:decomposition/eq1",
    math=r"\mu(z_\star) - \mu(z) \le 2 r \sqrt{\mu'(z_\star) \mu'(y)} \, n + 4 \, \mathrm{bend} \, q^2 n^2, \quad "
    r"\mu(z_\star) - \mu(z) \le 2 r \mu'(y) \, n + 4 \, \mathrm{bend} \, q^2 n^2",
    reading="repaired",
    hypotheses=(*LOCAL, "theta* in C_t and C_{t+1}", "z* - z <= 2 r n", "0 <= r <= q"),
    control=("(4 - 10^-6) bend", 1 - NEAR),
    uses=("any_maximiser_will_do", "slope_at_next_iterate_repaired"),
    facts=("taylor", "mean-value", "cauchy-schwarz", "loewner-order"),
)
def one_round_by_the_mean_slope(share: sp.Rational = sp.S.One) -> Evidence:
    """A round costs at most 2 r sqrt(a* b) n + 4 bend q^2 n^2, and at most 2 r b n + 4 bend q^2 n^2.

    The mean slope between z and z* is at most a* + bend D/2 and at most b + bend (m + D/2), since slopes change by at
    most bend times the distance, and m <= q n as in `slope_at_next_iterate_repaired`.  Where a* <= b the first gives
    sqrt(a* b), where b <= a* the second.  With the slope at z* in the first factor V needs no correction by the regret.
    """
    second = text_of(sharpest.second_order, "K", "1")
    far = [*nonnegative("K", "n", "r", "D", "m", "s"), "q >= r", "D <= 2*r*n", "m <= q*n"]
    return combine(
        mean_slope(),
        implies([*nonnegative("a", "e"), "a <= b", "slope <= a + e"], "slope <= sqrt(a*b) + e"),
        implies([*nonnegative("b", "e"), "b <= a", "slope <= b + e"], "slope <= sqrt(a*b) + e"),
        implies([*far, "slope <= s + K*(m + D/2)"], f"slope*D <= 2*r*s*n + ({share})*({second})*q**2*n**2"),
    )


@claim(
    "lemma:decomposition",
    math=r"\mu(z_\star) - \mu(z) \le 2 r s n + 4 R e^{3 R \rho} b \, q^2 n^2 \; (q n \le \rho), \quad \mu(z_\star) - "
    r"\mu(z) \le \frac{\kappa \, \mathrm{span}}{\rho^2} b \, q^2 n^2 \; (q n > \rho)",
    reading="repaired",
    hypotheses=(*LOCAL, "theta* in C_t and C_{t+1}", "z* - z <= 2 r n", "0 <= r <= q", "rho > 0", "mu' >= 1/kappa"),
    control=("(1 - 10^-6) kappa span/rho^2", 1 - NEAR),
    uses=("one_round_by_the_mean_slope",),
    facts=("monotone",),
)
def near_and_far_rounds(share: sp.Rational = sp.S.One) -> Evidence:
    """Near the truth the second order has no kappa; far from it a round costs what a round can cost.

    s is sqrt(a* b) or b.  If q n <= rho, all points between z and z* are within 3 rho of y, and there |mu''| <=
    R mu' <= R b e^{3 R rho}, as mu' e^{+-R z} are monotone; this takes the place of bend.  If q n > rho, the round
    costs at most span = mu(S) - mu(-S) <= span (q n/rho)^2, and b >= 1/kappa.  So the larger coefficient does for all.
    """
    # X stands for e^{3 R rho}, an upper bound of e^{R |zeta - y|} as R |zeta - y| <= R (f + m) for every zeta met.
    near = text_of(sharpest.second_order_near, "R", "rho").replace("exp(3*R*rho)", "X")
    far = text_of(sharpest.second_order_far, "k", "span", "rho")
    close = [*nonnegative("n", "r", "D", "m", "f"), "q >= r", "D <= 2*r*n", "m <= q*n", "q*n <= rho", "f <= D"]
    return combine(
        implies(["R >= 0", *close], "R*(f + m) <= 3*R*rho"),
        implies(
            [
                *nonnegative("R", "b", "X", "K", "n", "r", "D", "m", "s"),
                "q >= r",
                "D <= 2*r*n",
                "m <= q*n",
                "K <= R*b*X",
                "slope <= s + K*(m + D/2)",
            ],
            f"slope*D <= 2*r*s*n + ({near})*b*q**2*n**2",
        ),
        implies(
            ["span >= 0", "rho > 0", "k > 0", "b >= 1/k", "x > rho", "cost <= span"],
            f"cost <= ({share})*({far})*b*x**2",
        ),
    )


# --- the sums -----------------------------------------------------------------------------------------------


@claim(
    "lemma:epl-results",
    "lemma:epl-results/eq1",
    math=r"b n^2 \le \bar{g} u, \; n^2 \le \kappa \bar{g} u, \; b n = \frac{u}{\alpha} \text{ if } w < 1, \quad "
    r"\bar{g} = \max \left( g_{\max}, \frac{1}{\alpha \sqrt{\lambda}} \right)",
    reading="repaired",
    hypotheses=("w = min(1, alpha g/n)", "b >= 1/kappa, g <= g_max, |x| <= 1, H_t >= lambda I"),
    control=("(1 - 10^-6) of the larger one", 1 - NEAR),
    facts=("loewner-order",),
)
def norms_by_the_potential(share: sp.Rational = sp.S.One) -> Evidence:
    """Every round has b n^2 <= max(g_max, 1/(alpha sqrt(lambda))) u, so that S_2 + S_3 needs no second matrix.

    g/w is g if w = 1, and n/alpha <= 1/(alpha sqrt(lambda)) if w < 1.  The printed proof builds a matrix of the rounds
    with w < 1 alone and gets a second logarithm with T in it.
    """
    trust = text_of(sharpest.largest_trust, "alpha", "root**2", "g_max")
    facts = ["alpha > 0", "root > 0", "n > 0", "n*root <= 1", "g > 0", "g <= g_max", "b >= 0", "w > 0"]
    return combine(
        implies([*facts, "w == 1", "u == (w/g)*b*n**2"], f"b*n**2 <= ({share})*({trust})*u"),
        implies([*facts, "w*n == alpha*g", "u == (w/g)*b*n**2"], f"b*n**2 <= ({share})*({trust})*u"),
        implies([*facts, "w*n == alpha*g", "u == (w/g)*b*n**2"], "b*n == u/alpha"),
        implies(["k > 0", "b >= 1/k", "n >= 0", "c >= b*n**2"], "n**2 <= k*c"),
    )


@claim(
    "lemma:decomposition/eq5",
    math=r"u \le \frac{u_0}{\log(1 + u_0)} \log(1 + u), \; u \le u_0 = \min \left( \frac{\alpha "
    r"L_\mu}{\sqrt{\lambda}}, \frac{L_\mu}{\lambda g_{\min}} \right)",
    reading="repaired",
    hypotheses=("w = min(1, alpha g/n)", "0 <= b <= L_mu, g >= g_min > 0, |x| <= 1, H_t >= lambda I"),
    control=("(1 - 10^-6) u_0", 1 - NEAR),
    facts=("monotone", "loewner-order"),
)
def potential_by_the_largest_step(share: sp.Rational = sp.S.One) -> Evidence:
    """A unit of log(1 + u) pays for u_0/log(1 + u_0) of u, where u_0 is the largest u; so P = u_0/log(1 + u_0) Lambda.

    u/log(1 + u) increases, as log(1 + u) >= u/(1 + u).  This is 1 + u_0/2 - u_0^2/12 + ..., below 1 + u_0/2.
    """
    u = sp.Symbol("u", positive=True)
    cap = text_of(sharpest.largest_growth, "alpha", "L_mu", "lam", "g_min")
    slope = (sp.log(1 + u) - u / (1 + u)) / sp.log(1 + u) ** 2
    facts = ["alpha > 0", "root > 0", "g_min > 0", "g >= g_min", "n >= 0", "n*root <= 1", "b >= 0", "b <= L_mu",
             "w > 0", "w <= 1", "w*n <= alpha*g"]  # fmt: skip
    return combine(
        symbolic.identity(sp.Derivative(sharpest.potential_ratio(u), u), slope),
        ladder.inequality("u/(1 + u) <= log(1 + u)", "u"),
        implies(facts, "(w/g)*b*n**2 <= alpha*L_mu/root"),
        implies(facts, "(w/g)*b*n**2 <= L_mu/(root**2*g_min)"),
        implies(
            ["alpha > 0", "L_mu > 0", "lam > 0", "g_min > 0", "x <= alpha*L_mu/sqrt(lam)", "x <= L_mu/(lam*g_min)"],
            f"x <= ({share})*({cap})",
        ),
    )


def radii(share: sp.Rational) -> Evidence:
    """The sum of beta_{t+1}^2 l by induction, then the corruption by Minkowski's inequality."""
    summed = text_of(sharpest.radii_summed, "A", "B", "h", "D", "step")
    squares = f"A*D + ({share})*B*D*(D + step)/2"
    return combine(
        algebra.induction(
            f"total <= {squares}",
            ["total", "D"],
            initial=["total == 0", "D == 0"],
            transition=["l >= 0", "l <= step", "D_next == D + l", "total_next == total + (A + B*D_next)*l"],
            always=["D >= 0", "B >= 0"],
            parameters=["A", "B", "step"],
            auxiliary=["l"],
        ),
        cauchy_schwarz(),
        implies(
            [*nonnegative("h", "X", "Y", "root", "side"), "X**2 <= Y*root**2", "Y <= side**2"],
            "Y + 2*h*X + h**2*root**2 <= (side + h*root)**2",
        ),
        implies(
            [*nonnegative("h", "D", "A", "B", "step", "root", "side"), "root == sqrt(D)",
             "side == sqrt((A + h**2)*D + B*D*(D + step)/2)"],
            f"(side + h*root)**2 <= {summed}",
        ),
    )  # fmt: skip


@claim(
    "lemma:decomposition/eq6",
    math=r"\sum_t r_{t+1}^2 \log(1 + u_t) \le \left( \sqrt{(A + h^2) \Lambda + \tfrac{1}{2} B \Lambda (\Lambda + "
    r"\ell_0)} + h \sqrt{\Lambda} \right)^2, \; r_t = \sqrt{A + B \Lambda_t + h^2} + h",
    reading="repaired",
    hypotheses=("Lambda_t is the sum of log(1 + u_s) over s < t", "0 <= log(1 + u_t) <= l_0", "A, B, h >= 0"),
    control=("(1 - 10^-6) B", lambda: radii(1 - NEAR)),
    facts=("cauchy-schwarz",),
)
def radii_by_parts() -> Evidence:
    """Every round with its own radius: B Lambda (Lambda + l_0)/2, where the last radius gives B Lambda^2.

    With beta_{t+1}^2 = A + B Lambda_{t+1} the sum is that of an integral; the corruption h adds by Minkowski's
    inequality, with the weights log(1 + u_t).
    """
    return radii(sp.S.One)


# --- the bound ------------------------------------------------------------------------------------------------


@claim(
    "theorem:regret",
    "theorem:regret/eq1",
    math=r"\operatorname{Reg}(T) \le 2 Q \sqrt{V} + \frac{2}{\alpha} Q \sqrt{P} + \psi \bar{g} Q^2, \; V = \sum_t g_t "
    r"\mu'(\langle x_{t,\star}, \theta_\star \rangle)",
    reading="repaired",
    hypotheses=(*SETTING, "the pulled arm has the largest index over C_t, with or without Theta", EVENT),
    control=("(2 - 2 10^-6) Q sqrt(V)", 1 - NEAR),
    uses=(
        "sharpest_confidence_sequence",
        "determinant_bound_sharper",
        "any_maximiser_will_do",
        "one_round_by_the_mean_slope",
        "near_and_far_rounds",
        "norms_by_the_potential",
        "potential_by_the_largest_step",
        "radii_by_parts",
        "leading_sum_by_cauchy_schwarz",
    ),
    facts=("compact-maximum", "cauchy-schwarz"),
)
def sharpest_regret_bound(share: sp.Rational = sp.S.One) -> Evidence:
    """Reg(T) <= 2 Q sqrt(V) + 2 Q sqrt(P)/alpha + psi g' Q^2 for all T at once: no quadratic, no g_max R_s Reg.

    Q^2 = u_0/log(1 + u_0) times the bound of `radii_by_parts`, at least the sum of q^2 u; P = u_0/log(1 + u_0) Lambda;
    g' = max(g_max, 1/(alpha sqrt(lambda))), and psi is 4 bend kappa or max(4 R e^{3 R rho}, kappa span/rho^2) for any
    rho > 0.  The first term is that of the rounds with w = 1, by Cauchy-Schwarz with q >= r; the second that of the
    rounds with w < 1, and absent if alpha g_min sqrt(lambda) >= 1; the third is the second order of all rounds.  All
    terms increase in Lambda, which is at most d log(1 + (L/(d lambda)) sum 1/g), or read off H_{T+1} after the run.
    """
    bound = text_of(sharpest.regret_of_sums, "v**2", "Q", "p**2", "ia", "psi", "trust")
    return combine(
        cauchy_schwarz(),
        # Sums: x^2 of r^2 u; c of sqrt(g a*) sqrt(u) r over w = 1; e of r u over w < 1; s of q^2 u.
        implies([*nonnegative("v", "x", "c"), "c**2 <= v**2*x**2"], "c <= v*x"),
        implies([*nonnegative("v", "x"), "x <= Q", "c <= v*x"], "c <= v*Q"),
        implies([*nonnegative("p", "x", "ia"), "x <= Q", "e <= x*p"], "ia*e <= ia*Q*p"),
        implies(["k >= 0", "k == psi*trust", "s <= Q**2"], "k*s <= psi*trust*Q**2"),
        implies(
            [*nonnegative("v", "p", "Q"), "c <= v*Q", "f <= ia*Q*p", "h <= psi*trust*Q**2", "reg <= 2*c + 2*f + h"],
            f"reg <= {bound.replace('2*Q*Abs(v)', f'({2 * share})*Q*Abs(v)')}",
        ),
    )
