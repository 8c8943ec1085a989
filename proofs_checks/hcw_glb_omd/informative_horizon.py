"""From how many rounds on the sharpest regret bound is below what so many rounds can cost at all."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.theory import constants, sharpest
from glbcheck.verify.search import cover
from glbcheck.verify.writing import Evidence, claim, combine, text_of

from .unprinted import BUDGET, COMPACT, CURVED, GROWTH, NORMALISED

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


def says_something(link: dict[str, str], first: int, last: int) -> Evidence:
    """The bound is below what T rounds can cost, for every T in the box."""
    names = list(link)
    share = text_of(lambda T, *given: bound_over_most(T, dict(zip(names, given, strict=True))), "T", *link.values())
    return cover.certify(f"{share} < 1", {"T": (first, last)})


@claim(
    "theorem:regret",
    reading="repaired",
    hypotheses=(
        NORMALISED,
        GROWTH,
        BUDGET,
        COMPACT,
        CURVED,
        "d = 2, S = 1, C = 0, g = 1, delta = 1/20, theta_1 = 0",
        "Bernoulli with lambda = 12 or Poisson rewards with lambda = 43",
        "V <= L_mu T",
    ),
    expected="certified",
    control=("from T = 2000 on for the logistic link", 2000),
    uses=("sharpest_regret_bound", "every_point_of_the_search"),
)
def when_the_bound_speaks(first: int = 2100) -> Evidence:
    """Below the largest possible regret T (mu(S) - mu(-S)) from T = 2,100 (Bernoulli) and 17,700 (Poisson) to 10^6.

    No weight is below 1, and theta_1 = 0: from the border of Theta it takes longer.  The bound of
    `regret_with_explicit_constants` says nothing before T = 132,000 and T = 3,690,000.
    """
    numbers = [cover.certify(f"{fact} + u", {"u": (0, 1)}) for fact in (*LOGISTIC_FACTS, *COUNTS_FACTS)]
    return combine(*numbers, says_something(LOGISTIC, first, 10**6), says_something(COUNTS, 17700, 10**6))
