"""Appendix C, the leading term: from S_0 to the slopes at the best arms.

Notation as in `regret_decomposition`: z = <x_t, theta*>, z* the best value of the round, a = mu'(z),
b = mu'(<x_t, theta_{t+1}>), n the norm of x_t in H_t^-1, g the dispersion.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import ladder, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, implies, nonnegative

from .regret_decomposition import NEAR, R, cauchy_schwarz, logistic_slopes, x


@claim(
    "lemma:decomposition/eq2",
    hypotheses=("w_t = 1 on the rounds of S_0", "g > 0, a, b, n >= 0"),
    control=("g^2 in the second factor", 2),
)
def leading_sum_by_cauchy_schwarz(power: int = 1) -> Evidence:
    """S_0 <= sqrt(sum g a) sqrt(sum (w/g) b n^2), the sums first over w_t = 1 and then over all rounds."""
    # sqrt(ab) n = sqrt(g a) sqrt(b/g) n, with the dispersion to this power in the second factor.
    parts = implies(["g > 0", *nonnegative("a", "b", "n")], f"sqrt(a*b)*n == sqrt(g*a)*(sqrt(b/g**{power})*n)")
    return combine(parts, cauchy_schwarz())


@claim(
    "lemma:decomposition/eq3",
    math=r"\mu'(z) \le \mu'(z_\star) + R_s (z - z_\star) \int_0^1 \mu'(z_\star + v (z - z_\star)) \, dv \text{ for } "
    r"z \le z_\star",
    hypotheses=("|mu''| <= R_s mu'", "z <= z*"),
    expected="refuted",
    control=("the last line, R_s (mu(z*) - mu(z))", lambda: logistic_slopes("slope0 <= slope1 + R*(mean1 - mean0)")),
    severity="slip",
    consequence="the last line, the only one used, has the right sign",
    carries=("variance_along_the_run",),
)
def slope_at_the_pulled_arm() -> Evidence:
    """Second line: mu'(z) <= mu'(z*) + R_s (integral of mu') (z - z*), false since z - z* <= 0.

    The bound on mu'' must be paired with |z - z*|; the equality with the last line flips the sign back.
    Logistic link, S = theta_* = 1 in one dimension, arms 0 and 1.
    """
    return logistic_slopes("slope0 <= slope1 + R*(mean0 - mean1)")


@claim(
    "lemma:decomposition/eq3",
    math=r"\mu'(z) \le \mu'(z_\star) + R_s \left( \mu(z_\star) - \mu(z) \right) \text{ for } z \le z_\star",
    reading="repaired",
    hypotheses=("|mu''| <= R_s mu' on [z, z*]",),
    control=("(1 - 10^-6) R_s", 1 - NEAR),
    facts=("monotone",),
)
def slope_at_the_pulled_arm_repaired(share: sp.Rational = sp.S.One) -> Evidence:
    """mu'(z) <= mu'(z*) + R_s (mu(z*) - mu(z)), because mu' + R_s mu does not decrease.

    Equality for mu = -e^{-R_s z}: the constant is the best possible.
    """
    return rising_slope(share)


def rising_slope(share: sp.Rational) -> Evidence:
    """d/dx (mu' + R mu) = mu'' + R mu', with share R in place of the first R; not negative if |mu''| <= R mu'."""
    slope, bend = symbolic.smooth("mu", 1)(x), symbolic.smooth("mu", 2)(x)
    return symbolic.identity(sp.Derivative(slope + share * R * symbolic.smooth("mu", 0)(x), x), bend + R * slope)


@claim(
    "lemma:decomposition/eq4",
    hypotheses=("|mu''| <= R_s mu' on [-S, S]", "0 < g_t <= g_max", "the regret of a round is >= 0"),
    control=("(1 - 10^-6) g_max", 1 - NEAR),
    facts=("monotone",),
)
def variance_along_the_run(share: sp.Rational = sp.S.One) -> Evidence:
    """sum g_t mu'(z_t) <= sum g_t mu'(z*_t) + g_max R_s Reg(T), both lines, round by round.

    mu'(z) <= mu'(z*) + R_s (mu(z*) - mu(z)), as mu' + R_s mu does not decrease: our proof of the last line of
    lemma:decomposition/eq3, whose second line is false.
    """
    # g a <= g a* + share G R D for a <= a* + R D, g <= G, D >= 0.
    rounds = implies(["g > 0", "g <= G", *nonnegative("R", "D"), "a <= best + R*D"], f"g*a <= g*best + ({share})*G*R*D")
    return combine(rising_slope(sp.S.One), rounds)


# --- the index without Theta ---------------------------------------------------------------------------


@claim(
    "sec:regret-decompostion-proof/eq7",
    reading="repaired",
    hypotheses=("theta~_t maximises over the ellipsoid alone, so possibly outside Theta",),
    control=("also for optimistic values from 2 on", 2),
    uses=("second_order_term",),
)
def only_term_b_needs_theta(low: int = 4) -> Evidence:
    """Without Theta in the index the bound on B is lost: Poisson, S = 1, z = 1, every optimistic value >= 4.

    Optimism and term A do not need theta~ in Theta; B does, for links whose constants grow outside [-S, S].
    For a linear link B = 0 and for the logistic link the constants are global, so nothing changes there; for
    all links `decomposition_sharp` avoids the step.
    """
    # One term of B for mu = e^z, S = z = 1, above R_s L_mu (o - z)^2 for all optimistic o >= low.
    return ladder.inequality("exp(o) - exp(1) - exp(1)*(o - 1) > exp(1)*(o - 1)**2", "o", low)
