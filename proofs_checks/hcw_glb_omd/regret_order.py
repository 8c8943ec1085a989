"""theorem:regret in orders: what the repaired bound gives, and the places where the bound is stated.

M = max(C, 1), alpha = sqrt(d)/M; ell >= 1 is at least log(1/delta) and every logarithm of the bound.
Constants: c_0 = max(14 eta R_s^2, 1/(4S^2)), c_1 = max(c_0, 36 eta^2 R_s^2 S^2 L^2),
rho = sqrt(3 eta + 6 eta^2 + 4 c_1 S^2) + 2 eta and e = 1 + L/(2 sqrt(c_0)).  P and F are the potentials of
`regret_bound`.  Below D = sqrt(d), m = sqrt(ell), c = sqrt(c_0), s = sqrt(lambda).
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import constants
from glbcheck.verify.wording import parts
from glbcheck.verify.writing import Evidence, claim, combine, fails, implies, nonnegative, refuted, text_of

from .quantities import ALPHA, beta_squared, lam
from .regret_decomposition import NEAR
from .regret_terms import linear_terms, poisson_terms, vanishing_bound
from .setting import scaled_counts
from .unprinted import BUDGET, COMPACT, CURVED, NORMALISED

PARAMETERS = ["S > 0", "eta >= 1", "R_s >= 0", "L_mu > 0", "d >= 1", "alpha > 0"]
# c_1 and c_0 are lambda in dimension 1, for the largest alpha and without its part that contains alpha.
LARGEST, SMALLEST = lam(d="1", alpha="1"), lam(d="1", alpha="0")


def above(maximum: str) -> list[str]:
    """c is at least each part of the maximum."""
    return [f"c >= {part}" for part in parts(maximum.removeprefix("Max(").removesuffix(")"))]


@claim(
    "lemma:decomposition/eq8",
    "lemma:decomposition/eq11",
    math=r"c_0 d \le \lambda \le c_1 d, \quad r_T \le r_{T+1} \le \rho \sqrt{d \ell}",
    reading="repaired",
    hypotheses=("alpha = sqrt(d)/max(C, 1)", "ell >= 1 and at least every logarithm"),
    control=("rho^2 - 4 eta^2 multiplied by 1 - 10^-6", 1 - NEAR),
)
def order_of_the_radius(share: sp.Rational = sp.S.One) -> Evidence:
    """c_0 d <= lambda <= c_1 d and r_T <= r_{T+1} <= rho sqrt(d ell), whatever C and the dispersions.

    For the logistic link rho grows like S^3; for Poisson like S^3 e^S, because c_1 holds L^2: see
    `leading_constant`.
    """
    # lambda between c_0 d and c_1 d, the three parts of beta^2, and 2 eta alpha C <= 2 eta D.
    largest = implies([*PARAMETERS, "alpha**2 <= d", *above(LARGEST)], f"{lam()} <= c*d")
    smallest = implies([*PARAMETERS, f"c == {SMALLEST}"], f"{lam()} >= c*d")
    # beta^2 for log(1/delta), D and lambda, against d l times what it is for 1, 1 and c.
    logs = ["d >= 1", "l >= 1", "ld <= l", "D <= d*l", "eta >= 1", "c > 0", "lam <= c*d"]
    squared = implies(logs, f"{beta_squared()} <= ({share})*({beta_squared('1', 'c', '1')})*d*l")
    widening = text_of(constants.widening, "eta", ALPHA, "C")
    corrupted = implies(["d >= 1", "C >= 0", "eta >= 1"], f"{widening} <= 2*eta*sqrt(d)")
    return combine(largest, smallest, squared, corrupted)


@claim(
    "lemma:decomposition/eq8",
    "lemma:decomposition/eq11",
    math=r"\gamma_1 = O(d \ell), \; \gamma_2 = O(d \max(C, 1) \ell^{3/2}), \; \gamma_3 = O(d^2 g_{\max} \kappa "
    r"\ell^2), \; \gamma_4 = O(d \kappa \max(C, 1) \ell^2)",
    reading="repaired",
    hypotheses=("the repaired gamma_1 .. gamma_4", "kappa L >= 1, as mu' lies between 1/kappa and L", COMPACT, CURVED),
    control=("(1 - 10^-6) in gamma_1", 1 - NEAR),
    uses=("order_of_the_radius", "explicit_inequality_repaired"),
)
def orders_of_the_terms(share: sp.Rational = sp.S.One) -> Evidence:
    """gamma_1 <= 2 rho sqrt(e) d ell, gamma_2 <= 2 rho e d M ell^{3/2}, and likewise gamma_3, gamma_4.

    gamma_3 <= 4 R_s L rho^2 e d^2 g_max kappa ell^2 and gamma_4 <= 4 R_s L rho^2 (1/c + L/(2c^2)) d kappa M
    ell^2, from q^2 <= rho^2 d ell and the bounds on P and F.  No g_min, no g_max beside C.
    """
    # P, gamma_1, gamma_2 and F with r <= rho D m, sqrt(lambda) = s >= c D, alpha = D/M.
    # F <= (kappa M/(s D) + 1/(2 s^2)) D^2 m^2 <= (kappa M/c + 1/(2c^2)) m^2 <= kappa M (1/c + L/(2c^2)) m^2.
    cap = implies(["D >= 1", "M >= 1", "c > 0", "L > 0", "s >= c*D"], "(D/M)*L/(2*s) <= L/(2*c)")
    gamma_1 = implies(
        [*nonnegative("r", "h", "rho", "D", "m", "e"), "r <= rho*D*m", "h <= e*D*m"],
        f"2*r*h <= ({2 * share})*rho*e*D**2*m**2",
    )
    gamma_2 = implies(
        [*nonnegative("r", "P", "rho", "m", "e"), "D >= 1", "M >= 1", "r <= rho*D*m", "P <= e*D**2*m**2"],
        "2*r*P/(D/M) <= 2*rho*e*D**2*m**3*M",
    )
    first = implies(["D >= 1", "c > 0", "s >= c*D"], "D/s <= 1/c")
    second = implies(["D >= 1", "c > 0", "s >= c*D"], "D**2/s**2 <= 1/c**2")
    below_kappa = implies(["k > 0", "L > 0", "k*L >= 1", "M >= 1"], "1 <= k*L*M")
    return combine(cap, gamma_1, gamma_2, first, second, below_kappa)


@claim(
    "eq:first-regret-bound",
    math=r"\operatorname{Reg} \le 2 \rho \sqrt{e} \, \ell d \sqrt{V} + 12 R_s L_\mu \rho^2 e \, \ell^2 d^2 g_{\max} "
    r"\kappa + c_4 \ell^2 d \kappa \max(C, 1)",
    reading="repaired",
    hypotheses=(
        "theta* in every C_t up to t = T + 1",
        "eta and lambda as printed, alpha = sqrt(d)/max(C, 1)",
        COMPACT,
        CURVED,
    ),
    control=("gamma_1 sqrt(BD) times 1 + 10^-6", 1 + NEAR),
    uses=("orders_of_the_terms", "regret_solved_sharp"),
)
def first_regret_bound(share: sp.Rational = sp.S.One) -> Evidence:
    """Reg <= 2 rho sqrt(e) ell d sqrt(V) + 12 R_s L rho^2 e ell^2 d^2 g_max kappa + c_4 ell^2 d kappa M.

    c_4 = 3 rho e L + 6 R_s L rho^2 (1/c + L/(2c^2)).  The bound printed at the end of the appendix is this one
    with its constants hidden, for R_s = 0 as well (without its second term); the printed sums do not give it.
    """
    # gamma_1 sqrt(BD) <= (B gamma_1^2 + D)/2; kappa L >= 1 then puts B gamma_1^2 and gamma_2 under kappa.
    mean = implies(nonnegative("G", "B", "D"), f"({share})*G*sqrt(B*D) <= (B*G**2 + D)/2")
    squared = implies([*nonnegative("R", "g", "rho", "e", "L"), "k*L >= 1"], "R*g*4*rho**2*e <= 4*R*L*rho**2*e*k*g")
    second = implies(
        [*nonnegative("rho", "e", "L"), "m >= 1", "M >= 1", "k*L >= 1"], "2*rho*e*m**3*M <= 2*rho*e*L*k*m**4*M"
    )
    return combine(mean, squared, second)


FIRST_BOUND = "d*s + d**2*g*kappa + d*kappa*max(C, 1)"


@claim(
    "eq:first-regret-bound",
    "theorem:regret/eq1",
    math=r"d g_{\max} C = \tilde{O}(d \sqrt{V} + d^2 g_{\max} \kappa + d \kappa \max(C, 1))",
    hypotheses=("the printed order of gamma_2", "kappa and d fixed"),
    expected="refuted",
    control=("with d g_max C added", f"{FIRST_BOUND} + d*g*C"),
    severity="slip",
    consequence="theorem and appendix differ; with gamma_2 repaired the appendix's bound is right and better",
    carries=("regret_theorem",),
)
def theorem_and_appendix_agree(by: str = FIRST_BOUND) -> Evidence:
    """The theorem's d g_max C is within the appendix's d sqrt(V) + d^2 g_max kappa + d kappa max(C, 1): false.

    Rewards g Poisson(e^z/g), d = S = 1, g = h^2, T = h^8, C = h^4: it is at least h/8 times the appendix's bound.
    """
    # The printed term d g_max C against K log(T)^4 times a bound without it; slopes are at most L = kappa = e.
    witness = fails(
        ("h >= 1", "K >= 1"),
        f"d*g*C <= K*log(T)**4*({by})",
        {"d": "1", "kappa": "exp(1)", "g": "h**2", "T": "h**8", "C": "h**4", "s": "sqrt(T*g*kappa)"},
        at={"h": 10**20, "K": 1000},
    )
    every = implies(
        ["h >= 1", "d == 1", "kappa >= 1", "kappa <= 3", "g == h**2", "C == h**4", "s > 0", "s**2 <= 3*h**10"],
        "d*g*C >= h/8*(d*s + d**2*g*kappa + d*kappa*C)",
    )
    return refuted(witness, every, scaled_counts())


# --- the theorem ------------------------------------------------------------------------------------------

STATED = "2*S <= K*ell**4*(d*sqrt(T*g) + d**2*g + d*(g + 1)*{C})"


@claim(
    "theorem:regret",
    "theorem:regret/eq1",
    "sec:intro/eq1",
    math=r"\operatorname{Reg}(T) = \tilde{O}(d \sqrt{V} + d^2 g_{\max} \kappa + d (g_{\max} + \kappa) C), \; V = "
    r"\sum_t g_t \mu'_{t,\star}",
    hypotheses=("C = 0",),
    expected="refuted",
    control=("max(C, 1) in place of C", lambda: linear_terms(STATED.format(C="max(C, 1)"))),
    coq="HCW.PrintedRegret.regret_theorem_false",
    severity="substance",
    consequence="C must be read as max(C, 1), as in the appendix: a term d kappa remains without corruption, and no "
    "constant or power of log T makes up for it where dispersions are small",
    carries=("row_of_the_paper", "linear_bound_matches", "subsumes_or_improves", "tight_up_to_kappa"),
)
def regret_theorem() -> Evidence:
    """Reg = d sqrt(V) + d^2 g_max kappa + d (g_max + kappa) C up to logarithms: false at C = 0 as g_max -> 0.

    The first pull is made in ignorance: Gaussian rewards, d = 1, S = 1, arms +-1 and kappa = 1, so regret at
    least 2 for one of theta* = +-1, against a bound that is at most 2/T, up to logarithms, for g = T^-4.
    Introduction, abstract and conclusion state the same formula.
    """
    return refuted(linear_terms(STATED.format(C="C")), vanishing_bound("d*s + d**2*g + d*(g + 1)*C"))


@claim(
    "theorem:regret",
    "theorem:regret/eq1",
    "sec:intro/eq1",
    "lemma:decomposition/eq9",
    math=r"\operatorname{Reg}(T) = \tilde{O}(d \sqrt{V} + d^2 g_{\max} \kappa + d \kappa \max(C, 1)), \; V = \sum_t "
    r"g_t \mu'_{t,\star}",
    reading="repaired",
    hypotheses=(
        NORMALISED,
        BUDGET,
        COMPACT,
        CURVED,
        "eta and lambda as printed, alpha = sqrt(d)/max(C, 1)",
        "with probability 1 - delta; S, R_s, L and logarithms hidden",
    ),
    control=("d g_max max(C, 1) alone", "d*g*M"),
    uses=("first_regret_bound", "confidence_sequence_on_the_interval"),
)
def regret_theorem_repaired(term: str = "d*(g + k)*M") -> Evidence:
    """Reg is of order d sqrt(V) + d^2 g_max kappa + d kappa max(C, 1), the last below d (g_max + kappa) max(C, 1).

    No power of g_min and no g_max in the corruption term; all hidden constants are in `first_regret_bound`.  Nothing is
    asked of the link beyond [-S, S]: with eta, lambda and beta_t as printed the confidence sequence holds for such
    links, and the regret is bounded on its event.
    """
    return implies(["d >= 1", "g > 0", "k > 0", "M >= 1"], f"d**2*g*k + d*k*M <= d**2*g*k + {term}")


# --- what the constants hide ------------------------------------------------------------------------------


LEADING = "min(gamma_1, gamma_1_repaired) <= K*ell**4*d*S**3"


@claim(
    "theorem:regret",
    "lemma:decomposition/eq11",
    math=r"\gamma_1 = \tilde{O}(d S^3) \text{ with a constant free of } \kappa",
    hypotheses=("Poisson rewards, L = kappa = e^S", "alpha = sqrt(d)/max(C, 1)", "S free"),
    expected="refuted",
    control=("S = 1", lambda: poisson_terms(LEADING, changes={"S": 1, "T": 10**60})),
    severity="substance",
    consequence="of order L = kappa for Poisson, in the term that is said to be free of kappa; alpha = sqrt(d)/(L "
    "max(C, 1)) removes it",
    carries=("row_of_the_paper",),
)
def leading_constant() -> Evidence:
    """The constant hidden in gamma_1 is free of kappa, that is polynomial in S: false for Poisson rewards.

    lambda >= 36 eta^2 alpha^2 R_s^2 S^2 L^2 puts L = e^S = kappa into beta_T >= 2 S sqrt(lambda) and so into
    the leading term, as printed and after all repairs: it is at least 24 S^3 L once log(1 + T L/lambda) >= 1, as it
    is for T = lambda, where log T is of the order S.  For the logistic link L = 1/4, and it grows like S^3.
    """
    # d = g = 1, C = 0; gamma_1 and its repair are at least 2 sqrt(beta^2 growth).
    every = implies(
        ["S >= 1", "eta == 1 + S", "L >= 1", "lam >= 36*eta**2*S**2*L**2", "beta2 >= 4*lam*S**2", "growth >= 1",
         "gamma_1 > 0", "gamma_1**2 >= 4*beta2*growth"],
        "gamma_1 >= 24*S**3*L",
        hints=["gamma_1**2 >= 16*lam*S**2", "gamma_1**2 >= 576*eta**2*S**4*L**2", "gamma_1 >= 24*eta*S**2*L"],
    )  # fmt: skip
    return refuted(poisson_terms(LEADING, changes={"S": 60, "T": 10**60}), every)


@claim(
    "theorem:regret",
    math=r"\alpha = \frac{\sqrt{d}}{L_\mu \max(C, 1)} \Longrightarrow \lambda \le d \max \left( 14 \eta R_s^2, 36 "
    r"\eta^2 R_s^2 S^2, \frac{1}{4 S^2} \right)",
    reading="repaired",
    hypotheses=("alpha = sqrt(d)/(L max(C, 1))", COMPACT, CURVED),
    control=("alpha^2 <= d only", "alpha**2 <= d"),
    uses=("orders_of_the_terms",),
)
def leading_constant_repaired(bound: str = "alpha**2*L_mu**2 <= d") -> Evidence:
    """alpha = sqrt(d)/(L max(C, 1)) gives lambda <= d max(14 eta R_s^2, 36 eta^2 R_s^2 S^2, 1/(4S^2)), free of L.

    Then so are beta_T, up to logarithms, and P <= (1 + 1/(2c)) d ell: the leading constant has no L.  The
    price is a factor L in gamma_2 and gamma_4, beside max(C, 1), where kappa already is.
    """
    # lambda with (alpha L)^2 <= d, against c d with c free of L.
    return implies([*PARAMETERS, bound, *above(lam(d="1", alpha="1", L_mu="1"))], f"{lam()} <= c*d")
