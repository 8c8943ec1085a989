"""From how many rounds on the sharpest regret bound is below what so many rounds can cost at all."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import constants, sharpest
from glbcheck.verify.claims.declare import claim
from glbcheck.verify.writing import text_of

from ..unprinted import BUDGET, COMPACT, CURVED, GROWTH, NORMALISED

# Bounds on bend, R, L_mu and psi from above and on span from below, for S = 1; for Poisson rewards rho = 11/20.
LOGISTIC = {"bend": "1/11", "R": "37/80", "L": "1/4", "span": "231/500", "psi": "37/20", "lam": "12"}
COUNTS = {"bend": "2719/1000", "R": "1", "L": "2719/1000", "span": "47/20", "psi": "2113/100", "lam": "43"}
LOGISTIC_FACTS = (
    "tanh(1/2)*exp(-1)/(1 + exp(-1))**2 <= 1/11",
    "tanh(1/2) <= 37/80",
    "4*tanh(1/2) <= 37/20",
    "231/500 <= tanh(1/2)",
)
COUNTS_FACTS = (
    "exp(1) <= 2719/1000",
    "47/20 <= exp(1) - exp(-1)",
    f"{text_of(sharpest.second_order_near, '1', '11/20')} <= 2113/100",
    f"{text_of(sharpest.second_order_far, 'exp(1)', 'exp(1) - exp(-1)', '11/20')} <= 2113/100",
)


def bound_over_most(T: sp.Expr, link: dict[str, sp.Expr]) -> sp.Expr:
    """The bound over all that T rounds can cost: d = 2, S = 1, C = 0, g = 1, delta = 1/20, alpha = 1/sqrt(lambda)."""
    one, lam = sp.S.One, link["lam"]
    alpha, eta = 1 / sp.sqrt(lam), constants.eta(link["R"], one)
    eps = sharpest.moves_spent(eta, one, link["bend"], alpha, lam, one)
    excess = sharpest.mixture_excess(sharpest.mixture_reach(eta, one, eps, lam))
    base = sharpest.beta_base(one, sp.Rational(1, 20), eta, lam, sp.S.Zero)
    growth = sharpest.largest_growth(alpha, link["L"], lam, one)
    ratio, D = sharpest.potential_ratio(growth), constants.REPAIRED.logdet_bound(sp.S(2), lam, link["L"], T)
    radii = sharpest.radii_summed(base, sharpest.beta_slope(eta, eps, excess), sp.S.Zero, D, sp.log(1 + growth))
    bound = sharpest.regret_of_sums(link["L"] * T, sp.sqrt(ratio * radii), ratio * D, sp.S.Zero, link["psi"], one)
    return bound / (link["span"] * T)


def share(link: dict[str, str]) -> str:
    """The bound over all that T rounds can cost, as a formula in T."""
    return text_of(lambda T, *given: bound_over_most(T, dict(zip(link, given, strict=True))), "T", *link.values())


claim(
    "theorem:regret",
    id="when_the_bound_speaks",
    says="The bound is below the largest possible regret from `T >= 2100` on for Bernoulli rewards, and from "
    "`T1 >= 17700` on for Poisson rewards.",
    steps=f"""
    T, T1: the number of rounds; d = 2, S = 1, C = 0, g = 1, delta = 1/20, theta_1 = 0
    => {", ".join(LOGISTIC_FACTS)}

    => {", ".join(COUNTS_FACTS)}

    T >= 2100, T <= 10**6      [assumed: Bernoulli rewards; assumed: the lambda of the module; assumed: V <= L_mu T]
    => {share(LOGISTIC)} < 1

    T1 >= 17700, T1 <= 10**6      [assumed: Poisson rewards]
    => {share(COUNTS).replace("T", "T1")} < 1
    [sharpest_regret_bound; every_point_of_the_search]
    [assumed: {NORMALISED}; assumed: {GROWTH}; assumed: {BUDGET}; assumed: {COMPACT}; assumed: {CURVED}]
    """,
    why="No weight is below one, and the first parameter is the origin: from the border of Theta it takes longer.",
    expected="certified",
    reading="repaired",
)
