"""The local lemma behind the corruption-free lower bound, and the divergences it rests on.

The lemma is for one block: dimension k, arms the unit sphere, n rounds, dispersions at least g_1, slope m
at the best arm; it claims regret c_2' k sqrt(g_1 n m) on parameters within squared distance c_1 k
sqrt(g_1/(n m)) of theta_*.
"""

from __future__ import annotations

import sympy as sp
from glbcheck.core.divergences import bregman_expr, chi2_expr, kl_expr
from glbcheck.verify.search import symbolic
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, structural

from .unprinted import NORMALISED

a, b, g, r, v = sp.symbols("a b g r v", real=True)
m = symbolic.smooth("m")

structural(
    "app:lem-lower-bound",
    reason="the proof of the local lemma refers to another paper's proof, said to go through; the lemma itself is "
    "refuted in the generality of its statement, chi^2 and KL are claimed here, and sphere_lower_bound proves it from "
    "scratch, on the same arms, with the factor |theta_*| in the squared radius",
)


# --- lem:lower-bound ----------------------------------------------------------------------------------------


@claim(
    "lem:lower-bound",
    "lem:lower-bound/eq1",
    "lem:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 \le \varepsilon} \operatorname{Reg}(n) \ge c_2' k "
    r"\sqrt{g_1 n m}, \; \varepsilon = c_1 k \sqrt{\frac{g_1}{n m}}, \text{ for } k = 1",
    hypotheses=("n >= k^2", "k = 1"),
    expected="refuted",
    control=("a neighbourhood that reaches 0", 2),
    coq="HCW.PrintedLocalLemma.printed_local_lemma_line_false",
    severity="hypothesis",
    consequence="d >= L + 1 allows blocks of dimension 1, where the proof gives 0: it needs d >= 2(L + 1)",
    carries=("lower_bound_absolute_constants",),
)
def local_lower_bound(c1: int = 1) -> Evidence:
    """The local lemma in dimension 1, where d = L + 1 leads: false for all c_1, c_2', S, g_1 and large n.

    The sphere is {-1, 1}.  Once c_1 sqrt(g_1/(n m)) < S^2, every alternative has the sign of theta_*, so
    the learner who always plays that sign has no regret.  Shown with m = 1, Gaussian rewards.
    """
    sign = implies(["(t - S)**2 < S**2", "S > 0"], "t > 0")
    long_enough = implies(["c1 > 0", "g > 0", "S > 0", "n > 0", "n*S**4 > c1**2*g"], "c1*sqrt(g/n) < S**2")
    # Arms -1 and 1, theta_* = S: always playing 1 costs nothing if no alternative changes sign.
    one_dimension = fails(
        ("n >= 1", "c1 > 0", "c2 > 0", "g > 0", "S > 0", "c1*sqrt(g/n) < S**2"),
        "c2*sqrt(g*n) <= 0",
        at={"c1": c1, "c2": 1, "g": 1, "S": 1, "n": 4},
    )
    return refuted(one_dimension, sign, long_enough)


@claim(
    "lem:lower-bound",
    "lem:lower-bound/eq1",
    "lem:lower-bound/eq2",
    math=r"\sup_{\lVert \tilde{\theta} - \theta_\star \rVert^2 \le \varepsilon} \operatorname{Reg}(n) \ge c_2' k "
    r"\sqrt{g_1 n m}, \; \varepsilon = c_1 k \sqrt{\frac{g_1}{n m}}, \text{ for } c_1, c_2' > 0 \text{ that may depend "
    r"on } S \text{ and } R_s",
    hypotheses=("n >= k^2", "k >= 2"),
    expected="refuted",
    control=("g_1 = 1", 1),
    coq="HCW.PrintedLocalLemma.printed_local_lemma_false",
    severity="substance",
    consequence="the squared radius lacks a factor |theta_*|, without which it has the wrong dimension (theta^2 scales "
    "like g, not like sqrt(g)), and n >= k^2 a factor g_1/(|theta_*|^2 m); with both, and a condition on R_s, it is "
    "sphere_lower_bound",
    carries=("lower_bound_absolute_constants",),
)
def local_lower_bound_absolute_constants(g: int = 10**4) -> Evidence:
    """The local lemma with constants c_1, c_2' free of g_1 and n: false as g_1 grows, for every S.

    Always playing x_* = theta_*/S costs |theta~| - <x_*, theta~> <= 2 sqrt(eps) a round.  For Gaussian rewards and n =
    k^2 rounds eps is c_1 sqrt(g_1), so that is 2 k^2 sqrt(c_1) g_1^(1/4) in all, below c_2' k^2 sqrt(g_1) once g_1 > 16
    c_1^2/c_2'^4: 80 against 400 for k = 2, g_1 = 10^4 and c_1 = c_2' = 1.  So no constants will do, even if they depend
    on S and R_s.  If they are absolute, as printed, g_1 may be fixed too: x_* costs sqrt(p^2 + q^2) - p <= q^2/(2p) a
    round, p >= S - sqrt(eps) and q^2 <= eps, which for S > c_1/(2 c_2') is too little for every large n.
    """
    round_ = implies(["length <= S + e", "p >= S - e"], "length - p <= 2*e")
    # a = sqrt(c_1), g = h^4 and n = k^2: eps = (a h)^2.
    squared = implies(["k >= 2", "h > 0", "r == h**2/k"], "sqrt(h**4/k**2) == r")
    every = implies(["a > 0", "c2 > 0", "k >= 2", "h > 0", "h*c2 > 2*a"], "k**2*(2*a*h) < c2*k*sqrt(h**4*k**2)")
    # k = 2, n = 4: the claimed regret against that of always playing x_*.
    loud = fails(
        ("k >= 2", "n >= k**2", "g > 0", "c1 > 0", "c2 > 0"),
        "c2*k*sqrt(g*n) <= n*(2*sqrt(eps))",
        {"eps": "c1*k*sqrt(g/n)"},
        at={"k": 2, "n": 4, "g": g, "c1": 1, "c2": 1},
    )
    return refuted(loud, round_, squared, every, far_from_the_origin())


def far_from_the_origin() -> Evidence:
    """For 2 S c_2' > c_1 playing x_* costs too little once sqrt(eps) = e is at most a small share t of S."""
    curvature = implies(["p > 0", "q >= 0"], "sqrt(p**2 + q**2) - p <= q**2/(2*p)")
    near = implies(["S > 0", "e > 0", "t > 0", "t < 1", "e <= t*S"], "e**2/(2*(S - e)) <= e**2/(2*S*(1 - t))")
    too_little = implies(
        ["c1 > 0", "c2 > 0", "S > 0", "t > 0", "t < 1", "2*S*c2*(1 - t) > c1", "Q > 0"], "c1*Q/(2*S*(1 - t)) < c2*Q"
    )
    # root = sqrt(n), h = sqrt(g).
    long_enough = implies(
        ["c1 > 0", "k >= 2", "h > 0", "S > 0", "t > 0", "root*(t*S)**2 >= c1*k*h", "root > 0", "e > 0",
         "e**2*root == c1*k*h"],
        "e <= t*S",
    )  # fmt: skip
    return combine(curvature, near, too_little, long_enough)


# --- the divergences ----------------------------------------------------------------------------------------


def log_density(z: sp.Expr) -> sp.Expr:
    """Without the base measure, which cancels in every ratio."""
    return (r * z - m(z)) / g


def expected_log_ratio() -> Evidence:
    """g times the log-likelihood ratio of a and b at the mean reward m'(a)."""
    mean = symbolic.smooth("m", 1)(a)
    return symbolic.identity(g * (log_density(a) - log_density(b)).subs(r, mean), bregman_expr(m, b, a))


@claim(
    "app:lem-lower-bound/eq1",
    math=r"\chi^2(P_a, P_b) = \exp \left( \frac{m(2 a - b) - 2 m(a) + m(b)}{g} \right) - 1",
    reading="repaired",
    hypotheses=(NORMALISED, "2a - b is a natural parameter; otherwise the divergence is infinite"),
    control=("2b - a in place of 2a - b", 2 * b - a),
)
def chi_square_of_two_members(point: sp.Expr = 2 * a - b) -> Evidence:
    """chi^2(P_a, P_b) = exp((m(2a - b) - 2 m(a) + m(b))/g) - 1: the integral of p_a^2/p_b, minus 1.

    p_a^2/p_b is exp(...) times the density at 2a - b, which integrates to 1 if 2a - b is natural.  For
    exponential rewards (m = -log(-z), z < 0) a = -1 and b = -3 give 2a - b = 1: infinite, a case the text
    passes over.
    """
    # p_a^2/p_b is the density at `point` times exp of (m(point) - 2 m(a) + m(b))/g, for every reward r; and 1 plus the
    # chi^2 in use is that factor.
    exponent = (m(point) - 2 * m(a) + m(b)) / g
    tilted = symbolic.identity(2 * log_density(a) - log_density(b), log_density(point) + exponent)
    factor = sp.exp(2 * log_density(a) - log_density(b) - log_density(point))
    return combine(tilted, symbolic.identity(1 + chi2_expr(m, a, b, g), factor))


@claim(
    "app:lem-lower-bound/lemma1",
    "app:lem-lower-bound/eq2",
    math=r"g \operatorname{KL}(P_a, P_b) = m(b) - m(a) - m'(a) (b - a) = (b - a)^2 \int_0^1 v \, m''(b + v (a - b)) "
    r"\, dv",
    reading="repaired",
    hypotheses=("m twice differentiable", NORMALISED),
    control=("weight 1 - v", 1 - v),
    uses=("mean_and_variance_repaired",),
    facts=("taylor",),
)
def kl_is_bregman(weight: sp.Expr = v) -> Evidence:
    """g KL(P_a, P_b) is the Bregman divergence D_m(b, a), and (b - a)^2 times a weighted mean of m''.

    The weight is v at b + v(a - b).

    The base measure cancels, the log-likelihood ratio is affine in the reward, and its mean under P_a is m'(a).
    In the integral v = 1 is a and v = 0 is b, so the weight vanishes at b: the orientation is the printed one.
    """
    # m(b) - m(a) - m'(a)(b - a) is the integral over [0, 1] of weight (b - a)^2 m''(b + v(a - b)).
    path = b + v * (a - b)
    integrand = -weight * (b - a) ** 2 * symbolic.smooth("m", 2)(path)
    taylor_form = symbolic.taylor_remainder("m", 1, integrand, v, path, a, b, (1, 0))
    return combine(expected_log_ratio(), symbolic.identity(g * kl_expr(m, a, b, g), bregman_expr(m, b, a)), taylor_form)


@claim(
    "app:lem-lower-bound/eq1",
    "app:lem-lower-bound/lemma1",
    "app:lem-lower-bound/eq2",
    math=r"g \operatorname{KL}(P_a, P_b) = m(b) - m(a) - m'(a) (b - a) \impliedby \int e^{(r z - m(z))/g} \, "
    r"d\nu_g(r) = 1 \text{ for every } z",
    hypotheses=("densities proportional to exp((r z - m(z))/g) for one base measure",),
    expected="gap",
    control=("the same coin with g = 1", 1),
    severity="hypothesis",
    consequence="as for the mean and the variance: the base measure has to depend on the dispersion",
    carries=("local_lower_bound", "local_lower_bound_absolute_constants"),
)
def divergences_need_normalised_likelihoods(dispersion: int = 2) -> Evidence:
    """g KL is the Bregman divergence of m, and chi^2 its exponential form: if m normalises the base measure at g.

    Otherwise log-likelihood ratios hold the normalisers as well.  Rewards 0 and 1, counted once each, with
    m(z) = log(1 + e^z) and g = 2: at z the law has odds e^{z/2}, and KL is that of these odds.
    """
    # KL of coins with odds e^(a/g) and e^(b/g) against D_m(b, a)/g, at a = 0 and b = 1.
    coins = fails(
        ("g > 0",),
        "g*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))) == log(1 + exp(b)) - log(1 + exp(a)) - slope*(b - a)",
        {"p": "exp(a/g)/(1 + exp(a/g))", "q": "exp(b/g)/(1 + exp(b/g))", "slope": "exp(a)/(1 + exp(a))"},
        at={"a": 0, "b": 1, "g": dispersion},
    )
    return gap(expected_log_ratio(), coins)
