"""The confidence sequence of the learner with the sharpest constants: what its search may choose, and why.

Self-concordance enters the proof in two places.  lemma:inverse-regret looks at [-S, S] alone, so that eta = 1 + R S
with the local constant R, and the largest |mu''| there, called bend, pays for the cubic remainder.  Only
lemma:mixture-ineq looks at the whole line, with R_s.  The coefficient that it costs is a function of lambda.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import sharpest
from glbcheck.verify.search import cover
from glbcheck.verify.writing import Evidence, claim, combine, implies, text_of

from .confidence_proof import FIXED_BUDGET
from .inverse_regret import second_order_remainder
from .mixture_bound import ROUNDS, cost_of_a_round
from .unprinted import BUDGET, GROWTH, NORMALISED

NEAR = sp.Rational(1, 10**6)
LOCAL = (
    "|x_s| <= 1",
    "theta_1, theta_* in Theta",
    "0 <= mu' <= L_mu, |mu''| <= R mu' and |mu''| <= bend on [-S, S]",
    "eta = 1 + R S",
)
EPS = "eps = min(2 eta alpha S bend/sqrt(lambda), 2 eta S bend/(lambda g_min)), and eps < 1"


# --- lemma:mixture-ineq -----------------------------------------------------------------------------------


@claim(
    "lemma:mixture-ineq",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{1}{2 \gamma} \sum_s \lVert \theta_{s+1} - "
    r"\theta_s \rVert_{H_s}^2 + \frac{c \gamma}{2} \log \frac{\det H_{t+1}}{\det H_1}, \; c = 1 + \tfrac{8}{15} a + "
    r"\tfrac{21}{50} a^2, \; a = R_s \sqrt{\gamma / \lambda}",
    reading="repaired",
    hypotheses=(GROWTH, *ROUNDS, "gamma >= 1", "lambda >= gamma R_s^2"),
    expected="certified",
    control=("8/16 in place of 8/15", sp.Rational(15, 16)),
    uses=("mixture_bound", "mixture_bound_for_the_linear_link"),
)
def mixture_bound_by_reach(share: sp.Rational = sp.S.One) -> Evidence:
    """The coefficient of log det is c gamma/2 with c = 1 + 8a/15 + 21a^2/50 and a = R_s sqrt(gamma/lambda) <= 1.

    The argument is that of `mixture_bound`, where a round costs max(gamma c(a'), 1)/2 log D for some a' <= a, and
    c(a') is at most this polynomial, which increases and is at least 1.  For R_s = 0 it gives gamma/2, which is
    sharp.  The table of `mixture_bound_sharper` has three points of it.
    """
    a = sp.Symbol("a")
    excess = text_of(sharpest.mixture_excess, "a").replace(str(8 * a / 15), f"({share})*8*a/15")
    normal_moment = "exp(a**2/2)*(1 + erf(a/sqrt(2))) - 1 - a*sqrt(2)/sqrt(pi)"
    return combine(
        cost_of_a_round(),
        cover.certify(f"{normal_moment} <= ({excess})*a**2/2", {"a": (0, 1)}),
        implies(["gamma >= 1", "a >= 0", f"c == {excess}"], "max(c*gamma, 1) == c*gamma"),
    )


# --- lemma:inverse-regret -----------------------------------------------------------------------------------


@claim(
    "lemma:inverse-regret",
    math=r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}}^2 \le 2 \eta \sum_s \left( "
    r"\tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) + \lambda (S + \lVert \theta_1 \rVert)^2 - "
    r"(1 - \varepsilon) \sum_s \lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2",
    reading="repaired",
    hypotheses=(*LOCAL, "g_s >= g_min > 0", "w_s = min(1, alpha g_s/n_s)", EPS),
    control=("eps multiplied by 1 - 10^-6", 1 - NEAR),
    uses=("regret_of_all_rounds", "inverse_regret_sharper"),
    facts=("taylor", "cauchy-schwarz", "loewner-order", "triangle"),
)
def inverse_regret_by_bend(share: sp.Rational = sp.S.One) -> Evidence:
    """The bound holds with the share eps of the moves that lambda allows, and bend in place of R_s L_mu.

    The remainder of mu is at most bend y^2/2, so that a round spends 2 eta (w/g) S bend n^2 times its squared move,
    where w n <= alpha g, w <= 1 and lambda n^2 <= 1; the smaller of the two bounds is eps.  All of it happens on
    [-S, S]: the segment from theta_{s+1} to theta_*, and that from theta_s to theta_{s+1}, lie in Theta.
    """
    eps = text_of(sharpest.moves_spent, "eta", "S", "bend", "alpha", "lam", "g_min")
    round_ = ["eta >= 1", "S > 0", "bend >= 0", "alpha > 0", "lam > 0", "g_min > 0", "g >= g_min", "n >= 0",
              "w > 0", "w <= 1", "w*n <= alpha*g", "root > 0", "root**2 == lam", "n*root <= 1"]  # fmt: skip
    return combine(
        second_order_remainder(),
        implies(["S > 0", "rest >= 0", "abs(e) <= 2*S", "abs(k) <= rest/2"], "e*k <= S*rest"),
        implies(round_, "(w/g)*n**2 <= alpha/root"),
        implies(round_, "(w/g)*n**2 <= 1/(lam*g_min)"),
        implies(
            ["eta >= 1", "S > 0", "bend >= 0", "alpha > 0", "lam > 0", "g_min > 0", "v >= 0", "v <= alpha/sqrt(lam)",
             "v <= 1/(lam*g_min)"],
            f"2*eta*S*bend*v <= ({share})*({eps})",
        ),
    )  # fmt: skip


# --- the search ---------------------------------------------------------------------------------------------


FREE = ["eta >= 1", "S > 0", "R_s >= 0", "bend >= 0", "lam > 0"]


def floors(short: sp.Rational) -> Evidence:
    """(1 - eps) lambda >= eta R_s^2 from each of the two floors, multiplied by `short`."""
    by_weights = text_of(sharpest.lam_floor_by_weights, "eta", "S", "R_s", "bend", "alpha")
    by_dispersion = text_of(sharpest.lam_floor_by_dispersion, "eta", "S", "R_s", "bend", "g_min")
    # half = eta alpha S bend, H = sqrt(half^2 + eta R_s^2), and root = sqrt(lambda).
    weighs = ["half >= 0", "y >= 0", "H >= 0", "H**2 == half**2 + y", "root > 0"]
    return combine(
        implies(
            ["alpha > 0", "half == eta*alpha*S*bend", "H == sqrt(half**2 + eta*R_s**2)", *FREE,
             f"lam >= ({short})*({by_weights})"],
            "lam >= (half + H)**2",
        ),
        implies([*weighs, "root**2 >= (half + H)**2"], "root >= half + H"),
        implies([*weighs, "root >= half + H"], "root**2 - 2*half*root >= y"),
        implies([*weighs, "eps <= 2*half/root", "root**2 - 2*half*root >= y"], "(1 - eps)*root**2 >= y"),
        implies(
            [*FREE, "g_min > 0", f"lam >= ({short})*({by_dispersion})", "eps <= 2*eta*S*bend/(lam*g_min)"],
            "(1 - eps)*lam >= eta*R_s**2",
        ),
    )  # fmt: skip


@claim(
    "app:proof-cs",
    math=r"\lambda \ge \min \left( \left( p + \sqrt{p^2 + \eta R_s^2} \right)^2, \; \eta R_s^2 + \frac{2 \eta S \, "
    r"\mathrm{bend}}{g_{\min}} \right), \; p = \eta \alpha S \, \mathrm{bend} \implies (1 - \varepsilon) \lambda \ge "
    r"\eta R_s^2",
    reading="repaired",
    hypotheses=(*LOCAL, "alpha > 0, g_min > 0 and lambda > 0", "R_s > 0, or R_s = bend = 0"),
    control=("the floors multiplied by 1 - 10^-6", lambda: floors(1 - NEAR)),
)
def every_point_of_the_search() -> Evidence:
    """Every alpha > 0 and every lambda from the smaller floor on meet the conditions of the theorem.

    The search of `core.theory.tuning` moves alpha and what is added to the floor, and nothing else: eps, c and the
    radius follow from them.  From the floor on (1 - eps) lambda >= eta R_s^2, so that a <= 1, and eps < 1: if R_s > 0
    because the right side is positive, and if bend = 0 because eps = 0.  With alpha g_min sqrt(lambda) >= 1 no weight
    is below 1, and the two bounds on eps agree or the second is the smaller.
    """
    reach = text_of(lambda *given: sharpest.mixture_reach(*given) ** 2, "eta", "R_s", "eps", "lam")
    return combine(
        floors(sp.S.One),
        implies(["eta >= 1", "R_s > 0", "lam > 0", "(1 - eps)*lam >= eta*R_s**2"], "eps < 1"),
        implies(["eta >= 1", "R_s >= 0", "lam > 0", "eps < 1", "(1 - eps)*lam >= eta*R_s**2"], f"{reach} <= 1"),
        implies(
            ["alpha > 0", "root > 0", "g >= g_min", "g_min > 0", "alpha*g_min*root >= 1", "n >= 0", "n*root <= 1"],
            "alpha*g >= n",
        ),
    )


# --- the theorem ----------------------------------------------------------------------------------------------


@claim(
    "app:proof-cs",
    "eq:CS",
    math=r"\lVert \theta_t - \theta_\star \rVert_{H_t} \le \sqrt{\beta_t^2 + h^2} + h, \; h = \eta \alpha C, \; "
    r"\beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{c \eta^2}{1 - \varepsilon} \log \frac{\det H_t}{\det H_1} + "
    r"\lambda (S + \lVert \theta_1 \rVert)^2",
    reading="repaired",
    hypotheses=(NORMALISED, GROWTH, BUDGET, *LOCAL, "g_s >= g_min > 0", EPS, "(1 - eps) lambda >= eta R_s^2"),
    discharges=FIXED_BUDGET,
    control=("the last h multiplied by 1 - 10^-6", 1 - NEAR),
    uses=(
        "inverse_regret_by_bend",
        "mixture_confidence",
        "mixture_bound_by_reach",
        "corruption_term",
        "radius_of_the_theorem",
        "sharper_confidence_sequence",
    ),
)
def sharpest_confidence_sequence(share: sp.Rational = sp.S.One) -> Evidence:
    """theta_* lies within sqrt(beta_t^2 + h^2) + h of theta_t for all t, with probability at least 1 - delta.

    The proof is that of `sharper_confidence_sequence` with gamma = eta/(1 - eps).  The local constant R is in eta
    and bend in eps; R_s, on the whole line, only in c.  At the largest error X so far X^2 <= beta_t^2 + 2 h X, and
    the radius is the root of this quadratic instead of beta_t + 2h.
    """
    slope = text_of(sharpest.beta_slope, "eta", "eps", "c")
    base = text_of(sharpest.beta_base, "S", "exp(-ld)", "eta", "lam", "n1")
    radius = text_of(sharpest.radius, "bt2", "h").replace("h + ", f"({share})*h + ")
    facts = ["eta >= 1", "eps >= 0", "eps < 1", "gamma*(1 - eps) == eta", "V >= 0", "D >= 0", "cgD == c*gamma*D",
             "Y <= ld", "2*gamma*Z <= V + gamma*cgD", "X2 <= 2*eta*(Y + Z + K) + B - (1 - eps)*V"]  # fmt: skip
    return combine(
        implies(facts, "X2 <= 2*eta*ld + eta*cgD + B + 2*eta*K"),
        implies(
            ["eta >= 1", "eps >= 0", "eps < 1", "gamma*(1 - eps) == eta", "c >= 1", "D >= 0", "lam > 0", "S > 0",
             "n1 >= 0", "e >= 0", "e <= S + n1"],
            f"2*eta*ld + eta*c*gamma*D + lam*e**2 <= ({slope})*D + {base}",
        ),
        implies(["x >= 0", "y >= 0", "h >= 0", "b >= 0", "b <= bt2", "y <= x", "x**2 <= b + 2*h*x"], f"y <= {radius}"),
    )  # fmt: skip
