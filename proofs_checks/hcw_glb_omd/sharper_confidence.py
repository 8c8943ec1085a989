"""The confidence sequence with smaller constants: what the repaired lemmas really give.

The printed beta_t rests on lambda >= 14 d eta R_s^2 and on the coefficient 6 eta^2 + eta of log det.  Neither
the factor d nor most of the coefficient is needed (lemma:mixture-ineq), lambda need not grow with alpha when
there is little corruption (lemma:inverse-regret), and a start at the origin costs a quarter of 4 lambda S^2.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core.theory.constants import MIXTURE_CHOICE, MIXTURE_PAIRS, MOVES_SPENT, REPAIRED
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies

from .confidence_proof import FIXED_BUDGET, growth_of_the_hessian
from .elliptical_potential import logarithm_below_its_tangent
from .inverse_regret import SETTING
from .mixture import power_below_tangent
from .mixture_bound import ROUNDS, cost_of_a_round, curvature_excess
from .quantities import GROWTH_RATE_REPAIRED, beta_squared, lam
from .unprinted import BUDGET, GROWTH, NORMALISED

# --- lemma:inverse-regret --------------------------------------------------------------------------------


def trusted_regularisation() -> Evidence:
    """eps sqrt(lambda) >= 2 eta alpha R S L gives 2 eta rho <= eps: the printed condition, for any eps."""
    return implies(["k >= 0", "root > 0", "eps > 0", "eps*root >= 2*k"], "2*k/root <= eps")


@claim(
    "lemma:inverse-regret",
    math=r"\lVert \theta_{t+1} - \theta_\star \rVert_{H_{t+1}}^2 \le 2 \eta \sum_s \left( "
    r"\tilde{\ell}_s(\theta_\star) - \tilde{\ell}_s(\theta_{s+1}) \right) + \lambda (S + \lVert \theta_1 \rVert)^2 - "
    r"(1 - \varepsilon) \sum_s \lVert \theta_{s+1} - \theta_s \rVert_{H_s}^2",
    reading="repaired",
    hypotheses=(
        *SETTING,
        "g_s >= g_min and eps > 0",
        "lambda >= min((2 eta alpha R_s S L_mu/eps)^2, 2 eta R_s S L_mu/(eps g_min))",
    ),
    control=("2 - 10^-6 for the 2 of the second bound", 2 - sp.Rational(1, 10**6)),
    uses=("inverse_regret",),
    facts=("loewner-order", "triangle"),
)
def inverse_regret_sharper(factor: sp.Rational = sp.S(2)) -> Evidence:
    """The error is at most 2 eta G + lambda (S + |theta_1|)^2 - (1 - eps) V, for a smaller lambda too.

    The cubic remainder is (w/g) R_s S L_mu n^2 h with n^2 <= 1/lambda.  Bounding w by 1, not by alpha g/n,
    needs no small alpha, and is the better of the two when there is little corruption.  The initial error
    |theta_1 - theta_*| is at most S + |theta_1|: a start at the origin costs lambda S^2 only.
    """
    start = implies(["lam > 0", "S > 0", "n1 >= 0", "n1 <= S", "e >= 0", "e <= S + n1"], "lam*e**2 <= lam*(S + n1)**2")
    # eps lambda >= factor eta R S L/g gives 2 eta (w/g) R S L n^2 <= eps, as w <= 1 and lambda n^2 <= 1.
    smaller_regularisation = implies(
        ["eta >= 1", "R >= 0", "S > 0", "L > 0", "g > 0", "lam > 0", "w > 0", "w <= 1", "n2 >= 0", "eps > 0",
         "lam*n2 <= 1", f"eps*lam*g >= ({factor})*eta*R*S*L"],
        "2*eta*(w/g)*R*S*L*n2 <= eps",
    )  # fmt: skip
    return combine(start, smaller_regularisation, trusted_regularisation())


# --- lemma:mixture-ineq -----------------------------------------------------------------------------------


@claim(
    "lemma:mixture-ineq",
    "eq:term-b",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{1}{2 \gamma} \sum_s \lVert \theta_{s+1} - "
    r"\theta_s \rVert_{H_s}^2 + \frac{\max(c \gamma, 1)}{2} \log \frac{\det H_{t+1}}{\det H_1} \text{ for } \lambda "
    r"\ge k \gamma R_s^2",
    reading="repaired",
    hypotheses=(GROWTH, *ROUNDS, "gamma > 0", "lambda >= k gamma R_s^2"),
    expected="certified",
    control=("c = 67/50 at k = 4", {Fraction(4): Fraction(67, 50)}),
    uses=("mixture_bound",),
)
def mixture_bound_sharper(table: dict[Fraction, Fraction] = MIXTURE_PAIRS) -> Evidence:
    """lambda >= k gamma R_s^2 gives the coefficient max(c gamma, 1)/2 of log(det H_{t+1}/det H_1).

    (k, c) = (1, 49/25), (4, 27/20), (16, 29/25).  For R_s = 0 there is no condition and c = 1, which is
    sharp (`mixture_bound_for_the_linear_link`).  The printed pair is (64 d/7, 4 + 1/gamma).
    """
    # For each k, c(a) <= c on a <= 1/sqrt(k): the coefficient that lambda >= k gamma R^2 buys.
    roots = {Fraction(1): Fraction(1), Fraction(4): Fraction(1, 2), Fraction(16): Fraction(1, 4)}
    return combine(cost_of_a_round(), *(curvature_excess(c, roots[k]) for k, c in table.items()))


# --- the linear link: everything in closed form -----------------------------------------------------------


@claim(
    "lemma:mixture-ineq",
    math=r"\sum_s w_s m_s(P_s) \le \sum_s w_s \ell_s(\theta_{s+1}) + \frac{1}{2 \gamma} \sum_s \lVert \theta_{s+1} - "
    r"\theta_s \rVert_{H_s}^2 + \frac{\gamma}{2} \log \frac{\det H_{t+1}}{\det H_1} \text{ for } m(z) = \frac{z^2}{2}",
    reading="repaired",
    hypotheses=("m(z) = z^2/2", *ROUNDS, "gamma >= 1"),
    control=("coefficient 1 - 10^-6 times gamma/2", 1 - sp.Rational(1, 10**6)),
    uses=("power_is_concave",),
    facts=("gaussian-projection", "convex-tangent"),
)
def mixture_bound_for_the_linear_link(share: sp.Rational = sp.S.One) -> Evidence:
    """For Gaussian rewards the coefficient is gamma/2, any lambda > 0, and it cannot be lowered.

    Completing the square gives the mix loss: log(1 + s)/2 plus a quadratic in e, which the loss at
    theta_{s+1} and the move dominate.  Left is w log(1 + s) <= gamma log(1 + ws/gamma), twice the tangent
    inequality x^w <= 1 + w(x - 1).  Near s = 0 both sides agree to first order for w = 1, here with
    gamma = 3/2, so no smaller coefficient will do.
    """
    # m = z^2/2; s = gamma |x|^2/g in H_s^-1, e = r - <x, theta_s>, y = <x, theta_{s+1} - theta_s>.
    z, z0, r, s, g = sp.symbols("z z0 r s g")
    centre = z0 + s * (r - z0) / (1 + s)
    square = symbolic.identity(
        (r * z - z**2 / 2) / g - (z - z0) ** 2 / (2 * s * g),
        -(1 + s) / (2 * s * g) * (z - centre) ** 2 + (r * z0 - z0**2 / 2 + s * (r - z0) ** 2 / (2 * (1 + s))) / g,
    )
    moves = implies(["s > 0", "w > 0", "w <= 1"], "e*y - y**2/2 - s*e**2/(2*(1 + s)) <= y**2/(2*s*w)")
    logarithms = ladder.inequality(f"log(1 + s) <= ({share})*3/2*log(1 + 2*s/3)", "s")
    return combine(square, moves, logarithms, power_below_tangent(sp.S.One))


# --- the determinant ----------------------------------------------------------------------------------------


@claim(
    "app:proof-cs/eq8",
    math=r"\frac{\det H_{t+1}}{\det H_1} \le \left( 1 + \sum_s \frac{L_\mu}{d \lambda g_s} \right)^d",
    reading="repaired",
    hypotheses=("|x_s| <= 1", "0 < w_s <= 1", "0 <= mu' <= L_mu on [-S, S]", "theta_{s+1} in Theta"),
    control=("L_mu multiplied by 1 - 10^-6", 1 - sp.Rational(1, 10**6)),
    facts=("spectrum",),
)
def determinant_bound_sharper(share: sp.Rational = sp.S.One) -> Evidence:
    """det H_{t+1}/det H_1 <= (1 + sum of L_mu/(d lambda g_s))^d: the printed sum may be divided by d.

    The trace starts at d lambda and a round adds (w/g) mu' |x|^2 <= L_mu/g to it.  The eigenvalues e_i have mean
    at most c = lambda + sum of L_mu/(d g_s), and log(e/c) <= e/c - 1 summed over i gives log det <= d log c.
    """
    mean = symbolic.identity(
        "(d*lam + L_mu*s)/(d*lam)", f"1 + ({GROWTH_RATE_REPAIRED})*s", variables=["d", "lam", "L_mu", "s"]
    )
    return combine(growth_of_the_hessian(share), mean, logarithm_below_its_tangent())


# --- the sharper theorem ------------------------------------------------------------------------------


@claim(
    "app:proof-cs",
    math=r"\beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{c \eta^2}{1 - \varepsilon} \log \frac{\det H_t}{\det H_1} "
    r"+ \lambda (S + \lVert \theta_1 \rVert)^2",
    reading="repaired",
    hypotheses=(
        NORMALISED,
        GROWTH,
        BUDGET,
        *SETTING,
        "0 < eps < 1 (eps = 0 if R_s = 0)",
        "lambda >= k eta R_s^2/(1 - eps)",
        "lambda >= min((2 eta alpha R_s S L_mu/eps)^2, 2 eta R_s S L_mu/(eps g_min))",
        "(k, c) = (1, 49/25), (4, 27/20) or (16, 29/25); c = 1 if R_s = 0",
    ),
    discharges=FIXED_BUDGET,
    control=("the coefficient multiplied by 1 - 10^-6", 1 - sp.Rational(1, 10**6)),
    uses=(
        "inverse_regret_sharper",
        "inverse_regret_expansion",
        "mixture_confidence",
        "mixture_bound_sharper",
        "mixture_bound_for_the_linear_link",
        "determinant_bound_sharper",
        "corruption_term",
        "radius_of_the_theorem",
    ),
)
def sharper_confidence_sequence(share: sp.Rational = sp.S.One) -> Evidence:
    """beta_t^2 = 2 eta log(1/delta) + c eta^2/(1 - eps) D_t + lambda (S + |theta_1|)^2 will do.

    D_t is log(det H_t/det H_1), at most d log(1 + sum of L_mu/(d lambda g_s)); the widening 2 eta alpha C
    stays.  The proof is the paper's, with the sharper lemmas.  For eps = 1/3, as in the paper, and k = 4,

        lambda = max(6 eta R_s^2, min(36 (eta alpha R_s S L_mu)^2, 6 eta R_s S L_mu/g_min))

    and the coefficient of D_t is (81/40) eta^2, against 14 d eta R_s^2 and 6 eta^2 + eta in print.  For
    R_s = 0 every lambda > 0 will do, and the coefficient is 1, against 7.
    """
    # gamma = eta/(1 - eps) cancels (1 - eps) V, and 2 eta times c gamma/2 is c eta^2/(1 - eps).
    return implies(
        ["eta >= 1", "eps >= 0", "eps < 1", "gamma*(1 - eps) == eta", "V >= 0", "D >= 0", "cgD == c*gamma*D",
         "Y <= ld", "2*gamma*Z <= V + gamma*cgD", "X2 <= 2*eta*(Y + Z + K) + B - (1 - eps)*V"],
        f"X2 <= 2*eta*ld + ({share})*eta*cgD + B + 2*eta*K",
    )  # fmt: skip


@claim(
    "app:proof-cs",
    math=r"\lambda = \max \left( 6 \eta R_s^2, 36 \eta^2 \alpha^2 R_s^2 S^2 L_\mu^2, \frac{d}{4 S^2} \right), \; "
    r"\beta_t^2 = 2 \eta \log \frac{1}{\delta} + \frac{81}{40} \eta^2 \log \frac{\det H_t}{\det H_1} + 4 \lambda S^2",
    reading="repaired",
    hypotheses=("eps = 1/3, k = 4 and c = 27/20", "|theta_1| <= S"),
    control=("D multiplied by 1 - 10^-6 in beta_t", 1 - sp.Rational(1, 10**6)),
)
def choice_of_the_constants(share: sp.Rational = sp.S.One) -> Evidence:
    """lambda and beta_t of the repaired learner meet the conditions of the sharper theorem, with eps = 1/3, k = 4.

    The learner does not know g_min, so of the two bounds on lambda it takes the one with alpha; d/(4 S^2)
    keeps lambda positive when R_s = 0 and is not used otherwise.
    """
    chosen = [f"eps == {MOVES_SPENT}", f"k == {MIXTURE_CHOICE}", f"c == {MIXTURE_PAIRS[MIXTURE_CHOICE]}"]
    facts = [*chosen, "d >= 1", "eta >= 1", "R_s >= 0", "S > 0", "alpha > 0", "L_mu > 0", f"lam >= {lam(use=REPAIRED)}"]
    radius = beta_squared(D=f"({share})*D", use=REPAIRED)
    # |theta_1| <= S, so that (S + |theta_1|)^2 = e2 <= 4 S^2; and coefficient (1 - eps) = c eta^2.
    start = [*chosen, "eta >= 1", "D >= 0", "lam > 0", "e2 <= 4*S**2", "coefficient*(1 - eps) == c*eta**2"]
    return combine(
        implies(facts, "(1 - eps)*lam >= k*eta*R_s**2"),
        implies(facts, "eps**2*lam >= (2*eta*alpha*R_s*S*L_mu)**2"),
        implies(start, f"2*eta*ld + coefficient*D + lam*e2 <= {radius}"),
    )
