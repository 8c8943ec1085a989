"""lemma:decomposition/eq8, eq9, eq11: the printed orders of gamma_1, ..., gamma_4 and of the regret for R_s = 0.

An order hides constants and powers of logarithms, so each refutation is a sequence of instances, mostly with the
dispersion g = T^-4 in every round, along which the quantity over its order is at least a power of T.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy as sp
from glbcheck.core.theory import constants
from glbcheck.verify.writing import Evidence, claim, fails, implies, refuted, text_of

from .quantities import ALPHA, lam, of_setting
from .setting import scaled_counts

LOGS = "log(T/(g*delta))"
SHRINKING = "1/T**4"
# Every round with the same dispersion; one member of each sequence is compared with K ell^4 times the order.
AT_C_ZERO = {"T": 10**12, "delta": Fraction(1, 20), "K": 10**6, "C": 0}
CONSTANT_DISPERSION = {"g_min": "g", "g_max": "g"}


def radius(s: constants.Setting, inverse_g: sp.Expr) -> sp.Expr:
    """The radius of C_t, from the sum of 1/g before round t."""
    return s.radius(inverse_g)


def linear_terms(conclusion: str, dispersion: str = SHRINKING) -> Evidence:
    """The printed gamma_1 and gamma_2 for Gaussian rewards, against K ell^4 times an order."""
    linear = {**CONSTANT_DISPERSION, "R_s": "0", "L_mu": "1", "kappa": "1"}
    return fails(
        ("g > 0", "T >= 2", "0 < delta", "delta < 1", "C >= 0"),
        conclusion,
        {
            "g": dispersion,
            "ell": LOGS,
            "alpha": ALPHA,
            "lam": lam(eta="1", R_s="0", L_mu="1"),
            "radius": of_setting(radius, "(T - 1)/g", **linear),
            "gamma_1": of_setting(constants.gamma_1, "radius", **linear),
            "gamma_2": of_setting(constants.gamma_2, "radius", **linear),
        },
        at={"d": 1, "S": 1, **AT_C_ZERO},
    )


def along_the_sequence(hypotheses: Sequence[str], conclusion: str) -> Evidence:
    """For all T, with the dispersion T^-4."""
    return implies(["T >= 2", "g == 1/T**4", *hypotheses], conclusion)


@claim(
    "lemma:decomposition/eq8",
    "lemma:decomposition/eq11",
    math=r"\gamma_1 = O(d \log T)",
    hypotheses=("the printed gamma_1", "dispersions bounded by 1, otherwise free"),
    expected="refuted",
    control=("the same with g = 1", "1"),
    coq="HCW.PrintedOrders.gamma_1_order_false",
    severity="substance",
    consequence="as printed the leading term has sqrt(1 + L/g_min); the weights remove it (see the repair)",
    carries=("linear_regret", "regret_theorem"),
)
def order_of_gamma_1(dispersion: str = SHRINKING) -> Evidence:
    """gamma_1 = O(d log T): hides sqrt(1 + L/g_min), a power of the smallest dispersion.

    For Gaussian rewards with d = 1 and g = T^-4 it is at least T^2.
    """
    # The radius is at least sqrt(d) = 1, the logarithm at least 1; front is 8 radius^2 times the logarithm.
    every = along_the_sequence(["front >= 8", "gamma_1 > 0", "gamma_1**2 == front*(1 + 1/g)"], "gamma_1 >= T**2")
    return refuted(linear_terms("gamma_1 <= K*ell**4*d", dispersion), every)


@claim(
    "lemma:decomposition/eq8",
    "lemma:decomposition/eq11",
    math=r"\gamma_2 = O(d g_{\max} \max(C, 1) \log^{3/2} T)",
    hypotheses=("the printed gamma_2",),
    expected="refuted",
    control=("the order d max(C, 1)", lambda: linear_terms("gamma_2 <= K*ell**4*d*max(C, 1)")),
    coq="HCW.PrintedOrders.gamma_2_order_false",
    severity="substance",
    consequence="gamma_2 is of order d max(C, 1)(g_max + L g_max/g_min), not d g_max max(C, 1)",
    carries=("linear_regret", "regret_theorem"),
)
def order_of_gamma_2() -> Evidence:
    """gamma_2 = O(d g_max max(C, 1) log^{3/2} T): hides L g_max/g_min, which does not vanish with g_max.

    For Gaussian rewards with d = 1, C = 0 and g = T^-4 it is at least T^4 g.
    """
    every = along_the_sequence(["front >= 4", "gamma_2 == front*g*(1 + 1/g)"], "gamma_2 >= T**4*g")
    return refuted(linear_terms("gamma_2 <= K*ell**4*d*g*max(C, 1)"), every)


def vanishing_bound(bound: str) -> Evidence:
    """With g = T^-4, d = 1, C = 0 and s = sqrt(T g) = T^(-3/2) the bound is at most 2/T."""
    return implies(["r >= 1", "T == r**2", "g == 1/T**4", "s == 1/r**3", "d == 1", "C == 0"], f"{bound} <= 2/T")


def poisson_terms(conclusion: str, dispersion: str = "1", changes: Mapping[str, int] = {}) -> Evidence:
    """Printed gamma_3, gamma_4, printed and repaired gamma_1 for g Poisson(e^z/g): R_s = 1, L = kappa = e^S."""
    poisson = {**CONSTANT_DISPERSION, "R_s": "1", "L_mu": "L"}
    witness = fails(
        ("g > 0", "T >= 2", "0 < delta", "delta < 1", "C >= 0", "S > 0"),
        conclusion,
        {
            "g": dispersion,
            "ell": LOGS,
            "L": "exp(S)",
            "kappa": "exp(S)",
            "eta": text_of(constants.eta, "1", "S"),
            "alpha": ALPHA,
            "lam": lam(R_s="1", L_mu="L"),
            "radius": of_setting(radius, "T/g", **poisson),
            "radius_T": of_setting(radius, "(T - 1)/g", **poisson),
            "P": text_of(constants.potential_repaired, "d", "alpha", "lam", "L", "T/g"),
            "gamma_1_repaired": text_of(constants.gamma_1_repaired, "radius_T", "P"),
            "gamma_1": of_setting(constants.gamma_1, "radius_T", **poisson),
            "gamma_3": of_setting(constants.gamma_3, "radius", **poisson),
            "gamma_4": of_setting(constants.gamma_4, "radius", **poisson),
        },
        at={"d": 1, "S": 1, **AT_C_ZERO, **changes},
    )
    return refuted(witness, scaled_counts())


@claim(
    "lemma:decomposition/eq11",
    math=r"\gamma_3 = O(d^2 g_{\max} \kappa \log^2 T)",
    hypotheses=("the printed gamma_3",),
    expected="refuted",
    control=("the same with g = 1", "1"),
    coq="HCW.PrintedOrders.gamma_3_order_false",
    severity="substance",
    consequence="as printed gamma_3 carries d^2 g_max/g_min; the weights remove it (repaired bound)",
    carries=("regret_theorem",),
)
def order_of_gamma_3(dispersion: str = SHRINKING) -> Evidence:
    """gamma_3 = O(d^2 g_max kappa log^2 T): hides d^2 g_max/g_min, which is larger when g_min < 1/kappa.

    For g times Poisson(e^z/g) rewards with d = S = 1 and g = T^-4 it is at least T^2 g kappa.
    """
    bounded = ["kappa >= 1", "kappa <= 3", "front >= 12"]
    every = along_the_sequence([*bounded, "gamma_3 == front*(kappa*g + 1)"], "gamma_3 >= T**2*g*kappa")
    return refuted(poisson_terms("gamma_3 <= K*ell**4*d**2*g*kappa", dispersion), every)


WIDE = {"d": 10**40, "T": 10**80}


@claim(
    "lemma:decomposition/eq11",
    math=r"\gamma_4 = O(d \kappa \max(C, 1) \log^2 T)",
    hypotheses=("the printed gamma_4",),
    expected="refuted",
    control=("with d^2 added", lambda: poisson_terms("gamma_4 <= K*ell**4*(d*kappa*max(C, 1) + d**2)", changes=WIDE)),
    coq="HCW.PrintedOrders.gamma_4_order_false",
    severity="constant",
    consequence="the +1 in gamma_4 costs d^2; with 1/(2 lambda) in its place the printed order is right",
    carries=("regret_theorem",),
)
def order_of_gamma_4() -> Evidence:
    """gamma_4 = O(d kappa max(C, 1) (log T)^2): hides a term d^2 log^2, more than d kappa for d large.

    For Poisson rewards with S = 1, C = 0 and T = d^2 it is at least d times the order d kappa.
    """
    # The squared radius is at least 4 lambda S^2 >= d; front is 12 L times the logarithm.
    every = implies(
        ["d >= 1", "kappa <= 3", "first >= 0", "front >= 12", "square >= d", "gamma_4 == d*front*(first + 1)*square"],
        "gamma_4 >= d*(d*kappa)",
    )
    return refuted(poisson_terms("gamma_4 <= K*ell**4*d*kappa*max(C, 1)", changes=WIDE), every)


@claim(
    "lemma:decomposition/eq9",
    math=r"\operatorname{Reg} = O(d \log T \sqrt{V} + d g_{\max} \max(C, 1) \log^{3/2} T) \text{ for } R_s = 0",
    hypotheses=("R_s = 0",),
    expected="refuted",
    control=("d max(C, 1) without g_max", lambda: linear_terms("2*S <= K*ell**4*(d*sqrt(T*g) + d*max(C, 1))")),
    coq="HCW.PrintedRegret.linear_regret_false",
    severity="substance",
    consequence="for R_s = 0 the corruption term is d max(C, 1) whatever g_max, as the lower bound demands",
    carries=("regret_theorem",),
)
def linear_regret() -> Evidence:
    """For R_s = 0, Reg = O(d log T sqrt(V) + d g_max max(C, 1) (log T)^{3/2}): false as g_max -> 0.

    Gaussian rewards, d = 1, S = 1, arms +-1.  Whatever arm the learner pulls first, one of theta* = +-1
    makes it cost 2S = 2; but with g = T^-4 the bound is at most 2/T, up to logarithms.
    """
    return refuted(
        linear_terms("2*S <= K*ell**4*(d*sqrt(T*g) + d*g*max(C, 1))"), vanishing_bound("d*s + d*g*max(C, 1)")
    )
