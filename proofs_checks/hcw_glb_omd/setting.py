"""The problem setting: the reward model, the order of play, the budget and the regret.

The model is p(r | z, g) = exp((r z - m(z))/g) dnu(r) up to a constant, with mu = m', a dispersion g > 0
and z = <x, theta> in [-S, S].
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core import catalog
from glbcheck.core.family import g, r, z
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, structural

from .unprinted import NORMALISED

structural("sec:intro", reason="the heading; the sentences of the introduction are anchors of their own")


# --- two families with every dispersion --------------------------------------------------------------------


def scaled_counts() -> Evidence:
    """g times a Poisson count of mean e^z/g has the density of eqn:GLM for m = e^z, for every g > 0.

    At r = g k the logarithm of its mass is k log(e^z/g) - e^z/g - log k!, and k! does not depend on z.
    """
    return symbolic.identity(r / g * (z - sp.log(g)) - sp.exp(z) / g, (r * z - sp.exp(z)) / g - r / g * sp.log(g))


def normal_rewards() -> Evidence:
    """Normal rewards of mean c z and variance c g have it for m = c z^2/2, for every g > 0 and c > 0."""
    c = sp.Symbol("c", positive=True)
    return symbolic.identity(-((r - c * z) ** 2) / (2 * c * g), (r * z - c * z**2 / 2) / g - r**2 / (2 * c * g))


# --- eqn:GLM: mean and variance ------------------------------------------------------------------------


def derivatives_of_the_density() -> Evidence:
    """p' = ((r - mu)/g) p and p'' = (((r - mu)/g)^2 - mu'/g) p for p = exp((r z - m(z))/g), m generic."""
    density = sp.exp((r * z - symbolic.smooth("m")(z)) / g)
    score = (r - symbolic.smooth("m", 1)(z)) / g
    slope = symbolic.smooth("m", 2)(z)
    return combine(
        symbolic.identity(sp.Derivative(density, z), score * density),
        symbolic.identity(sp.Derivative(density, z, 2), (score**2 - slope / g) * density),
    )


@claim(
    "eqn:GLM",
    math=r"\mathbb{E} r = \mu(z), \; \operatorname{Var} r = g \mu'(z) \impliedby \int e^{(r z - m(z))/g} \, d\nu(r) = "
    r"1 \text{ for every } z",
    hypotheses=("g > 0", "m is convex and smooth", "nu does not depend on g"),
    expected="gap",
    control=("the same measure at g = 1, where m is its log-partition", 1),
    severity="hypothesis",
    consequence="nu must depend on g, so that m normalises the density for every g in use; with a fixed nu the "
    "learner works with a wrong mean",
    facts=("derivative-under-the-integral",),
    carries=(
        "divergences_need_normalised_likelihoods",
        "recursion_without_self_concordance",
        "prior_bound_with_the_naive_variance",
    ),
)
def mean_and_variance(dispersion: int = 2) -> Evidence:
    """E r = mu(z) and Var r = g mu'(z): true if exp((r z - m)/g) dnu has mass one for every z at that g.

    Differentiate the mass under the integral: first E(r - mu) = 0, then E(r - mu)^2 = g mu'.  The printed nu
    is one measure for all g.  Counting {0, 1} normalises m = log(1 + e^z) at g = 1; at g = 2 the law
    proportional to it has mean 1/(1 + e^{-z/2}).  Lebesgue measure itself belongs to no Gaussian model: at
    z = 0 the density would be the constant 1.
    """
    # Mean mu(z) for m = log(1 + e^z) and nu counting {0, 1}, at z = 1 and this dispersion.
    bernoulli_with_counting_measure = fails(
        ("g > 0",),
        "one/(zero + one) == exp(z)/(1 + exp(z))",
        {"m": "log(1 + exp(z))", "one": "exp((z - m)/g)", "zero": "exp(-m/g)"},
        at={"z": 1, "g": dispersion},
    )
    return gap(derivatives_of_the_density(), bernoulli_with_counting_measure)


def finite_moments(name: str, dispersion: sp.Rational, base: bool = True) -> Evidence:
    """Mass 1, mean mu, variance g mu' of a family of the catalogue with finite support, at every z."""
    family = catalog.get(name)
    lattice = sp.Tuple(family.support.lower, family.support.upper, family.support.step)
    low, high, step = lattice.subs(g, dispersion)
    log_density = family.log_density_expr if base else family.log_density_expr - family.log_base
    rewards = [low + k * step for k in range(int((high - low) / step) + 1)]
    law = {reward: sp.exp(log_density.subs(g, dispersion).subs(r, reward)) for reward in rewards}
    mean = sp.Add(*(reward * p for reward, p in law.items()))
    square = sp.Add(*(reward**2 * p for reward, p in law.items()))
    return combine(
        symbolic.identity(sp.Add(*law.values()), sp.S.One),
        symbolic.identity(mean, sp.Derivative(family.log_partition, z)),
        symbolic.identity(square - mean**2, dispersion * sp.Derivative(family.log_partition, z, 2)),
    )


@claim(
    "eqn:GLM",
    math=r"\mathbb{E} r = \mu(z), \; \operatorname{Var} r = g \mu'(z) \text{ if } \int e^{(r z - m(z))/g} \, "
    r"d\nu_g(r) = 1 \text{ for every } z",
    reading="repaired",
    hypotheses=("g > 0", NORMALISED),
    control=(
        "successes out of three with each share counted once",
        lambda: finite_moments("binomial_proportion", sp.Rational(1, 3), base=False),
    ),
    facts=("derivative-under-the-integral",),
)
def mean_and_variance_repaired() -> Evidence:
    """With a base measure nu_g that m normalises, E r = mu(z) and Var r = g mu'(z), for each g.

    The generic argument is that of `mean_and_variance`; here it is also carried out in closed form for the
    laws of finite support, among them the one where g varies: the share of successes in 1/g trials.
    """
    return combine(
        derivatives_of_the_density(),
        finite_moments("bernoulli", sp.S.One),
        finite_moments("rademacher", sp.S.One),
        finite_moments("truncated_poisson", sp.S.One),
        *(finite_moments("binomial_proportion", sp.Rational(1, n)) for n in (2, 3, 4)),
    )


@claim(
    "eqn:GLM",
    reading="repaired",
    hypotheses=("rewards 0 and 1", "mu(z) = 1/(1 + e^-z)", NORMALISED),
    control=("rewards between 0 and 1", "variance <= p - p**2"),
    uses=("mean_and_variance_repaired",),
)
def binary_rewards_have_one_dispersion(variance: str = "variance == p - p**2") -> Evidence:
    """Logistic bandits with rewards 0 and 1 have g = 1: no adversary can vary their dispersion.

    r^2 = r gives Var r = mu(1 - mu), which is mu' for the logistic mean.  Other supports do allow g < 1, such
    as the share of successes in 1/g trials.
    """
    # g = 1, from Var r = g mu' with mu = p and mu' = p(1 - p), and what the support says of the variance.
    return implies(["p > 0", "p < 1", "g > 0", "variance == g*(p - p**2)", variance], "g == 1")


# --- the order of play and the budget ------------------------------------------------------------------


def expected_power(weights: str) -> Evidence:
    """E X^w <= 1 for a likelihood ratio X with two values and mean one, from X^w <= 1 + w(X - 1).

    `weights` relates the exponents w1 and w0 used at the two values; Y1 and Y0 are the powers.
    """
    return implies(
        ["p >= 0", "p <= 1", "X1 >= 0", "X0 >= 0", "p*X1 + (1 - p)*X0 == 1", "w1 >= 0", "w1 <= 1", "w0 >= 0", "w0 <= 1",
         weights, "Y1 <= 1 + w1*(X1 - 1)", "Y0 <= 1 + w0*(X0 - 1)"],
        "p*Y1 + (1 - p)*Y0 <= 1",
    )  # fmt: skip


@claim(
    "assumption:link-function/remark1",
    hypotheses=("w in [0, 1] is known before the reward is drawn",),
    control=("a dispersion, hence a weight, chosen after the reward", lambda: expected_power("w1 >= w0")),
    uses=("power_is_concave",),
    facts=("tower",),
)
def order_of_play() -> Evidence:
    """The adversary may choose g after x, and c after r: the weight of a round is fixed before its reward.

    w depends on H, x and g, all known when r is drawn, and not on c.  So a likelihood ratio that has
    conditional mean one has at most that under its weight.  A g chosen after r would let the weight follow the
    reward.
    """
    return expected_power("w1 == w0")


@claim(
    "assumption:link-function/remark1",
    math=r"C = \sum_t \lvert c_t \rvert \impliedby \text{the sum does not depend on the rewards}",
    hypotheses=("C is the realised sum of |c_t|", "alpha = sqrt(d)/max(C, 1)"),
    expected="gap",
    control=("the same budget after either reward", 53),
    severity="hypothesis",
    consequence="read C as in the introduction, a number known in advance that sum |c_t| never exceeds; every proof "
    "uses no more than that",
    carries=("confidence_sequence_as_printed",),
)
def budget_is_fixed_in_advance(after_a_head: int = 0) -> Evidence:
    """The budget may be defined as C = sum |c_t|: only if that sum cannot depend on the rewards.

    alpha, and with it every weight, is computed from C.  An adaptive adversary that spends more after a low
    reward makes C, hence the first weight, a function of the first reward: large likelihood ratios then
    enter with w = 1, small ones with w near 0, and the mean of the weighted ratio exceeds one.  Logistic rewards
    with theta_* = 0, d = S = x = 1 and a mixture at odds 3: C = 0 after a reward 1, C = 53 after a reward 0.
    """
    # E X^w <= 1 for X = 3/2 or 1/2 with equal chances; R_s = 1, eta = 2, L = 1/4 and alpha = 1/max(C, 1).
    lam = "max(28, 9/max({C}, 1)**2, 1/4)"
    weight_after_the_reward = fails(
        ("head >= 0", "tail >= 0"),
        "(3/2)**w_head/2 + (1/2)**w_tail/2 <= 1",
        {f"w_{C}": f"min(1, sqrt({lam.format(C=C)})/max({C}, 1))" for C in ("head", "tail")},
        at={"head": after_a_head, "tail": 53},
    )
    return gap(expected_power("w1 == w0"), weight_after_the_reward)


# --- eqn:regret ----------------------------------------------------------------------------------------


@claim(
    "eqn:regret",
    math=r"\text{some } x_{t,\star} \in X_t \text{ has } \langle x_{t,\star}, \theta_\star \rangle = \sup_{x \in X_t} "
    r"\langle x, \theta_\star \rangle \impliedby X_t \text{ compact}",
    hypotheses=("X_t is a subset of the unit ball",),
    expected="gap",
    control=("the closed interval, whose end x = 1 is best", "x == 1"),
    severity="hypothesis",
    uses=("mean_does_not_decrease",),
    consequence="assume compact arm sets, or read the best value as a supremum and play within epsilon of it",
    facts=("compact-maximum",),
    carries=("decomposition",),
)
def best_arm_exists(arm: str = "x < 1") -> Evidence:
    """The regret compares with a best arm and is not negative: a best arm exists if X_t is compact.

    mu does not decrease, so an arm of largest <x, theta_*> is best and each round's regret is >= 0.  In the
    set [0, 1) every arm x is beaten by (1 + x)/2; the algorithm's maximum over X_t x C_t fails likewise.
    """
    # d = 1, theta_* = 1, mu(z) = z: an arm x of the stated set is best, put against the arm (1 + x)/2.
    round_regret = implies(["(mu_best - mu_chosen)*(best - chosen) >= 0", "best > chosen"], "mu_best - mu_chosen >= 0")
    return gap(round_regret, implies(["x >= 0", arm, "y == (1 + x)/2"], "y <= x"))
