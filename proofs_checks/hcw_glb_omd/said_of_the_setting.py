"""What abstract, introduction and conclusion say of the setting, and of what the algorithm has to know and to keep."""

from __future__ import annotations

import sympy as sp
from glbcheck.core.family import z
from glbcheck.verify.search import exact, symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, states

from .setting import expected_power, normal_rewards, scaled_counts
from .unprinted import NORMALISED

# --- which bandits the setting holds ------------------------------------------------------------------------


def coin_flips() -> Evidence:
    """A coin with p = 1/(1 + e^-z) has masses e^(r z - m(z)) for r = 0, 1 and m = log(1 + e^z)."""
    p = 1 / (1 + sp.exp(-z))
    return combine(
        symbolic.identity(p, sp.exp(z) / (1 + sp.exp(z))), symbolic.identity(1 - p, sp.S.One / (1 + sp.exp(z)))
    )


@claim(
    "sec:intro/s3",
    hypotheses=("a base measure for each dispersion, as eqn:GLM needs",),
    control=("a coin with p = e^z", lambda: symbolic.identity(sp.exp(z), sp.exp(z) / (1 + sp.exp(z)))),
)
def named_families_are_members() -> Evidence:
    """Gaussian, Bernoulli and Poisson rewards are GLMs: m = z^2/2, log(1 + e^z) and e^z.

    Normal rewards of every variance g, coins with g = 1, and Poisson counts with g = 1 have the density of eqn:GLM.
    """
    return combine(normal_rewards(), coin_flips(), scaled_counts())


@claim(
    "abstract/s1",
    "detailed-comparison/s8",
    math=r"\text{heteroskedastic linear bandits are among } e^{(r z - m(z))/g} d\nu_g \impliedby \text{their noise is "
    r"Gaussian}",
    hypotheses=("mu(z) = z", "noise of mean 0 and variance g"),
    expected="gap",
    control=("Gaussian noise", "exp(1/2)"),
    severity="hypothesis",
    consequence="with Gaussian noise linear bandits are inside, as logistic and Poisson bandits are; noise that is "
    "bounded, which the earlier papers of the table allow, need not be, so on this side the setting is narrower",
)
def setting_subsumes_linear_bandits(moments: str = "(exp(1) + exp(-1))/2") -> Evidence:
    """The setting subsumes heteroskedastic linear bandits: with Gaussian noise; with noise +1 or -1 it does not.

    For mu(z) = z the density at z = 0 must have E e^(r t/g) = e^(t^2/(2g)) for |t| <= S, since m(t) = t^2/2 has to
    normalise it at every z = t, as it does for Gaussian noise.  Noise that is 1 or -1 with equal chances has mean 0
    and variance 1, and E e^r = (e + 1/e)/2, which is not e^(1/2).
    """
    # E e^(r t) == e^(t^2/2) at t = 1 and g = 1, for the noise whose E e^r is given.
    other_noise = fails(("t == 1",), "noise == exp(t**2/2)", {"noise": moments}, at={"t": 1})
    return gap(combine(normal_rewards(), coin_flips(), scaled_counts()), other_noise)


states(
    "z > 0 => exp(z)/(1 + exp(z))**2 < 1/4, exp(z) > 1",
    "sec:intro/s17",
    id="variance_depends_on_the_arm",
    control=("< 1/4", "< 1/5"),
    why="The variance at z is g mu'(z).  For coins mu'(0) = 1/4 and mu' is smaller elsewhere, for counts mu'(0) = 1 "
    "and mu' grows: arms with different <x, theta_*> have different variances.  For Gaussian rewards mu' = 1, and only "
    "g can vary.",
)


@claim(
    "sec:lower-bound/s11",
    math=r"\mu(z) = e^z \Longrightarrow g = 1 \impliedby \operatorname{Var} r = \mathbb{E} r",
    hypotheses=("the mean is e^z, or 1/(1 + e^-z)", NORMALISED),
    expected="gap",
    control=("a multiple whose variance is its mean", 1),
    severity="slip",
    consequence="dispersion 1 is a property of rewards 0 and 1 and of Poisson counts, not of the logistic and the "
    "exponential mean: exponential families with other dispersions exist for both",
)
def dispersion_is_inherent(scale: int = 2) -> Evidence:
    """Logistic and Poisson bandits have g = 1 to be exponential families: because of their rewards, not for that.

    A reward that is 0 or 1 has variance mu(1 - mu) = mu', and a Poisson count has variance mu = mu'; as the variance is
    g mu', g = 1.  But 2 Poisson(e^z/2) has mean e^z, variance 2 e^z and the density of eqn:GLM with g = 2, and the
    share of successes in two trials has g = 1/2.
    """
    counts = implies(["mean > 0", "g > 0", "variance == g*mean", "variance == mean"], "g == 1")
    coins = implies(["p > 0", "p < 1", "g > 0", "variance == g*(p - p**2)", "variance == p - p**2"], "g == 1")
    # k Poisson(mean/k) has mean `mean` and variance k mean = g mean.
    multiple = fails(
        ("k >= 1", "mean > 0", "g > 0", "variance == k*mean", "variance == g*mean"),
        "g == 1",
        at={"k": scale, "mean": 1, "variance": scale, "g": scale},
    )
    return gap(combine(counts, coins, scaled_counts()), multiple)


# --- what has to be known, what has to be kept --------------------------------------------------------------


@claim(
    "sec:conclusion/s6",
    math=r"\mathbb{E} \left[ \left( \tfrac{p(r \mid z)}{p(r \mid z_\star)} \right)^{g / \hat{g}} \right] > 1 \text{ "
    r"for } \hat{g} \ne g \impliedby \hat{g} < g",
    hypotheses=("losses are divided by an estimate g^ of the dispersion in place of g",),
    expected="gap",
    control=("an estimate of half the dispersion", 2),
    severity="hypothesis",
    consequence="exact dispersions are not needed: with an upper bound g^ >= g in every round the ratios have "
    "conditional mean at most 1, so lemma:mixture holds; the loss is only weighted by g/g^ more",
    facts=("tower",),
)
def exact_dispersion_is_critical(share: int | sp.Rational = sp.Rational(1, 2)) -> Evidence:
    """The weighted likelihood ratio needs the exact dispersion: only an estimate below it does harm.

    With g^ in place of g the ratio is raised to the power w = g/g^.  If g^ >= g then w <= 1, and its mean is at most 1
    for every family, as for the weights of the algorithm.  If g^ < g it exceeds 1, for two Gaussian laws at distance u
    by the factor exp(u^2 w (w - 1)/(2g)).
    """
    # E X^w = exp(u^2 w(w - 1)/(2g)) for normal laws: more than 1 if w > 1, put to the test at w = g/g^ < 1.
    below = implies(["u > 0", "g > 0", "w > 1"], "u**2*w*(w - 1)/(2*g) > 0")
    above = fails(("u > 0", "g > 0", "w > 0"), "exp(u**2*w*(w - 1)/(2*g)) > 1", at={"u": 1, "g": 1, "w": share})
    return gap(combine(below, expected_power("w1 == w0")), above)


@claim(
    "tab:results/row7",
    math=r"\text{a round of CW-OFUL costs more as } t \text{ grows} \impliedby \text{all rounds are kept}",
    hypotheses=("the estimate solves (lam I + sum of w x x^T) theta = sum of w r x", "w_t is fixed in round t"),
    expected="gap",
    control=("a learner that keeps its arms", 1),
    severity="slip",
    consequence="O(t) is true as an upper bound; the contrast with O(1) is not: with linear rewards the earlier "
    "algorithm keeps two sums and costs as little per round as this one, and its exact estimate is one linear equation",
)
def weighted_least_squares_needs_its_history(history: int = 0) -> Evidence:
    """CW-OFUL costs O(t) in round t, against O(1) here: only if it keeps all rounds, and two sums are enough.

    Weights are chosen when their round is played and do not change, so matrix and vector of the normal equations grow
    by one term each, and the inverse is updated by rank one.  So d^2 + d numbers are kept after every round; a learner
    that keeps its arms has d more for each round.
    """
    # (h + w x^2)(inverse of h updated by rank one) == 1, in one dimension; then the numbers that are kept.
    update = implies(["h > 0", "w >= 0"], "(h + w*x**2)*(1/h - w*(x/h)**2/(1 + w*x**2/h)) == 1")
    known, more = ("d >= 1", "t >= 1", "later > t"), "d**2 + d + history*d*later > d**2 + d + history*d*t"
    sums = fails((*known, "history >= 0"), more, at={"d": 2, "t": 2, "later": 40, "history": history})
    return gap(implies([*known, "history == 1"], more), refuted(sums, update))


@claim(
    "sec:proof-sketch/s22",
    hypotheses=("0 < w < 1", "a likelihood ratio that is not constant"),
    control=("w = 1", sp.S.One),
)
def weighted_ratio_is_no_martingale(weight: sp.Rational = sp.S.Half) -> Evidence:
    """With a weight below 1 the ratio is no martingale: its mean falls below 1.

    A ratio that is 3/2 or 1/2 with equal chances has mean 1 and, to the power 1/2, mean (sqrt(3/2) + sqrt(1/2))/2.
    """
    return exact.closed(f"((3/2)**({weight}) + (1/2)**({weight}))/2 < 1")
