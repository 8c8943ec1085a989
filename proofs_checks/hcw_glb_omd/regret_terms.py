"""lemma:decomposition/eq8, eq9, eq11: the printed orders of gamma_1, ..., gamma_4 and of the regret for R_s = 0."""

from __future__ import annotations

from fractions import Fraction

from glbcheck.verify.writing import Evidence, claim, fails

LOGS = "log(T/(g*delta))"
# Every round with the same dispersion g; K and the fourth power of a logarithm are more than any O hides.
AT_C_ZERO = {"T": 10, "delta": Fraction(1, 20), "K": 10**6, "C": 0}
GAUSSIAN = {"d": 1, "S": 1, "g": Fraction(1, 10**40), **AT_C_ZERO}


def linear_terms(conclusion: str, **changes: int | Fraction) -> Evidence:
    """The printed gamma_1 and gamma_2 for Gaussian rewards, against K ell^4 times an order."""
    return fails(
        ("g > 0", "T >= 2", "0 < delta", "delta < 1", "C >= 0"),
        conclusion,
        {
            "ell": LOGS,
            "alpha": "sqrt(d)/max(C, 1)",
            "lam": "d/(4*S**2)",
            "radius": "sqrt(2*log(1/delta) + 7*d*log(1 + (T - 1)/(lam*g)) + d) + 2*alpha*C",
            "growth": "log(1 + T/(d*g*lam))",
            "gamma_1": "2*radius*sqrt(2*d*(1 + 1/g)*growth)",
            "gamma_2": "4*d*g*(1 + 1/g)/alpha*radius*growth",
        },
        at={**GAUSSIAN, **changes},
    )


@claim(
    "lemma:decomposition/eq8",
    "lemma:decomposition/eq11",
    math=r"\gamma_1 = O(d \log T)",
    hypotheses=("the printed gamma_1", "dispersions bounded by 1, otherwise free"),
    expected="refuted",
    control=("the same with g = 1", lambda: linear_terms("gamma_1 <= K*ell**4*d", g=Fraction(1))),
    severity="substance",
    consequence="as printed the leading term has sqrt(1 + L/g_min); the weights remove it (see the repair)",
    carries=("linear_regret", "regret_theorem"),
)
def order_of_gamma_1() -> Evidence:
    """gamma_1 = O(d log T): hides sqrt(1 + L/g_min), a power of the smallest dispersion."""
    return linear_terms("gamma_1 <= K*ell**4*d")


@claim(
    "lemma:decomposition/eq8",
    "lemma:decomposition/eq11",
    math=r"\gamma_2 = O(d g_{\max} \max(C, 1) \log^{3/2} T)",
    hypotheses=("the printed gamma_2",),
    expected="refuted",
    control=("the order d max(C, 1)", lambda: linear_terms("gamma_2 <= K*ell**4*d*max(C, 1)")),
    severity="substance",
    consequence="gamma_2 is of order d max(C, 1)(g_max + L g_max/g_min), not d g_max max(C, 1)",
    carries=("linear_regret", "regret_theorem"),
)
def order_of_gamma_2() -> Evidence:
    """gamma_2 = O(d g_max max(C, 1) log^{3/2} T): hides L g_max/g_min, which does not vanish with g_max."""
    return linear_terms("gamma_2 <= K*ell**4*d*g*max(C, 1)")


def poisson_terms(conclusion: str, **changes: int | Fraction) -> Evidence:
    """Printed gamma_3, gamma_4 and repaired gamma_1 for g Poisson(e^z/g): R_s = 1, L = kappa = e^S."""
    return fails(
        ("g > 0", "T >= 2", "0 < delta", "delta < 1", "C >= 0", "S > 0"),
        conclusion,
        {
            "ell": LOGS,
            "L": "exp(S)",
            "kappa": "exp(S)",
            "eta": "1 + S",
            "alpha": "sqrt(d)/max(C, 1)",
            "lam": "max(14*d*eta, 36*eta**2*alpha**2*S**2*L**2, d/(4*S**2))",
            "beta2": "2*eta*log(1/delta) + d*(6*eta**2 + eta)*log(1 + T*L/(lam*g)) + 4*lam*S**2",
            "radius2": "(sqrt(beta2) + 2*eta*alpha*C)**2",
            "potential": "(1 + alpha*L/(2*sqrt(lam)))*d*log(1 + T*L/(d*g*lam))",
            "gamma_1_repaired": "2*sqrt(radius2*potential)",
            "gamma_3": "12*d*L*(kappa*g + 1)*radius2*log(1 + T/(d*kappa*g*lam))",
            "gamma_4": "12*d*L*(kappa/(sqrt(lam)*alpha) + 1)*radius2*log(1 + T*alpha/(d*kappa*sqrt(lam)))",
        },
        at={"d": 1, "S": 1, "g": 1, **AT_C_ZERO, **changes},
    )


@claim(
    "lemma:decomposition/eq11",
    math=r"\gamma_3 = O(d^2 g_{\max} \kappa \log^2 T)",
    hypotheses=("the printed gamma_3",),
    expected="refuted",
    control=("the same with g = 1", lambda: poisson_terms("gamma_3 <= K*ell**4*d**2*g*kappa")),
    severity="substance",
    consequence="as printed gamma_3 carries d^2 g_max/g_min; the weights remove it (repaired bound)",
    carries=("regret_theorem",),
)
def order_of_gamma_3() -> Evidence:
    """gamma_3 = O(d^2 g_max kappa log^2 T): hides d^2 g_max/g_min, which is larger when g_min < 1/kappa."""
    return poisson_terms("gamma_3 <= K*ell**4*d**2*g*kappa", g=Fraction(1, 10**40))


WIDE = {"d": 10**40, "T": 10**80}


@claim(
    "lemma:decomposition/eq11",
    math=r"\gamma_4 = O(d \kappa \max(C, 1) \log^2 T)",
    hypotheses=("the printed gamma_4",),
    expected="refuted",
    control=("with d^2 added", lambda: poisson_terms("gamma_4 <= K*ell**4*(d*kappa*max(C, 1) + d**2)", **WIDE)),
    severity="constant",
    consequence="the +1 in gamma_4 costs d^2; with 1/(2 lambda) in its place the printed order is right",
    carries=("regret_theorem",),
)
def order_of_gamma_4() -> Evidence:
    """gamma_4 = O(d kappa max(C, 1) (log T)^2): hides a term d^2 log^2, more than d kappa for d large."""
    return poisson_terms("gamma_4 <= K*ell**4*d*kappa*max(C, 1)", **WIDE)


@claim(
    "lemma:decomposition/eq9",
    math=r"\operatorname{Reg} = O(d \log T \sqrt{V} + d g_{\max} \max(C, 1) \log^{3/2} T) \text{ for } R_s = 0",
    hypotheses=("R_s = 0",),
    expected="refuted",
    control=("d max(C, 1) without g_max", lambda: linear_terms("2*S <= K*ell**4*(d*sqrt(T*g) + d*max(C, 1))")),
    severity="substance",
    consequence="for R_s = 0 the corruption term is d max(C, 1) whatever g_max, as the lower bound demands",
    carries=("regret_theorem",),
)
def linear_regret() -> Evidence:
    """For R_s = 0, Reg = O(d log T sqrt(V) + d g_max max(C, 1) (log T)^{3/2}): false as g_max -> 0.

    Gaussian rewards, d = 1, S = 1, arms +-1.  Whatever arm the learner pulls first, one of theta* = +-1
    makes it cost 2S = 2; but sqrt(g) log^p(1/g) and g log^p(1/g) tend to 0.
    """
    return linear_terms("2*S <= K*ell**4*(d*sqrt(T*g) + d*g*max(C, 1))")
