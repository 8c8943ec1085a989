"""lemma:decomposition/eq5: the potential of the weighted rounds, which the elliptical sums rest on.

Notation of one round: n the norm of x_t in H_t^-1, p = mu'(<x_t, theta_{t+1}>) between 1/kappa and L,
w = min(1, alpha g/n), and u = (w/g) p n^2, so that det H_{t+1} = (1 + u) det H_t.

Two observations repair everything.  The printed lemma:epl holds for lambda >= 1/8 and fails below 1/9; and
the weights cap every term, u <= alpha p n <= alpha L/sqrt(lambda), so the smallest dispersion enters through
logarithms alone.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, states

from .elliptical_potential import potential_against_logarithm
from .regret_decomposition import NEAR

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


@claim(
    "lemma:decomposition/eq5",
    math=r"\sum_t \frac{w_t}{g_t} \mu'(\langle x_t, \theta_{t+1} \rangle) \lVert x_t \rVert_{H_t^{-1}}^2 \le 2 d "
    r"\left( 1 + \frac{L_\mu}{g_{\min}} \right) \log \left( 1 + \frac{L_\mu T}{d g_{\min} \lambda} \right)",
    hypotheses=("H_1 = lambda I", "w_t = min(1, alpha g_t/n_t)"),
    expected="refuted",
    control=("the same round with S = 1, so lambda = 1/4", lambda: one_round("potential", True, S=1, g=3)),
    severity="constant",
    consequence="only for lambda < 1/8, that is nearly linear links with S^2 > 2d; see the repaired bound",
    carries=("explicit_inequality",),
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
    facts=("loewner-order",),
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


states(
    "n > 0, g > 0, alpha > 0, p >= 0, p <= L, lam > 0, n**2 <= 1/lam, w > 0, w <= 1, w <= alpha*g/n "
    "=> w/g*p*n**2 <= alpha*p*n, alpha*p*n <= alpha*L/sqrt(lam)",
    "lemma:decomposition/eq5",
    id="weights_cap_the_terms",
    reading="repaired",
    control=("alpha*L/sqrt(lam)", "alpha*L/sqrt(lam)*(1 - 10**-6)"),
    why="One round: n is the norm of x in the inverse of H >= lam I with |x| <= 1, p a slope of the link, w = min(1, "
    "alpha g/n) its weight.  The bound holds for w = 1 as for w < 1, whatever the dispersion.",
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
    facts=("determinant-lemma", "spectrum"),
)
def potential_bound_repaired(share: sp.Rational = sp.S.Half) -> Evidence:
    """sum u_t <= (1 + alpha L/(2 sqrt(lambda))) d log(1 + (L/(d lambda)) sum w_t/g_t): no factor 1/g_min.

    u <= (1 + u/2) log(1 + u), u <= alpha L/sqrt(lambda), and the logarithms sum to log det H_{T+1}/lambda^d,
    which the trace of H_{T+1} bounds as in the elliptical potential lemma.  Finally w_t/g_t <= 1/g_min.
    """
    # u <= (1 + share cap) log(1 + u) for u <= cap: one step of the log-determinant pays for u.
    monotone = implies(["u >= 0", "u <= cap", "l >= 0", f"u <= (1 + ({share})*u)*l"], f"u <= (1 + ({share})*cap)*l")
    return combine(potential_against_logarithm(share), monotone)
