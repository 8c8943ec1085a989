"""What abstract, introduction, table, discussion and conclusion say of upper and lower bounds side by side.

The orders and the instances that separate them are those of `orders`; s is sqrt(sum of g mu' at the best arms).
"""

from __future__ import annotations

import sympy as sp
from glbcheck.verify.search import ladder
from glbcheck.verify.writing import Evidence, claim, combine, fails, gap, implies, refuted, states

from .orders import REPAIRED, within
from .unprinted import BUDGET, COMPACT, CURVED, NORMALISED

# --- the upper bound against earlier ones -------------------------------------------------------------------


@claim(
    "sec:intro/s14",
    "sec:intro/s24",
    "app:comparison/remark1/s3",
    "app:ye/s3",
    "app:ye/s8",
    "detailed-comparison/s34",
    hypotheses=("mu' <= 1, so kappa >= 1", "g = 1", "the bounds as the table prints them"),
    control=("larger by kappa^2", 2),
)
def curvature_agnostic_bounds_are_larger(power: int = 1) -> Evidence:
    """The leading term d kappa sqrt(T) is at least kappa times d sqrt(sum of mu'), and kappa^(3/2) times it when flat.

    The slopes at the best arms are at most 1, so their sum is at most T; where all of them are 1/kappa, as for a
    saturated logistic link, the ratio is kappa^(3/2).  So the bounds of GAdaOFUL and CR-Eluder-UCB do not have the
    leading term that is known to be possible, and no constant closes the gap.
    """
    # s^2 is the sum of the T slopes.
    known = ["d >= 1", "kappa >= 1", "T >= 1", "s > 0"]
    never_smaller = implies([*known, "s**2 <= T"], f"d*kappa*sqrt(T) >= kappa**{power}*(d*s)")
    flat = implies([*known, "s**2*kappa == T"], "(d*kappa*sqrt(T))**2 == kappa**3*(d*s)**2")
    return combine(never_smaller, flat)


@claim(
    "detailed-comparison/s19",
    math=r"\text{every bound of } \mu'(\langle x, \theta_\star \rangle) \text{ that is known without } \theta_\star "
    r"\text{ is at least } L_\mu",
    hypotheses=("Poisson rewards", "arms of norm 1 and of norm 1/2"),
    expected="refuted",
    control=("an arm of norm 1", 1),
    severity="constant",
    consequence="without observing mu' the earlier learner may take the largest slope over Theta at the arm it plays, "
    "or over its confidence set, in place of L_mu: the first bound of the row is not the best one it can state",
)
def only_the_naive_variance_is_known(length: sp.Rational = sp.S.Half) -> Evidence:
    """Without mu' the only usable variance is L_mu g: no, the length of the arm bounds mu' better.

    |<x, theta>| <= S |x|, so at an arm of length 1/2 the slope of Poisson rewards is at most e^(S/2), while L_mu = e^S
    as long as one arm has length 1.  The ratio e^(S/2) has no bound.
    """
    # The bound e^(S |x|) of the slope is at least L_mu = e^S.
    arm = fails(("S > 0", "length > 0", "length <= 1"), "exp(S*length) >= exp(S)", at={"S": 2, "length": length})
    return refuted(arm, ladder.inequality("exp(S/2) > S/2", "S"))


@claim(
    "detailed-comparison/s22",
    math=r"\mu'(\langle x_t, \theta_\star \rangle) = \mu'(\langle x_{t,\star}, \theta_\star \rangle)",
    hypotheses=("x_t is the arm that is played, x_{t,*} the best one",),
    expected="refuted",
    control=("the best arm is played", 1),
    severity="slip",
    consequence="only the optimal arm has the slope of the leading term; the derivation that follows keeps them apart",
)
def slope_of_the_played_arm(played: int = 0) -> Evidence:
    """The slope at the optimal arm is that at the played arm: not unless the best arm is played.

    Logistic rewards, theta_* = 1, arms 0 and 1: mu' is 1/4 at the arm 0 and less at the best arm 1.
    """
    slope = "exp({z})/(1 + exp({z}))**2"
    return fails(
        ("x <= best", "abs(best) <= 1"),
        f"{slope.format(z='x')} == {slope.format(z='best')}",
        at={"x": played, "best": 1},
    )


# --- the lower bounds against earlier ones -----------------------------------------------------------------


@claim(
    "abstract/s5",
    "sec:intro/s34",
    "sec:lower-bound/s24",
    math=r"\text{the theorem speaks for every } d \ge 2 \text{ and every large } T",
    hypotheses=(
        "d >= ceil(log2 T) + 1",
        "T >= 16 d^2",
        "the cited bound (Abeille, Faury and Calauzenes, Theorem 2) is for every d >= 2 and every large T",
    ),
    expected="refuted",
    control=("a horizon up to 2^(d-1)", 13, 4096, 12),
    coq="HCW.PrintedScope.printed_scope_false",
    severity="hypothesis",
    consequence="the bound for logistic bandits holds for a fixed dimension and every large horizon; this one ends at "
    "T = 2^(d-1) and is silent for d <= 12, so it does not contain it; hypercube_lower_bound_glm has no such condition",
)
def lower_bound_subsumes_the_logistic_one(d: int = 2, T: int = 2**20, L: int = 20) -> Evidence:
    """The theorem subsumes the local lower bound for logistic bandits: no, which holds for d = 2 and T without limit.

    d >= ceil(log2 T) + 1 means T <= 2^(d-1).  For a fixed dimension all horizons but finitely many are left out, and
    for d <= 12 the other hypothesis leaves out the rest.
    """
    # 2^(L-1) < T <= 2^L says that L = ceil(log2 T).
    horizon = fails(
        ("d >= 2", "T >= 16*d**2", "2**L >= T", "2**(L - 1) < T"), "d >= L + 1", at={"d": d, "T": T, "L": L}
    )
    every = implies(["d >= 2", "L >= d"], "d < L + 1")
    return refuted(horizon, every)


@claim(
    "tab:results/row12",
    "abstract/s5",
    "sec:intro/s32",
    "sec:lower-bound/s25",
    "sec:conclusion/s3",
    math=r"\sup \operatorname{Reg}(T) \ge c \left( \tfrac{d s}{\log T} + d C \right) \impliedby d C \le T",
    hypotheses=("both printed lower bounds",),
    expected="gap",
    control=("a budget C = T/d", sp.Rational(1, 2)),
    severity="hypothesis",
    consequence="without the minimum of thm:lower-bound-corruption the row is shown for C <= T/d, and with a constant "
    "c it is false for budgets beyond 2ST/(cd), where it exceeds any possible regret of Gaussian rewards; the row "
    "also cites one of the two theorems it needs",
)
def row_of_the_lower_bound(budget: sp.Rational | int = 10**6) -> Evidence:
    """The table gives d s/log T + d C as a lower bound, for every C: the theorem has min(d C, T).

    Both bounds are for the worst instance, so the larger of the two holds, and with it half of their sum; where d C <=
    T the minimum is d C.  No regret exceeds 2 S T for Gaussian rewards, and for C > 2 S T/(c d) the row does.
    """
    summed = implies(["a >= 0", "b >= 0"], "max(a, b) >= (a + b)/2")
    short = implies(["d >= 2", "C > 0", "T >= 1", "d*C <= T"], "min(d*C, T) == d*C")
    # c d C <= 2 S T for S = 1, d = 2 and a budget that is a multiple of T = 100; c = 1/100.
    beyond = fails(
        ("d >= 2", "C > 0", "T >= 1", "S == 1", "c > 0"),
        "c*d*C <= 2*S*T",
        at={"d": 2, "C": 100 * budget, "T": 100, "S": 1, "c": sp.Rational(1, 100)},
    )
    every = implies(["d >= 2", "T >= 1", "S > 0", "c > 0", "C == 2*S*T/c"], "c*d*C > 2*S*T")
    return gap(combine(summed, short), refuted(beyond, every))


@claim(
    "sec:lower-bound/s1",
    "sec:lower-bound/s9",
    hypotheses=("every arm set holds one arm",),
    control=("two arms of different value", "best - played == 1"),
)
def given_arm_sets_may_cost_nothing(arms: str = "best - played == 0") -> Evidence:
    """Instance-wise means for each theta_* and the worst arm sets: on given arm sets the regret may be 0.

    With one arm in every set the best arm is played.  So no lower bound of the order d sqrt(sum of g mu') holds for the
    arm sets of every instance, and thm:lower-bound has the supremum over them for this reason.
    """
    known = ["T >= 1", "d >= 1", "c > 0", arms, "regret == T*(best - played)"]
    return implies(known, "regret < c*d*sqrt(T)")


# --- optimality as it can be kept --------------------------------------------------------------------------


@claim(
    "abstract/s6",
    "sec:intro/s33",
    "sec:lower-bound/s27",
    "sec:conclusion/s3",
    math=r"d s + d^2 g_{\max} \kappa + d \kappa \max(C, 1) \le 2 (d s + \kappa d C) \le 4 \kappa \max(d s, d C), \; C "
    r"\ge 1, \; d g_{\max} \kappa \le s",
    reading="repaired",
    hypotheses=(
        NORMALISED, BUDGET, COMPACT, CURVED,
        "mu' <= 1, so kappa >= 1", "C >= 1", "d g_max kappa <= s", "d >= 2",
        "0 < |theta_*| = r <= S, (d - 1) g_max <= 2 r s and R_s^2 r g_max <= 2 s; S and R_s count as constants",
        "dC at most a multiple of (mu(S) - mu(0)) T, and C >= 8 (mu(S) - mu(0))",
        "the worst arm sets, near theta_* for the first term and in the ball for the second",
    ),
    control=("a factor 1", 1),
    uses=("regret_theorem_repaired", "sphere_lower_bound", "corruption_bound_of_every_family"),
)  # fmt: skip
def optimal_up_to_kappa_repaired(factor: int = 2) -> Evidence:
    """With the repaired theorems upper and lower bound differ by kappa in the corruption term and by logarithms.

    For C >= 1 and d g kappa <= s the upper bound d s + d^2 g kappa + d kappa max(C, 1) is at most twice d s + kappa d
    C.  The lower bounds are of order d s near theta_*, on spheres of radius g_t/g_max (v = 1 and c = g_max in
    `sphere_lower_bound`, whose two conditions are listed; theta_* may lie on the border of the ball), and of order d C
    somewhere in the ball.  So their maximum is within the factor kappa of C, constants and the logarithms of the upper
    bound.  For C < 1 a term d kappa remains that no lower bound has, and for s < d g kappa the term d^2 g kappa.
    """
    upper = within(REPAIRED, "d*s + kappa*d*C", "C >= 1", "d*g*kappa <= s", factor=factor)
    lower = implies(["a >= 0", "b >= 0", "kappa >= 1"], "2*(a + kappa*b) <= 4*kappa*max(a, b)")
    # The conditions of the sphere's bound at v = 1, c = g_max, where q = sqrt(e^v V) is at least s; d - 1 against d.
    near = implies(["r > 0", "q >= s", "s > 0", "(d - 1)*g <= 2*r*s"], "(d - 1)*g <= 2*r*q")
    bent = implies(["q >= s", "s > 0", "R**2*r*g <= 2*s"], "R**2*r*g <= 2*1**2*q")
    dimension = implies(["d >= 2", "s > 0"], "(d - 1)*s >= d*s/2")
    return combine(upper, lower, near, bent, dimension)


@claim(
    "sec:lower-bound/s30",
    "app:lower-bound-corruption/s23",
    reading="repaired",
    hypotheses=(
        "the logistic mean, with noise that does not depend on the arm, or Bernoulli rewards, with C >= 4",
        NORMALISED,
        "S >= 1",
        "d >= 2",
        "C > 0",
    ),
    control=("a quarter instead of 23/100", sp.Rational(1, 4)),
    uses=("corruption_bound_of_the_noiseless_game", "corruption_bound_of_every_family"),
)
def lower_bound_without_kappa(share: sp.Rational = sp.Rational(23, 100)) -> Evidence:
    """The corruption lower bound does not depend on kappa: min(dC, (mu(S) - mu(0)) T)/4 stays while kappa grows.

    For the logistic mean and S >= 1 the largest gap mu(S) - 1/2 is at least 23/100 whatever S is, and kappa =
    (1 + e^S)^2/e^S is at least e^S.  With Bernoulli rewards, whose noise depends on the arm, it is
    min(3 (mu(S) - mu(0)) T/8, 3dC/1024) that stays.  The printed neighbourhood of thm:lower-bound does depend on
    kappa, its regret does not.
    """
    gap_stays = ladder.inequality(f"exp(S)/(1 + exp(S)) - 1/2 >= {share}", "S", 1)
    kappa_grows = implies(["y >= 1"], "(1 + y)**2/y >= y")
    return combine(gap_stays, kappa_grows)


@claim(
    "sec:lower-bound/note1/s1",
    math=r"\mu'(z) \ge 1 \text{ near the parameter} \Longrightarrow \kappa = \Theta(1)",
    hypotheses=("kappa is one over the smallest slope on [-S, S]",),
    expected="refuted",
    control=("a steep region of fixed size, S = 1", 1),
    severity="slip",
    consequence="kappa belongs to the ball, not to the region where the parameter lies: for Poisson rewards the "
    "construction at S x_i lies in the steepest region and kappa = e^S is as large as it can be",
)
def steep_regions_have_kappa_of_order_one(S: int = 20) -> Evidence:
    """Where mu is steep kappa is of order 1: false for Poisson rewards, with mu'(S) = kappa = e^S.

    No constant K bounds kappa there: take S = K.
    """
    steep = fails(("S > 0", "K >= 1", "exp(S) >= 1"), "kappa <= K", {"kappa": "1/exp(-S)"}, at={"S": S, "K": 1000})
    return refuted(steep, ladder.inequality("exp(S) > S", "S"))


# --- the logistic version -----------------------------------------------------------------------------------

states(
    "K >= 1, T_0 > 0, n >= 0, n*T_0 <= K*T_0/2 => K - n >= K/2",
    "app:logistic/s11",
    id="half_of_the_arms_are_pulled_less",
    control=(">= K/2", ">= 51/100*K"),
    why="n of the K = d - 1 arms were pulled T_0 times or more within K T_0/2 rounds, so at most half of them.",
)

states(
    "K >= 1, T_0 > 0, best >= 0, best <= T_0, others == K*T_0/2 - best => others >= K*T_0/2 - T_0",
    "app:logistic/s12",
    id="pulls_of_the_other_arms",
    control=("- T_0", "- T_0/2"),
    why="Of the K T_0/2 rounds, K = d - 1, at most T_0 went to the optimal arm.  What that is worth for small d is "
    "decided with the next sentence.",
)

states(
    "mu >= 1/2, C > 0, Delta > 0, q == Delta/mu => C/(2*q) == C*mu/(2*Delta), C/(2*q) >= C/(4*Delta)",
    "app:logistic/s14",
    id="threshold_of_the_flips",
    control=("C/(4*Delta)", "C/(3*Delta)"),
    why="mu stands for mu(S), at least 1/2 for the logistic link and S >= 0.",
)
