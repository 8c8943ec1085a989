"""Appendix C, the end: the explicit bound, what its terms are worth, and theorem:regret.

The repaired bound.  With P = (1 + alpha L/(2 sqrt(lambda))) d log(1 + (L/(d lambda)) sum w_t/g_t),
F = d (kappa/(sqrt(lambda) alpha) + 1/(2 lambda)) log(1 + T alpha/(d kappa sqrt(lambda))), r and q the radii
of C_T and C_{T+1}, V = sum g_t mu'(z*_t) and B = g_max R_s, on the event of the confidence sequence

    Reg <= gamma_1 sqrt(V + B Reg) + gamma_2 + gamma_3 + gamma_4,   so
    Reg <= gamma_1 sqrt(V) + gamma_1 sqrt(B D) + B gamma_1^2 + D,   D = gamma_2 + gamma_3 + gamma_4,
    gamma_1 = 2 r sqrt(P), gamma_2 = 2 r P/alpha, gamma_3 = 4 R_s L q^2 kappa g_max P,
    gamma_4 = 4 R_s L q^2 F.

In orders, d sqrt(V) + d^2 g_max kappa + d kappa max(C, 1): no g_min, and no g_max beside C.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from glbcheck.core import constants
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, nonnegative

from .regret_decomposition import NEAR
from .unprinted import COMPACT, CURVED

# --- the explicit inequality ------------------------------------------------------------------------------


@claim(
    "lemma:decomposition/eq6",
    "lemma:decomposition/eq7",
    math=r"\operatorname{Reg} \le \gamma_1 \sqrt{V + g_{\max} R_s \operatorname{Reg}} + \gamma_2 + \gamma_3 + "
    r"\gamma_4 \text{ with the printed } \gamma_1, \dots, \gamma_4",
    hypotheses=("theta* in every C_t", "eta, lambda, alpha = sqrt(d)/max(C, 1) as prescribed"),
    expected="refuted",
    control=("the same round with S = 1", 1),
    severity="constant",
    consequence="wrong for lambda < 1/8 (nearly linear links, S^2 > 2d); the repair has the same order",
    carries=("linear_regret", "regret_theorem"),
)
def explicit_inequality(S: int = 100) -> Evidence:
    """The printed gamma_1 sqrt(V + B Reg) + gamma_2 + gamma_3 + gamma_4 bounds the regret: false for large S.

    Gaussian rewards, d = T = 1, S = 100, C = 0: the learner pulls +1 or -1 in ignorance, and theta* = -+100
    makes that cost 2S = 200, against 151.  theta* is in C_1, and gamma_3 = gamma_4 = 0 as R_s = 0.
    """
    # The printed inequality for T = d = 1, Gaussian rewards, C = 0, delta = 1/2, arms +-1, theta_1 = 0.
    return fails(
        ("0 < delta", "delta < 1", "g > 0", "S > 0", "S*sqrt(lam) <= radius"),
        "2*S <= gamma_1*sqrt(g) + gamma_2",
        {
            "lam": "1/(4*S**2)",
            "radius": "sqrt(2*log(1/delta) + 4*lam*S**2)",
            "ell": "log(1 + 1/(g*lam))",
            "gamma_1": "2*radius*sqrt(2*(1 + 1/g)*ell)",
            "gamma_2": "4*g*(1 + 1/g)*radius*ell",
        },
        at={"S": S, "g": 1, "delta": Fraction(1, 2)},
    )


@claim(
    "lemma:decomposition/eq6",
    "lemma:decomposition/eq7",
    math=r"\operatorname{Reg} \le \gamma_1 \sqrt{V + g_{\max} R_s \operatorname{Reg}} + \gamma_2 + \gamma_3 + "
    r"\gamma_4, \; \gamma_1 = 2 r \sqrt{P}, \; \gamma_2 = \frac{2 r P}{\alpha}, \; \gamma_3 = 4 R_s L_\mu q^2 \kappa "
    r"g_{\max} P, \; \gamma_4 = 4 R_s L_\mu q^2 F",
    reading="repaired",
    hypotheses=("theta* in every C_t up to t = T + 1", COMPACT, CURVED),
    control=("4 - 10^-6 in gamma_3 and gamma_4", 4 - NEAR),
    uses=(
        "decomposition_sharp",
        "leading_sum_by_cauchy_schwarz",
        "variance_along_the_run",
        "potential_bound_repaired",
        "first_sum_repaired",
        "second_sum_repaired",
        "third_sum_repaired",
    ),
    facts=("compact-maximum",),
)
def explicit_inequality_repaired(second: sp.Rational = sp.S(4)) -> Evidence:
    """Reg <= gamma_1 sqrt(V + B Reg) + gamma_2 + gamma_3 + gamma_4, with V = sum g_t mu'(z*_t) and B = g_max R_s.

    P = (1 + alpha L/(2 sqrt(lambda))) d log(1 + (L/(d lambda)) sum w_t/g_t) and
    F = d (kappa/(sqrt(lambda) alpha) + 1/(2 lambda)) log(1 + T alpha/(d kappa sqrt(lambda))); r and q are the radii
    of C_T and C_{T+1}; gamma_1 = 2 r sqrt(P), gamma_2 = 2 r P/alpha, gamma_3 = 4 R_s L q^2 kappa g_max P and
    gamma_4 = 4 R_s L q^2 F.
    S_0 <= sqrt(V + B Reg) sqrt(P), S_1 <= P/alpha, S_2 <= kappa g_max P and S_3 <= F in the decomposition.  A
    compact X_t has a best arm, and X_t x C_t a pair that maximises <x, theta>.
    """
    # The decomposition with each sum replaced by its bound; y = sqrt(V + B Reg), h = sqrt(P).
    first = implies(
        [*nonnegative("r", "h", "y"), "A > 0", "s0 <= h*y", "s1 <= h**2/A"], "2*r*(s0 + s1) <= 2*r*h*y + 2*r*h**2/A"
    )
    rest = implies(
        [*nonnegative("K", "q", "k", "G", "P", "F"), "s2 <= k*G*P", "s3 <= F"],
        f"4*K*q**2*(s2 + s3) <= ({second})*K*q**2*(k*G*P + F)",
    )
    return combine(first, rest)


# --- R_s = 0 ----------------------------------------------------------------------------------------------


@claim("lemma:decomposition/eq7", hypotheses=("R_s = 0",), control=("6d log(...) in beta^2", 6))
def constants_of_a_linear_link(logs: int = 7) -> Evidence:
    """R_s = 0: eta = 1, lambda = d/(4S^2), gamma_3 = gamma_4 = 0, beta_T^2 = 2 log(1/delta) + 7d log(..) + d.

    So beta_T is of order sqrt(d log), with log(1/delta) and log(1/g_min) in the logarithm; S is not in it.
    """
    # eta, beta^2 and 4 lambda S^2 from the constants as the code computes them, at R_s = 0.
    d, S, L, delta, total = sp.symbols("d S L delta total", positive=True)
    lam = d / (4 * S**2)
    beta = constants.beta(d, S, delta, constants.eta(sp.S.Zero, S), lam, L, total)
    expected = f"-2*log(delta) + {logs}*d*log(1 + L*total/(d/(4*S**2))) + d"
    names = ["d", "S", "L", "delta", "total"]
    return combine(
        implies(["R == 0"], f"{constants.eta(sp.Symbol('R'), S)} == 1"),
        symbolic.identity(sp.expand(beta**2), expected, variables=names),
        implies(["S > 0", "d >= 1"], "max(0, d/(4*S**2)) == d/(4*S**2)"),
    )


@claim(
    "lemma:decomposition/eq7",
    math=r"R_s = 0 \Longrightarrow \kappa = 1",
    hypotheses=("mu'' = 0 on [-S, S]",),
    expected="refuted",
    control=("mu' = 1", 1),
    severity="slip",
    consequence="kappa = 1/mu' for a linear link; it enters gamma_3 and gamma_4 only, which vanish",
    carries=("linear_regret",),
)
def kappa_of_a_linear_link(c: int = 2) -> Evidence:
    """R_s = 0 gives kappa = 1: only for slope 1.  mu(z) = 2z has kappa = 1/2."""
    return fails(("c > 0",), "kappa == 1", {"kappa": "1/c"}, at={"c": c})


# --- solving for the regret -----------------------------------------------------------------------------


def solved(root: sp.Rational, factor: sp.Rational) -> Evidence:
    """From y^2 = V + Bx and x <= Gy + D: y <= BG + sqrt(V + BD), then x, with factors on the two roots."""
    quadratic = implies(
        [*nonnegative("x", "y", "G", "V", "B", "D"), "y**2 == V + B*x", "x <= G*y + D"], "y**2 <= B*G*y + V + B*D"
    )
    back = implies(
        [*nonnegative("G", "B", "D", "P", "Q", "W"), "x <= G*y + D", "y <= B*G + W", "W <= P + Q"],
        f"x <= B*G**2 + ({factor})*G*P + ({factor})*G*Q + D",
    )
    split = implies(nonnegative("V", "U"), "sqrt(V + U) <= sqrt(V) + sqrt(U)")
    solved = implies(["X >= 0", "a >= 0", "b >= 0", "X**2 <= a*X + b"], f"X <= a + ({root})*sqrt(b)")
    return combine(quadratic, solved, split, back)


@claim(
    "lemma:decomposition/eq10",
    hypotheses=("the inequality for Reg", "the undefined R read as R_s"),
    control=("factors 1 - 10^-6 in place of 2", lambda: solved(sp.S.One, 1 - NEAR)),
    uses=("quadratic_inequality",),
)
def regret_solved() -> Evidence:
    """Reg <= 2 gamma_1 sqrt(V) + 2 gamma_1 sqrt(B D) + B gamma_1^2 + D: true, and the 2s are not needed."""
    return solved(sp.S.One, sp.S(2))


@claim(
    "lemma:decomposition/eq10",
    math=r"x \le G \sqrt{V + B x} + D \Longrightarrow x \le G \sqrt{V} + G \sqrt{B D} + B G^2 + D",
    reading="repaired",
    hypotheses=("x <= G sqrt(V + Bx) + D, all non-negative",),
    control=("factors 1 - 10^-6", lambda: solved(sp.S.One, 1 - NEAR)),
    uses=("quadratic_inequality",),
)
def regret_solved_sharp() -> Evidence:
    """x <= G sqrt(V + Bx) + D implies x <= G sqrt(V) + G sqrt(BD) + BG^2 + D; all constants are sharp.

    For V = D = 0 the solution is BG^2; for V -> oo it is G sqrt(V) to first order; for V = 0, D -> oo it is
    D + G sqrt(BD) + ...
    """
    return solved(sp.S.One, sp.S.One)


@claim(
    "lemma:decomposition/eq10",
    math=r"\lambda(R_s) = \lambda(\max(R_s, 1))",
    hypotheses=("0 < R_s <= 1, S = d = 1, alpha small",),
    expected="refuted",
    control=("R_s = 1", Fraction(1)),
    severity="slip",
    consequence="enlarging R_s is a different algorithm (eta, lambda, beta); the orders do not need R_s > 1",
    carries=("regret_theorem",),
)
def larger_concordance_constant(R: Fraction = Fraction(1, 10)) -> Evidence:
    """R_s > 1 without loss of generality: a larger R_s is allowed, but it changes the algorithm analysed.

    lambda for R_s = 1/10 is 1/4, for R_s = 1 it is 28.
    """
    return fails(
        ("R > 0", "R <= 1"),
        "max(14*(1 + R)*R**2, 1/4) == max(14*(1 + larger)*larger**2, 1/4)",
        {"larger": "max(R, 1)"},
        at={"R": R},
    )
