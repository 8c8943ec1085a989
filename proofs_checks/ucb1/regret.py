"""Regret: the printed theorem, the same with the sharper constant, and the divergence of two coins."""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, combine, decided, implies

from .setting import POLICY, REWARDS


def per_arm(constant: str, factor: str = "8") -> Evidence:
    """What the pulls of one arm cost."""
    return implies(
        ["gap > 0", "L >= 0", f"pulls <= 8*L/gap**2 + ({constant})"],
        f"gap*pulls <= ({factor})*L/gap + ({constant})*gap",
    )


@claim(
    "thm:regret",
    "thm:regret/eq1",
    math=r"R_n \le 8 \sum_{i : \Delta_i > 0} \frac{\log n}{\Delta_i} + \left( 1 + \frac{\pi^2}{3} \right) \sum_i "
    r"\Delta_i",
    hypotheses=(REWARDS, POLICY, "n >= 1"),
    control=("7 in place of 8", "7"),
    uses=("decomposition", "pulls"),
)
def regret(factor: str = "8") -> Evidence:
    """The regret is at most 8 sum log n/Delta_i + (1 + pi^2/3) sum Delta_i, for every n >= 1.

    Arms without a gap cost nothing; for the others the bound on the pulls is multiplied by the gap, and the arms are
    added up.  a stands for pi^2/3.
    """
    return per_arm("1 + a", factor)


@claim(
    "thm:regret",
    "thm:regret/eq1",
    math=r"R_n \le 8 \sum_{i : \Delta_i > 0} \frac{\log n}{\Delta_i} + \frac{5}{4} \sum_i \Delta_i",
    reading="repaired",
    hypotheses=(REWARDS, POLICY, "n >= 1"),
    control=("7 in place of 8", "7"),
    uses=("decomposition", "pulls_sharper"),
)
def regret_sharper(factor: str = "8") -> Evidence:
    """The constant 1 + pi^2/3 of the regret may be replaced by 5/4.

    As for the printed bound, from the sharper one on the pulls.
    """
    return per_arm("5/4", factor)


def slope() -> Evidence:
    """The derivative in q of KL(p, q) - 2 (q - p)^2."""
    p, q = sp.symbols("p q", positive=True)
    kl = p * sp.log(p / q) + (1 - p) * sp.log((1 - p) / (1 - q))
    return symbolic.identity(
        sp.Derivative(kl - 2 * (q - p) ** 2, q),
        (q - p) * (1 / (q * (1 - q)) - 4),
        hypotheses=["p > 0", "p < 1", "q > 0", "q < 1"],
    )


@claim(
    "rem:divergence",
    math=r"\mathrm{KL}(p, q) \ge 2 (p - q)^2",
    hypotheses=("0 < p, q < 1",),
    control=("the slope with 5 in place of 4", "5"),
    facts=("monotone",),
)
def divergence_of_coins(most: str = "4") -> Evidence:
    """Bernoulli laws have KL(p, q) >= 2 (p - q)^2, and no larger constant than 2 will do.

    The difference is 0 at q = p, and its slope in q has the sign of q - p, as q (1 - q) <= 1/4: functions with a slope
    of one sign are monotone.  For p = 1/2 and q = 1/2 + x the divergence is -log(1 - u)/2 with u = 4 x^2, at most
    2 x^2/(1 - 4 x^2), which is below k x^2 for every k > 2 and small x.
    """
    return combine(
        slope(),
        implies(["q > 0", "q < 1"], f"1/(q*(1 - q)) >= ({most})"),
        decided("x > 0, x < 1/2 => log(1/(1 + 2*x))/2 + log(1/(1 - 2*x))/2 == -log(1 - 4*x**2)/2"),
        decided("y > 0 => log(y) <= y - 1"),
        implies(["u > 0", "u < 1", "y == 1/(1 - u)"], "(y - 1)/2 == u/(2*(1 - u))"),
        implies(["k > 2", "x > 0", "4*k*x**2 < k - 2"], "2*x**2/(1 - 4*x**2) < k*x**2"),
    )


@claim(
    "rem:leading",
    math=r"\frac{8}{\Delta_i^2} \ge \frac{16}{\mathrm{KL}(\mu_i, \mu_\star)}",
    hypotheses=("Bernoulli rewards with means in (0, 1)", "Delta_i > 0"),
    control=("17 in place of 16", "17"),
    uses=("divergence_of_coins",),
)
def at_least_sixteen_times(times: str = "16") -> Evidence:
    """The factor 8/Delta^2 is worse than 1/KL(mu_i, mu_*), at least 16 times as large for Bernoulli rewards.

    KL >= 2 Delta^2.
    """
    return implies(["gap > 0", "kl >= 2*gap**2"], f"8/gap**2 >= ({times})/kl")
