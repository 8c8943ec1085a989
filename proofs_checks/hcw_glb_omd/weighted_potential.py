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
from glbcheck.core.theory import constants
from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, refuted, states, text_of

from .elliptical_potential import potential_against_logarithm
from .quantities import WEIGHT, of_setting
from .regret_decomposition import NEAR
from .setting import normal_rewards

# One round of the algorithm from its definitions, in dimension d with the linear link mu(z) = L z, for which
# R_s = 0, eta = 1 and kappa = 1/L; normal rewards of variance g L have it for every g.  x has norm 1, C = 0.
ONE_ROUND = {
    "R": "0",
    "C": "0",
    "kappa": "1/L",
    "alpha": "sqrt(d)/max(C, 1)",
    "lam": "max(14*d*R**2, 36*alpha**2*R**2*S**2*L**2, d/(4*S**2))",
    "n": "1/sqrt(lam)",
    "w": WEIGHT,
    "u": "w/g*L*n**2",
}
ROUND = {"T": "1", "R_s": "0", "L_mu": "L", "g_min": "g", "g_max": "g"}
SUMS = {name: of_setting(getattr(constants, name), **ROUND) for name in ("S_1", "S_2", "S_3")}
PRINTED = {
    "potential": f"u <= {text_of(constants.elliptical_potential, 'd', 'L/g', 'lam', '1')}",
    "S_1": f"L*n <= {SUMS['S_1']}",
    "S_1 without g_max": f"L*n <= ({SUMS['S_1']})/g",
    "S_2": f"n**2 <= {SUMS['S_2']}",
    "S_3": f"n**2 <= {SUMS['S_3']}",
}
UNIT_SLOPE = {"d": 1, "L": 1}
# lambda = 1, where lemma:epl holds as printed; w = 3/5.
FLAT: dict[str, int | Fraction] = {"d": 9, "S": Fraction(3, 2), "L": Fraction(1, 100), "g": Fraction(1, 5)}


def one_round(bound: str, trusted: bool, **values: int | Fraction) -> Evidence:
    """A printed bound after T = 1 round, at exact parameters; `trusted` says whether w = 1 or w < 1."""
    witness = fails(
        ("d >= 1", "S > 0", "g > 0", "L > 0", "alpha*g > n" if trusted else "alpha*g < n"),
        PRINTED[bound],
        ONE_ROUND,
        at={**UNIT_SLOPE, **values},
    )
    return refuted(witness, normal_rewards())


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
def printed_potential_for_large_lambda(least: sp.Rational = sp.Rational(1, 8)) -> Evidence:
    """With lambda >= 1/8 the printed lemma holds as it stands, and with it its uses, but for the g_max of S_1.

    As lambda u <= X^2, one term is u <= 2(1 + lambda u) log(1 + u) <= 2(1 + X^2) log(1 + u).  It is
    enough that 14 d eta R_s^2 >= 1/8 or S^2 <= 2d.
    """
    # log(1 + u) >= u/(2(1 + least u)): rising up to 3, falling (read backwards) to 13, rising again.
    backwards = f"log(14 - v) >= (13 - v)/(2 + ({2 * least})*(13 - v))"
    forwards = f"log(1 + u) >= u/(2 + ({2 * least})*u)"
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
    # l = log(1 + (L/(d lambda)) sum w/g), so that the sum is d lambda (e^l - 1)/L, and log det H_{T+1}/lambda^d <= d l.
    bound = text_of(constants.potential_repaired, "d", "alpha", "lam", "L_mu", "d*lam*(exp(l) - 1)/L_mu")
    facts = ["d >= 1", "lam > 0", "alpha > 0", "L_mu > 0", "logdet <= d*l"]
    summed = implies([*facts, "total <= (1 + alpha*L_mu/sqrt(lam)/2)*logdet"], f"total <= {bound}")
    return combine(potential_against_logarithm(share), monotone, summed)
